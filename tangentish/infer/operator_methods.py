"""Operators of the user's classes: each is the call of a method, which takes its place.

a + b      ->    a.__add__(b)
2.0 * a    ->    a.__rmul__(2.0)
a += b     ->    a = a.__add__(b)
a[i]       ->    a.__getitem__(i)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.walk import Walk
from tangentish.kinds import REFUSED, Kind, Num, Seq, Tup

__all__ = ["METHODS_OF_TWO", "UNARY", "OperatorMethods"]

BINARY = {
    "Add": "add", "Sub": "sub", "Mult": "mul", "Div": "truediv", "Pow": "pow", "MatMult": "matmul", "Mod": "mod",
    "FloorDiv": "floordiv",
}  # fmt: skip
UNARY = {"USub": "__neg__", "UAdd": "__pos__"}
COMPARING = {
    "Lt": ("__lt__", "__gt__"), "LtE": ("__le__", "__ge__"), "Gt": ("__gt__", "__lt__"), "GtE": ("__ge__", "__le__"),
}  # fmt: skip
METHODS_OF_TWO = {op: (f"__{name}__", f"__r{name}__") for op, name in BINARY.items()} | COMPARING
"""The method of the first operand, and that of the second which says the same."""


class OperatorMethods(Walk):
    """The part of the walk that finds the methods behind operators."""

    def operator_method(self, op: str, nodes: Sequence[Any], node: Any) -> Kind | None:
        """The kind of `a + b`, `-a` or `a < b` where a class says what that is; None where none does."""
        kinds = list(map(self.kind, nodes))
        objects = any(isinstance(kind, Tup) and kind.is_object for kind in kinds)
        if not objects or not any(kind.active for kind in kinds):
            return None
        if op in UNARY:
            return self.stands_for(nodes[0], UNARY[op], [], node)
        if op not in COMPARING and op not in BINARY:
            return None
        first, second = kinds
        name, reflected = METHODS_OF_TWO[op]
        if self.method_of(first, name) is not None:
            if is_special(first, second) and is_asked_first(op, reflected, first, second):
                self.refuse(
                    "Python asks the second operand first here, whose class is a special case: call its method",
                    node,
                )
                return REFUSED
            return self.stands_for(nodes[0], name, [nodes[1]], node)
        if op in COMPARING:
            return None
        if isinstance(first, Num) and first.is_scalar:
            return self.stands_for(nodes[1], reflected, [nodes[0]], node)
        return None

    def element_by_method(self, node: Any) -> Kind | None:
        """a[i], of an object that is taken apart"""
        kind = self.kind(node.value)
        if not (isinstance(kind, Tup) and kind.is_object) or kind.is_counted:
            return None
        varies = kind.active or self.kind(node.slice).active
        if isinstance(node.ctx, gast.Store) or not varies:
            return None
        return self.stands_for(node.value, "__getitem__", [node.slice], node)

    def stands_for(self, owner: Any, name: str, args: list[Any], node: Any) -> Kind | None:
        """The kind of the call of a method, which stands for `node` from the next pass on."""
        method = self.method_of(self.kind(owner), name)
        if method is None or not method[1]:
            return None
        at = node.target if isinstance(node, ir.Update) else node

        def make() -> Any:
            func = gast.copy_location(gast.Attribute(owner, name, gast.Load()), at)
            return gast.Call(func, args, [])

        call = self.made_once((node, name, owner, *args), make, at)
        self.facts.answers[node] = call
        found = self.expression(call)
        if "NotImplemented" in method[0].__code__.co_names and not isinstance(
            found, (Num, Seq, Tup)
        ):
            self.refuse(
                f"{name} may give NotImplemented here, after which another method is asked", at
            )
            return REFUSED
        return found


def is_asked_first(op: str, reflected: str, first: Kind, second: Kind) -> bool:
    """Whether Python asks a special case first: of sums and the like only by a method that is another."""
    of_first, of_second = (
        getattr(getattr(kind, "type", None), reflected, None) for kind in (first, second)
    )
    if op in COMPARING:
        return of_second is not getattr(object, reflected)
    return of_second is not None and of_second is not of_first


def is_special(first: Kind, second: Kind) -> bool:
    """Whether the class of the second operand comes before that of the first: it is a special case of it."""
    match first, second:
        case Tup(type=type() as one), Tup(type=type() as other):
            return one is not other and issubclass(other, one)
    return False
