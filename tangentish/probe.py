"""What kind a function's result has: by its law, or by calling the function on small stand-ins.

A symbol's stand-in lengths differ from run to run by a power of three of its own, so that a length of the result can be
recognised: one symbol plus a constant, a constant, or unknown, such as the longer of two.
"""

from __future__ import annotations

import cmath
import functools
import operator
import warnings
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tangentish import runtime
from tangentish.kinds import (
    UNKNOWN,
    Dim,
    Kind,
    Known,
    Length,
    Num,
    Shape,
    Tup,
    broadcast,
    replace,
    with_parts,
)
from tangentish.rules import RULES
from tangentish.rules.names import is_helper
from tangentish.rules.registry import NEVER_TRIED

__all__ = [
    "Literal",
    "argument_key",
    "elementwise_kind",
    "is_probed",
    "of_rank",
    "probe_kind",
    "probe_numbers",
    "stand_ins",
    "tried",
]


@dataclass(frozen=True, eq=False)
class Literal:
    """An argument whose very value is known."""

    value: object


_Operand = tuple[np.dtype[Any] | None, bool, int | None]  # dtype, weak, axes


_Plain = tuple[np.dtype[Any] | None, Shape | None, bool | None, bool, bool]
UNSURE: _Plain = (None, None, None, False, False)

# Functions with a pole where they are tried: what else gives the same types.
_WITHOUT_POLES: dict[Any, Any] = {cmath.atanh: cmath.atan}


def elementwise_kind(function: Callable[..., Any], operands: Sequence[Kind]) -> Num:
    """The kind of a function that broadcasts its operands."""
    plain = [
        (k.dtype, k.shape, k.array, k.weak, k.contiguous) if isinstance(k, Num) else UNSURE
        for k in operands
    ]
    return _elementwise_kind(_WITHOUT_POLES.get(function, function), tuple(plain))


@functools.lru_cache(maxsize=1 << 12)
def _elementwise_kind(function: Callable[..., Any], operands: tuple[_Plain, ...]) -> Num:
    numbers = [
        Num(dtype, shape, array, weak=weak, contiguous=contiguous)
        for dtype, shape, array, weak, contiguous in operands
    ]
    shape, array = _elementwise_shape(numbers)
    operands_key = tuple((n.dtype, n.weak, _axes_tried(n)) for n in numbers)
    dtype, weak, zero_d = _elementwise_dtype(function, operands_key)
    if zero_d and shape == ():
        array = True  # np.where of scalars, np.copy of an array without axes
    contiguous = all(n.contiguous or n.is_scalar for n in numbers)
    return Num(dtype, shape, array, weak=weak and array is False, contiguous=contiguous)


def _elementwise_shape(numbers: Sequence[Num]) -> tuple[Shape | None, bool | None]:
    shapes = [n.shape for n in numbers]
    if any(shape is None for shape in shapes):
        return None, None
    result = broadcast([s for s in shapes if s is not None])
    unsure = [k for k, n in enumerate(numbers) if n.array is None]
    if unsure:
        sure = broadcast([s or () for k, s in enumerate(shapes) if k not in unsure])
        if sure == result and None not in result:
            return result, bool(result)
        others = [s for k, s in enumerate(shapes) if k not in unsure and s]
        return (result, None) if not others and None not in result else (None, None)
    return result, bool(result)


def _axes_tried(number: Num) -> int | None:
    """How many axes an operand is tried with; None for a scalar."""
    if number.array is False:
        return None
    return 0 if number.array and number.shape == () else 1


_DTYPES: dict[Hashable, tuple[np.dtype[Any] | None, bool, bool]] = {}


def _elementwise_dtype(
    function: Callable[..., Any], operands: tuple[_Operand, ...]
) -> tuple[np.dtype[Any] | None, bool, bool]:
    """The result's dtype, whether it is a Python number, whether scalars give an array without axes."""
    key = (function, operands)
    if key not in _DTYPES:
        _DTYPES[key] = _try_dtype(function, operands)
    return _DTYPES[key]


def _try_dtype(
    function: Callable[..., Any], operands: Sequence[_Operand]
) -> tuple[np.dtype[Any] | None, bool, bool]:
    if any(dtype is None for dtype, _, _ in operands):
        return _dtype_of_unknown(function, operands), False, False
    samples = []
    for dtype, weak, axes in operands:
        assert dtype is not None
        one = np.ones((1,) * (axes or 0), dtype)
        samples.append(one if axes is not None else (one.item() if weak else one[()]))
    result = _call(function, samples, {})
    if isinstance(result, (np.ndarray, np.generic)):
        return result.dtype, False, isinstance(result, np.ndarray) and result.ndim == 0
    if isinstance(result, (bool, int, float, complex)):
        return np.dtype(type(result)), True, False
    return None, False, False


def _dtype_of_unknown(
    function: Callable[..., Any], operands: Sequence[_Operand]
) -> np.dtype[Any] | None:
    """What complex numbers and real ones of an unknown type give: only that it is complex is known for sure."""
    if not any(dtype is not None and dtype.kind == "c" for dtype, _, _ in operands):
        return None
    known = [(dtype or np.dtype(float), weak, axes) for dtype, weak, axes in operands]
    found = _try_dtype(function, known)[0]
    return found if found is not None and found.kind == "c" else None


# ------------------------------------------------------------------------------------- stand-ins


@dataclass
class _Lengths:
    """The stand-in lengths of one run; `run` is 0 or 1."""

    run: int
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
        number = min(self.symbols.setdefault(symbol, len(self.symbols)), len(_STEPS) - 1)
        return _FIRST[number] + self.run * _STEPS[number]


_PROBES: dict[Hashable, Kind] = {}

# What may be called to see what it gives: no effects, and a shape that depends on shapes alone.
_TRIED = """
    zeros ones empty zeros_like ones_like empty_like eye identity tri full full_like
    triu_indices tril_indices diag_indices triu_indices_from tril_indices_from diag_indices_from
    unravel_index ravel_multi_index hanning hamming bartlett blackman kaiser
    argmax argmin argsort searchsorted any all round around shape ndim size count_nonzero
    common_type result_type promote_types
    isclose iscomplexobj isrealobj digitize argpartition lexsort fix
"""
_TRIED_FUNCTIONS = {getattr(np, name) for name in _TRIED.split() if hasattr(np, name)}
_TRIED_FUNCTIONS |= {int, bool, float, abs, round, min, max, sum}
_BY_VALUE = {
    np.unique,
    np.arange,
    np.nonzero,
    np.flatnonzero,
    np.argwhere,
    np.repeat,
    np.extract,
    np.compress,
    np.delete,
    np.insert,
    np.trim_zeros,
    np.unique_values,
    np.bincount,
}


# Stand-in lengths are not divisible by the number of parts: their lengths stay unknown.
_UNEVEN: dict[Any, Any] = {
    np.split: np.array_split,
    np.hsplit: lambda x, n: np.array_split(x, n, min(1, x.ndim - 1)),
    np.vsplit: lambda x, n: np.array_split(x, n, 0),
    np.dsplit: lambda x, n: np.array_split(x, n, 2),
}
_BY_VALUE |= {np.array_split, *_UNEVEN}


def is_tried(functions: Iterable[Any]) -> None:
    """These functions have no effect that counts: they may be called on stand-ins."""
    _TRIED_FUNCTIONS.update(functions)


def is_probed(function: Callable[..., Any]) -> bool:
    """Whether calling the function on stand-ins is harmless and tells the shape of its result."""
    try:
        known = function in RULES or function in _TRIED_FUNCTIONS
        if function in NEVER_TRIED:
            return False
    except TypeError:
        return False
    return known or is_helper(function) or isinstance(function, np.ufunc) or function in _OPERATORS


_OPERATORS = {value for name, value in vars(operator).items() if not name.startswith("_")}


def probe_kind(
    function: Callable[..., Any],
    args: Sequence[Kind | Literal],
    keywords: Mapping[str, Kind | Literal],
) -> Kind:
    """The kind of `function(*args, **keywords)`, UNKNOWN where trying does not tell."""
    if function is runtime.count:
        return Num(np.dtype(int), (), False, weak=True)  # whatever it counts
    if not is_probed(function):
        return UNKNOWN
    if function in _CONTRACTIONS:
        args = _contracted(args)
    key = (
        function,
        tuple(map(argument_key, args)),
        tuple((k, argument_key(v)) for k, v in keywords.items()),
    )
    try:
        if key not in _PROBES:
            _PROBES[key] = _probe(function, args, keywords)
        return _PROBES[key]
    except TypeError:  # an argument that can't be hashed
        return _probe(function, args, keywords)


_CONTRACTIONS = {operator.matmul, np.matmul, np.dot}


def _contracted(args: Sequence[Kind | Literal]) -> Sequence[Kind | Literal]:
    """Two factors whose axes that a product sums over are equally long, as they must be."""
    match args:
        case [
            Num(shape=(*_, n), array=True) as a,
            Num(shape=(*_, _) as shape, array=True) as b,
        ] if n is not None:
            axis = max(len(shape) - 2, 0)
            return [a, replace(b, shape=(*shape[:axis], n, *shape[axis + 1 :]))]
    return args


def probe_numbers(
    function: Callable[..., Any],
    args: Sequence[Kind | Literal],
    keywords: Mapping[str, Kind | Literal],
) -> Num | None:
    """The kind of a result as far as its dtype goes, where shapes are not known; None where trying does not tell."""
    for rank in (1, 2, 3):
        kind = probe_kind(function, [of_rank(a, rank) for a in args], keywords)
        if isinstance(kind, Num):
            return kind
    return None


def of_rank(argument: Kind | Literal, rank: int) -> Kind | Literal:
    """An argument of unknown shape as an array of that rank."""
    match argument:
        case Num() if not argument.known:
            return replace(argument, shape=(3,) * rank, array=True)
        case Tup(items=items, is_list=is_list):
            return Tup(tuple(of_rank(item, rank) for item in items), is_list)  # type: ignore[misc]
    return argument


def argument_key(argument: Kind | Literal) -> Hashable:
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


def _probe(
    function: Callable[..., Any],
    args: Sequence[Kind | Literal],
    keywords: Mapping[str, Kind | Literal],
) -> Kind:
    results = []
    lengths = []
    for run in (0, 1):
        known = _Lengths(run)
        try:
            values = [_stand_in(a, known) for a in args]
            named = {k: _stand_in(a, known) for k, a in keywords.items()}
        except _NoStandIn:
            return UNKNOWN
        result = _call(_UNEVEN.get(function, function), values, named)
        if result is _FAILED:
            return _rank_only(function, args, keywords)
        results.append(result)
        lengths.append(known)
    kind = _kind(results[0], results[1], lengths[0])
    if any(map(_has_unknown_dtype, (*args, *keywords.values()))):
        kind = _without_dtype(kind)
    return (
        _without_lengths(kind)
        if function in _BY_VALUE and not _only_lengths(function, args)
        else kind
    )


def _only_lengths(function: Callable[..., Any], args: Sequence[Kind | Literal]) -> bool:
    """`np.arange(n)` and `np.repeat(x, 2)`: integers alone tell the length."""
    numbers = args if function is np.arange else args[1:]
    return function in (np.arange, np.repeat) and all(
        isinstance(a.value, int) if isinstance(a, Literal) else isinstance(a, Num) and a.is_scalar and a.weak
        and a.dtype == np.dtype(int)
        for a in numbers
    )  # fmt: skip


def _without_lengths(kind: Kind) -> Kind:
    match kind:
        case Num(shape=shape, array=True) if shape is not None:
            return replace(kind, shape=(None,) * len(shape))
    return with_parts(kind, _without_lengths)


def stand_ins(
    args: Sequence[Kind | Literal], keywords: Mapping[str, Kind | Literal]
) -> tuple[list[Any], dict[str, Any]] | None:
    """Small arrays and numbers of the arguments' kinds; None where there are none."""
    lengths = _Lengths(0)
    try:
        values = [_stand_in(a, lengths) for a in args]
        return values, {k: _stand_in(a, lengths) for k, a in keywords.items()}
    except _NoStandIn:
        return None


def tried(function: Callable[..., Any], args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """What the function gives, None where it raises."""
    result = _call(function, args, keywords)
    return None if result is _FAILED else result


def _rank_only(
    function: Callable[..., Any],
    args: Sequence[Kind | Literal],
    keywords: Mapping[str, Kind | Literal],
) -> Kind:
    """All lengths taken as equal: tells rank and dtype."""
    known = _Equal(0)
    try:
        values = [_stand_in(a, known) for a in args]
        named = {k: _stand_in(a, known) for k, a in keywords.items()}
    except _NoStandIn:
        return UNKNOWN
    result = _call(function, values, named)
    kind = UNKNOWN if result is _FAILED else _kind(result, result, None)
    unknown = any(map(_has_unknown_dtype, (*args, *keywords.values())))
    return _without_dtype(kind) if unknown else kind


def _has_unknown_dtype(argument: Kind | Literal) -> bool:
    match argument:
        case Num(dtype=dtype):
            return dtype is None
        case Tup(items=items):
            return any(map(_has_unknown_dtype, items))
    return False


def _without_dtype(kind: Kind) -> Kind:
    """What a stand-in of float64 tells of a function of numbers of another type: not the type of floats."""
    match kind:
        case Num(dtype=dtype) if dtype is not None and dtype.kind == "f":
            return replace(kind, dtype=None)
        case Known():
            return UNKNOWN
    return with_parts(kind, _without_dtype)


_FIRST = (10, 9, 6, 5, 4)
"""The lengths of the first symbols in the first run, and of all others."""

_STEPS = (1, 3, 9, 27, 40)
"""How much longer a symbol is in the second run: no sum or difference of two of them is a third.

What is longer in one run is shorter in the other, so that the longer of two lengths is none of them.
"""


class _Equal(_Lengths):
    def stand_in(self, length: Length) -> int:
        return 1 if length == 1 else 5

    def flag(self) -> bool:
        raise _NoStandIn

    def of(self, symbol: Hashable) -> int:  # noqa: ARG002 - all symbols are of one length
        return 5


class _NoStandIn(Exception):
    pass


_FAILED = object()


def _call(function: Callable[..., Any], args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return function(*args, **keywords)
        except Exception:  # noqa: BLE001 - whatever NumPy raises for arguments it does not take
            return _FAILED


def _stand_in(argument: Kind | Literal, lengths: _Lengths) -> Any:
    match argument:
        case Literal(value=value) | Known(value=value):
            return value
        case Tup(items=items, is_list=is_list):
            values = [_stand_in(item, lengths) for item in items]
            return values if is_list else tuple(values)
        case Num(shape=None) | Num(array=None):
            raise _NoStandIn
        case Num(dtype=dtype, shape=shape) if shape is not None:
            dtype = np.dtype(float) if dtype is None else dtype
            if shape or argument.array:
                return _array([lengths.stand_in(n) for n in shape], dtype)
            if dtype.kind in "iu":
                value = lengths.stand_in(argument.value)
                return value if argument.weak else dtype.type(value)
            if dtype.kind == "b":
                return lengths.flag()
            return dtype.type(1).item() if argument.weak else dtype.type(1)
    raise _NoStandIn


def _array(shape: list[int], dtype: np.dtype[Any]) -> Any:
    """Positive, well-conditioned numbers."""
    value = np.ones(shape) + np.arange(np.prod(shape, dtype=int)).reshape(shape) * 0.01
    if len(shape) >= 2 and shape[-1] == shape[-2]:
        value = value * 0.1 + np.eye(shape[-1]) * 10
    return np.array(value, dtype)


def _kind(first: Any, second: Any, lengths: _Lengths | None) -> Kind:
    if (
        isinstance(first, (tuple, list))
        and isinstance(second, (tuple, list))
        and len(first) == len(second)
    ):
        items = tuple(_kind(a, b, lengths) for a, b in zip(first, second, strict=True))
        names = getattr(first, "_fields", None)
        cls = None if names is None else type(first)
        return Tup(items, isinstance(first, list), keys=names, type=cls)
    if _differ_in_rank(first, second):
        arrays = isinstance(first, np.ndarray) and isinstance(second, np.ndarray)
        return Num(first.dtype, None, True if arrays else None)
    if isinstance(first, np.ndarray):
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


def _length(a: int, b: int, lengths: _Lengths | None) -> Length:
    if lengths is None:
        return 1 if a == b == 1 else None
    if a == b:
        return a
    for symbol, number in lengths.symbols.items():
        if number < len(_STEPS) - 1 and b - a == _STEPS[number]:
            offset = a - lengths.of(symbol)
            is_unknown = isinstance(symbol, tuple) and symbol[:1] == ("unknown",)
            return None if is_unknown or not -4 < offset <= 0 else Dim(symbol, offset)
    return None
