"""Calls on stand-ins: small arrays and numbers in the place of arguments of which only the kinds are known.

A symbol's stand-in lengths differ from run to run by a power of three of its own, so that a length of the result can be
recognised: one symbol plus a constant, a constant, or unknown, such as the longer of two. Arrays of five axes would be
gigabytes then: for these the lengths are small ones, and what they tell is confirmed once more.
"""

from __future__ import annotations

import functools
import math
import types
import warnings
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from tangentish.kinds import UNKNOWN, Kind, Known, Num, Sparse, Tup, replace
from tangentish.kinds.lengths import Dim, Length


@dataclass(frozen=True, eq=False)
class Literal:
    """An argument whose very value is known."""

    value: object


Argument = Kind | Literal
Found = TypeVar("Found")
Trial = Callable[[Callable[..., Any], Sequence[Argument], Mapping[str, Argument]], Found]

FAILED = object()


def called(function: Callable[..., Any], args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """What the function gives, FAILED where it raises."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            if isinstance(function, types.MethodDescriptorType):  # which NumPy's numbers have, too
                return getattr(args[0], function.__name__)(*args[1:], **keywords)
            return function(*args, **keywords)
        except Exception:  # noqa: BLE001 - whatever NumPy raises for arguments it does not take
            return FAILED


def remembered(trial: Trial[Found]) -> Trial[Found]:
    """A function is tried once with arguments of the same kinds."""
    known: dict[Hashable, Found] = {}

    @functools.wraps(trial)
    def found(
        function: Callable[..., Any], args: Sequence[Argument], keywords: Mapping[str, Argument]
    ) -> Found:
        named = tuple((k, argument_key(v)) for k, v in keywords.items())
        key = (function, tuple(map(argument_key, args)), named)
        try:
            if key not in known:
                known[key] = trial(function, args, keywords)
            return known[key]
        except TypeError:  # an argument that can't be hashed
            return trial(function, args, keywords)

    return found


def argument_key(argument: Argument) -> Hashable:
    match argument:
        case Literal(value=value):
            return ("literal", type(value), repr(value))
        case Num():
            return (
                argument.dtype,
                argument.shape,
                argument.array,
                argument.weak,
                argument.value,
                argument.contiguous,
            )
        case Tup():
            return (argument.is_list, tuple(map(argument_key, argument.items)))
    return argument


def of_rank(argument: Argument, rank: int) -> Argument:
    """An argument of unknown shape as an array of that rank."""
    match argument:
        case Num() if not argument.known:
            return replace(argument, shape=(3,) * rank, array=True)
        case Tup(items=items, is_list=is_list):
            return Tup(tuple(of_rank(item, rank) for item in items), is_list)  # type: ignore[misc]
    return argument


# ---------------------------------------------------------------------------------------- stand-ins

PLACES = "iub"
"""The kinds of dtypes of which arrays may say how long a result is: shapes, places and masks."""

_FIRST = (10, 9, 6, 5, 4)  # the lengths of the first symbols in the first run, and of all others

# How much longer a symbol is in the second run: no sum or difference of two of them is a third, and what is longer in
# one run is shorter in the other, so that the longer of two lengths is none of them.
_STEPS = (1, 3, 9, 27, 40)

# The lengths in each run where arrays of the others would be large.
_SMALL = ((7, 6, 5, 4, 3), (4, 5, 6, 8, 7), (8, 3, 6, 5, 7), (5, 9, 4, 7, 6))

_LARGE = 1_000_000  # elements, for which small lengths are taken
_LARGEST = 1 << 24  # elements that a stand-in may have


@dataclass
class Lengths:
    """The stand-in lengths of one run: 0 and 1, and others that confirm what these tell.

    place: the integers that arrays of them hold. small: arrays of many axes are to be small, too.
    """

    run: int
    place: int = 1
    small: bool = False
    symbols: dict[Hashable, int] = field(default_factory=dict)

    def stand_in(self, length: Length) -> int:
        if isinstance(length, int):
            return length
        if length is None:
            return self.of(("unknown", len(self.symbols)))
        return max(self.of(length.symbol) + length.offset, 0)

    def flag(self) -> bool:
        """An option that is not known is on in one run and off in the other."""
        return self.run == 0

    def of(self, symbol: Hashable) -> int:
        return self.length(self.symbols.setdefault(symbol, len(self.symbols)))

    def length(self, number: int) -> int:
        """The length of the symbol that came so late."""
        number = min(number, len(_STEPS) - 1)
        return (
            _SMALL[self.run][number] if self.small else _FIRST[number] + self.run * _STEPS[number]
        )


@dataclass
class EqualLengths(Lengths):
    """All lengths but 1 are the same, or all that are not numbers that the program says."""

    as_written: bool = False

    def stand_in(self, length: Length) -> int:
        known = isinstance(length, int) and (self.as_written or length == 1)
        return length if known else 5  # type: ignore[return-value]

    def flag(self) -> bool:
        raise _NoStandIn

    def of(self, symbol: Hashable) -> int:  # noqa: ARG002 - all symbols are of one length
        return 5


class _NoStandIn(Exception):
    pass


def need_small(arguments: Sequence[Argument]) -> bool:
    """Whether what a function is given, or what it makes of that, would be large."""
    axes: Counter[Length | int] = Counter()
    for argument in arguments:
        axes |= Counter(_axes(argument))
    lengths = Lengths(3)
    made: int = math.prod(lengths.stand_in(n) ** count for n, count in axes.items())
    return made > _LARGE


def _axes(argument: Argument) -> Iterator[Length]:
    """The lengths of an array, or those that integers are, as in a tuple for a shape."""
    match argument:
        case Num(shape=(), array=False, dtype=dtype, value=value):
            if dtype is not None and dtype.kind in "iu":
                yield value
        case Num(shape=shape) if shape is not None:
            yield from shape
        case Tup(items=items):
            for item in items:
                yield from _axes(item)


def stand_ins(
    args: Sequence[Argument], keywords: Mapping[str, Argument], lengths: Lengths | None = None
) -> tuple[list[Any], dict[str, Any]] | None:
    """Small arrays and numbers of the arguments' kinds; None where there are none."""
    lengths = Lengths(0) if lengths is None else lengths
    try:
        values = [_stand_in(a, lengths) for a in args]
        return values, {k: _stand_in(a, lengths) for k, a in keywords.items()}
    except _NoStandIn:
        return None


def _stand_in(argument: Argument, lengths: Lengths) -> Any:
    match argument:
        case Known(value=types.FunctionType() as function) if not _is_of_numpy(function):
            raise _NoStandIn  # it may change something
        case Literal(value=value) | Known(value=value):
            return value
        case Tup(items=items, is_list=is_list) if argument.is_counted:
            values = [_stand_in(item, lengths) for item in items]
            return values if is_list else tuple(values)
        case Tup(keys=tuple(keys), items=items) if argument.is_mapping:
            return {k: _stand_in(item, lengths) for k, item in zip(keys, items, strict=True)}
        case Num(shape=None) | Num(array=None):
            raise _NoStandIn
        case Sparse():
            return _sparse(argument, lengths)
        case Num():
            return _number_or_array(argument, lengths)
    raise _NoStandIn


def _number_or_array(kind: Num, lengths: Lengths) -> Any:
    dtype = np.dtype(float) if kind.dtype is None else kind.dtype
    if kind.shape or kind.array:
        axes = [lengths.stand_in(n) for n in kind.shape or ()]
        if dtype.kind in PLACES and len(axes) < 2:
            return np.full(axes, lengths.place, dtype)
        return _array(axes, dtype)
    if dtype.kind in "iu":
        value = lengths.stand_in(kind.value)
        return value if kind.weak else dtype.type(value)
    if dtype.kind == "b":
        return lengths.flag()
    return dtype.type(1).item() if kind.weak else dtype.type(1)


def _sparse(kind: Sparse, lengths: Lengths) -> Any:
    """A square matrix: a product with it is tried where all lengths are equal, as this one is long otherwise."""
    made: Any = kind.type
    return made(np.eye(lengths.stand_in(None), dtype=kind.dtype))


def _is_of_numpy(function: types.FunctionType) -> bool:
    return (function.__module__ or "").partition(".")[0] in ("numpy", "scipy")


def _array(shape: list[int], dtype: np.dtype[Any]) -> Any:
    """Positive, well-conditioned numbers."""
    if math.prod(shape) > _LARGEST:
        raise _NoStandIn
    value = np.ones(shape) + np.arange(np.prod(shape, dtype=int)).reshape(shape) * 0.01
    if len(shape) >= 2 and shape[-1] == shape[-2]:
        value = value * 0.1 + np.eye(shape[-1]) * 10
    return np.array(value, dtype)


# ------------------------------------------------------------------------------------------ results


def kind_of_results(first: Any, second: Any, lengths: Lengths | None) -> Kind:
    """The kind of what two runs gave, `lengths` those of the first; None where all of them were equal."""
    if (
        isinstance(first, (tuple, list))
        and isinstance(second, (tuple, list))
        and len(first) == len(second)
    ):
        items = tuple(kind_of_results(a, b, lengths) for a, b in zip(first, second, strict=True))
        names = getattr(first, "_fields", None)
        cls = None if names is None else type(first)
        return Tup(items, isinstance(first, list), keys=names, type=cls)
    if _differ_in_rank(first, second):
        arrays = isinstance(first, np.ndarray) and isinstance(second, np.ndarray)
        return Num(first.dtype, None, True if arrays else None)
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        shape = tuple(
            _length(a, b, lengths) for a, b in zip(first.shape, second.shape, strict=True)
        )
        return Num(first.dtype, shape, True, contiguous=first.flags.c_contiguous)
    if isinstance(first, np.generic):
        return Num(first.dtype, (), False) if first.dtype.kind in "biufc" else UNKNOWN
    if isinstance(first, (bool, int, float, complex)):
        return Num(np.dtype(type(first)), (), False, weak=True)
    if isinstance(first, (type, np.dtype)) and first is second:
        return Known(first)
    return UNKNOWN


def _differ_in_rank(first: Any, second: Any) -> bool:
    """Whether an option that is not known decides how many axes there are."""
    numbers = (np.ndarray, np.generic)
    return isinstance(first, numbers) and isinstance(second, numbers) and first.ndim != second.ndim


def _length(a: int, b: int, lengths: Lengths | None) -> Length:
    if lengths is None:
        return 1 if a == b == 1 else None
    if a == b:
        return a
    second = replace(lengths, run=1)
    for symbol, number in lengths.symbols.items():
        step = second.length(number) - lengths.length(number)
        if number < len(_STEPS) - 1 and b - a == step:
            offset = a - lengths.length(number)
            is_unknown = isinstance(symbol, tuple) and symbol[:1] == ("unknown",)
            return None if is_unknown or not -4 < offset < 4 else Dim(symbol, offset)
    return None
