"""`try` and `with`: what may be known where an exception is caught, and what must not have been done by then."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.comprehensions import Comprehensions
from tangentish.infer.environment import Environment, join_environments
from tangentish.infer.lists_kept import array_sites, list_sites
from tangentish.infer.managers import (
    is_entered_by_methods,
    kind_given,
    lets_exceptions_through,
    methods_of_manager,
)
from tangentish.infer.raising import may_be_caught, may_catch
from tangentish.infer.reaching_out import reach_of
from tangentish.infer.records import RecordLists
from tangentish.infer.starting_again import InFull
from tangentish.ir.origins import origin_of
from tangentish.ir.quote import constant
from tangentish.kinds import NO_BUFFERS, TEXT_THAT_VARIES, UNKNOWN, Kind, Known, Tup, buffers_of
from tangentish.language.imported import MISSING, Imported, object_of
from tangentish.language.lifted import Routine
from tangentish.language.placed import all_at
from tangentish.language.ways import way_of


@dataclass
class Attempts(Comprehensions, RecordLists):
    """The part of the walk that follows exceptions."""

    raised: list[Environment | None] = field(default_factory=list)  # by the bodies of try around
    catching: int = 0  # how many of these may catch a TypeError
    told_what_varies: bool = False  # whether an exception was raised that tells what varies

    def block(self, block: ir.Block) -> None:
        outer = self.lines
        for statement in block:
            if self.env.dead:
                break
            if self.raised and ir.may_raise(statement) and not is_found(statement):
                self.raised = [
                    self.env.copy()
                    if entry is None
                    else join_environments(entry, self.env.copy(), self.met)
                    for entry in self.raised
                ]
            self.statement, self.lines = statement, block
            self.facts.before[statement] = self.env.kinds.copy()
            if not self.records_known or self.can_follow(statement):
                self.execute(statement)
            self.env.seen.ended.update(self.ends.get(statement, ()))
        self.lines = outer

    def is_in_try(self) -> bool:
        return bool(self.raised)

    def is_attempted(self) -> bool:
        return self.catching > 0

    def attempt(self, statement: ir.Try) -> None:
        self.raised.append(None)
        catches = self.may_catch_type_errors(statement.handlers)
        self.catching += catches
        told, self.told_what_varies = self.told_what_varies, False
        self.block(statement.body)
        raised = self.raised.pop()
        self.catching -= catches
        message = TEXT_THAT_VARIES if self.told_what_varies else UNKNOWN
        self.told_what_varies = told or self.told_what_varies
        self.block(statement.orelse)
        for handler in statement.handlers:
            end, self.env = self.env, Environment(dead=True) if raised is None else raised.copy()
            if raised is not None:
                self.handler(handler, message)
            self.facts.ways_out[handler] = not self.env.dead
            self.env = join_environments(end, self.env, self.met)
        if raised is not None:
            self.check_undone(statement, raised)

    def may_catch_type_errors(self, handlers: Sequence[ir.Handler]) -> bool:
        for handler in handlers:
            if handler.type is not None:
                self.expression(handler.type)
        return may_catch(handlers, TypeError, self.facts)

    def handler(self, handler: ir.Handler, exception: Kind) -> None:
        if handler.type is not None:
            self.expression(handler.type)
        if handler.name is not None:
            self.bind(handler.name.id, exception, handler.name, None)
        self.block(handler.body)

    def after(self, statement: ir.Finally) -> None:
        self.block(statement.body)
        self.block(statement.final)

    def within(self, statement: ir.With) -> None:
        self.seek_methods_of_manager(statement)
        for manager, target in statement.items:
            kind = self.manager(manager)
            if target is not None:
                self.assign(target, kind, None)
                self.note_given_by(target, manager)
        self.block(statement.body)

    def seek_methods_of_manager(self, statement: ir.With) -> None:
        """`with o as p:` of an object that varies: `p = o.__enter__()`, its lines, and `o.__exit__(None, None, None)`.

        Where an exception comes in between, and somebody here might catch it, it stays a `with`, which is refused.
        """
        [(manager, target), *others] = statement.items
        kind = self.expression(manager) if way_of(manager) is not None else UNKNOWN
        lines = list(ir.walk_statements(self.function.body))
        if self.cached or others or any(isinstance(s, (ir.Try, ir.Finally)) for s in lines):
            return
        if not (isinstance(kind, Tup) and kind.active and is_entered_by_methods(kind.type)):
            return
        if any(isinstance(s, ir.Return) for s in ir.walk_statements(statement.body)):
            return

        def call(name: str, count: int) -> Any:
            method = gast.Attribute(ir.duplicate(manager), name, gast.Load())
            return all_at(gast.Call(method, [constant(None)] * count, []), manager)

        enter, leave = call("__enter__", 0), gast.Expr(call("__exit__", 3))
        first: ir.Statement = ir.Do(all_at(gast.Expr(enter), manager), statement.origin)
        if target is not None:
            first = ir.Assign(target, enter, statement.origin)
        last = ir.Do(all_at(leave, manager), statement.origin)
        raise InFull(statement, first, *statement.body, last)

    def note_given_by(self, target: Any, manager: Any) -> None:
        """What a manager gives may be, or hold, the arrays and lists that it is made of."""
        parts = [manager]
        if isinstance(manager, gast.Call):
            parts = ir.given_to(manager)
        kinds = list(map(self.kind, parts))
        memory = NO_BUFFERS.union(*map(buffers_of, kinds))
        for name in ir.target_names(target) if memory else ():
            self.may_lie_in[name] = self.may_lie_in.get(name, NO_BUFFERS) | memory
        held = frozenset[Hashable]().union(*(array_sites(k) | list_sites(k) for k in kinds))
        for name in ir.target_names(target):
            self.keeps(name, held)

    def manager(self, node: Any) -> Any:
        """The kind of what `with node as target` binds."""
        made = isinstance(node, gast.Call)
        for part in ir.given_to(node) if made else [node]:
            if self.expression(part).active:
                self.refuse(
                    "a context manager made of differentiated values is not supported", part
                )
        kind = self.expression(node.func) if made else self.kind(node)
        maker = kind.value if isinstance(kind, Known) else getattr(kind, "type", None)
        if not lets_exceptions_through(maker):
            self.refuse(
                "this context manager may suppress exceptions, so that it is not known how far its body gets: "
                "write try and except",
                node,
            )
        self.enter(node, maker)
        self.facts.kinds[node] = UNKNOWN
        return kind_given(maker)

    def enter(self, node: Any, maker: object) -> None:
        """What a context manager of the user's changes, when it is entered or left."""
        made = isinstance(node, gast.Call)
        given = ir.given_to(node) if made else [node]
        if maker is np.nditer and any(k.arg == "op_flags" for k in node.keywords):
            for argument in given:
                self.changes_out_of_sight(self.kind(argument), False, node)
        for method in methods_of_manager(maker):
            self.note_later(reach_of(method), given, node)

    # -- what an exception leaves behind

    def check_undone(self, statement: ir.Try, raised: Environment) -> None:
        """Derivatives go back through the body, or through a handler: nothing of the body may be seen there."""
        live = [self.live_at(h) for h in statement.handlers if self.facts.ways_out[h]]
        if not live:
            return
        seen = frozenset[str]().union(*live)
        early = list(ir.early(statement.body, raises=may_be_caught(statement.handlers, self.facts)))
        for before in early:
            for name in ir.defined_names(before):
                if name in seen and raised.kinds.get(name, UNKNOWN).active:
                    self.refuse_undone(ir.base_name(name), before)
        for name, written in self.written_in(statement.body, set(early)):
            self.refuse_undone(ir.base_name(name), written)
        for inner in ir.walk_statements(statement.body):
            for name in seen.intersection(handed_back(inner)):
                self.refuse(_CHANGED_BY_CALL.format(name=ir.base_name(name)), origin_of(inner).node)

    def live_at(self, handler: ir.Handler) -> frozenset[str]:
        if not self.names_live.at_handler:
            self.names_live.block(self.function.body, frozenset())
        return self.names_live.at_handler[handler]

    def written_in(
        self, body: ir.Block, early: set[ir.Statement]
    ) -> Iterator[tuple[str, ir.Statement]]:
        """Names of arrays that carry a derivative and may be half written to when an exception comes."""
        inside = {id(n) for s in ir.walk_statements(body) for n in (s, *ir.nodes_in(s))}
        for statement in ir.walk_statements(body):
            for name in self.facts.writes.get(statement, ()):
                kind = self.facts.web_kinds.get(name, UNKNOWN)
                there = self.facts.before[statement].get(name, kind)  # not what a handler binds
                made_here = all(b.site in inside for b in buffers_of(there))
                whole = statement not in early and name in ir.stored_names(statement)
                if kind.active and not made_here and not whole:
                    yield name, statement

    def refuse_undone(self, name: str, statement: Any) -> None:
        self.refuse(
            f"'{name}' changes before something else in this try may raise, and its derivative depends on whether it "
            "did: change it after the try, or in an `else`",
            statement.origin.node,
        )


_CHANGED_BY_CALL = (
    "this call changes '{name}', and where it raises, it is not known whether it has done so: "
    "give back the new value, or raise before anything changes"
)


def handed_back(statement: ir.Statement) -> tuple[str, ...]:
    """What a call changes in objects, dicts and variables of others, which it gives back after its results."""
    match statement:
        case ir.Assign(_, gast.Call(func=Routine(lifted=lifted))) if lifted.hands_back:
            return ir.defined_names(statement)[-len(lifted.hands_back) :]
    return ()


def is_found(statement: ir.Statement) -> bool:
    """Whether a statement is an import of what is there already."""
    value = getattr(statement, "value", None)
    return isinstance(value, Imported) and object_of(value) is not MISSING
