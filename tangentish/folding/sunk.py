"""What the forward pass computes for one line of the adjoint alone is computed there.

t = 1 + e                                ->      dz = dy / (1 + e) * e
dz = dy / t * e

t = 2 * np.pi * h                        ->      dh = dy / h
dh = dy / t * (2 * np.pi)

s = 1 / (1 + e)                          ->      dz = dy / (1 + e)
dz = dy * s

t_1 = t * r                              ->      dr = dy * (2 * r * t)
dr = dy * (r * t + t_1)

Nothing more is kept for that: what it is computed from is there for the adjoint anyway. Where both are one function, so
are its arguments, and a line may raise later than it did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.effects import has_no_effects
from tangentish.algebra.expressions import size
from tangentish.algebra.like_terms import with_like_terms_added
from tangentish.algebra.tidy import Kinds, without_factor
from tangentish.language.webs import map_statement

LARGEST = 12  # nodes of what is computed later


def sink(
    forward: ir.Block,
    adjoint: ir.Block,
    results: Iterable[Any],
    is_free: Callable[[ir.Statement], bool],
    is_known: Callable[[Any], bool],
    is_fixed: Callable[[Any], bool],
    given: Container[str] | None,
    kind: Kinds,
) -> tuple[ir.Block, ir.Block]:
    """Forward pass and adjoint with fewer names between them.

    results: what is returned. is_free: whether a line has no effects, and raises nothing. is_known: whether a call
    is of a function that has a rule, and so no effects. is_fixed: whether a name stands for the same everywhere.
    given: the arguments, where forward pass and adjoint are one function, else None.
    """
    kept = {name for e in results for name in ir.names_in(e)}
    way = Way(adjoint, is_known, is_fixed, given or ())
    out: list[ir.Statement] = []
    for place, line in reversed(list(enumerate(forward))):
        if way.stores:  # above this line, too
            out += reversed(forward[: place + 1])
            break
        match line:
            case ir.Assign(gast.Name(id=name), value) if (
                "~" in name and name not in kept and way.is_clear(name, value)
            ) and (given is not None or is_free(line)):
                new = _read_there(adjoint, name, value, is_free(line), kind)
                if new is not None:
                    adjoint = new
                    way.reads.update(ir.names_in(value))
                    continue
        out.append(line)
        way.lengthen(line)
    return tuple(reversed(out)), adjoint


class Way:
    """From a line of the forward pass to the end of the adjoint: what is read there, and what changes."""

    def __init__(
        self,
        adjoint: ir.Block,
        is_known: Callable[[Any], bool],
        is_fixed: Callable[[Any], bool],
        given: Container[str],
    ) -> None:
        self.is_known, self.is_fixed, self.given = is_known, is_fixed, given
        self.changed: set[str] = set()
        self.stores = False
        for line in adjoint:
            self.see(line, of_adjoint=True)
        self.reads = Counter(() if self.stores else _names(adjoint))
        self.there = frozenset(self.reads)

    def lengthen(self, line: ir.Statement) -> None:
        """The way from the line above."""
        self.reads.update(_names((line,)))
        self.see(line)

    def see(self, line: ir.Statement, of_adjoint: bool = False) -> None:
        for statement in () if self.stores else ir.walk_statements((line,)):
            self.changed.update(ir.defined_names(statement), ir.stored_names(statement))
            self.stores = self.stores or self.may_store(statement, of_adjoint)

    def is_clear(self, name: str, value: Any) -> bool:
        """Whether a value that is read once, in the adjoint, is the same there as here, and worth the change."""
        return (
            not self.stores
            and self.reads[name] == 1
            and name in self.there
            and not isinstance(value, gast.Name)
            and size(value) <= LARGEST
            and self.is_pure(value)
            and all(map(self.is_there, ir.walk(value)))
        )

    def is_there(self, node: Any) -> bool:
        """Whether a name stands for the same at the end of the way, where nothing is kept for it."""
        if type(node) is not gast.Name or self.is_fixed(node):
            return True
        return node.id not in self.changed and (node.id in self.there or node.id in self.given)

    def may_store(self, statement: ir.Statement, of_adjoint: bool) -> bool:
        """Whether memory may change that the forward pass reads: gradients have memory of their own."""
        if not all(map(self.is_pure, ir.expressions_of(statement))):
            return True
        match statement:
            case ir.Comment() | ir.If() | ir.For() | ir.While():
                return False
            case ir.Save(slot) | ir.Restore(slot):
                return slot.content or slot.undo is not None
            case ir.Assign() | ir.Update():
                stored = ir.stored_names(statement)
                return bool(stored) and not (of_adjoint and all("~" in name for name in stored))
        return True

    def is_pure(self, e: Any) -> bool:
        """Whether nothing in an expression has effects."""
        calls = (node for node in ir.walk(e) if isinstance(node, gast.Call))
        return all(self.is_known(call) or has_no_effects(call) for call in calls)


def _names(block: ir.Block) -> Iterator[str]:
    for statement in ir.walk_statements(block):
        yield from ir.mentioned(statement)
        if isinstance(statement, (ir.Save, ir.Restore)):
            yield from (*ir.names_in(statement.slot.target), statement.slot.name)


def _read_there(
    block: ir.Block, name: str, value: Any, may_skip: bool, kind: Kinds
) -> ir.Block | None:
    """The adjoint with a value in place of its name; None where that would be evaluated several times.

    may_skip: whether it may stand on a branch, which is not always taken.
    """
    out: list[ir.Statement] = []
    for statement in block:
        if name not in _names((statement,)):
            out.append(statement)
            continue
        new = _with_value(statement, name, value, may_skip, kind)
        if new is None:
            return None
        out.append(new)
    return tuple(out)


def _with_value(
    statement: ir.Statement, name: str, value: Any, may_skip: bool, kind: Kinds
) -> ir.Statement | None:
    match statement:
        case ir.If(test, body, orelse, origin) if may_skip and name not in ir.names_in(test):
            new = _read_there(body, name, value, may_skip, kind)
            other = _read_there(orelse, name, value, may_skip, kind)
            return None if new is None or other is None else ir.If(test, new, other, origin)
        case ir.Assign(_, e) | ir.Update(_, _, e) if _is_evaluated_once(e, name):
            return map_statement(statement, lambda e: _replaced(e, name, value, kind), lambda b: b)
    return None


def _is_evaluated_once(e: Any, name: str) -> bool:
    repeated = (
        n for n in ir.walk(e) if isinstance(n, (gast.ListComp, gast.GeneratorExp, gast.Lambda))
    )
    return name in ir.names_in(e) and not any(name in ir.names_in(n) for n in repeated)


def _replaced(e: Any, name: str, value: Any, kind: Kinds) -> Any:
    def change(node: Any) -> Any | None:
        match node:
            case gast.Name(id=found):
                return value if found == name else None
            case gast.BinOp(
                left=gast.BinOp(left=rest, op=gast.Div() as over, right=gast.Name(id=found)),
                op=gast.Mult(),
                right=factor,
            ) if found == name and (t := without_factor(value, factor, kind)) is not None:
                return ir.binary(ir.copy_expression(rest, change), over, t)
            case gast.BinOp(left=rest, op=gast.Mult(), right=gast.Name(id=found)):
                if found == name and (below := _divisor_of_one(value)) is not None:
                    return ir.binary(ir.copy_expression(rest, change), gast.Div(), below)
            case gast.BinOp(left=rest, op=gast.Add(), right=gast.Name(id=found)) if found == name:
                total, *others = with_like_terms_added([rest, value])
                return None if others else total
        return None

    return ir.copy_expression(e, change)


def _divisor_of_one(value: Any) -> Any | None:
    """What 1 is divided by: a product with `1 / t` is a quotient."""
    match value:
        case gast.BinOp(left=gast.Constant(value=1), op=gast.Div(), right=below):
            return below
    return None
