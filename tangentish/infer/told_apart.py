"""Lists that are told apart where they are made, and then turn out to change.

A loop over `[[1.0, 2.0], [3.0]]` gets one of two lists on each trip, which is a list of numbers, of some length. Where
these are made they are known element by element, until one of them is changed by its name in the loop.

An object that was given and holds the list is told apart with it: o_l = o.l.copy().
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Set
from typing import Any, NoReturn

import gast

from tangentish import ir
from tangentish.infer.containers_given import is_given
from tangentish.infer.facts import ListNeeded
from tangentish.infer.notes import only_notes_under
from tangentish.infer.reaching_out import Seen
from tangentish.infer.writes import Writes
from tangentish.kinds import Buffer, Kind, Opaque, Seq, Tup, buffers_of, sites_of_buffers
from tangentish.kinds.sites import display_at


class ToldApart(Writes):
    """The part of the walk that starts again where lists that were told apart may change."""

    seen: Seen

    def start_listed(self, places: Set[Hashable]) -> NoReturn:
        """Start again, with lists that may change at these places."""
        displays = [value for value in map(display_at, places) if value is not None]
        if displays:
            raise ListNeeded(displays[0])
        self.start_again(places)

    def changes_where_made(self, kind: Seq) -> None:
        """A list is changed: where it may have been made it is one that changes, too."""
        told_apart = sites_of_buffers(kind.buffers) - self.allocated - self.dynamic
        if told_apart:
            self.start_listed(told_apart)

    def demand_owner_apart(self, receiver: Any, item: Kind | None) -> None:
        """An argument holds the list, and gets to hold what varies with it, or what is computed with here."""
        owner = ir.owner_of(receiver)
        held = self.env.kinds.get(owner.id) if isinstance(owner, gast.Name) else None
        if not isinstance(held, Tup) or held.active or not is_given(held):
            return
        if (item is not None and item.active) or self.is_computed_with(_attribute(receiver)):
            self.demand_apart(held, receiver)

    def demand_holders_apart(self, kind: Seq, receiver: Any) -> None:
        """The same of an object that holds the list which has a name of its own."""
        for held in self.env.holding(kind.buffers).values():
            if not isinstance(held, Tup) or held.active or not is_given(held):
                continue
            if self.is_computed_with(_attribute_with(held, kind.buffers)):
                self.demand_apart(held, receiver)

    def note_change(self, node: Any, nodes: Iterable[Any], anything: bool = False) -> None:
        """What an object holds is changed by a call: a list, or a set or deque of which nothing else is known."""
        changed = tuple(nodes)
        for each in changed:
            if isinstance(each, gast.Attribute) and _is_listed(self.kind(each)):
                self.demand_owner_apart(each, None)
            elif isinstance(each, gast.Name):
                self.demand_given_apart_at(self.kind(each), each)
        super().note_change(node, changed, anything)

    def demand_given_apart_at(self, kind: Kind, node: Any) -> None:
        """An object that was given is handed to what may change the lists that it holds."""
        if not (isinstance(kind, Tup) and kind.is_object) or kind.active or not is_given(kind):
            return
        held = zip(kind.keys or (), kind.items, strict=True)
        if any(_is_listed(item) and self.is_computed_with(str(key)) for key, item in held):
            self.demand_apart(kind, node)

    def is_computed_with(self, attribute: str | None) -> bool:
        """Whether it is more than a list that things are noted in, for the caller to see."""
        if attribute is None:
            return False
        return not only_notes_under(self.source.function, attribute, self.seen)


def _is_listed(kind: Kind) -> bool:
    match kind:
        case Opaque(type=type() as made):
            return issubclass(made, (set, deque))
        case Tup(is_list=is_list):
            return is_list
    return isinstance(kind, Seq) and not (kind.is_tuple or kind.keyed)


def _attribute(receiver: Any) -> str | None:
    """The attribute under which an object holds a list, or what the list is in."""
    while isinstance(receiver, gast.Subscript):
        receiver = receiver.value
    return receiver.attr if isinstance(receiver, gast.Attribute) else None


def _attribute_with(held: Tup, lists: frozenset[Buffer]) -> str | None:
    """The same by the memory of the list."""
    for k, item in enumerate(held.items):
        if buffers_of(item) & lists:
            inner = _attribute_with(item, lists) if isinstance(item, Tup) else None
            return inner or (str(held.keys[k]) if held.is_object and held.keys else None)
    return None
