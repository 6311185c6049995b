"""Names that may have no value yet: they are given one so that they can be saved, and reading it raises as in f."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.tangents import tangent_of
from tangentish.infer import Facts
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import constant, quote
from tangentish.kinds import UNKNOWN, Kind, Num, Seq
from tangentish.language.evaluated import always_read
from tangentish.language.webs import map_statement


def set_to_nothing(name: str, facts: Facts) -> ir.Statement:
    return ir.Assign(ir.name(name), constant(_nothing(name, facts)), NOWHERE)


def _nothing(name: str, facts: Facts) -> object:
    """What stands for no value: None, where the value itself can't be None, or nobody asks; () for a list."""
    kind = facts.web_kinds.get(name, UNKNOWN)
    if has_zeros_of_nothing(kind, name, facts):
        return ()
    own = "~" in name or name.startswith(".")
    return None if own or (isinstance(kind, Num) and not kind.optional) else Ellipsis


def has_zeros_of_nothing(kind: Kind, name: str, facts: Facts) -> bool:
    """Whether what stands for no value has a length, as zeros have: a list that nobody reads without a value."""
    listed = isinstance(kind, Seq) and not kind.is_tuple
    return listed and not any(read.id == name for read in facts.unsure)


def unsure_results(results: Iterable[Any], facts: Facts) -> ir.Block:
    """Reads of the results that may have no value, for where they are not asked for."""
    unsure = [value for value in results if value in facts.unsure]
    return tuple(ir.Do(gast.Expr(value), NOWHERE) for value in unsure)


def checked(block: ir.Block, facts: Facts, more: Collection[str] = ()) -> ir.Block:
    """The block with names set to nothing, in which their reads raise an UnboundLocalError while they are.

    These are the names of the block's own Unset statements, and `more`.
    """
    own = {s.slot.name for s in ir.walk_statements(block) if isinstance(s, ir.Unset)}
    check = _Check(facts, frozenset((*own, *more)))
    return check.block(block) if check.names else block


def with_nothing(block: ir.Block, facts: Facts, names: Collection[str] = ()) -> ir.Block:
    """The block with these names set to nothing, and those that it hands on to functions that captured them.

    What is called so raises a NameError where it reads them, if they have no value then.
    """
    nothing = {*names, *_handed_on(block, facts)}
    own = {s.slot.name for s in block if isinstance(s, ir.Unset)}
    lines = (set_to_nothing(name, facts) for name in sorted(nothing - own))
    block = (*lines, *checked(block, facts, nothing))
    captured = facts.entry_unset
    return _Check(facts, captured, "captured").block(block) if captured else block


def _handed_on(block: ir.Block, facts: Facts) -> Collection[str]:
    if not facts.handed_unset:
        return ()
    lines = ir.walk_statements(block)
    names = {
        n for s in lines for e in ir.expressions_of(s) for n in ir.walk(e) if type(n) is gast.Name
    }
    handed = {n.id for n in names & facts.handed_unset} - facts.entry.keys()
    return handed | ({tangent_of(name) for name in handed} & {n.id for n in names})


def assigned(block: ir.Block) -> frozenset[str]:
    """The values that are set for sure when the block is done."""
    names: set[str] = set()
    for statement in block:
        if isinstance(statement, ir.If):
            names |= assigned(statement.body) & assigned(statement.orelse)
        elif isinstance(statement, (ir.With, ir.Finally)):
            names |= assigned(statement.body)
        elif not isinstance(statement, (ir.For, ir.While, ir.Try)):
            names.update(ir.defined_names(statement))
    return frozenset(names)


def _only_reads_a_name(statement: ir.Statement) -> bool:
    """Whether a line is there for what it raises where a name has no value."""
    match statement:
        case ir.Do(gast.Expr(value=gast.Name())):
            return True
    return False


@dataclass
class _Check:
    facts: Facts
    names: frozenset[str]
    by: str = "assigned"

    def block(self, block: ir.Block) -> ir.Block:
        out: list[ir.Statement] = []
        for statement in block:
            start = len(out)
            while start and isinstance(out[start - 1], ir.Save):
                start -= 1
            checks = list(self.checks_before(statement))
            out[start:start] = checks
            if not (checks and _only_reads_a_name(statement)):
                out.append(self.statement(statement))
        return tuple(out)

    def statement(self, statement: ir.Statement) -> ir.Statement:
        match statement:
            case ir.Unset(slot):
                return set_to_nothing(slot.name, self.facts)
            case ir.While(test, body, stop, origin):  # its test is evaluated on every trip
                return ir.While(self.with_checks(test), self.block(body), stop, origin)
        return map_statement(statement, self.reads, self.block)

    def checks_before(self, statement: ir.Statement) -> Iterator[ir.Statement]:
        if isinstance(statement, (ir.Unset, ir.Save, ir.While)):
            return
        found: dict[str, Any] = {}
        for expression in ir.expressions_of(statement):
            for node in filter(self.is_unsure, always_read(expression)):
                found.setdefault(node.id, node)
        for node in found.values():
            yield ir.Do(gast.Expr(self.read(node)), NOWHERE)

    def reads(self, expression: Any) -> Any:
        """The expression with checks of what it does not always read."""
        always = {node.id for node in always_read(expression) if self.is_unsure(node)}
        return self.with_checks(expression, always)

    def with_checks(self, expression: Any, known: Collection[str] = ()) -> Any:
        def change(node: Any) -> Any:
            unchecked = self.is_unsure(node) and node.id not in known
            return self.read(node) if unchecked else None

        return ir.copy_expression(expression, change)

    def is_unsure(self, node: Any) -> bool:
        return type(node) is gast.Name and node.id in self.names and node in self.facts.unsure

    def read(self, node: Any) -> Any:
        rest = "" if _nothing(node.id, self.facts) is None else ", ..."
        name = constant(ir.base_name(node.id))
        return quote(f"{self.by}({{x}}, {{name}}{rest})", x=node, name=name)
