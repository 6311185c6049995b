"""Lines by which elements of a list change places, as one change of the list.

t0, t1 = xs[j], xs[i]      ->      xs.<exchange>(i, j)
xs[i] = t0
xs[j] = t1

Each element stands in the list once before and once after, and the way back exchanges them again: nothing is recorded.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gast

from tangentish import ir
from tangentish.infer import Facts, exchanged_elements
from tangentish.ir.origins import origin_of
from tangentish.kinds import Seq
from tangentish.language.webs import map_blocks


def with_exchanges(function: ir.Function, facts: Facts) -> ir.Function | None:
    """The function with such lines in place of three; None where there are none."""
    body = _block(function.body, facts)
    same = len(list(ir.walk_statements(body))) == len(list(ir.walk_statements(function.body)))
    if same:
        return None
    return replace(function, body=body)


def _block(block: ir.Block, facts: Facts) -> ir.Block:
    lines = [map_blocks(s, lambda inner: _block(inner, facts)) for s in block]
    out: list[ir.Statement] = []
    while lines:
        one = _as_one(lines[:3], facts)
        out.append(one or lines[0])
        lines = lines[3 if one else 1 :]
    return tuple(out)


def _as_one(lines: list[ir.Statement], facts: Facts) -> ir.Statement | None:
    exchanged = exchanged_elements(lines)
    if exchanged is None or not _is_followed(exchanged[0], facts):
        return None
    xs, i, j = exchanged
    call = gast.copy_location(ir.exchange(xs, i, j), xs)
    return ir.Do(gast.copy_location(gast.Expr(call), xs), origin_of(lines[0]))


def _is_followed(xs: Any, facts: Facts) -> bool:
    """Whether this is a list whose elements carry a derivative somewhere, under no keys."""
    kind = facts.kind(xs)
    return isinstance(kind, Seq) and not kind.keyed and facts.is_ever_active(xs)
