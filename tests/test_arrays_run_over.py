"""Loops that write to the arrays of a list, which are read under names of their own as well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

RIGHT: list[Callable[..., Any]] = []
keep = kept_in(RIGHT)
X, X_DOT = np.array([0.7, -0.4, 1.3, 0.9]), np.array([1.0, -2.0, 0.5, 0.3])


@keep
def descended(x):
    w, b = x.copy(), x[:2] * 2
    params = [w, b]
    for _ in range(3):
        grads = [2 * w, b**2]
        for p, g in zip(params, grads):
            p -= 0.1 * g
    return np.sum(w**2) + np.sum(b)


@keep
def by_their_places(x):
    w, b = x.copy(), x[:2] * 2
    params = [w, b]
    for i in range(len(params)):
        params[i] *= 1 + x[i] * w[0]
    return np.sum(w**2) + np.sum(b)


def scale(p, g):
    p *= 1 + g


@keep
def by_a_helper_until_one_is_small(x):
    w, b, c = x.copy(), x[:2] * 2, x * x[0]
    for i, p in enumerate([w, b, c]):
        scale(p, x[i])
        if np.sum(p) < 1.0:
            break
        p[i] += w[0]
    p[0] = x[1]
    return np.sum(w**2) + np.sum(b) + np.sum(c**2)


@keep
def parts_that_overlap(x):
    w = x.copy()
    for p in [w[:3], w[1:], w]:
        p *= x[0]
        p += w[2]
    return np.sum(w**2)


class Momentum:
    def __init__(self, params, rate):
        self.params, self.rate = params, rate
        self.m = [np.zeros_like(p) for p in params]

    def step(self, grads):
        for i, (p, g) in enumerate(zip(self.params, grads)):
            self.m[i] = 0.9 * self.m[i] + g
            p -= self.rate * self.m[i]


@keep
def by_an_optimiser(x):
    w, b = x.copy(), x[:2] * 2
    optimiser = Momentum([w, b], x[3])
    for _ in range(2):
        optimiser.step([2 * w, b**2])
    return np.sum(w**2) + np.sum(b)


class Model:
    def __init__(self, w, b):
        self.w, self.b = w, b
        self.params = [self.w, self.b]


@keep
def those_of_a_model(x):
    model = Model(x.copy(), x[:2] * 2)
    for p, g in zip(model.params, [2 * model.w, model.b**2]):
        p -= x[1] * g
    return np.sum(model.w**2) + np.sum(model.b)


@keep
def put_in_line_by_line(x):
    w, b = x.copy(), x[:2] * 2
    params = [w]
    total = np.sum(w)
    params += [b]
    b = b * total
    params.append(b * w[0])
    for p in params:
        p *= x[0]
    return np.sum(w**2) + np.sum(b) + np.sum(params[2])


class Layer:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def params(self):
        return [self.w, self.b]


class Layers:
    def __init__(self, *layers):
        self.layers = layers

    def params(self):
        return [p for layer in self.layers for p in layer.params()]

    def all_params(self):
        found = []
        for layer in self.layers:
            found.extend(layer.params())
        return found


@keep
def those_of_layers(x):
    net = Layers(Layer(x * 1.0, np.cos(x[:2])), Layer(x * 2.0, x[2:] * 1.0))
    for p in net.params():
        p -= x[0]
    for p in net.all_params():
        p *= x[1]
    first, second = net.layers
    return np.sum(first.w**2) + np.sum(second.w * first.b[0]) + np.sum(second.b**2)


def whole_and_rest(v):
    return v, v[1:]


@keep
def what_a_call_gives_twice(x):
    a, b = whole_and_rest(2 * x)
    b *= x[:3]
    a += b[0]
    return np.sum(a * x) + np.sum(b**2)


@keep
def what_is_split(x):
    a, b = np.split(x * x, 2)
    a += b
    return np.sum(a**2 * b)


@keep
def parts_of_lists(x):
    ps = [x * 1.0, x * 2.0, x[:3] * 3.0]
    for p in ps[1:]:
        p *= x[0]
    for p, q in zip(ps[1::-1], ps[2:]):
        p[:3] += q
    return sum(np.sum(p**2) for p in ps)


@keep
def parts_of_lists_that_change_meanwhile(x):
    ps = [x * 1.0, x * 2.0, x * 3.0]
    for i, p in enumerate(ps[1:]):
        p *= x[i]
        ps.append(p * 2)
    return sum(np.sum(p**2) for p in ps[:3])


@keep
def appended_by_trips_that_are_counted(x):
    ps = []
    for i in range(3):
        ps.append(np.ones(2) * x[i])
    for _ in range(2):
        for p, q in zip(ps[1:], ps):
            p += q * x[0]
    return sum(np.sum(p**2) for p in ps)


test_right = each_right(RIGHT, X, X_DOT)
