"""A generator function as the one that gives the list of its items, for those who take all of them at once.

for v in x: yield v * v    ->    items = []; for v in x: items.append(v * v); return items
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.errors import Refusal
from tangentish.language.codes import unused_in
from tangentish.language.leaving import has_break, has_return
from tangentish.language.placed import assign_at, at, name_at, target_at
from tangentish.language.rewriting import Rewriting

_SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda)
_COUNTED = {
    "range",
    "enumerate",
    "zip",
    "reversed",
    "sorted",
    "list",
    "items",
    "values",
    "keys",
    "linspace",
    "arange",
}
_WITHOUT_END = {"count", "cycle", "repeat"}
_ENDLESS = "this loop ends only with who runs over what it gives: write that loop here"


def is_generator(function: object) -> bool:
    """Whether calls of a function give a generator."""
    code = function.__code__ if isinstance(function, types.FunctionType) else None
    return code is not None and bool(code.co_flags & inspect.CO_GENERATOR)


def may_not_end(tree: Any) -> bool:
    """Whether it is not clear from the text that it comes to its end: it may go on, or raise."""
    return any(_is_open(node) for node in gast.walk(tree))


def _is_open(node: Any) -> bool:
    match node:
        case gast.For(iter=gast.Call(func=func)) | gast.comprehension(iter=gast.Call(func=func)):
            return getattr(func, "attr", getattr(func, "id", None)) not in _COUNTED
        case gast.YieldFrom(value=value):
            return not isinstance(value, (gast.Name, gast.List, gast.Tuple))
        case gast.Subscript(slice=place, ctx=gast.Load()):
            return not isinstance(place, gast.Slice)
    return isinstance(node, (gast.While, gast.Raise, gast.Assert))


def listing(tree: Any, function: types.FunctionType) -> tuple[Any, list[Refusal]]:
    """The tree of the function that gives a list, and what has no place in it."""
    made = _Listing(unused_in(function.__code__, "items"))
    body = made.block(tree.body)
    last = tree.body[-1]
    start = assign_at(made.name, at(gast.List([], gast.Load()), tree.body[0]), tree.body[0])
    new = gast.FunctionDef(
        tree.name, tree.args, [start, *body, made.end(last)], tree.decorator_list, None, None, []
    )
    return at(new, tree), made.refusals


def run_over(tree: Any) -> Any:
    """The tree of `__iter__` that gives what is run over: `return xs` for `return iter(xs)`."""

    def statement(node: Any) -> Any:
        match node:
            case gast.Return(value=gast.Call(func=gast.Name(id="iter"), args=[over], keywords=[])):
                return ir.with_fields(node, {"value": over})
        return node

    return ir.with_fields(tree, {"body": [statement(line) for line in tree.body]})


class _Listing(Rewriting):
    def __init__(self, name: str) -> None:
        self.name = name
        self.refusals: list[Refusal] = []

    def statement(self, node: Any) -> Iterator[Any]:
        match node:
            case gast.Expr(value=gast.Yield(value=value)):
                item = at(gast.Constant(None, None), node) if value is None else value
                yield self.called("append", item, node)
            case gast.Expr(value=gast.YieldFrom(value=gast.Name() as value)):  # an array, maybe
                item = f".{self.name}"
                body = [self.called("append", name_at(item, value), node)]
                yield at(gast.For(target_at(item, value), value, body, [], None), node)
            case gast.Expr(value=gast.YieldFrom(value=value)):
                items = at(gast.Call(name_at("$list", value), [value], []), value)
                yield self.called("extend", items, node)
            case gast.Return(value=None):
                yield self.end(node)
            case gast.Return():
                self.refusals.append(Refusal("a generator that returns a value", node))
            case gast.While() | gast.For() if _is_endless(node):
                self.refusals.append(Refusal(_ENDLESS, node))
            case _ if isinstance(node, _SCOPES):
                yield node
            case _:
                yield from super().statement(node)

    def expression(self, node: Any) -> Any:
        for part in ir.walk(node):
            if isinstance(part, (gast.Yield, gast.YieldFrom)):
                self.refusals.append(Refusal("what is sent to a generator is not followed", part))
        return node

    def called(self, name: str, value: Any, node: Any) -> Any:
        """A line that calls a method of the list."""
        method = at(gast.Attribute(name_at(self.name, node), name, gast.Load()), node)
        return at(gast.Expr(at(gast.Call(method, [value], []), node)), node)

    def end(self, node: Any) -> Any:
        return at(gast.Return(name_at(self.name, node)), node)


def _is_endless(loop: Any) -> bool:
    """Whether a loop goes on until it is left, and nothing in it leaves it."""
    match loop:
        case gast.While(test=gast.Constant(value=value)):
            endless = bool(value)
        case gast.For(iter=gast.Call(func=func)):
            endless = getattr(func, "attr", getattr(func, "id", None)) in _WITHOUT_END
        case _:
            return False
    return endless and not (has_break(loop) or has_return(loop))
