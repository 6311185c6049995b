"""What a statement changes that writes to an array or a list, and who reads that.

p[p[0]] = i             the index is another one after it
xs.pop(len(xs) // 2)    likewise
m[m] = x > 1            the index is the very memory that is written to
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple

import gast

from tangentish import ir
from tangentish.infer import Facts
from tangentish.kinds import UNKNOWN, own_memory

SHAPE_ATTRIBUTES = {"shape", "ndim", "size", "dtype"}


class Changed(NamedTuple):
    """What a statement changes.

    names: what it binds; memory: where it writes; container: how it names that; length: whether it changes
    how many elements there are.
    """

    names: frozenset[str]
    memory: frozenset[Hashable]
    container: str
    length: bool

    def is_read_by(self, node: Any, facts: Facts) -> bool:
        """Whether an expression may give something else once the statement has run."""
        return any(
            (isinstance(part, gast.Name) and part.id in self.names) or self.may_be(part, facts)
            for part in (ir.walk(node) if self.length else _asked_for_contents(node))
        )

    def is_memory_of(self, node: Any, facts: Facts) -> bool:
        """Whether an expression gives memory that the statement writes to."""
        return bool(self.memory & _sites(node, facts))

    def may_be(self, part: Any, facts: Facts) -> bool:
        if not isinstance(part, (gast.Name, gast.Attribute, gast.Subscript)):
            return False
        return bool(self.memory & _sites(part, facts)) or ir.dump(part) == self.container


def changed_by(statement: ir.Statement, container: Any, length: bool, facts: Facts) -> Changed:
    """What a statement changes that stores into a container, or calls a method of it."""
    written = [facts.sites(name) for name in facts.writes.get(statement, ())]
    memory = frozenset().union(_sites(container, facts), *written)
    return Changed(frozenset(ir.defined_names(statement)), memory, ir.dump(container), length)


def _sites(node: Any, facts: Facts) -> frozenset[Hashable]:
    return frozenset(buffer.site for buffer in own_memory(facts.kinds.get(node, UNKNOWN)))


def _asked_for_contents(node: Any) -> Iterator[Any]:
    """The parts of an expression, without those that are asked for their shape only."""
    match node:
        case gast.Call(func=gast.Name(id="len" | "$len"), args=[gast.Name()]):
            return
        case gast.Attribute(value=gast.Name(), attr=attr) if attr in SHAPE_ATTRIBUTES:
            return
    yield node
    for child in ir.children(node):
        yield from _asked_for_contents(child)
