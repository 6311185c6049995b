"""A gradient needs no second name where what reads that name comes before the first one is bound again.

g = dy                           ->      y = y_tape.pop()
y = y_tape.pop()                         dy = dy * a + dy * y
dy = g * a + g * y
g = dx                           ->      dy = dx * b
dx = g
dy = g * b
dx = dy                          ->      dw = np.zeros_like(w)
dw = np.zeros_like(w)                    dx = np.full_like(x, dy)
dx = np.full_like(x, dx)
dx = dy                          ->      dw += np.sum(dy * w)
dy = a.T @ dx                            dy = a.T @ dy
dw += np.sum(dx * w)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import gast

from tangentish import ir
from tangentish.algebra.effects import has_no_effects
from tangentish.language.webs import map_each, map_statement


def keep_names(block: ir.Block, results: Sequence[Any]) -> ir.Block:
    """The adjoint with fewer second names."""
    if not any(map(_second, ir.walk_statements(block))):
        return block
    definitions, reads = ir.definitions(block), ir.mentions(block, results)
    changed = {n for s in ir.walk_statements(block) for n in ir.stored_names(s)}
    once = {n: reads[n] - 1 for n, k in definitions.items() if k == 1 and n not in changed}
    return _kept(block, once)


def _kept(block: ir.Block, reads: dict[str, int]) -> ir.Block:
    lines = map_each(block, lambda b: _kept(b, reads))
    position = 0
    while position < len(lines):
        names = _second(lines[position])
        if names is not None:
            below = lines[position + 1 :]
            new = _set_from_first(below, *names)
            if new is None and names[0] in reads:
                new = _under_first_name(below, *names, reads[names[0]])
            if new is not None:
                end = position + 1 + new.in_place_of
                _count_anew(reads, names[1], lines[position:end], new.lines)
                lines[position:end] = new.lines
                continue
        position += 1
    return tuple(lines)


class _New(NamedTuple):
    """Lines in the place of as many of those below."""

    lines: list[ir.Statement]
    in_place_of: int


def _count_anew(
    reads: dict[str, int], name: str, old: Sequence[ir.Statement], new: Sequence[ir.Statement]
) -> None:
    """A name that is read in the place of another is read more often: lines around may ask how often."""
    if name in reads:
        reads[name] += ir.mentions(tuple(new))[name] - ir.mentions(tuple(old))[name]


def _second(statement: ir.Statement) -> tuple[str, str] | None:
    """The second name of a gradient, and its first."""
    match statement:
        case ir.Assign(gast.Name(id=second), gast.Name(id=first)) if (
            second != first and "~" in second and "~" in first
        ):
            return str(second), str(first)
    return None


def _set_from_first(lines: list[ir.Statement], second: str, first: str) -> _New | None:
    """The lines where the next one that has to do with the second name sets it anew from what it is."""
    for position, line in enumerate(lines):
        if second in ir.mentioned_within(line):
            match line:
                case ir.Assign(gast.Name(id=name) as target, value, origin) if (
                    name == second and second in ir.names_in(value) and not _is_copy(value)
                ):
                    set_anew = ir.Assign(target, with_name(value, second, first), origin)
                    return _New([*lines[:position], set_anew], position + 1)
            return None
        if first in ir.bound_within((line,)):
            return None
    return None


def _under_first_name(
    lines: Sequence[ir.Statement], second: str, first: str, reads: int
) -> _New | None:
    """The lines with the first name in the place of the second; None where that means something else."""
    out: list[ir.Statement] = []
    for position, line in enumerate(lines):
        if reads == 0:
            return _New(out, position)
        reads -= ir.mentioned_within(line).count(second)
        if _second(line) == (first, second):  # as it is
            continue
        out.append(renamed(line, second, first))
        if first in ir.bound_within((line,)):
            if not isinstance(line, ir.Assign) or first in ir.stored_names(line):
                return None
            if reads == 0:
                return _New(out, position + 1)
            return _set_last(out, lines[position + 1 :], second, first, reads)
    return _New(out, len(lines)) if reads == 0 else None


def _set_last(
    above: Sequence[ir.Statement],
    lines: Sequence[ir.Statement],
    second: str,
    first: str,
    reads: int,
) -> _New | None:
    """The lines where the last of those above, which binds the first name, comes behind all that read the second."""
    *out, bound = above
    assert isinstance(bound, ir.Assign)
    read = {*ir.names_in(bound.value)}
    if not has_no_effects(bound.value):
        return None
    for position, line in enumerate(lines):
        changed = (*ir.defined_names(line), *ir.stored_names(line))
        if not isinstance(line, (ir.Assign, ir.Update)) or not read.isdisjoint(changed):
            return None
        if first in ir.mentioned(line) or not has_no_effects(line.value):
            return None
        out.append(renamed(line, second, first))
        reads -= ir.mentioned(line).count(second)
        if reads == 0:
            return _New([*out, bound], len(above) + position + 1)
    return None


def _is_copy(value: Any) -> bool:
    """Whether nothing but a copy is made, which later passes look for at the end (renamed.py)."""
    match value:
        case gast.Call(func=gast.Attribute(value=gast.Name(), attr="copy")):
            return True
    return False


def renamed(line: ir.Statement, second: str, first: str) -> ir.Statement:
    return map_statement(
        line,
        lambda e: with_name(e, second, first),
        lambda b: tuple(renamed(s, second, first) for s in b),
    )


def with_name(expression: Any, second: str, first: str) -> Any:
    def change(node: Any) -> Any:
        if type(node) is gast.Name and node.id == second:
            return gast.Name(first, node.ctx, None, None)
        return None

    return ir.copy_expression(expression, change)
