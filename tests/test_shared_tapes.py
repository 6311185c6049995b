"""Tapes of one variable that are emptied in turn are one tape, and those of one trip, where second names do."""

from __future__ import annotations

import re

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

from tangentish import grad

FUNCTIONS = []
right = kept_in(FUNCTIONS)
X = np.array([0.7, -0.4, 0.9, 0.55])
ALONG = np.array([0.3, -0.7, 0.5, 0.2])


@right
def rows_of_one_array(x):
    a = np.outer(x, np.cos(x)) + np.eye(4)
    for k in range(3):
        a[k] = a[k] / a[k, k]
        a[k + 1] = a[k + 1] * a[k]
        a[k - 1] = a[k - 1] * np.sin(a[k])
    return np.sum(a)


@right
def on_both_ways(x):
    s = 0.0
    for k in range(4):
        if x[k] > 0:
            x = np.tanh(x * x[k])
        else:
            x = x * x[k]
        s = s + x[k] * x[0]
    return s


@right
def on_ways_of_loops_in_loops(x):
    x = x.copy()
    for i in range(3):
        x[i] = x[i] * x[i + 1]
        j = i
        while j > 0:
            if x[j] > 0.1:
                x[j] = np.sin(x[j]) * x[j - 1]
            x[j - 1] = x[j] * x[j - 1]
            j = j - 1
        if x[i] < 0.3:
            x[i + 1] = x[i] ** 2 + x[i + 1] ** 2
    return np.sum(x**2)


@right
def places_and_rows_of_one_array(x):
    a = np.outer(x, np.cos(x))
    for k in range(3):
        a[k, k] = a[k, k] ** 2
        a[k + 1] = a[k + 1] * a[k, k]
        a[k] = a[k] * a[k + 1]
    return np.sum(a)


@right
def read_before_it_comes_back(x):
    a, v = np.outer(x, np.cos(x)) + np.eye(4), x
    for _ in range(3):
        w = a @ v
        v = w / np.linalg.norm(w)
    return v @ a @ v


@right
def bound_anew_before_others_are_set(x):
    h, c = np.ones(4), x
    for k in range(3):
        z = h * x + k
        c = np.sin(z) * c + np.tanh(z)
        h = np.exp(-z) * np.tanh(c)
    return h @ c


@right
def each_before_the_next(x):
    a, b, c, d = x
    for _ in range(3):
        a = a * b + c
        b = b * a - d
        c = c * b * a
        d = d * c + a
    return a + b * c * d


@pytest.mark.parametrize("f", FUNCTIONS, ids=named)
def test_gradients(f) -> None:
    check_along(f, X, ALONG)


@pytest.mark.parametrize(
    ("f", "tapes"),
    [(rows_of_one_array, ["a_tape"]), (on_both_ways, ["x_tape"]),
     (places_and_rows_of_one_array, ["a_tape", "a_tape_1"])],
)  # fmt: skip
def test_tapes(f, tapes) -> None:
    text = grad(f).source(X)
    assert re.findall(r"([ax]_tape\w*) = \[\]", text) == tapes, text


@pytest.mark.parametrize("f", FUNCTIONS[-3:], ids=named)
def test_second_names_make_one_tape(f) -> None:
    text = grad(f).source(X)
    assert text.count(" = []") == 1, text
