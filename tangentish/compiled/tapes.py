"""Parts in which what is cheap is computed again (again.py): less is recorded, and some loops are gone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.adjoint.parts import Parts
from tangentish.compiled.again import Plan, plan_of
from tangentish.compiled.recorded import Item, Trip, restored, saved, trips_of
from tangentish.language.webs import map_blocks, map_statement


def recording_less(parts: Parts) -> Parts:
    """The parts with less on their tapes."""
    if any(isinstance(s, ir.Try) for s in ir.walk_statements(parts.forward)):
        return parts  # tapes are cut where something is raised
    while (new := _with_one_changed(parts)) is not None:
        parts = new
    return parts


def _with_one_changed(parts: Parts) -> Parts | None:
    for trip in trips_of(parts):
        plan = plan_of(trip, parts)
        if plan.again:
            return _Rewritten(trip, plan).parts(parts)
    return None


@dataclass(eq=False)
class _Rewritten:
    trip: Trip
    plan: Plan

    def parts(self, parts: Parts) -> Parts:
        self.gone = [item for item in self.trip.items if item not in self.plan.kept]
        self.empty = {item.tape for item in self.gone if len(self.left(item)) == 0}
        forward = tuple(self.forward(parts.forward))
        return replace(parts, forward=forward, adjoint=tuple(self.adjoint(parts.adjoint)))

    def left(self, item: Item) -> list[Any]:
        """What stays on the tape of an item."""
        gone = {other.value for other in self.gone if other.tape == item.tape}
        ((_, values),) = saved(item.save)
        return [v for v in values if not (type(v) is gast.Name and v.id in gone)]

    # -- forward

    def forward(self, block: ir.Block) -> Iterator[ir.Statement]:
        saves = {item.save: item for item in self.gone}
        for s in block:
            if s in saves:
                left = self.left(saves[s])
                if left:
                    yield _filling(saves[s].tape, left)
            elif s is self.trip.forward and self.plan.drops_forward:
                continue
            elif not self.makes_an_empty_tape(s):
                yield map_blocks(s, lambda inner: tuple(self.forward(inner)))

    def makes_an_empty_tape(self, s: ir.Statement) -> bool:
        return (
            isinstance(s, ir.Assign)
            and isinstance(s.target, gast.Name)
            and s.target.id in self.empty
        )

    # -- adjoint

    def adjoint(self, block: ir.Block) -> Iterator[ir.Statement]:
        for s in block:
            if s is self.trip.adjoint:
                yield from self.loop(s)
            else:
                yield map_blocks(s, lambda inner: tuple(self.adjoint(inner)))

    def loop(self, loop: Any) -> Iterator[ir.Statement]:
        restores = {item.restore: item for item in self.gone}
        body: list[ir.Statement] = []
        for s in self.trip.head:
            if s not in restores:
                body.append(s)
            elif restores[s].tape not in self.empty:
                body.append(self.emptying(restores[s]))
        body += self.plan.again
        rest = loop.body[len(self.trip.head) :]
        yield map_statement(loop, _same, lambda _: (*body, *rest))

    def emptying(self, item: Item) -> ir.Statement:
        gone = {other.value for other in self.gone if other.tape == item.tape}
        assert isinstance(item.restore, ir.Assign)
        ((_, targets),) = restored(item.restore)
        left = [t for t in targets if t.id not in gone]
        target = left[0] if len(left) == 1 else gast.Tuple(left, gast.Store())
        return ir.Assign(target, item.restore.value, item.restore.origin)


def _filling(tape: str, values: list[Any]) -> ir.Statement:
    value = values[0] if len(values) == 1 else gast.Tuple(values, gast.Load())
    append = gast.Attribute(ir.name(tape), "append", gast.Load())
    return ir.Do(gast.Expr(gast.Call(append, [value], [])), ir.Origin(None, ""))


def _same(expression: Any) -> Any:
    return expression
