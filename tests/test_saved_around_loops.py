"""What the trips of a loop change, and the way back reads only as it was before the loop, is saved once, not on each trip."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, each_right, kept_in, named

from tangentish import grad

AROUND: list[Function] = []
OTHERS: list[Function] = []
around, otherwise = kept_in(AROUND), kept_in(OTHERS)
X = np.array([0.7, -0.4, 0.9])
ALONG = np.array([0.3, -0.7, 0.5])


@around
def bound_anew(x):
    v = x * 0.5
    s = np.sum(v**2)
    for k in range(3):
        v = v + x * k
    return s * np.sum(v)


@around
def updated_in_place(x):
    v = x * 0.5
    s = np.sum(v**2)
    for k in range(3):
        v += x * k
    return s * np.sum(v)


@around
def counted_by_while(x):
    v, k = np.sin(x[0]), 0
    s = v**3
    while k < 4:
        v = v - x[1]
        v = v + k * x[2]
        k += 1
    return s * v


@around
def in_two_loops(x):
    v = x * 0.5
    s = np.sum(v**2)
    for k in range(3):
        v = v + x * k
    for k in range(3):
        v = v - x**2 * k
    return s * np.sum(v)


@around
def on_no_trip(x):
    v = x * 0.5
    s = np.sum(v**2)
    for k in range(len(x) - 3):
        v = v + x * k
    return s * np.sum(v)


@otherwise
def read_on_one_way(x):
    v = x * 0.5
    s = np.sum(v**2)
    for k in range(3):
        if k == 1:
            s = s * np.sum(v**2)
        v = v + x * k
    return s * np.sum(v)


@otherwise
def in_a_loop_in_a_loop(x):
    v, s = x * 0.5, 1.0
    for k in range(2):
        s = s * np.sum(v**2)
        for _ in range(2):
            v = v + x * k
    return s * np.sum(v)


@otherwise
def bound_by_the_loop(x):
    v = x[0]
    s = v**2
    for v in x[1:]:
        s = s + x[0]
    return s * v


@otherwise
def changed_by_another_name(x):
    v = x * 0.5
    w = v
    s = np.sum(v**2)
    for k in range(3):
        w[k] = x[k] * w[k - 1]
        v = v + x
    return s * np.sum(w) * np.sum(v)


@otherwise
def first_bound_in_it(x):
    s = 1.0
    for k in range(3):
        if k:
            s = s * v  # noqa: F821
        v = x[k] * s
    return s * v


test_every_mode = each_right([*AROUND, *OTHERS], X, ALONG)


@pytest.mark.parametrize("function", AROUND, ids=named)
def test_text(function: Function) -> None:
    text = grad(function).source(X)
    assert "v_tape" not in text and "v_old_1" not in text
