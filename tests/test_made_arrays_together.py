"""Arguments that are made arrays on one line, `x, y, n = map(np.asarray, (x, y, n))`, whatever each of them is."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, each_right, kept_in

from tangentish import grad

functions: list[Function] = []
program = kept_in(functions)


def _mapped(s, t, n):
    s, t, n = list(map(np.asanyarray, (s, t, n)))
    return np.sum(s**2 * t * n)


def _unpacked_map(s, t, n):
    s, t, n = map(np.asarray, (s, t, n))
    return np.sum(s**2 * t * n)


def _comprehension(s, t, n):
    s, t, n = [np.atleast_1d(v) * 1.5 for v in (s, t, n)]
    return np.sum(s**2 * t * n)


def _of_expressions(s, t, n):
    s, t, n = [np.asarray(v) for v in (s * 2, t, n)]
    return np.sum(s**2 * t * n)


def _one_is_only_asked(s, t, n):
    s, t, n = [np.asarray(v) for v in (2 * s, t, n)]
    if n.all():
        t = t * s
    return np.sum(s * t)


def _loop(s, t, n):
    y = 0.0
    for v in (s, t * s, n):
        y = y + np.sum(v * v)
    return y


WAYS = (_mapped, _unpacked_map, _comprehension, _of_expressions, _one_is_only_asked, _loop)


def _each_way(s, t, n):
    return sum(way(s, t, n) for way in WAYS)


@program
def with_a_bool(x):
    return _each_way(x, x[1], True)


@program
def with_an_integer(x):
    return _each_way(x[0], x, 2)


@program
def with_bools(x):
    return _each_way(x[::-1], x * x[0], np.array([True, True, False]))


@program
def with_integers(x):
    return _each_way(x, x.sum(), np.array([1, 2, 3]))


@program
def spread_with_a_constant_first(x):
    a, b = np.broadcast_arrays(*np.atleast_1d(np.ones(3), x))
    c, d, e = np.broadcast_arrays(*np.atleast_1d(0.5, 2.0, x * x))
    return np.sum(a * b) + np.sum(c * d * e)


@program
def with_a_constant(x):
    return _each_way(x, 0.5, np.array(1))


@program
def with_arrays_of_several_ranks(x):
    return _each_way(x, np.outer(x, x), x[1])


@program
def all_vary(x):
    return _each_way(x, x[0], x**2)


def _with_a_default(s, p=0):
    s, p = list(map(np.asanyarray, (s, p)))
    return s * s * (p + 1.0)


@program
def given_numbers(x):
    first = x[0]
    s, p = map(np.asarray, (first, 0))
    return np.sum(_with_a_default(s, p) * _with_a_default(x[1], 2) + _with_a_default(x[2]))


test_made_arrays_together = each_right(
    functions, np.array([0.6, 0.4, 0.9]), np.array([0.3, -1.1, 0.7])
)


@pytest.mark.parametrize("s", [0.3, np.float64(0.3), np.array(0.3)])
def test_a_number_and_an_integer(s: float) -> None:
    for given in ((s,), (s, 2), (s, 0.2)):
        p = given[1] if len(given) > 1 else 0
        assert grad(_with_a_default)(*given) == pytest.approx(2 * 0.3 * (p + 1.0))


def test_each_is_made_by_itself() -> None:
    assert "s, t, n = [np.asarray(s), np.asarray(t), np.asarray(n)]" in grad(_unpacked_map).source(
        np.ones(3), 0.5, True
    )
