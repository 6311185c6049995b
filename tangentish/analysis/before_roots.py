"""What is clipped before a root is taken of it: where it was clipped, the root's slope may be infinite.

    y = np.arccos(np.clip(x, -1, 1))        beyond the bounds y is constant, and an infinite slope times 0 would be nan

There the gradient is selected rather than multiplied by the mask, which costs more: so only where a root is seen that
elements come to, in the same function, through what works element by element, sums and means.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer import Facts, literal_of

__all__ = ["clipped_before_roots"]

_CLIPPING: tuple[Any, ...] = (np.clip, np.maximum, np.minimum, max, min)
_ROOTS: tuple[Any, ...] = (
    np.sqrt, np.cbrt, np.arcsin, np.arccos, np.arccosh,
    math.sqrt, math.cbrt, math.asin, math.acos, math.acosh,
)  # fmt: skip
_POWERS: tuple[Any, ...] = (np.power, np.float_power, math.pow, pow)
_SUMS: tuple[Any, ...] = (np.sum, np.mean)


def clipped_before_roots(function: ir.Function, facts: Facts) -> frozenset[Any]:
    """The calls that clip what a root is taken of later on."""
    if not any(_is_one_of(callee.function, _CLIPPING) for callee in facts.callees.values()):
        return frozenset()
    bound = defaultdict[str, list[Any]](list)
    pending: list[Any] = []
    for statement in ir.walk_statements(function.body):
        for name, value in _bound(statement):
            bound[name].append(value)
        for e in ir.expressions_of(statement):
            pending += [radicand for node in ir.walk(e) for radicand in _radicands(node, facts)]
    found, seen = set[Any](), set[Any]()
    while pending:
        node = pending.pop()
        key = node.id if isinstance(node, gast.Name) else node
        if key in seen:
            continue
        seen.add(key)
        if isinstance(node, gast.Name):
            pending += bound[node.id]
            continue
        callee = facts.callees.get(node)
        if callee is not None and _is_one_of(callee.function, _CLIPPING):
            found.add(node)
        pending += _elements_of(node, facts)
    return frozenset(found)


def _bound(statement: ir.Statement) -> Iterator[tuple[str, Any]]:
    match statement:
        case ir.Assign(target, value) | ir.Update(target, _, value):
            root = ir.root_of(target)
            if isinstance(root, gast.Name):
                yield root.id, value


def _radicands(node: Any, facts: Facts) -> Iterator[Any]:
    match node:
        case gast.BinOp(left=base, op=gast.Pow(), right=exponent):
            if _is_broken(exponent):
                yield base
        case gast.Call() if (callee := facts.callees.get(node)) is not None and callee.args:
            function, power = callee.function, _is_broken(callee.args[-1])
            if _is_one_of(function, _ROOTS) or (power and _is_one_of(function, _POWERS)):
                yield callee.args[0]


def _is_broken(exponent: Any) -> bool:
    value = literal_of(exponent)
    return not isinstance(value, int) and not (isinstance(value, float) and value.is_integer())


def _elements_of(node: Any, facts: Facts) -> Iterator[Any]:
    """What the elements of a value are made of, one by one."""
    match node:
        case gast.BinOp(left=left, op=op, right=right) if not isinstance(op, gast.MatMult):
            yield from (left, right)
        case gast.UnaryOp(operand=operand):
            yield operand
        case gast.IfExp(body=body, orelse=orelse):
            yield from (body, orelse)
        case gast.Subscript(value=value) | gast.Attribute(value=value):
            yield value
        case gast.Call() if (callee := facts.callees.get(node)) is not None:
            rule = callee.rule
            if getattr(rule, "law", None) == "elementwise":
                yield from callee.args
            elif _is_one_of(callee.function, _SUMS):
                yield from callee.args[:1]


def _is_one_of(function: Any, functions: tuple[Any, ...]) -> bool:
    return any(function is one for one in functions)
