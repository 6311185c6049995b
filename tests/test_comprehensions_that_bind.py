"""Assignment expressions in comprehensions bind names of the function: right in every mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
X, X_DOT = np.array([0.7, 1.3, -0.4, 2.1]), np.array([1.0, -2.0, 0.5, 0.3])


@kept_in(RIGHT)
def the_squares_above_one(x):
    return sum(y for v in x if (y := v * v) > 1.0) * y


@kept_in(RIGHT)
def products_of_two(x):
    return sum([y * w for v in x for w in x[:2] if (y := v * w) > 0.1])


@kept_in(RIGHT)
def bound_in_the_element(x):
    return max((y := v**2) * y for v in x)


@kept_in(RIGHT)
def its_variable_is_its_own(x):
    v = x[1] * 3
    t = [(y := np.sin(v)) * y for v in x]
    return sum(t) * v + y


@kept_in(RIGHT)
def from_one_item_to_the_next(x):
    total = 1.0
    totals = [total := total * v + v * v for v in x]
    return totals[-1] * totals[1]


@kept_in(RIGHT)
def in_a_test(x):
    while sum(y for v in x if (y := v * v) > 1.0) > 2.0:
        x = x * 0.7
    return x.sum() + y


@kept_in(RIGHT)
def of_no_items(x):
    y = x[0]
    s = sum([y for v in x[4:] if (y := v * v) > 0])
    return (s + 1.0) * y * x[1]


@refused_in(REFUSED)("an assignment expression is not supported here")
def one_that_may_end_before(x):
    return any((w := v) > 1.0 for v in x) * w


@refused_in(REFUSED)("an assignment expression is not supported here")
def the_start_is_read_before(x):
    y = x[0]
    return sum(((y := v * v) for v in x), y)


@refused_in(REFUSED)("an assignment expression is not supported here")
def the_default_is_read_before(x):
    y = x[0]
    return max(((y := v * v) for v in x), default=y) * y


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)
