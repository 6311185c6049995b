"""Layers in a list that keep what they were given: objects get attributes when a method is called first, in loops."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
from every_mode import assert_close, check_along, check_refused, named, numeric_gradient

from tangentish import NotDifferentiable, grad, hvp, jvp

X, X_DOT = np.array([0.7, 0.4, 0.3]), np.array([1.0, -2.0, 0.5])
MADE = "dw"  # which no function here asks for by this text


class Layer:
    def __init__(self, w):
        self.w = w

    def forward(self, x):
        self.got = x
        return np.tanh(x * self.w)

    def backward(self, g):
        self.dw = g * self.got
        return g * self.w


class Shifted(Layer):
    def __init__(self, w, b):
        super().__init__(w)
        self.b = b

    def forward(self, x):
        self.out = super().forward(x) + self.b
        return self.out


class Positive:
    def forward(self, x):
        self.mask = x > 0
        return x * self.mask


class Asked(Layer):
    def forward(self, x):
        if not hasattr(self, "seen"):
            self.seen = 1.0
        self.seen = self.seen * x
        return self.seen * self.w


class Net:
    def __init__(self, ws):
        self.layers = []
        for w in ws:
            self.layers.append(Layer(w))

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def backward(self, g):
        for layer in reversed(self.layers):
            g = layer.backward(g)
        return g

    def step(self, rate):
        for layer in self.layers:
            layer.w = layer.w - rate * layer.dw


def trained(net, x, n=2):
    for _ in range(n):
        net.forward(x)
        net.backward(1.0)
        net.step(0.1)
    return net.forward(1.0)


def slopes(net):
    net.forward(2.0)
    net.backward(1.0)
    return sum(layer.dw for layer in net.layers)


def through(layers, x):
    for _ in range(2):
        for layer in layers:
            x = layer.forward(x)
    return np.sum(x)


def forward_only(w):
    return Net(w).forward(2.0)


def training(w):
    return trained(Net(w), w[0])


def never_trained(w):
    return trained(Net(w), w[0], 0)


def backward_once(w):
    return slopes(Net(w)) + w[0] * slopes(Net(w))


def unlike_layers(w):
    return through([Layer(w), Positive(), Layer(w * 2.0)], np.array([1.0, -2.0, 0.5]))


def of_a_base_class(w):
    layers = []
    for v in w:
        layers.append(Shifted(v, v * v))
    y = through(layers, np.array([1.0, -2.0]))
    return y + sum(np.sum(layer.out * layer.got) for layer in layers)


class Kept(Layer):
    def forward(self, u):
        self.u = u
        return u * self.w


def by_keyword(w):
    layers = [Kept(v) for v in w]
    y = 2.0
    for _ in range(2):
        for layer in layers:
            y = layer.forward(u=y)
    return y * layers[0].u


class Body:
    shift = 0.5

    def __init__(self, place, speed):
        self.place, self.speed = place, speed


class System:
    def __init__(self, places):
        self.bodies = [Body(p, 0.1 * p) for p in places]

    def step(self, dt):
        for b in self.bodies:
            b.force = b.shift - b.place
        for b in self.bodies:
            b.speed = b.speed + dt * b.force
            b.place = b.place + dt * b.speed

    def energy(self):
        return sum(b.speed * b.speed * b.shift for b in self.bodies)


def simulated(w):
    system = System(w)
    for _ in range(3):
        system.step(0.1)
    return system.energy() + system.bodies[0].force


MADE_HERE = (
    simulated,
    forward_only, training, never_trained, backward_once, unlike_layers, of_a_base_class, by_keyword,
)  # fmt: skip


@pytest.mark.parametrize("function", MADE_HERE, ids=named)
def test_objects_that_are_made_here(function):
    check_along(function, X, X_DOT)


def asked_whether_it_is_there(w):
    return through([Asked(v) for v in w], 1.0)


def test_nobody_may_ask_whether_they_are_there():
    check_refused(asked_whether_it_is_there, "changes an object that carries no derivative", X)


def in_a_net(net):
    return trained(net, 2.0)


def listed(layers):
    y = 1.0
    for _ in range(2):
        for layer in layers:
            y = layer.forward(y)
        for layer in reversed(layers):
            y = layer.backward(y)
        for layer in layers:
            layer.w = layer.w - 0.1 * layer.dw
    return y


def layers_of(ws):
    return Net(ws).layers


@pytest.mark.parametrize(("function", "made"), [(in_a_net, Net), (listed, layers_of)])
def test_objects_that_are_given(function, made):
    def of_weights(ws):
        return function(made([*ws]))

    def weights(given):
        layers = given.layers if isinstance(given, Net) else given
        return np.array([layer.w for layer in layers])

    numeric = numeric_gradient(of_weights, (X,), 0, 1.0)
    model, direction = made([*X]), made([*X_DOT])
    assert_close(weights(grad(function)(model)), numeric, function.__name__)
    assert not hasattr(model.layers[0] if isinstance(model, Net) else model[0], MADE)
    assert_close(jvp(function, (model,), (direction,))[1], numeric @ X_DOT, function.__name__)

    def slope(ws):
        return np.sum(weights(grad(function)(made([*ws]))) * X_DOT)

    along = weights(hvp(function)(made([*X]), direction))
    assert_close(along, numeric_gradient(slope, (X,), 0, 1.0), function.__name__)


ASKING = """
def ready(layer):
    return hasattr(layer, "got")


def tried(layer):
    try:
        return layer.got
    except:
        return 5.0
"""


@pytest.mark.parametrize("asked", ["ready", "tried"])
def test_functions_of_other_modules_that_ask_whether_they_are_there(asked, tmp_path, monkeypatch):
    (tmp_path / f"asking_{asked}.py").write_text(ASKING, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    function = getattr(importlib.import_module(f"asking_{asked}"), asked)

    def of_given(layers):
        y = 1.0
        for _ in range(2):
            for layer in layers:
                if not function(layer):
                    y = y * 3.0
                y = layer.forward(y)
        return y

    with pytest.raises(NotDifferentiable):
        grad(of_given)([Layer(0.7), Layer(0.4)])

    def of_one(w):
        layer, y = Layer(w[0]), w[1]
        for _ in range(2):
            if not function(layer):
                y = y * 3.0
            y = layer.forward(y)
        return y

    with pytest.raises(NotDifferentiable):
        grad(of_one)(X)


class Box:
    def __init__(self, v):
        self.v = v


def of_an_array_in_a_list(x):
    held = np.zeros(3)
    box, rows, scale = Box(held), [held], 1.0
    rows.append(x)
    if box.v is not None:
        scale = 2.0
        box.v += 1
    return np.sum(rows[0] + scale * x)


def test_what_an_object_was_given_is_no_attribute_that_comes_later():
    check_refused(of_an_array_in_a_list, "may share memory", X)
