"""A value that several lines compute is computed once, and has one name, as long as nothing of it changes between them."""

from __future__ import annotations

import numpy as np
from every_mode import each_right, kept_in

from tangentish import grad

RIGHT = []
right = kept_in(RIGHT)
X, X_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([0.3, -0.7, 0.5, 0.2])


@right
def written_between(x):
    a = x * 1.0
    s = np.sum(np.exp(a[1:] * 0.5) * x[1:])
    a[1] = 3.0 * x[0]
    s += np.sum(np.exp(a[1:] * 0.5) * x[1:])
    return s


@right
def alias_between(x):
    a = x * 1.0
    b = a[1:]
    s = np.sum(np.exp(b * 0.5) * x[1:])
    a[1] = 3.0 * x[0]
    s += np.sum(np.exp(b * 0.5) * x[1:])
    return s


def poke(a, v):
    a[1] = v


@right
def written_by_helper(x):
    a = x * 1.0
    s = np.sum(np.exp(a * 0.5) * x)
    poke(a, 3.0 * x[0])
    s += np.sum(np.exp(a * 0.5) * x)
    return s


@right
def in_branch(x):
    s = 0.0
    for i in range(3):
        if x[i] > 0.5:
            s += np.exp(x[i] * 2) * x[0]
        s += np.exp(x[i] * 2) * x[1]
        x = x * 1.01
        s += np.exp(x[i] * 2) * x[1]
    return s


@right
def guarded(x):
    s = 0.0
    for v in x:
        s += (np.log(v * 1.0) * v if v > 0.5 else v * v) * 2
        w = v + 0.1
        s += np.log(v * 1.0) * w + np.log(v * 1.0) * v
    return s


@right
def closure_rebinds(x):
    k = 1.0

    def more():
        nonlocal k
        k = k + x[0]
        return k

    s = np.exp(k * 0.5) * x[1]
    s += more()
    s += np.exp(k * 0.5) * x[1]
    return s


class Pair:
    def __init__(self, w):
        self.w, self.c = w, w * 1.0

    def bump(self, v):
        self.w = self.w * v
        self.c[0] = v


@right
def attributes(x):
    p = Pair(x)
    s = np.sum(np.sin(p.w * 2.0) * p.c)
    p.bump(x[1])
    s += np.sum(np.sin(p.w * 2.0) * p.c)
    s += np.sum(np.sin(p.w * 2.0) * np.cos(p.c * 1.0) * np.cos(p.c * 1.0))
    return s


@right
def sorted_between(x):
    a = x * 1.0
    s = np.sum(np.exp(a * 0.5) * x)
    a.sort()
    s += np.sum(np.exp(a * 0.5) * x)
    a *= x
    s += np.sum(np.exp(a * 0.5) * x)
    return s


@right
def whole_line(x):
    a = np.exp(x * 0.5)
    b = np.exp(x * 0.5) * x
    c = np.exp(x * 0.5) * a
    return np.sum(a * b * c)


@right
def in_while(x):
    s, k = x[0], 0
    while s < 9.0:
        t = np.sqrt(s * x[1]) * x[2]
        s = s + np.sqrt(s * x[1]) + t
        s = s * (1.0 + 0.1 * np.sqrt(s * x[1]))
    return s * s


@right
def with_list(x):
    xs = [x[0], x[1]]
    s = np.exp(xs[0] * 2) * x[1]
    xs[0] = x[2]
    s += np.exp(xs[0] * 2) * x[1]
    return s


@right
def read_by_the_forward_pass_alone(x):
    m = np.mean(x)
    v = np.sum((x - m) ** 2)
    z = (x - m) / (v + 1.0)
    z[0] *= x[1]
    x = x * 2.0
    z += np.sqrt(2.0 * np.pi) * (x - m) * v
    return np.sum(z * z) * np.sqrt(2.0 * np.pi)


test_right = each_right(RIGHT, X, X_DOT)


def weights(x, y):
    w = (1 - x) * (1 - y)
    v = x * (1 - y)
    return w * v + np.sqrt(x * y) * w - v * np.sqrt(x * y)


def roots_and_powers(function, *args, wrt=0):
    """The lines of the generated text that compute a root or an exponential."""
    lines = grad(function, wrt=wrt).source(*args).splitlines()
    return [line for line in lines if ("np.sqrt(" in line or "np.exp(" in line) and "#" not in line]


def test_computed_once():
    assert len(roots_and_powers(weights, 0.3, 0.6, wrt=(0, 1))) == 1


def call_price(s, sigma, rate, k, years):
    d = (np.log(s / k) + rate * years) / (sigma * np.sqrt(years))
    return s * np.tanh(d) - k * np.tanh(d - sigma * np.sqrt(years))


def test_computed_once_where_only_the_forward_pass_reads_it_again():
    assert len(roots_and_powers(call_price, 1.1, 0.3, 0.1, 0.9, 2.0, wrt=(0, 1, 2))) == 1
    assert grad(read_by_the_forward_pass_alone).source(X).count(" = x - m") == 1


def test_computed_again_where_something_changed():
    assert len(roots_and_powers(written_between, X)) == 2
    assert len(roots_and_powers(sorted_between, X)) == 3
