"""Whether two places of a list or a dict differ: constants, or what a loop or an `if` around them says of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.facts import Facts
from tangentish.infer.iteration import is_range
from tangentish.infer.literals import literal_of

_DIFFERENT = (gast.NotEq, gast.Lt, gast.Gt)
_OF_SEVERAL: tuple[Any, ...] = (itertools.combinations, itertools.permutations, itertools.pairwise)


def are_apart(
    one: Any, other: Any, around: Iterable[tuple[ir.Statement, ir.Block]], facts: Facts
) -> bool:
    """Whether they differ; around: the lines around, each with the block of it in which the one at hand stands."""
    literals = literal_of(one), literal_of(other)
    if all(type(k) is str or (type(k) is int and k >= 0) for k in literals):
        return literals[0] != literals[1]
    counted = _counted_from(one), _counted_from(other)
    if None not in counted and counted[0][0] == counted[1][0]:  # type: ignore[index]
        return counted[0] != counted[1]
    if not (isinstance(one, gast.Name) and isinstance(other, gast.Name)):
        return False
    names = {one.id, other.id}
    return any(
        (_tells_apart(line, block, names) or _counts_on(line, names, facts))
        and not names & ir.bound_within(block)
        for line, block in around
    )


def _tells_apart(line: ir.Statement, block: ir.Block, names: set[str]) -> bool:
    """`if i != j:`, and `if i == j: ... else:`"""
    match line:
        case ir.If(
            gast.Compare(left=gast.Name(id=i), ops=[op], comparators=[gast.Name(id=j)]), body
        ) if {i, j} == names:
            return isinstance(op, _DIFFERENT if block is body else gast.Eq)
    return False


def _counts_on(line: ir.Statement, names: set[str], facts: Facts) -> bool:
    """`for j in range(i + 1, n):`, and `for i, j in combinations(range(n), 2):`"""
    match line:
        case ir.For(
            gast.Name(id=j),
            gast.Call(args=[gast.BinOp(left=gast.Name(id=i), op=gast.Add(), right=by), _]),
        ):
            return {i, j} == names and literal_of(by) == 1 and is_range(line.iter, facts)
        case ir.For(target, gast.Call()):
            return any(names <= {*found} for found in _of_one_range(target, line.iter, facts))
    return False


def _of_one_range(target: Any, over: Any, facts: Facts) -> list[tuple[str, ...]]:
    """The names that get different numbers of one range on each trip."""
    callee = facts.callees.get(over)
    if callee is None or not isinstance(target, gast.Tuple):
        return []
    if any(callee.function is one for one in _OF_SEVERAL) and is_range(callee.args[0], facts):
        names = ir.target_names(target)
        return [names] if len({*names}) == len(names) else []
    parts: list[Any] = []
    if callee.function is enumerate:
        parts = [*zip(target.elts[1:], callee.args[:1], strict=True)]
    elif callee.function is zip and len(target.elts) == len(callee.args):
        parts = [*zip(target.elts, callee.args, strict=True)]
    return [found for t, arg in parts for found in _of_one_range(t, arg, facts)]


def _counted_from(index: Any) -> tuple[str, int] | None:
    """The name and the number of `i` and `i + 1`."""
    match index:
        case gast.Name(id=name):
            return name, 0
        case gast.BinOp(left=gast.Name(id=name), op=gast.Add(), right=gast.Constant(value=int(by))):
            return name, by
    return None
