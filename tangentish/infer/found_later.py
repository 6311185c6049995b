"""What a loop reads of a list into which its first trip has put nothing so far: later trips find out what that is.

al = []
for _ in range(n):
    w = A @ v - (al[-1] * u if al else 0)    # at first nothing is known of al[-1], nor of what is computed with it
    al.append(w @ v)

Where ways meet it stands back for what the others bring, so that the axes of w are those of A @ v.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tangentish.infer.one_each_trip import OneEachTrip
from tangentish.kinds import NOTHING_YET, Kind, Num
from tangentish.kinds.joins import join
from tangentish.kinds.kind import Unfound


class FoundLater(OneEachTrip):
    """The part of the walk that leaves to later trips what the first one can't know."""

    on_first_trip = False
    left_open = False  # whether anything was on the first trip, so that another has to follow

    def begin_trip(self, first: bool) -> None:
        self.on_first_trip = first
        self.left_open = self.left_open and first

    def taken(self, item: Kind | None, node: Any) -> Kind:
        if item is not None or not self.on_first_trip:
            return super().taken(item, node)
        self.left_open = True
        return NOTHING_YET

    def met(self, a: Kind, b: Kind) -> Kind:
        if a.__class__ is b.__class__ is Num or _is_among((a, b)):
            return join(a, b)
        return super().met(a, b)

    def operation(self, op: str, operands: Sequence[Kind], nodes: Sequence[Any], node: Any) -> Kind:
        if _is_among(operands):
            return NOTHING_YET
        return super().operation(op, operands, nodes, node)

    def rule_call(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind:
        if _is_among(map(self.kind, (*args, *keywords.values()))):
            return NOTHING_YET
        return super().rule_call(function, args, keywords, node)

    def object_attribute(self, node: Any, base: Kind) -> Kind:
        return base if base == NOTHING_YET else super().object_attribute(node, base)


def _is_among(kinds: Iterable[Kind]) -> bool:
    """Whether nothing was found so far of one of these."""
    return NOTHING_YET in [kind for kind in kinds if kind.__class__ is Unfound]
