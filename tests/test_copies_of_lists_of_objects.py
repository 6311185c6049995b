"""Copies of lists of objects whose length is not known: what is handed over, and second names that change nothing."""

from __future__ import annotations

import numpy as np
from every_mode import Function, each_refused, each_right, kept_in, refused_in

from tangentish import check_grad

X, X_DOT = np.array([0.7, 0.4, 0.9]), np.array([0.3, -0.2, 0.5])
RIGHT: list[Function] = []
REFUSED: list[tuple[Function, str]] = []
right, refused = kept_in(RIGHT), refused_in(REFUSED)


class Dense:
    def __init__(self, w, b):
        self.w = w
        self.b = b

    def forward(self, h):
        return np.tanh(self.w * h + self.b)


class Net:
    def __init__(self, layers):
        self.layers = list(layers)

    def forward(self, h):
        for layer in self.layers:
            h = layer.forward(h)
        return h

    def turned_round(self, h):
        layers = list(self.layers)
        for layer in reversed(layers):
            h = layer.forward(h)
        return h * len(layers)


class Sliced(Net):
    def __init__(self, layers):
        self.layers = layers[:]


class Frozen(Net):
    def __init__(self, layers):
        self.layers = tuple(layers)


class Listed(Net):
    def __init__(self, layers):
        self.layers = [layer for layer in layers]


class Copied(Net):
    def __init__(self, layers):
        self.layers = layers.copy()


def dense(x):
    return [Dense(v, v * 0.5) for v in x]


@right
def in_several_ways(x):
    y = Sliced(dense(x)).forward(0.2) + Frozen(dense(x)).forward(0.3)
    return y * Listed(dense(x)).forward(0.1) * Copied(dense(x)).forward(0.4)


@right
def run_over_backwards_as_well(x):
    net, h, g = Net(dense(x)), 0.3, 1.0
    acts = []
    for layer in net.layers:
        acts.append(h)
        h = layer.forward(h)
    for layer, a in zip(reversed(list(net.layers)), reversed(acts)):
        g = g * layer.w * (1 - layer.forward(a) ** 2)
    return g * h


@right
def under_two_names(x):
    layers = dense(x)
    again = list(layers)
    for layer in layers:
        layer.w = layer.w * 2.0
    for layer in again:
        layer.b *= 3.0
    h = 0.2
    for layer in list(again):
        h = layer.forward(h)
    return h + sum(layer.b for layer in layers) * Net(layers).turned_round(h)


@refused("this may stand elsewhere, too")
def in_two_nets(x):
    layers = dense(x)
    one, other = Net(layers), Net(layers)
    one.layers.append(Dense(x[0], x[1]))
    return one.forward(0.1) * other.forward(0.2)


@refused("used as a whole")
def that_grows_elsewhere(x):
    layers = dense(x)
    net = Net(layers)
    layers.append(Dense(x[0], x[1]))
    return net.forward(0.1)


@refused("used as a whole")
def grows_under_one_name(x):
    layers = dense(x)
    again = list(layers)
    again.append(Dense(x[0], x[1]))
    return sum(layer.w for layer in layers) * sum(layer.w for layer in again)


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)


def copied(layers, h):
    return Copied(layers).forward(h)


def test_of_what_is_given():
    check_grad(copied, dense(X), 0.2)
