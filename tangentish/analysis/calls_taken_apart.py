"""Calls that give containers, or store to those that they are given, and calls of classes: one value an element.

d = make(x)              ->      d_a, d_b = make(x)
y = net.step(x)          ->      y, net_h = step(net_w, net_h, x)
p = Point(x, y)          ->      p_x, p_y = x, y
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.displays import display_of
from tangentish.analysis.elements import Elements
from tangentish.infer import Facts, ListMethod, is_taken_out
from tangentish.ir.origins import origin_of
from tangentish.kinds import UNKNOWN, Kind, Known, Tup, leaves_of, replace
from tangentish.language.given_in_order import as_written
from tangentish.language.lifted import (
    Flat,
    Instance,
    Routine,
    element_name,
    element_path,
    leaf_names,
    result_names,
)
from tangentish.language.nested import Closure
from tangentish.language.webs import map_statement
from tangentish.rules.own import OwnRule

_DISPLAYS = (gast.Dict, gast.List, gast.Tuple, Instance)


def _evaluated_once(statement: ir.Statement) -> Any | None:
    """The expression that a line evaluates once, before anything else."""
    match statement:
        case ir.If(test=asked) | ir.For(iter=asked):
            return asked
        case ir.Assign(value=gast.IfExp(test=asked)) | ir.Return(values=(gast.IfExp(test=asked),)):
            return asked
    return None


def _always_evaluated(node: Any) -> Iterator[Any]:
    """The parts of an expression that are evaluated whatever the others give, outer ones first."""
    yield node
    match node:
        case gast.BoolOp(values=[first, *_]) | gast.IfExp(test=first):
            parts = [first]
        case gast.Compare(left=left, comparators=[first, *_]):
            parts = [left, first]
        case gast.Lambda() | Closure() | gast.ListComp() | gast.GeneratorExp():
            parts = []
        case gast.SetComp() | gast.DictComp():
            parts = []
        case _:
            parts = [*ir.children(node)]
    for part in parts:
        yield from _always_evaluated(part)


@dataclass
class CallsTakenApart(Elements):
    """The part of the extraction that knows what calls give and change."""

    # call -> the lines before which it has a name, and what stands in its place there
    calls_before: dict[Any, tuple[list[ir.Statement], Any]] = field(default_factory=dict)

    def fresh(self, base: str) -> str:
        self.count += 1
        return f"{base}.+{self.count}"

    def is_more_than_a_tuple(self, call: Any) -> bool:
        """Whether a call gives more than one plain tuple, or changes what it was given."""
        kind = self.known(call)
        if call in self.facts.handed:
            return True
        if not (isinstance(kind, Tup) and kind.active) or is_taken_out(call, self.facts):
            return False
        return kind.keys is not None or any(isinstance(i, Tup) and i.active for i in kind.items)

    def gives_object(self, node: Any) -> bool:
        """Whether a call gives an object that is told apart."""
        kind = self.known(node)
        return self.is_call(node) and isinstance(kind, Tup) and kind.is_object and kind.active

    def by_method(self, node: Any) -> Any:
        """An operator of a class as the call that it is, where that gives an object: it is taken apart at once."""
        call = self.facts.answers.get(node)
        return node if call is None or not self.gives_object(call) else call

    def call_named(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        """A name for what a call gives, in the place of the call: the same for all who take a part of it."""
        given, named = self.calls_before.get(node, (None, None))
        if given is not before:
            only_changes = self.known(node) == Known(None) and self.is_list_method(node)
            take = self.changed_first if only_changes else self.call_given_a_name
            named = take(node, before, origin)
            self.calls_before[node] = before, named
        return named

    def is_list_method(self, node: Any) -> bool:
        return isinstance(self.facts.function_of(node), ListMethod)

    def changed_first(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        """`xs.append(v) or xs[-1]`: what changes a list, and gives None, has a line of its own."""
        self.changed = True
        call = self.inside(node, before, origin)
        before.append(ir.Do(gast.copy_location(gast.Expr(call), node), origin))
        return gast.copy_location(gast.Constant(None, None), node)

    def call_given_a_name(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        self.changed = True
        kind = self.known(node) or UNKNOWN
        call = self.inside(node, before, origin)
        if isinstance(call, _DISPLAYS):  # what `options.get(key)` gives
            return call
        name = self.fresh(stem_of(call))
        handed = node in self.facts.handed
        apart = isinstance(kind, Tup) and (kind.active or handed)
        names = result_names(name, kind) if handed else leaf_names(name, kind)
        given_back = node in self.facts.given_back
        if given_back or (node in self.facts.silent and handed):
            names = []
        if apart or handed:
            before.append(self.taken(names, node, call, origin))
        else:
            target = gast.copy_location(ir.name(name), node)
            before.append(ir.Assign(target, call, origin))
        for h in self.facts.handed.get(node, ()):
            before += self.apart_elsewhere(h.here, h.kind, origin)
        if given_back:
            return self.expression(self.facts.given_back[node], before, origin)
        if isinstance(kind, Tup) and apart:
            return display_of(name, kind, node, ir.name(name))
        if not names:
            return gast.copy_location(gast.Constant(None, None), node)
        return gast.copy_location(ir.name(name), node)

    def asked_first(self, statement: ir.Statement) -> tuple[ir.Statement, ...] | None:
        """`if o.level > 0`, `range(len(o))`: what is asked of an object made of attributes has a line before."""
        asked, origin = _evaluated_once(statement), origin_of(statement)
        if asked is None or statement in self.facts.effects:
            return None
        new: dict[Any, Any] = {}
        before: list[ir.Statement] = []
        for node in _always_evaluated(asked):
            call = self.asked_of_virtual(node)
            if call is not None:
                name = gast.copy_location(ir.name(self.fresh(stem_of(call))), node)
                before.append(ir.Assign(name, call, origin))
                new[node] = ir.name(name.id)
        if not before:
            return None
        self.changed = True

        def expression(e: Any) -> Any:
            return self.without_tuples(ir.copy_expression(e, new.get))

        return *before, map_statement(statement, expression, self.block)

    def asked_of_virtual(self, node: Any) -> Any | None:
        """The call that stands for `o.level`, `len(o)`, `o.count()` of an object of which only attributes are left."""
        call = self.facts.lifted.get(node)
        if not (isinstance(call, gast.Call) and isinstance(call.func, Routine)):
            return None
        lifted = call.func.lifted
        changes = lifted.hands_back or lifted.gives_itself or node in self.facts.handed
        plain = not isinstance(self.known(node), Tup)
        return call if plain and lifted.stands_for_objects and not changes else None

    def element_of_call(
        self, call: Any, key: object, before: list[ir.Statement], origin: ir.Origin
    ) -> Any | None:
        """f(x)[1]  ->  t_0, t_1 = f(x); t_1, and so (p + q).x"""
        call = self.by_method(call)
        kind = self.known(call)
        position = kind.position(key) if isinstance(kind, Tup) and kind.active else None
        by_property = isinstance(call, gast.Attribute) and self.gives_object(call)
        is_call = isinstance(call, gast.Call) and call not in self.facts.made
        if position is None or not (by_property or is_call):
            return None
        display = self.call_named(call, before, origin)
        if isinstance(display, gast.Name) and isinstance(
            key, str
        ):  # an object that was there before
            return gast.copy_location(gast.Attribute(display, key, gast.Load()), call)
        parts = display.elts if isinstance(display, (gast.Tuple, gast.List)) else display.values
        return parts[position]

    def call_taken_apart(
        self, target: Any, value: Any, origin: ir.Origin
    ) -> Iterator[ir.Statement]:
        """An assignment of what a call gives, one name an element; `target` is None where nobody wants it."""
        self.changed = True
        before: list[ir.Statement] = []
        call = self.inside(value, before, origin)
        kind = self.known(value) or UNKNOWN
        target = None if target is None else self.placed(target, value)
        names, after = self.targets_for(target, kind, value, origin)
        yield from before
        yield self.taken(names, value, call, origin)
        if isinstance(target, gast.Name):
            yield from self.apart_elsewhere(target.id, kind, origin)
        for h in self.facts.handed.get(value, ()):
            yield from self.apart_elsewhere(h.here, h.kind, origin)
        yield from after

    def targets_for(
        self, target: Any, kind: Kind, value: Any, origin: ir.Origin
    ) -> tuple[list[Any], list[ir.Statement]]:
        """The names that take what a call gives, and what is left to assign then."""
        if value in self.facts.given_back:
            itself = self.facts.given_back[value]
            named = isinstance(target, gast.Name) and isinstance(itself, gast.Name)
            same = target is None or (named and target.id == itself.id)
            return [], [] if same else list(self.assignment(target, itself, origin))
        if value in self.facts.silent:
            nothing = gast.copy_location(gast.Constant(None, None), value)
            return [], [] if target is None else [ir.Assign(target, nothing, origin)]
        if target is not None and self.is_handed_too(target, kind, value):
            pass  # it is assigned after the call has changed it
        elif isinstance(target, gast.Name):
            return self.leaves(target.id, kind), []
        elif are_names(target) and isinstance(kind, Tup) and len(target.elts) == len(kind.items):
            parts = zip(target.elts, kind.items, strict=True)
            return [leaf for t, item in parts for leaf in self.leaves(t.id, item)], []
        name = self.fresh("t")
        names = leaf_names(name, kind)
        if target is None:
            return names, []
        whole = ir.name(name)
        if isinstance(kind, Tup) and kind.active:
            whole = display_of(name, kind, value, ir.name(name))
        return names, [ir.Assign(target, gast.copy_location(whole, value), origin)]

    def is_handed_too(self, target: Any, kind: Kind, value: Any) -> bool:
        """Whether a target is what the call changes itself, and gets what it gives after that: `o.a = o.step()`."""
        handed = self.facts.handed.get(value, ())
        changed = {name for h in handed for name in (h.here, *leaf_names(h.here, h.kind))}
        return not changed.isdisjoint(_all_names(target, kind))

    def leaves(self, name: str, kind: Kind) -> list[str]:
        """The names for all that a container consists of; what stands for an object that was given does already."""
        kind = self.form(name, kind)
        given = set(filter(self.facts.is_given, objects_in(name, kind)))
        return [self.fresh("t") if leaf in given else leaf for leaf in leaf_names(name, kind)]

    def taken(self, names: Sequence[str], old: Any, call: Any, origin: ir.Origin) -> ir.Statement:
        """The assignment of all that a call gives, and of what it has stored to."""
        handed = self.facts.handed.get(old, ())
        given_back = old in self.facts.given_back
        if (handed or given_back) and isinstance(call.func, Routine):
            there = tuple(h.there for h in handed)
            names = [*names, *(leaf for h in handed for leaf in self.leaves(h.here, h.kind))]
            call = handing_back(call, there, given_back)
        if given_back and not names:
            return ir.Do(gast.copy_location(gast.Expr(call), old), origin)
        targets = [gast.copy_location(ir.name(name), old) for name in names]
        if is_saving_twin(
            old, self.facts
        ):  # a function of the user's gives its results as they are
            saved = targets.pop()
            nested = [gast.Tuple(targets, gast.Store()), saved]
            return ir.Assign(
                gast.copy_location(gast.Tuple(nested, gast.Store()), old), call, origin
            )
        return ir.Assign(gast.copy_location(Flat(targets, gast.Store()), old), call, origin)

    def apart_elsewhere(self, name: str, kind: Kind, origin: ir.Origin) -> Iterator[ir.Statement]:
        """What a call gives as one value, and others give by its elements."""
        for leaf, whole in zip(leaf_names(name, kind), leaves_of(kind), strict=True):
            if leaf not in self.facts.apart or not isinstance(whole, Tup) or whole.active:
                continue
            names = self.element_names(leaf, whole, origin.node)
            at = gast.copy_location(ir.name(leaf), origin.node)
            values = [element_path(at, k, whole) for k in range(len(names))]
            target = gast.copy_location(gast.Tuple(names, gast.Store()), origin.node)
            yield ir.Assign(target, gast.copy_location(gast.Tuple(values, gast.Load()), at), origin)
            for inner, item in zip(names, whole.items, strict=True):
                yield from self.apart_elsewhere(inner.id, item, origin)

    # -- calls of classes

    def made_first(self, node: Any, before: list[ir.Statement], origin: ir.Origin) -> Any:
        """Point(x, y) gets a name where it stands in an expression."""
        self.changed = True
        name = self.fresh("t")
        before.append(ir.Assign(gast.copy_location(ir.name(name), node), node, origin))
        return gast.copy_location(ir.name(name), node)

    def made(self, target: Any, value: Any, origin: ir.Origin) -> Iterator[ir.Statement]:
        """P = Point(x, y)"""
        found, kind = self.facts.made.get(value, value), self.known(value)
        if not isinstance(kind, Tup):  # what it is made of is refused
            yield ir.Assign(target, value, origin)
            return
        self.changed = True
        target = self.place(target)
        if not isinstance(target, gast.Name):
            before: list[ir.Statement] = []
            name = self.made_first(value, before, origin)
            yield from (*before, ir.Assign(target, name, origin))
        elif value in self.facts.after_init:
            yield ir.Assign(target, found, origin)
            yield self.after_init(target, value, origin)
        elif isinstance(found, Instance):
            yield from self.made_of_values(target, value, found, kind, origin)
        else:
            yield from self.made_by_init(target, value, found, kind, origin)

    def after_init(self, target: Any, value: Any, origin: ir.Origin) -> ir.Statement:
        """p.__post_init__()"""
        itself = gast.copy_location(ir.name(target.id), value)
        method = gast.copy_location(gast.Attribute(itself, "__post_init__", gast.Load()), value)
        call = gast.copy_location(gast.Call(method, [], []), value)
        return ir.Do(gast.copy_location(gast.Expr(call), value), origin)

    def made_of_values(
        self, target: Any, value: Any, found: Instance, kind: Tup, origin: ir.Origin
    ) -> Iterator[ir.Statement]:
        """p_x, p_y = x, y"""
        given = as_written(found.values, value)
        by_value = dict(zip(found.values, self.element_names(target.id, kind, target), strict=True))
        names = [by_value[part] for part in given]
        values = gast.copy_location(gast.Tuple(given, gast.Load()), value)
        apart = not set(ir.names_in(values)) & {n.id for n in names}
        if len(names) == 1 or (kind.is_function and apart):
            for name, part in zip(names, given, strict=True):
                yield from self.assignment(name, part, origin)
        else:
            targets = gast.copy_location(gast.Tuple(names, gast.Store()), target)
            yield from self.assignment(targets, values, origin)
        if kind.is_object:
            yield from self.stand_in(target, value.func, origin)

    def made_by_init(
        self, target: Any, value: Any, found: Any, kind: Tup, origin: ir.Origin
    ) -> Iterator[ir.Statement]:
        """p_x, p_y = __init__(x, y)"""
        lines: list[ir.Statement] = []
        call = self.inside(found, lines, origin, value)
        yield from lines
        if not isinstance(call.func, Routine):  # its arguments have names from here on
            yield ir.Assign(target, call, origin)
            return
        handed = self.facts.handed.get(found, ())
        parts = [(element_name(target.id, k, kind), h.kind) for k, h in enumerate(handed)]
        names = [ir.name(leaf) for part in parts for leaf in leaf_names(*part)]
        flat = gast.copy_location(Flat(names, gast.Store()), target)
        yield ir.Assign(flat, handing_back(call, tuple(h.there for h in handed)), origin)
        for part in parts:
            yield from self.apart_elsewhere(*part, origin)
        if kind.is_object:
            yield from self.stand_in(target, value.func, origin)

    def stand_in(self, target: Any, itself: Any, origin: ir.Origin) -> Iterator[ir.Statement]:
        """What stands for an object where its class is needed; for one that was given, that does already."""
        if not self.facts.is_given(target.id):
            yield ir.Assign(gast.copy_location(ir.name(target.id), target), itself, origin)


def names_made(function: ir.Function) -> int:
    """How many names earlier passes have made: new ones are counted on from there."""
    names = ir.bound_within(function.body)
    numbers = (n.rpartition(".+")[2].partition("@")[0] for n in names if ".+" in n)
    return max((int(number) for number in numbers if number.isdigit()), default=0)


def objects_in(name: str, kind: Kind) -> Iterator[str]:
    """The values that stand for objects: that of a name, and those in it."""
    if not (isinstance(kind, Tup) and kind.active):
        return
    if kind.is_object:
        yield name
    for k, item in enumerate(kind.items):
        yield from objects_in(element_name(name, k, kind), item)


def is_saving_twin(call: Any, facts: Facts) -> bool:
    """Whether a call gives ((y, z), residuals), for a rule of the user's."""
    callee, kind = facts.callees.get(call), facts.kinds.get(call)
    if callee is None or not isinstance(callee.rule, OwnRule) or not callee.rule.saves:
        return False
    return isinstance(kind, Tup) and isinstance(kind.items[0], Tup)


def are_names(target: Any) -> bool:
    """Whether a target is a tuple of names."""
    display = isinstance(target, (gast.Tuple, gast.List))
    return display and all(isinstance(t, gast.Name) for t in target.elts)


def stem_of(node: Any) -> str:
    """What a name for the value of an expression starts with."""
    if isinstance(node, gast.Call) and isinstance(node.func, (gast.Name, Routine)):
        function = ir.base_name(node.func.id).lstrip("$").partition(":")[0]
        return f"{function.removesuffix('_func')}_value"  # f_func is what the partial f calls
    return "t"


def handing_back(call: Any, values: tuple[str, ...], itself: bool = False) -> Any:
    """A call of a function that returns some more of its values."""
    lifted = replace(call.func.lifted, hands_back=values, gives_itself=itself)
    routine = gast.copy_location(Routine(call.func.id, lifted), call.func)
    return gast.copy_location(gast.Call(routine, call.args, call.keywords), call)


def form_of(kind: Kind) -> Kind:
    """The containers that what a function returns is the elements of."""
    if not (isinstance(kind, Tup) and kind.active):
        return UNKNOWN
    return replace(kind, items=tuple(map(form_of, kind.items)), apart=True)


def _all_names(target: Any, kind: Kind) -> Iterator[str]:
    """The names that a target binds, and those of what their values consist of."""
    if isinstance(target, gast.Name):
        yield target.id
        yield from leaf_names(target.id, kind)
    elif isinstance(target, gast.Starred):
        yield from _all_names(target.value, UNKNOWN)
    elif isinstance(target, (gast.Tuple, gast.List)):
        items = kind.items if isinstance(kind, Tup) else ()
        for k, part in enumerate(target.elts):
            yield from _all_names(part, items[k] if k < len(items) else UNKNOWN)
