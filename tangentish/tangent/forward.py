"""Normal form -> forward mode: above every statement the one that moves its value's tangent along.

    y = np.sin(x) * x    ->    t = np.sin(x)
                               y_dot = np.cos(x) * x_dot * x + t * x_dot
                               y = t * x

Branches and loops stay as they are; a callee becomes a function that takes tangents along and returns that of its
result. Tangents follow values: what is stored, viewed or updated in place in `x` is in `x_dot`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.expressions import targets_of, whole
from tangentish.algebra.new_values import marked, new_value, reads_new_value, without_marks
from tangentish.algebra.tangents import tangent_of
from tangentish.infer import ListMethod, UserCall
from tangentish.infer.raising import may_be_caught
from tangentish.infer.spreading import has_stars
from tangentish.ir.origins import NOWHERE, origin_of
from tangentish.ir.quote import constant, helper, quote
from tangentish.kinds import Kind, Tup, is_function
from tangentish.language.lifted import has_own_form
from tangentish.language.webs import map_blocks
from tangentish.rules.own import OwnRule
from tangentish.tangent.caught import binds_last, value_first, written_over
from tangentish.tangent.forward_values import ForwardValues
from tangentish.tangent.targets import bound_by, leaves_of, set_together


@dataclass(frozen=True, eq=False)
class TangentCallee:
    """The function that takes a callee's tangents along, by the name under which generated code calls it."""

    name: str
    active: tuple[int, ...]  # parameters that have tangents
    names: tuple[str, ...]  # of the tangents, which follow the function's own parameters
    by_name: bool  # whether the tangents can be given by name only
    returned: tuple[bool, ...]  # which results have tangents; none if the function returns nothing
    dropped: frozenset[int] = frozenset()  # parameters that generated code does not need


@dataclass
class Forward(ForwardValues):
    """The walk over one function."""

    callee: Callable[[UserCall], TangentCallee] = field(kw_only=True)
    catching: bool = False  # whether an exception may be caught here
    kept: frozenset[str] = frozenset()  # what is read after one was caught
    is_value_first: bool = False  # whether the statement at hand comes before its tangent's

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(new for statement in block for new in self.statement(statement))

    def statement(self, statement: ir.Statement) -> ir.Block:
        if statement not in self.facts.before:
            return (statement,)
        self.found, self.out, self.temporaries = {}, [], {}
        self.updated, self.root, self.result, self.is_value_first = None, None, None, False
        match statement:
            case ir.Try():
                return (self.attempt(statement),)
            case ir.For():
                return (self.with_zeros(statement),)
            case _ if ir.blocks_of(statement):
                if any(self.idle_lists(statement)):
                    self.refuse(_IN_TEST, origin_of(statement).node)
                return (self.with_zeros(statement),)
            case ir.Return():
                return ()
            case ir.Assign():
                lines = self.assignment(statement)
            case ir.Update():
                lines = self.update(statement)
            case ir.Do():
                lines = self.done(statement)
            case _:
                raise AssertionError(f"{type(statement).__name__} in normal form")
        idle = [*self.idle_lists(statement)]
        lines = [*self.in_order(statement, [*self.out, *lines]), *idle]
        lines = [*self.temporary_lines(statement), *lines]
        return tuple(map(without_marks, lines))

    def with_zeros(self, statement: ir.Statement) -> ir.Statement:
        """What loops run over, and managers give, does not vary: its tangent is zero where it meets what does."""
        bound = filter(self.is_needed, leaves_of(bound_by(statement)))
        zeros = [without_marks(self.zero_line(target)) for target in bound]
        new = map_blocks(statement, self.block)
        return replace(new, body=(*zeros, *new.body)) if isinstance(new, (ir.For, ir.With)) else new

    def zero_line(self, target: Any) -> ir.Statement:
        return ir.Assign(ir.name(tangent_of(target.id)), self.zero(target), NOWHERE)

    def done(self, statement: ir.Do) -> list[ir.Statement]:
        """A line that is there for its effect: what it writes to may be written by a callee only."""
        value = getattr(statement.node, "value", None)
        change = self.list_method(value) or self.list_method(statement)
        if change is not None:
            known = self.is_needed(change.args[0]) and change.function != ListMethod("remove")
            moved = [self.list_line(change)] if known else []
            return [*moved, self.plain(statement)]
        user = self.user(value)
        if user is not None:
            return [self.user_call(statement, value, user, None)]
        before = self.facts.before[statement]
        written = self.needed.intersection(self.facts.writes.get(statement, ()))
        if any(name in before and before[name].active for name in written):
            self.refuse("this write has no tangent yet", statement.node)
        return [statement]

    def unmarked(self, statement: ir.Statement) -> ir.Statement:
        return without_marks(statement)

    def attempt(self, statement: ir.Try) -> ir.Statement:
        """Where an exception may be caught, tangents move after what may raise it."""
        caught = [h for h in statement.handlers if self.facts.ways_out.get(h)]
        seen = frozenset[str]().union(*map(self.walk.live_at, caught))
        raises = may_be_caught(statement.handlers, self.facts)
        for inner in ir.walk_statements(statement.body):
            if not raises(inner):
                continue
            written = written_over(inner, self.facts)
            for name in self.needed.intersection(written) & seen:
                self.refuse(
                    f"'{ir.base_name(name)}' is updated in a try, and its old tangent may be needed where an "
                    "exception is caught: give what is new another name",
                    origin_of(inner).node,
                )
        outer, kept = self.catching, self.kept
        self.catching, self.kept = outer or bool(caught), kept | seen
        body = self.block(statement.body)
        self.catching, self.kept = outer, kept
        handlers = (ir.Handler(h.type, h.name, self.block(h.body)) for h in statement.handlers)
        return ir.Try(body, tuple(handlers), self.block(statement.orelse), statement.origin)

    def in_order(self, statement: ir.Statement, lines: list[ir.Statement]) -> list[ir.Statement]:
        """The lines of a statement, its value computed before tangents move where an exception may be caught."""
        if not (self.catching and lines and binds_last(lines[-1], self.facts)):
            return lines
        own = lines[-1].origin is origin_of(statement)
        return value_first(lines, self.fresh) if own else lines

    # -- assignments

    def assignment(self, statement: ir.Assign) -> list[ir.Statement]:
        target, value = statement.target, statement.value
        user = self.user(value)
        if self.list_method(value) is not None:
            return self.taken_out(statement, target, value)
        if user is not None:
            return [
                self.user_call(statement, value, user, target),
                *self.idle_results(user, target),
            ]
        if is_function(self.kind(value)):
            return [self.plain(statement)]
        twin = self.twin(statement)
        if twin is not None:
            return twin
        if not any(self.is_needed(t) for t in leaves_of(targets_of(target))):
            if not isinstance(ir.root_of(target), (gast.Name, gast.Tuple, gast.List)):
                self.refuse_active(value)
            return [self.plain(statement)]
        if isinstance(target, (gast.Tuple, gast.List)):
            return self.of_tuple(statement)
        if isinstance(target, gast.Subscript):
            return self.store(statement)
        self.root, self.result = value, marked(target, self)
        lines = self.to_name(statement)
        after = self.is_value_first or reads_new_value(lines[0], target.id)
        stays = bool(self.is_value_first and self.out)
        if after and (stays or target.id in self.kept or _reads_old(lines[0], target.id)):
            self.forget(value)  # both the old value and the new one: the new one gets a name first
            self.result, self.is_value_first = None, False
            lines = self.to_name(statement)
            after = reads_new_value(lines[0], target.id)
        return lines[::-1] if after else lines

    def in_common(self, e: Any) -> Any:
        """What reads a value that is set below has no line above it."""
        below = self.result is not None and not set(ir.names_in(self.result)).isdisjoint(
            ir.names_in(e)
        )
        return e if below else super().in_common(e)

    def value_first(self, node: Any) -> None:
        if node is self.root and self.result is not None:
            self.is_value_first = True
        else:
            super().value_first(node)

    def twin(self, statement: ir.Assign) -> list[ir.Statement] | None:
        """A call of a twin is two: of the function, and of the twin for what it saves.

        y, r = twin(x)  ->  y = f(x); _, r = f_forward(x); y_dot = f_tangent(x_dot, y, r, x)

        So y keeps its rule in second derivatives, and what r was computed by is followed.
        """
        callee = self.facts.callees.get(statement.value)
        rule = None if callee is None else callee.rule
        if callee is None or not isinstance(rule, OwnRule) or not rule.saves:
            return None
        y, residuals = targets_of(statement.target)
        given = [self.available(a) for a in callee.bound.values()]
        value = gast.Call(helper(rule.function_name), given, [])
        saved = gast.Call(helper(rule.forward_name), given, [])
        results = [new_value(y, self), marked(residuals, self)]
        e = self.of_own(statement.value, callee, rule, results)
        both = gast.Tuple([ir.name("_"), residuals], gast.Store())
        dot = self.received(y) if isinstance(y, gast.Tuple) else ir.name(tangent_of(y.id))
        moved = [] if e is None else [ir.Assign(dot, e, NOWHERE)]
        return [
            ir.Assign(y, value, statement.origin), ir.Assign(both, saved, statement.origin), *moved,
        ]  # fmt: skip

    def taken_out(self, statement: ir.Assign, target: Any, value: Any) -> list[ir.Statement]:
        """V = xs.pop()  ->  v_dot = xs_dot.pop(); v = xs.pop()"""
        callee = self.list_method(value)
        needed = isinstance(target, gast.Name) and self.is_needed(target)
        if callee is None or not self.is_needed(callee.args[0]):
            return [self.plain(statement), *([self.zero_line(target)] if needed else [])]
        if not needed:
            return [self.list_line(callee), self.plain(statement)]
        dot = ir.name(tangent_of(target.id))
        moved = ir.Assign(dot, self.changed_list(callee), NOWHERE)
        return [moved, self.plain(statement)]

    def refuse_active(self, value: Any) -> None:
        if self.kind(value).active:
            self.refuse("this store has no tangent yet", value)

    def forget(self, value: Any) -> None:
        self.found, self.out = {}, []
        for node in ir.walk(value):
            self.temporaries.pop(node, None)

    def to_name(self, statement: ir.Assign) -> list[Any]:
        """The tangent's line and the statement's."""
        target, value = statement.target, statement.value
        e = self.moved_to(target, value)
        return [ir.Assign(ir.name(tangent_of(target.id)), e, NOWHERE), self.plain(statement)]

    def moved_to(self, target: Any, value: Any) -> Any:
        """The tangent of a value that gets the name `target`: of its shape and type, its own where that counts."""
        e = self.full_tangent(value)
        if e is None and _is_display(value):
            return self.zeros(value)
        if e is None:
            return self.zero(target)
        return self.own(self.typed(e, value), value, target)

    def of_tuple(self, statement: ir.Assign) -> list[ir.Statement]:
        """a, b = b, a + b"""
        targets, value = targets_of(statement.target), statement.value
        if isinstance(value, (gast.Tuple, gast.List)) and not has_stars(value):
            return self.one_by_one(statement, targets, value.elts)
        self.root = value
        e = self.tangent(value)
        dots = list(map(self.received, targets))
        zeros = [
            self.zero_line(t)
            for t in leaves_of(targets)
            if self.is_needed(t) and (e is None or not self.has_tangent(t))
        ]
        lines: list[ir.Statement] = [self.plain(statement), *zeros]
        if e is None:
            return lines
        if isinstance(e, (gast.Tuple, gast.List)):
            together, still = self.part_by_part(targets, dots, e.elts)
            return [*together, *lines, *still]
        moved = ir.Assign(gast.Tuple(dots, gast.Store()), e, NOWHERE)
        leaves = zip(leaves_of(targets), leaves_of(dots), strict=True)
        return [moved, *self.own_parts(value, leaves), *lines]

    def part_by_part(
        self, targets: Sequence[Any], dots: list[Any], parts: list[Any]
    ) -> tuple[list[ir.Statement], list[ir.Statement]]:
        """Tangents that a rule gives one by one; where it gives None, zeros, which may read what they belong to."""
        each = zip(targets, dots, parts, strict=True)
        wanted = [(t, d, p) for t, d, p in each if not ir.is_name(d, "_")]
        moved = [(d, p) for _, d, p in wanted if not ir.is_none(p)]
        together = [set_together([d for d, _ in moved], [p for _, p in moved])] if moved else []
        still: list[ir.Statement] = [
            ir.Assign(d, self.zero(t), NOWHERE) for t, d, p in wanted if ir.is_none(p)
        ]
        return together, still

    def received(self, target: Any) -> Any:
        """The name of a tangent, `_` where there is none; of tuples in a tuple the same structure."""
        if isinstance(target, (gast.Tuple, gast.List)):
            return gast.Tuple(list(map(self.received, target.elts)), gast.Store())
        needed = self.is_needed(target) and self.has_tangent(target)
        return ir.name(tangent_of(target.id) if needed else "_")

    def one_by_one(
        self, statement: ir.Assign, targets: Sequence[Any], values: Sequence[Any]
    ) -> list[ir.Statement]:
        """The tangents together, before any value is overwritten; zeros after it."""
        before: list[tuple[Any, Any]] = []
        after: list[ir.Statement] = []
        for target, value in zip(targets, values, strict=True):
            if self.is_needed(target) and not is_function(self.kind(value)):
                e, dot = self.moved_to(target, value), ir.name(tangent_of(target.id))
                zero = ir.Assign(dot, e, NOWHERE)
                if reads_new_value(zero, target.id):
                    after.append(zero)
                else:
                    before.append((dot, e))
        moved = [set_together([d for d, _ in before], [e for _, e in before])] if before else []
        return [*moved, self.plain(statement), *after]

    def has_tangent(self, target: Any) -> bool:
        """Whether a target receives a value that varies."""
        return self.kind(target).active

    # -- stores and updates

    def store(self, statement: ir.Assign) -> list[ir.Statement]:
        """x[i] = v  ->  x_dot[i] = v_dot; x[i] = v"""
        target = statement.target
        if self.is_in_list(target):
            moved = ir.Assign(self.slot(target), self.owned(statement.value, target), NOWHERE)
            return [moved, self.plain(statement)]
        e = self.tangent(statement.value)
        if e is None and not self.kind(target.value).active:
            return [self.plain(statement)]
        e = constant(0) if e is None else self.stored(e, statement.value, target)
        return [ir.Assign(self.slot(target), e, NOWHERE), self.plain(statement)]

    def update(self, statement: ir.Update) -> list[ir.Statement]:
        target, op, value = statement.target, statement.op, statement.value
        if not self.is_needed(target):
            return [self.plain(statement)]
        if self.list_method(statement) is not None:
            extended = ir.Update(self.slot(target), op, self.of_more_elements(value), NOWHERE)
            return [extended, self.plain(statement)]
        if self.kind_on_all_ways(target) is not None:  # nothing in it varies yet
            repeated = ir.Update(self.slot(target), op, self.available(value), NOWHERE)
            return [repeated, self.plain(statement)]
        slot = self.slot(target) if isinstance(target, gast.Subscript) else self.dot_of(target)
        if isinstance(op, (gast.Add, gast.Sub)):
            return [*self.by_sum(statement, slot), self.plain(statement)]
        scaled = isinstance(op, (gast.Mult, gast.Div)) and self.kind(value).active is False
        if scaled and self.callee_of(statement) is not None:
            moved = ir.Update(slot, op, self.available(value), NOWHERE)
            return [moved, self.plain(statement)]
        if isinstance(op, gast.Mult) and self.is_scaled_apart(statement):
            return [*self.by_product(statement, slot), self.plain(statement)]
        return self.by_rule(statement, slot)

    def is_scaled_apart(self, statement: ir.Update) -> bool:
        """Whether an array is multiplied by what shares no memory with it."""
        apart = not self.reads_memory(statement.value, ir.root_of(statement.target).id)
        moves = self.tangent(statement.value) is not None and self.kind(statement.target).active
        return apart and moves and self.number(statement.target).array is True

    def by_product(self, statement: ir.Update, slot: Any) -> Iterator[ir.Statement]:
        """An array scaled: x *= v  ->  x_dot *= v; x_dot += x * v_dot; x *= v"""
        target, value = statement.target, statement.value
        yield ir.Update(slot, gast.Mult(), self.available(value), NOWHERE)
        both = quote("{x} * {v}", x=self.stable_index(target), v=self.tangent(value))
        yield ir.Update(slot, gast.Add(), both, NOWHERE)

    def callee_of(self, statement: ir.Update) -> Any:
        callee = self.facts.callees.get(statement)
        return callee if callee is not None and callee.rule is not None else None

    def by_sum(self, statement: ir.Update, slot: Any) -> Iterator[ir.Statement]:
        """X += v  ->  x_dot += v_dot; x += v"""
        target, value = statement.target, statement.value
        grows = not self.number(target).array and not self.number(value).is_scalar
        e = self.full_tangent(value) if grows else self.tangent(value)
        if grows and e is None:
            e = self.zeros(value)
        if e is None:
            return
        op = statement.op
        if isinstance(e, gast.UnaryOp) and isinstance(e.op, gast.USub):
            e, op = e.operand, ir.opposite(op)
        yield ir.Update(slot, op, e, NOWHERE)

    def by_rule(self, statement: ir.Update, slot: Any) -> list[ir.Statement]:
        """X *= v  ->  x_dot[...] = x_dot * v + x * v_dot; x *= v"""
        target, callee = statement.target, self.callee_of(statement)
        root, place = ir.root_of(target).id, self.place(target, slot)
        self.root, self.result, self.updated = statement, marked(target, self), target
        e = None if callee is None else self.of_rule(statement, callee, callee.rule)
        if e is None:
            moves = self.kind(target).active
            zero = ir.Assign(place, constant(0.0), NOWHERE)
            return [*([zero] if moves else []), self.plain(statement)]
        moved = ir.Assign(place, e, NOWHERE)
        if not reads_new_value(moved, root):
            return [moved, self.plain(statement)]
        if not self.reads_memory(moved.value, root):
            return [self.plain(statement), moved]
        self.found, self.out, name = {}, [], self.fresh("t")
        new = gast.BinOp(target, statement.op, statement.value)
        self.out.append(ir.Assign(ir.name(name), new, NOWHERE))
        self.result = self.named(name, self.number(target))
        e = self.of_rule(statement, callee, callee.rule)
        return [ir.Assign(place, e, NOWHERE), self.plain(statement)]

    def place(self, target: Any, slot: Any) -> Any:
        """Where the new tangent goes: into the array, if there is one."""
        kind = self.number(target)
        if isinstance(target, gast.Name) and kind.array is None:
            if target.id in self.parameters:
                self.refuse("it is not known whether this is an array", target)
            return slot
        return slot if kind.is_scalar else self.place_in_list(target, whole(slot))

    # -- calls of the user's functions

    def user(self, node: Any) -> UserCall | None:
        """The call of a function of the user's that takes tangents along, if it is one."""
        user = self.facts.user_of(node)
        return user if user is not None and user.is_followed else None

    def takes_tangent(self, user: UserCall, k: int) -> bool:
        return user.is_followed and k in self.callee(user).active

    def user_call(
        self, statement: ir.Assign | ir.Do, call: Any, user: UserCall, target: Any
    ) -> ir.Statement:
        """Y = f(x)  ->  y, y_dot = f_tangent(x, x_dot)"""
        written = [ir.root_of(user.arguments[k]) for k in user.written if user.arguments[k]]
        needed = any(self.is_needed(t) for t in (*targets_of(target), *written))
        if not (needed or user.is_always_generated or has_own_form(call, target)):
            return self.plain(statement)
        callee = self.callee(user)
        moving = self.argument_tangent if needed else self.idle_tangent
        dots = [moving(user, k) for k in callee.active]
        shown = self.shown(call)
        given = len(shown.args) == len(user.arguments) and not callee.by_name
        extra = [] if given else list(map(gast.keyword, callee.names, dots))
        arguments = [a for k, a in enumerate(shown.args) if k not in callee.dropped]
        arguments += dots if given else ()
        new = gast.Call(ir.name(f"${callee.name}"), arguments, [*shown.keywords, *extra])
        if target is None:
            return ir.Do(gast.Expr(new), NOWHERE)
        if any(callee.returned):
            target = gast.Tuple(
                [*targets_of(target), *self.receivers(target, callee)], gast.Store()
            )
        return ir.Assign(target, new, origin_of(statement))

    def argument_tangent(self, user: UserCall, k: int) -> Any:
        argument = user.arguments[k]
        if k not in user.written:
            e = self.full_tangent(argument)
            return (
                self.zeros(argument) if e is None else self.own(self.typed(e, argument), argument)
            )
        if isinstance(argument, gast.Name):
            return self.dot_of(argument)
        return self.slot(argument)

    def idle_tangent(self, user: UserCall, k: int) -> Any:
        """Zeros for a call whose tangents nobody needs."""
        return self.zeros(user.arguments[k])

    def receivers(self, target: Any, callee: TangentCallee) -> list[Any]:
        """Where the tangents of the results go."""
        return [
            ir.name(tangent_of(t.id)) if returned and self.is_needed(t) else ir.name("_")
            for t, returned in zip(targets_of(target), callee.returned, strict=True)
        ]

    def idle_results(self, user: UserCall, target: Any) -> Iterator[ir.Statement]:
        """Zeros for results that do not vary."""
        targets, result = targets_of(target), user.result
        kinds: Sequence[Kind] = [result] * len(targets)
        if isinstance(target, gast.Tuple) and isinstance(result, Tup):
            kinds = result.items
        for t, kind in zip(targets, kinds, strict=True):
            if self.is_needed(t) and not kind.active:
                yield ir.Assign(ir.name(tangent_of(t.id)), self.zero(t), NOWHERE)


_IN_TEST = "a call in a test changes a list: call it on a line of its own, and test what it gives"


def _is_display(value: Any) -> bool:
    """A list, or a dict of lists, of which as many zeros can be written down: [], [0.0] * n, {"a": []}."""
    parts = value.values if isinstance(value, gast.Dict) else [getattr(value, "left", value)]
    return bool(parts) and all(isinstance(part, gast.List) for part in parts)


def _reads_old(statement: ir.Assign, name: str) -> bool:
    """Whether a line reads the value that `name` has before the statement."""
    return name in ir.names_in(statement.value)
