"""Which elements are there for sure: those at the variables of loops over no more than the length of the array.

for i in range(len(x) - 1):      x[i] and x[i + 1] are there, so that reading them raises nothing
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.regions import Loops, stands_inside, trips_of
from tangentish.infer import Facts
from tangentish.kinds import Num


def elements_inside(function: ir.Function, facts: Facts) -> set[Any]:
    """The subscripts of arrays that are read with indices known to be inside."""
    sets = Counter(function.parameters) + ir.definitions(function.body)
    return set(_found(function.body, facts, sets, {}))


def _found(block: ir.Block, facts: Facts, sets: Counter[str], loops: Loops) -> Iterator[Any]:
    for statement in block:
        for node in ir.nodes_in(statement) if loops else ():
            if isinstance(node, gast.Subscript) and _is_inside(node, facts, loops):
                yield node
        around = loops
        match statement:
            case ir.For(gast.Name(id=name), iterator) if sets[name] == 1:
                trips = trips_of(_as_made(iterator, facts), loops, facts.web_kinds.get)
                around = loops if trips is None else {**loops, name: trips}
        for inner in ir.blocks_of(statement):
            yield from _found(inner, facts, sets, around)


def _as_made(iterator: Any, facts: Facts) -> Any:
    """The range, under whatever name the user has it, as generated code has it."""
    callee = facts.callees.get(iterator)
    is_range = callee is not None and callee.function is range and not iterator.keywords
    return gast.Call(ir.name("$range"), iterator.args, []) if is_range else iterator


def _is_inside(node: gast.Subscript, facts: Facts, loops: Loops) -> bool:
    kind = facts.kinds.get(node.value)
    if not isinstance(kind, Num) or not kind.known or not kind.shape:
        return False
    parts = ir.parts_of(node.slice)
    return len(parts) <= len(kind.shape) and all(
        isinstance(part, gast.Slice) or stands_inside(part, length, loops, facts.web_kinds.get)
        for part, length in zip(parts, kind.shape, strict=False)
    )
