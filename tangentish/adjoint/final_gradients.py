"""What a gradient function returns: each gradient in full, of the type of its argument."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tangentish import ir
from tangentish.adjoint.reverse import Reverse
from tangentish.ir.quote import quote
from tangentish.kinds import Kind, Num


def final_gradients(
    reverse: Reverse, function: ir.Function, wrt: Sequence[int]
) -> tuple[list[Any], ir.Block]:
    """Each gradient in full, an array of its own, with the dtype of its argument."""
    reverse.out = []
    gradients = []
    values = (*function.parameters, *reverse.facts.held)
    for p in (values[k] for k in wrt):
        kind = reverse.facts.entry.get(p) or reverse.facts.web_kinds[p]
        if p not in reverse.state:
            reverse.zero(p, kind)
        else:
            reverse.make_full(p, kind)
            reverse.make_own(p)
        gradients.append(_as_argument(reverse, p, kind))
    statements, reverse.out = tuple(reverse.out), []
    return gradients, statements


def _as_argument(reverse: Reverse, p: str, kind: Kind) -> Any:
    """A gradient with the type of its argument."""
    d = reverse.gradient(p)
    if not isinstance(kind, Num):
        return d
    unsure = reverse.mixed or (kind.is_scalar and not reverse.state[p].kind.is_scalar)
    if kind.weak:
        return quote("float({d})", d=d) if unsure and not reverse.walk.device else d
    narrow = kind.is_scalar and kind.dtype != np.dtype(float)
    return quote("cast({d}, {x})", d=d, x=ir.name(p)) if reverse.mixed or narrow else d
