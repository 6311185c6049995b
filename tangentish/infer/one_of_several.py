"""Python's `max` and `min`: one of the arguments as it is, or an element of one, whichever it is."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from tangentish.kinds import Kind, Known, Num, Tup, scalar
from tangentish.kinds.joins import join

CHOOSING = (max, min)


def kind_of_one(kinds: list[Kind]) -> Kind | None:
    """The kind of one of several numbers and arrays, or of what is in a list: an integer among floats counts as one."""
    if len(kinds) == 1 and isinstance(kinds[0], Tup):
        kinds = list(kinds[0].items)
    elif len(kinds) == 1:
        return None
    kinds = [scalar(bool) if _is_flag(kind) else kind for kind in kinds]
    if not kinds or not all(isinstance(kind, Num) for kind in kinds):
        return None
    return functools.reduce(join, kinds)


def _is_flag(kind: Kind) -> bool:
    return isinstance(kind, Known) and type(kind.value) is bool


def differ_too_much(kinds: Sequence[Kind]) -> bool:
    """Whether there are numbers and arrays among more than two, or in a list: each gradient has one shape for all."""
    parts = [p for kind in kinds for p in (kind.items if isinstance(kind, Tup) else (kind,))]
    ranks = {part.rank for part in parts if isinstance(part, Num)}
    return len(ranks) > 1 and any(ranks) and (len(kinds) != 2 or len(parts) > 2)
