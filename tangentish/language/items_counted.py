"""An iterator over an array or a list from which lines take items one by one, on any way: how many is counted.

it = iter(x)                           it = x; taken = 0
while True:                            while True:
    try:                                   try:
        v = next(it)           ->              if taken >= len(it): raise StopIteration
    except StopIteration:                      v = it[taken]; taken += 1
        break                              except StopIteration: break

v = next(it, d)                ->      if taken < len(it): v = it[taken]; taken += 1
                                       else: v = d
for v in it: ...               ->      while taken < len(it): v = it[taken]; taken += 1; ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.ir.quote import constant, quote
from tangentish.language.items_taken import LATE
from tangentish.language.placed import all_at
from tangentish.language.webs import map_blocks, map_nodes


def with_items_counted(
    body: ir.Block, line: ir.Assign, is_undisturbed: Callable[[Sequence[ir.Statement]], bool]
) -> ir.Block | None:
    """The lines without the iterator that a line makes; None where it is used otherwise."""
    around = next((b for b in (body, *ir.statements.blocks_within(body)) if line in b), ())
    place = around.index(line)
    later, name = around[place + 1 :], line.target.id
    counted = _Counted(name, f"{ir.base_name(name)}_taken.{name.rpartition('.')[2]}")
    elsewhere = ir.statements.mentions(body)[name] - ir.statements.mentions(later)[name]
    if elsewhere != 1 or counted.taken in ir.statements.mentions(body) or not is_undisturbed(later):
        return None
    new = counted.block(later)
    if not counted.is_followed:
        return None
    first = (
        ir.Assign(line.target, line.value.args[0], line.origin),
        ir.Assign(ir.name(counted.taken), constant(0), line.origin),
    )

    def block(lines: ir.Block) -> ir.Block:
        if lines is around:
            return (*around[:place], *first, *new)
        return tuple(map_blocks(s, block) for s in lines)

    return block(body)


@dataclass
class _Counted:
    """The lines that take items.

    name: that of the iterator; taken: that of the count.
    """

    name: str
    taken: str
    items: int = 0
    is_followed: bool = field(default=True)

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(line for statement in block for line in self.lines(statement))

    def lines(self, statement: ir.Statement) -> Iterator[ir.Statement]:
        count = ir.mentioned(statement).count(self.name)
        if not count:
            yield map_blocks(statement, self.block)
            return
        match statement:
            case ir.For(target, gast.Name(), body, stop, origin) if count == 1:
                test = all_at(
                    quote("{k} < len({it})", k=self.counter(), it=self.iterated()), target
                )
                item = self.item_given_to(target, target, origin)
                yield ir.While(test, (*item, *self.block(body)), stop, origin)
                return
            case ir.Assign() | ir.Update() | ir.Do() | ir.Return() if count == 1:
                call = self.first_call(statement)
                if call is not None:
                    yield from self.line_with_item(statement, call)
                    return
        self.is_followed = False

    def first_call(self, line: ir.Statement) -> Any | None:
        """`next(it)` on a line that does it whatever comes, and before anything else that may be seen to be late."""
        nodes = ir.nodes_in(line)
        call = next((n for n in nodes if self.takes(n)), None)
        late = {part for n in nodes if isinstance(n, LATE) for part in ir.walk(n)}
        others = (n for n in nodes if isinstance(n, gast.Call) and n is not call)
        around = call is not None and all(call in ir.walk(other) for other in others)
        return call if around and call not in late else None

    def takes(self, node: Any) -> bool:
        match node:
            case gast.Call(
                func=gast.Name(id="next"),
                args=[gast.Name(id=it)] | [gast.Name(id=it), gast.Constant() | gast.Name()],
                keywords=[],
            ):
                return bool(it == self.name)
        return False

    def line_with_item(self, line: Any, call: Any) -> Iterator[ir.Statement]:
        """The lines that take the item, and the line with it."""
        given = (
            isinstance(line, ir.Assign)
            and line.value is call
            and isinstance(line.target, gast.Name)
        )
        target = line.target if given else self.fresh()
        have = self.item_given_to(target, call, line.origin)
        more = quote("{k} < len({it})", k=self.counter(), it=self.iterated())
        if len(call.args) > 1:
            default = ir.Assign(ir.duplicate(target), call.args[1], line.origin)
            yield ir.If(all_at(more, call), have, (default,), line.origin)
        else:
            none = quote("{k} >= len({it})", k=self.counter(), it=self.iterated())
            ended = gast.Raise(ir.name("StopIteration"), None)
            yield ir.If(
                all_at(none, call), (ir.Do(all_at(ended, call), line.origin),), (), line.origin
            )
            yield from have
        if not given:
            yield map_nodes(line, {call: all_at(ir.name(target.id), call)}.get)

    def item_given_to(self, target: Any, like: Any, origin: ir.Origin) -> ir.Block:
        item = all_at(quote("{it}[{k}]", it=self.iterated(), k=self.counter()), like)
        return (
            ir.Assign(target, item, origin),
            ir.Update(self.counter(), gast.Add(), constant(1), origin),
        )

    def fresh(self) -> Any:
        self.items += 1
        return ir.name(f"{ir.base_name(self.name)}_item.{self.items}")

    def counter(self) -> Any:
        return ir.name(self.taken)

    def iterated(self) -> Any:
        return ir.name(self.name)
