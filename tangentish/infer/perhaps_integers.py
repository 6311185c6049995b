"""Arrays made of numbers that are integers on one way and floats on another: which of both they hold is not known.

    np.full(4, n if n > 2 else 1.5)        np.arange(4) * max(n, 2.0)        np.full(4, sum(v for v in c if v > n))
    np.full(4, 2**n), where n may be negative

Such an array keeps what varies only where it is one of floats.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from tangentish.infer.one_of_several import CHOOSING
from tangentish.kinds import Kind, Num, Seq, Tup, replace
from tangentish.kinds.joins import may_be_int

PERHAPS_INTEGERS = (
    "it is not known whether this array is one of floats, which keeps what varies, or of integers, which does not: "
    "make it with dtype=float"
)

_DTYPE_AT: dict[Hashable, int] = {
    np.full: 2, np.full_like: 2, np.array: 1, np.asarray: 1, np.arange: 3, np.zeros_like: 1, np.ones_like: 1,
    np.empty_like: 1, np.ndarray.astype: 1, getattr(np, "astype", None): 1,
}  # fmt: skip
"""Functions that make arrays, and how many arguments stand before a dtype."""

_SAYING: dict[Hashable, slice] = {
    np.full: slice(1, None),
    np.where: slice(1, None),
    np.full_like: slice(1),
}
"""Which of the arguments say the dtype, where not all of them do."""

_FLOATING: frozenset[Any] = frozenset({
    "Div", float, np.float64, np.zeros, np.ones, np.empty, np.linspace, np.logspace, np.geomspace, np.interp, np.mean,
    np.average, np.median, np.quantile, np.percentile, np.std, np.var, np.cov, np.corrcoef, np.gradient,
    np.ndarray.mean, np.ndarray.std, np.ndarray.var,
})  # fmt: skip
"""What gives floats of integers, besides functions element by element that have no integers among their types."""

_OF_INTEGERS = {"l->l", "ll->l"}


def made_of_perhaps_integers(
    found: Kind, function: Hashable, args: Sequence[Kind], keywords: Mapping[str, Kind]
) -> Kind:
    """The kind of what a function gives that is no function of what varies."""
    if not isinstance(found, Num) or found.active or found.dtype is None:
        return found
    if "dtype" in keywords or len(args) > _DTYPE_AT.get(function, len(args)):
        return replace(found, or_int=False)
    if function is pow and _may_be_a_fraction(args):
        return replace(found, or_int=True)
    kinds = [*args[_SAYING.get(function, slice(None))], *keywords.values()]
    numbers = [number for kind in kinds for number in _numbers_in(kind)]
    mixed = any(may_be_int(a, b) for a, b in itertools.permutations(numbers, 2))
    if function in CHOOSING and mixed:
        return replace(found, dtype=np.dtype(float), or_int=True)
    if function is sum and found.is_float and _may_be_empty(args[0]):
        numbers = [replace(found, or_int=True), *numbers[len(_numbers_in(args[0])) :]]
    return computed_with_perhaps_integers(found, function, numbers)


def computed_with_perhaps_integers(
    found: Kind, function: Hashable, operands: Sequence[Kind]
) -> Kind:
    """The same of what an operator or a function gives that gives integers where all of its operands are some."""
    if not isinstance(found, Num) or found.active or not _keeps(function):
        return found
    numbers = [kind for kind in operands if isinstance(kind, Num)]
    if not found.is_float:
        fraction = function == "Pow" and _may_be_a_fraction(operands)
        return replace(found, or_int=fraction or any(n.or_int for n in numbers))
    whole = all(n.or_int or (n.dtype is not None and n.dtype.kind in "biu") for n in numbers)
    return replace(found, or_int=whole and any(n.or_int for n in numbers))


def may_be_of_integers(array: Num) -> bool:
    """Whether it is not known that an array is of floats, nor that it is of integers."""
    return array.or_int or (array.is_float and not (array.active or array.dtype))


def _may_be_a_fraction(operands: Sequence[Kind]) -> bool:
    """Whether a power of Python's integers may be a float: with a negative exponent it is one."""
    numbers = [n for n in operands if isinstance(n, Num) and n.weak and n.dtype == np.dtype(int)]
    return len(numbers) == len(operands) == 2 and numbers[1].literal is None


def _keeps(function: Hashable) -> bool:
    if isinstance(function, np.ufunc):
        return not _OF_INTEGERS.isdisjoint(function.types)
    return function not in _FLOATING


def _may_be_empty(kind: Kind) -> bool:
    """Whether this is a list or an array that is not known to have elements: its sum may be the integer 0."""
    match kind:
        case Num(shape=shape):
            return not shape or not isinstance(shape[0], int)
        case Seq(length=length):
            return not isinstance(length, int)
    return False


def _numbers_in(kind: Kind | None) -> list[Num]:
    match kind:
        case Num():
            return [kind]
        case Tup(items=items):
            return [number for item in items for number in _numbers_in(item)]
        case Seq(item=item):
            return _numbers_in(item)
    return []
