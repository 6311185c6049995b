"""What zeros in the structure of a list are: the same lists and arrays, all of them in memory of their own."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Set

from tangentish.kinds import Buffer, Kind, Num, Seq, Tup, replace
from tangentish.kinds.joins import as_sequence
from tangentish.kinds.kind import with_parts

__all__ = ["zeros_in"]

Memory = Callable[[], frozenset[Buffer]]


def zeros_in(kind: Kind, memory: Memory, dynamic: Set[Hashable]) -> Kind:
    """The kind of zeros in the structure of a value; `memory` gives a new place at every call.

    dynamic: the places where lists are made whose elements are not told apart.
    """

    def inside(part: Kind) -> Kind:
        return zeros_in(part, memory, dynamic)

    match kind:
        case Num(array=False):
            return replace(kind, active=False)
        case Num():
            return replace(kind, active=False, buffers=memory())
        case Seq():
            own: Kind = replace(kind, buffers=memory(), is_tuple=False)
        case Tup(is_counted=True):
            sites = frozenset(buffer.site for buffer in memory())
            made = with_parts(Tup(kind.items, True, sites), inside)
            return as_sequence(made) if sites & dynamic and isinstance(made, Tup) else made
        case _:
            own = kind
    return with_parts(own, inside)
