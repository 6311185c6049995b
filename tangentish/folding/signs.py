"""A minus goes on to where all that it stands in front of is added.

dt = -da[:, j]                   ->      dt = da[:, j]
dq[:, k] += dt * r                       dq[:, k] -= dt * r
dr += dt @ q[:, k]                       dr -= dt @ q[:, k]

What was new memory is a place of the array then, which has to stay as it is, under all its names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any, NamedTuple

import gast

from tangentish import ir
from tangentish.algebra.tidy import Kinds, leads_with_minus, negated
from tangentish.folding.renamed import SharedMemory
from tangentish.folding.uncopied import only_computes, reads_first
from tangentish.language.webs import map_blocks


def signs_where_added(
    block: ir.Block,
    results: Sequence[Any],
    kind: Kinds,
    is_element: Callable[[str, Any], bool],
    is_fresh: Callable[[Any], bool],
) -> ir.Block:
    """The adjoint in which updates subtract what was the negative of a place of a gradient.

    is_fresh: whether an expression gives memory of its own.
    """
    if not any(_negative_place(line) for line in ir.walk_statements(block)):
        return block
    reads, definitions = ir.mentions(block, results), ir.definitions(block)
    once = {name: reads[name] - 1 for name, count in definitions.items() if count == 1}
    return _Signs(once, kind, is_element, SharedMemory(block, is_fresh)).block(block)


def _negative_place(line: ir.Statement) -> Any | None:
    """`da[:, j]` of `dt = -da[:, j]`, all of these being gradients."""
    match line:
        case ir.Assign(
            gast.Name(id=name),
            gast.UnaryOp(
                op=gast.USub(), operand=gast.Subscript(value=gast.Name(id=array)) as place
            ),
        ) if "~" in name and "~" in array:
            return place
    return None


class _Signs(NamedTuple):
    """once: the names that are bound once, and how often each is read."""

    once: Mapping[str, int]
    kind: Kinds
    is_element: Callable[[str, Any], bool]
    memory: SharedMemory

    def block(self, lines: ir.Block) -> ir.Block:
        out = [map_blocks(line, self.block) for line in lines]
        for position, line in enumerate(out):
            place = _negative_place(line)
            match line:
                case ir.Assign(gast.Name(id=name) as target, _, origin) if (
                    place is not None and name in self.once
                ):
                    array = place.value.id
                    element = self.is_element(array, place.slice)
                    arrays = set() if element else self.memory.in_memory_of(array)
                    rest = out[position + 1 :]
                    new = _subtracted(rest, name, arrays, self.once[name], self.kind)
                    if new is not None:
                        out[position:] = [ir.Assign(target, place, origin), *new]
        return tuple(out)


def _subtracted(
    lines: Sequence[ir.Statement], name: str, arrays: Set[str], reads: int, kind: Kinds
) -> list[ir.Statement] | None:
    """The lines that follow, if each that reads the name adds it, and the array changes only after them.

    arrays: the names that it may have.
    """
    out = list(lines)
    for position, line in enumerate(lines):
        if name in ir.mentioned(line):
            new = _with_other_sign(line, name, kind)
            if new is None:
                return None
            out[position] = new
            reads -= 1
        if arrays and not _leaves(line, name, arrays, reads == 0):
            return None
        if reads == 0:
            return out
    return None


def _leaves(line: ir.Statement, name: str, arrays: Set[str], last: bool) -> bool:
    """Whether what a name stands for in an array is the same after a line, or, after the last, has been read."""
    held = {name, *arrays}
    for inner in ir.walk_statements((line,)):
        stored = held.intersection(ir.stored_names(inner))
        if stored:
            return last and inner is line and all(reads_first(line, name, a) for a in stored)
        if not held.isdisjoint(ir.mentioned(inner)) and not only_computes(inner, held):
            return False
    return True


def _with_other_sign(line: ir.Statement, name: str, kind: Kinds) -> ir.Statement | None:
    """`x -= dt * y` for `x += -dt * y`."""
    match line:
        case ir.Update(target, gast.Add() | gast.Sub() as op, value, origin):
            if ir.mentioned(line).count(name) != 1 or name in ir.names_in(target):
                return None

            def opposite(node: Any) -> Any | None:
                is_name = type(node) is gast.Name and node.id == name
                return gast.UnaryOp(gast.USub(), node) if is_name else None

            value = ir.copy_expression(value, opposite)
            if leads_with_minus(value, kind):
                other = gast.Sub() if isinstance(op, gast.Add) else gast.Add()
                return ir.Update(target, other, negated(value, kind), origin)
    return None
