"""`a, *rest = f(x)`: what a call gives, some of it in a list."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in

from tangentish import NotDifferentiable, grad

FUNCTIONS: list[Callable[..., Any]] = []
starred = kept_in(FUNCTIONS)


def three(x):
    return x[0] * x[1], x * 2, np.sin(x)


@starred
def first_result_of_a_rule(x):
    A = np.outer(x, x) + np.eye(3)
    y, *_ = np.linalg.lstsq(A, x, rcond=None)
    return np.sum(y**2)


@starred
def read_by_places(x):
    a, *b = three(x)
    return a * np.sum(b[0] * b[1])


@starred
def kept_as_a_list(x):
    *a, b = np.linalg.slogdet(np.outer(x, x) + np.eye(3))
    total = b
    for v in a:
        total = total + v * x[0]
    return total


@starred
def nothing_in_the_list(x):
    a, b, *c, d = three(x)
    return a * np.sum(b * d) + len(c)


@starred
def one_name_twice(x):
    a, *_, _ = three(x)
    return a * np.sum(_)


@starred
def in_a_loop_and_nested(x):
    total = 0.0
    for k in range(3):
        (a, *b), c = three(x * (k + 1)), x[k]
        total += a * c * np.sum(b[1])
    return total


@starred
def of_either_call(x):
    a, *b = three(x) if x[0] > 0 else three(x * 2)
    return a + b[0] @ b[1]


test_starred_targets = each_right(FUNCTIONS, np.array([0.3, 0.4, 0.5]), np.array([0.3, -0.2, 0.5]))


def test_the_targets_of_the_line_are_the_targets_of_the_call() -> None:
    lines = grad(read_by_places).source(np.ones(3))
    assert "(a, b_0, b_1), three_saved = three_forward(x)" in lines


def put_in_order_in_a_loop(x):
    *m, a = [x[0], x[1] * 2, x[2]]
    for _ in range(2):
        m.sort()
    return m[0] * x[1] + a


def test_sorted_in_a_loop() -> None:
    with pytest.raises(NotDifferentiable, match="no name of its own here"):
        grad(put_in_order_in_a_loop)(np.array([0.3, 0.4, 0.5]))
