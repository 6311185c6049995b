"""Containers that may be None: an element tells whether they are.

A tuple, dict or object of differentiated values is its elements, of which nothing is left to ask whether it is None. So
it is one of None then, and what is asked of it is asked of one of them: in the function itself, and in those that it
gives the container to, or back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.in_loops import seek_name
from tangentish.infer.own_operators import has_own
from tangentish.infer.starting_again import Instead, NoneApart
from tangentish.infer.walk import Walk
from tangentish.kinds import Kind, Known, Num, Tup, may_be_none, replace
from tangentish.kinds.joins import is_never_none
from tangentish.language.none_apart import (
    are_names,
    asked_of_element,
    can_be_apart,
    given_in,
    has_form_of_none,
    unpacked_in_try,
    used_as_it_is,
)

_ASKED = {gast.Is: gast.Is, gast.Eq: gast.Is, gast.IsNot: gast.IsNot, gast.NotEq: gast.IsNot}
_SEEN = (
    "this may be None, and stands for its elements: ask first whether it is, and hand on its elements, "
    "or ask a flag of its own"
)
_NAMELESS = (
    "this may be None: give it a name on a line of its own, and ask whether it is; where it is changed, ask a flag of "
    "its own"
)


class NoneTold(Walk):
    """The part of the walk that knows which containers may be None, and what tells."""

    def compared_with_none(self, node: Any) -> None:
        """`hit is None`  ->  `hit[0] is None`"""
        match node:
            case gast.Compare(left=one, ops=[op], comparators=[other]) if type(op) in _ASKED:
                for asked, nothing in ((one, other), (other, one)):
                    if self.kind(nothing) == Known(None):
                        self.tell_by_element(asked, _ASKED[type(op)](), node)

    def tested_for_none(self, node: Any) -> None:
        """`if hit`  ->  `if hit[0] is not None`"""
        kind = self.kind(node)
        if not isinstance(kind, Tup) or not kind.items:
            return
        if any(hasattr(kind.type, name) for name in ("__bool__", "__len__")) and kind.is_object:
            return
        if has_own(kind, "__bool__"):
            return
        self.tell_by_element(node, gast.IsNot(), node)

    def tell_by_element(self, asked: Any, op: Any, node: Any) -> None:
        """What is asked of a container, or None, is asked of one of its elements, if that can be written."""
        kind = self.kind(asked)
        if self.cached or not isinstance(kind, Tup):
            return
        self.make_apart(kind, asked)
        path = isinstance(asked, (gast.Name, gast.Subscript, gast.Attribute))
        if kind.told_by is not None and not kind.optional and path:
            raise Instead(node, asked_of_element(asked, kind, kind.told_by, op))

    def make_apart(self, kind: Kind, node: Any) -> None:
        """A name that may be None instead of a container becomes one of containers, one of which is of None."""
        if not (isinstance(kind, Tup) and kind.optional and kind.active and not self.cached):
            return
        if not isinstance(node, gast.Name) or not has_form_of_none(kind):
            return
        way = kind.told_by or _never_none(kind)
        if way is None:
            return

        def is_one(value: Any) -> bool:
            kind = self.facts.kinds.get(value)
            if kind is not None:
                return _is_told(kind, way)
            parts = getattr(value, "elts", ())
            return not any(map(ir.is_none, parts))  # it is asked when it is known

        if can_be_apart(self.function, node.id, is_one):
            raise NoneApart(node.id, kind, way)

    def as_written(self, kind: Kind, node: Any) -> Kind:
        """The kind of a display: what was written for None tells that it was."""
        way = getattr(node, "told_by", None)
        return replace(kind, told_by=way) if isinstance(kind, Tup) and way is not None else kind

    def check_has_name(self, kind: Kind, node: Any) -> None:
        """What a call gives that may be None has a name, of which it is known who sees it."""
        line = self.statement
        if (
            self.cached
            or not _holds_told(kind)
            or (isinstance(line, ir.Do) and line.node.value is node)
        ):
            return
        if isinstance(line, ir.Assign) and are_names(line.target) and node in given_in(line):
            if unpacked_in_try(self.function, line):
                self.refuse(_SEEN, node)
            return
        seek_name(self, node)
        self.refuse(_NAMELESS, node)

    def check_used(self, name: str, kind: Kind, node: Any) -> None:
        """Refuse what could see that there is a container where the user's function has None."""
        if not isinstance(kind, Tup):
            return
        if kind.told_by is None:
            if any(map(_holds_told, kind.items)):
                self.refuse(_SEEN, node)
            return
        seen = used_as_it_is(self.function, name)
        if seen is not None:
            self.refuse(_SEEN, seen)


def _is_told(kind: Kind, way: tuple[int, ...]) -> bool:
    """Whether an element tells of what a name is given whether it is None."""
    if not isinstance(kind, Tup) or kind.optional:
        return False
    return kind.told_by == way or is_never_none(kind, way)


def _holds_told(kind: Kind) -> bool:
    """Whether a container that may be None stands in another."""
    if not isinstance(kind, Tup):
        return False
    return kind.told_by is not None or any(map(_holds_told, kind.items))


def _never_none(kind: Tup) -> tuple[int, ...] | None:
    """The way to a number, best to one without a derivative, for the kinds of others stay better known."""
    return next(
        iter(sorted(_numbers(kind), key=lambda way: (len(way), _at(kind, way).active))), None
    )


def _numbers(kind: Tup) -> Iterator[tuple[int, ...]]:
    for k, item in enumerate(kind.items):
        if isinstance(item, Num) and not item.optional:
            yield (k,)
        elif isinstance(item, Tup) and not may_be_none(item):
            yield from ((k, *way) for way in _numbers(item))


def _at(kind: Kind, way: tuple[int, ...]) -> Kind:
    for k in way:
        assert isinstance(kind, Tup)
        kind = kind.items[k]
    return kind
