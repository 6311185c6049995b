"""Values of a module that an exported one takes along, as text."""

from __future__ import annotations

import numpy as np

MOST_ELEMENTS = 256  # of an array that is written out
EXACT = frozenset(
    {"bool", "float16", "float32", "float64", "complex64", "complex128"}
    | {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
)  # dtypes whose elements are Python numbers without loss
PLAIN = (bool, int, str, bytes, type(None), type(...))


def literal(value: object) -> str | None:
    """The text of a number, a string, None, a small array of numbers or a tuple of these; else None."""
    if type(value) in PLAIN:
        return repr(value)
    if type(value) is float:
        return _float(value)
    if type(value) is complex:
        return f"complex({_float(value.real)}, {_float(value.imag)})"
    if isinstance(value, np.generic) and value.dtype.name in EXACT:
        return f"np.{value.dtype.name}({_number(value)})"
    if type(value) is np.ndarray and value.dtype.name in EXACT:
        return _array(value)
    if type(value) is tuple:
        items = [literal(item) for item in value]
        texts = [item for item in items if item is not None]
        return None if len(texts) < len(items) else f"({', '.join(texts)}{',' * (len(texts) == 1)})"
    return None


def _float(value: float) -> str:
    return repr(value) if np.isfinite(value) else f'float("{value!r}")'


def _number(value: np.generic) -> str:
    text = literal(value.item())
    return text if text is not None else repr(value.item())


def _array(value: np.ndarray) -> str | None:
    plain = value.flags.c_contiguous and (value.size or value.ndim == 1)
    if not plain or value.size > MOST_ELEMENTS or not np.isfinite(value).all():
        return None
    return f'np.array({value.tolist()!r}, dtype="{value.dtype.name}")'
