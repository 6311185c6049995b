"""What is put into a list of dicts or objects, and read after that: from there on it is the last element.

orders.append(order)              orders.append(order)
total += order.amount     ->      last = orders[-1]
                                  total += last.amount
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.ir.quote import quote
from tangentish.language.placed import all_at, at
from tangentish.language.records import captured_in
from tangentish.language.ways import Way
from tangentish.language.webs import map_blocks, map_expressions


@dataclass
class LastNamed:
    """The lines of a function, in which each name of what is put in stands for one thing only."""

    function: ir.Function
    is_append: Callable[[Any], bool]
    fresh: Callable[[str], str]

    def block(self, block: ir.Block, repeated: bool = False) -> ir.Block:
        """repeated: whether the lines may run more than once."""
        new: list[ir.Statement] = []
        for k in range(len(block)):
            line, later = block[k], block[k + 1 :]
            name = self.put_in(line)
            if name is not None and self.is_read_after(name, block[:k], later, repeated):
                new += [line, self.last(line, last := self.fresh(ir.base_name(name)))]
                return (*new, *self.block(_renamed(later, name, last), repeated))
            inside = repeated or isinstance(line, (ir.For, ir.While))
            new.append(map_blocks(line, lambda b, r=inside: self.block(b, r)))  # type: ignore[misc]
        return tuple(new)

    def put_in(self, line: ir.Statement) -> str | None:
        match line:
            case ir.Do(gast.Expr(value=gast.Call(func=func, args=[gast.Name(id=str(name))]))):
                return name if self.is_append(func) else None
        return None

    def is_read_after(self, name: str, before: ir.Block, later: ir.Block, repeated: bool) -> bool:
        """Whether later lines, and no others but those before, read a name that is bound right here each time."""
        count = ir.statements.mentions
        if not count(later)[name] or name in captured_in(self.function):
            return False
        given = name in self.function.parameters and not repeated
        bound = any(name in ir.defined_names(line) for line in before)
        once = ir.statements.definitions(self.function.body)[name] == (0 if given else 1)
        elsewhere = count(self.function.body)[name] - count(before)[name] - count(later)[name]
        return once and (given or bound) and elsewhere == 1

    def last(self, line: Any, name: str) -> ir.Statement:
        node = line.node.value
        value = all_at(quote("{xs}[-1]", xs=node.func.value), node)
        return ir.Assign(at(ir.name(name, gast.Store()), node), value, line.origin)


def _renamed(block: ir.Block, old: str, new: str) -> ir.Block:
    def change(node: Any) -> Any | None:
        return at(ir.name(new), node) if isinstance(node, gast.Name) and node.id == old else None

    return map_expressions(block, lambda node: ir.copy_expression(node, change))


def without_name(name: str, way: Way, block: ir.Block) -> ir.Block:
    """The lines with the list itself in the place of a second name for it."""

    def change(node: Any) -> Any | None:
        return way.node(node) if isinstance(node, gast.Name) and node.id == name else None

    return map_expressions(block, lambda node: ir.copy_expression(node, change))
