"""Exceptions that are raised with what varies: they show it to whoever catches them, who stands outside of all that is
differentiated, or is refused.

raise Broken(self, "too long")    ->    raise Broken(with_fields(Spring, length=self.length, k=self.k), "too long")

An object whose attributes have names of their own is put together again for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.asked_integers import AskedIntegers
from tangentish.infer.facts import Summary
from tangentish.infer.objects import name_of_class
from tangentish.infer.raising import keeps_arguments
from tangentish.infer.reaching_out import Seen, only_makes
from tangentish.infer.starting_again import Instead
from tangentish.ir.quote import quote
from tangentish.kinds import UNKNOWN, Kind, Tup
from tangentish.language.placed import all_at
from tangentish.language.ways import way_of
from tangentish.runtime import with_fields

_MAY_BE_SEEN = (
    "this may raise an exception that is given what varies, and what is around this line may look at it: raise it with "
    "a text, or with what does not vary"
)


class RaisedWithValues(AskedIntegers):
    """The part of the walk that follows such exceptions out of the functions that raise them."""

    seen: Seen

    def leaves_with(self, function: Any, node: Any) -> bool:
        """Whether a call makes an exception of a class that only keeps what it is given, and nobody here catches it."""
        match self.statement:
            case ir.Do(gast.Raise(exc=raised)) if raised is node:
                keeps = isinstance(function, type) and issubclass(function, BaseException)
                plain = keeps and (keeps_arguments(function) or only_makes(function, self.seen))
                leaves = plain and not self.may_be_seen_here()
                given = (self.env.kinds.get(name, UNKNOWN) for name in ir.names_in(node))
                self.facts.tells |= leaves and any(kind.active for kind in given)
                return leaves
        return False

    def is_shown(self, function: Any) -> bool:
        """Whether a call makes an object for an exception alone."""
        return function is with_fields and isinstance(
            getattr(self.statement, "node", None), gast.Raise
        )

    def analysed(self, function: Any, kinds: tuple[Kind, ...], node: Any) -> Summary:
        """What is known of a function that is called here; what it raises may be caught here."""
        found = super().analysed(function, kinds, node)
        if found.tells and self.may_be_seen_here():
            self.refuse(_MAY_BE_SEEN, node)
        self.facts.tells |= found.tells
        return found

    def may_be_seen_here(self) -> bool:
        """Whether something around the statement at hand may look at what is raised there."""
        guards = filter(_looks, ir.walk_statements(self.function.body))
        return any(self.statement in ir.walk_statements((s,)) for s in guards)

    def have_whole(self, raised: Any) -> None:
        """Objects that an exception, or its text, is given as a whole."""
        if self.cached or self.may_be_seen_here():
            return
        for part in _given_whole(raised):
            kind = self.place_in_container(part) if way_of(part) is not None else UNKNOWN
            whole = self.made_again(part, kind)
            if whole is not part:
                raise Instead(part, whole)

    def made_again(self, part: Any, kind: Kind) -> Any:
        """An expression for an object that varies, by its attributes; for all else the part itself."""
        if not (isinstance(kind, Tup) and kind.is_object and kind.active and kind.type is not None):
            return part
        name = name_of_class(kind.type, self.source)
        if name is None:
            return part
        fields = [
            gast.keyword(
                str(key),
                self.made_again(gast.Attribute(ir.duplicate(part), str(key), gast.Load()), item),
            )
            for key, item in zip(kind.keys or (), kind.items, strict=True)
        ]
        call = quote("with_fields({cls})", cls=ir.name(name))
        return all_at(ir.with_fields(call, {"keywords": fields}), part)


def _looks(statement: ir.Statement) -> bool:
    """Whether a statement is given what is raised in it, or what it does then may look at it.

    `except ValueError as e`, a context manager, and `except ValueError:` where another exception is caught
    """
    match statement:
        case ir.Try(handlers=handlers):
            inner = (s for h in handlers for s in ir.walk_statements(h.body))
            named = any(h.name is not None for h in handlers)
            return named or any(isinstance(s, (ir.Try, ir.With)) for s in inner)
    return isinstance(statement, ir.With)


def _given_whole(raised: Any) -> Iterator[Any]:
    """What an exception, or a text in it, is given."""
    match raised:
        case gast.Name() | gast.Attribute():
            yield raised
        case gast.Call(func=gast.Name(), args=args, keywords=keywords):
            for given in (*args, *(k.value for k in keywords)):
                yield from _given_whole(given)
        case gast.JoinedStr(values=parts) | gast.Tuple(elts=parts):
            for part in parts:
                yield from _given_whole(part)
        case gast.FormattedValue(value=shown):
            yield from _given_whole(shown)
        case gast.BinOp(left=gast.Constant(), op=gast.Mod(), right=shown):
            yield from _given_whole(shown)
        case gast.Call(func=gast.Attribute(value=gast.Constant(), attr="format"), args=args):
            for given in args:
                yield from _given_whole(given)
