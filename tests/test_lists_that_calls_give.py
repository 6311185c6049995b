"""Lists that calls give where it is not known how long a list is: beside those of another length, and where they grow."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, check_along, each_refused, kept_in, named, refused_in

functions: list[Function] = []
program = kept_in(functions)
refusals: list[tuple[Function, str]] = []
refused = refused_in(refusals)


def _three(x):
    return [x[0] ** 2, x[1] * x[2], 2.0]


def _two(x):
    return [x[0] * x[1], x[2]]


def _pair(x):
    return x[0] * x[1], x[2] ** 2


def _all(x):
    return tuple(v * x[0] for v in x)


def _weighed(ys, x):
    return sum(y * v for y, v in zip(ys, x)) * len(ys) + ys[-1] ** 2


@program
def beside_a_comprehension(x):
    if len(x) == 3:
        ys = _three(x)
    else:
        ys = [v**2 for v in x]
    return _weighed(ys, x)


@program
def beside_one_of_another_length(x):
    ys = _three(x) if x[0] > 0 else _two(x)
    return _weighed(ys, x)


def _coefficients(x):
    return [x[0], 1 - x[1]], [1 + x[0], x[2]]


@program
def unpacked(x):
    b, a = _coefficients(x)
    b = [v / a[0] for v in b]
    a = [v / a[0] for v in a]
    return b[1] * a[1] + b[0]


@program
def unpacked_and_changed(x):
    b, a = _coefficients(x)
    for k, v in enumerate(a):
        a[k] = v * b[0] * x[1]
    a.append(b[1])
    return sum(v**2 for v in a)


def _chosen(x):
    n = len(x)
    ys = [0.0] * n
    for i in range(n):
        ys[i] = x[i] - 1.0
    if n == 3 and x[0] > 0:
        return _three(ys)
    elif n == 3:
        return _two(ys)
    return ys


@program
def returned_by_calls(x):
    return _weighed(_chosen(x), x)


@program
def one_that_grows(x):
    ys = _three(x)
    for v in x:
        ys.append(v * ys[-1])
    return _weighed(ys, x)


@program
def one_that_is_stored_to(x):
    ys = _three(x)
    for i in range(len(ys)):
        ys[i] = ys[i - 1] * x[i]
    return _weighed(ys, x)


@program
def under_two_names(x):
    ys = _three(x)
    zs = ys
    for v in x:
        zs.append(v**2)
    ys[0] = ys[3] * zs[1]
    return _weighed(zs, x)


@program
def one_in_a_loop(x):
    ys = [x[0]]
    for _ in range(3):
        ys = _two([ys[0], x[1], ys[-1]])
    return _weighed(ys, x)


class _Cell:
    def __init__(self, k):
        self.k = k

    def values(self, x):
        return [x[0] * self.k, x[2]]


@program
def of_a_method(x):
    cell = _Cell(x[1] * 2)
    ys = cell.values(x)
    for v in x:
        ys.append(v * ys[-1])
    return _weighed(ys if x[0] > 0 else [v for v in x], x)


@program
def of_a_function_inside(x):
    def two(k):
        return [x[0] * k, x[1]]

    ys = two(3.0)
    if x[0] > 0:
        ys = [v**2 for v in x]
    return _weighed(ys, x)


@refused("it is not known which list this is")
def tuples(x):
    ys = _pair(x) if x[0] > 0 else _all(x)
    return _weighed(ys, x)


def _kept(x, seen):
    ys = [x[0] ** 2, x[1]]
    seen.append(ys)
    return ys


@refused("it is not known which list this is")
def one_that_is_kept_elsewhere(x):
    seen = []
    ys = _kept(x, seen)
    ys[0] = ys[0] * x[2]
    return _weighed(ys, x) * seen[0][0]


@refused("it is not known which list this is")
def called_with_stars(x):
    parts = (x,)
    ys = _three(*parts)
    for v in x:
        ys.append(v * ys[-1])
    return _weighed(ys, x)


@pytest.mark.parametrize("function", functions, ids=named)
def test_lists_that_calls_give(function: Function) -> None:
    x_dot = np.array([0.3, -1.1, 0.7])
    for x in (np.array([0.6, 0.4, 0.9]), np.array([-0.6, 0.4, 1.3])):
        check_along(function, x, x_dot)


test_refused = each_refused(refusals, np.array([0.6, 0.4, 0.9]))
