"""Twins of runtime/products.py, for matrices and vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from tangentish import runtime
from tangentish.compiled.twins.registry import twin
from tangentish.compiled.twins.types import is_array, is_number


@twin(runtime.matmul_left)
def _matmul_left(g: Any, x: Any, w: Any) -> Any:
    match _ranks(x, w):
        case 1, 1:
            return lambda g, x, w: g * w
        case 2, 1:
            return lambda g, x, w: np.outer(g, w)
        case 1, 2:
            return lambda g, x, w: w @ g
        case 2, 2:
            return lambda g, x, w: g @ w.T
    return None


@twin(runtime.matmul_right)
def _matmul_right(g: Any, x: Any, w: Any) -> Any:
    match _ranks(x, w):
        case 1, 1:
            return lambda g, x, w: g * x
        case 2, 1:
            return lambda g, x, w: x.T @ g
        case 1, 2:
            return lambda g, x, w: np.outer(x, g)
        case 2, 2:
            return lambda g, x, w: x.T @ g
    return None


@twin(runtime.dot_left)
def _dot_left(g: Any, x: Any, w: Any) -> Any:
    if is_number(x) or is_number(w):
        return lambda g, x, w: runtime.unbroadcast(g * w, x)
    return _matmul_left(g, x, w)


@twin(runtime.dot_right)
def _dot_right(g: Any, x: Any, w: Any) -> Any:
    if is_number(x) or is_number(w):
        return lambda g, x, w: runtime.unbroadcast(g * x, w)
    return _matmul_right(g, x, w)


@twin(runtime.cross_left)
def _cross_left(g: Any, x: Any, w: Any) -> Any:
    if _ranks(x, w) is None:
        return None

    def in_space(g: Any, x: Any, w: Any) -> Any:  # Numba has no np.cross of vectors in the plane
        if x.shape[-1] != 3 or w.shape[-1] != 3:
            raise ValueError(
                "np.cross of vectors with two elements: compile=None differentiates it"
            )
        return runtime.unbroadcast(np.cross(w, g), x)

    return in_space


def _ranks(x: Any, w: Any) -> tuple[int, int] | None:
    return (x.ndim, w.ndim) if is_array(x) and is_array(w) else None
