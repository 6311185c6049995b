"""`functools.reduce`, and `sum` of objects, as the loops that they are.

y = reduce(f, xs, start)            ->    y = start; for v in xs: y = f(y, v)
y = sum(vectors, Vector(0, 0))      ->    y = Vector(0, 0); for v in vectors: y = y + v
y = reduce(f, xs)                   ->    y = xs[0]; for v in xs[1:]: y = f(y, v)
y = reduce(operator.mul, [a, b])    ->    y = a; y = y * b
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from inspect import getattr_static
from types import BuiltinFunctionType, FunctionType
from typing import Any

import gast

from tangentish import ir
from tangentish.language.assumed_quiet import assumed_quiet, assumed_to_leave_lists
from tangentish.language.named_members import Find
from tangentish.language.placed import all_at, assign_at, at, name_at, target_at

OPERATORS: dict[Any, type] = {
    operator.add: gast.Add, operator.sub: gast.Sub, operator.mul: gast.Mult, operator.truediv: gast.Div,
    operator.matmul: gast.MatMult, operator.pow: gast.Pow,
}  # fmt: skip


_REDUCE, _ADD = (gast.Constant(f, None) for f in (functools.reduce, operator.add))

MOST_WRITTEN = 8  # elements of a display: more of them are run over


@dataclass(frozen=True)
class Reductions:
    """Finds such calls, and writes the loops.

    find: what a name stands for outside of the function; temporary: a new name.
    """

    find: Find
    temporary: Callable[[], str]

    def value_of(self, node: Any) -> object:
        """What `reduce`, `functools.reduce` or `operator.mul` stands for; None for what no module of Python's has.

        Nothing else is compared, or looked up: objects may answer that as they like.
        """
        match node:
            case gast.Constant(value=found) if node in (_REDUCE, _ADD):
                return found
            case gast.Name(id=name):
                found = self.find(name)
                return found if isinstance(found, BuiltinFunctionType) else None
            case gast.Attribute(value=gast.Name(id=name), attr=attr):
                owner = self.find(name)
                of_python = owner is functools or owner is operator
                return getattr(owner, attr, None) if of_python else None
        return None

    def is_one(self, node: Any) -> bool:
        """Whether this is a reduction of something that may be run over after it got a name."""
        match self.as_reduction(node):
            case gast.Call(func=func, args=[_, over] | [_, over, _], keywords=[]):
                plain = (
                    gast.Name,
                    gast.Attribute,
                    gast.Subscript,
                    gast.List,
                    gast.Tuple,
                    gast.ListComp,
                )
                starred = any(isinstance(part, gast.Starred) for part in getattr(over, "elts", ()))
                known = isinstance(over, (*plain, gast.GeneratorExp)) and not starred
                return known and self.value_of(func) is functools.reduce
        return False

    def as_reduction(self, node: Any) -> Any:
        """`reduce(operator.add, xs, V(0, 0))` for `sum(xs, V(0, 0))`; all else as it is."""
        match node:
            case gast.Call(func=gast.Name(id=name), args=[over, start], keywords=[]):
                pass
            case gast.Call(
                func=gast.Name(id=name),
                args=[over],
                keywords=[gast.keyword(arg="start", value=start)],
            ):
                pass
            case _:
                return node
        if self.find(name) is not sum or not self.makes_an_object(start):
            return node
        return gast.copy_location(gast.Call(_REDUCE, [_ADD, over, start], []), node)

    def makes_an_object(self, node: Any) -> bool:
        """Whether this makes an object of a class that has an operator of its own."""
        match node:
            case gast.Call(func=gast.Name(id=name) | gast.Attribute(value=gast.Name(id=name))):
                made = self.find(name)
                return isinstance(getattr_static(made, "__add__", None), FunctionType)
        return False

    def lines(self, name: str, node: Any) -> Iterator[Any]:
        """The lines that give `name` the value of a reduction."""
        function, over, *start = self.as_reduction(node).args
        function = yield from self.named(function)
        elements = over.elts if isinstance(over, (gast.List, gast.Tuple)) else None
        if elements and len(elements) <= MOST_WRITTEN:
            yield from self.written_out(name, function, elements, start, node)
            return
        if start:
            yield assign_at(name, start[0], node)
        else:
            over = yield from self.after_first(name, over, node)
        item = self.temporary()
        step = self.step(name, function, name_at(item, node), node)
        if not start and isinstance(step.value, gast.Call):  # what is left is a list by itself
            step = assign_at(name, assumed_to_leave_lists(step.value), node)
        body = [step]
        yield at(gast.For(target_at(item, node), over, body, [], None), node)

    def written_out(
        self, name: str, function: Any, elements: Sequence[Any], start: Sequence[Any], node: Any
    ) -> Iterator[Any]:
        """A line a step."""
        values = list(start)
        for element in elements:
            seen = isinstance(element, gast.Name) and self.value_of(function) in OPERATORS
            values.append(element if seen else (yield from self.kept(element)))
        yield assign_at(name, values[0], node)
        for value in values[1:]:
            yield self.step(name, function, value, node)

    def after_first(self, name: str, over: Any, node: Any) -> Generator[Any, None, Any]:
        """The first element is what it starts with; gives what is left to run over."""
        if isinstance(over, gast.GeneratorExp):
            listed = at(gast.ListComp(over.elt, over.generators), over)
            over = assumed_quiet(listed, lambda _: True)
        items = over.id if isinstance(over, gast.Name) else self.temporary()
        if not isinstance(over, gast.Name):
            yield assign_at(items, over, node)
        yield assign_at(name, _part_of(items, gast.Constant(0, None), node), node)
        return _part_of(items, gast.Slice(gast.Constant(1, None), None, None), node)

    def named(self, function: Any) -> Generator[Any, None, Any]:
        """A function as it is called on each trip; what makes one is evaluated once."""
        if self.value_of(function) in OPERATORS or isinstance(
            function, (gast.Name, gast.Attribute)
        ):
            return function
        name = self.temporary()
        yield assign_at(name, function, function)
        return name_at(name, function)

    def kept(self, element: Any) -> Generator[Any, None, Any]:
        """An element, by a name where it matters when it is evaluated."""
        if isinstance(element, gast.Constant):
            return element
        name = self.temporary()
        yield assign_at(name, element, element)
        return name_at(name, element)

    def step(self, name: str, function: Any, item: Any, node: Any) -> Any:
        so_far = name_at(name, node)
        operation = OPERATORS.get(self.value_of(function))
        if operation is not None:
            value: Any = gast.BinOp(so_far, operation(), item)
        else:
            value = gast.Call(function, [so_far, item], [])
        return assign_at(name, at(value, node), node)


def _part_of(items: str, index: Any, node: Any) -> Any:
    """items[index]"""
    return all_at(gast.Subscript(ir.name(items), index, gast.Load()), node)
