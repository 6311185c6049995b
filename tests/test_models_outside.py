"""Objects of the module that hold others: layers, kernels, functions that are called with what varies."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg
from every_mode import check_along, each_refused, each_right, kept_in, refused_in

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
followed = kept_in(FUNCTIONS)
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)

RNG = np.random.default_rng(0)
P, P_DOT = np.array([0.7, -0.4, 0.9]), np.array([1.0, -2.0, 0.5])


def leaky(x):
    return np.maximum(x, 0.1 * x)


def passed_on(function):
    @functools.wraps(function)
    def wrapped(*args):
        return function(*args)

    return wrapped


@passed_on
def logged(x):
    return np.log(x**2 + 1)


class Layer:
    def __init__(self, W, act):
        self.W = W
        self.act = act

    def __call__(self, x):
        return self.act(self.W @ x)


class Model:
    scale = 2.0

    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x * self.scale

    def predict(self, x):
        h = self.layers[0](x)
        for k in range(1, len(self.layers)):
            h = self.layers[k](h)
        return self.layers[-1](h)

    def shortened(self):
        self.layers = self.layers[:-1]


class Autoencoder:
    def __init__(self, encoder, decoder):
        self.encoder = encoder
        self.decoder = decoder

    def loss(self, x):
        return np.sum((self.decoder(self.encoder(x)) - x) ** 2)


class Ensemble:
    def __init__(self, **models):
        self.models = models

    def __call__(self, x):
        return sum(model(x) for model in self.models.values()) * self.models["a"](x)


class Kernel:
    def __init__(self, length):
        self.length = length

    def __call__(self, a, b):
        return np.exp(-np.sum((a - b) ** 2) / self.length)


class Process:
    def __init__(self, kernel, points, weights):
        self.kernel = kernel
        self.points = points
        self.weights = weights

    def mean(self, x):
        return sum(self.kernel(x, p) * w for p, w in zip(self.points, self.weights, strict=True))


class Scaler:
    def __init__(self, mean, width):
        self.mean = mean
        self.width = width

    def transform(self, x):
        return (x - self.mean) / self.width


class Pipeline:
    def __init__(self, steps):
        self.steps = steps
        self.itself = self

    def transform(self, x):
        for _, step in self.steps:
            x = step.transform(x)
        return x


def layer(act):
    return Layer(RNG.normal(size=(3, 3)), act)


MODEL = Model([layer(np.tanh), layer(np.tanh)])
MIXED = Model([layer(np.tanh), layer(leaky), layer(np.sin)])
CODER = Autoencoder(MODEL, layer(leaky))
ENSEMBLE = Ensemble(a=MODEL, b=MIXED)
PROCESS = Process(Kernel(2.0), RNG.normal(size=(4, 3)), RNG.normal(size=4))
PIPELINE = Pipeline([("first", Scaler(1.0, 2.0)), ("second", Scaler(-0.5, 3.0))])
ANEW = Layer(np.eye(3), lambda x: x * 2)


def applied(model, x):
    return model(x)


@followed
def called(x):
    return np.sum(MODEL(x))


@followed
def by_a_method(x):
    return np.sum(MODEL.predict(x) * MIXED.predict(x))


@followed
def several_functions(x):
    return np.sum(MIXED(x))


@followed
def held_by_another(x):
    return CODER.loss(x)


@followed
def held_in_a_dict(x):
    return np.sum(ENSEMBLE(x))


@followed
def held_beside_data(x):
    return PROCESS.mean(x)


@followed
def held_in_pairs(x):
    return np.sum(PIPELINE.transform(x))


@followed
def layers_run_over(x):
    for layer in MODEL.layers:
        x = layer(x)
    return np.sum(x)


@followed
def layers_with_names(x):
    first, last = MIXED.layers[0], MIXED.layers[-1]
    return np.sum(first(last(x)) * last.act(x))


@followed
def given(x):
    return np.sum(applied(MIXED, x))


@followed
def one_of_two(x):
    model = MODEL if x[0] > 0 else MIXED
    return np.sum(model(x))


@refused("it is not known what 'self.act' is")
def of_a_function_without_a_name(x):
    return np.sum(ANEW(x))


@refused("it is not known what 'layer' is")
def that_grow(x):
    MODEL.layers.append(MODEL.layers[0])
    y = MODEL(x)
    MODEL.layers.pop()
    return np.sum(y)


@refused("it is not known what 'layer' is")
def that_are_others_later(x):
    before = MODEL.layers
    MODEL.layers = before[:1]
    y = MODEL(x)
    MODEL.layers = before
    return np.sum(y)


class Points:
    def __init__(self, root, through):
        self.root = root
        self.through = through

    def spread(self, x):
        rows = self.root(np.outer(x, x) + np.eye(3) * 2)
        return self.through(x + rows[0])


POINTS = Points(scipy.linalg.cholesky, logged)


@followed
def what_decorators_of_a_library_give(x):
    return np.sum(POINTS.spread(x)) * np.sum(POINTS.root(np.diag(x**2 + 1)))


@refused("it is not known what 'layer' is")
def that_a_method_sets(x):
    before = MODEL.layers
    MODEL.shortened()
    y = MODEL(x)
    MODEL.layers = before
    return np.sum(y)


def test_another_model_is_looked_into_anew() -> None:
    gradient, before = grad(several_functions), MIXED.layers
    gradient(P)
    try:
        MIXED.layers = before[::-1]
        check_along(several_functions, P, P_DOT)
        np.testing.assert_allclose(gradient(P), grad(several_functions)(P))
        before[0].act = leaky
        np.testing.assert_allclose(gradient(P), grad(several_functions)(P))
        check_along(several_functions, P, P_DOT)
        MIXED.layers = [Scaler(1.0, 2.0).transform]
        with pytest.raises(SyntaxError):
            gradient(P)
    finally:
        before[0].act, MIXED.layers = np.tanh, before
    check_along(several_functions, P, P_DOT)


test_right = each_right(FUNCTIONS, P, P_DOT)
test_refused = each_refused(REFUSED, P)
