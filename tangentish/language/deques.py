"""Deques that only the function itself sees, as lists.

q = deque(x)               ->    q = list(x)
q.popleft()                ->    q.pop(0)
q.appendleft(v)            ->    q.insert(0, v)
q = deque(maxlen=n)        ->    q = []
q.append(v)                ->    q.append(v); if len(q) > n: q.pop(0)
q.rotate(1)                ->    if q: q.insert(0, q.pop())

A deque that is printed, returned, copied, or given to functions of the user's stays one.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.ir.quote import quote
from tangentish.language.leaving import LOOPS
from tangentish.language.named_members import Find, named_member
from tangentish.language.patterns import names_given
from tangentish.language.placed import all_at, at, name_at
from tangentish.language.rewriting import Rewriting
from tangentish.language.source import Source
from tangentish.language.uses_of_names import uses_of

_METHODS = {
    "append", "appendleft", "clear", "count", "extend", "index", "insert", "pop", "popleft", "remove", "reverse",
    "rotate",
}  # fmt: skip
_READING = {
    "all", "any", "bool", "enumerate", "len", "list", "max", "min", "reversed", "sorted", "sum", "tuple", "zip",
}  # fmt: skip
_TESTED = (gast.While, gast.If, gast.BoolOp, gast.UnaryOp, gast.Assert)
_FULL = "deque already at its maximum size"
_MOST_TURNS = 9  # each is a line
_LENGTHENING = ("append", "appendleft", "extend", "insert")


def without_deques(statements: Sequence[Any], source: Source, find: Find) -> list[Any]:
    """The statements with lists for the deques that may be ones."""
    each = _OneByOne(find)
    if any(map(each.makes_several, ir.nodes_of(statements, gast.Assign))):
        statements = each.block(statements)
    lists = _deques(statements, source, find)
    return _Lists(lists, find).block(statements) if lists else list(statements)


@dataclass
class _OneByOne(Rewriting):
    """`fast, slow = deque(maxlen=3), deque(maxlen=7)`: a line for each, where they are made of literals."""

    find: Find

    def statement(self, node: Any) -> Iterator[Any]:
        if not isinstance(node, gast.Assign) or not self.makes_several(node):
            yield from super().statement(node)
            return
        for name, value in zip(node.targets[0].elts, node.value.elts, strict=True):
            yield at(gast.Assign([name], value, None), node)

    def makes_several(self, line: gast.Assign) -> bool:
        match line:
            case gast.Assign(targets=[gast.Tuple(elts=names)], value=gast.Tuple(elts=values)):
                return (
                    len(names) == len(values)
                    and all(isinstance(name, gast.Name) for name in names)
                    and any(_is_deque(value, self.find) for value in values)
                    and all(self.is_made_alone(value) for value in values)
                )
        return False

    def is_made_alone(self, value: Any) -> bool:
        """Whether a value is a literal, or an empty list or deque, so that it does not matter when it is made."""
        if _is_deque(value, self.find):
            return all(isinstance(n, gast.Constant) for n in ir.given_to(value))
        return isinstance(value, gast.Constant) or (isinstance(value, gast.List) and not value.elts)


def _deques(statements: Sequence[Any], source: Source, find: Find) -> dict[str, Any]:
    """The names that stand for such deques, and how long they may be: None for any length."""
    code = source.function.__code__
    made: dict[str, list[Any]] = {}
    for node in ir.nodes_of(statements, gast.Assign, gast.AnnAssign):
        match node:
            case (
                gast.Assign(targets=[gast.Name(id=name)], value=value)
                | gast.AnnAssign(target=gast.Name(id=name), value=value)
            ) if _is_deque(value, find):
                made.setdefault(name, []).append(value)
    if not made:
        return {}
    names = ir.nodes_of(statements, gast.Name)
    bound = collections.Counter(n.id for n in names if not isinstance(n.ctx, gast.Load))
    parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    stable = _settled_names(source.tree).intersection(code.co_varnames)
    lines = ir.nodes_of(statements, gast.Expr)
    found = {}
    for name, values in made.items():
        longest = [_longest(value) for value in values]
        if not all(known and _is_stable(most, stable) for known, most in longest):
            continue
        same = all(_text(most) == _text(longest[0][1]) for _, most in longest)
        own = name in (*code.co_varnames, *code.co_cellvars) and name not in parameters
        most = longest[0][1]
        once = own and bound[name] == len(values) and _is_used_as_list(name, statements, find)
        turned = (func for line in lines if (func := _called(line)) and _turns(line) is not None)
        once = once and _stand_on_lines(name, ("rotate",), turned, statements)
        if most is not None:
            once = once and _stand_on_lines(name, _LENGTHENING, map(_called, lines), statements)
        if same and once:
            found[name] = most
    return found


def _is_deque(value: Any, find: Find) -> bool:
    return isinstance(value, gast.Call) and (
        named_member(value.func, collections, find) is collections.deque
    )


def _longest(call: Any) -> tuple[bool, Any]:
    """Whether the arguments of a deque are understood, and its `maxlen`."""
    match call.args, call.keywords:
        case (([] | [_]), []):
            return not ir.has_star(call.args), None
        case (([] | [_]), [gast.keyword(arg="maxlen", value=most)]):
            return True, most
        case [_, most], []:
            return True, most
    return False, None


def _settled_names(tree: Any) -> set[str]:
    """The names that stand for one value throughout: parameters, and what a line outside of loops binds."""
    loops = ir.nodes_of(tree.body, *LOOPS)
    on_trips = {name for loop in loops for name in _bound_in(loop)}
    times = collections.Counter(_bound_in(tree))
    return {name for name, count in times.items() if count == 1} - on_trips


def _bound_in(tree: Any) -> Iterator[str]:
    """The names that are bound somewhere in a tree, as often as they are."""
    for node in gast.walk(tree):
        if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
            yield node.id
        elif isinstance(node, gast.Match):
            yield from names_given(node.cases)


def _is_stable(most: Any, stable: set[str]) -> bool:
    """Whether the greatest length is the same wherever it is read."""
    match most:
        case None:
            return True
        case gast.Constant(value=int(value)):
            return value > 0
        case gast.Name(id=name):
            return name in stable
    return False


def _text(node: Any) -> str:
    return "" if node is None else gast.dump(node)


def _is_used_as_list(name: str, statements: Sequence[Any], find: Find) -> bool:
    """Whether everything that is done with it, lists do as well."""
    nodes = (node for statement in statements for node in gast.walk(statement))
    return all(_is_of_lists(read, around, find) for read, around in uses_of(name, nodes))


def _stand_on_lines(
    name: str, methods: Sequence[str], called: Iterable[Any], statements: Sequence[Any]
) -> bool:
    """Whether all these methods of a deque are called on lines of their own, which others can take the place of."""
    there = set(called)
    return all(
        node in there
        for node in ir.nodes_of(statements, gast.Attribute)
        if node.attr in methods and isinstance(node.value, gast.Name) and node.value.id == name
    )


def _called(line: gast.Expr) -> Any | None:
    return line.value.func if isinstance(line.value, gast.Call) else None


def _turns(line: gast.Expr) -> int | None:
    """By how many places `q.rotate(n)` moves what is in the deque, if that is written there."""
    match line.value:
        case gast.Call(args=[], keywords=[]):
            return 1
        case gast.Call(args=[given], keywords=[]):
            match given:
                case gast.Constant(value=int(n)):
                    turns = n
                case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int(n))):
                    turns = -n
                case _:
                    return None
            return turns if abs(turns) <= _MOST_TURNS else None
    return None


def _is_of_lists(name: Any, parent: Any, find: Find) -> bool:
    match parent:
        case gast.Attribute(attr=method):
            return method in _METHODS
        case gast.IfExp(test=test):
            return test is name
        case gast.Subscript(value=value, slice=place):
            return value is name and not isinstance(place, (gast.Slice, gast.Tuple))
        case gast.For(iter=iterated) | gast.comprehension(iter=iterated):
            return iterated is name
        case gast.Compare(left=left):
            return left is not name and all(
                isinstance(o, (gast.In, gast.NotIn)) for o in parent.ops
            )
        case gast.Call(func=gast.Name(id=reader)):
            return reader in _READING and getattr(find(reader), "__module__", None) == "builtins"
        case gast.Call(func=gast.Attribute() as func):
            return _is_of_numpy(func.value, find)
    return isinstance(parent, (*_TESTED, gast.Starred))


def _is_of_numpy(module: Any, find: Find) -> bool:
    if isinstance(module, gast.Attribute):
        return _is_of_numpy(module.value, find)
    return isinstance(module, gast.Name) and find(module.id) is np


class _Lists(Rewriting):
    """Rewriting: the names and their greatest lengths."""

    def __init__(self, longest: Mapping[str, Any], find: Find) -> None:
        self.longest = longest
        self.find = find

    def statement(self, node: Any) -> Iterator[Any]:
        match node:
            case gast.Assign(targets=[gast.Name(id=name) as target]) if name in self.longest:
                yield at(gast.Assign([target], self.made(node.value), None), node)
                yield from self.shortened(name, "extend", node) if node.value.args else ()
                return
            case gast.Expr(
                value=gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=method))
            ) if name in self.longest and method in _LENGTHENING:
                if method == "insert":
                    yield from self.refused_where_full(name, node)
                yield from super().statement(node)
                yield from self.shortened(name, method, node)
                return
            case gast.Expr(
                value=gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="rotate"))
            ) if name in self.longest:
                yield from self.turned(name, _turns(node) or 0, node)
                return
        yield from super().statement(node)

    def turned(self, name: str, turns: int, node: Any) -> Iterator[Any]:
        """What goes at one end comes back at the other, as often as it says."""
        line = "{q}.insert(0, {q}.pop())" if turns > 0 else "{q}.append({q}.pop(0))"
        lines = [gast.Expr(quote(line, q=ir.name(name))) for _ in range(abs(turns))]
        if lines:
            yield all_at(gast.If(ir.name(name), lines, []), node)

    def call(self, node: Any) -> Any | None:
        match node:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=name) as q, attr=method)) if (
                name in self.longest and method in ("popleft", "appendleft")
            ):
                first = at(gast.Constant(0, None), node)
                args = list(map(self.expression, node.args))
                plain = "pop" if method == "popleft" else "insert"
                func = at(gast.Attribute(q, plain, gast.Load()), node.func)
                return at(gast.Call(func, [first, *args], []), node)
        return None

    def made(self, call: Any) -> Any:
        """The list of what a deque begins with."""
        if not call.args:
            return at(gast.List([], gast.Load()), call)
        first = self.expression(call.args[0])
        if isinstance(first, gast.GeneratorExp):
            return at(gast.ListComp(first.elt, first.generators), first)
        if isinstance(first, (gast.List, gast.ListComp)):
            return first
        if isinstance(first, gast.BinOp) and isinstance(first.left, gast.List):
            return first  # [0.0] * n
        return at(gast.Call(name_at("$list", call), [first], []), call)

    def shortened(self, name: str, method: str, node: Any) -> Iterator[Any]:
        """What is too much goes at the other end."""
        most = self.longest[name]
        if most is None or method == "insert":
            return
        args = [gast.Constant(0, None)] if method != "appendleft" else []
        pop = gast.Expr(gast.Call(gast.Attribute(ir.name(name), "pop", gast.Load()), args, []))
        test = self.compared(name, gast.Gt(), most)
        kind = gast.If if method != "extend" else gast.While
        yield all_at(kind(test, [pop], []), node)

    def refused_where_full(self, name: str, node: Any) -> Iterator[Any]:
        """A deque that is full takes nothing in between."""
        most = self.longest[name]
        if most is None:
            return
        error = gast.Call(ir.name("$IndexError"), [gast.Constant(_FULL, None)], [])
        yield all_at(
            gast.If(self.compared(name, gast.GtE(), most), [gast.Raise(error, None)], []), node
        )

    def compared(self, name: str, op: Any, most: Any) -> Any:
        length = gast.Call(ir.name("$len"), [ir.name(name)], [])
        reached = gast.Compare(length, [op], [ir.copy_expression(most, lambda _: None)])
        if isinstance(most, gast.Constant):
            return reached
        nothing = gast.Constant(None, None)
        limited = gast.Compare(ir.copy_expression(most, lambda _: None), [gast.IsNot()], [nothing])
        return gast.BoolOp(gast.And(), [limited, reached])
