"""Named tuples and dataclasses made anew from others, and what they are as a dict or a tuple.

p._replace(x=v), dataclasses.replace(p, x=v)     ->    Point(x=v, y=p.y)
p._asdict(), dataclasses.asdict(p)               ->    {"x": p.x, "y": p.y}
dataclasses.astuple(p)                           ->    (p.x, p.y)
vars(p).items()                                  ->    {"x": p.x, "y": p.y}.items()
Point._make((a, b))                              ->    Point(a, b)
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.facts import Callee
from tangentish.infer.in_loops import seek_name
from tangentish.infer.known_functions import DICT_VIEWS
from tangentish.infer.lists import Lists
from tangentish.infer.types_of_values import is_path
from tangentish.ir.quote import quote
from tangentish.kinds import REFUSED, Kind, Known, Num, Opaque, Tup
from tangentish.kinds.named_tuples import is_named_tuple
from tangentish.language.lifted import Instance
from tangentish.rules.names import give_name

NAMED_METHODS = frozenset(("_replace", "_asdict"))

OF_DATACLASSES: dict[Any, str] = {
    dataclasses.replace: "_replace",
    dataclasses.asdict: "_asdict",
    dataclasses.astuple: "_astuple",
}


@dataclass(frozen=True)
class NamedMethod:
    """A method of a named tuple that makes another, or a dict."""

    name: str


class Remade(Lists):
    """The part of the walk that knows what is made anew of named tuples and dataclasses."""

    def named_method(
        self, method: NamedMethod, receiver: Any, keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """p._replace(x=v), p._asdict(); None where nothing in it carries a derivative."""
        kinds = [self.expression(e) for e in (receiver, *keywords.values())]
        if not any(kind.active for kind in kinds):
            return None
        self.facts.callees[node] = Callee(method, (receiver,), keywords)
        return self.made_anew(method.name, receiver, keywords, node)

    def of_dataclass(
        self, function: Any, args: Sequence[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """dataclasses.replace(p, x=v); None where nothing in it carries a derivative."""
        name = OF_DATACLASSES.get(function) if isinstance(function, types.FunctionType) else None
        if name is None or len(args) != 1:
            return None
        kind = self.kind(args[0])
        fields = isinstance(kind, Tup) and kind.type is not None and _fields(kind.type)
        if not (isinstance(kind, Tup) and fields) or kind.keys is None:
            return None
        varies = kind.active or self.facts.varies(*keywords.values())
        if not varies or set(kind.keys) != set(fields):
            return None
        return self.made_anew(name, args[0], keywords, node)

    def is_making(self, function: Any, args: Sequence[Any]) -> bool:
        """Whether this is Point._make of a tuple or list of known length."""
        own = isinstance(function, types.MethodType) and function.__name__ == "_make"
        cls = function.__self__ if own else None
        if not (isinstance(cls, type) and is_named_tuple(cls) and len(args) == 1):
            return False
        kind = self.kind(args[0])
        known = isinstance(kind, Tup) and kind.is_counted and kind.active
        return known and (is_path(args[0]) or isinstance(args[0], (gast.Tuple, gast.List)))

    def made_of_items(self, function: Any, given: Any, node: Any) -> Kind:
        """Point._make((a, b))"""
        kind = self.kind(given)
        assert isinstance(kind, Tup)
        items = [self.element(given, k, item) for k, item in enumerate(kind.items)]
        call = gast.Call(class_named(function.__self__), items, [])
        return self.stood_for(call, ("made", *items), node)

    def made_anew(self, name: str, receiver: Any, keywords: dict[str, Any], node: Any) -> Kind:
        kind = self.kind(receiver)
        assert isinstance(kind, Tup)
        assert kind.type is not None
        if not (is_path(receiver) or isinstance(receiver, Instance)):
            seek_name(self, receiver)
            self.refuse(f"give what {name.lstrip('_')} is asked of a name first", node)
            return REFUSED
        if (name != "_replace" or kind.is_object) and self.is_asked_at_once(node):
            seek_name(self, node)
            self.refuse(f"give what {name.lstrip('_')} gives a name first", node)
            return REFUSED
        keys = list(map(str, kind.keys or ()))
        others = [key for key in keywords if key not in keys]
        if others or (keywords and name != "_replace"):
            self.refuse(
                f"{kind.type.__name__} has no field '{others[0] if others else name}'", node
            )
            return REFUSED
        left = {k: key for k, key in enumerate(keys) if key not in keywords}
        entries = {key: self.element(receiver, k, kind.items[k]) for k, key in left.items()}
        if name != "_replace" and not is_named_tuple(kind.type):
            if not all(map(_is_copied, kind.items)):
                self.refuse(
                    f"dataclasses.{name[1:]} copies what is inside of containers: write the fields",
                    node,
                )
                return REFUSED
            entries = {key: self.copied(e, node) for key, e in entries.items()}
        if name == "_replace":
            new: Any = gast.Call(
                class_named(kind.type),
                [],
                [gast.keyword(key, value) for key, value in (keywords | entries).items()],
            )
        elif name == "_asdict":
            new = gast.Dict([_text(key, node) for key in entries], list(entries.values()))
        else:
            new = gast.Tuple(list(entries.values()), gast.Load())
        return self.stood_for(new, (name, *keywords.values(), *entries.values()), node)

    def attributes_viewed(self, function: Any, args: Sequence[Any], node: Any) -> Kind | None:
        """vars(p), where a loop runs over it on the spot: what keeps it would set attributes by it."""
        if function is not vars or len(args) != 1:
            return None
        kind = self.expression(args[0])
        if not (isinstance(kind, Tup) and kind.is_object and kind.active and kind.keys):
            return None
        if not self.is_only_viewed(node) or _has_slots(kind.type):
            return None
        entries = {
            str(key): self.element(args[0], k, kind.items[k]) for k, key in enumerate(kind.keys)
        }
        new = gast.Dict([_text(key, node) for key in entries], list(entries.values()))
        return self.stood_for(new, ("vars", *entries.values()), node)

    def is_only_viewed(self, node: Any) -> bool:
        line = self.statement
        assert line is not None
        parts = [p for p in ir.nodes_in(line) if any(c is node for c in ir.children(p))]
        run_over = isinstance(line, ir.For) and line.iter is node
        return all(map(_runs_over, parts)) and (run_over or bool(parts))

    def is_asked_at_once(self, node: Any) -> bool:
        """Whether an element of what a call gives is asked for, or all of them are spread."""
        assert self.statement is not None
        parts = ir.nodes_in(self.statement)
        return any(
            getattr(part, "value", None) is node
            and isinstance(part, (gast.Subscript, gast.Attribute, gast.Starred, gast.keyword))
            and not _is_view(part)
            for part in parts
        )

    def copied(self, e: Any, node: Any) -> Any:
        """An array, list or dict that a dataclass holds is another one in the dict that is made of it."""
        kind = self.kind(e)
        if isinstance(kind, Tup):
            made = "dict({x})" if kind.is_dict else "list({x})"
            return self.made_once((node, e, "copy"), lambda: quote(made, x=e), node)
        if not (isinstance(kind, Num) and kind.array):
            return e
        return self.made_once((node, e, "copy"), lambda: quote("{x}.copy()", x=e), node)

    def stood_for(self, new: Any, key: tuple[Any, ...], node: Any) -> Kind:
        """The kind of what stands for a call."""

        def make() -> Any:
            for part in gast.walk(new):
                if not hasattr(part, "lineno"):
                    gast.copy_location(part, node)
            return new

        made = self.made_once((node, "anew", *key), make, node)
        self.facts.answers[node] = made
        return self.expression(made)


def _has_slots(cls: type | None) -> bool:
    return any("__slots__" in vars(c) for c in getattr(cls, "__mro__", ()))


def _is_view(part: Any) -> bool:
    """Whether this is `.items` and the like, which give a tuple of all elements."""
    return isinstance(part, gast.Attribute) and part.attr in DICT_VIEWS


def _runs_over(part: Any) -> bool:
    return _is_view(part) or isinstance(part, gast.comprehension)


def is_of_named_tuple(kind: Kind, name: str) -> bool:
    """Whether this is a method of a named tuple that stands for another."""
    known = isinstance(kind, Tup) and kind.type is not None and is_named_tuple(kind.type)
    return known and name in NAMED_METHODS


def class_named(cls: type) -> Any:
    return ir.name(f"${give_name(cls, 'made')}")


def _fields(cls: type) -> tuple[str, ...]:
    """The fields of a dataclass, all of which its __init__ takes."""
    if not dataclasses.is_dataclass(cls):
        return ()
    fields = dataclasses.fields(cls)
    return tuple(f.name for f in fields) if all(f.init for f in fields) else ()


def _is_copied(kind: Kind) -> bool:
    """Whether it is known what a copy is: of a number, a text or an array, and of lists and dicts at rest of these."""
    listed = isinstance(kind, Tup) and (kind.is_dict or (kind.is_list and kind.keys is None))
    if isinstance(kind, Tup) and listed and not kind.active:
        return all(map(_never_changes, kind.items))
    return _never_changes(kind) or (isinstance(kind, Num) and kind.array is True)


def _never_changes(kind: Kind) -> bool:
    """Whether this is a number, a text or None."""
    match kind:
        case Num(array=array):
            return array is False
        case Known(value=value):
            return value is None or isinstance(value, (bool, str))
    return isinstance(kind, Opaque) and kind.type is str


def _text(key: str, node: Any) -> Any:
    return gast.copy_location(gast.Constant(key, None), node)
