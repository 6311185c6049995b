"""Functions that a function gives, and that keep several functions: compositions, pipelines, layers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
keep = kept_in(RIGHT)
refused = refused_in(REFUSED)
X, X_DOT = np.array([0.7, -0.4, 1.3]), np.array([1.0, -2.0, 0.5])


def compose(*functions):
    def run(t):
        for function in functions:
            t = function(t)
        return t

    return run


def in_turn(functions):
    def run(t):
        for function in reversed(functions):
            t = function(t)
        return t

    return run


def dense(w, b, act):
    return lambda h: act(w * h + b)


@keep
def composed(x):
    h = compose(np.sin, compose(np.exp, lambda t: t * x), np.tanh)
    return np.sum(h(x)) * np.sum(h(x[::-1]))


@keep
def in_a_list(x):
    return np.sum(in_turn([np.sin, lambda t: t * x])(x))


@keep
def layers(x):
    net = compose(dense(x, x[0], np.tanh), dense(x * 2, x[1], lambda v: v**2))
    return np.sum(net(x))


@refused("captures differentiated values: not supported yet")
def changed_afterwards(x):
    functions = [np.sin, lambda t: t * x]
    h = in_turn(functions)
    functions[0] = np.cos
    return np.sum(h(x))


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)
