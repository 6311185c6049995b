"""A minus goes on to where all that it stands in front of is added.

dt = -da[:, j]                   ->      dt = da[:, j]
dq[:, k] += dt * r                       dq[:, k] -= dt * r
dr += dt @ q[:, k]                       dr -= dt @ q[:, k]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import gast

from tangentish import ir
from tangentish.algebra.tidy import Kinds, leads_with_minus, negated
from tangentish.folding.uncopied import only_computes, reads_first
from tangentish.language.webs import map_blocks


def signs_where_added(
    block: ir.Block,
    results: Sequence[Any],
    kind: Kinds,
    is_element: Callable[[str, Any], bool],
) -> ir.Block:
    """The adjoint in which updates subtract what was the negative of a place of a gradient."""
    reads, definitions = ir.mentions(block, results), ir.definitions(block)
    once = {name: reads[name] - 1 for name, count in definitions.items() if count == 1}
    return _Signs(once, kind, is_element).block(block)


class _Signs(NamedTuple):
    """once: the names that are bound once, and how often each is read."""

    once: Mapping[str, int]
    kind: Kinds
    is_element: Callable[[str, Any], bool]

    def block(self, lines: ir.Block) -> ir.Block:
        out = [map_blocks(line, self.block) for line in lines]
        for position, line in enumerate(out):
            match line:
                case ir.Assign(
                    gast.Name(id=name) as target,
                    gast.UnaryOp(
                        op=gast.USub(),
                        operand=gast.Subscript(value=gast.Name(id=array), slice=index) as place,
                    ),
                    origin,
                ) if "~" in name and "~" in array and name in self.once:
                    changing = None if self.is_element(array, index) else array
                    rest = out[position + 1 :]
                    new = _subtracted(rest, name, changing, self.once[name], self.kind)
                    if new is not None:
                        out[position:] = [ir.Assign(target, place, origin), *new]
        return tuple(out)


def _subtracted(
    lines: Sequence[ir.Statement], name: str, array: str | None, reads: int, kind: Kinds
) -> list[ir.Statement] | None:
    """The lines that follow, if each that reads the name adds it, and the array changes only after them."""
    out = list(lines)
    for position, line in enumerate(lines):
        if name in ir.mentioned(line):
            new = _with_other_sign(line, name, kind)
            if new is None:
                return None
            out[position] = new
            reads -= 1
        if array is not None and not _leaves(line, name, array, reads == 0):
            return None
        if reads == 0:
            return out
    return None


def _leaves(line: ir.Statement, name: str, array: str, last: bool) -> bool:
    """Whether what a name stands for in an array is the same after a line, or, after the last, has been read."""
    for inner in ir.walk_statements((line,)):
        if {name, array}.intersection(ir.stored_names(inner)):
            return last and inner is line and reads_first(line, name, array)
        read = {name, array}.intersection(ir.mentioned(inner))
        if read and not only_computes(inner, {name, array}):
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
