"""Normal form -> the adjoint: the statements that walk back and build up the gradients.

Every statement is taken back by the rule of its outermost operation, then its operands', down to names: what
arrives at a name is added to that name's gradient. Every overwritten value gets a `Restore`;
recording/liveness.py deletes those that nobody reads, together with their saves.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.adjoint.branches import raises
from tangentish.adjoint.given_by_others import OfOthers
from tangentish.adjoint.reverse_loops import ReverseLoops
from tangentish.algebra.changed import changed_by
from tangentish.algebra.new_values import reads_new_value, with_new_value, without_marks
from tangentish.analysis.list_changes import list_method
from tangentish.analysis.same_values import computed_again
from tangentish.ir import Slot
from tangentish.ir.origins import NOWHERE, origin_of
from tangentish.ir.quote import constant, quote
from tangentish.kinds import UNKNOWN, Kind, Known, Num, is_number, scalar
from tangentish.kinds.lengths import same_shape
from tangentish.rules import RULES
from tangentish.runtime.cuts import stop_gradient
from tangentish.text.noting import Noting


@dataclass
class Reverse(ReverseLoops):
    """The walk back over one function."""

    ways: dict[ir.Try, str] = field(default_factory=dict)  # which handler an exception went to
    catching: int = 0  # how many statements stand around that may catch an exception
    commented: int | None = None  # the line that the last comment shows
    kept_new: set[str] = field(default_factory=set)  # names of new values, set before a restore
    taken_back: set[ir.Origin] = field(default_factory=set)
    made_slots: dict[ir.Block, list[ir.Slot]] = field(default_factory=dict)
    noting: Noting | None = None
    of_others: OfOthers | None = None

    def is_changed_outside(self, node: Any) -> bool:
        """Whether this lies in memory that a call changes, or that others hold, who may write to it."""
        of_others = self.of_others is not None and self.of_others.is_to_be_copied(node)
        return of_others or super().is_changed_outside(node)

    def block(self, block: ir.Block) -> ir.Block:
        """The adjoint of a block; `state` goes from its end to its start."""
        outer, self.out = self.out, []
        outer_made, self.made = self.made, []
        self.alike |= computed_again(block, self.facts)
        for statement in reversed(block):
            if statement in self.facts.before:  # else it can't be reached
                self.statement(statement)
        restores = self.restored_or_repeated(self.saves.block_slots.get(block, ()))
        if self.saves.inside_loop(block):
            changing = [name for name in self.made if not self.is_invariant(name, block)]
            made = [ir.Slot(name, ir.name(name), tape=True) for name in changing]
            self.made_slots.setdefault(block, []).extend(made)
            restores += map(ir.Restore, made)
        done = (*restores, *self.out)
        self.out, self.made = outer, outer_made
        return done

    def is_invariant(self, name: str, block: ir.Block) -> bool:
        """Whether what the forward pass gives a name is the same on every trip, so that its last value will do."""
        node = self.made_from.get(name)
        if node is None or isinstance(node, ir.Update):
            return False
        calls = [self.facts.callees.get(n) for n in ir.walk(node) if isinstance(n, gast.Call)]
        if not all(callee is not None and _is_differentiable(callee.function) for callee in calls):
            return False
        loop = self.saves.loops_around[block[0]][0]
        bound, written = self.saves.changed_in((loop,))
        if self.may_change(node, loop) or self.saves.reads_changing(node):
            return False
        if any(self.is_changed_outside(n) or self.has_other_value(n) for n in ir.walk(node)):
            return False
        return not any(
            n in bound or self.facts.sites(n) & written
            if ir.is_value(n)
            else not n.startswith("$") and self.walk.is_rebound(n)
            for n in ir.names_in(node)
        )

    def may_change(self, node: Any, loop: ir.Statement) -> bool:
        """Whether an expression asks an object that is not followed, which the trips of a loop may change."""
        asked = (
            sub.value for sub in ir.walk(node) if isinstance(sub, (gast.Attribute, gast.Subscript))
        )
        if all(map(self.is_lasting, asked)):
            return False
        return any(s in self.facts.effects for s in ir.walk_statements((loop,)))

    def restored_or_repeated(self, slots: Iterable[Slot]) -> list[ir.Statement]:
        """Values that are read from memory which stays are read there again, not from a tape."""
        done: list[ir.Statement] = []
        repeated: set[str] = set()
        for slot in slots:
            if slot.name in repeated:
                continue
            again = self.saves.repeatable(slot.name, self.is_cheap)
            if again is not None:
                repeated.update(ir.defined_names(again))
            done.append(ir.Restore(slot) if again is None else again)
        return done

    def statement(self, statement: ir.Statement) -> None:
        held = self.held_in(statement)
        if held and isinstance(statement, ir.Assign):
            if statement in self.saves.function.body:
                self.out.append(self.cut_comment(statement))
            return
        kept = {value: self.state.pop(value) for value in held if value in self.state}
        self.updated, self.current, self.after_call = None, None, 0
        self.back_through(statement)
        if not isinstance(statement, ir.Do):
            self.forget_unset(statement)
        self.state |= kept

    def back_through(self, statement: ir.Statement) -> None:
        match statement:
            case ir.If():
                self.branch(statement)
            case ir.For() | ir.While():
                self.loop(statement)
            case ir.Try() | ir.Finally() | ir.With():
                self.catching += 1
                self.under_guard(statement)
                self.catching -= 1
            case _:
                self.simple_statement(statement)

    def under_guard(self, statement: ir.Try | ir.Finally | ir.With) -> None:
        match statement:
            case ir.Try():
                self.attempt(statement)
            case ir.Finally(body, final):
                self.out += self.block(final)
                self.out += self.block(body)
            case ir.With():
                self.within(statement)

    def forget_unset(self, statement: ir.Statement) -> None:
        """What has no value before a statement has no gradient there."""
        known, kinds = self.facts.before[statement], self.facts.web_kinds
        for value in ir.bound_within((statement,)):
            if value in self.state and value not in known and value in kinds:
                self.state.pop(value)

    def held_in(self, statement: ir.Statement) -> list[str]:
        """The variables that a statement assigns with respect to which gradients are taken: these end here."""
        if not self.facts.held:
            return []
        defined = ir.bound_within((statement,))
        binds = not isinstance(statement, ir.Update)
        return [value for value in self.facts.held if value in defined and binds]

    def cut_comment(self, statement: ir.Statement) -> ir.Comment:
        return ir.Comment(f"{origin_of(statement).text}: nothing flows back", alone=True)

    def simple_statement(self, statement: ir.Statement) -> None:
        """The lines of one statement, its restores, and a comment with the user's line above them."""
        self.note_gradients(statement)
        start, self.marks = len(self.out), False
        match statement:
            case ir.Assign(target, value):
                self.assign(target, value)
            case ir.Update():
                self.update(statement)
            case ir.Do(node):
                self.do(node)
        if len(self.out) > start:
            self.taken_back.add(origin_of(statement))
        self.restore(statement, start)
        if self.marks:
            self.out[start:] = map(without_marks, self.out[start:])
        if len(self.out) > start and not self.said_before(statement, start):
            self.out.insert(
                start, ir.Comment(origin_of(statement).text, origin=origin_of(statement))
            )
        if len(self.out) == start and statement in self.cuts:
            self.out.append(self.cut_comment(statement))

    def note_gradients(self, statement: ir.Statement) -> None:
        """The gradients of what a line has bound are complete here: nothing above it has read that."""
        noting = self.noting
        if noting is None:
            return
        for number, target in noting.targets(statement):
            root = ir.root_of(target)
            if root.id in self.state and self.kind(root).active:
                is_name = isinstance(target, gast.Name)
                g = self.gradient(root.id) if is_name else self.own_slot(target, root)
                self.out.append(noting.back(number, g))

    @cached_property
    def cuts(self) -> frozenset[ir.Statement]:
        """The lines in which the user cut the gradient, but for those inside loops and branches."""
        calls = {node for node, c in self.facts.callees.items() if c.function is stop_gradient}
        return frozenset(
            statement
            for statement in (self.saves.function.body if calls else ())
            if any(n in calls for n in ir.nodes_in(statement))
        )

    def raised_again(self, adjoint: ir.Block) -> Callable[[ir.Statement, Any], bool]:
        """Whether the adjoint of a statement raises what a part of the statement raises.

        A place has to stand in it, of the array or of its gradient, or an operation on integers; a call that carries a
        derivative is taken back.
        """
        values = {name: ir.name(value) for name, value in self.behind.items()}
        values |= _taken_from(adjoint)

        def behind(node: Any) -> Any:
            return values.get(node.id) if type(node) is gast.Name else None

        @functools.cache
        def read() -> set[str]:
            expressions = (e for s in ir.walk_statements(adjoint) for e in ir.expressions_of(s))
            nodes = (node for e in expressions for node in ir.walk(ir.copy_expression(e, behind)))
            return {
                _shown(n) for n in nodes if isinstance(n, (gast.Subscript, gast.Call, gast.BinOp))
            }

        def again(statement: ir.Statement, node: Any) -> bool:
            if origin_of(statement) not in self.taken_back:
                return False
            computed = not isinstance(node, gast.Subscript) and self.facts.kind(node).active
            return computed or _shown(node) in read()

        return again

    def said_before(self, statement: ir.Statement, start: int) -> bool:
        """Whether the lines above belong to the same line of the user's."""
        line = getattr(origin_of(statement).node, "lineno", None)
        same = line is not None and start > 0 and self.commented == line
        self.commented = line
        return same

    # -- restores

    def restore(self, statement: ir.Statement, start: int) -> None:
        """Put the restores of what the statement overwrote before the first line that reads the old value.

        That is after the callee's adjoint, which reads what the call saved, but for names that were bound to something
        else: the zeros that the callee's adjoint adds to are those of the old value.
        """
        for slot in self.saves.before(statement, functools.partial(self.place_before, statement)):
            early = not slot.content and self.has_other_shape(statement, slot.name)
            at = start if early else max(start, self.after_call)
            while at < len(self.out) and not self.reads_old(self.out[at], slot):
                at += 1
            lines = range(at, len(self.out) if self.marks else at)
            late = [k for k in lines if reads_new_value(self.out[k], slot.name)]
            new: list[ir.Statement] = []
            if late:
                kept = self.fresh(f"{ir.base_name(slot.name)}_new")
                self.kept_new.add(kept)
                place = _target_of(statement, slot.name)
                for k in late:
                    self.out[k] = with_new_value(self.out[k], slot.name, kept, place)
                value = _plain_copy(place, slot)
                new.append(ir.Assign(ir.name(kept), value, origin_of(statement)))
            new.append(ir.Restore(slot))
            self.out[at:at] = new
            self.after_call += len(new) if at < self.after_call else 0

    def has_other_shape(self, statement: ir.Statement, name: str) -> bool:
        """Whether a statement binds a name to what may not have the shape that the name had."""
        old, new = self.facts.before[statement].get(name), self.facts.web_kinds.get(name)
        if not (isinstance(old, Num) and isinstance(new, Num)):
            return False
        return old.array != new.array or not same_shape(old.shape, new.shape)

    def place_before(self, statement: ir.Statement, place: Any) -> Any:
        """A place that a statement writes to, by indices that mean the same after it as before it."""
        if len(ir.names_in(place)) == 1:  # its root: no index reads anything
            return self.stable_index(place)
        method = list_method(statement, self.facts)
        container = place.value if method is None else method.args[0]
        changed = changed_by(statement, container, method is not None, self.facts)
        return self.stable_index(place, changed)

    def reads_old(self, statement: ir.Statement, slot: Slot) -> bool:
        """Whether a line reads what the slot holds, by that name or by another of the same memory."""
        names = set(ir.mentioned(statement))
        if slot.name in names or not slot.content:
            return slot.name in names
        sites = self.facts.sites(slot.name) if slot.sites is None else slot.sites
        return any(sites & self.facts.sites(name) for name in names if ir.is_value(name))

    # -- branches

    def branch(self, statement: ir.If) -> None:
        taken = self.only_way(statement)
        if taken is not None:
            self.out += self.block(taken)
            return
        start = dict(self.state)
        body = list(self.block(statement.body))
        body_state, self.state = self.state, dict(start)
        orelse = list(self.block(statement.orelse))
        orelse_state = self.state
        self.merge(statement, (body_state, body), (orelse_state, orelse))
        if body or orelse:
            test = self.test(statement, (*body, *orelse))
            self.out.append(ir.If(test, tuple(body), tuple(orelse), NOWHERE))

    def only_way(self, statement: ir.If) -> ir.Block | None:
        """The way that was taken for sure: the test is known, or the other way raises, and nobody catches that."""
        if statement in self.facts.branches:
            return statement.body if self.facts.branches[statement] else statement.orelse
        if self.catching:
            return None
        if raises(statement.orelse):
            return statement.body
        return statement.orelse if raises(statement.body) else None

    def test(self, statement: ir.If, adjoint: ir.Block) -> Any:
        """The test as the adjoint of the ways reads it: again, where that is cheap and gives the same; else a name."""
        test = statement.test
        if test in self.temporaries:
            return self.named(self.temporaries[test], UNKNOWN)
        again = self.test_again(statement, adjoint)
        if again is not None:
            return again
        if _may_change(test, self.kind):
            self.truths.add(test)
        return self.hoist(test, _test_name(test))

    # -- try and with

    def attempt(self, statement: ir.Try) -> None:
        """Back through the way that was taken: what follows the body and the body, or one of the handlers."""
        start = dict(self.state)
        lines = [*self.block(statement.orelse), *self.block(statement.body)]
        ways = [(self.state, lines)]
        for handler in statement.handlers:
            if self.facts.ways_out.get(handler):
                self.state = dict(start)
                handled = list(self.block(handler.body))
                ways.append((self.state, handled))
        self.state, lines = ways[-1]
        for number, way in reversed(list(enumerate(ways[:-1]))):
            self.merge(statement, way, (self.state, lines))
            if way[1] or lines:
                lines = [self.either_way(statement, number, len(ways), way[1], lines)]
        self.out += lines
        self.out += map(ir.Restore, self.saves.around(statement))

    def either_way(
        self, statement: ir.Try, number: int, count: int, way: list[Any], others: list[Any]
    ) -> ir.Statement:
        """The adjoint of one way where it was taken, else those of the others."""
        if statement not in self.ways:
            self.ways[statement] = self.made_forward("failed" if count == 2 else "handler")
        taken = self.named(self.ways[statement], scalar(int))
        if count == 2:
            return ir.If(taken, tuple(others), tuple(way), NOWHERE)
        test = quote("{taken} == {n}", taken=taken, n=constant(number))
        return ir.If(test, tuple(way), tuple(others), NOWHERE)

    def within(self, statement: ir.With) -> None:
        """Back through the body; without floating-point warnings where the user wanted none."""
        body = self.block(statement.body)
        self.forget_bound(statement)
        silenced = tuple((m, None) for m, _ in statement.items if self.is_silence(m))
        if silenced and body:
            self.out.append(ir.With(silenced, body, NOWHERE))
        else:
            self.out += body
        self.out += map(ir.Restore, self.saves.around(statement))

    def is_silence(self, manager: Any) -> bool:
        """Whether a context manager is np.errstate and asks for silence."""
        return (
            isinstance(manager, gast.Call)
            and self.facts.kinds.get(manager.func) == Known(np.errstate)
            and all(getattr(k.value, "value", None) == "ignore" for k in manager.keywords)
            and not manager.args
        )


def _taken_from(adjoint: ir.Block) -> dict[str, Any]:
    """Gradients that begin as zeros, and what has their shape."""
    found = {}
    for line in ir.walk_statements(adjoint):
        match line:
            case ir.Assign(
                gast.Name(id=name),
                gast.Call(
                    func=gast.Attribute(value=gast.Name(id="$np"), attr="zeros_like"), args=[array]
                ),
            ):
                found[name] = array
    return found


def _shown(node: Any) -> str:
    """An expression as text, places alike where they are read and where they are written to."""
    if isinstance(node, gast.Subscript):
        return f"{ir.dump(node.value)}[{ir.dump(node.slice)}]"
    return ir.dump(node)


def _is_differentiable(function: object) -> bool:
    """Whether there is a rule for a function, which then gives the same for the same arguments."""
    try:
        return bool(RULES.get(function))
    except TypeError:
        return False


def _target_of(statement: ir.Statement, name: str) -> Any:
    """The target by which a statement binds a name, or stores to what it stands for."""
    assert isinstance(statement, (ir.Assign, ir.Update)), statement
    target = statement.target
    while isinstance(target, (gast.Tuple, gast.List)):
        target = next(part for part in target.elts if name in _bound_or_stored_to(part))
    return target


def _bound_or_stored_to(target: Any) -> list[str]:
    roots = map(ir.root_of, ir.store_targets(target))
    return [*ir.target_names(target), *(root.id for root in roots if isinstance(root, gast.Name))]


def _plain_copy(target: Any, slot: Slot) -> Any:
    return quote("np.copy({x})", x=target) if slot.content and slot.copy else target


def _may_change(test: Any, kind_of: Callable[[Any], Kind]) -> bool:
    """Whether what is tested may be a list, a dict or an array that has another truth later on."""
    if isinstance(test, gast.BoolOp):  # it is one of its operands, as it is
        return any(_may_change(operand, kind_of) for operand in test.values)
    kind = kind_of(test)
    given = (gast.Name, gast.Attribute, gast.Subscript, gast.IfExp, gast.Call)
    number = is_number(kind)
    return isinstance(test, given) and not (number or isinstance(kind, Known))


def _test_name(test: Any) -> str:
    match test:
        case gast.Compare(ops=[gast.Gt()], comparators=[gast.Constant(value=0)]):
            return "positive"
        case gast.Compare(ops=[gast.Lt()], comparators=[gast.Constant(value=0)]):
            return "negative"
    return "test"
