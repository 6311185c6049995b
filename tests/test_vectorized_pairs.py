"""Functions of `np.vectorize` that give several numbers: an array of each; and those that take many."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, check_refused, each_right, kept_in
from scipy.integrate import quad

from tangentish import grad

RIGHT: list[Function] = []
X, X_DOT = np.array([0.7, 1.3, 0.4]), np.array([1.0, -2.0, 0.5])


def powers(v, k):
    return v * k, v**k


outside = np.vectorize(powers)


@kept_in(RIGHT)
def one_at_rest(x):
    d, e = np.vectorize(lambda v, a: (v * a, a))(x, 2.0)
    return np.sum(d) * np.sum(e)


@kept_in(RIGHT)
def three(x):
    d, e, f = np.vectorize(lambda v: (v * v, np.sin(v), 1.0))(x)
    return np.sum(d * e * f)


@kept_in(RIGHT)
def of_the_module(x):
    both = outside(x, x[0])
    return np.sum(both[0] * both[1])


@kept_in(RIGHT)
def turned(x):
    d, e = np.vectorize(lambda v: (v * v, v))(np.outer(x, x[:2]).T)
    return np.sum(d.ravel() * np.arange(6)) + np.sum(e**2)


def weighed(v, a, b, c, d=1.0):
    return v * a + b * np.sin(v * c) * d


many = np.vectorize(weighed)


@kept_in(RIGHT)
def of_four(x):
    y = np.vectorize(lambda z, a, b, c: z * a * b * np.cos(c))(x, x[::-1] * 2, 0.3, x[1])
    return np.sum(y * x)


@kept_in(RIGHT)
def of_many_shapes(x):
    y = many(x[:, None], x, 2.0, x[0] * x[1], np.array([1.0, 0.5, 2.0]))
    return np.sum(y * np.arange(9.0).reshape(3, 3))


@kept_in(RIGHT)
def of_many_turned(x):
    t = np.outer(x, x[:2])
    y = many(t.T, 0.5, t.T, 1.0)
    return np.sum(y.ravel()[:3] * x) + np.sum(y * x)


@kept_in(RIGHT)
def pairs_of_four(x):
    d, e = np.vectorize(lambda v, a, b, c: (v * a, b - c * v))(x, x * x, 2.0, x[2])
    return np.sum(d * e)


@kept_in(RIGHT)
def of_three_with_effects(x):
    seen = []

    def noted(v, a, b):
        seen.append(v)
        return v * a * b * len(seen)

    return np.sum(np.vectorize(noted)(x, x[0], 2.0))


test_right = each_right(RIGHT, X, X_DOT)


def test_integrals_and_their_errors() -> None:
    def f(x, a):
        y, _ = np.vectorize(lambda z: quad(lambda t: np.exp(-t * t) * a, 0, z))(x)
        return np.sum(y)

    np.testing.assert_allclose(grad(f)(X, 0.5), 0.5 * np.exp(-(X**2)), rtol=1e-9)
    both = grad(f, wrt=(0, 1))(X, 0.5)
    np.testing.assert_allclose(both[1], f(X, 0.5) / 0.5, rtol=1e-9)


def test_integrals_over_many_parameters() -> None:
    def ratio(z, om, ol, w, h):
        return quad(lambda s: h / np.sqrt(om * (1 + s) ** 3 + ol * (1 + s) ** (3 * w)), 0.0, z)[0]

    def f(z, om):
        return np.sum(np.vectorize(ratio)(z, om, 0.7, 0.1, 2.0))

    numeric = (f(X, 0.3 + 1e-5) - f(X, 0.3 - 1e-5)) / 2e-5
    np.testing.assert_allclose(grad(f, wrt="om")(X, 0.3), numeric, rtol=1e-6)


def test_integers_are_refused() -> None:
    def f(x):
        d, e = np.vectorize(lambda v: (v * v, 1))(x)
        return np.sum(d * e)

    with pytest.raises(TypeError, match="where the first is an int"):
        grad(f)(X)


@pytest.mark.parametrize("one", [lambda v: (v * v,), lambda v: [v * v], lambda v: [v, v * v]])
def test_what_numpy_makes_no_number_of(one: Function) -> None:
    def f(x):
        return np.sum(np.vectorize(one)(x))

    def as_floats(x):
        return np.sum(np.vectorize(one, otypes=[float])(x))

    for function in (f, as_floats):
        with pytest.raises(ValueError, match="sequence"):
            function(X)
        check_refused(function, "gives a tuple or a list here", X)
