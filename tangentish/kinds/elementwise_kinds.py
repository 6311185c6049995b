"""The kinds of what elementwise functions give: shapes broadcast, and a call on numbers tells the dtype."""

from __future__ import annotations

import cmath
import functools
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from tangentish.kinds import Kind, Num
from tangentish.kinds.lengths import Shape, broadcast
from tangentish.kinds.trials import called

_Operand = tuple[np.dtype[Any] | None, bool, int | None]  # dtype, weak, axes
_Plain = tuple[np.dtype[Any] | None, Shape | None, bool | None, bool, bool, bool]
_UNSURE: _Plain = (None, None, None, False, False, False)

# Functions with a pole where they are tried: what else gives the same types.
_WITHOUT_POLES: dict[Any, Any] = {cmath.atanh: cmath.atan}


def elementwise_kind(function: Callable[..., Any], operands: Sequence[Kind]) -> Num:
    """The kind of a function that broadcasts its operands."""
    plain = [
        (k.dtype, k.shape, k.array, k.weak, k.contiguous, k.axes) if isinstance(k, Num) else _UNSURE
        for k in operands
    ]
    return _elementwise_kind(_WITHOUT_POLES.get(function, function), tuple(plain))


@functools.cache
def outputs_of(function: np.ufunc) -> tuple[Callable[..., Any], ...]:
    """A function for each of its results."""
    if function.nout == 1:
        return (function,)
    return tuple(lambda *args, k=k: function(*args)[k] for k in range(function.nout))


@functools.lru_cache(maxsize=1 << 12)
def _elementwise_kind(function: Callable[..., Any], operands: tuple[_Plain, ...]) -> Num:
    numbers = [
        Num(dtype, shape, array, weak=weak, contiguous=contiguous, axes=axes)
        for dtype, shape, array, weak, contiguous, axes in operands
    ]
    shape, array = _elementwise_shape(numbers)
    operands_key = tuple((n.dtype, n.weak, _axes_tried(n)) for n in numbers)
    dtype, weak, zero_d = _elementwise_dtype(function, operands_key)
    if zero_d and shape == ():
        array = True  # np.where of scalars, np.copy of an array without axes
    contiguous = all(n.contiguous or n.is_scalar for n in numbers)
    axes = shape is None and array is True
    return Num(dtype, shape, array, weak=weak and array is False, contiguous=contiguous, axes=axes)


def _elementwise_shape(numbers: Sequence[Num]) -> tuple[Shape | None, bool | None]:
    shapes = [n.shape for n in numbers]
    if any(shape is None for shape in shapes):
        return None, True if any(n.array and n.axes for n in numbers) else None
    result = broadcast([s for s in shapes if s is not None])
    unsure = [k for k, n in enumerate(numbers) if n.array is None]
    if unsure:
        sure = broadcast([s or () for k, s in enumerate(shapes) if k not in unsure])
        if len(sure) == len(result):
            return tuple(a if a == b else None for a, b in zip(sure, result, strict=True)), bool(
                result
            )
        others = [s for k, s in enumerate(shapes) if k not in unsure and s]
        return (result, None) if not others and None not in result else (None, None)
    return result, bool(result)


def _axes_tried(number: Num) -> int | None:
    """How many axes an operand is tried with; None for a scalar."""
    if number.array is False or (number.array is None and number.shape == ()):
        return None  # an array without axes gives what a scalar gives, or it is known as one
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
        return _result_of_unknown(function, operands)
    samples = []
    for dtype, weak, axes in operands:
        assert dtype is not None
        one = np.ones((1,) * (axes or 0), dtype)
        samples.append(one if axes is not None else (one.item() if weak else one[()]))
    result = called(function, samples, {})
    if isinstance(result, (np.ndarray, np.generic)):
        return result.dtype, False, isinstance(result, np.ndarray) and result.ndim == 0
    if isinstance(result, (bool, int, float, complex)):
        return np.dtype(type(result)), True, False
    return None, False, False


def _result_of_unknown(
    function: Callable[..., Any], operands: Sequence[_Operand]
) -> tuple[np.dtype[Any] | None, bool, bool]:
    """What numbers of an unknown type give, which may be real or complex: that it is complex is known for sure only of
    complex numbers among them; whether scalars give an array does not depend on types.
    """
    known = [(dtype or np.dtype(float), weak, axes) for dtype, weak, axes in operands]
    dtype, _, zero_d = _try_dtype(function, known)
    given = any(dtype is not None and dtype.kind == "c" for dtype, _, _ in operands)
    surely_complex = given and dtype is not None and dtype.kind == "c"
    return dtype if surely_complex else None, False, zero_d
