"""Containers that get a name, or are told apart: one assignment for each of their elements.

t = (a, b)           ->    t_0, t_1 = a, b
t, c = (a, b), d     ->    t_0, t_1, c = a, b, d
a, b = xs.pop()      ->    a, b = xs[-1]; xs.pop()
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.evaluation_order import handed_in
from tangentish.analysis.indexed_loops import read_after, with_items_named
from tangentish.analysis.taken_out import TakenOut
from tangentish.analysis.whole_objects import names_used_whole
from tangentish.errors import Refusal
from tangentish.infer import is_taken_out, literal_of
from tangentish.kinds import UNKNOWN, Seq, Tup
from tangentish.language.lifted import (
    Flat,
    Instance,
    Routine,
    element_name,
    element_path,
    is_element,
    itself_only,
    leaf_names,
    makes_function,
)
from tangentish.language.none_apart import has_form_of_none
from tangentish.language.none_handed_on import given_on_later_trips, handed_on
from tangentish.rules.rule import ABSENT
from tangentish.runtime.copies import copy_shared

_NAMELESS = "this is a container of differentiated values elsewhere: give it a name first"
_FORMS = "a dict or an object has one form on one path and another on another: make it in one way"
_GIVEN_WHOLE = (
    "what a call gives here holds differentiated values later on: make it in this function"
)
_PATHS = (gast.Name, gast.Attribute, gast.Subscript)
_DISPLAYS = (gast.Tuple, gast.List, gast.Dict)


@dataclass
class SpreadOut(TakenOut):
    """The part of the extraction that assigns containers."""

    body: ir.Block = ()
    used_whole: set[str] | None = None
    whole_names: frozenset[str] | None = None

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

    def items_apart(self, loop: ir.Statement) -> ir.Statement:
        """What varies only later, as lists that are empty so far, is told apart from the first trip on."""
        if not isinstance(loop, ir.For):
            return loop
        target = self.apart(loop.target)
        if target is not loop.target:
            self.changed = True
            return ir.For(target, loop.iter, loop.body, loop.stop, loop.origin)
        kept = read_after(loop, self.body, self.facts)
        self.changed |= bool(kept)
        return with_items_named(loop, kept, self.fresh)

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

    def elementwise(self, target: Any, value: Any, origin: ir.Origin) -> Iterator[ir.Statement]:
        """An assignment, of containers one of their elements each."""
        lines = self.in_several_lines(target, value, origin)
        if lines is not None:
            yield from lines
            return
        before: list[ir.Statement] = []
        value = self.with_objects_named(target, value, before, origin)
        target = self.placed(target, value)
        target, value = self.with_none_apart(target, value)
        spread = self.tuple_target(target)
        itself = self.second_itself(target, value) if spread is not target else None
        if itself is not None:
            yield from self.stand_in(target, itself, origin)
        if spread is not target:
            value = self.spread(self.nameable(value, before, origin))
            if isinstance(value, (gast.Tuple, gast.List)):
                value = self.facts.lifted.get(value, value)  # without stars
            if _is_none_or_one(spread, value):
                yield from before
                yield from self.each(spread, value, origin)
                return
        target, value = self.flattened(self.place(spread), value)
        of_list = isinstance(value, gast.Subscript) and isinstance(self.known(value.value), Seq)
        popped = is_taken_out(value, self.facts)
        if of_list or popped:
            target = self.elements_apart(target)
        names = all(isinstance(t, gast.Name) for t in _parts(target))
        rooted = isinstance(target, gast.Name) or self.takes_tuple(value) if popped else names
        if isinstance(value, gast.Call):
            self.check_given(target, value)
        at_root = self.is_call(value) and rooted
        new = (
            self.inside(value, before, origin)
            if at_root
            else self.expression(value, before, origin)
        )
        if isinstance(value, gast.BoolOp):
            new = _without_second_name(new, before)
        if isinstance(new, gast.Dict) and _are_elements(target):
            new = gast.copy_location(gast.Tuple(new.values, gast.Load()), new)
        yield from before
        yield from self.bound(*_by_leaves(target, value, new), origin)

    def in_several_lines(
        self, target: Any, value: Any, origin: ir.Origin
    ) -> Iterator[ir.Statement] | None:
        """The lines of an assignment that is one of each element; None where one line does."""
        if self.takes_several_of_lists(target, value):
            return self.in_turn(target, value, origin)
        if isinstance(target, Flat) and self.gives_whole_dict(value):
            return self.entries_taken(target, value, origin)
        return None

    def gives_whole_dict(self, value: Any) -> bool:
        """Whether a call gives a dict, in which nothing varies, as the user's function does."""
        kind = self.known(value)
        mapping = isinstance(kind, Tup) and kind.is_mapping and not kind.active
        return mapping and isinstance(value, gast.Call) and not _gives_elements(value.func)

    def entries_taken(self, target: Any, value: Any, origin: ir.Origin) -> Iterator[ir.Statement]:
        """d_a, d_b = f(x)  ->  t = f(x); d_a = t["a"]; d_b = t["b"]"""
        whole = gast.copy_location(ir.name(self.fresh("t")), value)
        self.changed = True
        yield from self.assignment(whole, value, origin)
        kind = self.known(value)
        assert isinstance(kind, Tup)
        for k, place in enumerate(target.elts):
            entry = element_path(whole, k, kind)
            yield from self.assignment(place, gast.copy_location(entry, value), origin)

    def with_objects_named(
        self, target: Any, value: Any, before: list[ir.Statement], origin: ir.Origin
    ) -> Any:
        """p, q = p.moved(), q.moved(): what the calls give is told apart in that line, as what is made elsewhere."""
        value = self.with_methods_shown(value)
        field = "values" if isinstance(value, gast.Dict) else "elts"
        parts = getattr(value, field, ()) if isinstance(value, _DISPLAYS) else ()
        again = any(map(self.gives_object, parts)) and self.is_bound_again(target)
        if not (again or self.is_changed_by_later(parts)):
            return value
        if ir.has_star(parts):
            return value
        named = [self.part_named(e, before, origin) for e in parts]
        self.facts.kinds[new := ir.with_fields(value, {field: named})] = self.facts.kind(value)
        return new

    def is_changed_by_later(self, parts: Sequence[Any]) -> bool:
        """What a display holds is what a call in it made of that, not what it was before: p = (o, o.step(x))"""
        for k, part in enumerate(parts[:-1]):
            later = [h for other in parts[k + 1 :] for h in handed_in(other, self.facts)]
            if later and self.is_changed_inside(part):
                changed = {name for h in later for name in leaf_names(h.here, h.kind)}
                if not changed.isdisjoint(self.leaves_read(part)):
                    if any(getattr(self.place(part), "id", None) == h.here for h in later):
                        self.refuse_order(part)
                    return True
        return False

    def leaves_read(self, node: Any) -> Iterator[str]:
        """All that the containers consist of which stand in an expression."""
        for part in ir.walk(node):
            place = self.place(part)
            if isinstance(part, _PATHS) and isinstance(place, gast.Name):
                yield from leaf_names(place.id, self.known(part) or UNKNOWN)

    def with_methods_shown(self, value: Any) -> Any:
        """s, c = s + c, -s: operators of classes as the calls of methods that they are."""
        parts = value.elts if isinstance(value, (gast.Tuple, gast.List)) else ()
        shown = list(map(self.by_method, parts))
        if all(map(operator.is_, shown, parts)):
            return value
        self.changed = True
        self.facts.kinds[new := ir.with_fields(value, {"elts": shown})] = self.facts.kind(value)
        return new

    def is_bound_again(self, target: Any) -> bool:
        """Whether other lines bind what a target binds, in the form that it has there."""
        lines = ir.statements.definitions(self.body)
        return any(lines[name] > 1 for name in ir.target_names(target))

    def part_named(self, part: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        """What a call gives, by its elements; of what is evaluated beside it a name, so that all keeps its turn."""
        if isinstance(part, (gast.Name, gast.Constant)):
            return part
        if self.is_changed_inside(part) and isinstance(part, _PATHS):
            return part  # it is read when what changes it has changed it
        self.changed = True
        if isinstance(part, (gast.Tuple, gast.List)) and self.is_changed_inside(part):
            inner = [self.part_named(e, before, origin) for e in part.elts]
            new = ir.with_fields(part, {"elts": inner})
        else:
            new = self.expression(part, before, origin)
            if not self.gives_object(part):
                new = self.named(part, new, before, origin)
        self.facts.kinds[new] = self.facts.kind(part)
        return new

    def check_given(self, target: Any, value: Any) -> None:
        """Refuse what a call gives as a whole and is told apart later on: nothing would give its elements a value."""
        for part in _parts(target):
            kind, whole = self.facts.kinds.get(part), self.known(part)
            given_whole = isinstance(kind, Tup) and not kind.active and part is not target
            if given_whole and isinstance(whole, Tup) and whole.active:
                self.refusals.append(Refusal(_GIVEN_WHOLE, value))

    def in_turn(self, target: Any, value: Any, origin: ir.Origin) -> Iterator[ir.Statement]:
        """a, b = xs[i], xs[j]  ->  a = xs[i]; b = xs[j], by other names where one that is bound is asked for later."""
        self.changed = True
        if set(ir.target_names(target)).isdisjoint(ir.names_in(value)):
            for left, right in zip(target.elts, value.elts, strict=True):
                yield from self.assignment(left, right, origin)
            return
        before: list[ir.Statement] = []
        parts = [
            self.named(e, e, before, origin) if self.is_list_of_list(e) else e for e in value.elts
        ]
        yield from before
        value = gast.copy_location(gast.Tuple(parts, gast.Load()), value)
        yield ir.Assign(target, value, origin)

    def takes_several_of_lists(self, target: Any, value: Any) -> bool:
        """Whether tuples that lists hold are told apart in one line with others."""
        displays = (gast.Tuple, gast.List)
        several = isinstance(target, displays) and isinstance(value, displays)
        if not several or len(target.elts) != len(value.elts) or not _are_names(target):
            return False
        return any(map(self.is_list_of_list, value.elts))

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

    def with_none_apart(self, target: Any, value: Any) -> tuple[Any, Any]:
        """The elements, each None, for a name that is None here and a tuple elsewhere: they may be handed on.

        t = None  ->  t_0, t_1 = None, None
        """
        several = isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple)
        targets, values = (target.elts, value.elts) if several else ([target], [value])
        if len(targets) != len(values):
            return target, value
        apart = [
            self.elements_elsewhere(t) if ir.is_none(v) else None
            for t, v in zip(targets, values, strict=True)
        ]
        if not any(apart):
            return target, value
        self.changed = True
        new: list[list[Any]] = [[], []]
        for t, v, names in zip(targets, values, apart, strict=True):
            new[0] += names or [t]
            new[1] += [ir.duplicate(v) for _ in names] if names else [v]
        pair = (gast.Tuple(new[0], gast.Store()), gast.Tuple(new[1], gast.Load()))
        return gast.copy_location(pair[0], target), gast.copy_location(pair[1], value)

    def elements_elsewhere(self, target: Any) -> list[Any]:
        """The elements of a name that is told apart where it is not None."""
        kind = self.facts.web_kinds.get(target.id) if isinstance(target, gast.Name) else None
        if not (isinstance(kind, Tup) and kind.optional and kind.active and has_form_of_none(kind)):
            return []
        if self.whole_names is None:
            self.whole_names = handed_on(self.body) - given_on_later_trips(self.body)
        if target.id not in self.whole_names:
            return []
        parts = self.apart(target)
        if parts is target:
            return self.element_names(target.id, kind, target)
        return list(ir.leaves_of(parts))

    def bound(self, target: Any, old: Any, new: Any, origin: ir.Origin) -> ir.Block:
        """a, b = xs.pop()  ->  a, b = xs[-1]; xs.pop()"""
        if not (is_taken_out(old, self.facts) and self.takes_tuple(old)):
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

    def takes_tuple(self, call: Any) -> bool:
        """Whether `xs.pop()` gives a tuple, which is told apart."""
        kind = self.known(self.facts.callees[call].args[0])
        return isinstance(kind, Seq) and isinstance(kind.item, Tup) and kind.active

    def flattened(self, target: Any, value: Any) -> tuple[Any, Any]:
        """t, c = (a, b), d  ->  t_0, t_1, c = a, b, d"""
        displays = (gast.Tuple, gast.List)
        if isinstance(target, displays) and isinstance(value, _PATHS) and self.active(value):
            value = self.by_elements(value)
        values = value.elts if isinstance(value, displays) else self.copied_together(value)
        if not isinstance(target, displays) or len(target.elts) != len(values):
            return target, value
        pairs = list(zip(target.elts, values, strict=True))
        flat: list[tuple[Any, Any]] = []
        for k, (left, right) in enumerate(pairs):
            if self.is_second_name(left, [*target.elts[:k], *(t for t, _ in flat)]):
                flat += self.stand_in_again(left, right)
            else:
                flat += self.told_apart(left, right)
        if flat == pairs:  # nodes are equal only to themselves
            return target, value
        targets, parts = [left for left, _ in flat], [right for _, right in flat]
        call = isinstance(value, gast.Call)
        beside = gast.Call(value.func, parts, []) if call else gast.Tuple(parts, gast.Load())
        return (
            gast.copy_location(gast.Tuple(targets, gast.Store()), target),
            gast.copy_location(beside, value),
        )

    def copied_together(self, value: Any) -> list[Any]:
        """What copies are made of in one call, which gives one for each: of a tuple one for each of its elements.

        t, c = copy_shared(s, d)  ->  t_0, t_1, c = copy_shared(s_0, s_1, d)
        """
        copied = isinstance(value, gast.Call) and self.facts.function_of(value) is copy_shared
        return list(value.args) if copied else []

    def by_elements(self, path: Any) -> Any:
        """A tuple that has a name, by its elements, of which it is known what they hold."""
        kind = self.known(path)
        elements = self.elements(path) if isinstance(kind, Tup) and kind.is_counted else None
        if elements is None:
            return path
        self.changed = True
        return gast.copy_location(gast.Tuple(elements, gast.Load()), path)

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
        if len(new.elts) != len(elements):
            self.refusals.append(Refusal(_FORMS, value))
            return
        for left, right in zip(new.elts, elements, strict=True):
            yield from self.told_apart(left, right)
        itself = self.second_itself(target, value)
        if itself is not None and not self.facts.is_given(target.id):
            yield gast.copy_location(ir.name(target.id), target), itself

    def stand_in_again(self, target: Any, value: Any) -> Iterator[tuple[Any, Any]]:
        """What stands for an object whose attributes have their values, where its first name is this one."""
        itself = self.second_itself(target, value)
        if itself is not None and not self.facts.is_given(target.id):
            yield target, itself

    def is_second_name(self, target: Any, before: list[Any]) -> bool:
        """Whether an object is only given its own name here: its attributes have theirs already."""
        kind = self.known(target)
        if not (isinstance(target, gast.Name) and isinstance(kind, Tup) and kind.is_object):
            return False
        named = {element_name(target.id, k, kind) for k in range(len(kind.items))}
        return bool(named) and named <= {t.id for t in before if isinstance(t, gast.Name)}

    def needs_itself(self, name: str) -> bool:
        """Whether an object is known by this name itself, and something asks for more than its attributes."""
        if self.facts.objects.get(name) != name:
            return False  # where it is wanted, its first name stands
        if self.used_whole is None:
            lines = ir.walk_statements(self.body)
            expressions = (e for line in lines for e in ir.expressions_of(line))
            self.used_whole = {n for e in expressions for n in names_used_whole(e, self.facts)}
        return name in self.used_whole

    def second_itself(self, target: Any, value: Any) -> Any | None:
        """What an object is known by under another name, which stands nowhere else."""
        made = self.facts.made.get(value, value)
        if isinstance(made, Instance):
            return None if makes_function(made) or issubclass(made.of, tuple) else made.cls
        if target.id in self.facts.web_kinds and not self.needs_itself(target.id):
            return None
        first = self.itself(value)
        return None if first is None else itself_only(first)


def _gives_elements(func: Any) -> bool:
    return isinstance(func, Routine) and func.lifted.stands_for_objects


def _by_leaves(target: Any, value: Any, new: Any) -> tuple[Any, Any, Any]:
    """Targets for all that a call gives, of one that has become a display of displays."""
    leaves = list(ir.leaves_of(new)) if isinstance(target, Flat) else []
    if len(leaves) <= 1 or len(leaves) != len(target.elts):
        return target, value, new
    plain = gast.copy_location(gast.Tuple(target.elts, gast.Store()), target)
    return plain, value, gast.copy_location(gast.Tuple(leaves, gast.Load()), new)


def _parts(target: Any) -> Iterator[Any]:
    if isinstance(target, (gast.Tuple, gast.List)):
        yield from target.elts
    else:
        yield target


def _are_names(target: Any) -> bool:
    """Whether a target binds names only, in tuples or not."""
    return all(isinstance(n, (gast.Tuple, gast.List, gast.Name)) for n in ir.walk(target))


def _are_elements(target: Any) -> bool:
    """Whether targets take the elements of a container, which the user writes as a whole."""
    return isinstance(target, gast.Tuple) and all(
        isinstance(t, gast.Name) and is_element(t.id) for t in target.elts
    )


def _is_none_or_one(target: Any, value: Any) -> bool:
    """Whether a tuple of targets has no element, or one that a display gives its only element."""
    is_display = isinstance(value, (gast.Tuple, gast.List))
    return not target.elts or (is_display and len(target.elts) == 1)


def _without_second_name(value: Any, before: list[ir.Statement]) -> Any:
    """Without the name that was made for this line: t = e; y = t  ->  y = e"""
    match value, before[-1] if before else None:
        case gast.Name(id=name), ir.Assign(gast.Name(id=bound), known) if bound == name:
            before.pop()
            return known
    return value
