"""Methods of an object that is of one of several classes: each of them is called in a branch of its own.

y = term.energy(x)      ->      y = type(term).energy(term, x)      ->      if function is Quadratic.energy: ...
"""

from __future__ import annotations

import functools
import types
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.changes import CHANGED_OUTSIDE
from tangentish.infer.choices import Choices
from tangentish.kinds import UNKNOWN, Kind, Known, OneOf, Opaque
from tangentish.kinds.joins import join, one_of
from tangentish.kinds.several_classes import ObjectOf, of_several_classes
from tangentish.language.codes import codes_of_space, stores_attribute


@dataclass(frozen=True)
class MethodOfEither:
    """A method that each of the classes has, which gets the object."""

    name: str


_REPLACED = (
    "an object of {cls} may get another function under the name of its method {name} while this runs: "
    "give that a name of its own"
)


class ClassesApart(Choices):
    """The part of the walk that knows objects of one of several classes."""

    def method_of_either(self, kind: Kind, name: str) -> MethodOfEither | None:
        several = self.methods_of_either(kind, name)
        return MethodOfEither(name) if several is not None and len(several.functions) > 1 else None

    def methods_of_either(self, kind: Kind, name: str) -> OneOf | None:
        """The functions that a method of such an object may be; None of all else."""
        if not isinstance(kind, ObjectOf):
            return None
        found = [self.method_of(option, name) for option in kind.options]
        functions = [method[0] for method in found if method is not None and method[1]]
        return one_of(functions, sure=False) if len(functions) == len(found) else None

    def method_of(self, kind: Kind, name: str) -> tuple[types.FunctionType, bool] | None:
        several = self.methods_of_either(kind, name)
        if several is not None and len(several.functions) == 1:
            return several.functions[0], True
        found = super().method_of(kind, name)
        cls = kind.type if isinstance(kind, Opaque) else None
        if found is not None and cls is not None and self.may_be_replaced(cls, name):
            self.refuse(_REPLACED.format(cls=cls.__name__, name=name), None)
        return found

    def may_be_replaced(self, cls: type, name: str) -> bool:
        """Whether an object outside may have got something else under the name of a method while the function ran."""
        if CHANGED_OUTSIDE not in self.rebound:
            return False
        spaces = (self.source.function.__globals__, *map(vars, cls.__mro__[:-1]))
        codes = [self.source.function.__code__, *(c for s in spaces for c in codes_of_space(s))]
        return any(stores_attribute(code, name) for code in codes)

    def call_of_either(
        self, method: MethodOfEither, receiver: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:  # fmt: skip
        """The kind of such a call, if what it is given varies."""
        for argument in (*args, *keywords.values()):
            self.expression(argument)
        if not self.facts.varies(*args, *keywords.values()):
            return None

        def made() -> Any:
            cls = gast.Call(ir.name("$type"), [ir.duplicate(receiver)], [])
            function = gast.Attribute(cls, method.name, gast.Load())
            return gast.Call(function, [receiver, *args], node.keywords)

        return self.answered_by(node, made)

    def object_attribute(self, node: Any, base: Kind) -> Kind:
        match node.value:
            case gast.Call(func=gast.Name() as asked, args=[it], keywords=[]) if self.expression(
                asked
            ) == Known(type):
                found = self.methods_of_either(self.kind(it), node.attr)
                if found is not None:
                    return found
        return super().object_attribute(node, base)

    def part_outside(self, base: Opaque, name: str) -> Kind | None:
        """What the objects of each class hold under a name, where that is of one kind."""
        of_one = super().part_outside
        if not isinstance(base, ObjectOf):
            return of_one(base, name)
        found = [of_one(option, name) or UNKNOWN for option in base.options]
        held = functools.reduce(join, found)
        return None if held == UNKNOWN else held

    def told_by_method(self, function: types.FunctionType, args: list[Any]) -> None:
        """The object of a method is of a class that has it."""
        kind = self.kind(args[0]) if args else None
        if isinstance(kind, ObjectOf):
            having = [option for option in kind.options if _has(option.type, function)]
            if having:
                narrowed = having[0] if len(having) == 1 else of_several_classes(having)
                self.facts.kinds[args[0]] = narrowed or kind


def _has(cls: type | None, function: types.FunctionType) -> bool:
    return any(vars(c).get(function.__name__) is function for c in getattr(cls, "__mro__", ()))
