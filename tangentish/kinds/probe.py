"""What kind a function gives, found by calling it on stand-ins: which may be called, and what that tells."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from tangentish import runtime
from tangentish.kinds import UNKNOWN, Kind, Known, Num, Tup, replace, scalar, with_parts
from tangentish.kinds.confirmed import fitting, other_lengths
from tangentish.kinds.contractions import CONTRACTIONS, contracted
from tangentish.kinds.cross_products import CROSS_PRODUCTS, in_space, named_as_given
from tangentish.kinds.factors import are_factors_of_stacks
from tangentish.kinds.numbers import is_number
from tangentish.kinds.trials import (
    FAILED,
    Argument,
    EqualLengths,
    Lengths,
    Literal,
    called,
    kind_of_results,
    need_small,
    of_rank,
    remembered,
    stand_ins,
)
from tangentish.rules import RULES
from tangentish.rules.names import is_helper
from tangentish.rules.registry import (
    MADE_OF_NUMBERS,
    NEVER_TRIED,
    SHAPED_LIKE,
    TRIED,
    WITHOUT_COLUMNS,
)

# What may be called to see what it gives: no effects, and a shape that depends on shapes alone.
_TRIED = """
    zeros ones empty zeros_like ones_like empty_like eye identity tri full full_like
    triu_indices tril_indices diag_indices triu_indices_from tril_indices_from diag_indices_from
    unravel_index ravel_multi_index hanning hamming bartlett blackman kaiser
    argmax argmin argsort searchsorted any all round around shape ndim size count_nonzero
    common_type result_type promote_types
    isclose iscomplexobj isrealobj digitize argpartition lexsort fix
    int8 int16 int32 int64 uint8 uint16 uint32 uint64 intp
"""
_TRIED_FUNCTIONS = {getattr(np, name) for name in _TRIED.split() if hasattr(np, name)}
_TRIED_FUNCTIONS |= {int, bool, float, abs, round, min, max, sum}
_OPERATORS = {value for name, value in vars(operator).items() if not name.startswith("_")}

# Stand-in lengths are not divisible by the number of parts: their lengths stay unknown.
_UNEVEN: dict[Any, Any] = {
    np.split: np.array_split,
    np.hsplit: lambda x, n: np.array_split(x, n, min(1, x.ndim - 1)),
    np.vsplit: lambda x, n: np.array_split(x, n, 0),
    np.dsplit: lambda x, n: np.array_split(x, n, 2),
}
# What looks the same and costs less: nodes and weights are eigenvalues of a matrix.
_LIKE: dict[Any, Any] = dict.fromkeys(
    (
        np.polynomial.chebyshev.chebgauss, np.polynomial.hermite.hermgauss, np.polynomial.hermite_e.hermegauss,
        np.polynomial.laguerre.laggauss, np.polynomial.legendre.leggauss,
    ),
    lambda deg: (np.zeros(deg), np.zeros(deg)),
)  # fmt: skip
_TRIED_FUNCTIONS |= _LIKE.keys()


def _fit(x: Any, *rest: Any, **options: Any) -> Any:
    """A fit at places that are apart: LAPACK prints complaints where all are 0."""
    apart = np.arange(1, np.size(x) + 1).reshape(np.shape(x)).astype(np.asarray(x).dtype)
    return np.polyfit(apart, *rest, **options)


_LIKE[np.polyfit] = _fit
# The length of what they give depends on the values in their arguments.
_BY_VALUE = {
    np.unique, np.arange, np.nonzero, np.flatnonzero, np.argwhere, np.repeat, np.extract, np.compress, np.delete,
    np.insert, np.trim_zeros, np.polymul, np.polydiv, np.roots, np.unique_values, np.bincount, np.array_split, *_UNEVEN,
}  # fmt: skip
# Vectors whatever they are made of.
_VECTORS = {
    np.arange: Num(None, (None,), True),
    np.flatnonzero: Num(np.dtype(np.intp), (None,), True),
}


def declare_tried(functions: Iterable[Any]) -> None:
    """These functions have no effect that counts: they may be called on stand-ins."""
    _TRIED_FUNCTIONS.update(functions)


def is_probed(function: Callable[..., Any]) -> bool:
    """Whether calling the function on stand-ins is harmless and tells the shape of its result."""
    try:
        known = function in RULES or function in _TRIED_FUNCTIONS
        known = known or function in MADE_OF_NUMBERS or function in TRIED
        if function in NEVER_TRIED:
            return False
    except TypeError:
        return False
    return known or is_helper(function) or isinstance(function, np.ufunc) or function in _OPERATORS


def probe_kind(
    function: Callable[..., Any], args: Sequence[Argument], keywords: Mapping[str, Argument]
) -> Kind:
    """The kind of `function(*args, **keywords)`, UNKNOWN where trying does not tell."""
    if function is runtime.count:
        return scalar(int)  # whatever it counts
    if not is_probed(function) or any(map(are_factors_of_stacks, args)):
        return UNKNOWN  # LAPACK writes wherever pivots say, and those of a stand-in say anything
    if function in CROSS_PRODUCTS:
        found = _probe(function, in_space(args, keywords), keywords)
        return named_as_given(found, args, keywords)
    if function in CONTRACTIONS:
        args = contracted(function, args)
    found = _probe(function, args, keywords)
    return _VECTORS[function] if found == UNKNOWN and function in _VECTORS else found


def probe_numbers(
    function: Callable[..., Any], args: Sequence[Argument], keywords: Mapping[str, Argument]
) -> Num | None:
    """The kind of a result as far as its dtype goes, where shapes are not known; None where trying does not tell."""
    for rank in (1, 2, 3):
        kind = probe_kind(function, [of_rank(a, rank) for a in args], keywords)
        if isinstance(kind, Num):
            return kind
    return None


@remembered
def _probe(
    function: Callable[..., Any], args: Sequence[Argument], keywords: Mapping[str, Argument]
) -> Kind:
    small = need_small([*args, *keywords.values()])
    runs = Lengths(0, small=small), Lengths(1, small=small)
    results = []
    for lengths in runs:
        given = stand_ins(args, keywords, lengths)
        result = FAILED if given is None else called(_tried(function), *given)
        if result is FAILED:
            return _rank_only(function, args, keywords)
        results.append(result)
    first, second = results
    kind = _of_known_dtype(kind_of_results(first, second, runs[0]), args, keywords)
    if _goes_by_values(function, args):
        return _without_lengths(kind)
    for several in other_lengths([*args, *keywords.values()]):
        kind = _confirmed(kind, function, args, keywords, several)
    return kind


def _confirmed(
    kind: Kind, function: Callable[..., Any], args: Sequence[Argument], keywords: Mapping[str, Argument],
    several: Sequence[Lengths],
) -> Kind:  # fmt: skip
    """What is left of a kind after a call on stand-ins of the first of several lengths that the function takes."""
    for lengths in several:
        given = stand_ins(args, keywords, lengths)
        result = FAILED if given is None else called(_tried(function), *given)
        if result is not FAILED:
            return fitting(kind, result, lengths)
    return kind


def _tried(function: Callable[..., Any]) -> Callable[..., Any]:
    """What is called on stand-ins to tell what the function gives."""
    like = SHAPED_LIKE.get(function)
    other: Callable[..., Any] = (
        _LIKE.get(function) or MADE_OF_NUMBERS.get(function) or _UNEVEN.get(function, function)
    )
    if like is None:
        return other
    parameters, flat = inspect.signature(function), function in WITHOUT_COLUMNS
    return lambda *args, **named: _of_one_type(parameters.bind(*args, **named).args, like, flat)


def _of_one_type(args: Sequence[Any], like: int, flat: bool) -> Any:
    """An argument in the type of what all of them make together; flat: one column is a vector."""
    types = [a.dtype for a in args if hasattr(a, "dtype")]
    found = np.asarray(args[like]).astype(np.result_type(*types))
    return found[:, 0] if flat and found.shape[1:] == (1,) else found


def _goes_by_values(function: Callable[..., Any], args: Sequence[Argument]) -> bool:
    """Whether lengths of the result depend on the values of arguments, and not on integers alone."""
    return function in _BY_VALUE and not _only_lengths(function, args)


def _only_lengths(function: Callable[..., Any], args: Sequence[Argument]) -> bool:
    """`np.arange(n)` and `np.repeat(x, 2)`: integers alone tell the length."""
    numbers = args if function is np.arange else args[1:]
    return function in (np.arange, np.repeat) and all(
        isinstance(a.value, int) if isinstance(a, Literal) else is_number(a) and a.weak
        and a.dtype == np.dtype(int)
        for a in numbers
    )  # fmt: skip


def _without_lengths(kind: Kind) -> Kind:
    match kind:
        case Num(shape=shape, array=True) if shape is not None:
            return replace(kind, shape=(None,) * len(shape))
    return with_parts(kind, _without_lengths)


def _rank_only(
    function: Callable[..., Any], args: Sequence[Argument], keywords: Mapping[str, Argument]
) -> Kind:
    """All lengths taken as equal, or all that are not written out: tells rank and dtype."""
    result = FAILED
    for lengths in (EqualLengths(0), EqualLengths(0, as_written=True)):
        given = stand_ins(args, keywords, lengths)
        if result is FAILED and given is not None:
            result = called(function, *given)
    kind = UNKNOWN if result is FAILED else kind_of_results(result, result, None)
    return _of_known_dtype(kind, args, keywords)


def _of_known_dtype(kind: Kind, args: Sequence[Argument], keywords: Mapping[str, Argument]) -> Kind:
    """The kind of a result without the dtype that it only has from stand-ins."""
    unknown = any(map(_has_unknown_dtype, (*args, *keywords.values())))
    return _without_dtype(kind) if unknown else kind


def _has_unknown_dtype(argument: Argument) -> bool:
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
