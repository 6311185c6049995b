"""A dict or an object that has a name, and to which a way leads, too, by that way alone (infer/second_names.py).

s = self.state                              self.state["x"] -= dt
s["x"] -= dt                  ->            self.state["v"] += dt
s["v"] += dt
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import gast

from tangentish import ir
from tangentish.infer import OneName
from tangentish.language.records import asked_in, captured_in
from tangentish.language.ways import Way, way_of
from tangentish.language.webs import map_blocks, map_expressions

_MOVES = frozenset(
    (
        "pop",
        "popitem",
        "clear",
        "update",
        "setdefault",
        "insert",
        "remove",
        "sort",
        "reverse",
        "extend",
    )
)  # what puts others in the place of entries and elements


def with_one_name(function: ir.Function, needed: OneName) -> ir.Function:
    """The function with the way in the place of the name, if both stay what they are as long as that is read."""
    writer = _Writer(function, needed)
    return replace(function, body=writer.block(function.body))


class _Writer:
    """The lines after the one from which on both are the same."""

    def __init__(self, function: ir.Function, needed: OneName) -> None:
        self.function = function
        self.needed = needed

    def block(self, block: ir.Block) -> ir.Block:
        line = self.needed.line
        if line not in block:
            return tuple(map_blocks(s, self.block) for s in block)
        place = block.index(line)
        region = self.region(block[place + 1 :])
        later = block[place + 1 + len(region) :]
        if not region or not self.stays(region):
            return block
        origins = (getattr(s, "origin", None) for s in ir.walk_statements((line, *region)))
        self.needed.named |= {(self.needed.way, o) for o in origins if o is not None}
        head = () if self.is_second_name(line) else (line,)
        return (*block[:place], *head, *self.by_way(region), *later)

    def region(self, later: ir.Block) -> ir.Block:
        """The lines up to the last that mentions the name."""
        mentions = [
            k for k, s in enumerate(later) if self.needed.name in ir.statements.mentions((s,))
        ]
        return later[: max(mentions, default=-1) + 1]

    def stays(self, region: ir.Block) -> bool:
        """Whether no line of these binds the name, or puts something else where the way leads."""
        name, way = self.needed.name, self.needed.way
        inside = [*ir.walk_statements(region)]
        if any(name in ir.defined_names(s) or _puts_another(s, way) for s in inside):
            return False
        if name in captured_in(self.function):
            return False
        if not self.is_second_name(self.needed.line):
            return True
        every = ir.statements.mentions(self.function.body)[name]
        found = ir.statements.mentions((self.needed.line, *region))[name]
        return found == every and ir.statements.definitions(self.function.body)[name] == 1

    def is_second_name(self, line: ir.Statement) -> bool:
        """`s = self.state`: the line that only gives the name."""
        match line:
            case ir.Assign(gast.Name(id=name)):
                return bool(name == self.needed.name)
        return False

    def by_way(self, block: ir.Block) -> ir.Block:
        def change(node: Any) -> Any | None:
            meant = isinstance(node, gast.Name) and node.id == self.needed.name
            return self.needed.way.node(node) if meant else None

        return map_expressions(block, lambda node: ir.copy_expression(node, change))


def _puts_another(line: ir.Statement, way: Way) -> bool:
    """Whether a line puts something else where a way leads, or may: calls are looked at when they are followed."""
    targets = [*_targets(line)]
    if way.root in ir.defined_names(line) or any(map(way.is_bound_by, targets)):
        return True
    if any(_is_unknown_key(target, way) for target in targets):
        return True
    calls = (n for e in asked_in(line) for n in ir.walk(e) if isinstance(n, gast.Call))
    return any(_moves(call, way) for call in calls)


def _is_unknown_key(target: Any, way: Way) -> bool:
    """`d[k] = v`, where the way leads through d["a"]."""
    if not isinstance(target, gast.Subscript):
        return False
    known = isinstance(target.slice, gast.Constant) and isinstance(target.slice.value, str)
    holder = None if known else way_of(target.value)
    return holder is not None and way.goes_on_from(holder)


def _targets(line: ir.Statement) -> Iterator[Any]:
    """What a line stores to, or deletes."""
    match line:
        case ir.Do(gast.Delete(targets=targets)):
            yield from targets
        case _:
            target = getattr(line, "target", None)
            yield from ir.parts_of(target)


def _moves(call: Any, way: Way) -> bool:
    """`d.pop("a")`, where the way leads through d["a"]."""
    function = call.func
    if not isinstance(function, gast.Attribute) or function.attr not in _MOVES:
        return False
    holder = way_of(function.value)
    if holder is None or not way.goes_on_from(holder):
        return False
    return way.steps[len(holder.steps)][0] == "key"
