"""What is added to the gradient of a view is added to that of its array at once.

dw = np.zeros_like(w)                    ->      dweights[k, 0] += dt * x
dw[0] += dt * x                                  dweights[k, 1] += dt
dw[1] += dt
dweights[k] += dw

Not where lines in between read the array of that gradient, under whatever name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Set
from typing import Any, TypeGuard

import gast

from tangentish import ir
from tangentish.folding.one_index import element
from tangentish.folding.renamed import SharedMemory
from tangentish.folding.same_place import is_same_place
from tangentish.kinds.numbers import is_integer
from tangentish.language.webs import map_blocks, map_statement

IsPlace = Callable[[str, Any], bool]
KindOf = Callable[[Any], Any]


def add_directly(
    block: ir.Block, is_place: IsPlace, kind: KindOf, is_fresh: Callable[[Any], bool]
) -> ir.Block:
    """The adjoint without gradients of views that only collect what is added to those of arrays.

    is_place: whether a place of a gradient is that of the view which a gradient belongs to. kind: that of an index.
    is_fresh: whether an expression gives memory of its own.
    """
    added = {s.value.id for s in ir.walk_statements(block) if _is_added_to_place(s)}
    if not added:
        return block
    memory = SharedMemory(block, is_fresh)
    return _Direct(Counter(_mentioned(block)), added, is_place, kind, memory).block(block)


class _Direct:
    def __init__(
        self,
        count: Counter[str],
        added: Set[str],
        is_place: IsPlace,
        kind: KindOf,
        memory: SharedMemory,
    ) -> None:
        self.count, self.is_place, self.kind = count, is_place, kind
        self.added, self.memory = added, memory

    def block(self, block: ir.Block) -> ir.Block:
        lines = [map_blocks(s, self.block) for s in block]
        position = 0
        while position < len(lines):
            found = self.collected(lines, position)
            if found is None:
                position += 1
                continue
            name, end, place = found
            inner = lines[position + 1 : end]
            done = end + 1 == len(lines) or isinstance(lines[end + 1], ir.Comment)
            if done and inner and isinstance(inner[-1], ir.Comment):
                inner.pop()  # nothing is left of that line of the user's
            lines[position : end + 1] = [self.redirected(line, name, place) for line in inner]
        return tuple(lines)

    def collected(self, lines: list[ir.Statement], start: int) -> tuple[str, int, Any] | None:
        """The gradient that starts as zeros in a line, the line where it is added to another, and its place there."""
        match lines[start]:
            case ir.Assign(
                gast.Name(id=name),
                gast.Call(
                    func=gast.Attribute(value=gast.Name(id="$np"), attr="zeros_like"), args=[_]
                ),
            ) if "~" in name and name in self.added:
                pass
            case _:
                return None
        for end in range(start + 1, len(lines)):
            line = lines[end]
            if _is_added_to_place(line) and line.value.id == name:
                inner, place = tuple(lines[start + 1 : end]), line.target
                alone = self.count[name] == 2 + Counter(_mentioned(inner))[name]
                clear = alone and self.is_place(name, place)
                clear = clear and _is_clear(inner, name, self.names_of_array(place))
                clear = clear and is_same_place(place, ir.walk_statements(inner), self.kind)
                return (name, end, place) if clear else None
        return None

    def names_of_array(self, place: Any) -> set[str]:
        return self.memory.in_memory_of(ir.root_of(place).id)

    def redirected(self, line: ir.Statement, name: str, place: Any) -> ir.Statement:
        def change(node: Any) -> Any:
            if isinstance(node, gast.Subscript) and ir.is_name(node.value, name):
                index = ir.copy_expression(node.slice, change)
                return element(place, index, self.is_integer, gast.Load())
            return place if ir.is_name(node, name) else None

        def block(inner: ir.Block) -> ir.Block:
            return tuple(self.redirected(s, name, place) for s in inner)

        return map_statement(line, lambda e: ir.copy_expression(e, change), block)

    def is_integer(self, index: Any) -> bool:
        return is_integer(self.kind(index))


def _is_added_to_place(line: ir.Statement) -> TypeGuard[ir.Update]:
    """`place[k] += name`"""
    match line:
        case ir.Update(gast.Subscript(), gast.Add(), gast.Name()):
            return True
    return False


def _mentioned(block: ir.Block) -> list[str]:
    found: list[str] = []
    for statement in ir.walk_statements(block):
        found += ir.mentioned(statement)
        if isinstance(statement, (ir.Restore, ir.Save, ir.Unset)):
            found.append(statement.slot.name)
    return found


def _is_clear(block: ir.Block, name: str, array: Set[str]) -> bool:
    """Whether lines only add to a gradient, and have nothing to do with what has the names of its array."""
    for statement in ir.walk_statements(block):
        names = set(ir.mentioned(statement))
        if not names.isdisjoint(array):
            return False
        if name in names and not _only_adds(statement, name):
            return False
    return True


def _only_adds(statement: ir.Statement, name: str) -> bool:
    match statement:
        case ir.Update(target, gast.Add() | gast.Sub(), value):
            root = ir.root_of(target)
            return (
                ir.is_name(root, name)
                and (*ir.names_in(target), *ir.names_in(value)).count(name) == 1
            )
    return False
