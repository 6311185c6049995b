"""Optimisers as textbooks write them: lists of arrays of unlike shapes that lines change in place, step by step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, each_right_at_first, kept_in

FUNCTIONS: list[Callable[..., Any]] = []
followed = kept_in(FUNCTIONS)
# The lists of the object may hold arrays of others, as far as its tangent tells.
AT_FIRST: list[Callable[..., Any]] = []
followed_at_first = kept_in(AT_FIRST)
X, X_DOT = np.array([0.7, 0.4, -0.9, 0.3, 0.2, -0.5]), np.array([1.0, -0.6, 0.5, 0.8, -0.4, 0.3])


def parameters(x):
    return [x[:4].reshape(2, 2).copy(), x[4:].copy()]


def loss(ps):
    w, b = ps
    return np.sum((w @ b) ** 2) + np.sum(w**3) + np.sum(b**2)


def gradients(ps):
    w, b = ps
    return [w * 2 + np.outer(b, b), b * 3 + w @ b]


@followed
def momentum(x):
    ps = parameters(x)
    vs = [np.zeros_like(p) for p in ps]
    for _ in range(3):
        for p, g, v in zip(ps, gradients(ps), vs):
            v *= 0.9
            v += g
            p -= 0.1 * x[0] * v
    return loss(ps)


@followed
def momentum_with_lists_written_down(x):
    ps = parameters(x)
    gs, vs = [ps[0] * 2, ps[1] * 3], [0 * x[:4].reshape(2, 2), 0 * x[4:]]
    for p, g, v in zip(ps, gs, vs):
        v += g
        p -= x[1] * v
    return loss(ps)


def step(ps, gs, vs, lr):
    for p, g, v in zip(ps, gs, vs):
        v *= 0.9
        v += g
        p -= lr * v


@followed
def momentum_by_a_function(x):
    ps = parameters(x)
    vs = [np.zeros_like(p) for p in ps]
    for _ in range(3):
        step(ps, gradients(ps), vs, 0.1 * x[0])
    return loss(ps)


class Momentum:
    def __init__(self, lr, ps):
        self.lr = lr
        self.vs = [np.zeros_like(p, dtype=float) for p in ps]

    def step(self, ps, gs):
        for p, g, v in zip(ps, gs, self.vs):
            v *= 0.9
            v += g
            p -= self.lr * v


@followed_at_first
def momentum_by_an_object(x):
    ps = parameters(x)
    optimiser = Momentum(0.1 * x[0], ps)
    for _ in range(3):
        optimiser.step(ps, gradients(ps))
    return loss(ps)


@followed
def squares_summed(x):
    ps = parameters(x)
    hs = [np.full_like(p, 0.1) for p in ps]
    for _ in range(3):
        for p, g, h in zip(ps, gradients(ps), hs):
            h += g * g
            p -= 0.1 * g / np.sqrt(h)
    return loss(ps)


@followed
def squares_summed_from_what_varies(x):
    ps = parameters(x)
    hs = [np.full_like(p, x[1], dtype=float) for p in ps]
    for p, g, h in zip(ps, gradients(ps), hs):
        h += g * g
        p -= 0.1 * g / np.sqrt(h)
    return loss(ps) + np.sum(hs[0])


@followed
def velocities_computed_from_parameters(x):
    ps = parameters(x)
    vs = [0.5 * p for p in ps]
    for _ in range(3):
        for v, g in zip(vs, gradients(ps)):
            v *= 0.9
            v += g
        for p, v in zip(ps, vs):
            p -= 0.1 * x[0] * v
    return loss(ps)


@followed
def moments_by_key_in_a_loop(x):
    params, moments = {"w": x[:4].reshape(2, 2).copy(), "b": x[4:].copy()}, {}
    for _ in range(3):
        for k in params:
            if k not in moments:
                moments[k] = np.zeros_like(params[k])
            moments[k] = 0.9 * moments[k] + params[k]
            params[k] -= 0.1 * x[0] * moments[k]
    return loss([params["w"], params["b"]])


@followed
def elements_of_some_are_numbers(x):
    s = 0.0
    for p in parameters(x):
        q = 2 * p
        first = q[0] * 3
        q += np.sum(first)
        first += 1.0
        s += np.sum(first**2) + np.sum(q * first)
    return s


@followed
def some_are_numbers(x):
    s = 0.0
    for p in [x[:4].reshape(2, 2), np.sum(x), x[4:]]:
        v = 2 * p
        v += np.sum(p) * p
        s += np.sum(v**2)
    return s


test_every_mode = each_right(FUNCTIONS, X, X_DOT)
test_at_first = each_right_at_first(AT_FIRST, X, X_DOT)
