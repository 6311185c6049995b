"""An iterator that has a name for one loop, or one call, stands there itself.

pairs = zip(x, y)                    ->    s = 0.0
s = 0.0                                    for a, b in zip(x, y):
for a, b in pairs:

squares = (v * v for v in x)         ->    return sum((v * v for v in x))
return sum(squares)

It runs where its items are taken in either case. Between the two lines only numbers and empty containers are named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.language.generators import is_generator
from tangentish.language.placed import rebuilt
from tangentish.language.rewriting import Rewriting

__all__ = ["without_named_iterators"]

Find = Callable[[str], object]

_MAKING = (enumerate, filter, iter, map, reversed, zip)
_TAKING = (all, any, dict, enumerate, list, max, min, set, sorted, sum, tuple, zip)


def without_named_iterators(statements: Sequence[Any], tree: Any, find: Find) -> list[Any]:
    """The statements with such iterators where they are run over; tree: the whole function, with its parameters."""
    if not any(_names_iterator(line, find) for line in ir.nodes_of(statements, gast.Assign)):
        return list(statements)
    nodes = list(gast.walk(tree))
    uses = Counter(node.id for node in nodes if isinstance(node, gast.Name))
    declared = {
        n for node in nodes if isinstance(node, (gast.Global, gast.Nonlocal)) for n in node.names
    }
    once = {name for name, count in uses.items() if count == 2} - declared
    return _InPlace(once, find).block(statements)


class _InPlace(Rewriting):
    """Rewriting: blocks in which a line names an iterator, and one that follows runs over it.

    names: those that occur twice, bound and read.
    """

    def __init__(self, names: set[str], find: Find) -> None:
        self.names, self.find = names, find

    def block(self, statements: Sequence[Any]) -> list[Any]:
        left = list(statements)
        for place in reversed(range(len(left))):
            named = self.named(left[place])
            user = None if named is None else self.user(left, place, *named)
            if named is not None and user is not None:
                left[user] = _put(left[user], *named)
                del left[place]
        return super().block(left)

    def named(self, statement: Any) -> tuple[str, Any] | None:
        """The name that a line gives to an iterator, and that."""
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if name in self.names:
                return (name, value) if _is_iterator(value, self.find) else None
        return None

    def user(self, statements: Sequence[Any], place: int, name: str, value: Any) -> int | None:
        """Where it is run over, if nothing before that may change what it reads."""
        read = set(ir.names_in(value))
        for k in range(place + 1, len(statements)):
            if _reads(_first(statements[k]), name):
                return k if self.takes(_first(statements[k]), name) else None
            if not _only_names_numbers(statements[k], read):
                return None
        return None

    def takes(self, value: Any, name: str) -> bool:
        """Whether an expression runs over the iterator before it does anything else."""
        match value:
            case gast.Name():
                return True
            case gast.Call(func=gast.Name(id=function), args=args, keywords=[]):
                others = [a for a in args if not _reads(a, name)]
                direct = any(isinstance(a, gast.Name) and a.id == name for a in args)
                simple = all(isinstance(a, (gast.Name, gast.Constant)) for a in others)
                return direct and simple and _is_among(self.find(function), _TAKING)
        return False


def _names_iterator(line: Any, find: Find) -> bool:
    match line:
        case gast.Assign(targets=[gast.Name()], value=value):
            return _is_iterator(value, find)
    return False


def _is_iterator(value: Any, find: Find) -> bool:
    match value:
        case gast.GeneratorExp():
            return True
        case gast.Call(func=gast.Name(id=name)):
            function = find(name)
            return is_generator(function) or _is_among(function, _MAKING)
    return False


def _put(statement: Any, name: str, value: Any) -> Any:
    """The line with the iterator in the place of its name."""

    def stands(node: Any) -> Any | None:
        return value if isinstance(node, gast.Name) and node.id == name else None

    first = _first(statement)
    put = ir.copy_expression(first, stands)
    return rebuilt(statement, lambda part: put if part is first else part)


def _first(statement: Any) -> Any:
    """What a line evaluates first, and once."""
    match statement:
        case gast.For(iter=value) | gast.Return(value=value) | gast.Expr(value=value):
            return value
        case gast.Assign(targets=[gast.Name()], value=value):
            return value
    return None


def _reads(value: Any, name: str) -> bool:
    return value is not None and name in ir.names_in(value)


def _only_names_numbers(statement: Any, read: set[str]) -> bool:
    """`s, xs = 0.0, []`, of names that the iterator does not read."""
    match statement:
        case gast.Assign(targets=[gast.Tuple(elts=targets)], value=gast.Tuple(elts=values)):
            pass
        case gast.Assign(targets=[target], value=value):
            targets, values = [target], [value]
        case _:
            return False
    named = all(isinstance(t, gast.Name) and t.id not in read for t in targets)
    return named and all(isinstance(v, gast.Constant) or _is_empty_list(v) for v in values)


def _is_empty_list(value: Any) -> bool:
    return isinstance(value, gast.List) and not value.elts


def _is_among(function: Any, functions: tuple[Any, ...]) -> bool:
    return any(function is one for one in functions)
