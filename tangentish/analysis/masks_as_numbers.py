"""Masks as numbers, which hold nothing but 0 and 1: `(x > 0).astype(float)`, `1.0 * (x > 0)`, `np.where(x > 0, 1, 0)`,
`np.heaviside(x, 0)`.

Their dtype does not say so: the lines do that bind them.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer import Facts, literal_of
from tangentish.kinds import Num

_AS_NUMBERS: tuple[Any, ...] = (
    float, int, np.float64, np.float32, np.int64, np.asarray, np.array, np.astype,
)  # fmt: skip


def is_mask(node: Any, facts: Facts) -> bool:
    """Whether a value holds nothing but True and False."""
    kind = facts.kinds.get(node)
    return isinstance(kind, Num) and kind.dtype == np.bool_


def has_masks(facts: Facts) -> bool:
    """Whether there are masks, or what makes 0 and 1 of something else: in most functions there is neither."""
    dtypes = {kind.dtype for kind in facts.kinds.values() if kind.__class__ is Num}
    made = (callee.function for callee in facts.callees.values())
    return np.dtype(np.bool_) in dtypes or any(f is np.where or f is np.heaviside for f in made)


def masks_as_numbers(function: ir.Function, facts: Facts) -> frozenset[Any]:
    """The expressions that hold nothing but 0 and 1, and are no masks by their dtype."""
    if not has_masks(facts):
        return frozenset()
    bound = defaultdict[str, list[Any]](list)
    for statement in ir.walk_statements(function.body):
        for name, value in _bound(statement):
            bound[name].append(value)
    names, before = set[str](), -1
    while len(names) > before:
        before = len(names)
        for name in bound.keys() - names - {*function.parameters}:
            if all(_is_of_mask(value, names, facts) for value in bound[name]):
                names.add(name)
    nodes = ir.nodes_within(function.body, gast.Name, gast.BinOp, gast.Call)
    return frozenset(node for node in nodes if _is_as_number(node, names, facts))


def _bound(statement: ir.Statement) -> list[tuple[str, Any]]:
    """The names that a statement binds or stores to, and the values; None where a value has no expression."""
    if isinstance(statement, ir.Assign) and isinstance(statement.target, gast.Name):
        return [(statement.target.id, statement.value)]
    names = {*ir.defined_names(statement)}
    if isinstance(statement, (ir.Assign, ir.Update)):
        root = ir.root_of(statement.target)
        names |= {root.id} if isinstance(root, gast.Name) else set()
    return [(name, None) for name in names]


def _is_of_mask(node: Any, names: set[str], facts: Facts) -> bool:
    return node is not None and (is_mask(node, facts) or _is_as_number(node, names, facts))


def _is_as_number(node: Any, names: set[str], facts: Facts) -> bool:
    match node:
        case gast.Name(id=name):
            return name in names
        case gast.BinOp(left=left, op=gast.Mult(), right=right):
            sides = [_is_of_mask(side, names, facts) or _is_one(side) for side in (left, right)]
            return all(sides) and not (_is_one(left) and _is_one(right))
        case gast.Call() if (callee := facts.callees.get(node)) is not None and callee.args:
            first, *others = callee.args
            if callee.function is np.where:
                values = [literal_of(e) for e in others]
                return values in ([1, 0], [0, 1])
            if callee.function is np.heaviside:
                return literal_of(others[0]) in (0, 1) if others else False
            as_number = any(callee.function is one for one in _AS_NUMBERS)
            return as_number and _is_of_mask(first, names, facts)
    return False


def _is_one(node: Any) -> bool:
    return bool(literal_of(node) == 1)
