"""The containers that a call gives: those that it was given, and new ones, which are told apart.

p = pair(x)              p is made at (call, 0), p.left at (call, 1)

Two that may be one object are made at one place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator
from typing import NamedTuple

from tangentish.kinds import Kind, Seq, Tup, replace, with_parts
from tangentish.kinds.joins import as_sequence
from tangentish.kinds.sites import is_in_argument

Sites = frozenset[Hashable]


class Made(NamedTuple):
    """Where a call (the id of its node) has made a container; `number` tells it from the others it gave."""

    call: int
    number: int


def with_places(
    kind: Kind, call: int, given: Callable[[Hashable], Sites | None], dynamic: Collection[Hashable],
    numbers: dict[Hashable, int],
) -> Kind:  # fmt: skip
    """A result as the caller sees it; `given`: where a container was made that the callee was given.

    numbers: of the places of what else this call gave, and then those of this result, too.
    """
    known = {site: given(site) for container in containers_in(kind) for site in container.sites}
    if not known:
        return kind
    new = [frozenset(s for s in c.sites if known[s] is None) for c in containers_in(kind)]
    _add_numbers(filter(None, new), numbers)

    def here(site: Hashable) -> Sites:
        found = known[site]
        return frozenset({Made(call, numbers[site])}) if found is None else found

    def seen(part: Kind) -> Kind:
        inside = with_parts(part, seen)
        if isinstance(inside, Tup) and inside.sites:
            inside = replace(inside, sites=Sites().union(*map(here, inside.sites)))
            if inside.is_list and not inside.active and not inside.sites.isdisjoint(dynamic):
                return as_sequence(inside)
        return inside

    return seen(kind)


def is_given(kind: Tup) -> bool:
    """Whether a container may be an argument of the function, or a part of one."""
    return any(map(is_in_argument, kind.sites))


def _is_made_by_call(kind: Tup) -> bool:
    """Whether a container comes from a function that was called."""
    return any(isinstance(site, Made) for site in kind.sites)


def made_active(old: Kind, new: Kind) -> Iterator[Tup]:
    """The containers from elsewhere in a value that carry a derivative from here on, and do not stand apart yet."""
    if not (isinstance(old, Tup) and isinstance(new, Tup)):
        return
    stands_apart = old.apart or old.active or not new.active
    if not stands_apart and (is_given(old) or _is_made_by_call(old)):
        yield old
    for one, other in zip(old.items, new.items, strict=True):
        yield from made_active(one, other)


def with_own_parts(old: Kind, new: Kind) -> Kind:
    """What holds a list that is changed: attributes of an object told apart are values of their own from here on."""
    told_apart = isinstance(new, Tup) and new.is_object and (new.apart or old.active)
    return replace(new, virtual=True) if told_apart else new


def containers_in(kind: Kind) -> Iterator[Tup]:
    """A container, and those that it holds."""
    match kind:
        case Tup(items=items):
            yield kind
            for item in items:
                yield from containers_in(item)
        case Seq(item=item) if item is not None:
            yield from containers_in(item)


def _add_numbers(groups: Iterator[Sites], numbers: dict[Hashable, int]) -> None:
    """A number for each group of places, in the order in which they come; groups that meet are one."""
    apart: list[Sites] = []
    for group in groups:
        meet = [other for other in apart if other & group]
        if not meet:
            apart.append(group)
            continue
        whole = group.union(*meet)
        apart = [whole if other is meet[0] else other for other in apart if other not in meet[1:]]
    for group in apart:
        known = [numbers[site] for site in group if site in numbers]
        number = min(known, default=len({*numbers.values()}))
        for site in group:
            numbers.setdefault(site, number)
