"""Methods that are called, and attributes that are set, by a name which is known, as on each trip of

for name in ("linear", "quadratic"):
    total += getattr(self, name)(x)        self.linear(x)
for name, value in options.items():
    setattr(self, name, value)             self.dt = value

A method that gets the class is called by the name of that: `tank.scaled(x)` is `Tank.scaled(x)`.
"""

from __future__ import annotations

from keyword import iskeyword
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.objects import gets_class, is_static, name_of_class
from tangentish.infer.starting_again import InFull
from tangentish.infer.walk import Walk
from tangentish.kinds import Kind, Known, Opaque, Tup


class CalledByName(Walk):
    """The part of the walk that writes what such calls are of."""

    def by_its_name(self, func: Any) -> Any:
        """`o.energy` for `getattr(o, name)`, where the name is known; what is called itself for all else."""
        match func:
            case gast.Call(func=gast.Name(id="getattr"), args=[owner, name], keywords=[]) if (
                self.source.where("getattr") == "builtin"
            ):
                kind, _ = self.expression(owner), self.expression(name)
            case gast.Attribute(value=owner, attr=attr):
                return self.of_its_class(func, self.kind_along(owner), attr)
            case _:
                return func
        key = self.known_key(name)
        at_rest = isinstance(kind, Opaque) and isinstance(key, str) and is_static(kind, key)
        if not (at_rest or (isinstance(kind, Tup) and kind.is_object and kind.active)):
            return func
        if not isinstance(key, str):
            self.write_out_for(name, is_called=True)
            return func
        if not key.isidentifier() or iskeyword(key):
            return func
        made = self.made_once((func, key), lambda: gast.Attribute(owner, key, gast.Load()), func)
        self.facts.answers[func] = made
        return made

    def of_its_class(self, func: Any, kind: Kind | None, name: str) -> Any:
        """`Tank.scaled` for `tank.scaled`, a method that gets the class; what is called itself for all else."""
        if self.made.get((func, "class")) is self.facts.answers.get(func, self):
            del self.facts.answers[func]  # of an earlier trip
        cls = kind.type if isinstance(kind, Tup) and kind.is_object and kind.active else None
        if not isinstance(kind, Tup) or cls is None or not gets_class(kind, name):
            return func
        home = name_of_class(cls, self.source)
        if home is None or kind.optional:
            return func
        made = self.made_once(
            (func, "class", home), lambda: gast.Attribute(ir.name(home), name, gast.Load()), func
        )
        self.facts.answers[func] = self.made[func, "class"] = made
        return made


class SetByName(Walk):
    """The part of the walk that writes `setattr(o, name, value)` as a store."""

    def seek_store(self, call: Any, statement: ir.Do) -> None:
        """Have the line be a store, if the object is one that is taken apart."""
        match call:
            case gast.Call(
                func=gast.Name(id="setattr"), args=[gast.Name() as owner, name, value], keywords=[]
            ) if not self.cached and self.source.where("setattr") == "builtin":
                key, kind = self.expression(name), self.expression(owner)
            case _:
                return
        if not (isinstance(kind, Tup) and kind.is_object):
            return
        if not isinstance(key, Known):
            self.write_out_for(name)
            return
        text = key.value
        if not isinstance(text, str) or not text.isidentifier() or iskeyword(text):
            return
        if not text.startswith("__"):  # Python has another name for these inside of a class
            target = gast.copy_location(gast.Attribute(owner, text, gast.Store()), call)
            raise InFull(statement, ir.Assign(target, value, statement.origin))
