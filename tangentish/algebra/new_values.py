"""Reads of the new value of what a statement overwrites, marked `x!` until the restores are placed.

Before:  ds = dt * s!; <restore s>          After:  s_new = s; <restore s>; ds = dt * s_new

A read that comes before the restore just loses its mark. Where the restore turns out to be needless, the new value
is read where it lies.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.expressions import is_whole
from tangentish.algebra.reading import Reading
from tangentish.language.webs import map_each, map_nodes, map_statement

_OF_NAMES = (gast.Name, gast.Tuple)


def new_value(target: Any, reading: Reading) -> Any:
    """The target, read back: its value after the statement."""
    if isinstance(target, gast.Tuple) and all(isinstance(e, _OF_NAMES) for e in target.elts):
        parts = [new_value(e, reading) for e in target.elts]
        return None if None in parts else gast.Tuple(parts, gast.Load())
    if is_whole(target) and reading.number(target).array:
        target = reading.named(target.value.id, reading.kind(target))
    named = isinstance(target, (gast.Name, gast.Subscript)) and isinstance(
        ir.root_of(target), gast.Name
    )
    return (
        marked(target, reading) if named else None
    )  # o.a[i] of an object that is not followed has no name


def marked(target: Any, reading: Reading) -> Any:
    """`x` or `x[i]` with its root marked."""
    if isinstance(target, gast.Subscript):
        target = reading.stable_index(target)
    root = ir.root_of(target)
    reading.marks = True

    def change(node: Any) -> Any:
        if node is root:
            return gast.Name(f"{root.id}!", gast.Load(), None, None)
        return node if type(node) is gast.Name else None

    new = ir.copy_expression(target, change)
    reading.facts.kinds[new] = reading.kind(target)
    return new


def reads_new_value(statement: ir.Statement, name: str) -> bool:
    """Whether a line reads `name!`."""
    return f"{name}!" in ir.mentioned(statement)


def without_marks(statement: ir.Statement) -> ir.Statement:
    """The line with the marks taken off."""
    compound = isinstance(statement, (ir.If, ir.For, ir.While, ir.With, ir.Restore))
    return statement if compound or not _has_mark(statement) else map_nodes(statement, _unmarked)


def with_new_value(statement: ir.Statement, name: str, kept: str, place: Any) -> ir.Statement:
    """`x!` (or `x![i]`, the place that was written) -> the name under which the new value is kept.

    What is around it stays: `x![:, 0][:, None]` is `kept[:, None]`.
    """
    mark = f"{name}!"
    depth = 0 if is_whole(place) else _depth(place)

    def change(node: Any) -> Any:
        there = _is_marked(ir.root_of(node), mark) and _depth(node) <= depth
        return ir.name(kept) if there else None

    return map_nodes(statement, change)


def _depth(place: Any) -> int:
    """How many indices and the like stand behind a name."""
    return sum(1 for _ in ir.links_of(place))


def read_in_place(block: ir.Block, kept: Collection[str]) -> ir.Block:
    """The adjoint without those names under which new values are kept that nothing overwrites while they are read."""
    lines = map_each(block, lambda b: read_in_place(b, kept))
    position = 0
    while position < len(lines):
        match lines[position]:
            case ir.Assign(gast.Name(id=name), value) if name in kept:
                place = value.args[0] if isinstance(value, gast.Call) else value
                after = range(position + 1, len(lines))
                end = 1 + max(
                    (k for k in after if name in ir.mentioned_within(lines[k])), default=position
                )
                read = lines[position + 1 : end]
                if not any(_may_change(line, place) for line in read):
                    lines[position:end] = [_with_place(line, name, place) for line in read]
                    continue
        position += 1
    return tuple(lines)


def _may_change(line: ir.Statement, place: Any) -> bool:
    """Whether a line binds a name in a place, or restores something, which may lie there."""
    names = set(ir.names_in(place))
    return any(
        isinstance(s, ir.Restore) or not names.isdisjoint(ir.defined_names(s))
        for s in ir.walk_statements((line,))
    )


def _with_place(line: ir.Statement, name: str, place: Any) -> ir.Statement:
    def change(node: Any) -> Any:
        return place if type(node) is gast.Name and node.id == name else None

    def block(inner: ir.Block) -> ir.Block:
        return tuple(_with_place(s, name, place) for s in inner)

    return map_statement(line, lambda e: ir.copy_expression(e, change), block)


def _is_marked(node: Any, mark: str) -> bool:
    return type(node) is gast.Name and bool(node.id == mark)


def _has_mark(statement: ir.Statement) -> bool:
    return any(n.endswith("!") for n in ir.mentioned(statement))


def _unmarked(node: Any) -> Any:
    if type(node) is gast.Name and node.id.endswith("!"):
        return gast.Name(node.id[:-1], node.ctx, None, None)
    return None
