"""Objects that vary and are entered by `with`: what both ends of it do is done where they stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

FUNCTIONS: list[Callable[..., Any]] = []
followed = kept_in(FUNCTIONS)
REFUSALS: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSALS)
X, X_DOT = np.array([0.7, 0.4, 0.9]), np.array([1.0, -0.6, 0.5])


class Scaled:
    def __init__(self, w):
        self.w, self.log, self.depth = w, [], 0

    def __enter__(self):
        self.depth += 1
        self.w = self.w * 2.0
        self.log.append(self.w)
        return self.w

    def __exit__(self, kind, error, where):
        self.depth -= 1
        self.w = self.w**1.5 if kind is None else 100.0


class Model:
    def __init__(self, a):
        self.a, self.scaled, self.training = a, Scaled(a), False

    def __enter__(self):
        self.training = True
        return self

    def __exit__(self, *error):
        self.training = False

    def __call__(self, x):
        return self.a * x if self.training else self.a**2 * x


@followed
def what_is_entered_changes(x):
    scaled = Scaled(x[0])
    with scaled as w:
        y = w * scaled.w * scaled.depth
    return y * scaled.w + sum(scaled.log)


@followed
def a_mode_of_a_model(x):
    model = Model(x[0])
    y = model(x[1])
    with model:
        y += model(x[2])
    with model as same:
        y += same(x[1]) * same.a
    return y + model(x[2])


@followed
def in_a_loop_that_goes_on_or_ends(x):
    scaled, s = Scaled(x[0]), 0.0
    for k in range(4):
        with scaled as w:
            if k == 1:
                continue
            s += w * scaled.w
            if k == 2:
                break
    return s * scaled.w


@followed
def given_back_within(x):
    scaled = Scaled(x[0])
    with scaled as w:
        if w > x[1]:
            return w * x[2]
        y = w * scaled.w
    return y * scaled.w


@followed
def held_by_another(x):
    model = Model(x[0])
    with model.scaled as w:
        y = w * model.a
    with model.scaled:
        y += model.scaled.w * x[1]
    return y * model.scaled.w


@refused("context manager made of differentiated values")
def left_by_an_exception_that_is_caught(x):
    scaled = Scaled(x[0])
    try:
        with scaled as w:
            if w > 1.0:
                raise ValueError
    except ValueError:
        return scaled.w
    return w


def raises_within(scaled):
    with scaled as w:
        if w > 1.0:
            raise ValueError
    return w


@refused("changes")
def left_by_an_exception_that_the_caller_catches(x):
    scaled = Scaled(x[0])
    try:
        y = raises_within(scaled)
    except ValueError:
        y = scaled.w
    return y


test_every_mode = each_right(FUNCTIONS, X, X_DOT)
test_refused = each_refused(REFUSALS, X)
