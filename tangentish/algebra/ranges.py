"""What loops run over, backwards: range(n) is range(n - 1, -1, -1), ts is reversed(ts)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.expressions import shifted
from tangentish.infer import TUPLES, Facts, is_range, literal_of
from tangentish.ir.quote import constant, helper, quote
from tangentish.kinds import Functions, Num, Opaque, Seq, Tup, is_integer


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
        bounds = [*whole.args, *ir.bounds_of(part)]
        if not all(map(stays, bounds)):
            return None
        turned = part.lower is None and part.upper is None and literal_of(part.step) == -1
        return _range(*whole.args) if turned else quote("reversed({x})", x=node)
    given = _range_turned(node, facts)
    if given is not None:
        return _range(*given.args) if all(map(stays, given.args)) else None
    if not _gives_the_same(node, facts, stays):
        return None
    return quote("reversed(list({x}))" if _iterates(node, facts) else "reversed({x})", x=node)


def _iterates(node: Any, facts: Facts) -> bool:
    callee = facts.callees.get(node)
    return callee is not None and callee.function in (zip, enumerate, *TUPLES)


def _gives_the_same(node: Any, facts: Facts, stays: Callable[[Any], bool]) -> bool:
    """Whether a part of what was run over, made again, is the same: a range, a sequence or a slice of one, a number."""
    if isinstance(node, gast.Starred):
        node = node.value
    if is_range(node, facts):
        return all(map(stays, node.args))
    if _iterates(node, facts):
        callee = facts.callees[node]
        parts = callee.given
        return all(_gives_the_same(part, facts, stays) for part in parts)
    match node:
        case gast.Subscript(value=value, slice=gast.Slice() as part):
            bounds = ir.bounds_of(part)
            return _is_sequence(value, facts) and all(map(stays, (value, *bounds)))
    known = _is_sequence(node, facts) or is_integer(facts.kind(node))
    return (known or is_list_outside(node, facts)) and stays(node)


def _range_turned(node: Any, facts: Facts) -> Any | None:
    """`range(n)` of `reversed(range(n))`."""
    callee = facts.callees.get(node)
    if callee is None or callee.function is not reversed:
        return None
    (given,) = callee.args
    return given if is_range(given, facts) else None


def _whole_range(node: Any, facts: Facts) -> Any | None:
    """`range(n)` of `range(n)[::-1]`."""
    match node:
        case gast.Subscript(value=gast.Call() as whole) if is_range(whole, facts):
            return whole
    return None


def is_list_outside(node: Any, facts: Facts) -> bool:
    """Whether this is the name of a list that stands outside of the function, or is what an object there holds."""
    kind = facts.kind(node)
    if not (isinstance(kind, Opaque | Functions) and kind.type is list):
        return False
    match node:
        case gast.Name(id=name):
            return not ir.is_value(name)
        case gast.Attribute(value=value, attr=name):
            owner = facts.kind(value)
            return isinstance(owner, Opaque) and owner.part(name) is not None
    return False


def _is_sequence(node: Any, facts: Facts) -> bool:
    kind = facts.kind(node)
    if isinstance(kind, Seq):
        return not facts.generators & {buffer.site for buffer in kind.buffers}
    return (
        isinstance(kind, Tup)
        or (isinstance(kind, Num) and bool(kind.array))
        or kind == Opaque(range)
    )


def _range(*bounds: Any) -> Any:
    return gast.Call(helper("range"), list(bounds), [])
