"""Kinds as they are seen from the other side of a call: lengths and memory under names that both sides know."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from tangentish.kinds import Buffer, Fun, Kind, Num, Opaque, Seq, Tup, replace, with_parts
from tangentish.kinds.lengths import Dim, Length, is_longer_than_one, is_of_space, length_plus
from tangentish.kinds.sites import is_from_outside


def canonical(kinds: Sequence[Kind]) -> tuple[tuple[Kind, ...], dict[Hashable, Length]]:
    """The kinds with lengths named by their order and buffers by their argument; and the way back."""
    names: dict[Hashable, Dim] = {}

    def length(old: Length) -> Length:
        if old is None or isinstance(old, int):
            return old
        long = "space" if is_of_space(old) else "long"
        sort = long if is_longer_than_one(old) else "length"
        return names.setdefault(old, Dim((sort, len(names))))

    def axis_length(old: Length, place: tuple[Hashable, ...]) -> Length:
        """During a call a length that the caller does not know is one number, except those of a list's elements."""
        if old is not None or "item" in place:
            return length(old)
        return names.setdefault(("unknown", len(names)), Dim(("length", len(names))))

    def kind(old: Kind, place: tuple[Hashable, ...]) -> Kind:
        match old:
            case Num(shape=shape, value=value):
                return replace(
                    old,
                    shape=None if shape is None else tuple(axis_length(n, place) for n in shape),
                    value=length(value) if isinstance(value, Dim) else None,
                    buffers=frozenset({Buffer(place)}) if old.array is not False else frozenset(),
                )
            case Tup(items=items):
                parts = tuple(kind(item, (*place, k)) for k, item in enumerate(items))
                return replace(old, items=parts, sites=frozenset({place}))
            case Seq(item=item):
                part = None if item is None else kind(item, (*place, "item"))
                return replace(
                    old, item=part, buffers=frozenset({Buffer(place)}), length=length(old.length)
                )
            case Opaque(buffers=buffers) if buffers:
                return replace(old, buffers=frozenset({Buffer(place)}))
        return old

    inner = tuple(kind(k, ("argument", position)) for position, k in enumerate(kinds))
    known = {old: new for old, new in names.items() if isinstance(old, Dim)}
    return inner, {new.symbol: old for old, new in known.items()}


def restored(kind: Kind, names: dict[Hashable, Length]) -> Kind:
    match kind:
        case Num(shape=shape):
            return replace(
                kind,
                shape=None if shape is None else tuple(_outer(n, names) for n in shape),
                value=None,
            )
        case Seq(length=length):
            kind = replace(kind, length=_outer(length, names))
    return with_parts(kind, lambda part: restored(part, names))


def _outer(length: Length, names: dict[Hashable, Length]) -> Length:
    if not isinstance(length, Dim):
        return length
    old = names.get(length.symbol)
    if isinstance(old, Dim):
        return length_plus(old, length.offset)
    return old if length.offset == 0 else None


def kind_key(kind: Kind) -> Hashable:
    match kind:
        case Num():
            return (
                kind.dtype,
                kind.shape,
                kind.array,
                kind.weak,
                kind.value,
                kind.active,
                kind.contiguous,
                kind.optional,
                kind.distinct,
                kind.literal,
                kind.or_int,
                kind.axes,
                kind.or_weak,
                kind.or_varying,
            )
        case Tup(items=items, is_list=is_list):
            form = (is_list, kind.keys, kind.type, kind.apart, kind.virtual, kind.optional)
            return (form, kind.told_by, tuple(map(kind_key, items)))
        case Seq():
            item = kind.item and kind_key(kind.item)
            return (kind.is_tuple, kind.keyed, kind.length, kind.optional, item)
    return kind


def as_seen_outside(kind: Kind, own: dict[Hashable, Hashable]) -> Kind:
    """The kind of a result whose places of memory have the same names in every round; `own` those of the function."""

    def named(site: Hashable) -> Hashable:
        return site if is_from_outside(site) else own.setdefault(site, ("own", len(own)))

    if isinstance(kind, (Num, Seq, Opaque)):
        kind = replace(kind, buffers=frozenset(Buffer(named(b.site)) for b in kind.buffers))
    if isinstance(kind, Tup):
        kind = replace(kind, sites=frozenset(map(named, kind.sites)))
    return with_parts(kind, lambda part: as_seen_outside(part, own))


def at_rest(kind: Kind) -> Kind:
    """The kind of a value that carries no derivative."""
    if isinstance(kind, (Num, Fun)):
        return replace(kind, active=False)
    if isinstance(kind, Tup):
        kind = replace(kind, apart=False)
    return with_parts(kind, at_rest)
