"""The dict of a function that takes **options: each call has a new one, which it may change.

Before:                                    After:

    def f(x, **options):                       def f(x, **options):
        s = options.pop("scale", 1.0)              s = options.get("scale", 1.0)
        options["axis"] = -1                       options = {k: v for k, v in options.items() if k != "scale"}
        return s * g(x, **options)                 options["axis"] = -1
                                                   return s * g(x, **options)

Without `pop`, `options = {**options}` comes first: what changes is made here, what the caller has written down stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.ir.quote import constant, quote
from tangentish.language.placed import all_at, assign_at, at, name_at
from tangentish.language.rewriting import Rewriting
from tangentish.language.uses_of_names import uses_of

_CHANGING = {"clear", "pop", "popitem", "setdefault", "update"}
_ASKING = _CHANGING | {"copy", "get"}
_NESTED = (gast.FunctionDef, gast.Lambda)


def with_own_options(statements: Sequence[Any], arguments: Any) -> list[Any]:
    """The statements of a function, with another dict where entries of its own go, or before any of it changes."""
    if arguments.kwarg is None or not statements:
        return list(statements)
    options, first = arguments.kwarg.id, statements[0]
    lines = _Taken(options).block(statements) if _has_one_name(options, statements) else statements
    if not any(_changes(node, options) for line in lines for node in gast.walk(line)):
        return list(lines)
    made = at(gast.Dict([None], [name_at(options, first)]), first)
    return [assign_at(options, made, first), *lines]


def _changes(node: Any, options: str) -> bool:
    match node:
        case gast.Subscript(value=gast.Name(id=name), ctx=gast.Store() | gast.Del()):
            return bool(name == options)
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=method)):
            return name == options and method in _CHANGING
    return False


def _has_one_name(options: str, statements: Sequence[Any]) -> bool:
    """Whether a function only asks for entries, or gives them on: nothing else is this dict."""
    nodes = [node for line in statements for node in gast.walk(line)]
    inner = (part for node in nodes if isinstance(node, _NESTED) for part in gast.walk(node))
    if any(isinstance(part, gast.Name) and part.id == options for part in inner):
        return False
    iterated = (node.iter for node in nodes if isinstance(node, (gast.For, gast.comprehension)))
    views = [over.func for over in iterated if isinstance(over, gast.Call)]
    return all(node in views or _asks(use, node) for use, node in uses_of(options, nodes))


def _asks(use: Any, node: Any) -> bool:
    match node:
        case gast.Subscript(value=value):
            return value is use
        case gast.Attribute(attr=method):
            return method in _ASKING
        case gast.keyword(arg=None):
            return True
        case gast.Dict(keys=keys, values=values):
            return keys[values.index(use)] is None
        case gast.Compare(ops=[gast.In() | gast.NotIn()], comparators=[other]):
            return other is use
    return False


class _Taken(Rewriting):
    """Lines that take an entry out of the dict, and what they take it for."""

    def __init__(self, options: str) -> None:
        self.options = options

    def statement(self, node: Any) -> Iterator[Any]:
        match node:
            case gast.Delete(targets=[gast.Subscript(value=gast.Name(id=name), slice=key)]) if (
                name == self.options and isinstance(key, gast.Constant)
            ):
                yield at(gast.Expr(self.asked([key], node)), node)
                yield self.left(key, node)
            case gast.Assign(value=value) | gast.Expr(value=value) if self.takes(value):
                yield ir.with_fields(node, {"value": self.asked(value.args, value)})
                yield self.left(value.args[0], node)
            case _:
                yield from super().statement(node)

    def takes(self, node: Any) -> bool:
        """`options.pop("scale")`, `options.pop("scale", 1.0)`"""
        match node:
            case gast.Call(
                func=gast.Attribute(value=gast.Name(id=name), attr="pop"),
                args=[gast.Constant(), *defaults],
                keywords=[],
            ):
                return name == self.options and len(defaults) < 2
        return False

    def asked(self, args: Sequence[Any], node: Any) -> Any:
        options = ir.name(self.options)
        if len(args) == 1:
            return all_at(gast.Subscript(options, constant(args[0].value), gast.Load()), node)
        key, default = args
        asked = at(gast.Call(gast.Attribute(options, "get", gast.Load()), [key, default], []), node)
        all_at(asked.func, node)
        return asked

    def left(self, key: Any, node: Any) -> Any:
        left = quote(
            "{k: v for k, v in {options}.items() if k != {key}}",
            options=ir.name(self.options),
            key=constant(key.value),
        )
        return assign_at(self.options, all_at(left, node), node)
