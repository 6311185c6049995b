"""Named views of a state that are stored to as a whole: right in every mode, and kept for nobody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

from tangentish import grad

Function = Callable[..., Any]
RIGHT: list[Function] = []
X, X_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([0.3, -0.2, 0.5, 0.1])


@kept_in(RIGHT)
def orbit(x):
    y = np.concatenate([x, np.zeros(2)])
    pos, vel, acc = y[:2], y[2:4], y[4:]
    for _ in range(3):
        acc[:] = -x[0] * pos / (pos @ pos) ** 1.5
        vel += 0.1 * acc
        pos += 0.1 * vel
    return pos @ pos


@kept_in(RIGHT)
def rows_and_columns(x):
    m = np.outer(x, x)
    row, column, inner = m[1], m[:, 2], m[1:3, ::2]
    for k in range(3):
        column[...] = np.sin(row) * x[k]
        row[:] = column * x
        inner[:, :] = inner * row[1] + m[0, 0]
    return np.sum(m * m)


@kept_in(RIGHT)
def arrays_in_a_list(x):
    rows = [x[:2] * 1.0, x[2:] * 2.0]
    first = rows[0]
    for k in range(3):
        first[:] = np.sin(rows[1]) * rows[0] * x[k]
        rows[1][:] = first * x[0]
    return np.sum(rows[0] ** 2) + np.sum(rows[1])


test_right = each_right(RIGHT, X, X_DOT)


def test_a_view_of_all_of_a_part_is_that_part() -> None:
    assert "][:]" not in grad(orbit).source(X)
