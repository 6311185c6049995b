"""Methods of an array that a call gives, where the call changes something: `layer.forward(x).sum()` makes attributes once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_with_a_number

X = np.array([0.7, 0.4, -0.9])
FUNCTIONS: list[Callable[..., Any]] = []


class Layer:
    def __init__(self, w):
        self.w = w
        self.c = w * np.ones(3)
        self.entries = {"a": w * np.ones(3)}
        self.history = []
        self.count = 0

    def forward(self, x):
        self.y = np.tanh(self.w * x)
        self.count += 1
        return self.y * 1.5 * self.count

    def other_entries(self, x):
        self.c = np.tanh(self.w * x)
        self.entries = {"a": self.c * 3, "b": x}
        return self.c * 1.5

    def noted(self, x):
        self.history.append(x * self.w)
        return self.history[-1] * len(self.history)


def put(entries, y):
    entries["b"] = y * entries["a"]
    return entries["b"] * 2


@FUNCTIONS.append
def makes_an_attribute(w, x):
    return Layer(w).forward(x).sum()


@FUNCTIONS.append
def makes_an_attribute_that_is_read(w, x):
    layer = Layer(w)
    return (layer.forward(x) * layer.y).sum() * layer.count


@FUNCTIONS.append
def gives_a_dict_other_keys(w, x):
    layer = Layer(w)
    return layer.other_entries(x).sum() + layer.entries["b"] @ layer.entries["a"]


@FUNCTIONS.append
def chooses_by_element(w, x):
    layer = Layer(w)
    return np.where(layer.c > 0, layer.other_entries(x), layer.c).sum()


@FUNCTIONS.append
def lengthens_a_list(w, x):
    layer = Layer(w)
    return layer.noted(x).reshape(3, 1).sum() * len(layer.history)


@FUNCTIONS.append
def stores_to_a_dict(w, x):
    entries = {"a": w}
    return put(entries, x).sum() * entries["b"][0]


@FUNCTIONS.append
def stores_to_a_captured_dict(w, x):
    entries = {"a": w}

    def step(y):
        entries["b"] = y * w
        return y * entries["a"]

    return step(x).sum() * entries["b"][0]


@FUNCTIONS.append
def one_after_the_other(w, x):
    layer = Layer(w)
    return (
        layer.forward(layer.forward(x).reshape(3)).dot(layer.forward(x).clip(-1, 1)) * layer.count
    )


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_right(f):
    check_with_a_number(f, 1.3, X)
