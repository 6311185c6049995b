"""The leaves of a kind: the values that a container is taken apart into."""

from __future__ import annotations

from collections.abc import Iterator

from tangentish.kinds.kind import Kind, Opaque, Tup, replace


def leaves_of(kind: Kind) -> list[Kind]:
    """The kinds of the values that a container is taken apart into; an object itself comes after its attributes."""
    if not (isinstance(kind, Tup) and kind.active):
        return [kind]
    leaves = [leaf for item in kind.items for leaf in leaves_of(item)]
    return [*leaves, Opaque(kind.type)] if kind.is_object else leaves


def leaves_of_result(kind: Kind) -> tuple[Kind, ...]:
    """The kinds of the values that a function returns, one by one."""
    if not isinstance(kind, Tup):
        return (kind,)
    leaves = [leaf for item in kind.items for leaf in leaves_of(item)]
    return (*leaves, Opaque(kind.type)) if kind.is_object else tuple(leaves)


def filled(form: Kind, leaves: Iterator[Kind]) -> Kind:
    """A container of this form, its elements of the kinds of `leaves`."""
    if not isinstance(form, Tup):
        return next(leaves)
    kind = replace(form, items=tuple(filled(item, leaves) for item in form.items))
    if kind.is_object:
        next(leaves)
    return kind


def stand_ins(form: Kind | None) -> list[tuple[int, Kind]]:
    """Which leaves of a form stand for objects themselves."""
    found: list[tuple[int, Kind]] = []

    def count(part: Kind, position: int) -> int:
        if not isinstance(part, Tup):
            return position + 1
        for item in part.items:
            position = count(item, position)
        if part.is_object:
            found.append((position, Opaque(part.type)))
            position += 1
        return position

    if form is not None:
        count(form, 0)
    return found
