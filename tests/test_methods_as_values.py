"""Methods of an object that are given to a function, or kept under a name, are the functions that they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in
from numeric import assert_close, numeric_gradient
from scipy.integrate import odeint, quad, solve_ivp

from tangentish import grad

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
X, X_DOT = np.array([0.5, 0.7, 0.3]), np.array([1.0, -2.0, 0.5])
TIMES = np.linspace(0.0, 1.0, 4)


class Model:
    def __init__(self, k):
        self.k = k
        self.y0 = np.array([1.0, 0.5])
        self.scales = np.array([0.2, 0.4])

    def rates(self, y, t, p):
        gone, heat = p[0] * y[0], self.scales[0]
        return np.array([heat - gone * self.k, gone - p[1] * y[1]])

    def density(self, u):
        return self.k * u * u

    def run(self, p, times):
        return odeint(self.rates, self.y0, times, args=(p,))

    def run_by_lambda(self, p, times):
        moved = solve_ivp(lambda t, y: self.rates(y, t, p), (0, 1), self.y0, t_eval=times)
        return moved.y.T

    def share(self, p, times):
        return times * quad(self.density, p[2], p[0])[0]

    def changed(self, p, times):
        first = odeint(self.rates, self.y0, times, args=(p,))
        self.scales[0] *= 2
        second = odeint(self.rates, self.y0, times, args=(p,))
        self.scales[0] /= 2
        return first * second


MODEL = Model(0.7)


def twice(f, u):
    return f(u) * f(u * u)


@kept_in(RIGHT)
def rates_of_an_object_of_the_module(x):
    return np.sum(MODEL.run(x, TIMES)[-1]) + x[2]


@kept_in(RIGHT)
def an_integrand_of_an_object_of_the_module(x):
    return np.sum(MODEL.share(x, TIMES)) * x[1]


@kept_in(RIGHT)
def a_method_that_a_helper_calls(x):
    model = Model(3.0) if x[0] > 0 else Model(2.0)
    return twice(model.density, x[1]) * x[2] + x[0]


@kept_in(RIGHT)
def a_method_under_a_name(x):
    model = Model(3.0)
    density = model.density
    return density(x[0]) * quad(density, 0, x[1])[0] + x[2]


@kept_in(RIGHT)
def a_name_that_another_object_gets_later(x):
    model = Model(3.0)
    density = model.density
    model = Model(5.0)
    return density(x[0]) * model.density(x[1]) + x[2]


@kept_in(RIGHT)
def what_an_object_has_in_the_place_of_its_method(x):
    model = Model(3.0)
    model.density = lambda u: u**3
    return twice(model.density, x[1]) * x[2] + x[0]


@kept_in(RIGHT)
def a_dict_that_changes_between_two_integrals(x):
    options = {"k": 2.0}
    s = 1.0
    for _ in range(3):
        s = s * quad(lambda u: u * x[0] * options["k"], 0, x[1])[0] * x[2]
        options["k"] = options["k"] + 1
    return s


class Profile:
    """Its rate is an integral over a method, and what is within it is an integral over its rate."""

    def __init__(self, plainly=False):
        self._integral = self._none if plainly else self._by_quad
        self.table = np.array([self.rate(1.0, k) for k in (0.5, 1.0)])

    def _inner(self, u, r, k):
        return np.sin(u * k + r)

    def _by_quad(self, f, r, k):
        if isinstance(r, int) or isinstance(r, float):  # noqa: SIM101
            found = quad(f, a=0, b=1, args=(r, k))[0]
        else:
            found = np.zeros_like(r)
            for i in range(len(r)):
                found[i] = quad(f, a=0, b=1, args=(r[i], k))[0]
        return found

    def _none(self, f, r, k):
        return r * k

    def rate(self, r, k):
        return 2.0 * k + self._integral(self._inner, r, k)

    def one(self, r, k):
        def inner(u):
            return self.rate(u, k)

        return quad(inner, a=0, b=r)[0]

    def within(self, rs, k):
        rs = np.maximum(rs, 0.1)
        if isinstance(rs, int) or isinstance(rs, float):  # noqa: SIM101
            return self.one(rs, k)
        found = []
        for r in rs:
            found.append(self.one(r, k))
        return np.array(found)


@refused_in(REFUSED)("not supported here")
def an_object_that_changes_afterwards(x):
    model = Model(2.0)
    density = model.density
    model.k = 5.0
    return density(x[0]) * x[1]


@refused_in(REFUSED)("not supported here")
def an_object_that_gets_another_method_afterwards(x):
    model = Model(2.0)
    density = model.density
    model.density = lambda u: u**3
    return density(x[0]) * model.density(x[1])


@refused_in(REFUSED)("what they hold changes, and its function may read them")
def an_object_that_is_given_and_changes(x):
    return np.sum(MODEL.changed(x, TIMES))


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)


def test_objects_that_are_given() -> None:
    p, step = np.array([0.5, 0.2, 0.1]), 1e-4
    for method in (Model.run, Model.run_by_lambda, Model.share):

        def total(model, p, times, method=method):
            return np.sum(method(model, p, times) ** 2)

        found = grad(total, wrt="p")(MODEL, p, TIMES)
        ends = [
            (total(MODEL, p + d, TIMES) - total(MODEL, p - d, TIMES)) / (2 * step)
            for d in step * np.eye(3)
        ]
        np.testing.assert_allclose(found, ends, rtol=1e-4, atol=1e-6)


def test_an_integral_up_to_what_varies_of_a_method_that_integrates() -> None:
    profile = Profile()
    expected = numeric_gradient(profile.within, [X, 1.2], 0, np.ones(3))
    assert_close(grad(profile.within, wrt="rs")(X, 1.2), expected, "gradient")
