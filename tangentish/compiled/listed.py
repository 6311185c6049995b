"""Lists written as loops, in functions that store to arrays.

    xs = [f(k) for k in range(n)]       ->      xs = []
                                                for k in range(n):
                                                    xs.append(f(k))

Numba (0.68 and before) writes them so, too, and then drops stores to arrays that the function reads under another name
only, which came with it in a tuple of a call: the way back undid a store that later lines did not see undone.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.effects import has_no_effects
from tangentish.language.webs import map_blocks, map_statement, renamed_in


def with_loops_for_lists(block: ir.Block) -> ir.Block:
    """The block with its list comprehensions before the lines that they stand in; as it is where nothing is stored."""
    return _Written().block(block) if any(map(_stores, ir.walk_statements(block))) else block


def _stores(statement: ir.Statement) -> bool:
    match statement:
        case ir.Assign(gast.Subscript()) | ir.Update():
            return True
    return False


class _Written:
    def __init__(self) -> None:
        self.count = 0

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(line for statement in block for line in self.lines(statement))

    def lines(self, statement: ir.Statement) -> Iterator[ir.Statement]:
        match statement:
            case ir.Assign(gast.Name() as target, gast.ListComp() as listed, origin) if (
                target.id not in ir.names_in(listed)
            ):
                yield from self.loop(target, listed, origin)
            case ir.Assign() | ir.Update() | ir.Do() | ir.Return() if _in_any_order(statement):
                before: list[ir.Statement] = []
                take = partial(self.without_lists, origin=statement.origin, before=before)
                statement = map_statement(statement, take, self.block)
                yield from (*before, statement)
            case _:
                yield map_blocks(statement, self.block)

    def without_lists(self, e: Any, origin: Any, before: list[ir.Statement]) -> Any:
        def change(node: Any) -> Any:
            match node:
                case gast.ListComp():
                    name = self.fresh("listed")
                    before.extend(self.loop(name, node, origin))
                    return ir.name(name.id)
                case gast.IfExp() | gast.BoolOp() | gast.Lambda() | gast.GeneratorExp():
                    return node  # what is not always evaluated, or not yet
            return None

        return ir.copy_expression(e, change)

    def fresh(self, base: str) -> Any:
        self.count += 1
        return ir.name(f"{base}.~listed{self.count}", gast.Store())

    def loop(self, target: Any, listed: Any, origin: Any) -> Iterator[ir.Statement]:
        yield ir.Assign(target, gast.List([], gast.Load()), origin)
        append = gast.Attribute(ir.name(target.id), "append", gast.Load())
        body: ir.Statement = ir.Do(gast.Expr(gast.Call(append, [listed.elt], [])), origin)
        for generator in reversed(listed.generators):
            for test in reversed(generator.ifs):
                body = ir.If(test, (body,), (), origin)
            body = ir.For(generator.target, generator.iter, (body,), None, origin)
        yield from self.block((self.with_own_names(body, listed),))

    def with_own_names(self, loop: ir.Statement, listed: Any) -> ir.Statement:
        """A comprehension's variables are no others'."""
        names = {
            name: self.fresh(ir.base_name(name)).id
            for generator in listed.generators
            for name in ir.target_names(generator.target)
        }
        (line,) = renamed_in((loop,), names)
        return line


def _in_any_order(statement: Any) -> bool:
    """Whether no call in the line sees what a list of it does, or the other way round."""
    return all(has_no_effects(e) for e in ir.expressions_of(statement))
