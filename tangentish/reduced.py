"""`functools.reduce` as the loop that it is.

y = reduce(f, xs, start)            ->    y = start; for v in xs: y = f(y, v)
y = reduce(f, xs)                   ->    y = xs[0]; for v in xs[1:]: y = f(y, v)
y = reduce(operator.mul, [a, b])    ->    y = a; y = y * b
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any

import gast

__all__ = ["Reductions"]

OPERATORS: dict[Any, type] = {
    operator.add: gast.Add, operator.sub: gast.Sub, operator.mul: gast.Mult, operator.truediv: gast.Div,
    operator.matmul: gast.MatMult, operator.pow: gast.Pow,
}  # fmt: skip


@dataclass(frozen=True)
class Reductions:
    """Finds such calls, and writes the loops.

    find: what a name stands for outside of the function; temporary: a new name.
    """

    find: Callable[[str], object]
    temporary: Callable[[], str]

    def value_of(self, node: Any) -> object:
        """What `reduce`, `functools.reduce` or `operator.mul` stands for."""
        match node:
            case gast.Name(id=name):
                return self.find(name)
            case gast.Attribute(value=gast.Name(id=name), attr=attr):
                owner = self.find(name)
                return getattr(owner, attr, None) if owner in (functools, operator) else None
        return None

    def is_one(self, node: Any) -> bool:
        """Whether this is a reduction of something that may be run over after it got a name."""
        match node:
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

    def lines(self, name: str, node: Any) -> Iterator[Any]:
        """The lines that give `name` the value of a reduction."""
        function, over, *start = node.args
        function = yield from self.named(function)
        elements = over.elts if isinstance(over, (gast.List, gast.Tuple)) else None
        if elements and len(elements) <= MOST_WRITTEN:
            values = []
            for element in elements:
                seen = isinstance(element, gast.Name) and self.value_of(function) in OPERATORS
                values.append(element if seen else (yield from self.kept(element)))
            values = [*start, *values]
            yield self.assign(name, values[0], node)
            for value in values[1:]:
                yield self.step(name, function, value, node)
            return
        if isinstance(over, gast.GeneratorExp):
            over = gast.copy_location(gast.ListComp(over.elt, over.generators), over)
        if not start:
            items = over.id if isinstance(over, gast.Name) else self.temporary()
            if not isinstance(over, gast.Name):
                yield self.assign(items, over, node)
            first = gast.Subscript(self.name(items, node), gast.Constant(0, None), gast.Load())
            yield self.assign(name, _at(first, node), node)
            rest = gast.Slice(gast.Constant(1, None), None, None)
            over = gast.Subscript(self.name(items, node), rest, gast.Load())
            for part in gast.walk(over):
                gast.copy_location(part, node)
        else:
            yield self.assign(name, start[0], node)
        item = self.temporary()
        target = gast.Name(item, gast.Store(), None, None)
        body = [self.step(name, function, self.name(item, node), node)]
        yield _at(gast.For(_at(target, node), over, body, [], None), node)

    def named(self, function: Any) -> Generator[Any, None, Any]:
        """A function as it is called on each trip; what makes one is evaluated once."""
        if self.value_of(function) in OPERATORS or isinstance(
            function, (gast.Name, gast.Attribute)
        ):
            return function
        name = self.temporary()
        yield self.assign(name, function, function)
        return self.name(name, function)

    def kept(self, element: Any) -> Generator[Any, None, Any]:
        """An element, by a name where it matters when it is evaluated."""
        if isinstance(element, gast.Constant):
            return element
        name = self.temporary()
        yield self.assign(name, element, element)
        return self.name(name, element)

    def step(self, name: str, function: Any, item: Any, node: Any) -> Any:
        so_far = self.name(name, node)
        operation = OPERATORS.get(self.value_of(function))
        if operation is not None:
            value: Any = gast.BinOp(so_far, operation(), item)
        else:
            value = gast.Call(function, [so_far, item], [])
        return self.assign(name, _at(value, node), node)

    def assign(self, name: str, value: Any, at: Any) -> Any:
        target = _at(gast.Name(name, gast.Store(), None, None), at)
        return _at(gast.Assign([target], value, None), at)

    def name(self, name: str, at: Any) -> Any:
        return _at(gast.Name(name, gast.Load(), None, None), at)


MOST_WRITTEN = 8


def _at(new: Any, node: Any) -> Any:
    return gast.copy_location(new, node)
