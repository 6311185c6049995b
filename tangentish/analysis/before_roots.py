"""What is clipped before a root is taken of it: where it was clipped, the root's slope may be infinite.

    y = np.arccos(np.clip(x, -1, 1))        beyond the bounds y is constant, and an infinite slope times 0 would be nan

There the gradient is selected rather than multiplied by the mask, which costs more: so only where a root is seen that
elements come to, in the same function, through what works element by element, sums and means. A product with a mask,
`x * (x > 0)`, clips as well, and so does one with a mask as numbers; tangents of what clips are such products, and
come to the slope of the root.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Set
from functools import cached_property
from typing import Any, TypeGuard

import gast
import numpy as np

from tangentish import ir
from tangentish.analysis.masks_as_numbers import is_mask
from tangentish.infer import Facts, literal_of
from tangentish.runtime import power_slope, root_adjoint, times_slope

_CLIPPING: tuple[Any, ...] = (np.clip, np.maximum, np.minimum, max, min)
_ROOTS: tuple[Any, ...] = (
    np.sqrt, np.cbrt, np.arcsin, np.arccos, np.arccosh,
    math.sqrt, math.cbrt, math.asin, math.acos, math.acosh, root_adjoint,
)  # fmt: skip
_POWERS: tuple[Any, ...] = (np.power, np.float_power, math.pow, pow, power_slope)
_SUMS: tuple[Any, ...] = (np.sum, np.mean)


def clipped_before_roots(function: ir.Function, facts: Facts, masks: Set[Any]) -> frozenset[Any]:
    """The calls, products and updates that clip what a root is taken of later on.

    masks: the expressions that hold nothing but 0 and 1.
    """
    elements = _Elements(function, facts, masks)
    if not any(map(elements.clips, facts.callees)):
        return frozenset()
    pending = [*elements.radicands(), *elements.beside_slopes()]
    found, seen = set[Any](), set[Any]()
    while pending:
        node = pending.pop()
        key = node.id if isinstance(node, gast.Name) else node
        if key in seen:
            continue
        seen.add(key)
        if isinstance(node, gast.Name):
            pending += elements.bound[node.id]
            continue
        if elements.clips(node):
            found.add(node)
        pending += _elements_of(node, facts)
    return frozenset(found)


def roots_of_clipped(function: ir.Function, facts: Facts, masks: Set[Any]) -> frozenset[Any]:
    """The roots of what was clipped before, or is 0 on one way: nothing moves where their slopes are infinite."""
    elements = _Elements(function, facts, masks)
    nothing = elements.nothing_on_a_way
    if not nothing and not any(map(elements.clips, facts.callees)):
        return frozenset()
    clipped = elements.names_made_of(elements.clips, nothing)
    return frozenset(node for node in elements.nodes if elements.is_root_of(node, clipped))


class _Elements:
    """What the elements of a function's values are made of."""

    def __init__(self, function: ir.Function, facts: Facts, masks: Set[Any]) -> None:
        self.body, self.facts, self.masks = function.body, facts, masks

    @cached_property
    def bound(self) -> Mapping[str, list[Any]]:
        """What names are bound to."""
        found = defaultdict[str, list[Any]](list)
        for statement in ir.walk_statements(self.body):
            for name, value in _bound(statement):
                found[name].append(value)
        return found

    @cached_property
    def nothing_on_a_way(self) -> frozenset[str]:
        """The names that are bound to 0 and, on one way of a branch, anew: `t = 1 - x if x < 1 else 0.0`."""
        branches = [s for s in ir.walk_statements(self.body) if isinstance(s, ir.If)]
        lines = [line for s in branches for block in ir.blocks_of(s) for line in block]
        names = {line.target.id for line in lines if _binds_anew(line)}
        return frozenset(
            n for n in names if 0 < sum(map(_is_nothing, self.bound[n])) < len(self.bound[n])
        )

    @cached_property
    def nodes(self) -> list[Any]:
        return [*ir.nodes_in(*ir.walk_statements(self.body))]

    def radicands(self) -> Iterator[Any]:
        for node in self.nodes:
            yield from _radicands(node, self.facts)

    def beside_slopes(self) -> Iterator[Any]:
        """What meets the slope of a root of what was clipped: `t` of `t / np.sqrt(1 - np.clip(x, 0, 1))`"""
        clipped = self.names_made_of(self.clips)

        def is_root(node: Any) -> bool:
            return self.is_root_of(node, clipped)

        roots = self.names_made_of(is_root)
        for node in self.nodes:
            match node:
                case gast.BinOp(left=left, op=gast.Mult() | gast.Div() as op, right=right):
                    if self.has(right, roots, is_root):
                        yield left
                    if isinstance(op, gast.Mult) and self.has(left, roots, is_root):
                        yield right
                case gast.Call(args=[left, right]) if self.is_times_slope(node):
                    if self.has(right, roots, is_root):
                        yield left

    def is_times_slope(self, node: Any) -> bool:
        return self.facts.function_of(node) is times_slope

    def is_root_of(self, node: Any, names: set[str]) -> bool:
        """Whether this is a root of what is made of one of the names, or of what clips."""
        return any(self.has(e, names, self.clips) for e in _radicands(node, self.facts))

    def clips(self, node: Any) -> bool:
        """np.maximum(x, 0)    x * (x > 0)    x *= x > 0"""
        callee = self.facts.callees.get(node)
        if callee is None:
            return False
        match node:
            case gast.BinOp(left=left, op=gast.Mult(), right=right):
                return self.is_mask(left) or self.is_mask(right)
            case ir.Update(_, gast.Mult(), value):
                return self.is_mask(value)
            case _ if callee.function is np.multiply:
                return any(map(self.is_mask, callee.args))
        return is_one_of(callee.function, _CLIPPING)

    def is_mask(self, node: Any) -> bool:
        return node in self.masks or is_mask(node, self.facts)

    def names_made_of(
        self, counts: Callable[[Any], bool], known: Set[str] = frozenset()
    ) -> set[str]:
        """The names of values whose elements are made of something that counts, or of known names."""
        names, before = set(known), -1
        while len(names) > before:
            before = len(names)
            for name, values in self.bound.items():
                if name not in names and any(self.has(v, names, counts) for v in values):
                    names.add(name)
        return names

    def has(self, node: Any, names: set[str], counts: Callable[[Any], bool]) -> bool:
        """Whether the elements of an expression are made of one of the names, or of something that counts."""
        if isinstance(node, gast.Name):
            return node.id in names
        parts = _elements_of(node, self.facts)
        return counts(node) or any(self.has(part, names, counts) for part in parts)


def _binds_anew(statement: ir.Statement) -> TypeGuard[ir.Assign]:
    match statement:
        case ir.Assign(gast.Name(id=name), value):
            return name not in ir.names_in(value)
    return False


def _is_nothing(value: Any) -> bool:
    match value:
        case gast.Constant(value=int() | float() as number):
            return number == 0
    return False


def _bound(statement: ir.Statement) -> Iterator[tuple[str, Any]]:
    match statement:
        case ir.Assign(target, value) | ir.Update(target, _, value):
            root = ir.root_of(target)
            if isinstance(root, gast.Name):
                yield root.id, statement if isinstance(statement, ir.Update) else value


def _radicands(node: Any, facts: Facts) -> Iterator[Any]:
    match node:
        case gast.BinOp(left=base, op=gast.Pow(), right=exponent):
            if _is_broken(exponent):
                yield base
        case gast.Call() if (callee := facts.callees.get(node)) is not None and callee.args:
            function, power = callee.function, callee.args[1:2]
            is_power = power and is_one_of(function, _POWERS) and _is_broken(power[0])
            if is_power or is_one_of(function, _ROOTS):
                yield callee.args[0]


def _is_broken(exponent: Any) -> bool:
    value = literal_of(exponent)
    return not isinstance(value, int) and not (isinstance(value, float) and value.is_integer())


def _elements_of(node: Any, facts: Facts) -> Iterator[Any]:
    """What the elements of a value are made of, one by one."""
    match node:
        case ir.Update(value=value):
            yield value
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
            elif is_one_of(callee.function, _SUMS):
                yield from callee.args[:1]


def is_one_of(function: Any, functions: tuple[Any, ...]) -> bool:
    return any(function is one for one in functions)
