"""Arrays that a function is given, writes to, and then binds another array to the name of: attributes above all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_refused, each_right, kept_in, refused_in
from numeric import assert_close, numeric_gradient

from tangentish import grad, vjp

Function = Callable[..., Any]
RIGHT: list[Function] = []
REFUSED: list[tuple[Function, str]] = []
X, X_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([0.3, -0.2, 0.5, 0.1])


class Filter:
    def __init__(self, x):
        self.mu = x[:3] * 0.0
        self.S = np.eye(3)
        self.n = 0.0

    def update(self, j, z):
        if z > 0.5:
            self.mu[j] = self.mu[0] + z
        gain = self.S[:, j] / (self.S[j, j] + 1)
        self.mu = self.mu + gain * (z - self.mu[j])
        self.n += self.mu @ self.mu

    def predict(self, z):
        self.mu[:2] += z
        self.S = self.S + np.outer(self.mu, self.mu)
        self.S[0, 0] += z
        self.S = 0.5 * (self.S + self.S.T)
        return self.mu

    def maybe(self, j, z):
        self.mu[j] = self.mu[0] + z
        if z > 0.5:
            self.mu = self.mu * z
        self.n += self.mu @ self.mu

    def several_times(self, j, z):
        for k in range(3):
            self.mu[j] = self.mu[k] * z + 1.0
            self.mu = self.mu * z
        self.n += self.mu @ self.mu

    def by_others(self, j, z):
        self.store(j, z)
        self.renew(z)
        self.n += self.mu @ self.mu

    def store(self, j, z):
        self.mu[j] = self.mu[0] * z

    def renew(self, z):
        self.mu = self.mu * z + 1


class Buffers:
    def __init__(self, x):
        self.a = x * 1.0
        self.b = x * 2.0

    def step(self, z):
        self.b[0] = z
        self.a = self.b
        self.b = self.a * z


class Momentum:
    def __init__(self, x):
        self.v = x * 1.0

    def step(self, g):
        self.v *= 0.9
        self.v = self.v + g

    def run(self, n):
        for _ in range(n):
            self.step(self.v**2)
        return self.v.sum()


@kept_in(RIGHT)
def filtered(x):
    f = Filter(x)
    for k in range(3):
        f.update(k, x[k])
    return f.n


@kept_in(RIGHT)
def predicted_and_filtered(x):
    f = Filter(x)
    for k in range(3):
        f.predict(x[k])
        f.update(k, x[k])
    return f.n + f.S.sum()


@kept_in(RIGHT)
def seen_under_another_name(x):
    f = Filter(x)
    mu = f.mu
    before = f.predict(x[0])
    f.update(1, x[2])
    f.update(2, x[0])
    return f.n + before.sum() * mu[1] + mu[0] * mu[1]


@kept_in(RIGHT)
def on_some_ways(x):
    f = Filter(x)
    f.maybe(1, x[3])
    f.maybe(2, x[1])
    f.maybe(0, x[0])
    return f.n


@kept_in(RIGHT)
def in_loops(x):
    f = Filter(x)
    f.several_times(1, x[3])
    f.by_others(2, x[1])
    for k in range(4):
        f.by_others(k % 3, x[k])
    for _ in range(0):
        f.update(1, x[0])
    return f.n


@kept_in(RIGHT)
def one_for_another(x):
    s = Buffers(x)
    s.step(x[0])
    s.a[1] = x[2]
    s.b[0] = x[3]
    s.step(x[1])
    return s.a @ s.b


@kept_in(RIGHT)
def in_a_dict(x):
    def step(state, z):
        state["m"][1] = z
        state["m"] = state["m"] * z

    state = {"m": x[:3] * 1.0}
    step(state, x[3])
    step(state, x[2])
    return state["m"].sum()


@kept_in(RIGHT)
def parameters(x):
    def step(m, z):
        m[1] = z
        if z > 0.5:
            m = m * z
        return m.sum()

    m = x[:3] * 1.0
    return step(m, x[3]) * step(m, x[1]) * m[1] * m[0]


class Scaled:
    """What a method binds anew besides is one of several things that a call gives."""

    def __init__(self, n):
        self.mu, self.gains = np.zeros(n), np.eye(n)

    def step(self, j, z):
        self.mu[j] = self.mu[0] + z
        self.mu = self.mu + self.gains[:, j] * z
        self.gains = self.gains * (1 + z)
        self.gains[j, j] += z


@kept_in(RIGHT)
def first_array_is_read_after_a_loop(x):
    scaled = Scaled(4)
    first = scaled.mu
    for j in range(4):
        scaled.step(j, x[j])
    return scaled.mu @ x + first @ x + scaled.gains[0, 0]


@refused_in(REFUSED)("write into the array that is there, self.v[:] = v")
def called_in_a_loop_of_a_method(x):
    return Momentum(x).run(3)


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)


def test_text() -> None:
    source = grad(filtered).source(X)
    assert "self_mu_1 = self_mu + gain * (z - self_mu[j])" in source


def first_added_to(p, s):
    p[0] += np.sum(p) * s
    return np.sum(p * p)


def an_array_becomes_a_number(x, s):
    y = x * 1.0
    y = first_added_to(y, s)

    def scaled(p):
        return y * p

    return scaled(2.0)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_what_the_call_saved_is_read_before_it_is_put_back(dtype) -> None:
    args = X.astype(dtype), 0.3
    _, pullback = vjp(an_array_becomes_a_number, *args)
    for k, found in enumerate(pullback(1.0)):
        assert_close(found, numeric_gradient(an_array_becomes_a_number, args, k, 1.0), f"{k}")
