"""Twins of runtime/copies.py: copies of arrays in the layouts that Numba knows, one beside the other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types
from numba.extending import register_jitable

from tangentish import runtime
from tangentish.compiled.twins.registry import twin
from tangentish.compiled.twins.types import is_array
from tangentish.compiled.twins.written import written


@twin(runtime.copy_shared)
def _copy_shared(*values: Any) -> Any:
    """Arguments that share memory with each other are refused before this runs."""
    arrays = values[0] if isinstance(values[0], types.BaseTuple) else values
    if not all(is_array(one) and one.mutable for one in arrays):
        return None
    copies = ", ".join(_COPY[one.layout].format(f"values[{k}]") for k, one in enumerate(arrays))
    return written("*values", [f"return {copies},"], strided=_strided)


_COPY = {"C": "{}.copy()", "F": "{}.T.copy().T", "A": "strided({})"}
"""Layout -> a copy of the same: it says whether `ravel` gives a view."""


@register_jitable  # type: ignore[untyped-decorator, unused-ignore]
def _strided(x):  # type: ignore[no-untyped-def]
    for k in range(x.ndim):
        if x.shape[k] > 1 and abs(x.strides[k]) <= _reach(x, k):
            raise ValueError("an array that is written to has elements that share memory")
    out = np.empty(x.shape + (2,), x.dtype)[..., 0]
    out[...] = x
    return out


@register_jitable  # type: ignore[untyped-decorator, unused-ignore]
def _reach(x, k):  # type: ignore[no-untyped-def]
    """How far the axes reach whose steps are no longer than that of axis k."""
    reach = 0
    for j in range(x.ndim):
        if j != k and abs(x.strides[j]) <= abs(x.strides[k]):
            reach += abs(x.strides[j]) * (x.shape[j] - 1)
    return reach
