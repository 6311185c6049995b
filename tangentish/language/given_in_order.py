"""Arguments of a call in the order in which they are written, which is that of their evaluation.

d = D(b=o.step(x), a=o.n)      ->      d_b, d_a = o.step(x), o.n
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

__all__ = ["as_written", "value_of"]


def as_written(parts: Sequence[Any], call: Any) -> list[Any]:
    """Parts of what stands for a call: those that the call gives in the order in which it gives them.

    f(b=o.step(), a=o.n) calls step first, whichever parameter of f comes first.
    """
    if not isinstance(call, gast.Call):
        return list(parts)
    given = [value_of(argument) for argument in (*call.args, *call.keywords)]
    ordered = iter([part for part in given if part in parts])
    return [next(ordered) if part in given else part for part in parts]


def value_of(part: Any) -> Any:
    """What is evaluated of an argument."""
    return part.value if isinstance(part, (gast.keyword, gast.Starred)) else part
