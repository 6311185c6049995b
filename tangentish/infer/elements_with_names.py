"""Elements of a dict that is given, which get a name before they are asked: `m = mats[name]`, and then `m.E`, `m.nu`.

The name stands for the entry under that key as long as the block goes on in which it is bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.literals import literal_of
from tangentish.language.records import captured_in
from tangentish.rules.rule import ABSENT


@dataclass(frozen=True)
class NamedElement:
    """The line that gives an element its name, and whether the key stays what it is in the rest of the block."""

    line: ir.Assign
    stays: bool

    @property
    def key(self) -> Any:
        return self.line.value.slice


def elements_with_names(function: ir.Function, owner: str) -> Mapping[str, NamedElement]:
    """The names that are bound once, to such an element, and are read only in the rest of that block."""
    lines = [*ir.walk_statements(function.body)]
    times = Counter(name for line in lines for name in ir.defined_names(line))
    captured = captured_in(function)
    found = {}
    for line in lines:
        match line:
            case ir.Assign(
                gast.Name(id=name), gast.Subscript(value=gast.Name(id=held), slice=key)
            ) if held == owner and times[name] == 1 and name not in captured:
                later = _rest_of_block(function.body, line)
                once = literal_of(key) is ABSENT and _reads(function.body, name) == _reads(
                    later, name
                )
                if once:
                    found[name] = NamedElement(line, _stays(key, later))
    return found


def _stays(key: Any, later: ir.Block) -> bool:
    bound = (name for line in ir.walk_statements(later) for name in ir.defined_names(line))
    return isinstance(key, gast.Name) and key.id not in set(bound)


def _reads(block: ir.Block, name: str) -> int:
    parts = ir.nodes_in(*ir.walk_statements(block))
    names = (n for n in parts if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load))
    return sum(n.id == name for n in names)


def _rest_of_block(block: ir.Block, line: ir.Statement) -> ir.Block:
    """What comes after a line in the block in which it stands."""
    if line in block:
        return block[block.index(line) + 1 :]
    inside = (b for s in block for b in ir.blocks_of(s))
    around = (b for b in inside if line in ir.walk_statements(b))
    return next((_rest_of_block(b, line) for b in around), ())
