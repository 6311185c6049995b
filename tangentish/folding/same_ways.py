"""Where both ways of a branch go back by the same lines, they stand there once: nobody asks which way was taken.

if test:                         ->      # sp = t if on else t - 4
    # sp = t if on else t - 4            dt += dsp
    dt += dsp
else:
    # sp = t if on else t - 4
    dt += dsp

Of an `if` of the user's both lines are shown above.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import gast

from tangentish import ir
from tangentish.language.webs import map_each


def without_same_ways(block: ir.Block, results: Iterable[Any]) -> ir.Block:
    """The adjoint with such lines once; the very same block where there are none."""
    joined = _without(block, ir.mentions(block, results))
    return joined if _count(joined) < _count(block) else block


def _count(block: ir.Block) -> int:
    return len(ir.walk_statements(block))


def _without(block: ir.Block, mentions: Counter[str]) -> ir.Block:
    lines: list[ir.Statement] = []
    for line in map_each(block, lambda inner: _without(inner, mentions)):
        if isinstance(line, ir.If) and _are_same(line.body, line.orelse, mentions):
            lines += map(_said_of_both, line.body, line.orelse)
        else:
            lines.append(line)
    return tuple(lines)


def _said_of_both(one: ir.Statement, other: ir.Statement) -> ir.Statement:
    """The line of one way; one comment for the user's lines of both, each of them once."""
    if not (isinstance(one, ir.Comment) and isinstance(other, ir.Comment)):
        return one
    texts = dict.fromkeys((*one.text.split("\n"), *other.text.split("\n")))
    return replace(one, text="\n".join(texts))


def _are_same(one: ir.Block, other: ir.Block, mentions: Counter[str]) -> bool:
    """Whether two ways do the same, but for names that stand nowhere outside of them."""
    if not one or len(one) != len(other):
        return False
    inside = ir.mentions(one), ir.mentions(other)
    names: dict[str, str] = {}  # of the other way -> of this one
    for a, b in zip(one, other, strict=True):
        match a, b:
            case ir.Assign(gast.Name(id=mine)), ir.Assign(gast.Name(id=theirs)) if mine != theirs:
                if mentions[mine] != inside[0][mine] or mentions[theirs] != inside[1][theirs]:
                    return False
                if names.setdefault(theirs, mine) != mine:
                    return False
        if _form(a, {}) != _form(b, names) or _form(a, {}) is None:
            return False
    return len(set(names.values())) == len(names)


def _form(line: ir.Statement, names: dict[str, str]) -> tuple[str, ...] | None:
    """What a line says, with other names; None for lines that are not looked into."""

    def renamed(node: Any) -> Any:
        other = names.get(node.id) if isinstance(node, gast.Name) else None
        return None if other is None else ir.name(other, node.ctx)

    match line:
        case ir.Comment():
            return ("#",)
        case ir.Assign(target, value):
            parts = "=", target, value
        case ir.Update(target, op, value):
            parts = type(op).__name__, target, value
        case _:
            return None
    return parts[0], *(ir.dump(ir.copy_expression(part, renamed)) for part in parts[1:])
