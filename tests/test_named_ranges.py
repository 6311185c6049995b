"""Ranges that have names, `cells = range(len(x))`: loops and comprehensions over them know that they get integers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from every_mode import Function, check_along, kept_in, named

functions: list[Function] = []
program = kept_in(functions)

PLACES = range(3)


@program
def run_over_twice(x):
    cells = range(len(x))
    s = 0.0
    for i in cells:
        t = 0.0
        for j in cells:
            t += x[i] * x[j] ** 2
        s += t * x[i]
    return s


@program
def over_lists(x):
    n = len(x)
    cells = range(n)
    ys = [v**2 for v in x]
    zs = [ys[i] * x[i - 1] for i in cells]
    grid = [[ys[i] * zs[j] for j in cells] for i in cells]
    return sum(grid[i][j] * (i + 2 * j + 1) for i in cells for j in cells)


@program
def bound_anew_after_the_loop(x):
    cells = range(1, 3)
    s = 1.0
    for i in cells:
        s = s * x[i] + x[0]
    cells = range(2)
    for i in cells:
        s = s * x[i]
    return s


@program
def bound_anew_on_each_trip(x):
    s = 1.0
    for k in range(3):
        places = range(k, 3)
        for i in places:
            s = s * x[i] + x[k]
    return s


@program
def bound_anew_while_it_is_run_over(x):
    places = range(3)
    s = 1.0
    for i in places:
        places = range(i)
        for j in places:
            s = s * x[j] + x[i]
    return s


@program
def ends_that_change(x):
    n = len(x)
    places = range(n)
    s = 1.0
    for i in places:
        n = n - 1
        s = s * x[i] + x[n]
    return s


@program
def left_early(x):
    places = range(len(x))
    s = 1.0
    for i in places:
        s = s * x[i] + x[0]
        if s > 0.5:
            break
    return s * i + s**2


@program
def left_by_return(x):
    places = range(len(x))
    s = 1.0
    for i in places:
        s = s * x[i] + x[0]
        if i == 1:
            return s
    return s**2


@program
def of_no_trips(x):
    places = range(0)
    s = x[0] ** 2
    for i in places:
        s = s * x[i]
    return s


@program
def one_of_two(x):
    if x[0] > 0:
        places = range(len(x))
    else:
        places = range(len(x) - 1, -1, -1)
    s = 1.0
    for i in places:
        s = s * x[i] + x[0]
    return s


@program
def backwards(x):
    places = range(len(x))
    s = 1.0
    for i in reversed(places):
        s = s * x[i] + x[0]
    for i in places[::-1]:
        s = s * x[i] + x[1]
    for i in places[1:]:
        s = s * x[i - 1]
    return s


@program
def beside_others(x):
    places = range(len(x))
    s = 1.0
    for i, v in zip(places, x):
        s = s * v + x[i]
    for k, i in enumerate(places):
        s = s * x[i] + k
    for i, j in itertools.combinations(places, 2):
        s = s * x[i] + x[j]
    for i, j in itertools.product(places, places[:2]):
        s += x[i] * x[j] ** 2
    return s


@program
def made_lists_of(x):
    places = range(len(x))
    order = list(places)
    order[0], order[2] = order[2], order[0]
    s = 1.0
    for i in order:
        s = s * x[i] + x[0]
    return s


def _along(x, places, s=1.0):
    for i in places:
        s = s * x[i] + x[0]
    return s


@program
def handed_on(x):
    places = range(len(x))
    return _along(x, places) * _along(x, range(2), s=x[1]) + _along(x, places[1:])


@program
def of_the_module(x):
    s = 1.0
    for i in PLACES:
        s = s * x[i] + x[0]
    return s * sum(x[i] ** 2 for i in PLACES)


@program
def read_inside(x):
    places = range(len(x))

    def total(k):
        return sum(x[i] ** k for i in places)

    return total(2) * total(3)


@program
def their_items(x):
    places = range(0, len(x), 2)
    return x[places[0]] ** 2 * x[places[-1]] * len(places) * places.stop


@program
def a_range_or_a_list(x):
    places = [2, 0]
    if x[0] > 9:
        places = range(len(x))
    s = 1.0
    for i in places:
        s = s * x[i] + x[0]
    return s


@pytest.mark.parametrize("function", functions, ids=named)
def test_named_ranges(function: Function) -> None:
    x_dot = np.array([0.3, -1.1, 0.7])
    for x in (np.array([0.6, 0.4, 0.9]), np.array([-0.6, 0.4, 1.3])):
        check_along(function, x, x_dot)
