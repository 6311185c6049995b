"""Loops and comprehensions along dicts or objects and what stands beside them: arrays, lists, tuples and ranges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

from tangentish import grad, value_and_grad

Function = Callable[..., Any]
RIGHT: list[Function] = []
X, X_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([0.3, -0.2, 0.5, 0.1])
WEIGHTS, PAIR = [0.4, 0.5], (1.0, 2.0)


class Dense:
    def __init__(self, w, b):
        self.w = w
        self.b = b

    def __call__(self, s):
        return np.tanh(self.w * s + self.b)

    def add(self, s):
        self.b = self.b + s
        return self.b


class Square:
    def __init__(self, w):
        self.w = w

    def __call__(self, s):
        return self.w * s**2

    def add(self, s):
        self.w = self.w * s
        return self.w


class Mix:
    def __init__(self, w, parts):
        self.w = w
        self.parts = parts

    def __call__(self, s):
        return sum(w * p(s) for w, p in zip(self.w, self.parts))


def layers_of(x):
    return [Dense(x[0], x[1]), Square(x[2])]


def weights():
    return [0.1, 0.2]


def softmax(x):
    e = np.exp(x)
    return e / e.sum()


@kept_in(RIGHT)
def constants_first(x):
    return sum(w * layer(x[0]) for w, layer in zip([0.3, 0.4], layers_of(x)))


@kept_in(RIGHT)
def an_array_first(x):
    layers = layers_of(x)
    return sum([w * layer(x[0]) for w, layer in zip(x, layers)])


@kept_in(RIGHT)
def in_a_class(x):
    return Mix(x[:2] * 2, [Dense(x[0], x[1]), Dense(x[2], x[3])])(x[1])


@kept_in(RIGHT)
def what_calls_give(x):
    layers = layers_of(x)
    s = sum(w * layer(x[0]) for w, layer in zip(softmax(x), layers))
    for w, layer in zip(np.exp(x[1:]), layers):
        s += w * layer(w)
    return s + sum(w * layer(x[1]) for w, layer in zip(weights(), layers))


@kept_in(RIGHT)
def objects_that_calls_give(x):
    s = sum(layer(x[0]) for layer in layers_of(x))
    for k, layer in enumerate(layers_of(x)):
        s += k * layer(x[1])
    return s + sum(layer(v) for v, layer in zip(x, [Dense(x[0], x[1]), Square(x[2])]))


@kept_in(RIGHT)
def lists_and_ranges(x):
    layers, scaled = layers_of(x), [v * x[0] for v in x]
    s = sum(w * layer(x[0]) for w, layer in zip(scaled, layers))
    s += sum(k * layer(x[0]) for k, layer in zip(range(1, len(x)), layers))
    return s + sum(w * v * layer(x[0]) for w, v, layer in zip(WEIGHTS, PAIR, layers))


@kept_in(RIGHT)
def counted(x):
    layers, s = layers_of(x), 0.0
    for i, (w, layer) in enumerate(zip(x, layers), 1):
        s += i * w * layer(w)
    return s * sum(u * layer(w) for u, (w, layer) in zip(x[2:], zip(x, layers)))


@kept_in(RIGHT)
def one_in_another(x):
    layers = layers_of(x)
    s = sum(w * layer(w) for w in x for layer in layers)
    s += sum(k * layer(w) for k in range(3) for w, layer in zip(x, layers))
    rows = np.array([[layer(w) * v for v in x] for w, layer in zip(x[1:] ** 2, layers)])
    return (
        s * np.array([[layer(w) * v for v in x] for w, layer in zip(x, layers)]).sum() + rows[0, 1]
    )


@kept_in(RIGHT)
def summed_from_a_start(x):
    layers = layers_of(x)
    s = sum((layer(w) * x for w, layer in zip(x[:0], layers)), np.zeros(4))
    s = sum((layer(w) * x for w, layer in zip(x, layers)), s + x)
    return np.sum(s) + sum((layer.add(w) for w, layer in zip(x, layers)), layers[0].b) * layers[1].w


@kept_in(RIGHT)
def changed_on_the_way(x):
    layers, w, s = layers_of(x), np.exp(x), 0.0
    for i, (v, layer) in enumerate(zip(w, layers)):
        s += layer(v)
        w[i + 1] = s
        layer.add(v)
    return s * w[1] * w[2] * layers[0].b * layers[1].w


@kept_in(RIGHT)
def shorter_and_longer_on_the_way(x):
    layers, few, many, s = layers_of(x), [v * x[0] for v in x], [x[0]], 0.0
    for v, layer in zip(few, layers):
        s += layer(v)
        few.pop()
        few.pop()
        few.pop()
    for v, layer in zip(many, layers):
        s += layer(v)
        many.append(s)
    return s * many[-1]


@kept_in(RIGHT)
def bound_anew_on_the_way(x):
    layers, w, s = layers_of(x), x * 2, 0.0
    for v, layer in zip(w, layers):
        w = w * layer(v)
        s += w.sum()
    return s + w[0]


@kept_in(RIGHT)
def left_early(x):
    layers, s = layers_of(x), 0.0
    for v, layer in zip(x * 2, layers):
        if v < 1.0:
            break
        s += layer(v)
    return s * v


@kept_in(RIGHT)
def of_no_length(x):
    layers, s = layers_of(x), x[0]
    for v, layer in zip(x[4:], layers):
        s += layer(v)
    return s + max(layer(v) for v, layer in zip(x, layers))


@kept_in(RIGHT)
def constants_changed_on_the_way(x):
    layers, numbers, s = layers_of(x), [k * 1.0 for k in range(4)], 0.0
    for n, v, layer in zip(numbers, x[1:], layers):
        numbers[1] = 5.0
        s += n * layer(v)
    return s * numbers[1]


@kept_in(RIGHT)
def sorted_beside(x):
    return sum(w * layer(x[0]) for w, layer in zip(sorted([0.1, 0.2]), layers_of(x)))


test_right = each_right(RIGHT, X, X_DOT)


class Option:
    def __init__(self, k, kind="call"):
        self.k = k
        self.kind = kind

    def price(self, s):
        return (s - self.k) * (1 if self.kind == "call" else -1)


def book(options, s, quantities):
    return sum(q * o.price(s) for q, o in zip(quantities, options))


def test_objects_that_are_given() -> None:
    options = [Option(1.0), Option(2.0, "put")]
    for quantities in ([2, -1], (2.0, -1.0), np.array([2.0, -1.0])):
        d_options, ds = grad(book, wrt=(0, 1))(options, 3.0, quantities)
        assert [o.k for o in d_options] == [-2.0, -1.0]
        assert ds == 3.0
    value, d_options = value_and_grad(book)(options, 3.0, np.array([2.0]))
    assert value == 4.0
    assert [o.k for o in d_options] == [-2.0, 0.0]


def test_text() -> None:
    source = grad(an_array_first).source(X)
    assert "if len(x) > 1:" in source
    assert "t = x" not in source
