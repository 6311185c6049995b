"""Indices that are counted from the beginning of a list for sure: others may be negative when they are asked for.

What has a place needs one that stays while the list grows, and that can be compared with others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from tangentish import ir


class PlacesFromZero:
    """What is known of the indices of one function; `means`: whether an expression is a built-in function."""

    def __init__(self, function: ir.Function, means: Callable[[Any, str], bool]) -> None:
        self.function, self.means = function, means
        self.asked: set[str] = set()  # names that are being looked at

    def holds(self, index: Any) -> bool:
        """Whether an index is never negative."""
        match index:
            case gast.Constant(value=int(k)):
                return k >= 0
            case gast.Name(id=name):
                return self.counts_up(name)
            case gast.BinOp(left=left, op=gast.Add() | gast.Mult() | gast.FloorDiv(), right=right):
                return self.holds(left) and self.holds(right)
            case gast.BinOp(op=gast.Mod(), right=right):
                return self.holds(right)
            case gast.Call(func=function, args=[_]):
                return self.means(function, "len")
        return False

    def counts_up(self, name: str) -> bool:
        """Whether nothing but loops over places binds a name."""
        if name in self.asked or name in self.function.parameters:
            return False
        count = ir.statements.definitions(self.function.body)[name]
        over = list(self.run_over(name))
        self.asked.add(name)
        found = 0 < count == len(over) and all(o is None or self.is_of_places(o) for o in over)
        self.asked.remove(name)
        return found

    def run_over(self, name: str) -> Iterator[Any]:
        """What the loops run over whose counter has the name; None for `enumerate(xs)`."""
        for line in ir.walk_statements(self.function.body):
            match line:
                case ir.For(gast.Name(id=bound), over) if bound == name:
                    yield over
                case ir.For(
                    gast.Tuple(elts=[gast.Name(id=bound), _]),
                    gast.Call(func=function, args=[_], keywords=[]),
                ) if bound == name and self.means(function, "enumerate"):
                    yield None

    def is_of_places(self, over: Any) -> bool:
        """`range(n)`, `range(1, n)`, `range(n, -1, -1)`, and these reversed"""
        match over:
            case gast.Call(func=function, args=[inner]) if self.means(function, "reversed"):
                return self.is_of_places(inner)
            case gast.Call(func=function, args=bounds) if self.means(function, "range"):
                return self.are_from_zero(bounds)
        return False

    def are_from_zero(self, bounds: list[Any]) -> bool:
        match bounds:
            case [_]:
                return True
            case [first, _] | [first, _, gast.Constant(value=int())]:  # a literal is positive
                return self.holds(first)
            case [_, last, gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int()))]:
                down_to_zero = isinstance(last, gast.UnaryOp) and _is_one(last.operand)
                return down_to_zero or self.holds(last)
        return False


def _is_one(node: Any) -> bool:
    return isinstance(node, gast.Constant) and node.value == 1
