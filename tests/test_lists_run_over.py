"""Lists that change while a loop runs over them, by whatever name and through whatever call, and rows that are spread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
P, P_DOT = np.array([0.7, 0.4, 0.9]), np.array([1.0, -2.0, 0.5])

CHANGED = "a list is changed while the loop runs over it"


def push(xs, v):
    xs.append(v * v)


def popped(xs):
    return xs.pop()


class Net:
    def __init__(self, w):
        self.weights = [w[0], w[1]]
        self.outs = []

    def run(self, x):
        for w in self.weights:
            x = np.tanh(w * x)
            self.outs.append(x)
        return x


class Q:
    def __init__(self, p):
        self.q = [p[0], p[1]]
        self.out = []

    def add(self, v):
        if len(self.q) < 6:
            self.q.append(v)

    def note(self, v):
        self.out.append(v * v)

    def go(self):
        t = 0.0
        for v in self.q:
            t += v
            self.add(v * v)
        return t

    def go2(self):
        for v in self.q:
            self.note(v)
        return sum(self.out)


@kept_in(RIGHT)
def another_list_of_the_object(p):
    n = Net(p)
    return n.run(0.7) + sum(n.outs)


@refused(CHANGED)
def by_itself(p):
    xs = [p[0], p[1]]
    for v in xs:
        if len(xs) < 5:
            xs.append(v * v)
    return sum(xs)


@refused(CHANGED)
def taken_from(p):
    xs = [p[0], p[1], p[2]]
    ys = []
    for v in xs:
        ys.append(xs.pop())
    return sum(xs) * sum(ys)


@refused(CHANGED)
def by_a_function(p):
    xs = [p[0], p[1]]
    t = 0.0
    for v in xs:
        if len(xs) < 5:
            push(xs, v)
        t += v
    return t


@kept_in(RIGHT)
def a_copy_of_it(p):
    xs = [p[0], p[1]]
    t = 0.0
    for v in list(xs):
        t += v
        xs.append(v * v)
    return t + sum(xs)


@kept_in(RIGHT)
def a_slice_of_it(p):
    xs = [p[0], p[1]]
    t = 0.0
    for v in xs[:]:
        t += v
        push(xs, v)
    return t + sum(xs)


@kept_in(RIGHT)
def another_by_a_function(p):
    xs = [p[0], p[1]]
    ys = []
    for v in xs:
        push(ys, v)
    return sum(ys)


@refused(CHANGED)
def by_a_method(p):
    return Q(p).go()


@kept_in(RIGHT)
def another_by_a_method(p):
    q = Q(p)
    q.go2()
    return q.go2() * p[2]


@refused(CHANGED)
def taken_from_by_a_function(p):
    xs = [p[0], p[1], p[2]]
    t = 0.0
    for v in xs:
        t += v * popped(xs)
    return t


@refused(CHANGED)
def by_a_function_inside(p):
    xs = [p[0], p[1], p[2]]

    def grow(v):
        if len(xs) < 6:
            xs.append(v * v)
        return v

    t = 0.0
    for v in xs:
        t += grow(v)
    return t


@refused(CHANGED)
def in_a_sum(p):
    xs = [p[0], p[1], p[2]]

    def grow(v):
        if len(xs) < 6:
            xs.append(v * v)
        return v

    return sum(grow(v) for v in xs)


@refused(CHANGED)
def in_a_comprehension(p):
    xs = [p[0], p[1], p[2]]
    return sum([popped(xs) * v for v in xs])


@refused(CHANGED)
def with_its_places(p):
    xs = [p[0], p[1], p[2]]
    t = 0.0
    for i, v in enumerate(xs):
        t += v
        if i == 0:
            xs.insert(1, v * 2)
    return t


@refused(CHANGED)
def from_its_end(p):
    xs = [p[0], p[1], p[2]]
    t = 0.0
    for v in reversed(xs):
        t += v
        if len(xs) < 6:
            push(xs, v)
    return t + sum(xs)


@refused(CHANGED)
def by_another_name(p):
    xs = [p[0], p[1], p[2]]
    ys = [xs, xs]
    t = 0.0
    for v in xs:
        t += v
        if len(xs) < 5:
            push(ys[0], v)
    return t


@refused(CHANGED)
def along_another(p):
    xs = [p[0], p[1]]
    t = 0.0
    for v, w in zip(xs, p):
        t += v * w
        if len(xs) < 5:
            push(xs, v)
    return t


@kept_in(RIGHT)
def a_copy_by_its_method(p):
    xs = [p[0], p[1], p[2]]
    t = 0.0
    for v in xs.copy():
        t += v * xs[-1]
        xs.pop()
        xs.append(v * v)
    return t + sum(xs)


@kept_in(RIGHT)
def the_places_of_a_copy(p):
    xs = [p[0], p[1], p[2]]
    t = 0.0
    for i, v in enumerate(list(xs)):
        if i % 2 == 0:
            xs.remove(v) if False else xs.append(v * i)
        t += v * len(xs)
    return sum(xs) * t


@kept_in(RIGHT)
def slices_side_by_side(p):
    xs = [p[0], p[1], p[2]]
    t = 0.0
    for a, b in zip(xs[:], xs[1:]):
        xs.insert(0, a * b)
    return sum(x * (k + 1) for k, x in enumerate(xs))


@dataclass
class V3:
    x: float
    y: float
    z: float

    def dot(self, o):
        return self.x * o.x + self.y * o.y + self.z * o.z


def h(a, b, c):
    return a * b + c


@kept_in(RIGHT)
def objects_of_rows(p):
    m = np.outer(p, p + 1)
    vs = [V3(*row) for row in m]
    return sum(v.dot(vs[0]) for v in vs)


@kept_in(RIGHT)
def sum_of_rows(p):
    m = np.outer(p, p + 1)
    return sum(h(*row) for row in m)


@kept_in(RIGHT)
def lists_of_rows(p):
    m = np.outer(p, p + 1)
    return sum([h(*row) ** 2 for row in m if row[0] > 0.5]) + max(h(*row) for row in m)


@kept_in(RIGHT)
def array_of_rows(p):
    m = np.outer(p, p + 1)
    return np.sum(np.array([h(*row) for row in m]) * p)


test_right = each_right(RIGHT, P, P_DOT)


test_refused = each_refused(REFUSED, P)
