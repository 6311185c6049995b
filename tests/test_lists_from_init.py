"""Lists that what is called fills with what varies, and arrays of objects in stores, as classes have them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, each_refused, kept_in, named, refused_in

from tangentish import grad, vjp

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
P, P_DOT = np.array([0.7, 0.4, 0.9]), np.array([1.0, -2.0, 0.5])

WHICH = "it is not known which list this is"
STEPS = "what is stored is a view of the same array in other steps"


class Grid:
    def __init__(self, data):
        self.data = data

    def bc(self):
        self.data[-1, :] = self.data[-2, :]


class G2:
    def __init__(self, u):
        self.u = u * 1.0

    def bc(self):
        self.u[0] = self.u[1]
        self.u[-1] = self.u[-2]
        self.u[:1] = self.u[-2:-1]


class M:
    def __init__(self, w):
        self.ws = [w[0], w[1]]

    def __call__(self, x):
        for w in self.ws:
            x = np.tanh(w * x)
        return x


class Net:
    def __init__(self, w):
        self.layers = [(w[0], w[1]), (w[1], w[2])]

    def run(self, x):
        for a, b in self.layers:
            x = np.tanh(a * x + b)
        return x


@kept_in(RIGHT)
def the_last_row_as_the_one_before(u):
    g = Grid(np.outer(u, u) * 1.0)
    g.bc()
    return np.mean(g.data**2)


@kept_in(RIGHT)
def ends_as_their_neighbours(u):
    g = G2(u)
    g.bc()
    return np.mean(g.u**2)


@kept_in(RIGHT)
def made_where_it_is_called(p):
    return M(p)(0.5)


@kept_in(RIGHT)
def pairs_in_a_list(p):
    n = Net(p)
    return n.run(0.3) + n.run(0.1)


class Widget:
    def __init__(self, p):
        self.a = [p[0], p[1]]
        self.b = self.a
        self.c = {"k": [p[1], p[2]]}
        self.d = [[p[0], p[1]], [p[2], p[0]]]

    def loop(self):
        t = 0.0
        for v in self.c["k"]:
            t += v * v
        return t

    def loop_a(self):
        t = 0.0
        for v in self.a:
            t += v * v
        self.b.append(t)
        return t

    def loop_d(self):
        t = 0.0
        for r in self.d:
            for v in r:
                t += v * v
        return t


class Poly:
    def __init__(self, cs):
        self.cs = cs

    def __call__(self, x):
        r = 0.0
        for c in reversed(self.cs):
            r = r * x + c
        return r

    def deriv(self):
        return Poly([k * c for k, c in enumerate(self.cs)][1:])


class Ens:
    def __init__(self, p):
        self.nets = [M(p), M(p * 2)]

    def __call__(self, x):
        return sum(n(x) for n in self.nets)


class RKc:
    A = [[], [0.5], [0.0, 0.5]]
    B = [1 / 6, 1 / 3, 0.5]

    def __init__(self, f):
        self.f = f

    def step(self, y, h):
        ks = []
        for row in self.A:
            ks.append(self.f(y + h * sum(a * k for a, k in zip(row, ks))))
        return y + h * sum(b * k for b, k in zip(self.B, ks))


@kept_in(RIGHT)
def in_a_dict_of_an_object(p):
    w = Widget(p)
    return w.loop() + w.loop()


@refused(WHICH)
def under_two_names(p):
    w = Widget(p)
    return w.loop_a() + sum(w.a)


@kept_in(RIGHT)
def lists_in_a_list(p):
    w = Widget(p)
    return w.loop_d()


@kept_in(RIGHT)
def made_by_a_method(p):
    f = Poly([p[0], p[1], p[2], 1.0])
    return f(0.5) * f.deriv()(0.3)


@kept_in(RIGHT)
def stored_to_from_outside(p):
    f = Poly(list(p))
    g = f.deriv()
    for i in range(3):
        g.cs[0] = g.cs[0] * f(0.1)
    return g(0.5)


@kept_in(RIGHT)
def objects_with_lists_in_a_list(p):
    e = Ens(p)
    return e(0.3) * e(0.5)


@kept_in(RIGHT)
def lists_of_a_class(p):
    r = RKc(lambda y: -p * y)
    return np.sum(r.step(p, 0.1) ** 2)


class R1:
    C = [0, 0.5]

    def __init__(self, k):
        self.k = k

    def step(self, y):
        for c in self.C:
            y = y + c * self.k * y
        return y


@kept_in(RIGHT)
def numbers_of_a_class(p):
    return np.sum(R1(p[0]).step(p))


class Strided:
    def __init__(self, y):
        self.y = y
        self.z = y[::2]

    @property
    def w(self):
        return self.y[::2]

    def go(self):
        self.y[1:5] = self.z[0:4]

    def go2(self):
        self.y[1:5] = self.w[0:4]

    def go3(self):
        self.y[1:5] = self.y[0:4]
        self.z[1:3] = self.z[:2]


@refused(STEPS)
def other_steps_in_a_dict(x):
    y = np.concatenate((x, x * 2, x**2))
    d = {"a": y, "b": y[::2]}
    d["a"][:4] = d["b"][1:5]
    return np.sum(y * np.arange(9.0))


@refused(STEPS)
def other_steps_in_a_list(x):
    y = np.concatenate((x, x * 2, x**2))
    l = [y, y[::2]]
    l[0][1:5] = l[1][0:4]
    return np.sum(y * np.arange(9.0))


@refused(STEPS)
def other_steps_by_a_property(x):
    o = Strided(np.concatenate((x, x * 2, x**2)))
    o.go2()
    return np.sum(o.y * np.arange(9.0))


@kept_in(RIGHT)
def rows_of_a_list(x):
    l = [x * 1.0, x * 2.0]
    for i in range(2):
        l[i][1:] = l[i][:-1]
    return np.sum(l[0] * l[1])


class Layer:
    def __init__(self, w):
        self.w = w
        self.x = None

    def forward(self, x):
        self.x = x
        return self.w * x


def run(layers, x):
    for layer in layers:
        x = layer.forward(x)
    return x * layers[0].x


@kept_in(RIGHT)
def none_at_first(p):
    layers = [Layer(w) for w in p]
    x = p[0]
    for _ in range(2):
        x = run(layers, x)
    return x


class Walk:
    def __init__(self, x):
        self.x = x * 1.0
        self.seen = []

    def step(self, a):
        self.x = self.x * a
        self.seen.append(self.x)

    def walk(self, steps):
        for a in steps:
            self.step(a)

    def mean(self):
        return sum(np.sum(v * v) for v in self.seen)


def push(xs, v):
    xs.append(v * v)
    return np.sum(v)


def push_many(xs, v, n):
    for k in range(n):
        push(xs, v * (k + 1))


@kept_in(RIGHT)
def a_history(p):
    w = Walk(p)
    w.walk(p)
    w.walk([0.5, p[1]])
    return w.mean() + np.sum(w.seen[1])


@kept_in(RIGHT)
def grown_and_changed_in_between(p):
    xs = [p * 1.0]
    t = 0.0
    for k in range(3):
        t += push(xs, xs[-1] * p[k]) * np.sum(xs[0])
        xs[0] *= 0.5
    return t + sum(np.sum(v) for v in xs)


@kept_in(RIGHT)
def grown_by_callees_of_callees(p):
    xs = []
    push_many(xs, p, 3)
    for v in xs:
        v *= v
    push_many(xs, xs[0], 2)
    xs[0][1] = 3.0
    push_many(xs, xs[0], 2)
    return sum(np.sum(v) for v in xs)


@kept_in(RIGHT)
def the_first_goes_when_more_come(p):
    xs = []
    for k in range(3):
        push(xs, p)
        if len(xs) > 2:
            xs.pop(0)
        xs[0][k] *= p[k]
    return sum(np.sum(v * (j + 1)) for j, v in enumerate(xs))


@pytest.mark.parametrize("function", RIGHT[-4:], ids=named)
def test_pullbacks_may_be_called_again(function: Callable[..., Any]) -> None:
    _, pullback = vjp(function, P.copy())
    first, again, twice = pullback(1.0)[0], pullback(1.0)[0], pullback(2.0)[0]
    np.testing.assert_array_equal(first, again)
    np.testing.assert_allclose(twice, 2 * first)


def test_histories_are_not_copied_step_by_step() -> None:
    text = grad(a_history).source(P)
    assert "seen.copy" not in text and "set_items" not in text and "copy_shared" not in text


@pytest.mark.parametrize("function", RIGHT, ids=named)
@pytest.mark.parametrize("p", [P, -P[::-1]])
def test_right(function: Callable[..., Any], p: np.ndarray) -> None:
    check_along(function, p, P_DOT)


test_refused = each_refused(REFUSED, P)
