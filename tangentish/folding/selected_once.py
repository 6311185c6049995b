"""What the same test selects once more, in all lines that read it, is not selected before.

da = np.where(mask, 0, dy * t)           ->      da = dy * t
dr = np.where(mask, g, da * np.sign(r))          dr = np.where(mask, g, da * np.sign(r))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import gast

from tangentish import ir
from tangentish.algebra.expressions import selection
from tangentish.folding.set_places import is_zero
from tangentish.ir.origins import origin_of
from tangentish.language.webs import map_each


class _Named(NamedTuple):
    """`name = np.where(test, value, 0)`, or `np.where(test, 0, value)` where `taken` is False."""

    name: str
    test: str
    taken: bool
    value: Any


def selected_once(block: ir.Block, results: Iterable[Any]) -> ir.Block:
    """The adjoint with fewer selections."""
    if not any(_named(s) for s in ir.walk_statements(block)):
        return block
    reads, definitions = ir.mentions(block, results), ir.definitions(block)
    return _selected(block, {n: reads[n] - 1 for n, k in definitions.items() if k == 1})


def _selected(block: ir.Block, reads: Mapping[str, int]) -> ir.Block:
    lines = map_each(block, lambda b: _selected(b, reads))
    for position, line in enumerate(lines):
        by = _named(line)
        if by is not None and _are_selected(reads.get(by.name, 0), by, lines[position + 1 :]):
            lines[position] = ir.Assign(ir.name(by.name), by.value, origin_of(line))
    return tuple(lines)


def _named(line: ir.Statement) -> _Named | None:
    match line:
        case ir.Assign(gast.Name(id=name), value) if by := selection(value):
            if is_zero(by.other):
                return _Named(str(name), by.test, True, by.taken)
            if is_zero(by.taken):
                return _Named(str(name), by.test, False, by.other)
    return None


def _are_selected(reads: int, by: _Named, below: Sequence[ir.Statement]) -> bool:
    """Whether the lines below that read the name, so often, all select what is made of it in the same way."""
    for line in below if reads else ():
        within = ir.walk_statements((line,))
        here = ir.mentioned_within(line).count(by.name)
        if here:
            nodes = (n for e in ir.expressions_of(line) for n in ir.walk(e))
            if len(within) > 1 or here != sum(_selected_in(n, by) for n in nodes):
                return False
            reads -= here
            if not reads:
                return True
        if any(by.test in (*ir.defined_names(s), *ir.stored_names(s)) for s in within):
            return False
    return False


def _selected_in(node: Any, by: _Named) -> int:
    """How often the name is a factor of what is selected by this node."""
    found = selection(node)
    if found is None or found.test != by.test:
        return 0
    return _times(by.name, found.taken if by.taken else found.other)


def _times(name: str, e: Any) -> int:
    """How often a factor of a product, element by element, has this name."""
    match e:
        case gast.Name(id=found):
            return int(found == name)
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return _times(name, operand)
        case gast.BinOp(left=left, op=gast.Mult(), right=right):
            return _times(name, left) + _times(name, right)
        case gast.BinOp(left=left, op=gast.Div()):
            return _times(name, left)
    return 0
