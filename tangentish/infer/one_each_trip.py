"""Lists that a loop fills, one element a trip: they are as long as what the loop runs over.

rows = []
for a in x:
    rows.append([a * b for b in x])     -> rows is as long as x
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.attempts import Attempts
from tangentish.kinds import Kind, Seq, Tup, own_memory, replace
from tangentish.kinds.lengths import Length


class OneEachTrip(Attempts):
    """The part of the walk that knows how long such lists are."""

    def filled_by(self, loop: ir.For) -> dict[str, Any]:
        """The lists, empty here, to which each trip of a loop appends, and which it mentions nowhere else."""
        names = dict(_appended_to(loop)) if loop.stop is None else {}
        return {name: where for name, where in names.items() if self.is_empty_list(name)}

    def is_empty_list(self, name: str) -> bool:
        kind = self.env.kinds.get(name)
        empty = isinstance(kind, Seq) and kind.length == 0 and not kind.keyed
        return empty and self.env.on(own_memory(kind)) <= {name}

    def change_list(self, receiver: Any, kind: Seq, item: Kind | None) -> None:
        for buffer in kind.buffers:
            self.resized.setdefault(buffer.site, set()).add(id(receiver))
        super().change_list(receiver, kind, item)

    def measure(self, filled: dict[str, Any], loop: ir.For) -> None:
        """After the loop: each of these lists has as many elements as there were trips."""
        count = self.count_of_trips(loop) if filled else None
        for name, where in filled.items():
            kind = self.env.kinds.get(name)
            if count is None or not (isinstance(kind, Seq) and kind.active):
                continue
            changes = [self.resized.get(buffer.site) for buffer in kind.buffers]
            if changes == [{id(where)}] and self.env.on(own_memory(kind)) <= {name}:
                self.env.bind(name, replace(kind, length=count))

    def count_of_trips(self, loop: ir.For) -> Length:
        """How many there are; what carries no derivative may grow while a loop runs over it."""
        kind = self.kind(loop.iter)
        stays = kind.active or not isinstance(kind, (Seq, Tup))
        return self.count_of(loop.iter) if stays else None


def _appended_to(loop: ir.For) -> Iterator[tuple[str, Any]]:
    """The lists to which every trip appends, and which it mentions nowhere else: their names, and where these stand."""
    mentioned: Counter[str] | None = None
    for statement in loop.body:
        where = _receiver(statement)
        if where is None or not ir.is_value(where.id):
            continue
        if mentioned is None:
            inside = tuple(ir.walk_statements((loop,)))
            mentioned = Counter(n for s in inside for n in ir.mentioned(s))
        if mentioned[where.id] == 1:
            yield where.id, where


def _receiver(statement: ir.Statement) -> Any:
    """The list of a line that appends to it."""
    match statement:
        case ir.Do(
            gast.Expr(
                value=gast.Call(func=gast.Attribute(value=gast.Name() as name, attr="append"))
            )
        ):
            return name
    return None
