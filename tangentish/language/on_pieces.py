"""NumPy's functions that call a function on pieces of an array, or on a grid, in lines.

y = np.piecewise(x, [c, d], [f, 2.0, g])       ->    y = np.zeros_like(x)
                                                     if np.any(c): v = x[c]; y[c] = f(v)
                                                     y[d] = 2.0
                                                     e = np.logical_not(c | d); if np.any(e): ...
y = np.fromfunction(f, (3, n))                 ->    i, j = np.indices((3, n), dtype=float); y = f(i, j)
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.language.named_members import Find
from tangentish.language.nested import Closure
from tangentish.language.placed import assign_at, at, name_at, target_at

_PLAIN = (gast.Constant, gast.UnaryOp, gast.BinOp, gast.Subscript)


def functions_in(statements: Sequence[Any]) -> frozenset[str]:
    """The names that a function binds once, to a function that stands in it."""
    found: set[str] = set()
    for statement in statements:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=Closure()):
                found.add(name)
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Name(id=other)):
                found |= {name} if other in found else set()
    if not found:
        return frozenset()
    nodes = [node for statement in statements for node in gast.walk(statement)]
    bound = Counter(
        n.id for n in nodes if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)
    )
    return frozenset(name for name in found if bound[name] == 1)


@dataclass(frozen=True)
class OnPieces:
    """Finds such calls, and writes the lines.

    find: what a name stands for outside of the function; temporary: a new name; functions: the names of nested ones.
    """

    find: Find
    temporary: Callable[[], str]
    functions: frozenset[str]

    def is_one(self, node: Any) -> bool:
        match node:
            case gast.Call(
                func=gast.Attribute(value=gast.Name(), attr="piecewise" as attr),
                args=[_, gast.List() | gast.Tuple() as tests, gast.List() | gast.Tuple() as parts, *more],
                keywords=[],
            ):  # fmt: skip
                counts = len(parts.elts) - len(tests.elts) in (0, 1)
                known = all(self.is_function(part) is not None for part in parts.elts)
                plain = not any(isinstance(v, gast.Starred) for v in (*more, *tests.elts))
            case gast.Call(
                func=gast.Attribute(value=gast.Name(), attr="fromfunction" as attr),
                args=[function, gast.Tuple() | gast.List()],
                keywords=keywords,
            ):
                counts = all(k.arg == "dtype" for k in keywords)
                known, plain = self.is_function(function) is True, True
            case _:
                return False
        return counts and known and plain and self.value_of(node.func) is getattr(np, attr)

    def value_of(self, node: Any) -> object:
        """What `f`, or `np.sin`, stands for."""
        match node:
            case gast.Name(id=name):
                return self.find(name)
            case gast.Attribute(value=gast.Name(id=name), attr=attr):
                return getattr(np, attr, None) if self.find(name) is np else None
        return None

    def is_function(self, node: Any) -> bool | None:
        """Whether a part is called; None where it can't be told."""
        if isinstance(node, Closure) or (isinstance(node, gast.Name) and node.id in self.functions):
            return True
        if isinstance(node, _PLAIN):
            return False
        found = self.value_of(node)
        if isinstance(found, (int, float)):
            return False
        return True if callable(found) else None

    def lines(self, name: str, node: Any) -> Iterator[Any]:
        """The lines that give `name` the value of such a call."""
        lines = self.by_pieces if node.func.attr == "piecewise" else self.on_grid
        yield from lines(name, node)

    # -- np.piecewise

    def by_pieces(self, name: str, node: Any) -> Iterator[Any]:
        x, tests, parts, *more = node.args
        x = yield from self.kept(x)
        tests = yield from self.each_kept([self.truths(test, node) for test in tests.elts])
        parts = yield from self.parts_kept(parts.elts)
        more = yield from self.each_kept(more)
        if len(parts) > len(tests):
            tests = [*tests, (yield from self.kept(self.none_of(tests, node)))]
        yield assign_at(name, self.numpy("zeros_like", [x], node), node)
        for test, part in zip(tests, parts, strict=True):
            yield from self.piece(name, x, test, part, more, node)

    def piece(
        self, name: str, x: Any, test: Any, part: Any, more: Sequence[Any], node: Any
    ) -> Iterator[Any]:
        """y[test] = f(x[test]), where there is such an element"""
        here, again, x = ir.duplicate(test), ir.duplicate(test), ir.duplicate(x)
        place = at(gast.Subscript(name_at(name, node), here, gast.Store()), node)
        if not self.is_function(part):
            yield at(gast.Assign([place], part, None), part)
            return
        inside = self.temporary()
        elements = at(gast.Subscript(x, again, gast.Load()), node)
        value = at(gast.Call(part, [name_at(inside, part), *map(ir.duplicate, more)], []), part)
        body = [assign_at(inside, elements, part), at(gast.Assign([place], value, None), part)]
        yield at(gast.If(self.numpy("any", [test], node), body, []), node)

    def none_of(self, tests: Sequence[Any], node: Any) -> Any:
        either = functools.reduce(
            lambda a, b: at(gast.BinOp(a, gast.BitOr(), b), node), map(ir.duplicate, tests)
        )
        return self.numpy("logical_not", [either], node)

    def truths(self, test: Any, node: Any) -> Any:
        """A test as NumPy takes it: an array of its own, of booleans."""
        if self.are_truths(test):
            return test
        dtype = at(gast.keyword("dtype", name_at("$bool", test)), test)
        array = self.numpy("array", [test], node)
        return at(gast.Call(array.func, array.args, [dtype]), test)

    def are_truths(self, test: Any) -> bool:
        """Whether an expression makes booleans of whatever its parts are."""
        match test:
            case gast.Compare():
                return True
            case gast.UnaryOp(op=gast.Invert(), operand=operand):
                return self.are_truths(operand)
            case gast.BinOp(
                left=left, op=gast.BitAnd() | gast.BitOr() | gast.BitXor(), right=right
            ):
                return self.are_truths(left) and self.are_truths(right)
            case gast.Call(func=func):
                return getattr(self.value_of(func), "__name__", "").startswith(("logical_", "is"))
        return False

    def parts_kept(self, parts: Sequence[Any]) -> Generator[Any, None, list[Any]]:
        """The parts; what stands after a function, which may change it, is evaluated before that is called."""
        called, found = False, list[Any]()
        for part in parts:
            is_function = bool(self.is_function(part))
            found += [part if is_function or not called else (yield from self.kept(part))]
            called = called or is_function
        return found

    # -- np.fromfunction

    def on_grid(self, name: str, node: Any) -> Iterator[Any]:
        function, shape = node.args
        dtype = node.keywords or [at(gast.keyword("dtype", name_at("float", node)), node)]
        names = [self.temporary() for _ in shape.elts]
        targets = [target_at(one, node) for one in names]
        grid = at(gast.Call(self.numpy("indices", [shape], node).func, [shape], dtype), node)
        target = at(gast.Tuple(targets, gast.Store()), node)
        yield at(gast.Assign([target], grid, None), node)
        call = at(gast.Call(function, [name_at(one, node) for one in names], []), node)
        yield assign_at(name, call, node)

    # -- parts

    def numpy(self, attr: str, args: Sequence[Any], node: Any) -> Any:
        """np.attr(*args), by the name that the module has here."""
        module = name_at(node.func.value.id, node)
        return at(
            gast.Call(at(gast.Attribute(module, attr, gast.Load()), node), list(args), []), node
        )

    def each_kept(self, values: Sequence[Any]) -> Generator[Any, None, list[Any]]:
        kept: list[Any] = []
        for value in values:
            kept += [(yield from self.kept(value))]
        return kept

    def kept(self, value: Any) -> Generator[Any, None, Any]:
        """A value by a name, so that it is evaluated once."""
        if isinstance(value, (gast.Name, gast.Constant)):
            return value
        name = self.temporary()
        yield assign_at(name, value, value)
        return name_at(name, value)
