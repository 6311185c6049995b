"""Dicts and objects of constants, told apart where their function was refused without that.

rec = {"A": 0.0}                        ->    rec_A = 0.0
for it in range(n):                           for it in range(n):
    s = mix(feed, rec)                            s_A = mix(feed_A, rec_A)
    rec = {"A": x * s["A"]}                       rec_A = x * s_A

What carries no derivative stays as it is written, and what functions make of it is not looked at. On the first trip
that is all that such a call gets, and on later ones it varies. So a function that was refused is looked at once more,
and all dicts and objects in it are told apart as if they varied.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol, TypeGuard

from tangentish.infer.facts import Facts
from tangentish.kinds import Kind, Tup
from tangentish.kinds.sites import is_from_outside

_SOUGHT = "sought"  # where telling them apart might say more of an index
_APART = "apart"  # the mark of a walk in which they are


class Marked(Protocol):
    """What the walks over one function note for each other."""

    dynamic: set[Hashable]


class Walked(Marked, Protocol):
    facts: Facts


def tell_apart(walk: Marked) -> None:
    """From here on they are told apart."""
    walk.dynamic.add(_APART)


def are_apart(walk: Marked) -> bool:
    return _APART in walk.dynamic


def seek_apart(walk: Marked) -> None:
    """An index is asked whether it is an integer: it may come out of an object of constants, and be a list."""
    walk.dynamic.add(_SOUGHT)


def are_sought(walk: Marked) -> bool:
    return _SOUGHT in walk.dynamic


def is_looked_at_again(walk: Walked, refused: bool) -> bool:
    """Whether there are such constants, and telling them apart may help."""
    kinds = walk.facts.kinds.values() if walk.facts.has(Tup) else ()
    found = [kind for kind in kinds if _is_of_constants(kind)]
    if refused or not are_sought(walk):
        return refused and bool(found)
    return any(not any(map(is_from_outside, kind.sites)) for kind in found)


def _is_of_constants(kind: Kind) -> TypeGuard[Tup]:
    return isinstance(kind, Tup) and (kind.is_dict or kind.is_object) and not kind.active
