"""What loops run over, backwards: range(n) is range(n - 1, -1, -1), ts is reversed(ts)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gast

from tangentish.expressions import shifted
from tangentish.infer import Facts, is_range, literal_of
from tangentish.kinds import Num, Tup
from tangentish.quote import constant, helper, quote

__all__ = ["first_trips_reversed", "items_reversed", "reversed_range"]


def reversed_range(bounds: Sequence[Any]) -> Any:
    """The numbers of `range(*bounds)` from the last to the first."""
    step = literal_of(bounds[2]) if len(bounds) == 3 else 1
    start = bounds[0] if len(bounds) > 1 else constant(0)
    stop = bounds[1] if len(bounds) > 1 else bounds[0]
    if step == 1:
        return _range(shifted(stop, -1), shifted(start, -1), constant(-1))
    if step == -1:
        up = [shifted(stop, 1), shifted(start, 1)]
        return _range(*(up[1:] if literal_of(up[0]) == 0 else up))
    return quote("reversed({r})", r=_range(*bounds))


def first_trips_reversed(bounds: Sequence[Any], trips: Any) -> Any:
    """The same for a loop that was left after some trips."""
    if len(bounds) == 1:
        return quote("range({n} - 1, -1, -1)", n=trips)
    return quote("reversed({r}[:{n}])", r=_range(*bounds), n=trips)


def items_reversed(node: Any, facts: Facts, stays: Callable[[Any], bool]) -> Any | None:
    """`reversed(ts)`, `reversed(list(zip(ts, us)))`, where the sequences stay as they are; else None."""
    whole = _whole_range(node, facts)
    if whole is not None:
        part = node.slice
        bounds = [b for b in (*whole.args, part.lower, part.upper, part.step) if b is not None]
        if not all(map(stays, bounds)):
            return None
        turned = part.lower is None and part.upper is None and literal_of(part.step) == -1
        return whole if turned else quote("reversed({x})", x=node)
    callee = facts.callees.get(node)
    if callee is not None and callee.function in (zip, enumerate):
        parts = (*callee.args, *callee.keywords.values())
        if all(_is_sequence(part, facts) and stays(part) for part in parts):
            return quote("reversed(list({x}))", x=node)
        return None
    return quote("reversed({x})", x=node) if _is_sequence(node, facts) and stays(node) else None


def _whole_range(node: Any, facts: Facts) -> Any | None:
    """`range(n)` of `range(n)[::-1]`."""
    match node:
        case gast.Subscript(value=gast.Call() as whole) if is_range(whole, facts):
            return whole
    return None


def _is_sequence(node: Any, facts: Facts) -> bool:
    kind = facts.kind(node)
    return isinstance(kind, Tup) or (isinstance(kind, Num) and bool(kind.array))


def _range(*bounds: Any) -> Any:
    return gast.Call(helper("range"), list(bounds), [])
