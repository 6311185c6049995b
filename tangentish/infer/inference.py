"""The walk over one function, statement by statement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.ends import ends_of
from tangentish.infer.expressions import is_counted
from tangentish.infer.facts import Facts
from tangentish.infer.known_functions import KEEPING_METHODS
from tangentish.infer.known_names import SetByName
from tangentish.infer.moves import Moves
from tangentish.infer.objects import path_of_class
from tangentish.infer.out_of_sight import changed_out_of_sight
from tangentish.infer.reaching_out import Seen
from tangentish.infer.records_made import WHOLE
from tangentish.infer.special_methods import CHANGES_BY, Asking, Change
from tangentish.infer.starting_again import Mirror
from tangentish.infer.trips import Trips
from tangentish.infer.updates import Updates
from tangentish.infer.views import path_of
from tangentish.kinds import (
    UNKNOWN,
    Kind,
    Num,
    Seq,
    Tup,
    buffers_of,
    filled,
    is_of_argument,
    may_be_none,
    own_memory,
    replace,
    sites_of_buffers,
    stand_ins,
)
from tangentish.kinds.held_functions import holds_records
from tangentish.kinds.lengths import Dim
from tangentish.language.declared import place_of
from tangentish.language.lifted import Lifted
from tangentish.language.taken_for import TakenFor

_SOME_NOTHING = (
    "some ways through the function give a tuple, list, dict or object of differentiated values and others None: "
    "return the same on all of them"
)
_UNTOLD = (
    "some ways through the function give a tuple, list, dict or object of differentiated values and others None, and "
    "these can't be told apart: give as many values on all of them, the first a flag"
)
_HELD_OUTSIDE = "an array that a global holds, too, is written to: store a copy"
_CHANGED = (
    "this changes an array or a list that differentiated values are computed with, inside of another "
    "container: give it a name and pass that, or return a new one"
)


@dataclass(slots=True)
class Inference(Moves, Trips, Updates, SetByName):
    """The walk over one function.

    Without slots Python looks through all of its hundred classes whenever an attribute is set first.
    """

    seen: Seen = field(default_factory=Seen)  # what the methods of objects that are asked change

    def run(
        self, function: ir.Function, kinds: Sequence[Kind], lifted: Lifted | None = None
    ) -> Facts:
        self.function = function
        pairs = zip(function.parameters, map(self.as_used, kinds), strict=True)
        self.facts.entry = {name: _with_count(kind, name) for name, kind in pairs}
        self.facts.path_of_class = partial(path_of_class, source=self.source)
        self.facts.of_another_class = self.env.seen.of_another_class
        given = self.facts.entry
        self.own_signature = lifted is None or lifted.shown is not None
        if lifted is not None:
            given = lifted.kinds(tuple(given.values()))
        for name, kind in given.items():
            self.env.bind(name, kind)
            self.facts.note_apart(name, kind)
            self.facts.web_kinds[name] = kind
            self.records_known = self.records_known or holds_records(kind)
            self.check_used(name, kind, ir.name(name))
        self.facts.entry_unset = frozenset(() if lifted is None else lifted.unset)
        for name in self.facts.entry_unset:
            self.env.maybe[name] = True
        names = ir.nodes_within(function.body, gast.Name)
        self.element_names = frozenset([node.id for node in names if "@" in node.id])
        self.eaten, self.ends = set(_consumed(function.body)), ends_of(function)
        if lifted is not None:
            self.set_attributes_first(lifted)
        self.block(function.body)
        if self.gives_apart:
            self.set_stored_apart()
        if lifted is not None:
            self.set_stored_keyed(lifted.gives_keyed)
        self.check_escaped()
        self.check_repeated()
        for call in changed_out_of_sight(self.facts, self.let_go):
            self.refuse(_CHANGED, call)
        asking = Asking(function, self.facts, self.source, self.seen)
        if asking.meets_objects():
            self.note_asking(asking)
        return self.facts

    def note_asking(self, asking: Asking) -> None:
        """What methods change that are called where objects of the user's are asked."""
        for node, cls, name in asking.refused():
            self.refuse(CHANGES_BY.format(cls=cls.__name__, name=name), node)
        for change in asking.meanwhile():
            key = change.node, "later"
            self.note_asked(change, self.made_once(key, lambda: ir.name("later"), change.node))
        for change in asking.changes():
            self.note_asked(change, change.node)

    def note_asked(self, change: Change, node: Any) -> None:
        """A line changes an object that it asks, or what stands outside."""
        self.statement = change.statement
        self.note_outside(change.reach.outside, change.node)
        if change.reach.given:
            self.note_change(node, [change.owner])
            self.note_arrays_outside([self.kind(change.owner)])
        if change.reach.outside.has_containers:
            self.note_change_outside(node)
        self.facts.acting[change.node] = True
        self.facts.effects.add(change.statement)

    def read_final_state(self, function: ir.Function) -> None:
        """The caller sees what the function leaves in its arguments."""
        for position, name in enumerate(function.parameters):
            entry, kind = self.facts.entry[name], self.env.kinds.get(name, UNKNOWN)
            if self.env.dead or not any(is_of_argument(b, position) for b in self.facts.written):
                continue
            node = _last_node(function)
            if kind.active and name in self.env.stale:
                self.check_stale(name, kind, node)
            elif own_memory(kind) != own_memory(entry) and any(
                k.active for k in self.facts.entry.values()
            ):
                self.facts.bound_anew.append(name)

    # -- statements

    def execute(self, statement: ir.Statement) -> None:
        match statement:
            case ir.Assign(target, value):
                self.seek_move(statement)
                if isinstance(target, (gast.Tuple, gast.List)):
                    self.use_flat(value)
                kind = self.value_of_line(value)
                if not self.sets_by_method(target, value, statement):
                    kind = self.laid_out(target, kind, value)
                    self.assign(self.stored_place(target), kind, value)
            case ir.Update():
                self.update(statement)
            case ir.Do(TakenFor() as taken):
                self.check_taken(taken)
            case ir.Do(node):
                self.do(node, statement)
            case ir.Return():
                self.give(statement)
            case _:
                self.compound(statement)

    def give(self, statement: ir.Return) -> None:
        """Return a, b"""
        values, is_tuple, form = statement.values, statement.is_tuple, statement.form
        self.facts.returned = tuple(map(self.expression, values))
        if self.outermost and any(map(holds_records, self.facts.returned)):
            self.refuse(WHOLE, statement)
        self.give_what_may_be_none(statement)
        self.give_functions(values)
        self.facts.returned_paths = tuple(map(self.path_of_result, values))
        whole = Tup(self.facts.returned) if is_tuple else self.facts.returned[0]
        for k, kind in stand_ins(form):
            self.facts.kinds[values[k]] = kind
        leaves = iter(self.facts.returned)
        self.facts.result = whole if form is None else filled(form, leaves)
        if self.gives_apart:
            self.set_apart(self.facts.result)

    def give_what_may_be_none(self, statement: ir.Return) -> None:
        """A container, or None, is given by what may be None."""
        for kind, value in zip(self.facts.returned, statement.values, strict=True):
            self.make_apart(kind, value)
            if self.outermost and may_be_none(kind):
                self.refuse(_SOME_NOTHING, statement)
            elif isinstance(kind, (Tup, Seq)) and kind.optional:
                self.refuse(_UNTOLD, statement)

    def compound(self, statement: ir.Statement) -> None:
        match statement:
            case ir.If():
                self.branch(statement)
            case ir.For():
                self.for_loop(statement)
            case ir.While():
                self.loop(statement, None)
            case ir.Try():
                self.attempt(statement)
            case ir.Finally():
                self.after(statement)
            case ir.With():
                self.within(statement)

    def path_of_result(self, value: Any) -> Any | None:
        known = path_of(value, self.facts, self.env)
        return None if known is None else known[0]

    def do(self, node: Any, statement: ir.Do) -> None:
        match node:
            case gast.Expr(value=value):
                self.seek_store(value, statement)
                self.expression(value)
                self.facts.effects.add(statement)
            case gast.Raise():
                self.have_whole(node.exc)
                self.told_what_varies |= node.exc is not None and self.shows_what_varies(node.exc)
                for child in (node.exc, node.cause):
                    if child is not None:
                        self.expression(child, quiet=True)
                self.env.dead = True
            case gast.Assert():
                self.expression(node.test)
                self.learn(node.test, True)
            case gast.Delete(targets=[target]):
                self.delete(target, statement)
            case gast.Assign() | gast.AugAssign():
                self.store_outside(node, statement)

    def store_outside(self, node: Any, statement: ir.Statement) -> None:
        """A global or nonlocal name is bound: from here on nothing is known of it."""
        target = node.targets[0] if isinstance(node, gast.Assign) else node.target
        kind = self.expression(node.value)
        self.escape(node.value)
        self.facts.outside |= buffers_of(kind)
        self.facts.let_out |= sites_of_buffers(buffers_of(kind))
        if not self.outermost:
            self.elsewhere.add(place_of(self.source, target.id))
        if kind.active and self.may_be_mirrored(target.id, kind):
            if target.id not in self.mirrored:
                self.mirrored.add(target.id)
                raise Mirror(target.id)
            if buffers_of(kind) & self.facts.stored:
                self.refuse(_HELD_OUTSIDE, node)
        elif kind.active:
            self.refuse(
                f"'{target.id}' stands outside of the function and would keep a differentiated value: return it",
                node,
            )
        if isinstance(node, gast.AugAssign) and self.outer_kind(target.id) not in (None, False):
            self.refuse(f"the global '{target.id}' is written to: pass it as an argument", target)
        self.facts.effects.add(statement)

    def may_be_mirrored(self, name: str, kind: Kind) -> bool:
        """Whether a name outside may keep what varies: numbers and arrays, for the function that is called."""
        followed = isinstance(kind, Num) and self.source.where(name) != "closure"
        return followed and self.outermost and not self.cached

    def delete(self, target: Any, statement: ir.Statement) -> None:
        """`del x[i]`, `del x.a`: of what carries no derivative."""
        if isinstance(target, gast.Name):
            return  # an element that was refused before it was given a name
        self.as_dict(target.value)
        kind = self.expression(target.value)
        if isinstance(target, gast.Subscript):
            self.index(target.slice)
            if self.takes_out(target, kind, statement):
                return
        if kind.active:
            self.refuse("del of what carries a derivative is not supported yet", target)
        self.facts.effects.add(statement)
        self.note_change(target, [target.value])
        self.forget_lists()


def _with_count(kind: Kind, name: str) -> Kind:
    """How many elements of a mask are true gets a symbol."""
    if isinstance(kind, Num) and is_counted(kind):
        return replace(kind, value=Dim(("true", name)))
    return kind


def _last_node(function: ir.Function) -> Any:
    origins = (getattr(s, "origin", None) for s in ir.walk_statements(function.body))
    return [origin.node for origin in origins if origin][-1]


def _consumed(block: ir.Block) -> Iterator[Any]:
    """The nodes that are run over where they stand: arguments, what loops run over, what is added to a list."""
    for statement in ir.walk_statements(block):
        if isinstance(statement, ir.For):
            yield statement.iter
        if isinstance(statement, ir.Update):
            yield statement.value
        match statement:
            case ir.Assign(gast.Name(id=name), value) if ".+" in name:
                yield value  # it was given a name on the way to its loop
    for call in ir.nodes_within(block, gast.Call):
        if getattr(call.func, "attr", "") not in KEEPING_METHODS:
            yield from call.args
    yield from (node.iter for node in ir.nodes_within(block, gast.comprehension))
