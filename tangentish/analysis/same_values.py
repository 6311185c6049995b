"""Expressions that several places of a block compute, where nothing between binds their names or writes to them.

v = np.sqrt(s * dt) * z
s = s + k * np.sqrt(s * dt)      both roots have one value
u = np.sqrt(s * dt)              and this has another
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer import Callee, Facts
from tangentish.infer.known_functions import is_in_tables
from tangentish.kinds import Num, is_number, sites_of_buffers
from tangentish.language.nested import Closure
from tangentish.language.scopes import COMPREHENSIONS
from tangentish.rules import RULES, Rule


@dataclass
class Group:
    """The same expression at several places, in the order of evaluation."""

    names: frozenset[str]
    parts: list[Any]
    lines: list[int]  # of the block, which compute them


def groups_of(
    block: ir.Block, facts: Facts, computed: Callable[[ir.Assign | ir.Update], Iterable[Any]]
) -> Iterator[Group]:
    """Each expression that `computed` finds more than once in the assignments and updates of a block."""
    found = [
        [(_outline(part), part) for part in computed(line)]
        if isinstance(line, (ir.Assign, ir.Update)) and line in facts.before
        else []
        for line in block
    ]
    counts = Counter(outline for parts in found for outline, _ in parts)
    several = [[part for outline, part in parts if counts[outline] > 1] for parts in found]
    forms = Counter(ir.dump(part) for parts in several for part in parts)
    open_groups: dict[str, Group] = {}
    for k, (line, parts) in enumerate(zip(block, several, strict=True)):
        for part in parts:
            form = ir.dump(part)
            if forms[form] > 1:
                _enter(open_groups, form, part, k)
        changed = [form for form, g in open_groups.items() if _is_changed(g.names, line, facts)]
        yield from map(open_groups.pop, changed)
    yield from open_groups.values()


def _outline(part: Any) -> tuple[Any, ...]:
    """What expressions that are written alike have in common: told without writing them."""
    below = ir.children(part)
    names = [getattr(n, "id", None) for node in below for n in (node, *ir.children(node))]
    return part.__class__, *names


def _enter(groups: dict[str, Group], form: str, part: Any, line: int) -> None:
    group = groups.get(form)
    if group is None:
        groups[form] = Group(frozenset(ir.names_in(part)), [part], [line])
    else:
        group.parts.append(part)
        group.lines.append(line)


def computed_again(block: ir.Block, facts: Facts) -> dict[Any, Any]:
    """Operations on numbers and arrays, and the first of the block that has the same value."""
    firsts: dict[Any, Any] = {}
    for group in groups_of(block, facts, lambda line: _operations(line, facts)):
        first, *others = group.parts
        firsts.update((part, first) for part in others)
    return firsts


def _operations(line: ir.Assign | ir.Update, facts: Facts) -> Iterator[Any]:
    """Those inside an expression of which the value is no more than that of their operands, and goes into a new one.

    What is kept as it is, in a list or by a view, is an array of its own each time: it may be written to.
    """
    for node, above in _evaluated(line.value):
        if _is_operation(node, facts) and _is_used_up(node, above, facts):
            yield node


def _is_used_up(node: Any, above: Any, facts: Facts) -> bool:
    """Whether no array that an expression gives outlives the one around it."""
    if is_number(facts.kinds.get(node)) or isinstance(above, gast.UnaryOp):
        return True
    if isinstance(above, gast.BinOp):
        return isinstance(facts.kinds.get(above), Num)
    if not isinstance(above, gast.Call):
        return False
    rule = facts.rule_of(above)
    reduces = isinstance(rule, Rule) and rule.law == "reduction"
    return reduces or isinstance(facts.function_of(above), np.ufunc)


def _evaluated(node: Any) -> list[tuple[Any, Any]]:
    """The operations inside that are evaluated for sure, and once, in their order, each with what it stands in."""
    found: list[tuple[Any, Any]] = []
    pending: list[tuple[Any, Any]] = [(node, None)]
    while pending:  # what comes last is met first
        part, above = pending.pop()
        if isinstance(part, _ON_SOME_WAYS):
            continue
        pending += zip(ir.children(part), repeat(part))
        if above is not None and isinstance(part, _OPERATIONS):
            found.append((part, above))
    return found[::-1]


_OPERATIONS = (gast.BinOp, gast.Call)
_ON_SOME_WAYS = (gast.IfExp, gast.BoolOp, gast.Compare, gast.Lambda, Closure, *COMPREHENSIONS)


def _is_operation(node: Any, facts: Facts) -> bool:
    """Whether this makes a number or array of numbers and arrays that have names, by rules for their elements."""
    match node:
        case gast.Name(id=name):
            return ir.is_value(name) and isinstance(facts.kinds.get(node), Num)
        case gast.Constant():
            return True
        case gast.UnaryOp(operand=operand):
            return _is_operation(operand, facts)
        case gast.Subscript(value=value, slice=index):
            bounds = (bound for part in ir.parts_of(index) for bound in ir.bounds_of(part))
            return _is_operation(value, facts) and all(_is_operation(b, facts) for b in bounds)
        case gast.BinOp(left=left, right=right):
            numbers = isinstance(facts.kinds.get(node), Num)
            return numbers and _is_operation(left, facts) and _is_operation(right, facts)
        case gast.Attribute(value=gast.Name() as module):
            return getattr(facts.kinds.get(module), "value", None) in (np, math)
        case gast.Call(args=args, keywords=[]):
            callee = facts.callees.get(node)
            elementwise = callee is not None and _is_elementwise(callee)
            return elementwise and all(_is_operation(a, facts) for a in args)
    return False


def _is_elementwise(callee: Callee) -> bool:
    """Whether a function has such a rule, which a call of what does not vary has no need of."""
    if callee.user is not None or not (callee.rule or is_in_tables(callee.function)):
        return False
    rule = callee.rule or next(iter(RULES.get(callee.function, ())), None)
    return isinstance(rule, Rule) and rule.law == "elementwise"


def _is_changed(names: frozenset[str], line: ir.Statement, facts: Facts) -> bool:
    """Whether a line binds one of the names, or writes to what they stand for, as others may that hold it."""
    sites = {site for name in names for site in facts.sites(name)}
    shared = not sites.isdisjoint(facts.let_out | sites_of_buffers(frozenset(facts.outside)))
    for inner in ir.walk_statements((line,)):
        if shared and (
            inner in facts.effects or not facts.changes.keys().isdisjoint(ir.nodes_in(inner))
        ):
            return True
        written = facts.writes.get(inner, ())
        if not names.isdisjoint((*ir.defined_names(inner), *written)):
            return True
        if any(not sites.isdisjoint(facts.sites(name)) for name in written):
            return True
    return False
