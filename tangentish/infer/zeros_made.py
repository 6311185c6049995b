"""What zeros in the structure of a list are: the same lists and arrays, all of them in memory of their own."""

from __future__ import annotations

from collections.abc import Callable

from tangentish.kinds import Buffer, Kind, Num, Seq, Tup, replace
from tangentish.kinds.kind import with_parts

__all__ = ["zeros_in"]

Memory = Callable[[], frozenset[Buffer]]


def zeros_in(kind: Kind, memory: Memory) -> Kind:
    """The kind of zeros in the structure of a value; `memory` gives a new place at every call."""
    match kind:
        case Num(array=False):
            return kind
        case Num():
            return replace(kind, buffers=memory())
        case Seq():
            own: Kind = replace(kind, buffers=memory(), is_tuple=False)
        case Tup(is_counted=True):
            own = Tup(kind.items, True, frozenset(buffer.site for buffer in memory()))
        case _:
            own = kind
    return with_parts(own, lambda part: zeros_in(part, memory))
