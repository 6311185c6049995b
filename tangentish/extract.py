"""What carries a derivative is taken apart as far as the adjoint needs it; the rest stays as the user wrote it.

y = a if c else b        ->  if c: y = a   else: y = b
y = 2 * helper(x)        ->  helper_y = helper(x); y = 2 * helper_y
t = (a, b); y = t[0]     ->  t_0, t_1 = a, b; y = t_0
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import gast
import numpy as np

from tangentish import ir
from tangentish.calls_taken_apart import form_of, names_made, stem_of
from tangentish.chosen_functions import one_by_one
from tangentish.comprehensions import appended_in_loop
from tangentish.errors import Refusal
from tangentish.evaluation_order import EvaluationOrder, value_of
from tangentish.indexed_loops import indexed, is_iterated
from tangentish.infer import (
    DictMethod,
    Facts,
    InPlaceCall,
    ListMethod,
    is_range,
    known_key,
    literal_of,
)
from tangentish.kinds import UNKNOWN, FunctionValue, Kind, Known, Num, Seq, Tup, filled, stand_ins
from tangentish.lifted import Flat, Instance, Routine, element_name, leaf_names
from tangentish.named_indices import with_named_indices
from tangentish.named_tests import with_named_tests
from tangentish.nested import Closure
from tangentish.placed import all_at
from tangentish.quote import constant, quote
from tangentish.returned_functions import with_functions_given
from tangentish.rules.rule import ABSENT
from tangentish.webs import map_statement

__all__ = ["extract"]


def extract(function: ir.Function, facts: Facts) -> tuple[ir.Function, bool, list[Refusal]]:
    """The function with active calls, conditional expressions and tuples taken out; whether anything changed."""
    named = with_named_tests(function, facts)
    if named is not None:
        return named, True, []
    pass_ = _Extract(facts, count=names_made(function))
    giving, refusals = with_functions_given(function, facts, pass_.fresh)
    if giving is not None:
        return giving, True, []
    pass_.refusals += refusals
    body = pass_.block(function.body)
    if any(isinstance(kind, Tup) and kind.active for kind in facts.web_kinds.values()):
        body = pass_.settled(body)
    new = ir.Function(function.name, function.arguments, function.parameters, body)
    return new, pass_.changed, pass_.refusals


@dataclass
class _Extract(EvaluationOrder):
    writing: dict[Any, bool] = field(default_factory=dict)  # expression -> whether a part writes

    def active(self, node: Any) -> bool:
        kind = self.known(node)
        return kind is not None and kind.active

    def is_plain(self, test: Any) -> bool:
        """Whether a test does nothing but look at values, as far as it is evaluated."""
        if isinstance(test, gast.BoolOp):
            stop = isinstance(test.op, gast.Or)
            ends = (k for k, v in enumerate(test.values) if self.known(v) == Known(stop))
            return all(map(self.is_plain, test.values[: next(ends, len(test.values)) + 1]))
        return all(isinstance(node, _PLAIN) or self.is_asked(node) for node in ir.walk(test))

    def is_asked(self, node: Any) -> bool:
        """`x.ndim`, `np.ndim(x)`: questions that do nothing else."""
        if isinstance(node, gast.Attribute):
            return node.attr in _ASKED or isinstance(self.known(node), Known)
        callee = self.facts.callees.get(node)
        return callee is not None and callee.function in _ASKING

    # -- statements

    def block(self, block: ir.Block) -> ir.Block:
        new: list[ir.Statement] = []
        for statement in (inner for each in block for inner in self.reached(each)):
            for line in self.statement(statement):
                new.append(line)
                if isinstance(line, ir.Do) and isinstance(line.node, gast.Raise):
                    return tuple(new)  # nothing comes after it
        return tuple(new)

    def reached(self, statement: ir.Statement) -> ir.Block:
        """The statement, or those of the branch that is taken, where that is known beforehand."""
        match statement:
            case ir.If(test, body, orelse) if statement in self.facts.branches and self.is_plain(
                test
            ):
                self.changed = True
                taken = body if self.facts.branches[statement] else orelse
                return tuple(inner for each in taken for inner in self.reached(each))
        return (statement,)

    def statement(self, statement: ir.Statement) -> Iterator[ir.Statement]:
        if statement not in self.facts.before:
            yield statement
            return
        named = self.indices_named(statement) or self.at_another_place(statement)
        if named is not None:
            yield from named
            return
        match statement:
            case ir.Assign(origin=origin) if statement in self.facts.answers:
                self.changed = True
                call = self.facts.answers[statement]
                line = ir.Do(gast.copy_location(gast.Expr(call), call), origin)
                yield from self.called(line, call)
                return
            case ir.Assign(target, value, origin):
                yield from self.assignment(target, value, origin)
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
            case ir.For() if is_iterated(statement, self.facts) and not is_range(
                statement.iter, self.facts
            ):
                self.changed = True
                *lines, loop = indexed(self.over_elements(statement), self.facts, self.fresh)
                yield from lines
                yield map_statement(self.heads_apart(loop), lambda e: e, self.block)
                return
        yield map_statement(statement, self.without_tuples, self.block)

    def at_another_place(self, statement: ir.Statement) -> tuple[ir.Statement] | None:
        """`x.flat[i] = v` and `for v in x.flat`, as what `x.flat` stands for."""
        match statement:
            case ir.Assign(target=place) | ir.Update(target=place) if place in self.facts.answers:
                changed = {"target": self.facts.answers[place]}
            case ir.For(iter=iterated) if iterated in self.facts.answers:
                changed = {"iter": self.facts.answers[iterated]}
            case _:
                return None
        self.changed = True
        return (dataclasses.replace(statement, **changed),)

    def heads_apart(self, loop: ir.Statement) -> ir.Statement:
        """What a trip gets is told apart in one go: the names of fields, and of elements of elements, are known now."""
        if not isinstance(loop, ir.For):
            return loop
        body = tuple(
            ir.Assign(self.apart(s.target), s.value, s.origin)
            if isinstance(s, ir.Assign) and s not in self.facts.before
            else s
            for s in loop.body
        )
        return ir.For(loop.target, loop.iter, body, loop.stop, loop.origin)

    def elements_apart(self, target: Any) -> Any:
        """t, c = xs[i]  ->  (t_0, t_1), c = xs[i]"""
        if not isinstance(target, (gast.Tuple, gast.List)) or isinstance(target, Flat):
            return target
        parts = list(map(self.apart, target.elts))
        if parts == target.elts:  # nodes are equal only to themselves
            return target
        self.changed = True
        return gast.copy_location(gast.Tuple(parts, gast.Store()), target)

    def apart(self, target: Any) -> Any:
        """A target with a name for each element of the tuples in it."""
        match target:
            case gast.Tuple() | gast.List():
                return self.elements_apart(target)
            case gast.Name(id=name):
                kind = self.facts.web_kinds.get(name) or self.facts.kinds.get(target)
                if not (isinstance(kind, Tup) and kind.is_counted and kind.active):
                    return target
                parts = list(map(self.apart, self.element_names(name, kind, target)))
            case _:
                return target
        return gast.copy_location(gast.Tuple(parts, gast.Store()), target)

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
        if value in self.facts.lowered:
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

    def changes_what_it_gets(self, call: Any) -> bool:
        return call in self.facts.handed or call in self.facts.given_back

    def indices_named(self, statement: ir.Statement) -> tuple[ir.Statement, ...] | None:
        if not isinstance(statement, (ir.Assign, ir.Update)):
            return None
        if any(self.writes(e) for e in ir.expressions_of(statement)):
            return None
        named = with_named_indices(statement, self.facts, self.fresh)
        self.changed |= named is not None
        return named

    def chosen(self, node: Any) -> Any:
        """`a if c else b` where c is known: the one that it is."""
        while isinstance(node, gast.IfExp) and self.is_plain(node.test):
            test = self.known(node.test)
            truth = test.value if isinstance(test, Known) else ...
            if truth is not None and type(truth) is not bool:
                break
            self.changed = True
            node = node.body if truth else node.orelse
        return node

    def lowered(self, node: Any, origin: ir.Origin) -> tuple[list[ir.Statement], Any]:
        """The stores that a call that writes stands for, and an expression for its value."""
        self.changed = True
        callee, handler = self.facts.callees[node], self.facts.lowered[node]
        call = InPlaceCall(
            node,
            callee.function,
            list(callee.args),
            callee.keywords,
            self.facts,
            origin,
            self.fresh,
        )
        value = handler(call)
        if isinstance(callee.function, DictMethod):
            pairs = ((s.target, s.value) for s in call.lines if isinstance(s, ir.Assign))
            lines = [new for t, v in pairs for new in self.assignment(t, v, origin)]
            return lines, gast.Constant(None, None) if value is None else value
        return call.lines, gast.Constant(None, None) if value is None else value

    def assignment(self, target: Any, value: Any, origin: ir.Origin) -> Iterator[ir.Statement]:
        before: list[ir.Statement] = []
        value = self.displayed(self.chosen(value))
        if isinstance(value, gast.BoolOp) and self.active(value):
            value = self.either(value, before, origin)
            yield from before
        if self.is_own_list(target, value):
            self.changed = True
            yield from appended_in_loop(self.instead(value), target.id, self.fresh, origin)
            return
        if isinstance(value, gast.IfExp) and self.active(value) and isinstance(target, gast.Name):
            self.changed = True
            body = tuple(self.assignment(target, value.body, origin))
            orelse = tuple(self.assignment(ir.name(target.id), value.orelse, origin))
            yield ir.If(value.test, body, orelse, origin)
            return
        if value in self.facts.choices and self.active(value) and isinstance(target, gast.Name):
            self.changed = True
            yield from one_by_one(self.facts.choices[value], target, self.fresh, origin)
            return
        if target in self.facts.unstarred and self.active(value):
            self.changed = True
            target, value = self.facts.unstarred[target]
        if value in self.facts.made or _is_function(value):
            yield from self.made(target, value, origin)
            return
        taken = isinstance(target, Flat) and value not in self.facts.handed
        if not taken and self.is_call(value) and self.is_more_than_a_tuple(value):
            yield from self.call_taken_apart(target, value, origin)
            return
        yield from self.elementwise(target, value, origin)

    def elementwise(self, target: Any, value: Any, origin: ir.Origin) -> Iterator[ir.Statement]:
        """An assignment, of containers one of their elements each."""
        before: list[ir.Statement] = []
        target = self.placed(target, value)
        spread = self.tuple_target(target)
        itself = self.second_itself(target, value) if spread is not target else None
        if itself is not None:
            yield from self.stand_in(target, itself, origin)
        if spread is not target:
            value = self.spread(self.nameable(value, before, origin))
            if _is_none_or_one(spread, value):
                yield from before
                yield from self.each(spread, value, origin)
                return
        target, value = self.flattened(self.place(spread), value)
        if isinstance(value, gast.Subscript) and isinstance(self.known(value.value), Seq):
            target = self.elements_apart(target)
        at_root = self.is_call(value) and all(isinstance(t, gast.Name) for t in _parts(target))
        new = (
            self.inside(value, before, origin)
            if at_root
            else self.expression(value, before, origin)
        )
        yield from before
        yield from self.bound(target, value, new, origin)

    def nameable(self, value: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        """A container without a derivative that is told apart has a name, of which elements are asked."""
        kind = self.known(value)
        if not isinstance(kind, Tup) or kind.active or self.elements(value) is not None:
            return value
        name = self.named(value, value, before, origin)
        self.facts.kinds[name] = kind
        return name

    def each(self, target: Any, value: Any, origin: ir.Origin) -> Iterator[ir.Statement]:
        """a, = b,  ->  a = b"""
        for place in target.elts:
            yield from self.assignment(place, value.elts[0], origin)

    def bound(self, target: Any, old: Any, new: Any, origin: ir.Origin) -> ir.Block:
        """a, b = xs.pop()  ->  a, b = xs[-1]; xs.pop()"""
        callee = self.facts.callees.get(old)
        if callee is None or not isinstance(callee.function, ListMethod) or new.func.attr != "pop":
            return (ir.Assign(target, new, origin),)
        kind = self.known(callee.args[0])
        if not (isinstance(kind, Seq) and isinstance(kind.item, Tup) and kind.active):
            return (ir.Assign(target, new, origin),)
        self.changed = True
        lines: list[ir.Statement] = []
        position = new.args[0] if new.args else gast.Constant(-1, None)
        if literal_of(position) is ABSENT:
            name = self.fresh("i")
            lines.append(ir.Assign(ir.name(name), position, origin))
            position = ir.name(name)
            new = gast.copy_location(gast.Call(new.func, [position], []), new)
        element = gast.Subscript(new.func.value, position, gast.Load())
        lines.append(ir.Assign(target, gast.copy_location(element, new), origin))
        return (*lines, ir.Do(gast.copy_location(gast.Expr(new), new), origin))

    def displayed(self, value: Any) -> Any:
        """A comprehension or a dict of others as it is written down, an operator of a class as its method."""
        new = self.facts.as_arrays.get(value)
        new = self.facts.answers.get(
            value, new if isinstance(new, (gast.Dict, gast.List)) else None
        )
        if new is None:
            return value
        self.changed = True
        return self.displayed(new)

    def is_own_list(self, target: Any, value: Any) -> bool:
        """Whether a comprehension can be built up under the name that it gets."""
        comprehension = isinstance(value, gast.ListComp) and self.active(value)
        named = isinstance(target, gast.Name) and ir.is_value(target.id)
        return comprehension and named and target.id not in ir.names_in(value)

    def flattened(self, target: Any, value: Any) -> tuple[Any, Any]:
        """t, c = (a, b), d  ->  t_0, t_1, c = a, b, d"""
        displays = (gast.Tuple, gast.List)
        if not (
            isinstance(target, displays)
            and isinstance(value, displays)
            and len(target.elts) == len(value.elts)
        ):
            return target, value
        pairs = list(zip(target.elts, value.elts, strict=True))
        flat: list[tuple[Any, Any]] = []
        for left, right in pairs:
            if not self.is_second_name(left, [t for t, _ in flat]):
                flat += self.told_apart(left, right)
        if [left for left, _ in flat] == target.elts:  # nodes are equal only to themselves
            return target, value
        targets, values = [left for left, _ in flat], [right for _, right in flat]
        return (
            gast.copy_location(gast.Tuple(targets, gast.Store()), target),
            gast.copy_location(gast.Tuple(values, gast.Load()), value),
        )

    def told_apart(self, target: Any, value: Any) -> Iterator[tuple[Any, Any]]:
        """A target and its value, one pair an element."""
        displays = (gast.Tuple, gast.List)
        if (
            isinstance(target, displays)
            and isinstance(value, displays)
            and len(target.elts) == len(value.elts)
        ):
            for left, right in zip(target.elts, value.elts, strict=True):
                yield from self.told_apart(left, right)
            return
        new = target if self.stays_given(target, value) else self.tuple_target(target)
        elements = self.elements(value) if new is not target else None
        if elements is None:
            if new is not target and isinstance(self.known(value), Tup) and not self.active(value):
                self.refusals.append(Refusal(_NAMELESS, value))
            yield target, value
            return
        for left, right in zip(new.elts, elements, strict=True):
            yield from self.told_apart(left, right)
        itself = self.second_itself(target, value)
        if itself is not None and target.id not in self.facts.entry:
            yield gast.copy_location(ir.name(target.id), target), itself

    def is_second_name(self, target: Any, before: list[Any]) -> bool:
        """Whether an object is only given its own name here: its attributes have theirs already."""
        kind = self.known(target)
        if not (isinstance(target, gast.Name) and isinstance(kind, Tup) and kind.is_object):
            return False
        named = {element_name(target.id, k, kind) for k in range(len(kind.items))}
        return bool(named) and named <= {t.id for t in before if isinstance(t, gast.Name)}

    def second_itself(self, target: Any, value: Any) -> Any | None:
        """What an object is known by under another name, which stands nowhere else."""
        if isinstance(value, Instance):
            return None if _is_function(value) or issubclass(value.of, tuple) else value.cls
        return None if target.id in self.facts.web_kinds else self.itself(value)

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
        results = tuple(gast.copy_location(ir.name(name), values[0]) for name in names)
        new = filled(whole if form is None else form, places)
        plain = isinstance(new, Tup) and new == Tup((UNKNOWN,) * len(names))
        yield ir.Return(results, True, origin, None if plain else new)

    # -- expressions

    def is_call(self, node: Any) -> bool:
        callee = self.facts.callees.get(node)
        if callee is None:
            return False
        if isinstance(callee.function, ListMethod):
            return callee.function.name == "pop" and self.is_ever_active(callee.args[0])
        return callee.user is not None and (callee.user.is_followed or node in self.facts.handed)

    def is_ever_active(self, xs: Any) -> bool:
        """Whether a list carries a derivative here or elsewhere: a list of tangents goes with it all the way."""
        kind, root = self.known(xs), ir.root_of(xs)
        anywhere = self.facts.web_kinds.get(root.id) if isinstance(root, gast.Name) else None
        return any(k is not None and k.active for k in (kind, anywhere))

    def is_call_of_given(self, node: Any) -> bool:
        """Whether a function is called that is known by what it holds: another call stands for it."""
        func = getattr(node, "func", None) if node in self.facts.lifted else None
        kind = self.facts.kinds.get(func)
        return isinstance(kind, Tup) and kind.is_function

    def instead(self, node: Any) -> Any:
        """An expression with what stands for its parts: d.values() is a tuple of the values."""

        def change(part: Any) -> Any:
            new = self.facts.as_arrays.get(part)
            return None if new is None else self.without_tuples(new)

        return ir.copy_expression(node, change)

    def over_elements(self, loop: ir.For) -> ir.For:
        iterated = self.instead(loop.iter)
        if iterated is loop.iter:
            return loop
        self.facts.items[iterated] = self.facts.items[loop.iter]
        self.facts.kinds[iterated] = self.facts.kinds[loop.iter]
        return ir.For(loop.target, iterated, loop.body, loop.stop, loop.origin)

    def comprehension(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        self.changed = True
        name = self.fresh("t")
        before += appended_in_loop(self.instead(node), name, self.fresh, origin)
        return gast.copy_location(ir.name(name), node)

    def expression(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        instead = self.facts.as_arrays.get(node) or self.facts.answers.get(node)
        if instead is not None:
            self.changed = True
            return self.without_tuples(instead)
        if node in self.facts.raising:
            return self.raised(node, before, origin)
        if not self.active(node) and not self.writes(node):
            return self.without_tuples(node)
        if isinstance(node, gast.Name):
            return self.whole_tuple(node)
        if node in self.facts.lowered:
            lines, value = self.lowered(node, origin)
            before += lines
            return value
        if node in self.facts.choices or node in self.facts.made or self.is_call(node):
            return self.call_first(node, before, origin)
        if isinstance(node, gast.BinOp) and isinstance(self.known(node), Tup):
            elements = self.elements(node)
            if elements is not None:
                self.changed = True
                return gast.copy_location(gast.Tuple(elements, gast.Load()), node)
        node = self.chosen(node)
        if type(node) in self.TAKEN_APART:
            return self.TAKEN_APART[type(node)](self, node, before, origin)
        return self.inside(node, before, origin)

    def raised(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        """What raises here does so by itself: the dict or object that it is asked of is gone."""
        self.changed = True
        error, text = self.facts.raising[node]
        made = quote(f"{error}({{key}})", key=constant(text))
        before.append(ir.Do(all_at(gast.Raise(made, None), node), origin))
        return gast.copy_location(gast.Constant(None, None), node)

    def call_first(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        """What a call gives has a name before the rest is evaluated."""
        if node in self.facts.choices:
            self.changed = True
            name = ir.name(self.fresh("t"))
            before += one_by_one(self.facts.choices[node], name, self.fresh, origin)
            return gast.copy_location(ir.name(name.id), node)
        if node in self.facts.made:
            return self.made_first(node, before, origin)
        return self.call_named(node, before, origin)

    def subscript(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        """t[1] -> t_1;  f(x)[1] -> t_0, t_1 = f(x); t_1"""
        element = self.whole_element(node)
        if element is not None:
            return element
        key = known_key(node.slice, self.facts.kind(node.slice))
        element = self.element_of_call(node.value, key, before, origin)
        if element is not None:
            return element
        return self.inside(node, before, origin)

    def attribute(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        """p.x -> p_x"""
        element = self.whole_element(node)
        if element is not None:
            return element
        if self.is_of_class(node):
            return self.of_class(node)
        element = self.element_of_call(node.value, node.attr, before, origin)
        if element is not None:
            return element
        kind = self.known(node.value)
        position = kind.position(node.attr) if isinstance(kind, Tup) and kind.is_counted else None
        if position is not None:  # of what stands in a list, where its fields have no names
            self.changed = True
            value = self.inside(node.value, before, origin)
            key = gast.Constant(position, None)
            return gast.copy_location(gast.Subscript(value, key, gast.Load()), node)
        return self.inside(node, before, origin)

    def writes(self, node: Any) -> bool:
        """Whether an expression has a part that writes, or is taken apart as one that may."""
        if node not in self.writing:
            facts = self.facts
            itself = self.is_call(node) or node in facts.lowered or node in facts.choices
            itself = itself or node in facts.raising
            itself = itself or self.is_call_of_given(node)
            self.writing[node] = itself or any(map(self.writes, ir.children(node)))
        return self.writing[node]

    def inside(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        """The node with its parts taken apart, in the order in which they are evaluated."""
        if isinstance(node, Closure):
            return node
        whole = node
        self.receiver_first(node, before, origin)
        stands_for_another = self.is_call_of_given(node) or self.is_call(node) or self.active(node)
        if node in self.facts.lifted and stands_for_another:
            self.changed = True
            while node in self.facts.lifted:  # of a partial of a partial
                node = self.facts.lifted[node]
            if not isinstance(node, gast.Call):  # what `options.get(key)` gives
                return self.expression(node, before, origin)
        parts = self.parts_of(node)
        unnamed = self.facts.unnamed
        moved = [k for k, part in enumerate(parts) if self.writes(part) or part in unnamed]
        last = max(moved, default=-1)
        new: dict[Any, Any] = {}
        for k, part in enumerate(parts):
            stands = isinstance(getattr(node, "func", None), Routine)
            itself = self.itself(part) if stands else None
            if self.is_call(node) and self.is_tuple_of_rule(part):
                itself = self.call_named(part, before, origin)
            result = itself or self.expression(part, before, origin)
            others = parts[k + 1 :] if k < last else []
            if part in unnamed or self.must_stay_before(part, result, others, whole):
                result = self.named(part, result, before, origin)
            if result is not part:
                new[part] = result
        if not new:
            return node
        return ir.copy_expression(node, lambda sub: new.get(sub) if sub is not node else None)

    def parts_of(self, node: Any) -> list[Any]:
        """The parts of an expression; of a method of an array, the array."""
        inner = node.values if isinstance(node, Instance) else map(value_of, ir.children(node))
        parts = list(inner)
        func = getattr(node, "func", None)
        if isinstance(func, gast.Attribute) and isinstance(self.facts.kind(func.value), Num):
            parts[0] = func.value
        return parts

    def receiver_first(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> None:
        """a.push(v).push(w): a.push(v) has a line of its own, and gives back a."""
        receiver = getattr(getattr(node, "func", None), "value", None)
        if receiver in self.facts.given_back and node in self.facts.lifted:
            self.call_named(receiver, before, origin)

    def is_tuple_of_rule(self, node: Any) -> bool:
        """Whether this calls a function with a rule that gives several results; a callee takes them one by one."""
        kind = self.known(node)
        several = isinstance(kind, Tup) and kind.active and node not in self.facts.made
        return several and isinstance(node, gast.Call) and not self.is_call(node)

    def named(self, old: Any, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        self.changed = True
        name = self.fresh(stem_of(node))
        before.append(ir.Assign(gast.copy_location(ir.name(name), old), node, origin))
        return gast.copy_location(ir.name(name), old)

    def conditional(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        self.changed = True
        name = self.fresh("t")
        branches = []
        for part in (node.body, node.orelse):
            lines: list[ir.Statement] = []
            value = self.expression(part, lines, origin)
            branches.append(
                (*lines, ir.Assign(gast.copy_location(ir.name(name), node), value, origin))
            )
        before.append(ir.If(node.test, branches[0], branches[1], origin))
        return gast.copy_location(ir.name(name), node)

    def either(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        """`a or b`  ->  t = a; if not t: t = b"""
        self.changed = True
        first, *others = node.values
        name = self.fresh("t")

        def target() -> Any:
            return gast.copy_location(ir.name(name), node)

        lines: list[ir.Statement] = []
        inner = self.expression(first, lines, origin)
        lines.append(ir.Assign(target(), inner, origin))
        for other in others:
            branch: list[ir.Statement] = []
            value = self.expression(other, branch, origin)
            branch.append(ir.Assign(target(), value, origin))
            test = target()
            if isinstance(node.op, gast.Or):
                test = gast.copy_location(gast.UnaryOp(gast.Not(), test), node)
            lines.append(ir.If(test, tuple(branch), (), origin))
        before += lines
        return target()

    TAKEN_APART: ClassVar[dict[type, Any]] = {
        gast.IfExp: conditional,
        gast.BoolOp: either,
        gast.Subscript: subscript,
        gast.Attribute: attribute,
        gast.ListComp: comprehension,
        gast.GeneratorExp: comprehension,
    }


def _is_function(value: Any) -> bool:
    """Whether an expression gives a function by what it holds."""
    return isinstance(value, Instance) and issubclass(value.of, FunctionValue)


def _parts(target: Any) -> Iterator[Any]:
    if isinstance(target, (gast.Tuple, gast.List)):
        yield from target.elts
    else:
        yield target


_PLAIN = (
    gast.Name,
    gast.Constant,
    gast.Compare,
    gast.BoolOp,
    gast.UnaryOp,
    gast.cmpop,
    gast.BinOp,
    gast.Tuple,
    gast.operator,
)
_ASKED = {"ndim", "shape"}
_ASKING: tuple[Any, ...] = (np.ndim, np.shape, isinstance, callable, len)

_NAMELESS = "this is a container of differentiated values elsewhere: give it a name first"


def _is_none_or_one(target: Any, value: Any) -> bool:
    """Whether a tuple of targets has no element, or one that a display gives its only element."""
    is_display = isinstance(value, (gast.Tuple, gast.List))
    return not target.elts or (is_display and len(target.elts) == 1)
