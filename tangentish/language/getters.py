"""`operator.itemgetter(1)` and `attrgetter("a")` as the lambdas that they are.

itemgetter(1)       ->    lambda item: item[1]
itemgetter(0, 2)    ->    lambda item: (item[0], item[2])
attrgetter("a.b")   ->    lambda item: item.a.b
"""

from __future__ import annotations

import ast
import functools
import linecache
import operator
import types
from collections.abc import Sequence
from typing import Any

import gast

from tangentish.language.named_members import Find, named_member
from tangentish.language.nested import Closure, known_by_itself
from tangentish.language.placed import at


def getter(node: Any, find: Find) -> Closure | None:
    """The function that such a call with literal arguments gives; None for any other call."""
    maker = named_member(node.func, operator, find)
    parts = [_part(maker, arg) for arg in node.args]
    if not parts or None in parts:
        return None
    return _giving([str(part) for part in parts], node)


def reader(names: Sequence[str], node: Any) -> Closure:
    """The function that gives these attributes of an object."""
    return _giving([f"item.{name}" for name in names], node)


def _giving(parts: Sequence[str], node: Any) -> Closure:
    whole = parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
    return at(Closure(_function(f"lambda item: {whole}"), []), node)  # type: ignore[no-any-return]


def _part(maker: Any, arg: Any) -> str | None:
    match arg:
        case gast.Constant(value=str() | int() as key) if maker is operator.itemgetter:
            return f"item[{key!r}]"
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int(k))) if (
            maker is operator.itemgetter
        ):
            return f"item[-{k}]"
        case gast.Constant(value=str(path)) if maker is operator.attrgetter:
            return f"item.{path}" if path.replace(".", "_").isidentifier() else None
    return None


@functools.cache
def _function(text: str) -> types.FunctionType:
    filename = f"<{text}>"
    line = f"key = {text}\n"
    linecache.cache[filename] = (len(line), None, [line], filename)
    namespace: dict[str, Any] = {"__name__": "getters"}  # no library: its functions are followed
    exec(compile(ast.parse(line), filename, "exec"), namespace)
    return known_by_itself(namespace["key"])
