"""`sorted` of numbers that carry no derivative gives a list of numbers, which may change as any list of the function."""

import itertools
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in

from tangentish import grad

FUNCTIONS: list[Any] = []
X = np.array([1.3, 0.7])
X_DOT = np.array([0.4, -0.9])
NUMBERS = (2.0, 1.5)
CAPACITIES = {"H1": 2.0, "C1": 1.7, "C2": 2.2}


@kept_in(FUNCTIONS)
def smaller_and_larger_for_a_dict_of_computed_keys(x):
    streams = {"H1": 150.0, "C1": 20.0, "C2": 35.0}
    duty = 0.0
    for (h, c), area in zip([("H1", "C1"), ("H1", "C2")], x):
        cmin, cmax = sorted((CAPACITIES[h], CAPACITIES[c]))
        q = (1 - np.exp(-area * cmin / cmax)) * cmin * (streams[h] - streams[c])
        streams[h] -= q / CAPACITIES[h]
        streams[c] += q / CAPACITIES[c]
        duty += q
    return duty


@kept_in(FUNCTIONS)
def stored_to(x):
    s = sorted(NUMBERS)
    s[0] = x[0] * s[1]
    return s[0] * s[1] + x[1] ** 2


@kept_in(FUNCTIONS)
def grown(x):
    s = sorted((3.0, 1.0, 2))
    s.append(x[0])
    return s[-1] ** 2 * s[0] * s[1] * x[1]


@kept_in(FUNCTIONS)
def turned_round_in_a_loop(x):
    s = sorted(NUMBERS)
    y = x[0] * x[1]
    for _ in range(3):
        y = y * s[0] + y**2 / 10
        s.append(s.pop(0))
    return y


@kept_in(FUNCTIONS)
def changed_after_it_was_read(x):
    s = sorted(NUMBERS, reverse=True)
    t = s
    y = x[0]
    for k in range(2):
        y = y * s[k] + y**2 * x[1]
        t[k] = 5.0
    return y * s[0]


@kept_in(FUNCTIONS)
def put_in_order_again(x):
    s = sorted(NUMBERS)
    y = x[0] ** s[0]
    s.sort(reverse=True)
    return y * x[1] ** s[0]


@kept_in(FUNCTIONS)
def indices(x):
    i, j = sorted((1, 0))
    return x[i] ** 2 * x[j]


@kept_in(FUNCTIONS)
def integers_and_floats(x):
    s = sorted((1.5, 2, 4.0))
    return x[0] ** s[1] * np.sum(np.array(s) * x[1]) + np.median(s) * x[0]


@kept_in(FUNCTIONS)
def added_and_spread(x):
    s = sorted(NUMBERS) + [x[0]]
    *rest, last = s
    return sum(v * x[1] for v in rest) * last**2


test_sorted_numbers = each_right(FUNCTIONS, X, X_DOT)


def test_they_are_numbers_to_the_text() -> None:
    def f(x, c, d):
        low, high = sorted((c, d))
        return x * low / high

    for c, d in itertools.permutations((2.0, 3.0)):
        assert grad(f)(1.0, c, d) == pytest.approx(2 / 3)
    assert "plain" not in grad(f).source(1.0, 2.0, 3.0)
