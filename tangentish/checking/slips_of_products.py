"""What a wrong gradient looks like where matrices are multiplied, or where a line of the function was left out.

y = np.sum((a @ b) ** 2)    by hand: g @ b    should be: g @ b.T
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from tangentish.calling.trace import Row
from tangentish.checking.probing import is_float

MOST_SOLVED = 100  # rows and columns of matrices whose gradients are solved for
Close = Callable[[np.ndarray, np.ndarray], bool]
Forms = list[tuple[str, np.ndarray]]


def slips_of_products(
    given: np.ndarray, right: np.ndarray, rows: Sequence[Row], close: Close
) -> Iterator[str]:
    """Of a product of a matrix and a gradient one is not turned, or both are swapped, or the gradient is missing."""
    matrices = [(row.name, np.asarray(row.value, float)) for row in rows if np.ndim(row.value) == 2]
    above = [row for row in rows if np.ndim(row.value) > 0 and is_float(row.gradient)]
    early: list[str] = []
    for (name, matrix), row in itertools.product(matrices, above):
        forms = list(_products(name, matrix, f"d{row.name}", row.gradient))
        mine, should = _found(forms, given, close), _found(forms, right, close)
        if mine is not None and should is not None:
            yield f"{mine} in place of {should}: swapped operands or a missing transpose"
        elif mine is not None and row.line is not None:
            early.append(f"{mine}: {_too_early(row)}")
    for name, matrix in matrices:
        mine = _found(_with_ones(name, matrix, given), given, close)
        if mine is not None:
            yield f"{mine}: the gradient from above is missing"
    yield from early
    for name, matrix in matrices:
        yield from _swapped(name, matrix, given, right, close)


def left_out(
    name: str,
    given: np.ndarray,
    rows: Sequence[Row],
    summed: Callable[..., np.ndarray],
    close: Close,
) -> Iterator[str]:
    """The gradient of a later value, handed on as it is."""
    for row in rows:
        if row.line is None or row.name == name or not is_float(row.gradient):
            continue  # an argument, or the result
        g = np.asarray(row.gradient, float)
        if g.size > 1 and _fits(given.shape, g.shape) and close(given, summed(g, given)):
            total = "" if g.shape == given.shape else "the sum of "
            yield f"{total}d{row.name}: {_too_early(row)}"


def _too_early(row: Row) -> str:
    return f"the derivative of what leads to {row.name} (line {row.line}: {row.text}) is missing"


def _fits(shape: tuple[int, ...], wide: tuple[int, ...]) -> bool:
    try:
        return np.broadcast_shapes(shape, wide) == wide
    except ValueError:
        return False


def _found(forms: Forms, value: np.ndarray, close: Close) -> str | None:
    return next(
        (text for text, one in forms if one.shape == value.shape and close(one, value)), None
    )


def _products(
    name: str, matrix: np.ndarray, other: str, g: np.ndarray
) -> Iterator[tuple[str, np.ndarray]]:
    """The products of a matrix and a gradient, either of them as it is or turned, in either order."""
    turned = ((name, matrix), (f"{name}.T", matrix.T))
    others = ((other, g), (f"{other}.T", g.T))[: g.ndim]
    for one, two in (*itertools.product(turned, others), *itertools.product(others, turned)):
        if one[1].shape[-1] == two[1].shape[0]:
            yield f"{one[0]} @ {two[0]}", one[1] @ two[1]


def _with_ones(name: str, matrix: np.ndarray, given: np.ndarray) -> Forms:
    """The products of a matrix and an array of ones that have as many axes as the gradient."""
    found: Forms = []
    for text, m in ((name, matrix), (f"{name}.T", matrix.T)):
        found.append((f"{text} @ ones", m @ np.ones((m.shape[1], *given.shape[1:]))))
        if given.ndim == 2:
            found.append((f"ones @ {text}", np.ones((given.shape[0], m.shape[0])) @ m))
    return found


def _swapped(
    name: str, matrix: np.ndarray, given: np.ndarray, right: np.ndarray, close: Close
) -> Iterator[str]:
    """Products with a gradient that has no name in the function: solved for from the right one."""
    if max(matrix.shape) > MOST_SOLVED or right.ndim not in (1, 2):
        return
    for text, m in ((name, matrix), (f"{name}.T", matrix.T)):
        solved = [(f"{text} @ g", _solved(m, right))]
        if right.ndim == 2:
            g = _solved(m.T, right.T)
            solved.append((f"g @ {text}", None if g is None else g.T))
        for should, g in solved:
            mine = (
                None if g is None else _found(list(_products(name, matrix, "g", g)), given, close)
            )
            if mine is not None:
                yield (
                    f"{mine} in place of {should}, where g is the gradient of the product: "
                    "swapped operands or a missing transpose"
                )


def _solved(matrix: np.ndarray, right: np.ndarray) -> np.ndarray | None:
    """The one g with `matrix @ g == right`; None where there is none, or more than one."""
    if matrix.shape[0] != right.shape[0] or np.linalg.matrix_rank(matrix) < matrix.shape[1]:
        return None
    g = np.linalg.lstsq(matrix, right, rcond=None)[0]
    return np.asarray(g) if np.allclose(matrix @ g, right) else None
