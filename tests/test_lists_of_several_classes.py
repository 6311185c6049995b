"""Lists whose objects are of several classes: each element is known, wherever the list was made of others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, each_refused, kept_in, named, refused_in
from numeric import assert_close, numeric_gradient

from tangentish import grad, vjp

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
X, X_DOT = np.array([0.3, 0.7, 1.1]), np.array([1.0, -2.0, 0.5])

ONE_NAME = "this object has another name, or stands in another container"
ONE_CLASS = "a list holds dicts or objects of one class"


class Dense:
    def __init__(self, w, b):
        self.w = w
        self.b = b

    def __call__(self, x):
        return x * self.w + self.b

    def scale(self, k):
        self.w = self.w * k


class Tanh:
    def __call__(self, x):
        return np.tanh(x)


class Sequential:
    def __init__(self, *layers):
        self.layers = list(layers)

    def __call__(self, x):
        for layer in self.layers[:-1]:
            x = layer(x)
        return self.layers[-1](x)

    def scale(self, k):
        for layer in self.layers:
            if isinstance(layer, Dense):
                layer.scale(k)


@kept_in(RIGHT)
def given_to_a_constructor(x):
    net = Sequential(Dense(x[0], x[1]), Tanh(), Dense(x[1], x[2]))
    net.scale(x[2])
    net.layers[0].b = net.layers[0].b * 2
    return np.sum(net(x) ** 2)


@kept_in(RIGHT)
def parts_and_joined(x):
    first = [Dense(x[0], x[1]), Tanh()]
    layers = first + [Dense(x[1], x[2])]
    total = 0.0
    for one, other in zip(layers[:-1], layers[1:]):
        total += np.sum(one(other(x)))
    for layer in layers[::-1] + list(first):
        x = layer(x)
    return total + np.sum(x * layers[2].w)


@kept_in(RIGHT)
def filled_line_by_line(x):
    layers = []
    layers.append(Dense(x[0], x[1]))
    width = 2.0 * x[2]
    layers.append(Tanh())
    layers += [Dense(width, x[1]), Tanh()]
    layers.extend([Dense(x[1], width)])
    for layer in layers:
        x = layer(x)
    return np.sum(x) + layers[0].w * len(layers)


@kept_in(RIGHT)
def changed_through_a_part(x):
    layers = [Dense(x * 2, x[1]), Tanh()]
    layers[0].w += 1.0
    for layer in layers[:1]:
        layer.w[0] *= x[1]
        layer.scale(x[2])
    return np.sum(layers[0](x))


class Held:
    def __init__(self, layer):
        self.layer = layer


@kept_in(RIGHT)
def an_array_of_an_object_in_another(x):
    held = Held(Dense(x * 2, x[1]))
    held.layer.w += x[0]
    held.layer.w[1] *= x[2]
    return np.sum(held.layer(x))


@kept_in(RIGHT)
def changed_under_its_name(x):
    dense = Dense(x[0], x[1])
    net = Sequential(dense, Tanh())
    dense.scale(2.0)
    return np.sum(net(x))


@refused(ONE_NAME)
def changed_in_a_copy_of_the_list(x):
    layers = [Dense(x[0], x[1]), Tanh()]
    others = list(layers)
    others[0].w = others[0].w * 2
    return layers[0].w


@kept_in(RIGHT)
def changed_twice_by_one_loop(x):
    layers = [Dense(x[0], x[1]), Tanh()]
    for layer in layers[:1] + layers[:1]:
        layer.w = layer.w * 2
    return layers[0].w


@refused(ONE_CLASS)
def filled_with_a_second_name(x):
    layers = [Dense(x[0], x[1])]
    others = layers
    layers.append(Tanh())
    for layer in others:
        x = layer(x)
    return np.sum(x)


@refused(ONE_CLASS)
def filled_on_one_path(x):
    layers = [Dense(x[0], x[1])]
    if x[0] > 0.5:
        layers.append(Tanh())
    for layer in layers:
        x = layer(x)
    return np.sum(x)


@refused(ONE_CLASS)
def filled_while_a_function_looks(x):
    def count():
        return len(layers)

    layers = []
    layers.append(Dense(x[0], x[1]))
    seen = count()
    layers.append(Tanh())
    return np.sum(layers[0](x)) * seen


MADE: list[Any] = []


def test_others_see_a_global_list_that_lines_fill() -> None:
    def made(x):
        global MADE
        MADE = []
        MADE.append(Dense(1.0, 2.0))
        seen = len_of_made()
        MADE.append(Tanh())
        return x[0] * seen

    assert_close(grad(made)(X), np.array([1.0, 0.0, 0.0]), "made")


def len_of_made() -> int:
    return len(MADE)


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_right(function: Callable[..., Any]) -> None:
    numeric = check_along(function, X, X_DOT)
    assert_close(vjp(function, X)[1](2.0)[0], 2 * numeric, named(function))


test_refused = each_refused(REFUSED, X)


def test_gradients_of_a_list_that_is_given() -> None:
    def loss(layers, x):
        for layer in layers[1:] + layers[:1]:
            x = layer(x)
        return np.sum(x)

    dense, tanh, last = grad(loss)([Dense(2.0, 1.0), Tanh(), Dense(0.5, 0.3)], X)
    assert tanh is None
    by_hand = numeric_gradient(
        lambda v: loss([Dense(v[0], v[1]), Tanh(), Dense(v[2], v[3])], X),
        (np.array([2.0, 1.0, 0.5, 0.3]),), 0, 1.0,
    )  # fmt: skip
    assert_close(np.array([dense.w, dense.b, last.w, last.b]), by_hand, "layers")
