"""What the forward pass puts aside is read under the name that keeps it, where its own name stands for something else."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

from tangentish import grad

FUNCTIONS = []
right = kept_in(FUNCTIONS)
X = np.array([0.7, 0.4, 0.9, 0.55])
ALONG = np.array([0.3, -0.7, 0.5, 0.2])


def square(x):
    x = x * x
    return x


@right
def in_a_helper(x):
    return np.sum(square(square(x)))


@right
def on_one_way(x):
    s = x[0]
    if x[1] < 0.5:
        s = np.sin(s)
    elif x[1] < 0.6:
        s = s * s
    s = s * x[2]
    return s * s


@right
def set_anew_from_itself(x):
    s = x[0] * x[1]
    s = s * s * np.sin(s)
    s = np.cos(s) * s
    x = x * s
    x = x * np.sum(x)
    return np.sum(x)


@right
def set_before_a_loop_that_reads_it(x):
    s = x[0]
    for v in x:
        s = s * v
    s = s**3
    y = [s * v for v in x]
    s = np.tanh(s)
    return s * sum(y)


@right
def read_on_either_side_of_a_branch(x):
    s = x[0] * 2
    if x[1] > 0.2:
        t = s * x[1]
        s = s**2 * t
        if x[2] > 0.2:
            s = np.sin(s)
    return s * x[3]


@pytest.mark.parametrize("f", FUNCTIONS, ids=named)
def test_gradients(f) -> None:
    check_along(f, X, ALONG)


def test_text() -> None:
    text = grad(in_a_helper).source(X)
    assert "x = x_old" not in text and "x, = saved" in text
    assert "s = s_old" not in grad(on_one_way).source(X)
