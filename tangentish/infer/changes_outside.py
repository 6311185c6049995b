"""What calls change that no line shows: what stands outside, what modules and classes have, and anything later on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.changes import CHANGED_OUTSIDE, NOWHERE, OUTSIDE, may_be, sites_of
from tangentish.infer.draws import draws
from tangentish.infer.found_outside import OWNERS
from tangentish.infer.known_functions import is_of_library
from tangentish.infer.reach import Reach
from tangentish.infer.reaching_out import (
    Seen,
    held_by_name,
    only_makes,
    reach_of,
    reach_of_unknown,
)
from tangentish.infer.writes import can_change
from tangentish.infer.written_expressions import WrittenExpressions
from tangentish.kinds import (
    NO_BUFFERS,
    Fun,
    Functions,
    Kind,
    Known,
    OneOf,
    Sites,
    Tup,
    buffers_of,
    is_unknown,
    sites_of_buffers,
)
from tangentish.kinds.classes import has_plain_attributes
from tangentish.kinds.sites import attributes_of, is_global
from tangentish.language.lifted import as_written

_ANYTHING = (
    "a function that is called here asks for globals, exec or eval: what it changes is not known"
)
_LATER = "this writes to an array or a list that it is given, at a time that is not followed: write out what it does"


class ChangesOutside(WrittenExpressions):
    """The part of the walk that notes what calls change out of sight."""

    seen: Seen

    def note_reach(self, function: Any, arguments: Sequence[Any], node: Any) -> None:
        """What a function changes outside, or those that it is given: nobody reads that as it was before."""
        func = getattr(node, "func", None)
        receiver = [func.value] if isinstance(func, gast.Attribute) else []
        kinds = [self.kind(a) for a in (*arguments, *receiver)]
        seen = self.seen.given(map(_class_in, kinds), self.source.function)
        given = [f for kind in kinds[: len(arguments)] for f in _functions_in(kind)]
        own = () if draws(function) else (function,)  # else a generator, which nobody reads
        found = [reach_of(as_written(f), seen) for f in (*own, *given)]
        if any(reach.given for reach in found[len(own) :]):
            handed_on = map(self.kind, node.args if isinstance(node, gast.Call) else ())
            for kind in (*kinds, *handed_on):
                self.changes_out_of_sight(kind, False, node)
        found += [seen.special(cls) for cls in map(_class_in, kinds) if not is_of_library(cls)]
        if function is None and isinstance(node, gast.Call):
            found.append(reach_of_unknown(self.source, func, seen))
        for reach in found:
            self.note_outside(reach, node)
            if reach.has_containers:
                self.note_change_outside(node)

    def only_holds(self, made: object, given: Sequence[Any]) -> bool:
        """Whether a class makes an object that holds what it is given, and does nothing else that may be seen later.

        Then what this is, and what is done to it later by the object, is known of the object (`memory_held`).
        """
        if not (given and isinstance(made, type) and has_plain_attributes(made)):
            return False
        return only_makes(made, self.seen) and all(self.sites_of(e) is not None for e in given)

    def sites_of(self, node: Any) -> Sites:
        return sites_of(node, self.kind(node), self.function.parameters)

    def note_change(self, node: Any, nodes: Iterable[Any], anything: bool = False) -> None:
        """What is changed of a container outside may be an array that it holds."""
        changed = tuple(nodes)
        super().note_change(node, changed, anything)
        if may_be(self.facts.changes.get(node, NOWHERE), OUTSIDE):
            held = map(self.held_outside, changed)
            self.rebound |= Reach(objects=tuple(held)).sites
            for name in {ir.owner_of(e).id for e in changed if self.is_of_unknown(e)}:
                self.rebound |= held_by_name(self.source, name, self.seen).sites

    def is_of_unknown(self, node: Any) -> bool:
        """Whether what is changed is that of a variable of which nothing is known."""
        root = ir.owner_of(node)
        named = ir.is_own_name(root)
        return named and is_unknown(self.kind(root))

    def held_outside(self, node: Any) -> object:
        """What a name outside, or a path of modules and classes, holds of which something is changed."""
        match node:
            case gast.Name(id=name) if not ir.is_value(name) and self.source.where(name):
                with suppress(NameError):
                    return self.source.lookup(name)
            case gast.Attribute(value=base, attr=attr):
                owner = self.held_outside(base)
                return getattr(owner, attr, None) if isinstance(owner, OWNERS) else owner
            case gast.Subscript(value=base):
                return self.held_outside(base)
        return None

    def note_outside(self, reach: Reach, node: Any) -> None:
        if reach.anything:
            self.refuse(_ANYTHING, node)
        self.rebound |= reach.sites

    def note_attributes_set(self, kinds: Iterable[Kind]) -> None:
        """What changes modules and classes that it is given sets their attributes."""
        owners = (kind.value for kind in kinds if isinstance(kind, Known))
        modules = (o for o in owners if isinstance(o, OWNERS) and not is_of_library(o))
        self.rebound |= set(map(attributes_of, modules))

    def note_arrays_outside(self, kinds: Iterable[Kind]) -> None:
        """A call of which nothing is known writes to the arrays outside that it is given: T.__setitem__(0, v)"""
        buffers = NO_BUFFERS.union(*map(buffers_of, kinds))
        self.rebound |= set(filter(is_global, sites_of_buffers(buffers)))

    def note_change_outside(self, node: Any) -> None:
        """A call changes lists, dicts or objects that it finds outside."""
        before = self.facts.changes.get(node, frozenset())
        self.facts.changes[node] = None if before is None else before | (OUTSIDE or frozenset())
        if self.statement is not None:
            self.facts.effects.add(self.statement)
        self.rebound.add(CHANGED_OUTSIDE)

    def note_later(self, reach: Reach, given: Sequence[Any], node: Any) -> None:
        """A generator or a context manager runs in between: what it changes is changed at any time."""
        self.note_outside(reach, node)
        later = self.made_once((node, "later"), lambda: ir.name("later"), node)
        if self.statement is not None and (reach.given or reach.has_containers or reach.sites):
            self.facts.effects.add(self.statement)
        if reach.has_containers:
            self.note_change_outside(later)
        if not reach.given:
            return
        if any(buffers_of(self.kind(e)) for e in given):
            self.refuse(_LATER, node)
        self.note_attributes_set(map(self.kind, given))
        self.note_change(later, given)
        if any(can_change(self.kind(e)) for e in given):
            self.forget_lists()


def _class_in(kind: Kind) -> type:
    """The class of an object; object where that is not known."""
    found = getattr(kind, "type", None)
    return found if isinstance(found, type) else object


def _functions_in(kind: Kind) -> Iterator[Any]:
    """The functions that a value is, or holds."""
    match kind:
        case Known(value=value):
            yield value
        case Fun(function=function):
            yield function
        case OneOf(functions=functions) | Functions(item=OneOf(functions=functions)):
            yield from functions
        case Tup(items=items):
            for item in items:
                yield from _functions_in(item)
