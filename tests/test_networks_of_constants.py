"""Objects that make their layers of constants, where the input alone varies: `self.layers = [Cell(p) for p in params]`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

FUNCTIONS: list[Callable[..., Any]] = []
followed = kept_in(FUNCTIONS)

PARAMS = [
    {"W": np.linspace(-1.0, 1.0, 3) + k, "b": np.array([0.1, -0.2, 0.3]) * k} for k in range(1, 4)
]


class Cell:
    def __init__(self, p):
        self.W = p["W"]
        self.b = p["b"]

    def __call__(self, h):
        return np.tanh(self.W * h + self.b)

    def state(self, x, h, c):
        c = c * self.W + np.tanh(x - h)
        return c * self(h), c


class Network:
    def __init__(self, params):
        self.layers = [Cell(p) for p in params]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Appended(Network):
    def __init__(self, params):
        self.layers = []
        for p in params:
            self.layers.append(Cell(p))


class Headed(Network):
    def __init__(self, params):
        super().__init__(params[1:])
        self.head = Cell(params[0])

    def __call__(self, x):
        for layer in self.layers[:-1]:
            x = x + layer(x)
        return self.head(self.layers[-1](x))


class Two:
    def __init__(self, params):
        self.first = Cell(params[0])
        self.last = Cell(params[-1])

    def __call__(self, x):
        return self.last(self.first(x))


class Recurrent:
    def __init__(self, params):
        self.cells = [Cell(p) for p in params]

    def run(self, x):
        h = [np.zeros(3) for _ in self.cells]
        c = [np.ones(3) for _ in self.cells]
        for t in range(len(x)):
            given = x[t] * np.ones(3)
            for i, cell in enumerate(self.cells):
                h[i], c[i] = cell.state(given, h[i], c[i])
                given = h[i]
        return h[-1]


class Held:
    def __init__(self, params, scale):
        self.network = Network(params)
        self.scale = scale

    def __call__(self, x):
        return self.network(x) * self.scale


class Drawn:
    def __init__(self, sizes, seed):
        rng = np.random.default_rng(seed)
        self.layers = [
            Cell({"W": rng.normal(size=(b, a)), "b": np.zeros(b)})
            for a, b in zip(sizes[:-1], sizes[1:], strict=True)
        ]

    def forward(self, x):
        for layer in self.layers:
            x = np.tanh(layer.W @ x + layer.b)
        return x


@followed
def with_a_name(x):
    network = Network(PARAMS)
    return np.sum(network(x) ** 2)


@followed
def without_a_name(x):
    return np.sum(Network(PARAMS)(x))


@followed
def called_again(x):
    network = Network(PARAMS)
    return np.sum(network(network(x)) * network(x))


@followed
def appended(x):
    return np.sum(Appended(PARAMS)(x) * x)


@followed
def beside_another(x):
    network = Headed(PARAMS)
    return np.sum(network(x))


@followed
def beside_another_without_a_name(x):
    return np.sum(Headed(PARAMS)(x))


@followed
def two_without_a_list(x):
    network = Two(PARAMS)
    return np.sum(network(x))


@followed
def with_a_state(x):
    network = Recurrent(PARAMS)
    return np.sum(network.run(x))


@followed
def held_by_another(x):
    model = Held(PARAMS, 2.0)
    return np.sum(model(x))


@followed
def drawn(x):
    network = Drawn([3, 4, 2], 0)
    return np.sum(network.forward(x))


@followed
def of_no_layers(x):
    network = Network(PARAMS[3:])
    return np.sum(network(x) ** 2)


def loss(x, params):
    network = Network(params)
    return np.sum(network(x) ** 2)


@followed
def in_a_function(x):
    return loss(x, PARAMS)


@followed
def of_what_varies(x):
    return loss(np.ones(3), [{"W": x, "b": x * 2}, {"W": x * x, "b": x}])


test_right = each_right(FUNCTIONS, np.array([0.7, -0.4, 0.9]), np.array([1.0, -2.0, 0.5]))
