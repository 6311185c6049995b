"""Joined arrays, which NumPy lays out as their parts: whether `ravel` gives a view of them is known of parts in C order."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, check_along, check_refused, kept_in, named

RIGHT: list[Function] = []
REFUSED: list[Function] = []
right, refused = kept_in(RIGHT), kept_in(REFUSED)
X = np.linspace(0.4, 1.5, 6)
X_DOT = np.cos(np.arange(6.0))


def written_below(z, x):
    u = z.ravel()
    u[1] = 7.0 * x[0, 0]
    return np.sum(z**2 * np.arange(z.size).reshape(z.shape))


@right
def parts_in_c_order(x):
    return written_below(np.concatenate([x, x * 2.0, x[1:]]), x)


@right
def rows(x):
    return written_below(np.stack([x[0], x.T[1, 0] * x[1], x[0, ::-1]]), x)


@right
def columns(x):
    return written_below(np.column_stack([x[:, 0], x[:, 2]]), x)


@right
def a_list_made_an_array(x):
    return written_below(np.array([x.T, x.T * 2.0]), x)


@right
def a_sum(x):
    return written_below(sum([x, x * 2.0]), x)


@refused
def transposed_parts(x):
    return written_below(np.concatenate([x.T, x.T]), x)


@refused
def one_transposed_part(x):
    return written_below(np.vstack((x @ x.T, (x @ x.T).T)), x)


@refused
def stacked(x):
    return written_below(np.stack([x.T, x.T * 2.0]), x)


@refused
def blocks(x):
    return written_below(np.block([[x.T, x.T], [x.T, x.T]]), x)


@refused
def of_a_comprehension(x):
    return written_below(np.hstack([v * x.T for v in x[0]]), x)


@refused
def a_sum_of_transposed(x):
    return written_below(sum([x.T, x.T]), x)


@refused
def the_largest_of_stacked(x):
    return written_below(np.max(np.stack([x.T, 0.5 * x.T]), axis=0), x)


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_right(function: Function) -> None:
    check_along(lambda x: function(x.reshape(2, 3)), X, X_DOT)


@pytest.mark.parametrize("function", REFUSED, ids=named)
def test_refused(function: Function) -> None:
    check_refused(function, "share memory", X.reshape(2, 3))
