"""The types that a value may have, and what is known by them of questions about it."""

from __future__ import annotations

import builtins
import numbers
import types
from abc import ABCMeta
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.kinds import Fun, Kind, Known, Num, Opaque, Seq, Taken, Tup, may_be_none
from tangentish.kinds.classes import member_of

PLAIN = (gast.Name, gast.Attribute, gast.Subscript, gast.Constant, gast.expr_context)
FLOATS = (float, int, np.float64, np.float32, np.float16, np.longdouble)
DOUBLES = (float, np.float64, int, bool)
"""What counts as a float64: an integer of Python, too, which another way may have left there (`y = 0`)."""
NUMBERS: tuple[type, ...] = tuple(
    dict.fromkeys((*FLOATS, bool, complex, *(np.dtype(code).type for code in "?bBhHiIlLqQFDG")))
)
ASKING = (type.__instancecheck__, ABCMeta.__instancecheck__)
ASKING_OF_CLASSES = (type.__subclasscheck__, ABCMeta.__subclasscheck__)
_SCALARS = (np.generic, numbers.Number)
_ITERABLE = ((list,), (tuple,), (list, tuple), (dict,), (str,))


def is_path(node: Any) -> bool:
    """Whether an expression only looks at what is there."""
    return all(isinstance(part, PLAIN) for part in ir.walk(node))


def is_instance(kind: Kind, classes: tuple[type, ...] | None) -> bool | None:
    """Whether a value of this kind is of one of the classes; None where that is not known."""
    own = types_of(kind)
    if not own or classes is None:
        return None
    exact = isinstance(kind, Tup) and kind.type is not None
    if not exact and any(issubclass(cls, own) and cls not in own for cls in classes):
        return None  # functions of numpy give named tuples of their own
    return is_subclass(own, classes)


def is_subclass(own: tuple[type, ...], classes: tuple[type, ...] | None) -> bool | None:
    """Whether what is one of these types is one of the classes; None where that is not known."""
    if classes is None or not all(map(_asks_as_usual, map(type, classes))):
        return None
    answers = {issubclass(cls, classes) for cls in own}
    return answers.pop() if len(answers) == 1 else None


def types_of(kind: Kind) -> tuple[type, ...]:
    """The types that a value may have; none where that is not known."""
    match kind:
        case Known(value=None | str() | bool() | types.ModuleType() as value):
            return (type(value),)
        case Opaque(type=builtins.str | builtins.slice as cls):
            return (cls,)
        case Tup(type=cls) if cls is not None:
            return () if kind.is_function else (cls,)
        case Tup(is_list=is_list):
            return (list,) if is_list else (tuple,)
        case Seq(optional=True) | Seq(keyed=True):
            return ()
        case Seq(is_tuple=is_tuple):
            return (tuple,) if is_tuple else (list, tuple)
        case Num(active=True, is_number_or_array=False):
            return ()  # an element of a tree, too: a number, or a list of such elements
        case Num(array=array, optional=False, dtype=dtype) if (
            dtype is None or dtype.kind in "biufc"
        ):
            return (*(() if array is False else (np.ndarray,)), *(() if array else _numbers(kind)))
    return ()


def _asks_as_usual(meta: type[type]) -> bool:
    return meta.__instancecheck__ in ASKING and meta.__subclasscheck__ in ASKING_OF_CLASSES


def _numbers(kind: Num) -> tuple[type, ...]:
    if kind.is_double and not (kind.or_int or kind.or_list):
        return DOUBLES
    return FLOATS if kind.active and not kind.is_complex else NUMBERS


def is_callable(kind: Kind) -> bool | None:
    """Whether a value of this kind can be called; None where that is not known."""
    match kind:
        case Fun() | Taken():
            return True
        case Known(value=value):
            return callable(value)
    answers = {member_of(cls, "__call__") is not None for cls in types_of(kind)}
    return answers.pop() if len(answers) == 1 else None


def is_scalar(kind: Kind) -> bool | None:
    """What `np.isscalar` says of a value of this kind; None where that is not known."""
    answers = {cls in np.ScalarType or issubclass(cls, _SCALARS) for cls in types_of(kind)}
    return answers.pop() if len(answers) == 1 else None


def is_iterable(kind: Kind) -> bool | None:
    """What `np.iterable` says of a value of this kind; None where that is not known."""
    if isinstance(kind, Num):
        return None if kind.rank is None or kind.optional or kind.or_list else kind.rank > 0
    known = types_of(kind) in _ITERABLE and not may_be_none(kind)
    return True if known else None
