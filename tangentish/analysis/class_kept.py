"""Named tuples of constants, made anew where something may ask for more than their items.

n = Point(3.0, 2.0); t = n.norm()    ->    n_x, n_y = 3.0, 2.0; t = Point(n_x, n_y).norm()

Whatever carries no derivative stays as it is written, so that nothing is known of what it asks: a method, which a
tuple may have under the same name (`count`), the text that it is shown as, a function that reads its fields.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.errors import Refusal
from tangentish.infer import Facts
from tangentish.kinds import Kind, Known, Seq, Tup
from tangentish.language.lifted import Instance, Routine, made_whole

_NO_NAME = (
    "a named tuple is asked here for more than its items, and its class has no name here: "
    "ask for its fields"
)
_ASKING_ITEMS: tuple[Callable[..., Any], ...] = (
    abs, all, any, bool, complex, dict, enumerate, float, int, iter, len, list, max, min, next, range, reversed, round,
    set, slice, sorted, sum, tuple, zip,
)  # fmt: skip
"""What asks a tuple of a class without methods for nothing but its items."""


class ClassKept:
    """Where the lines of a function need the class of a named tuple.

    seen: the classes that are needed.
    by_items: the named tuples of which only the items are read, or that stand among what varies.
    """

    def __init__(self, function: ir.Function, facts: Facts) -> None:
        self.facts = facts
        self.refusals: list[Refusal] = []
        lines = [*ir.walk_statements(function.body)]
        nodes = [*ir.nodes_in(*lines)]
        self.seen = {cls for node in nodes for cls in self.seen_by(node)}
        for cls, path in facts.class_names.items():
            own = _own_members(cls)
            if own and (path is not None or own & {*dir(tuple)}):
                self.seen.add(cls)
        self.by_items = {id(part) for line in lines for part in _unpacked(line)}
        self.by_items |= {id(part) for node in nodes for part in self.read_by_items(node)}

    def seen_by(self, node: Any) -> Iterator[type]:
        """The classes that are asked for more than items."""
        match node:
            case gast.Attribute(value=owner, attr=name):
                kind = self.facts.kind(owner)
                if isinstance(kind, Tup) and kind.has_field_names and kind.position(name) is None:
                    yield from _classes_in(kind)
            case gast.FormattedValue(value=shown):
                yield from _classes_in(self.facts.kind(shown))
            case gast.Call(args=args, keywords=keywords) if not self.asks_items(node):
                for given in (*args, *(k.value for k in keywords)):
                    yield from _classes_in(self.facts.kind(given))

    def asks_items(self, call: Any) -> bool:
        """Whether a call asks what it is given for its items only."""
        if isinstance(call.func, Routine) or self.is_of_container(call.func):
            return True
        known, callee = self.facts.kind(call.func), self.facts.callees.get(call)
        function = known.value if isinstance(known, Known) else callee and callee.function
        module = getattr(function, "__module__", None) or ""
        return module.partition(".")[0] in ("numpy", "scipy") or function in _ASKING_ITEMS

    def is_of_container(self, func: Any) -> bool:
        """Whether it is a method of a list or a dict."""
        kind = self.facts.kind(func.value) if isinstance(func, gast.Attribute) else None
        return isinstance(kind, Seq) or (
            isinstance(kind, Tup) and (kind.keys is None or kind.is_mapping)
        )

    def read_by_items(self, node: Any) -> Iterator[Any]:
        match node:
            case gast.Subscript(value=Instance() as whole):
                yield whole
            case gast.List() | gast.Tuple() | gast.Dict() | Instance():
                yield from ir.children(node) if _varies(self.facts.kind(node)) else ()
            case gast.Call(func=gast.Attribute(value=xs), args=args):
                yield from args if _varies(self.facts.kind(xs)) else ()

    def written(self, node: Instance, values: list[Any]) -> Any | None:
        """The call that makes it; None where a plain tuple is enough."""
        plain = node.of not in self.seen or id(node) in self.by_items
        if plain or _varies(self.facts.kind(node)):
            return None
        path = self.facts.class_names[node.of]
        if path is None:
            self.refusals.append(Refusal(_NO_NAME, node))
            return None
        return made_whole(path, values, node)


def _unpacked(line: ir.Statement) -> Iterator[Any]:
    """The values of a line that get names for their items."""
    match line:
        case ir.Assign(gast.Tuple(elts=targets), value):
            yield value
            if isinstance(value, gast.Tuple) and len(targets) == len(value.elts):
                pairs = zip(targets, value.elts, strict=True)
                yield from (v for t, v in pairs if isinstance(t, gast.Tuple))
        case ir.Return(values):
            yield from values
        case ir.For(_, over):
            yield over


def _varies(kind: Kind | None) -> bool:
    """Whether it holds what carries a derivative."""
    if isinstance(kind, Tup):
        return any(map(_varies, kind.items))
    return _varies(kind.item) if isinstance(kind, Seq) else kind is not None and kind.active


def _classes_in(kind: Kind | None) -> Iterator[type]:
    """The classes of named tuples in a value."""
    match kind:
        case Tup(items=items, type=cls):
            if cls is not None and kind.has_field_names:
                yield cls
            for item in items:
                yield from _classes_in(item)
        case Seq(item=item):
            yield from _classes_in(item)


def _own_members(cls: type) -> set[str]:
    """Methods and properties of a class, which are asked for more than the fields."""
    members = (types.FunctionType, property, classmethod, staticmethod)
    found = (n for c in cls.__mro__[:-2] for n, m in vars(c).items() if isinstance(m, members))
    return {*found} - _GENERATED


_GENERATED = {
    "__new__",
    "_make",
    "_replace",
    "__repr__",
    "_asdict",
    "__getnewargs__",
    "__replace__",
}
