"""The memory of values and of their parts: what is written to one of them may be seen in another."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from tangentish.kinds.kind import NO_BUFFERS, UNKNOWN, Buffer, Kind, Num, Seq, Tup, buffers_of


def own_memory(kind: Kind) -> frozenset[Buffer]:
    """The memory that a value itself may be; of a list, not that of its elements."""
    return kind.buffers if isinstance(kind, Seq) else buffers_of(kind)


def held_by(kind: Kind) -> frozenset[Buffer]:
    """The memory of the elements of a list."""
    return NO_BUFFERS if not isinstance(kind, Seq) or kind.item is None else buffers_of(kind.item)


def may_be_view(kind: Kind, given: Kind) -> bool:
    """Whether a value may lie in the memory of what it is made of; a list of what another holds is no view of that."""
    if isinstance(kind, Seq) and isinstance(given, Seq):
        return False
    return bool(buffers_of(kind) & buffers_of(given))


def is_of_argument(buffer: Buffer, position: int) -> bool:
    """Whether memory belongs to an argument, or to a part of it."""
    return isinstance(buffer.site, tuple) and buffer.site[:2] == ("argument", position)


def part_at(kind: Kind, path: Sequence[Any]) -> Kind:
    """The part of an argument that a path leads to."""
    for k in path:
        match kind, k:
            case Tup(items=items), int() if k < len(items):
                kind = items[k]
            case Seq(item=item), "item" if item is not None:
                kind = item
            case _:
                return UNKNOWN
    return kind


def memory_at(kind: Kind, path: Sequence[Hashable]) -> frozenset[Buffer]:
    """The memory of the part of an argument that a path leads to; of all of it where that is not known."""
    match kind, path:
        case Seq(buffers=buffers), ():
            return buffers
        case Tup(items=items), (int(k), *rest) if k < len(items):
            return memory_at(items[k], rest)
        case Seq(item=item), ("item", *rest) if item is not None:
            return memory_at(item, rest)
    return buffers_of(kind)


def is_only_asked(kind: Kind) -> bool:
    """Whether it is a dict of numbers made here whose keys are computed: it has one name, and nothing else is it."""
    if not (
        isinstance(kind, Seq) and kind.keyed and (kind.item is None or isinstance(kind.item, Num))
    ):
        return False
    return bool(kind.buffers) and all(isinstance(buffer.site, int) for buffer in kind.buffers)


def arrays_in(kind: Kind) -> frozenset[Buffer]:
    """The memory of the arrays that a value is, or that stand in it; not that of the lists which hold them."""
    match kind:
        case Tup(items=items):
            return NO_BUFFERS.union(*map(arrays_in, items))
        case Seq(item=item):
            return NO_BUFFERS if item is None else arrays_in(item)
    return buffers_of(kind)
