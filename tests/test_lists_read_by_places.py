"""Helpers that read places of a list: their adjoints add to its gradient where a loop calls them, as for arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []


def cost(points, i):
    return (points[i + 1] - points[i]) ** 2


def span(points, i):
    return np.sum((points[i + 1] - points[i]) ** 2)


def both(us, vs, i):
    return us[i] * vs[i - 1]


def through(points, i):
    return cost(points, i) * points[i]


def entry(table, i, j):
    return table[i][j]


def tail(points, i):
    return sum(points[i:]) * points[0]


def total(points):
    s = 0.0
    for p in points:
        s += p**2
    return s


def even(points, i):
    return points[0] if i <= 0 else points[i] * odd(points, i - 1)


def odd(points, i):
    return total(points) if i <= 0 else points[i] + even(points, i - 1)


def set_next(points, i):
    points[i] = points[i - 1] * points[i] + points[0]


def pick(u, i):
    return u[i]


class Path:
    def __init__(self, xs):
        self.xs = xs

    def at(self, i):
        return self.xs[i] ** 2

    def pair(self, i):
        return self.at(i) * self.at(i + 1)


def numbers(x):
    return [v * v for v in x]


@kept_in(FUNCTIONS)
def of_numbers(x):
    points = numbers(x)
    s = 0.0
    for i in range(3):
        s += cost(points, i) * x[i]
    return s


@kept_in(FUNCTIONS)
def of_arrays(x):
    points = [x * k for k in range(4)]
    s = 0.0
    for i in range(3):
        s += span(points, i) * x[i]
    return s


@kept_in(FUNCTIONS)
def one_list_for_two(x):
    points = numbers(x)
    s = 0.0
    for i in range(3):
        s += both(points, points, i)
    return s


@kept_in(FUNCTIONS)
def handed_on(x):
    points = numbers(x)
    s = 0.0
    for i in range(3):
        s += through(points, i) ** 2
    return s


@kept_in(FUNCTIONS)
def two_indices(x):
    table = [[v * k for v in x] for k in range(3)]
    s = 0.0
    for i in range(3):
        for j in range(4):
            s += entry(table, i, j) * pick(table[i], j)
    return s


@kept_in(FUNCTIONS)
def rows_that_are_arrays(x):
    table = [x * k for k in range(3)]
    s = 0.0
    for i in range(3):
        for j in range(4):
            s += entry(table, i, j) * pick(table[i], j) * pick(table[-1], j)
    return s


@kept_in(FUNCTIONS)
def slices_of_lists(x):
    points = numbers(x)
    s = 0.0
    for i in range(3):
        s += tail(points, i) * pick(points[1:], i)
    return s


@kept_in(FUNCTIONS)
def that_call_each_other(x):
    points = numbers(x)
    s = 0.0
    for i in range(4):
        s += even(points, i) + odd(points, i)
    return s


@kept_in(FUNCTIONS)
def written_between(x):
    points = numbers(x)
    s = 0.0
    for i in range(1, 4):
        s += pick(points, i) ** 2
        set_next(points, i)
        points[0] = pick(points, i) * 0.5
    return s + points[0]


@kept_in(FUNCTIONS)
def that_grows(x):
    points = [x[0]]
    for i in range(3):
        points.append(pick(points, i) * x[i + 1] + pick(points, -1) ** 2)
    return sum(points)


@kept_in(FUNCTIONS)
def that_shrinks(x):
    points = numbers(x)
    s = x[0]
    for _ in range(3):
        s += pick(points, -1) * pick(points, 0)
        s *= points.pop()
    return s


@kept_in(FUNCTIONS)
def bound_to_another(x):
    points = numbers(x)
    s = 0.0
    for i in range(3):
        s += cost(points, i)
        points = [pick(points, j) * 1.5 for j in range(4)]
    return s + pick(points, 0)


@kept_in(FUNCTIONS)
def exchanged(x):
    a, b = numbers(x), list(x)
    s = 0.0
    for i in range(1, 4):
        s += both(a, b, i)
        a, b = b, a
    return s


@kept_in(FUNCTIONS)
def no_trips(x):
    points = numbers(x)
    s = 0.0
    for i in range(0):
        s += cost(points, i)
    return s + points[1]


@kept_in(FUNCTIONS)
def in_a_branch(x):
    points = numbers(x)
    s = 0.0
    for i in range(3):
        if x[i] > 0.5:
            s += cost(points, i)
        elif i > 5:
            return pick(points, i)
    return s


@kept_in(FUNCTIONS)
def of_an_object(x):
    path = Path(numbers(x))
    s = 0.0
    for i in range(3):
        s += path.pair(i)
    return s


@kept_in(FUNCTIONS)
def entries_of_a_dict(x):
    d = {}
    for k in "ab":
        d[k] = numbers(x)
    s = 0.0
    for k in "aba":
        for i in range(3):
            s += cost(d[k], i) * pick(d["b"], i)
    return s


@kept_in(FUNCTIONS)
def the_same_array_twice(x):
    y = x * 2
    points = [y, y, x]
    s = 0.0
    for i in range(2):
        s += span(points, i) + np.sum(pick(points, i) * pick(points, 0))
    return s + y @ x


@kept_in(FUNCTIONS)
def complex_beside_real(x):
    points = numbers(x)
    s = 0j
    for i in range(3):
        s += pick(points, i) * (1j + pick(points, i + 1))
    return abs(s)


@kept_in(FUNCTIONS)
def of_slices_of_arrays(x):
    s = 0.0
    for i in range(3):
        s += pick(x[1:], i) ** 2 * pick(x[::-1], i) * pick(np.outer(x, x)[1], i)
    return s


@kept_in(FUNCTIONS)
def other_arrays_stored(x):
    points = [x * k for k in range(4)]
    s = 0.0
    for i in range(3):
        s += span(points, i)
        points[i] = np.sin(points[i + 1]) * s
        s += np.sum(pick(points, i) * pick(points, i + 1))
    return s + points[0] @ x


@kept_in(FUNCTIONS)
def other_rows_stored(x):
    table = [[v * 2 for v in x] for k in range(3)]
    s = 0.0
    for i in range(3):
        s += pick(table[i], i) * entry(table, i, i)
        table[i] = [s * v for v in x]
        s += pick(table[i], i) * entry(table, i, i)
        table[i][1] = s
    return s + entry(table, 0, 1)


@kept_in(FUNCTIONS)
def given_back_and_put_in(x):
    points = [x, x * 2]
    points.append(points[0])
    s = 0.0
    for i in range(2):
        s += span(points, i) * np.sum(pick(points, i))
        points.append(pick(points, i))
    return s + np.sum(points[-1])


@kept_in(FUNCTIONS)
def rows_at_places_and_columns(x):
    m, k = np.outer(x, x), [0, 2]
    s = 0.0
    for i in range(2):
        s += pick(m[k], i) @ x + pick(m[i][::2], 1) * pick(m[:, i], 2) + pick(m[k, 1], i)
    return s


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_gradients_of_lists_given_to_helpers(function: Callable[..., Any]) -> None:
    x = np.array([0.7, 0.4, 0.9, 0.55])
    check_along(function, x, np.array([0.3, -1.0, 0.5, 0.2]))


def length(points):
    s = 0.0
    for i in range(len(points) - 1):
        s += cost(points, i)
    return s


def test_no_zeros_for_a_call() -> None:
    text = grad(length).source([0.3, 0.4, 0.9])
    assert text.count("[0.0] * ") == 1
    assert "dpoints = cost_adjoint(cost_saved, ds, dpoints)" in text


def along_itself(points, i):
    return points[0] if i == 0 else points[i] * from_all(points, i - 1)


def from_all(points, i):
    return sum(points) if i == 0 else along_itself(points, i - 1)


def both_of_them(points):
    s = 0.0
    for i in range(3):
        s += along_itself(points, i)
    return s


def test_what_another_reads_whole_is_not_read_by_places() -> None:
    """Of functions that call each other none reads places only where one does not."""
    assert "dpoints = along_itself_adjoint" not in grad(both_of_them).source([0.3, 0.4, 0.9])
    assert grad(both_of_them)([0.3, 0.4, 0.9]) == pytest.approx([2.3, 2.0, 0.7])


def looked_at(x):
    s = 0.0
    for i in range(len(x) - 1):
        s += pick(x[1:], i) ** 2
    return s


def test_a_view_is_not_put_back() -> None:
    """What the adjoint adds to a view of a gradient is in that gradient."""
    text = grad(looked_at).source(np.ones(3))
    assert "\n        pick_adjoint(" in text
