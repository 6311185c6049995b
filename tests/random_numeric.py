"""Numeric Jacobians by central differences with one step of Richardson extrapolation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


def copied(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Copies of the arrays, in the layout that they have."""
    return tuple(v.copy(order="K") if isinstance(v, np.ndarray) else v for v in values)


def promoted(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments with float32 arrays as float64."""
    return tuple(
        v.astype(np.float64, order="K") if getattr(v, "dtype", None) == np.float32 else v
        for v in values
    )


def differences(a: Any, b: Any) -> float:
    """The largest absolute difference."""
    return float(
        np.max(np.abs(np.asarray(a, dtype=float) - np.asarray(b, dtype=float)), initial=0.0)
    )


@dataclass(frozen=True)
class Jacobian:
    matrix: np.ndarray  # (elements of the active arguments, elements of the value)
    shapes: tuple[tuple[int, ...], ...]  # of the active arguments
    kink: float  # the largest difference between forward and backward quotients

    def pull(self, head: Any) -> list[np.ndarray]:
        """The gradients of the active arguments for this head gradient."""
        flat = self.matrix @ np.asarray(head, dtype=float).reshape(-1)
        out: list[np.ndarray] = []
        start = 0
        for shape in self.shapes:
            size = int(np.prod(shape))
            out.append(flat[start : start + size].reshape(shape))
            start += size
        return out

    def near(self, other: Jacobian, tolerance: float) -> bool:
        if self.matrix.shape != other.matrix.shape:
            return False
        return bool(np.all(np.abs(self.matrix - other.matrix) <= tolerance))


def numeric_jacobian(
    function: Callable[..., Any], args: tuple[Any, ...], active: list[int], step: float = 1e-3
) -> Jacobian:
    """d value / d active arguments, every element; the function gets fresh copies at every call."""

    def at(place: int, index: tuple[int, ...], delta: float) -> np.ndarray:
        moved = list(copied(args))
        if index:
            moved[place][index] += delta
        else:
            moved[place] = moved[place] + delta
        return np.asarray(function(*moved), dtype=float).reshape(-1)

    middle = np.asarray(function(*copied(args)), dtype=float).reshape(-1)
    rows: list[np.ndarray] = []
    kink = 0.0
    for place in active:
        for index in np.ndindex(np.shape(args[place])):
            right, left = at(place, index, step), at(place, index, -step)
            wide = (right - left) / (2 * step)
            half = step / 2
            narrow = (at(place, index, half) - at(place, index, -half)) / step
            rows.append((4 * narrow - wide) / 3)
            kink = max(kink, differences((right - middle) / step, (middle - left) / step))
    matrix = np.array(rows).reshape(len(rows), middle.size)
    return Jacobian(matrix, tuple(np.shape(args[i]) for i in active), kink)
