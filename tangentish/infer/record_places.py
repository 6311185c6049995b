"""What expressions and lines say of elements of lists of dicts and objects: which they are, and whether two are one."""

from __future__ import annotations

import types
from collections.abc import Hashable, Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.operator_methods import METHODS_OF_TWO, UNARY
from tangentish.kinds import Kind, Seq, Tup
from tangentish.language.nested import Closure
from tangentish.language.ways import Way


def is_bound_after(line: ir.Statement, block: ir.Block, way: Way) -> bool:
    """Whether the next line puts something else in the place of a list."""
    place = block.index(line) + 1
    match block[place : place + 1]:
        case (ir.Assign(target, value),):
            return way.is_at(target) and not way.asked(value)
    return False


def is_dropped(call: Any, line: ir.Statement | None) -> bool:
    """Whether nobody takes what a call gives."""
    match line:
        case ir.Do(gast.Expr(value=value)):
            return value is call
    return False


def asks_later(argument: Any, way: Way) -> bool:
    """Whether an argument asks for a list once the call runs: it is a function, or a generator."""
    late = (n for n in ir.walk(argument) if isinstance(n, (Closure, gast.GeneratorExp)))
    return any(map(way.asked, late))


def appends(call: Any) -> bool:
    """`qs.append(...)`: the list that an element goes to looks whether it may."""
    return isinstance(call.func, gast.Attribute) and call.func.attr == "append"


def has_operator(of: type, node: Any) -> bool:
    """Whether an operation is the call of a method, where one of a class is an operand."""
    match node:
        case gast.BinOp(op=op):
            names: tuple[str, ...] = METHODS_OF_TWO.get(type(op).__name__, ())
        case gast.UnaryOp(op=op):
            names = (UNARY.get(type(op).__name__, ""),)
        case _:
            return False
    return any(isinstance(getattr(of, name, None), types.FunctionType) for name in names)


def asks_for_entry(node: Any, way: Way, kind: Tup) -> bool:
    """Whether this is the list, or the dict, of one entry."""
    if way.keyed:
        return isinstance(node, gast.Attribute) and node.attr in (kind.keys or ())
    return isinstance(node, gast.Subscript) and is_key(node.slice)


def is_list_of_entry(way: Way, node: Any) -> bool:
    """`ps["x"]`, and `d.x` of a dict."""
    form = gast.Attribute if way.keyed else gast.Subscript
    return isinstance(node, form) and way.is_at(node.value)


def said_of(way: Way, message: str) -> str:
    """What is said of a list of dicts or objects, of what may be a dict of them."""
    return message.replace("list", "dict") if way.keyed else message


def is_key(index: Any) -> bool:
    return isinstance(index, gast.Constant) and isinstance(index.value, str)


def sites_in(kind: Kind) -> Iterator[Hashable]:
    """Where the containers in a value were made."""
    match kind:
        case Tup(items=items, sites=sites):
            yield from sites
            for item in items:
                yield from sites_in(item)
        case Seq(item=item) if item is not None:
            yield from sites_in(item)
