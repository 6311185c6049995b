"""Lines that store to an array without a derivative, and call what writes to it as well; arrays that dicts run over hold."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, check_along, kept_in, named

from tangentish import grad, vjp

X = np.array([0.7, 0.4, 0.9, 0.55])
V = np.array([0.3, -0.2, 0.5, 0.1])

PROGRAMS: list[Function] = []
program = kept_in(PROGRAMS)


def weights():
    return np.array([1.0, 3.0, 2.0, 4.0])


def grown(a):
    a[0] = a[0] * 2 + a[-1]
    return a


def doubled(a):
    a[0] = a[0] * 2 + a[-1]
    return 1.5


@program
def stored_of_what_changed_it(x):
    w = weights()
    s = np.sum(x * w) ** 2
    w[1:] = grown(w)[:1] * w[0]
    return s * np.sum(x * w)


@program
def added_of_what_changed_it(x):
    w = weights()
    s = np.sum(x * w) ** 2
    w[1] += doubled(w)
    return s * np.sum(x * w)


@program
def stored_at_a_place_that_a_call_gives(x):
    w = weights()
    s = np.sum(x * w) ** 2
    w[int(doubled(w))] += 7.0
    return s * np.sum(x * w)


@program
def another_is_changed_besides(x):
    w, u = weights(), weights()
    s = np.sum(x * w) ** 2 + np.sum(x * u) ** 2
    u[1] = doubled(w) + doubled(u)
    return s * np.sum(x * w) * np.sum(x * u)


@program
def on_each_trip(x):
    w = weights()
    s = np.sum(x * w) ** 2
    for k in range(3):
        w[k:] *= grown(w)[:1] * 0.1
        s = s + np.sum(x * w) ** 2
    for _ in range(0):
        w[1:] = grown(w)[:1]
    return s * np.sum(x * w)


@program
def raised_after_the_call(x):
    w = weights()
    s = np.sum(x * w) ** 2
    try:
        w[1:] = grown(w)[:2] * w[0]
    except ValueError:
        s = s * 2
    return s * np.sum(x * w)


@program
def elements_of_a_dict_changed(x):
    w = weights()
    s = np.sum(x * w) ** 2
    for factor, u in {2.0: w, 3.0: w}.items():
        s = s + np.sum(x * w) ** 2
        u[0] *= factor
    return s * np.sum(x * w)


@pytest.mark.parametrize("function", PROGRAMS, ids=named)
def test_in_every_mode(function):
    check_along(function, X, V)


def run_over_values(x, w):
    s = np.sum(x * w)
    table = {1: w}
    for u in table.values():
        u[0] = 9.0
    return s


def run_over_those_of_an_argument(x, table):
    s = np.sum(x * table["w"])
    for _, u in table.items():
        u *= 9.0
    return s * np.sum(x * table["w"])


def test_array_given_that_a_dict_holds():
    w = weights()
    assert np.array_equal(grad(run_over_values)(X, w), weights())
    assert np.array_equal(vjp(run_over_values, X, w)[1](1.0)[0], weights())
    assert np.array_equal(w, weights())


def test_arrays_of_a_dict_given():
    table = {"w": weights()}
    found = grad(run_over_those_of_an_argument)(X, table)
    assert np.allclose(found, 18 * (X @ weights()) * weights())
    assert np.array_equal(table["w"], weights())
