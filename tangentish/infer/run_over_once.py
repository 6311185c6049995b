"""What comes out of an iterator over numbers that are written down, and of what is put in order where it is run over.

    ys = iter([3.1, 3.9]); y = next(ys)        for w in sorted({"a": 1.0}.values()): ...
    fs = FORMULAS.values()                     for f in fs: ...

Nobody else has the list that the iterator runs over, so that it stays as it is.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import gast

from tangentish.infer.known_functions import DictView
from tangentish.kinds import Functions, Kind, Opaque, Seq, Tup, is_number, replace
from tangentish.kinds.joins import join

__all__ = ["ONE_EACH", "is_of_numbers", "item_taken", "numbers_in"]

_ITERATOR: type = type(iter([]))
_VALUES: type = type({}.values())
ONE_EACH = (list, _VALUES)


def item_taken(function: Any, arguments: Sequence[Any], kinds: Sequence[Kind]) -> Kind | None:
    """The kind of what `iter([..])`, `next(ys)` and `FORMULAS.values()` give; None of anything else."""
    if len(kinds) != 1:
        return None
    if isinstance(kinds[0], Functions) and function == DictView("values"):
        return replace(kinds[0], type=_VALUES)
    if function is iter and isinstance(arguments[0], (gast.List, gast.Tuple)):
        item = numbers_in(kinds[0])
        return None if item is None else Opaque(_ITERATOR, item)
    given = kinds[0]
    from_list = function is next and isinstance(given, Opaque) and given.type is _ITERATOR
    return given.item if from_list and isinstance(given, Opaque) else None


def numbers_in(kind: Kind) -> Kind | None:
    """What each item of a list or tuple is, where these are numbers, or tuples with such in them."""
    match kind:
        case Tup(items=items) if items and kind.is_counted and not kind.is_object:
            item: Kind | None = functools.reduce(join, items)
        case Seq(item=item, keyed=False) | Opaque(item=item):
            pass
        case _:
            return None
    return item if item is not None and is_of_numbers(item) else None


def is_of_numbers(kind: Kind) -> bool:
    """Whether this is a number that carries no derivative, or a tuple with such in it."""
    if isinstance(kind, Tup) and not kind.is_list and kind.keys is None:
        return any(map(is_of_numbers, kind.items)) and not kind.active
    return is_number(kind) and not kind.active
