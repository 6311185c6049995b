"""A name that stands for one of several arrays becomes several names, and a number that says which.

    if c: v = a                 if c: v_0 = a; v_which = 0
    else: v = b           ->    else: v_1 = b; v_which = 1
    v[0] = s                    if v_which == 0: v_0[0] = s
                                else: v_1[0] = s

so that each is the view of one array. Names that are handed on to each other (`a, b = b, a`) share their arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import gast

from tangentish import ir
from tangentish.infer import Facts, is_range
from tangentish.ir.quote import constant, quote
from tangentish.kinds import is_array
from tangentish.language.nested import Closure
from tangentish.language.other_names import renamed
from tangentish.language.webs import map_blocks, map_statement

MOST_WAYS = 4  # in which one line may stand in the text
MOST_STATES = 64


def is_one_of_several(name: str) -> bool:
    """Whether a name is one of those made here, which are read only where they have a value."""
    return ".+=one=" in name


def told_apart(function: ir.Function, name: str, facts: Facts) -> ir.Function | None:
    """The function in which `name` is told apart; None where that is not known, or would take too many lines."""
    if is_one_of_several(name):
        return None
    try:
        group = Group.of(Bindings(function, facts), name)
        if len(group.arrays) < 2:
            return None
        group.follow(function.body)
        body = (*group.on_entry(), *group.block(function.body))
    except TooMuch:
        return None
    return replace(function, body=body)


class TooMuch(Exception):
    """It is not known which arrays there are, or the text would become too long."""


@dataclass(frozen=True)
class _Array:
    """One of the arrays that the names stand for: where it is bound, and its name."""

    target: Any
    name: str


State = tuple[int, ...]  # which array each of the names stands for; -1 where it has no value
States = frozenset[State]
Definition = tuple[ir.Statement, Any, Any]  # statement, target, value if it has one of its own


@dataclass(frozen=True)
class Bindings:
    """What binds names in a function: found once for all the names that are asked for."""

    function: ir.Function
    facts: Facts

    @cached_property
    def definitions(self) -> list[Definition]:
        return list(_definitions(self.function, self.facts))

    @cached_property
    def handed(self) -> dict[str, set[str]]:
        """The names that each name is bound to."""
        found: dict[str, set[str]] = {}
        for _, target, value in self.definitions:
            if isinstance(value, gast.Name):
                found.setdefault(target.id, set()).add(value.id)
        return found

    @cached_property
    def by_name(self) -> dict[str, list[Definition]]:
        found: dict[str, list[Definition]] = {}
        for definition in self.definitions:
            found.setdefault(definition[1].id, []).append(definition)
        return found

    def of(self, names: frozenset[str]) -> list[Definition]:
        """What binds the names, in the order of the text."""
        if len(names) > 1:
            return [definition for definition in self.definitions if definition[1].id in names]
        (name,) = names
        return self.by_name.get(name, [])

    @cached_property
    def in_loops(self) -> set[ir.Statement]:
        return {
            s
            for loop in ir.walk_statements(self.function.body)
            if isinstance(loop, (ir.For, ir.While))
            for s in ir.walk_statements(loop.body)
        }


@dataclass
class Group:
    """Names that are bound to each other, and the arrays that they may stand for."""

    facts: Facts
    names: frozenset[str]
    arrays: list[_Array] = field(default_factory=list)
    given: list[tuple[str, int]] = field(default_factory=list)  # parameters among the names
    states: dict[ir.Statement, States] = field(default_factory=dict)
    made: int = 0

    @classmethod
    def of(cls, bindings: Bindings, name: str) -> Group:
        facts, handed = bindings.facts, bindings.handed
        after = _reached(name, handed)
        names = frozenset({name} | {n for n in after if name in _reached(n, handed)})
        group = cls(facts, names)
        for parameter in bindings.function.parameters:
            if parameter in names:
                group.given.append((parameter, len(group.arrays)))
                group.add(ir.name(parameter), facts.entry[parameter])
        for statement, target, value in bindings.of(names):
            if not group.is_handed_on(value):
                if len(names) > 1 and statement in bindings.in_loops:
                    raise TooMuch  # another name may stand for the array of an earlier trip
                group.add(target, facts.kind(target))
        return group

    @property
    def order(self) -> list[str]:
        return sorted(self.names)

    def is_handed_on(self, value: Any) -> bool:
        return isinstance(value, gast.Name) and value.id in self.names

    def add(self, target: Any, kind: Any) -> None:
        if not is_array(kind):
            raise TooMuch
        mark = target.id.replace(".", "=")
        name = f"{ir.base_name(target.id)}.+=one={mark}={len(self.arrays)}"
        self.arrays.append(_Array(target, name))

    def which(self, name: str) -> Any:
        return ir.name(f"{ir.base_name(name)}_which.+={name.replace('.', '=')}")

    def on_entry(self) -> Iterator[ir.Statement]:
        nowhere = ir.Origin(None, "")
        for parameter, k in self.given:
            yield ir.Assign(ir.name(self.arrays[k].name), ir.name(parameter), nowhere)
            yield ir.Assign(self.which(parameter), constant(k), nowhere)

    # -- which arrays the names stand for at a time

    def follow(self, body: ir.Block) -> None:
        """Find out what the names may stand for together, before every statement."""
        start = tuple(dict(self.given).get(name, -1) for name in self.order)
        self.after(body, frozenset({start}))

    def after(self, block: ir.Block, states: States) -> States:
        for statement in block:
            self.states[statement] = self.states.get(statement, frozenset()) | states
            states = self.after_statement(statement, states)
            if len(states) > MOST_STATES:
                raise TooMuch
        return states

    def after_statement(self, statement: ir.Statement, states: States) -> States:
        match statement:
            case ir.Assign():
                return frozenset(self.after_binding(statement, state) for state in states)
            case ir.If(_, body, orelse):
                return self.after(body, states) | self.after(orelse, states)
            case ir.For() | ir.While():
                while not (more := self.after(statement.body, states)) <= states:
                    states |= more
                return states
        for block in ir.blocks_of(statement):
            states |= self.after(block, states)
            inside = (self.states[s] for s in ir.walk_statements(block))
            states = states.union(*inside)  # an exception may come anywhere
        return states

    def after_binding(self, statement: ir.Assign, state: State) -> State:
        known = dict(zip(self.order, state, strict=True))
        new = dict(known)
        for target, value in pairs_of(statement):
            for node in _bound(target):
                if node.id in self.names:
                    handed = node is target and self.is_handed_on(value)
                    new[node.id] = known[value.id] if handed else self.place(node)
        return tuple(new[name] for name in self.order)

    def possible(self, names: Sequence[str], statement: ir.Statement) -> list[State]:
        """Which of the arrays the names may stand for together where a statement reads them."""
        places = [self.order.index(name) for name in names]
        found = {tuple(state[k] for k in places) for state in self.states[statement]}
        return sorted(state for state in found if -1 not in state)

    # -- statements

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(new for old in block for new in self.statement(old))

    def statement(self, old: ir.Statement) -> Iterator[ir.Statement]:
        if old not in self.facts.before:
            yield old
            return
        match old:
            case ir.Assign():
                yield from self.assigned(old)
            case ir.Update() | ir.Do():
                yield from self.chosen(old, old)
            case ir.Return(values, is_tuple, origin):
                lines, new = self.named(values, old, "y")
                yield from lines
                yield ir.Return(tuple(new), is_tuple, origin)
            case ir.If(test, body, orelse, origin):
                lines, [new] = self.named([test], old, "test")
                yield from lines
                yield ir.If(new, self.block(body), self.block(orelse), origin)
            case ir.For():
                yield from self.loop(old)
            case _:
                if any(self.reads(e) for e in ir.expressions_of(old)):
                    raise TooMuch
                yield map_blocks(old, self.block)

    def loop(self, old: ir.For) -> Iterator[ir.Statement]:
        iterator = old.iter
        if is_range(iterator, self.facts):
            lines, new = self.named(iterator.args, old, "n")
            if new != iterator.args:
                call = gast.Call(iterator.func, new, [])
                iterator = gast.copy_location(call, iterator)
        else:
            lines, [iterator] = self.named([iterator], old, "items")
        if old.stop is not None and self.reads(old.stop):
            raise TooMuch
        yield from lines
        yield ir.For(old.target, iterator, self.block(old.body), old.stop, old.origin)

    def named(
        self, expressions: Sequence[Any], statement: Any, stem: str
    ) -> tuple[list[ir.Statement], list[Any]]:
        """Expressions that read one of the names get names themselves."""
        lines: list[ir.Statement] = []
        new = []
        for expression in expressions:
            if not self.reads(expression):
                new.append(expression)
                continue
            self.made += 1
            name = f"{stem}.+={min(self.names).replace('.', '=')}={self.made}"
            target = gast.copy_location(ir.name(name), expression)
            one = ir.Assign(target, expression, statement.origin)
            lines += self.chosen(one, statement)
            new.append(gast.copy_location(ir.name(name), expression))
        return lines, new

    def assigned(self, old: ir.Assign) -> Iterator[ir.Statement]:
        """The line without what is handed on, its arrays under their names, and then which is which."""
        bound: list[tuple[str, Any]] = []
        targets, values = [], []
        for target, value in pairs_of(old):
            mine = [node for node in _bound(target) if node.id in self.names]
            if mine == [target] and self.is_handed_on(value):
                bound.append((target.id, self.which(value.id)))
                continue
            places = {node: self.place(node) for node in mine}
            bound += [(node.id, constant(k)) for node, k in places.items()]
            targets.append(self.with_places(target, places))
            values.append(value)
        if targets:
            yield from self.chosen(_line(old, targets, values), old)
        if len(bound) > 1:
            ways = gast.Tuple([self.which(n) for n, _ in bound], gast.Store())
            yield ir.Assign(ways, gast.Tuple([v for _, v in bound], gast.Load()), old.origin)
        elif bound:
            yield ir.Assign(self.which(bound[0][0]), bound[0][1], old.origin)

    def place(self, target: Any) -> int:
        return next(k for k, array in enumerate(self.arrays) if array.target is target)

    def with_places(self, target: Any, places: Mapping[Any, int]) -> Any:
        def change(node: Any) -> Any | None:
            if node not in places:
                return None
            return gast.copy_location(ir.name(self.arrays[places[node]].name), node)

        return ir.copy_expression(target, change)

    # -- reads

    def reads(self, expression: Any) -> list[str]:
        found = [n for n in dict.fromkeys(ir.names_in(expression)) if n in self.names]
        if found and any(isinstance(node, Closure) for node in ir.walk(expression)):
            raise TooMuch
        return found

    def chosen(self, line: ir.Statement, at: ir.Statement) -> ir.Block:
        """A line once for each of the arrays that the names in it may stand for."""
        names = list(dict.fromkeys(n for e in ir.expressions_of(line) for n in self.reads(e)))
        states = self.possible(names, at)
        if not states or len(states) > MOST_WAYS:
            raise TooMuch
        return self.branches(line, names, states)

    def branches(self, line: Any, names: Sequence[str], states: Sequence[State]) -> ir.Block:
        for k, name in enumerate(names):
            ways = sorted({state[k] for state in states})
            if len(ways) > 1:
                *others, last = ways
                block = self.branches(line, names, [s for s in states if s[k] == last])
                for way in reversed(others):
                    test = quote("{w} == {k}", w=self.which(name), k=constant(way))
                    taken = self.branches(line, names, [s for s in states if s[k] == way])
                    block = (ir.If(test, taken, block, line.origin),)
                return block
        return (self.with_arrays(line, dict(zip(names, states[0], strict=True))),)

    def with_arrays(self, line: ir.Statement, known: Mapping[str, int]) -> ir.Statement:
        names = {name: self.arrays[k].name for name, k in known.items()}

        def own(expression: Any) -> Any:
            return ir.duplicate(renamed(expression, names))

        return map_statement(line, own if known else lambda e: e, lambda b: b)


def _definitions(function: ir.Function, facts: Facts) -> Iterator[Definition]:
    for statement in ir.walk_statements(function.body):
        if statement not in facts.before or isinstance(statement, ir.Update):
            continue
        if isinstance(statement, ir.Assign):
            for target, value in pairs_of(statement):
                for node in _bound(target):
                    yield statement, node, value if node is target else None
        else:
            for name in ir.defined_names(statement):
                yield statement, ir.name(name), None


def _bound(target: Any) -> Iterator[Any]:
    """The names that a target binds."""
    match target:
        case gast.Name():
            yield target
        case gast.Tuple(elts=elements) | gast.List(elts=elements):
            for element in elements:
                yield from _bound(element)
        case gast.Starred(value=inner):
            yield from _bound(inner)


def pairs_of(statement: ir.Assign) -> list[tuple[Any, Any]]:
    """Targets and what each is bound to; one pair where that is not told apart."""
    target, value = statement.target, statement.value
    displays = (gast.Tuple, gast.List)
    if (
        isinstance(target, displays)
        and isinstance(value, displays)
        and len(target.elts) == len(value.elts)
        and not any(isinstance(e, gast.Starred) for e in (*target.elts, *value.elts))
    ):
        return list(zip(target.elts, value.elts, strict=True))
    return [(target, value)]


def _line(old: ir.Assign, targets: list[Any], values: list[Any]) -> ir.Assign:
    """The assignment of what is left of one."""
    if len(targets) == 1:
        return ir.Assign(targets[0], values[0], old.origin)
    return ir.Assign(
        gast.copy_location(gast.Tuple(targets, gast.Store()), old.target),
        gast.copy_location(gast.Tuple(values, gast.Load()), old.value),
        old.origin,
    )


def _reached(name: str, edges: Mapping[str, set[str]]) -> set[str]:
    """The names that a name is bound to, and those that these are bound to."""
    found: set[str] = set()
    left = [name]
    while left:
        for other in edges.get(left.pop(), set()) - found:
            found.add(other)
            left.append(other)
    return found
