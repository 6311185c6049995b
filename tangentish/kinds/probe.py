"""What kind a function gives, found by calling it on stand-ins: which may be called, and what that tells."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from tangentish import runtime
from tangentish.kinds import UNKNOWN, Kind, Known, Num, Tup, replace, with_parts
from tangentish.kinds.trials import (
    FAILED,
    PLACES,
    Argument,
    EqualLengths,
    Lengths,
    Literal,
    called,
    kind_of_results,
    of_rank,
    remembered,
    stand_ins,
)
from tangentish.rules import RULES
from tangentish.rules.names import is_helper
from tangentish.rules.registry import NEVER_TRIED, SHAPED_LIKE

__all__ = ["declare_tried", "is_probed", "probe_kind", "probe_numbers"]

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
_OPERATORS = {value for name, value in vars(operator).items() if not name.startswith("_")}
_CONTRACTIONS = {operator.matmul, np.matmul, np.dot}

# Stand-in lengths are not divisible by the number of parts: their lengths stay unknown.
_UNEVEN: dict[Any, Any] = {
    np.split: np.array_split,
    np.hsplit: lambda x, n: np.array_split(x, n, min(1, x.ndim - 1)),
    np.vsplit: lambda x, n: np.array_split(x, n, 0),
    np.dsplit: lambda x, n: np.array_split(x, n, 2),
}
# The length of what they give depends on the values in their arguments.
_BY_VALUE = {
    np.unique, np.arange, np.nonzero, np.flatnonzero, np.argwhere, np.repeat, np.extract, np.compress, np.delete,
    np.insert, np.trim_zeros, np.polymul, np.polydiv, np.roots, np.unique_values, np.bincount, np.array_split, *_UNEVEN,
}  # fmt: skip


def declare_tried(functions: Iterable[Any]) -> None:
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


def probe_kind(
    function: Callable[..., Any], args: Sequence[Argument], keywords: Mapping[str, Argument]
) -> Kind:
    """The kind of `function(*args, **keywords)`, UNKNOWN where trying does not tell."""
    if function is runtime.count:
        return Num(np.dtype(int), (), False, weak=True)  # whatever it counts
    if not is_probed(function):
        return UNKNOWN
    if function in _CONTRACTIONS:
        args = _contracted(args)
    return _probe(function, args, keywords)


def _contracted(args: Sequence[Argument]) -> Sequence[Argument]:
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
    runs = Lengths(0), Lengths(1)
    results = []
    for lengths in runs:
        given = stand_ins(args, keywords, lengths)
        if given is None:
            return UNKNOWN
        result = called(_tried(function), *given)
        if result is FAILED:
            return _rank_only(function, args, keywords)
        results.append(result)
    first, second = results
    kind = _of_known_dtype(kind_of_results(first, second, runs[0]), args, keywords)
    by_values = _goes_by_values(function, args) or any(map(_is_counts, (*args, *keywords.values())))
    return _of_other_values(function, args, keywords, first, kind) if by_values else kind


def _is_counts(argument: Argument) -> bool:
    """Whether an argument is, or holds, an array of which the values may say how long a result is."""
    match argument:
        case Num(dtype=dtype, shape=shape):
            short = shape is not None and len(shape) < 2 and bool(shape or argument.array)
            return short and dtype is not None and dtype.kind in PLACES
        case Tup(items=items):
            return any(map(_is_counts, items))
    return False


def _of_other_values(
    function: Callable[..., Any], args: Sequence[Argument], keywords: Mapping[str, Argument], first: Any, kind: Kind,
) -> Kind:  # fmt: skip
    """The kind of a result without what other values in arrays of integers and masks would change of it."""
    if _goes_by_values(function, args):
        return _without_lengths(kind)
    for place in (0, 2):
        given = stand_ins(args, keywords, Lengths(0, place))
        other = FAILED if given is None else called(_tried(function), *given)
        if other is not FAILED:
            return kind if _shapes(other) == _shapes(first) else _without_shape(kind, first, other)
    return kind


def _shapes(result: Any) -> Any:
    parts = isinstance(result, (tuple, list))
    return list(map(_shapes, result)) if parts else getattr(result, "shape", None)


def _without_shape(kind: Kind, first: Any, other: Any) -> Kind:
    """The kind of what two calls gave, of which only the rank may be the same."""
    found = kind_of_results(first, other, None)
    if isinstance(kind, Num) and isinstance(found, Num):
        same = found.shape is not None and kind.shape is not None
        return _without_lengths(kind) if same else replace(kind, shape=None)
    return UNKNOWN if type(found) is not type(kind) else _without_lengths(kind)


def _tried(function: Callable[..., Any]) -> Callable[..., Any]:
    """What is called on stand-ins to tell what the function gives."""
    like = SHAPED_LIKE.get(function)
    other: Callable[..., Any] = _UNEVEN.get(function, function)
    return other if like is None else lambda *args, **_: args[like]


def _goes_by_values(function: Callable[..., Any], args: Sequence[Argument]) -> bool:
    """Whether lengths of the result depend on the values of arguments, and not on integers alone."""
    return function in _BY_VALUE and not _only_lengths(function, args)


def _only_lengths(function: Callable[..., Any], args: Sequence[Argument]) -> bool:
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


def _rank_only(
    function: Callable[..., Any], args: Sequence[Argument], keywords: Mapping[str, Argument]
) -> Kind:
    """All lengths taken as equal: tells rank and dtype."""
    given = stand_ins(args, keywords, EqualLengths(0))
    result = FAILED if given is None else called(function, *given)
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
