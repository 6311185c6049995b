"""Indices: which of them give views, and of what shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from tangentish.infer.facts import Facts
from tangentish.infer.literals import literal_of
from tangentish.kinds import Known, Length, Num, length_plus
from tangentish.rules.rule import ABSENT

__all__ = ["basic_shape", "is_ellipsis", "is_fancy", "keeps_layout", "parts_of"]


def parts_of(index: Any) -> list[Any]:
    """The parts of an index, one an axis."""
    return index.elts if isinstance(index, gast.Tuple) else [index]


def is_fancy(index: Any, facts: Facts) -> bool:
    """Whether the index may hold arrays or masks: it gives a copy."""
    return any(_is_fancy_part(part, facts) for part in parts_of(index))


def _is_fancy_part(part: Any, facts: Facts) -> bool:
    if isinstance(part, gast.Slice):
        return False
    kind = facts.kind(part)
    if isinstance(kind, Num):
        return kind.array is not False or (kind.dtype is not None and kind.dtype.kind == "b")
    return not (isinstance(kind, Known) and (kind.value is None or kind.value is Ellipsis))


def keeps_layout(part: Any, facts: Facts) -> bool:
    """Whether indexing the first axis so leaves a contiguous array contiguous."""
    if isinstance(part, gast.Slice):
        return part.step is None or literal_of(part.step) == 1
    return isinstance(facts.kind(part), Num)


def is_ellipsis(part: Any) -> bool:
    return isinstance(part, gast.Constant) and part.value is Ellipsis


def _is_newaxis(part: Any, facts: Facts) -> bool:
    kind = facts.kind(part)
    return isinstance(kind, Known) and kind.value is None


def basic_shape(
    shape: tuple[Length, ...], parts: Sequence[Any], facts: Facts
) -> tuple[Length, ...] | None:
    """The shape of `x[parts]` for an x of this shape; None where it is not known."""
    used = sum(1 for p in parts if not is_ellipsis(p) and not _is_newaxis(p, facts))
    if used > len(shape):
        return None
    out: list[Length] = []
    axis = 0
    for part in parts:
        if is_ellipsis(part):
            skip = len(shape) - used
            out += shape[axis : axis + skip]
            axis += skip
        elif _is_newaxis(part, facts):
            out.append(1)
        elif isinstance(part, gast.Slice):
            out.append(_slice_length(shape[axis], part))
            axis += 1
        elif isinstance(facts.kind(part), Num):
            axis += 1
        else:
            return None
    return (*out, *shape[axis:])


def _slice_length(length: Length, part: Any) -> Length:
    """The length of `x[lower:upper:step]`, where it can be told for every length of x."""
    lower, upper, step = _bound(part.lower, 0), _bound(part.upper, None), _bound(part.step, 1)
    if part.lower is None and part.upper is None and step in (1, -1):
        return length
    if (
        isinstance(length, int)
        and isinstance(lower, int)
        and step is not ABSENT
        and upper is not ABSENT
    ):
        assert upper is None or isinstance(upper, int)
        return len(range(length)[lower:upper:step])
    if step != 1 or not isinstance(lower, int) or lower < 0:
        return None
    if part.upper is None:
        return length_plus(length, -lower)
    if isinstance(upper, int) and upper < 0:
        return length_plus(length, upper - lower)
    return None


def _bound(node: Any, default: int | None) -> Any:
    """The value of a slice's bound: its default where it is missing, ABSENT where it is not known."""
    return default if node is None else literal_of(node)
