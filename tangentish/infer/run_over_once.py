"""What comes out of an iterator over numbers that are written down, and of what is put in order where it is run over.

    ys = iter([3.1, 3.9]); y = next(ys)        for w in sorted({"a": 1.0}.values()): ...
    fs = FORMULAS.values()                     for f in fs: ...

Nobody else has the list that the iterator runs over, so that it stays as it is. What is not run over once has places,
by which its items can be asked for again.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.known_functions import DictView
from tangentish.kinds import Functions, Kind, Known, Num, Opaque, Seq, Tup, is_number, replace
from tangentish.kinds.joins import join

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


def has_places(kind: Kind) -> bool:
    """Whether this is an array, or a list or something like one, whose items can be asked for again."""
    match kind:
        case Num():
            return True
        case Seq(keyed=keyed):
            return not keyed
        case Tup():
            return kind.is_counted
        case Known(value=value):
            return isinstance(value, (list, tuple, str, range, np.ndarray))
        case Opaque(type=found):
            return found in (list, tuple, str, range)
    return False


def has_first_item(loop: ir.Statement, kind: Callable[[Any], Kind]) -> bool:
    """Whether the first trip of a loop can stand apart: what it gets is asked for by its place, and has to have one."""
    return not isinstance(loop, ir.For) or _first_has_place(loop.iter, kind)


def _first_has_place(over: Any, kind: Callable[[Any], Kind]) -> bool:
    match over:
        case gast.Constant():
            return True
        case gast.Call(args=args):
            return all(_first_has_place(each, kind) for each in args)
    return has_places(kind(over))
