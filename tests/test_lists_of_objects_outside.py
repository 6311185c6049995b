"""Lists, tuples and dicts of the module that hold objects of one class: their methods take what varies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, each_refused, each_right, kept_in, refused_in

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
followed = kept_in(FUNCTIONS)
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)

RNG = np.random.default_rng(0)
P, P_DOT = np.array([0.7, -0.4, 0.9]), np.array([1.0, -2.0, 0.5])


class Dense:
    def __init__(self, W, b):
        self.W = W
        self.b = b

    def __call__(self, x):
        return np.tanh(self.W @ x + self.b)

    def forward(self, x):
        return self(x) * 2.0

    @property
    def size(self):
        return len(self.b)


class Scaled(Dense):
    def __call__(self, x):
        return x * self.b


@dataclass(frozen=True)
class Gaussian:
    mu: float
    s: float

    def logpdf(self, x):
        return -0.5 * ((x - self.mu) / self.s) ** 2 - np.log(self.s)


class Counting(Dense):
    def __call__(self, x):
        self.calls = getattr(self, "calls", 0) + 1
        return np.tanh(self.W @ x)


def dense():
    return Dense(RNG.normal(size=(3, 3)), RNG.normal(size=3))


LAYERS = [dense(), dense(), dense()]
ENDS = (LAYERS[0], LAYERS[2])
BY_NAME = {"encode": dense(), "decode": dense()}
WEIGHTED = [(dense(), 0.5), (dense(), 2.0)]
BLOCKS = [[dense(), dense()], [dense()]]
PRIORS = {"a": Gaussian(0.0, 1.0), "b": Gaussian(1.0, 2.0), "c": Gaussian(-1.0, 0.5)}
MIXED = [dense(), Scaled(np.eye(3), RNG.normal(size=3))]
COUNTING = [Counting(np.eye(3), np.zeros(3))]


def applied(layer, x):
    return layer(x)


def through(layers, x):
    for layer in layers:
        x = layer(x)
    return x


@followed
def run_over(x):
    for layer in LAYERS:
        x = layer(x)
    return np.sum(x)


@followed
def counted(x):
    for k, layer in enumerate(LAYERS):
        x = layer.forward(x) + k * layer.size
    return np.sum(x)


@followed
def by_places(x):
    h = LAYERS[0](x)
    for k in range(1, len(LAYERS)):
        h = LAYERS[k].forward(h)
    return np.sum(LAYERS[-1](h))


@followed
def some_of_them(x):
    for layer in LAYERS[1:]:
        x = x + layer(x)
    for layer in reversed(LAYERS):
        x = layer(x)
    return np.sum(x)


@followed
def of_a_tuple(x):
    for layer in ENDS:
        x = layer(x)
    return np.sum(x)


@followed
def by_names(x):
    return np.sum(BY_NAME["decode"](BY_NAME["encode"](x)))


@followed
def names_run_over(x):
    for layer in BY_NAME.values():
        x = layer(x)
    for name, layer in BY_NAME.items():
        x = layer.forward(x) * len(name)
    return np.sum(x)


@followed
def in_pairs(x):
    for layer, weight in WEIGHTED:
        x = layer(x) * weight
    return np.sum(x)


@followed
def in_lists(x):
    for block in BLOCKS:
        for layer in block:
            x = layer(x)
    return np.sum(x)


@followed
def densities(x):
    total = sum(PRIORS[k].logpdf(x[i]) for i, k in enumerate("abc"))
    for v, prior in zip(x, PRIORS.values(), strict=True):
        total = total * prior.logpdf(v)
    return total


@followed
def given(x):
    for layer in LAYERS:
        x = applied(layer, x)
    return np.sum(through(LAYERS, x))


@followed
def chosen(x):
    layer = max(LAYERS, key=lambda layer: layer.b[0])
    return np.sum(layer(x))


@followed
def attributes(x):
    total = 0.0
    for layer in LAYERS:
        total += np.sum(layer.W @ x) * layer.b[0]
    return total


@refused("it is not known what 'layer' is")
def with_a_state(x):
    for layer in COUNTING:
        x = layer(x)
    return np.sum(x)


@refused("it is not known what 'layer' is")
def that_grows(x):
    LAYERS.append(LAYERS[0])
    for layer in LAYERS:
        x = layer(x)
    LAYERS.pop()
    return np.sum(x)


def test_another_list_is_looked_into_anew() -> None:
    gradient, before = grad(run_over), LAYERS.copy()
    gradient(P)
    try:
        LAYERS[:] = [Scaled(layer.W, layer.b) for layer in before]
        np.testing.assert_allclose(gradient(P), np.prod([layer.b for layer in LAYERS], axis=0))
        LAYERS[:] = before[:1]
        check_along(run_over, P, P_DOT)
    finally:
        LAYERS[:] = before
    check_along(run_over, P, P_DOT)


def test_a_method_that_an_object_hides_is_seen() -> None:
    def shown(x):
        return np.sum(LAYERS[0].forward(x))

    gradient = grad(counted)
    gradient(P)
    LAYERS[0].forward = shown
    try:
        with pytest.raises(SyntaxError):
            gradient(P)
    finally:
        del LAYERS[0].forward


test_right = each_right(FUNCTIONS, P, P_DOT)
test_refused = each_refused(REFUSED, P)
