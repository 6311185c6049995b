"""Places that lines change, so that no element changes twice: those of a loop are told by its counter.

dx[1:-1] shares no element with dx[0] or dx[-1], nor do dx[:n] and dx[n:] as long as n is the same, nor dx[k] and
dx[k + 1:], nor dx[j] and dx[k] where a loop inside that over k runs over `range(k)`, or `range(k + 1, n)`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import gast

from tangentish import ir
from tangentish.infer import literal_of
from tangentish.infer.trips import is_made_range

_ONCE = (gast.Add, gast.Sub)  # ir.AddAt and ir.SubAt change an element as often as it is named

Place = tuple[Any, ...]
"""The parts of an index."""
Told = tuple[str, int]
"""A counter and what is added to it; no counter of a number."""


class Bounds(NamedTuple):
    """What a counter is at least, where that is known, and what others say that it is at least, and at most."""

    least: int | None
    lower: Told
    upper: Told


Least = Mapping[str, Bounds]
"""The counters of loops, with what is known of them."""


def places_changed(line: ir.Statement, name: str, least: Least | None = None) -> list[Place] | None:
    """The places of an array that a line sets or adds to, once each; None where it does anything else with it."""
    least = least or {}
    match line:
        case ir.Update(_, op) if type(op) not in _ONCE:
            return None
        case ir.Update(
            gast.Subscript(value=gast.Name(id=array), slice=index), _, value
        ) | ir.Assign(gast.Subscript(value=gast.Name(id=array), slice=index), value) if (
            array == name
        ):
            parts = tuple(index.elts) if isinstance(index, gast.Tuple) else (index,)
            read = (*ir.names_in(index), *ir.names_in(value))
            return [parts] if name not in read and _is_told_by(parts, least) else None
        case ir.If(test, body, orelse) if name not in ir.names_in(test):
            first, second = (_of_block(block, name, least) for block in (body, orelse))
            if first is None or second is None or not _of_any_trip(first, second, least):
                return None
            return [*first, *second]
        case ir.For(gast.Name(id=counter), over, body) if name not in ir.names_in(over):
            inside = within(line, least)
            if len(inside) > len(least):
                found = _of_block(body, name, inside)
                at_least = inside[counter].least
                return found and [_of_all_trips(place, counter, at_least) for place in found]
    return None


def within(loop: ir.Statement, least: Least) -> Least:
    """The counters inside of a loop: its own as well, if nothing but the loop sets it."""
    match loop:
        case ir.For(gast.Name(id=counter), over, body):
            if is_made_range(over) and counter not in ir.bound_within(body):
                return {**least, counter: _bounds_of(over.args, least)}
    return least


def are_apart(one: Place, other: Place, least: Least | None = None) -> bool:
    """Whether two places share no element, whatever the lengths of the axes are, in one trip with these counters."""
    return any(
        _are_apart_on_axis(a, b) or (least and _are_apart_by_counter(a, b, least))
        for a, b in _for_same_axes(one, other)
    )


def end_where_others_begin(one: Place, other: Place) -> bool:
    """Whether one of two places ends where the other begins, `dx[:n]` and `dx[n:]`: apart while n is the same."""
    return any(_ends_where(a, b) or _ends_where(b, a) for a, b in _for_same_axes(one, other))


def _for_same_axes(one: Place, other: Place) -> Iterator[tuple[Any, Any]]:
    """The parts of two places that are for the same axis: from the first, and from the last where both have `...`."""
    yield from _in_step(one, other)
    if all(any(map(_is_rest, place)) for place in (one, other)):
        yield from _in_step(one[::-1], other[::-1])


def _in_step(one: Place, other: Place) -> Iterator[tuple[Any, Any]]:
    for a, b in zip(one, other, strict=False):
        yield a, b
        if not _are_for_one_axis(a, b):
            return


def _ends_where(a: Any, b: Any) -> bool:
    match a, b:
        case gast.Slice(upper=end, step=None), gast.Slice(lower=begin, step=None):
            return end is not None and begin is not None and ir.alike(end, begin)
    return False


def _are_apart_on_axis(a: Any, b: Any) -> bool:
    """Whether one of two parts ends before the other begins: 1 and 2, 0 and `1:`, `:-1` and -1."""
    reaches = zip(_reaches(a), _reaches(b), strict=True)
    return any(p[1] <= q[0] or q[1] <= p[0] for p, q in reaches)


def _are_apart_by_counter(a: Any, b: Any, least: Least) -> bool:
    """Whether one of two parts ends before the other begins, as counters tell: `i` and `i + 1`, `k` and `k + 1:`.

    None of it is counted from the end.
    """
    (begin, end), (other_begin, other_end) = _from_to(a, least), _from_to(b, least)
    return _is_at_most(end, other_begin, least) or _is_at_most(other_end, begin, least)


def _from_to(part: Any, least: Least) -> tuple[Told | None, Told | None]:
    """From which element to before which one a part goes, as far as counters tell."""
    match part:
        case gast.Slice(lower=lower, upper=upper, step=None):
            begin = ("", 0) if lower is None else _told(lower, least)
            return begin, upper and _told(upper, least)
    place = _told(part, least)
    return place, place and (place[0], place[1] + 1)


def _told(part: Any, least: Least) -> Told | None:
    """Which element, counted from the first, a part is."""
    counter, shift = _shifted(part)
    if counter:
        at_least = least[counter].least if counter in least else None
        return (counter, shift) if at_least is not None and at_least + shift >= 0 else None
    value = _counted(part)
    return ("", value) if value is not None and value >= 0 else None


def _is_at_most(one: Told | None, other: Told | None, least: Least) -> bool:
    if one is None or other is None:
        return False
    (counter, shift), (other_counter, shift_of_other) = one, other
    if counter == other_counter:
        return shift <= shift_of_other
    if not other_counter:
        return False
    if not counter:
        return shift <= (least[other_counter].least or 0) + shift_of_other
    (above, highest), (below, lowest) = least[counter].upper, least[other_counter].lower
    return (above == other_counter and highest + shift <= shift_of_other) or (
        below == counter and shift <= lowest + shift_of_other
    )


Reach = tuple[float, float]
_ANYWHERE = -math.inf, math.inf


def _reaches(part: Any) -> tuple[Reach, Reach]:
    """From which element to before which one a part goes: counted from the first, and from the end."""
    match part:
        case gast.Slice(lower=lower, upper=upper, step=None):
            first, last = _counted(lower), _counted(upper)
            from_first = (
                first if first is not None and first >= 0 else 0,
                last if last is not None and last >= 0 else math.inf,
            )
            from_end = (
                first if first is not None and first < 0 else -math.inf,
                last if last is not None and last < 0 else 0,
            )
            return from_first, from_end
    place = _counted(part)
    if place is None:
        return _ANYWHERE, _ANYWHERE
    one = place, place + 1
    return (one, _ANYWHERE) if place >= 0 else (_ANYWHERE, one)


def _counted(part: Any) -> int | None:
    """The element that a literal stands for, counted from the end where it is negative."""
    value = literal_of(part)
    return value if type(value) is int else None


def _are_for_one_axis(a: Any, b: Any) -> bool:
    """Whether what comes after these parts is for the same axis in both; `...` and masks stand for several."""
    plain = (_counted(part) is not None or isinstance(part, gast.Slice) for part in (a, b))
    return all(plain) or (ir.dump(a) == ir.dump(b) and not _is_rest(a))


def _is_rest(part: Any) -> bool:
    return literal_of(part) is Ellipsis


def _of_block(block: ir.Block, name: str, least: Least) -> list[Place] | None:
    found: list[Place] = []
    for k in ir.lines_with(block).get(name, ()):
        places = places_changed(block[k], name, least)
        if places is None or not all(are_apart(a, b) for a in places for b in found):
            return None
        found.extend(places)
    return found


def _of_any_trip(one: Sequence[Place], other: Sequence[Place], least: Least) -> bool:
    """Whether what one trip changes on one way is not what another trip changes on the other way."""
    pairs = ((a, b) for a in one for b in other if least)
    return all(are_apart(a, b) or [*map(ir.dump, a)] == [*map(ir.dump, b)] for a, b in pairs)


def _is_told_by(parts: Place, least: Least) -> bool:
    """Whether each counter says where on an axis of its own a place is; from the end others would be the same."""
    told = {
        counter
        for counter, shift in map(_shifted, parts)
        if counter in least
        and (at_least := least[counter].least) is not None
        and at_least + shift >= 0
    }
    return len(told) == len(least)


def _of_all_trips(place: Place, counter: str, least: int | None) -> Place:
    """All that the trips of a loop change: `dx[1:]` of `dx[i]`, where i is 1 or more."""

    def part_of_all(part: Any) -> Any:
        told_by, shift = _shifted(part)
        if told_by != counter or least is None or least + shift < 0:
            return part  # of x[i, i - 1] the first trip may change the last column
        return gast.Slice(gast.Constant(least + shift, None), None, None)

    return tuple(map(part_of_all, place))


def _shifted(part: Any) -> tuple[str, int]:
    """The counter and what is added to it, of `i`, `i + 1` and `i - 1`; of all else no counter."""
    match part:
        case gast.Name(id=counter):
            return counter, 0
        case gast.BinOp(
            left=gast.Name(id=counter),
            op=gast.Add() | gast.Sub() as op,
            right=gast.Constant(value=int(shift)),
        ):
            return counter, shift if isinstance(op, gast.Add) else -shift
    return "", 0


def _bounds_of(bounds: Sequence[Any], least: Least) -> Bounds:
    """What the counter of `range(*bounds)` is at least and at most, as far as that is known."""
    first, *rest = bounds if len(bounds) > 1 else (gast.Constant(0, None), *bounds)
    step = literal_of(rest[1]) if len(rest) == 2 else 1
    if not isinstance(step, int):
        return Bounds(None, _NOTHING, _NOTHING)
    if step > 0:
        return Bounds(_at_least(first, least), _outer(first, least), _outer(rest[0], least, -1))
    last = _at_least(rest[0], least)
    after = None if last is None else last + 1
    return Bounds(after, _outer(rest[0], least, 1), _outer(first, least))


_NOTHING = "?", 0
"""A counter that there is not."""


def _outer(bound: Any, least: Least, more: int = 0) -> Told:
    """The counter of a loop around that a bound is made of."""
    counter, shift = _shifted(bound)
    return (counter, shift + more) if counter in least else _NOTHING


def _at_least(bound: Any, least: Least) -> int | None:
    value = literal_of(bound)
    if isinstance(value, int):
        return value
    counter, shift = _shifted(bound)
    at_least = least[counter].least if counter in least else None
    return None if at_least is None else at_least + shift
