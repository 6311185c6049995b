"""Objects that keep a tuple for later where they had None, or another tuple: `self.cache = None`, `self.cache = (x, y)`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from every_mode import check_along, check_with_a_number, kept_in, named

from tangentish import NotDifferentiable, grad

X, X_DOT = np.array([0.7, 0.4, -0.9]), np.array([1.0, -2.0, 0.5])


class Tanh:
    def __init__(self, w):
        self.w = w
        self.cache = None

    def forward(self, x):
        y = np.tanh(self.w * x)
        self.cache = (x, y)
        return y

    def backward(self, dy):
        x, y = self.cache
        dx = dy * (1.0 - y**2)
        self.slope = np.sum(dx * x)
        return dx * self.w


class Shaped:
    def __init__(self, w):
        self.w = w
        self.shape = None

    def forward(self, x):
        self.shape = x.shape
        return x.reshape(-1) * self.w

    def backward(self, dy):
        return (dy * self.w).reshape(self.shape)


class Reset(Tanh):
    def backward(self, dy):
        x, y = self.cache
        self.cache = None
        return dy * (1.0 - y**2) * self.w + x


class Asked(Tanh):
    def forward(self, x):
        if self.cache is None:
            self.cache = (x, np.tanh(self.w * x))
        x, y = self.cache
        return x + y


class Nested(Tanh):
    def forward(self, x):
        y = np.tanh(self.w * x)
        self.cache = (x, (y, y * self.w))
        return y

    def backward(self, dy):
        x, (y, z) = self.cache
        return dy * y * z + x


class Network:
    def __init__(self, w, v):
        self.layers = [Tanh(w), Tanh(v)]

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def backward(self, dy):
        for layer in reversed(self.layers):
            dy = layer.backward(dy)
        return dy


def forward(cls):
    def f(w, x):
        return np.sum(cls(w).forward(x))

    return f


def twice(cls):
    def f(w, x):
        layer = cls(w)
        y = layer.forward(x)
        return np.sum(layer.forward(y * y))

    return f


def both_ways(cls):
    def f(w, x):
        layer = cls(w)
        y = layer.forward(x)
        return np.sum(layer.backward(np.cos(y)) ** 2)

    return f


def again_and_again(cls):
    def f(w, x):
        layer = cls(w)
        for k in range(3):
            y = layer.forward(x)
            x = x + 0.1 * layer.backward(y) * (k + 1)
        return np.sum(x * y)

    return f


def a_network(w, x):
    net = Network(w, 0.5 + w * w)
    return np.sum(net.backward(np.sin(net.forward(x))) ** 2)


FUNCTIONS: dict[str, Any] = {"a_network": a_network}
for make in (forward, twice, both_ways, again_and_again):
    for cls in (Tanh, Shaped, Reset, Nested):
        FUNCTIONS[f"{make.__name__}_{cls.__name__}"] = make(cls)
FUNCTIONS["forward_Asked"], FUNCTIONS["twice_Asked"] = forward(Asked), twice(Asked)


REFUSED = {
    "both_ways_Reset": "one form here and another there",
    "again_and_again_Reset": "None on the first trip",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_none_again_or_on_a_first_trip_is_refused(name):
    with pytest.raises(NotDifferentiable, match=REFUSED[name]):
        grad(FUNCTIONS[name])(1.3, X)


@pytest.mark.parametrize("name", sorted(FUNCTIONS.keys() - REFUSED))
def test_made_inside(name):
    check_with_a_number(FUNCTIONS[name], 1.3, X)


def through(layer, x):
    return np.sum(layer.forward(x) ** 2)


def there_and_back(layer, x):
    y = layer.forward(x)
    return np.sum(layer.backward(np.cos(y)) ** 2)


@pytest.mark.parametrize("used", [False, True], ids=["new", "used"])
@pytest.mark.parametrize("f", [through, there_and_back])
@pytest.mark.parametrize("cls", [Tanh, Shaped, Reset, Nested])
def test_given(cls, f, used):
    if f is there_and_back and (cls is Reset or (cls is Shaped and used)):
        f = through  # the way back is refused: it stores None, or a shape is asked of what varies

    def made(w):
        layer = cls(w)
        if used:
            layer.forward(2 * X)
        return layer

    step = 1e-6
    slope = (f(made(1.3 + step), X) - f(made(1.3 - step), X)) / (2 * step)
    along = (f(made(1.3), X + step) - f(made(1.3), X - step)) / (2 * step)
    layer = made(1.3)
    before = repr(vars(layer))
    np.testing.assert_allclose(np.sum(grad(f, wrt=1)(layer, X)), along, rtol=1e-6)
    np.testing.assert_allclose(grad(f)(layer, X).w, slope, rtol=1e-6)
    assert repr(vars(layer)) == before


class Cached:
    """A layer that keeps what it needs under keys, or attributes, that it has not from the start."""

    def __init__(self, w):
        self.w = w
        self.cache = {}

    def forward(self, x):
        self.cache["x"] = x
        self.cache["y"] = np.tanh(self.w * x)
        return self.cache["y"]

    def energy(self):
        return np.sum(self.cache["x"] * self.cache["y"])


class Replaced(Cached):
    def forward(self, x):
        self.cache = {"x": x, "y": self.w * x}
        return np.sin(self.cache["y"])


class Paired:
    def __init__(self, w):
        self.w = w

    def forward(self, x):
        self.pair = (x, self.w * x)
        return np.cos(self.pair[1])

    def energy(self):
        return np.sum(self.pair[0] * self.pair[1])


class CachedLayers:
    def __init__(self, *sizes):
        self.count = len(sizes)
        self.layers = []
        for k, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
            self.layers.append(Cached(a / b + k))

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x


def _made(sizes):
    return [Replaced(size) for size in sizes]


IN_TURN: list[Any] = []
in_turn = kept_in(IN_TURN)


@in_turn
def appended(x):
    layers = []
    layers.append(Cached(1.5))
    layers.append(Cached(x[0]))
    for layer in layers:
        x = layer.forward(x)
    return np.sum(x * x) + layers[0].energy()


@in_turn
def appended_in_a_loop(x):
    layers = []
    for k, w in enumerate([0.7, 1.2]):
        layers.append(Replaced(w + k))
    for layer in layers:
        x = layer.forward(x)
    return np.sum(x * x) + sum(layer.energy() for layer in layers)


@in_turn
def pairs_that_come_later(x):
    layers = []
    for w in (0.7, x[1]):
        layers.append(Paired(w))
    for layer in layers:
        x = layer.forward(x)
    return np.sum(x * x) + layers[1].energy()


@in_turn
def appended_by_an_object(x):
    net = CachedLayers(2.0, 3.0, 1.0)
    y = net.forward(x)
    return np.sum(y * y) * net.count + net.layers[1].energy()


@in_turn
def comprehended_by_a_helper(x):
    layers = _made([0.4, 1.3])
    for layer in layers:
        x = layer.forward(x)
    return np.sum(x * x) - layers[0].energy()


@pytest.mark.parametrize("f", IN_TURN, ids=named)
def test_put_into_lists_in_turn(f):
    check_along(f, X, X_DOT)
