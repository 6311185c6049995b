"""What copies, and zeros in the structure of a value, are: the same lists and arrays in memory of their own."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence, Set
from functools import cache

from tangentish.kinds import Buffer, Kind, Num, Opaque, Seq, Tup, replace
from tangentish.kinds.joins import as_sequence
from tangentish.kinds.kind import with_parts

Memory = Callable[[], frozenset[Buffer]]


def copies_of(kinds: Sequence[Kind], memory: Memory) -> Tup:
    """The kinds of what `copy_shared` gives: they share memory as what is copied did.

    memory: gives a new place at every call.
    """

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


def zeros_in(kind: Kind, memory: Memory, dynamic: Set[Hashable]) -> Kind:
    """The kind of zeros in the structure of a value.

    memory: gives a new place at every call.
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
