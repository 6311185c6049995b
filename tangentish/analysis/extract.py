"""What carries a derivative is taken apart as far as the adjoint needs it; the rest stays as the user wrote it.

y = a if c else b        ->  if c: y = a   else: y = b
y = 2 * helper(x)        ->  helper_y = helper(x); y = 2 * helper_y
t = (a, b); y = t[0]     ->  t_0, t_1 = a, b; y = t_0
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.calls_taken_apart import form_of, is_saving_twin, names_made
from tangentish.analysis.caught_at_once import caught_at_once
from tangentish.analysis.chosen_functions import one_by_one
from tangentish.analysis.in_turn import evaluated_in_turn
from tangentish.analysis.indexed_loops import indexed, is_iterated
from tangentish.analysis.indices_once import with_indices_once
from tangentish.analysis.named_arguments import with_named_arguments
from tangentish.analysis.named_indices import with_named_indices
from tangentish.analysis.named_tests import with_named_tests
from tangentish.analysis.returned_functions import with_functions_given
from tangentish.analysis.spread_out import SpreadOut
from tangentish.analysis.starred import (
    display_of_names,
    is_spread_from_call,
    names_for,
    starred_in,
    with_each_named,
)
from tangentish.errors import Refusal
from tangentish.infer import Facts, is_keyed_dict, is_range
from tangentish.ir.quote import constant, quote
from tangentish.kinds import UNKNOWN, Kind, Seq, Tup, filled, stand_ins
from tangentish.language.comprehensions import appended_in_loop, filled_in_loop
from tangentish.language.lifted import Flat, leaf_names, makes_function
from tangentish.language.placed import all_at
from tangentish.language.ways import way_of
from tangentish.language.webs import map_nodes, map_statement
from tangentish.rules.registry import WARNING


def extract(function: ir.Function, facts: Facts) -> tuple[ir.Function, bool, list[Refusal]]:
    """The function with active calls, conditional expressions and tuples taken out; whether anything changed."""
    named = with_named_tests(function, facts) or with_named_arguments(function, facts)
    named = named or with_indices_once(function, facts)
    if named is not None:
        return named, True, []
    pass_ = _Extract(facts, count=names_made(function), body=function.body)
    giving, refusals = with_functions_given(function, facts, pass_.fresh)
    if giving is not None:
        return giving, True, []
    pass_.refusals += refusals
    body = pass_.block(function.body)
    if any(isinstance(kind, Tup) and kind.active for kind in facts.web_kinds.values()):
        body = pass_.settled(body)
    new = replace(function, body=body)
    return new, pass_.changed, pass_.refusals


@dataclass
class _Extract(SpreadOut):
    """Statement by statement."""

    def block(self, block: ir.Block) -> ir.Block:
        new: list[ir.Statement] = []
        for statement in (inner for each in block for inner in self.reached(each)):
            for line in self.statement(statement):
                new.append(line)
                if isinstance(line, ir.Do) and isinstance(line.node, gast.Raise):
                    return tuple(new)  # nothing comes after it
        return tuple(new)

    def reached(self, statement: ir.Statement) -> ir.Block:
        """The statement, or those of the branch that is taken, or of a body that can't raise, where that is known."""
        match statement:
            case ir.If(test, body, orelse) if statement in self.facts.branches and self.is_plain(
                test
            ):
                self.changed = True
                taken = body if self.facts.branches[statement] else orelse
                return tuple(inner for each in taken for inner in self.reached(each))
            case ir.If(test) if statement in self.facts.before and self.chosen(test) is not test:
                return (replace(statement, test=self.chosen(test)),)
            case ir.Try(body, handlers, orelse) if statement in self.facts.before and not any(
                map(self.is_entered, handlers)
            ):
                self.changed = True
                return tuple(inner for each in (*body, *orelse) for inner in self.reached(each))
            case ir.Try() if (caught := caught_at_once(statement, self.facts)) is not None:
                self.changed = True
                return tuple(inner for each in caught for inner in self.reached(each))
        return (statement,)

    def is_entered(self, handler: ir.Handler) -> bool:
        inside = any(statement in self.facts.before for statement in handler.body)
        return inside or self.facts.ways_out.get(handler, True)

    def statement(self, statement: ir.Statement) -> Iterator[ir.Statement]:
        if statement not in self.facts.before or self.is_settled.only_computes(statement):
            yield statement
            return
        self.turns |= evaluated_in_turn(statement, self.facts)
        self.check_owners(statement)
        named = self.integers_asked(statement) or self.indices_named(statement)
        named = named or self.at_another_place(statement) or self.asked_first(statement)
        named = named or self.written_first(statement) or self.stored_in_turn(statement)
        if named is not None:
            yield from named
            return
        match statement:
            case ir.Assign(origin=origin) | ir.Do(origin=origin) if statement in self.facts.lowered:
                yield from self.lowered(statement, origin)[0]
                return
            case ir.Assign():
                yield from self.assigned(statement)
                return
            case ir.Update():
                yield from self.updated(statement)
                return
            case ir.Return(values, is_tuple, origin, form):
                yield from self.returned(values, is_tuple, origin, form)
                return
            case ir.Do(gast.Expr(value=gast.Name() as value)) if value not in self.facts.unsure:
                self.changed = True
                return
            case ir.Do(gast.Expr(value=value)):
                yield from self.called(statement, value)
                return
            case ir.For(iter=over) if is_iterated(statement, self.facts) and not (
                is_range(over, self.facts) or self.gets_name(over)
            ):
                self.changed = True
                yield from self.over_indices(statement)
                return
        yield map_statement(self.items_apart(statement), self.without_tuples, self.block)

    def over_indices(self, loop: ir.For) -> Iterator[ir.Statement]:
        for line in indexed(self.over_elements(loop), self.facts, self.fresh):
            if isinstance(line, ir.For):
                line = map_statement(self.heads_apart(line), lambda e: e, self.block)
            yield line

    def gets_name(self, over: Any) -> bool:
        """Whether a loop runs over a dict whose keys are computed, which has a name once its holder is taken apart."""
        held = (n for n in ir.walk(over) if isinstance(n, (gast.Attribute, gast.Subscript)))
        return any(
            is_keyed_dict(self.facts.kinds.get(n, UNKNOWN)) and way_of(n) is not None for n in held
        )

    def integers_asked(self, statement: ir.Statement) -> tuple[ir.Statement] | None:
        """A line in which calls have their turns, with indices that are asked whether they are integers, and no more.

        Only in the next pass these calls are seen to have their turns as well.
        """
        if not (self.turns and self.facts.integers):
            return None
        parts = [*ir.nodes_in(statement)]
        if self.turns.isdisjoint(parts) or self.facts.integers.isdisjoint(parts):
            return None
        self.changed = True
        asked = {part: self.facts.answers[part] for part in parts if part in self.facts.integers}
        return (map_nodes(statement, asked.get),)

    def assigned(self, statement: ir.Assign) -> Iterator[ir.Statement]:
        """An assignment, or the call that it stands for."""
        if statement not in self.facts.answers:
            yield from self.assignment(statement.target, statement.value, statement.origin)
            return
        self.changed = True
        call = self.facts.answers[statement]
        line = ir.Do(gast.copy_location(gast.Expr(call), call), statement.origin)
        yield from self.called(line, call)

    def at_another_place(self, statement: ir.Statement) -> tuple[ir.Statement] | None:
        """`x.flat[i] = v`, `for v in x.flat` and `for k, v in enumerate(x.flat)`, as what `x.flat` stands for."""
        match statement:
            case ir.Assign(target=place, value=value) if place in self.facts.answers:
                laid_out = self.facts.answers.get(value, value)
                changed = {"target": self.facts.answers[place], "value": laid_out}
            case ir.Update(target=place) if place in self.facts.answers:
                changed = {"target": self.facts.answers[place]}
            case ir.For(iter=iterated) if iterated in self.facts.answers:
                changed = {"iter": self.facts.answers[iterated]}
            case ir.For(iter=gast.Call(args=beside) as iterated) if any(
                isinstance(part, gast.Attribute) and part in self.facts.answers for part in beside
            ):
                changed = {"iter": self.without_tuples(iterated)}
            case _:
                return None
        self.changed = True
        return (dataclasses.replace(statement, **changed),)

    def written_first(self, statement: ir.Statement) -> tuple[ir.Statement, ...] | None:
        """`for k in f(x, p)`, `assert f(x, p)`, `with f(x, p)`: a call that writes has a line of its own.

        So has the value of `xs[1:3] = [f(xs), xs[0]]`, which comes before anything is read of xs for the store.
        """
        if statement not in self.facts.writes and statement not in self.facts.lowered:
            return None
        before: list[ir.Statement] = []
        match statement:
            case ir.Assign(value=value, origin=origin) if statement in self.facts.lowered:
                if not self.writes(value):
                    return None
                new: dict[str, Any] = {"value": self.named(value, value, before, origin)}
            case ir.For(iter=iterated, origin=origin):
                new = {"iter": self.expression(iterated, before, origin)}
            case ir.Do(gast.Assert(test=test) as node, origin):
                tested = self.expression(test, before, origin)
                new = {"node": ir.with_fields(node, {"test": tested})}
            case ir.With(items=items, origin=origin):
                taken = ((self.expression(m, before, origin), target) for m, target in items)
                new = {"items": tuple(taken)}
            case _:
                return None
        return (*before, dataclasses.replace(statement, **new)) if before else None

    def updated(self, statement: ir.Update) -> Iterator[ir.Statement]:
        """x.a += v"""
        before: list[ir.Statement] = []
        target, value, origin = statement.target, statement.value, statement.origin
        if statement in self.facts.lowered:
            yield from self.lowered(statement, origin)[0]
            return
        if statement in self.facts.answers:
            self.changed = True
            yield from self.assignment(target, self.facts.answers[statement], origin)
            return
        if target in self.facts.raising:
            self.raised(target, before, origin)
            yield from before
            return
        place = self.place(target)
        if self.is_read_before(target, place, value):
            yield from self.updated_first(target, place, statement.op, value, origin)
            return
        value = self.expression(value, before, origin)
        yield from before
        yield ir.Update(place, statement.op, value, origin)

    def called(self, statement: ir.Do, value: Any) -> Iterator[ir.Statement]:
        """A call on a line of its own."""
        origin = statement.origin
        before: list[ir.Statement] = []
        if self.only_warns(value):
            self.changed = True
        elif value in self.facts.lowered:
            yield from self.lowered(value, origin)[0]
        elif value in self.facts.choices:
            self.changed = True
            yield from one_by_one(self.facts.choices[value], None, self.fresh, origin)
        elif self.changes_what_it_gets(value) and self.is_call(value):
            yield from self.call_taken_apart(None, value, origin)
        else:
            new = self.inside(value, before, origin)
            yield from before
            node = gast.copy_location(gast.Expr(new), statement.node)
            yield statement if new is value else ir.Do(node, origin)

    def only_warns(self, call: Any) -> bool:
        function = self.facts.function_of(call)
        return any(function is one for one in WARNING)

    def changes_what_it_gets(self, call: Any) -> bool:
        return call in self.facts.handed or call in self.facts.given_back

    def indices_named(self, statement: ir.Statement) -> tuple[ir.Statement, ...] | None:
        if not isinstance(statement, (ir.Assign, ir.Update)):
            return None
        if any(map(self.is_moved, ir.expressions_of(statement))):
            return None
        named = with_named_indices(statement, self.facts, self.fresh)
        self.changed |= named is not None
        return named

    def assignment(self, target: Any, value: Any, origin: ir.Origin) -> Iterator[ir.Statement]:
        before: list[ir.Statement] = []
        yield from _never_empty(target, self.facts.columns.get(value), origin)
        value = self.displayed(self.chosen(value))
        if isinstance(value, gast.BoolOp) and self.active(value):
            value = self.either(value, before, origin)
            yield from before
        target = self.name_to_fill(target, value)
        if self.is_own_list(target, value):
            self.changed = True
            loop = filled_in_loop if value in self.facts.filled else appended_in_loop
            yield from loop(self.instead(value), target.id, self.fresh, origin)
            return
        if isinstance(value, gast.IfExp) and self.active(value) and isinstance(target, gast.Name):
            self.changed = True
            body = tuple(self.assignment(target, value.body, origin))
            orelse = tuple(self.assignment(self.same(target), value.orelse, origin))
            yield ir.If(value.test, body, orelse, origin)
            return
        if value in self.facts.choices and self.active(value) and isinstance(target, gast.Name):
            self.changed = True
            yield from one_by_one(self.facts.choices[value], target, self.fresh, origin)
            return
        if target in self.facts.unstarred and (
            self.active(value) or self.meets_what_varies(target)
        ):
            self.changed = True
            yield from _long_enough(target, value, self.known(value), origin)
            target, value = self.facts.unstarred[target]
        if is_spread_from_call(target, value, self.known(value)):
            yield from self.into_list(target, value, origin)
            return
        if value in self.facts.made or makes_function(value):
            yield from self.made(target, value, origin)
            return
        taken = isinstance(target, Flat) and value not in self.facts.handed
        taken |= are_nested(target) and is_saving_twin(value, self.facts)
        if not taken and self.is_call(value) and self.is_more_than_a_tuple(value):
            yield from self.call_taken_apart(target, value, origin)
            return
        yield from self.elementwise(target, value, origin)

    def meets_what_varies(self, target: Any) -> bool:
        """Whether a name that is bound here holds what carries a derivative elsewhere."""
        kinds = map(self.facts.web_kinds.get, ir.target_names(target))
        return any(kind is not None and kind.active for kind in kinds)

    def same(self, target: Any) -> Any:
        """The name once more, of the same kind: it is told apart in both branches, or in none."""
        new = ir.name(target.id)
        self.facts.kinds[new] = self.facts.kinds[target]
        return new

    def into_list(self, target: Any, value: Any, origin: ir.Origin) -> Iterator[ir.Statement]:
        """a, *rest = f(x)"""
        self.changed = True
        rest = starred_in(target)
        apart = self.tuple_target(rest)
        if apart is not rest and ir.base_name(rest.id) != "_":
            yield from self.assignment(with_each_named(target, apart.elts), value, origin)
            return
        names = names_for(target, self.known(value), self.fresh)
        yield from self.assignment(with_each_named(target, names), value, origin)
        yield from self.assignment(rest, display_of_names(target, names), origin)

    def is_own_list(self, target: Any, value: Any) -> bool:
        """Whether a comprehension can be built up under the name that it gets."""
        comprehension = isinstance(value, gast.ListComp) and self.active(value)
        comprehension |= value in self.facts.filled
        named = ir.is_own_name(target)
        return comprehension and named and target.id not in ir.names_in(value)

    def name_to_fill(self, target: Any, value: Any) -> Any:
        """The name that `self.totals` has from here on, where a dict is filled that does not ask for what it was."""
        way = way_of(target)
        filled = value in self.facts.filled and way is not None and bool(way.steps)
        if not filled or way is None or way.asked(value):
            return target
        place = self.placed(target, value)
        return place if isinstance(place, gast.Name) else target

    def returned(
        self, values: tuple[Any, ...], is_tuple: bool, origin: ir.Origin, form: Any
    ) -> Iterator[ir.Statement]:
        """Containers are returned by their elements."""
        skipped = {k for k, _ in stand_ins(form)}
        values = tuple(self.first_name(v) if k in skipped else v for k, v in enumerate(values))
        kinds = [self.known(v) if k not in skipped else UNKNOWN for k, v in enumerate(values)]
        apart = [isinstance(kind, Tup) and kind.active for kind in kinds]
        if not any(apart):
            yield ir.Return(values, is_tuple, origin, form)
            return
        self.changed = True
        names = [
            leaf
            for value, kind in zip(values, kinds, strict=True)
            for leaf in leaf_names(value.id, kind or UNKNOWN)
        ]
        places = (form_of(kind or UNKNOWN) for kind in kinds)
        whole: Kind = Tup((UNKNOWN,) * len(values)) if is_tuple else UNKNOWN
        firsts = [self.facts.objects.get(name) or name for name in names]
        results = tuple(gast.copy_location(ir.name(name), values[0]) for name in firsts)
        new = filled(whole if form is None else form, places)
        plain = isinstance(new, Tup) and new == Tup((UNKNOWN,) * len(names))
        yield ir.Return(results, True, origin, None if plain else new)

    def over_elements(self, loop: ir.For) -> ir.For:
        iterated = self.instead(loop.iter)
        if iterated is loop.iter:
            return loop
        self.facts.items[iterated] = self.facts.items[loop.iter]
        self.facts.kinds[iterated] = self.facts.kinds[loop.iter]
        return ir.For(loop.target, iterated, loop.body, loop.stop, loop.origin)


def are_nested(target: Any) -> bool:
    """Whether a target is of the form (a, b), c."""
    display = isinstance(target, (gast.Tuple, gast.List))
    return display and any(isinstance(e, (gast.Tuple, gast.List)) for e in target.elts[:1])


def _never_empty(target: Any, rows: Any, origin: ir.Origin) -> Iterator[ir.Statement]:
    """What Python does where `a, b = zip(*rows)` finds no rows."""
    if rows is None:
        return
    names = [e for e in target.elts if not isinstance(e, gast.Starred)]
    least = "" if len(names) == len(target.elts) else "at least "
    text = f"not enough values to unpack (expected {least}{len(names)}, got 0)"
    line = gast.Raise(quote("ValueError({message})", message=constant(text)), None)
    test = gast.UnaryOp(gast.Not(), ir.name(rows.id))
    if names:
        yield ir.If(all_at(test, rows), (ir.Do(all_at(line, rows), origin),), (), origin)


def _long_enough(
    target: Any, value: Any, kind: Kind | None, origin: ir.Origin
) -> Iterator[ir.Statement]:
    """What Python does where there is less, or more, than `a, *rest, b = value` or `a, b = value` asks for."""
    if not isinstance(value, gast.Name) or isinstance(kind, Tup):
        return
    starred = ir.has_star(target.elts)
    count = len(target.elts) - starred
    if not starred and isinstance(kind, Seq) and kind.length == count:
        return
    few = f"not enough values to unpack (expected {'at least ' if starred else ''}{count}, got "
    yield _raising_where(gast.Lt(), count, [constant(few), None, constant(")")], value, origin)
    if not starred:
        many = [constant(f"too many values to unpack (expected {count})")]
        yield _raising_where(gast.Gt(), count, many, value, origin)


def _raising_where(
    op: Any, count: int, message: list[Any], value: Any, origin: ir.Origin
) -> ir.Statement:
    """A ValueError where a list is shorter, or longer; its length stands in the message for None."""

    def length() -> Any:
        return quote("len({xs})", xs=ir.name(value.id))

    parts = [gast.FormattedValue(length(), -1, None) if part is None else part for part in message]
    error = quote(
        "ValueError({message})", message=gast.JoinedStr(parts) if len(parts) > 1 else parts[0]
    )
    line = all_at(gast.Raise(error, None), value)
    test = gast.Compare(length(), [op], [constant(count)])
    return ir.If(all_at(test, value), (ir.Do(line, origin),), (), origin)
