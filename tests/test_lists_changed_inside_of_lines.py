"""Methods that change a list stand in the middle of a line: what is read before and after is as it was then."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, check_along, kept_in, named

X = np.array([0.7, 0.4, 0.9, 0.55])
V = np.array([0.3, -0.2, 0.5, 0.1])

PROGRAMS: list[Function] = []
program = kept_in(PROGRAMS)


@program
def read_before_and_after(x):
    xs = [x[1] * 1, x[0] * 2]
    return xs[-1] * (xs.append(x[1] * 5) or xs[-1])


@program
def asked_in_a_choice(x):
    xs = [x[1] * 1, x[0] * 2]
    return xs[-1] * (x[2] if xs.append(x[1] * 5) else xs[-1])


@program
def length_before(x):
    xs = [x[1] * 1, x[0] * 2]
    return len(xs) * (xs.append(x[1] * 5) or xs[-1])


@program
def list_of_constants(x):
    xs = [1.0, 2.0]
    z = x[0] * xs[-1] * (xs.append(5) or xs[-1])
    y = x[1] * xs[0] * (xs.reverse() or xs[0]) * (xs.insert(0, 7.0) or xs[1])
    return z * y * xs[0] * len(xs) * (xs.clear() or 1.0)


@program
def every_method(x):
    xs = [x[0], x[1], x[2]]
    z = xs[0] * (xs.reverse() or xs[0])
    y = xs[0] * (xs.extend([x[3], x[1]]) or xs[-1])
    w = xs[1] * (xs.insert(0, x[3]) or xs[1])
    return z * y * w * len(xs) * (xs.clear() or 1.0) * (len(xs) + 1)


@program
def argument_of_a_call(x):
    xs = [x[0], 2.0]

    def product(a, b):
        return a * b * b

    return product(xs[-1], xs.append(x[1]) or xs[-1])


@program
def in_a_lambda(x):
    xs = [x[0]]
    put = lambda v: xs.append(v) or xs[-1] * xs[0]  # noqa: E731
    return put(x[1]) * put(x[2]) * len(xs)


@program
def on_each_trip(x):
    xs = []
    s = 0.0
    for k in range(4):
        s = s * x[k] + x[k] * (xs.append(x[k] * s + k) or xs[-1]) + len(xs)
    for _ in range(0):
        s += xs[0] * (xs.append(s) or 1.0)
    return s * xs[-1]


@program
def list_that_a_dict_holds(x):
    xs = [x[0]]
    table = {"a": xs}
    z = table["a"][-1] * (xs.append(x[1]) or table["a"][-1])
    return z * len(table["a"])


@program
def list_of_arrays(x):
    xs = [x * 1]
    z = xs[-1] * (xs.append(x * x) or xs[-1])
    return np.sum(z) * len(xs)


@pytest.mark.parametrize("function", PROGRAMS, ids=named)
def test_in_every_mode(function):
    check_along(function, X, V)
