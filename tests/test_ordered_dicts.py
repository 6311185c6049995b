"""Ordered dicts: those that a function makes are plain ones to it, where it asks what these answer alike."""

from __future__ import annotations

import collections
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_refused, each_right, kept_in, refused_in

from tangentish import NotDifferentiable, grad, hvp, jvp, vjp

Function = Callable[..., Any]
RIGHT: list[Function] = []
REFUSED: list[tuple[Function, str]] = []
KEPT_ORDERED = "stores of differentiated values into lists, dicts and objects"
X, X_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([0.3, -0.2, 0.5, 0.1])


def split(x):
    parts = OrderedDict()
    parts["low"] = x[:2] ** 2
    parts["high"] = np.sin(x[2:])
    return parts


@kept_in(RIGHT)
def stored_by_key(x):
    d = collections.OrderedDict()
    d["a"] = x * 2
    d["b"] = np.sin(x)
    d["a"] *= d["b"]
    return np.sum(d["a"] * d["b"])


@kept_in(RIGHT)
def made_of_pairs(x):
    d = OrderedDict([("a", x[0]), ("b", x[1] ** 2)])
    e = OrderedDict(a=x[2], b=d["a"])
    f = OrderedDict([("a", x[3])], c=e["b"])
    return d["b"] * e["a"] * f["a"] + f["c"] ** 3


@kept_in(RIGHT)
def run_over(x):
    d = OrderedDict([("a", x[0]), ("b", x[1])])
    d["c"] = x[2]
    total = 0.0
    for k, (name, value) in enumerate(d.items()):
        total += (k + 1) * value ** (2 if name == "b" else 3)
    if "a" in d:
        total *= d.pop("a")
    return total * sum(d.values())


@kept_in(RIGHT)
def of_computed_keys(x):
    d = OrderedDict()
    for k in range(4):
        d[k] = x[k] ** 2
    return sum((k + 1) * d[k] for k in reversed(d))


@kept_in(RIGHT)
def in_a_branch(x):
    out = x
    if x[0] > 0.1:
        d = OrderedDict()
        d["y"] = x**3
        out = d["y"]
    return np.sum(out * x)


@refused_in(REFUSED)("write a dict")
def moved_to_the_end(x):
    d = OrderedDict([("a", x[0]), ("b", x[1])])
    d.move_to_end("a")
    total = 0.0
    for k, value in enumerate(d.values()):
        total += (k + 1) * value**2
    return total


@refused_in(REFUSED)("write a dict")
def asked_for_its_class(x):
    d = OrderedDict(a=x[0])
    return d["a"] ** 2 if isinstance(d, OrderedDict) else d["a"]


@refused_in(REFUSED)(KEPT_ORDERED)
def asked_for_its_class_by_the_caller(x):
    d = split(x)
    return np.sum(d["low"]) ** 2 if type(d) is OrderedDict else x[0]


@refused_in(REFUSED)(KEPT_ORDERED)
def compared_by_the_caller(x):
    a, b = split(x), split(2 * x)
    return x[0] if a == b or hasattr(a, "move_to_end") else x[1]


@refused_in(REFUSED)("write a dict")
def compared_in_order(x):
    d, e = OrderedDict(a=x[0], b=1.0), {"b": 1.0, "a": x[0]}
    return d["a"] ** 2 if d == OrderedDict(e) else d["a"]


def kept_outside(x):
    global KEPT
    KEPT = OrderedDict()
    KEPT["a"] = 3
    return x**2


KEPT: Any = None


def test_what_others_see_stays_ordered():
    assert grad(kept_outside)(1.5) == 3.0
    assert type(KEPT) is OrderedDict


W = OrderedDict(first=np.array([[0.4, -0.2], [0.3, 0.6]]), second=np.array([[0.5], [-0.7]]))
ROWS = np.array([[0.7, 0.4], [0.9, 0.55], [-0.3, 0.2]])


class Layer:
    def __init__(self, w, bend):
        self.w, self.bend = w, bend

    def forward(self, x):
        self.x = x
        return np.tanh(x @ self.w) if self.bend else x @ self.w


class Net:
    def __init__(self, params):
        self.params = params
        self.layers = OrderedDict()
        self.layers["first"] = Layer(params["first"], True)
        self.layers["second"] = Layer(params["second"], False)

    def predict(self, x):
        for layer in self.layers.values():
            x = layer.forward(x)
        return x

    def loss(self, x):
        return np.sum(self.predict(x) ** 2)


def by_names(params, x):
    return np.sum((np.tanh(x @ params["first"]) @ params["second"]) ** 2)


def in_turn(params, x):
    for name, w in params.items():
        x = np.tanh(x @ w) if name == "first" else x @ w
    return np.sum(x**2)


def through_a_helper(params, x):
    return in_turn(params, x) if isinstance(params, OrderedDict) else 0.0


def slopes(f: Function, params: Any, x: Any) -> dict[str, Any]:
    found = {}
    for name, w in params.items():
        found[name] = np.zeros_like(w)
        for place in np.ndindex(w.shape):
            step = np.zeros_like(w)
            step[place] = 1e-6
            up, down = ({**params, name: w + s} for s in (step, -step))
            found[name][place] = (f(OrderedDict(up), x) - f(OrderedDict(down), x)) / 2e-6
    return found


@pytest.mark.parametrize("f", [by_names, in_turn, through_a_helper])
def test_one_that_is_given_is_a_dict(f):
    gradient, expected = grad(f)(W, ROWS), slopes(f, W, ROWS)
    assert list(gradient) == ["first", "second"]
    moved = OrderedDict((name, np.cos(w)) for name, w in W.items())
    value, pull = vjp(f, W, ROWS)
    slope = jvp(f, (W, ROWS), (moved, np.zeros_like(ROWS)))[1]
    assert value == f(W, ROWS)
    for name in W:
        np.testing.assert_allclose(gradient[name], expected[name], rtol=1e-6)
        np.testing.assert_allclose(pull(2.0)[0][name], 2 * expected[name], rtol=1e-6)
    np.testing.assert_allclose(slope, sum(np.sum(expected[n] * moved[n]) for n in W), rtol=1e-6)
    product = hvp(f)(W, moved, ROWS)
    up, down = (OrderedDict((n, w + s * moved[n]) for n, w in W.items()) for s in (1e-5, -1e-5))
    for name in W:
        expected_product = (grad(f)(up, ROWS)[name] - grad(f)(down, ROWS)[name]) / 2e-5
        np.testing.assert_allclose(product[name], expected_product, rtol=1e-6, atol=1e-9)


def test_one_that_an_object_holds_is_run_over():
    net = Net(W)
    steps = 1e-6 * np.eye(2)
    expected = [
        [
            (by_names(W, ROWS + np.outer(e, s)) - by_names(W, ROWS - np.outer(e, s))) / 2e-6
            for s in steps
        ]
        for e in np.eye(3)
    ]
    np.testing.assert_allclose(grad(net.loss)(ROWS), expected, rtol=1e-6)
    np.testing.assert_allclose(grad(Net.loss, wrt="x")(net, ROWS), expected, rtol=1e-6)
    gradient = grad(Net.loss, wrt="self")(net, ROWS)
    for name, slope in slopes(by_names, W, ROWS).items():
        np.testing.assert_allclose(gradient.layers[name].w, slope, rtol=1e-6)


@pytest.mark.parametrize(
    "f",
    [
        lambda p: p["a"] * 3 if p == OrderedDict(b=2.0, a=1.0) else p["a"] * 5,
        lambda p: p["a"] * 3 if type(p) is OrderedDict else p["a"] * 5,
        lambda p: p["a"] * 3 if p.move_to_end("a") is None else p["a"] * 5,
        lambda p: p.popitem(last=False)[1] ** 2,
    ],
)
def test_what_tells_it_from_a_dict_is_refused(f):
    with pytest.raises(NotDifferentiable):
        grad(f)(OrderedDict(a=1.0, b=2.0))


def test_it_is_told_from_a_dict():
    def f(p):
        return p["a"] * 3 if isinstance(p, OrderedDict) else p["a"] * 5

    assert grad(f)(OrderedDict(a=1.0)) == {"a": 3.0}
    assert grad(f)({"a": 1.0}) == {"a": 5.0}
    assert grad(f)(OrderedDict(a=1.0)) == {"a": 3.0}


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)
