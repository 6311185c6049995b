"""Where dicts stand that are found outside of the function: under a name, an index, or as what a loop runs over."""

from __future__ import annotations

import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.instances import Instances
from tangentish.infer.literals import literal_of
from tangentish.infer.objects import is_shared
from tangentish.kinds import Kind, Tup
from tangentish.language.ways_outside import ANY, Held, OfClass, Path, Step


@dataclass
class PlacesOutside(Instances):
    """The part of the walk that knows the ways to what stands outside.

    on_the_way: the names whose bindings are being followed.
    """

    on_the_way: list[str] = field(default_factory=list)

    def path_outside(self, node: Any) -> Path | None:
        """The way to `DEFAULTS`, or `settings.DEFAULTS`, that nothing in the program binds, and to what it holds."""
        match node:
            case gast.Name(id=name) if not ir.is_value(name) and name not in self.scope:
                found = self.source.where(name) is not None and not self.is_rebound(name)
                return (name,) if found else None
            case gast.Name(id=name):
                return self.path_bound(name)
            case gast.Attribute(value=value, attr=attribute):
                owner = self.path_outside(value)
                if owner is None:
                    return self.path_of_shared(self.expression(value), attribute)
                held = self.source.lookup(str(owner[0])) if len(owner) == 1 else None
                if isinstance(held, (types.ModuleType, type)):
                    return (*owner, attribute)
                return (*owner, Held(attribute))
            case gast.Subscript(value=value, slice=index) if not isinstance(index, gast.Slice):
                owner = self.path_outside(value)
                return None if owner is None else (*owner, Step(literal_of(index)))
        return None

    def path_of_shared(self, kind: Kind, name: str) -> Path | None:
        """The way to `self.defaults`, which the object has of its class."""
        if not isinstance(kind, Tup) or kind.is_closed or not is_shared(kind, name):
            return None
        assert kind.type is not None
        return OfClass(kind.type), name

    def path_bound(self, name: str) -> Path | None:
        """The way to what a name stands for that one line, loop or comprehension binds."""
        bindings = list(self.bound_by(name))
        leads_here = name in self.on_the_way  # node = node.next
        if len(bindings) != 1 or leads_here or name in self.function.parameters:
            return None
        target, value, each = bindings[0]
        self.on_the_way.append(name)
        try:
            return self.path_of_item(target, value, name) if each else self.path_outside(value)
        finally:
            self.on_the_way.pop()

    def bound_by(self, name: str) -> Iterator[tuple[Any, Any, bool]]:
        """The targets with this name, and what they are given: each item of it, or all."""
        for node in self.listing:
            for generator in node.generators:
                if name in ir.target_names(generator.target):
                    yield generator.target, generator.iter, True
        for line in ir.walk_statements(self.function.body):
            match line:
                case ir.For(target=target, iter=over) if name in ir.target_names(target):
                    yield target, over, True
                case ir.Assign(target=gast.Name(id=bound) as target, value=value) if bound == name:
                    yield target, value, False
                case _ if name in ir.defined_names(line):
                    yield None, None, False

    def path_of_item(self, target: Any, over: Any, name: str) -> Path | None:
        """The way to what a name of a loop's target stands for."""
        if isinstance(target, (gast.Tuple, gast.List)):
            match over:
                case gast.Call(args=args, keywords=[]) if self.iterator_name(over) == "zip":
                    pairs = zip(target.elts, args, strict=False)
                    inner = ((t, arg) for t, arg in pairs if name in ir.target_names(t))
                    return next((self.path_of_item(t, arg, name) for t, arg in inner), None)
                case gast.Call(args=[arg, *_]) if self.iterator_name(over) == "enumerate":
                    return self.path_of_item(target.elts[-1], arg, name)
                case gast.Call(func=gast.Attribute(value=owner, attr="items"), args=[]):
                    return _inside(target.elts[-1], self.path_of_any(owner), name)
        return _inside(target, self.path_of_any(over), name)

    def path_of_any(self, over: Any) -> Path | None:
        """The way to any item of what a loop runs over."""
        match over:
            case gast.Subscript(value=value, slice=gast.Slice()):
                return self.path_of_any(value)
            case gast.Call(func=gast.Attribute(value=owner, attr="values"), args=[]):
                return self.path_of_any(owner)
            case gast.Call(args=[first, *_]) if self.iterator_name(over) in _SAME_ITEMS:
                return self.path_of_any(first)
        path = self.path_outside(over)
        return None if path is None else (*path, ANY)


_SAME_ITEMS = {"reversed", "sorted", "list"}


def _inside(target: Any, path: Path | None, name: str) -> Path | None:
    """The way to a part of what a target takes apart."""
    if path is None or not isinstance(target, (gast.Tuple, gast.List)):
        return path
    for k, part in enumerate(target.elts):
        if isinstance(part, gast.Starred):
            return None
        if name in ir.target_names(part):
            return _inside(part, (*path, Step(k)), name)
    return None
