"""What is None on the first trip of a loop, or empty, and a list, a dict, a tuple or an object on the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in
from numeric import numeric_gradient

from tangentish import NotDifferentiable, grad

DATA = np.array([0.5, 1.5, -0.7, 1.1])
FUNCTIONS: list[Callable[..., Any]] = []
followed = kept_in(FUNCTIONS)
X, X_DOT = np.array([0.7, 0.4, -0.9, 0.3, 0.2, -0.5]), np.array([1.0, -0.6, 0.5, 0.8, -0.4, 0.3])


def parameters(x):
    return [x[:4].reshape(2, 2).copy(), x[4:].copy()]


def loss(ps):
    return np.sum(ps[0] ** 3) + np.sum(ps[1] ** 2)


class Momentum:
    def __init__(self, lr):
        self.lr, self.vs = lr, None

    def step(self, ps):
        if self.vs is None:
            self.vs = [np.zeros_like(p) for p in ps]
        for i in range(len(ps)):
            self.vs[i] = 0.9 * self.vs[i] + ps[i]
            ps[i] -= self.lr * self.vs[i]

    def new(self, ps):
        if self.vs is None:
            self.vs = [np.zeros_like(p) for p in ps]
        self.vs = [0.9 * v + p for v, p in zip(self.vs, ps)]
        return [p - self.lr * v for p, v in zip(ps, self.vs)]

    def in_place(self, ps):
        if self.vs is None:
            self.vs = [np.zeros_like(p) for p in ps]
        for p, v in zip(ps, self.vs):
            v *= 0.9
            v += p
            p -= self.lr * v


@followed
def velocities(x):
    ps = parameters(x)
    optimiser = Momentum(x[0])
    for _ in range(3):
        optimiser.step(ps)
    return loss(ps)


@followed
def velocities_new_on_each_trip(x):
    ps = parameters(x)
    optimiser = Momentum(x[0])
    for _ in range(3):
        ps = optimiser.new(ps)
    return loss(ps)


@followed
def velocities_changed_in_place(x):
    ps = parameters(x)
    optimiser = Momentum(x[0])
    for _ in range(3):
        optimiser.in_place(ps)
    return loss(ps)


class AdaGrad:
    def __init__(self, lr):
        self.lr, self.h = lr, None

    def update(self, params, grads):
        if self.h is None:
            self.h = {}
            for key, value in params.items():
                self.h[key] = np.zeros_like(value)
        for key in params:
            self.h[key] += grads[key] ** 2
            params[key] -= self.lr * grads[key] / (np.sqrt(self.h[key]) + 1e-3)


@followed
def sums_of_squares_by_key(x):
    params, optimiser = {"w": x[:4].reshape(2, 2).copy(), "b": x[4:].copy()}, AdaGrad(0.1 * x[0])
    for _ in range(3):
        optimiser.update(params, {"w": params["w"] * 2 + 1, "b": params["b"] * 3})
    return loss([params["w"], params["b"]])


@followed
def in_loops_in_loops(x):
    ps = parameters(x)
    optimiser = Momentum(x[0])
    for _ in range(2):
        for k in range(1, 3):
            optimiser.step(ps)
            ps[0] *= k
    return loss(ps)


@followed
def until_it_ends(x):
    ps = parameters(x)
    optimiser = Momentum(x[0])
    k = 0
    while k < 3:
        optimiser.step(ps)
        k += 1
    return loss(ps) * k


@followed
def left_early(x):
    ps = parameters(x)
    optimiser = Momentum(x[0])
    for k in range(5):
        optimiser.step(ps)
        if np.sum(ps[1]) > x[5] * k:
            break
    return loss(ps) * (k + 1)


@followed
def left_on_the_first_trip(x):
    ps = parameters(x)
    optimiser = Momentum(x[0])
    for k in range(5):
        optimiser.step(ps)
        if k == 0:
            break
    return loss(ps) * (k + 1)


class Layer:
    def __init__(self, w):
        self.w = w

    def forward(self, x):
        self.cache = (x, np.tanh(x @ self.w))
        return self.cache[1]

    def backward(self, g):
        x, y = self.cache
        return np.outer(x, g * (1 - y**2))


class ByKeys:
    def __init__(self, rate):
        self.rate, self.moments, self.steps = rate, {}, {}

    def step(self, ps, gs):
        for k, p in ps.items():
            if k not in self.moments:
                self.moments[k] = np.zeros_like(p)
            self.moments[k] = 0.9 * self.moments[k] + gs[k]
            self.steps[k] = 0.5 * self.steps.get(k, 0) + self.moments[k]
            ps[k] = p - self.rate * self.steps[k]


@followed
def by_keys_that_the_first_step_puts_in(x):
    w, b = parameters(x)
    ps = {"w": w, "b": b}
    optimiser = ByKeys(0.1 * x[0])
    for _ in range(3):
        optimiser.step(ps, {"w": ps["w"] * 2, "b": np.cos(ps["b"])})
    return loss([ps["w"], ps["b"]])


@followed
def caches_that_are_made_in_the_loop(x):
    layer = Layer(x[:4].reshape(2, 2))
    for _ in range(3):
        y = layer.forward(x[4:])
        layer.w = layer.w - 0.1 * layer.backward(y)
    return np.sum(layer.forward(x[4:]))


class Filter:
    def __init__(self, w):
        self.w, self.before = w, None

    def update(self, z):
        if self.before is not None:
            z = z + self.w * self.before[0] - self.before[1]
        self.before = (z, np.sin(z))
        return z


@followed
def over_an_argument(x):
    smoothed = Filter(x[0])
    s = 0.0
    for z in x:
        s += smoothed.update(z) ** 2
    return s + smoothed.before[0]


@followed
def over_arrays_side_by_side(x):
    smoothed, s = Filter(x[0]), 0.0
    for k, (z, w) in enumerate(zip(x, DATA)):
        smoothed.w = smoothed.w * w
        s += smoothed.update(z) ** 2 * k
    return s


def steps(x, n):
    ps = parameters(x)
    optimiser = Momentum(x[0])
    for _ in range(n):
        optimiser.step(ps)
    return loss(ps)


test_every_mode = each_right(FUNCTIONS, X, X_DOT)


@pytest.mark.parametrize("n", [0, 1, 4])
def test_any_number_of_trips(n: int) -> None:
    each_along = np.array([steps(X + e, n) - steps(X - e, n) for e in np.eye(6) * 1e-6]) / 2e-6
    np.testing.assert_allclose(grad(steps)(X, n), each_along, rtol=1e-5, atol=1e-8)


def smoothed(x, weights):
    of_before, s = Filter(x[0]), 0.0
    for w in weights:
        s += of_before.update(x[1] * w) ** 2
    return s


def test_few_keys_are_trips_of_their_own() -> None:
    weights = {1.0: 2.0, 3.0: 1.0}
    numeric = numeric_gradient(smoothed, (X, weights), 0, 1.0)
    np.testing.assert_allclose(grad(smoothed)(X, weights), numeric, rtol=1e-5)


@pytest.mark.parametrize("weights", [{1.0}, iter([1.0, 2.0])])
def test_what_has_no_places_has_no_first_trip_apart(weights: Any) -> None:
    with pytest.raises(NotDifferentiable, match="None on the first trip of the loop"):
        grad(smoothed)(X, weights)
