"""Objects of constants whose class has operators, where they meet objects that vary.

n = n + 0.1 * V(k, 1)           ->    t_x, t_y = k, 1, and so on
up = V(0.0, 1.0); n.dot(up)     ->    up_x, up_y = 0.0, 1.0, and so on

An object that carries no derivative is closed: what it holds is not known, nor what its operators give, and in a loop
what is not known spreads. Such an object is a number of its kind. So it is made of values of its own instead, where it
is made here.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeGuard

import gast

from tangentish.kinds import Kind, Tup
from tangentish.kinds.sites import is_from_outside

_OPERATORS = tuple(
    f"__{r}{name}__" for name in ("add", "sub", "mul", "matmul", "truediv") for r in ("", "r")
)


class TakingApart(Protocol):
    """What the walk does for these."""

    def kind(self, node: Any) -> Kind: ...

    def may_be_apart(self, kind: Tup) -> bool: ...

    def demand_apart(self, kind: Tup, node: Any) -> None: ...


def have_apart(walk: TakingApart, operands: Iterable[Any], node: Any) -> None:
    """Start again if an operand beside what varies, or what it is made of, is such an object."""
    for operand in operands:
        kind = walk.kind(operand)
        if is_closed_number(kind) and walk.may_be_apart(kind):
            walk.demand_apart(kind, node)
        if not isinstance(kind, Tup):
            have_apart(walk, _operands_of(operand), node)


def have_apart_beside(
    walk: TakingApart, operands: Sequence[Any], held: Iterable[Kind], node: Any
) -> None:
    """The same for `t = 0.1 * V(k, 1)`, where nothing varies but an object of the class among those `held`."""
    classes = {kind.type for kind in map(walk.kind, operands) if is_closed_number(kind)}
    if classes and any(isinstance(k, Tup) and k.type in classes and k.active for k in held):
        have_apart(walk, operands, node)


def _operands_of(node: Any) -> Sequence[Any]:
    """What an expression asks for its operators."""
    match node:
        case gast.BinOp(left=left, right=right):
            return left, right
        case gast.UnaryOp(operand=operand):
            return (operand,)
        case gast.Call(func=gast.Attribute(value=owner), args=args):
            return owner, *args
    return ()


def is_closed_number(kind: Kind) -> TypeGuard[Tup]:
    """Whether something is an object of constants, made here or by what is called, of a class with operators."""
    if not (isinstance(kind, Tup) and kind.is_closed and kind.sites):
        return False
    methods = (getattr(kind.type, name, None) for name in _OPERATORS)
    has_operators = any(isinstance(method, types.FunctionType) for method in methods)
    return has_operators and not any(map(is_from_outside, kind.sites))
