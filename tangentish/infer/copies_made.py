"""What copies of several values are: the same lists and arrays, in memory of their own that they share as they did."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cache

from tangentish.kinds import Buffer, Kind, Num, Opaque, Seq, Tup, replace
from tangentish.kinds.kind import with_parts

__all__ = ["copies_of"]

Memory = Callable[[], frozenset[Buffer]]


def copies_of(kinds: Sequence[Kind], memory: Memory) -> Tup:
    """The kinds of what `copy_shared` gives; `memory` gives a new place at every call."""

    @cache
    def place(_: Hashable) -> frozenset[Buffer]:
        return memory()

    def moved(buffers: frozenset[Buffer]) -> frozenset[Buffer]:
        return frozenset[Buffer]().union(*map(place, buffers))

    def copied(kind: Kind) -> Kind:
        match kind:
            case Num() | Seq() | Opaque():
                kind = replace(kind, buffers=moved(kind.buffers))
            case Tup(sites=frozenset(sites)):
                new = (buffer.site for site in sites for buffer in place(site))
                kind = replace(kind, sites=frozenset(new))
        return with_parts(kind, copied)

    return Tup(tuple(map(copied, kinds)))
