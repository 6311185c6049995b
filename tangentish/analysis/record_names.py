"""Second names of a list of dicts or objects, and copies of it: lines in which the list itself stands for them.

bodies = self.bodies             for p in self.bodies:          qs = list(ps)             for q in ps:
for p in bodies:          ->         p.x += p.v                 for q in qs:       ->         s += q.x * len(ps)
    p.x += p.v                                                      s += q.x * len(ps)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.record_last import without_name
from tangentish.analysis.record_taken import TakenOut
from tangentish.language.records import asked_in, copied
from tangentish.language.ways import Way, binds, way_of
from tangentish.language.webs import map_blocks, map_nodes

_READING = ("len", "enumerate", "zip", "reversed", "sorted", "min", "max")


@dataclass
class Names(TakenOut):
    """The part that knows what else the list is called."""

    def with_one_name(self, block: ir.Block) -> ir.Block:
        """The lines without second names of the list, and with its holder once it has one."""
        new: list[ir.Statement] = []
        for k in range(len(block)):
            line, later = self.without_copies(block[k]), block[k + 1 :]
            second, holder = self.second_name(line, later), self.holder(line, later)
            if second is not None:
                block = (*block[: k + 1], *without_name(second, self.needed.way, later))
                continue
            if holder is not None:
                later = without_name(self.needed.way.root, holder, later)
                block = (*block[: k + 1], *later)
            new.append(map_blocks(line, self.with_one_name))
        return tuple(new)

    def second_name(self, line: ir.Statement, later: ir.Block) -> str | None:
        """`ps = self.ps`: the name, where it stands for the list wherever it stands at all.

        A copy of the list is the list itself where neither gets, loses or moves an element later.
        """
        match line:
            case ir.Assign(gast.Name(id=str(name)), value) if self.is_list(
                value
            ) or self.copies_list(value):
                inside = [line, *ir.walk_statements(later)]
                way = self.needed.way
                read = self.lines_until_last(name, line, later)[1:]
                if self.copies_list(value) and not self.stays_as_it_is(Way(name), read):
                    return None
                meant = bool(way.steps) or any(way.root in ir.mentioned(s) for s in inside[1:])
                again = any(map(self.binds_list, inside))
                if not meant or again or not self.is_bound_once(name):
                    return None
                if self.stands_only_in(name, inside) and not self.is_captured_in(name, later):
                    self.note_named(self.lines_until_last(name, line, later))
                    return name
        return None

    def holder(self, line: ir.Statement, later: ir.Block) -> Way | None:
        """`self.ps = ps`: where the list is from here on, if it stays there while its name is read."""
        match line:
            case ir.Assign(gast.Attribute() as target, value) if self.is_list(value):
                holder = way_of(target)
                if holder is None or self.needed.way.steps:
                    return None
                inside = [*ir.walk_statements(later)]
                again = any(self.binds_list(s) or binds(s, holder) for s in inside)
                root = self.needed.way.root
                if not again and not self.is_captured_in(root, later):
                    self.note_named(self.lines_until_last(root, line, later), holder)
                    return holder
        return None

    # -- copies

    def is_copy(self, value: Any) -> bool:
        """`list(ps)`, `ps[:]`, ..., of a list that has a name of its own."""
        return not self.needed.way.steps and self.copies_list(value)

    def copies_list(self, value: Any) -> bool:
        return not self.is_keyed and self.is_list(copied(value, self.means))

    def is_copied(self, line: ir.Statement) -> bool:
        """Whether a line copies the list, and does nothing else with it: the walk looks whether anybody has both."""
        if not isinstance(line, (ir.Assign, ir.Do, ir.Return)) or self.binds_list(line):
            return False
        nodes = [n for e in asked_in(line) for n in ir.walk(e)]
        return any(map(self.is_copy, nodes)) and sum(map(self.is_list, nodes)) == 1

    def without_copies(self, line: ir.Statement) -> ir.Statement:
        """`for p in ps` for `for p in list(ps)`: what runs over the list leaves it as it is, or is refused."""
        if not any(self.copies_items(n) for e in ir.expressions_of(line) for n in ir.walk(e)):
            return line
        run_over = {line.iter} if isinstance(line, ir.For) else set()
        for node in (n for e in ir.expressions_of(line) for n in ir.walk(e)):
            if isinstance(node, gast.comprehension):
                run_over.add(node.iter)
            elif isinstance(node, gast.Call) and self.is_reading(node):
                run_over.update(node.args)

        def change(node: Any) -> Any | None:
            return (
                copied(node, self.means) if node in run_over and self.copies_items(node) else None
            )

        return map_nodes(line, change)

    def copies_items(self, value: Any) -> bool:
        """`list(ps)`, `list(reversed(ps))`"""
        source: Any = None if self.is_keyed else copied(value, self.means)
        return self.is_list(source) or (
            self.is_reading(source) and any(map(self.is_list, source.args))
        )

    def is_reading(self, call: Any) -> bool:
        return isinstance(call, gast.Call) and any(self.means(call.func, name) for name in _READING)

    def stays_as_it_is(self, copy: Way, lines: Sequence[ir.Statement]) -> bool:
        """Whether lines read a list and a copy of it only: they run over them, and ask for elements."""
        if self.is_captured:
            return False
        for line in lines:
            for expression in asked_in(line):
                asked = [n for n in ir.walk(expression) if self.is_list(n)]
                copies = [n for n in ir.walk(expression) if copy.is_at(n)]
                read = {*self.read_in(line, expression)}
                if len(asked) < self.needed.way.asked(expression) or not read.issuperset(
                    asked + copies
                ):
                    return False
        return True

    def read_in(self, line: ir.Statement, expression: Any) -> Iterator[Any]:
        """What an expression runs over, and asks for elements and their number."""
        if isinstance(line, (ir.For, ir.If, ir.While)):
            yield from (expression, copied(expression, self.means))
        for node in ir.walk(expression):
            match node:
                case gast.Subscript(value=xs, ctx=gast.Load()) | gast.comprehension(iter=xs):
                    yield xs
                case gast.Call(args=args) if self.is_reading(node):
                    yield from args
                    yield from (copied(arg, self.means) for arg in args)

    # -- lines

    def lines_until_last(self, p: str, line: ir.Statement, later: ir.Block) -> list[ir.Statement]:
        """A line that gives a name to something, and those up to the last of the same block that mentions it."""
        mentions = [k for k, s in enumerate(later) if p in ir.statements.mentions((s,))]
        return [line, *ir.walk_statements(later[: max(mentions, default=-1) + 1])]

    def note_named(self, lines: list[ir.Statement], way: Way | None = None) -> None:
        """An element, or the list, has a name on these lines: what is there must not become another list."""
        origins = (getattr(line, "origin", None) for line in lines)
        self.needed.named |= {(way or self.needed.way, o) for o in origins if o is not None}

    def binds_list(self, statement: ir.Statement) -> bool:
        """Whether a line puts something else in the place of the list, or of what holds it."""
        return binds(statement, self.needed.way)
