"""The kinds of what lies in memory that is written to, or holds it."""

from __future__ import annotations

from tangentish.kinds import (
    Buffer,
    Kind,
    Known,
    Num,
    Opaque,
    Seq,
    Tup,
    buffers_of,
    replace,
    with_parts,
)


def with_other_elements(kind: Kind) -> Kind:
    """The kind of an array that was written to: what was known of its elements is known no more."""
    match kind:
        case Num(array=True | None, value=value, distinct=distinct, part=part):
            if value is None and part is None and not distinct:
                return kind
            return replace(kind, value=None, distinct=False, part=None)
    return with_parts(kind, with_other_elements)


def made_to_vary(kind: Kind, buffers: frozenset[Buffer], by_another: bool) -> Kind:
    """The kind of what lies in memory, or holds it, to which what varies was written, by its name or by another one."""
    changed = _activated(with_other_elements(kind), buffers)
    # what a list that was written to by its own name holds from here on is known
    return _with_what_varies(changed, buffers) if by_another else changed


def _activated(kind: Kind, buffers: frozenset[Buffer]) -> Kind:
    """The kind of what holds memory to which differentiated values were written."""
    match kind:
        case Num() if kind.is_float and kind.array is not False and not kind.active:
            return replace(kind, active=True)
        case Seq(item=item) if item is not None and buffers & buffers_of(item):
            return replace(kind, item=_activated(item, buffers))
        case Tup(items=items) if buffers & buffers_of(kind):
            met = (buffers & buffers_of(item) for item in items)
            pairs = zip(items, met, strict=True)
            return replace(
                kind, items=tuple(_activated(i, buffers) if hit else i for i, hit in pairs)
            )
    return kind


def _with_what_varies(kind: Kind, buffers: frozenset[Buffer]) -> Kind:
    """The kind of what holds lists into which something that varies was put by another name of them."""
    match kind:
        case Seq(item=item) if buffers & kind.buffers:
            return replace(kind, item=_varying(item))
        case Seq() | Tup() if buffers & buffers_of(kind):
            return with_parts(kind, lambda part: _with_what_varies(part, buffers))
    return kind


def _varying(item: Kind | None) -> Kind:
    """What a list holds into which something that varies was put: of what form is told where that is known."""
    match item:
        case Seq():
            return replace(item, item=_varying(item.item))
        case Tup(items=items):
            return replace(item, items=tuple(map(_varying, items)))
        case Num(active=True) | Opaque() | Known():
            return item
    return Num(None, None, None, active=True)
