"""The largest and the smallest of a list that has other uses: their gradients are added at one place of its own."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, check_along, each_right, kept_in, named

from tangentish import grad

AT_ONE_PLACE: list[Function] = []
FUNCTIONS: list[Function] = []
kept, placed = kept_in(FUNCTIONS), kept_in(AT_ONE_PLACE)
X, X_DOT = np.array([1.3, 0.7, 2.1, 0.4]), np.array([0.3, -0.7, 1.1, 0.2])


def history(x, n):
    y, seen = x[0], []
    for k in range(n):
        y = y + 0.1 * (x[1] - y * y) * np.sin(k)
        seen.append(y)
    return seen


@placed
def peak_and_mean(x):
    y, seen = x[0], []
    for k in range(9):
        y = y + 0.3 * (x[1] - y * y) * np.sin(k)
        seen.append(y)
    return np.log(np.array(seen)).mean() + x[2] * max(seen)


@placed
def from_peak_to_peak(x):
    seen = []
    for k in range(6):
        seen.append(x[k % 4] * np.sin(k + x[3]))
    return (max(seen) - min(seen)) * sum(seen)


@placed
def in_a_loop(x):
    seen, s = [], 0.0
    for k in range(5):
        seen.append(x[k % 4] * (k + 1) * x[0])
        s += max(seen) * seen[0]
    return s * seen[-1]


@kept
def of_the_peak_alone(x):
    return max(history(x, 7)) * x[2]


@kept
def of_what_a_helper_gives(x):
    seen = history(x, 7)
    return max(seen) * sum(seen) + min(seen) ** 2


@kept
def of_two_names(x):
    seen = [v * x[0] for v in x]
    same = seen
    same.append(x[1] ** 3)
    return max(seen) * sum(same) + max(same) * seen[1]


@kept
def of_a_part(x):
    seen = [v * x[0] for v in x]
    return max(seen[1:]) * sum(seen) + seen[2]


@kept
def changed_afterwards(x):
    seen = [v * x[0] for v in x]
    m = max(seen)
    seen[2] = x[3] ** 2
    return m * sum(seen) + max(seen)


@kept
def of_rows(x):
    rows = [[v * x[0], v**2, x[1]] for v in x]
    return sum(max(row) * row[0] for row in rows)


@pytest.mark.parametrize("function", AT_ONE_PLACE, ids=named)
def test_at_one_place(function: Function) -> None:
    check_along(function, X, X_DOT)
    assert "for k in range(len(" not in grad(function).source(X)
    assert "added(" not in grad(function).source(X)


test_every_mode = each_right(FUNCTIONS, X, X_DOT)


def test_of_a_list_that_is_given() -> None:
    def f(values):
        return max(values) * sum(values)

    values = [1.0, 3.0, 2.0, 3.0]
    assert grad(f)(values) == [3.0, 12.0, 3.0, 3.0]
    assert values == [1.0, 3.0, 2.0, 3.0]
