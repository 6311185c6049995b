"""Loops over objects in tuples, dicts and attributes, whose trips put other objects there, and pairs with numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

from tangentish import grad

RIGHT: list[Callable[..., Any]] = []
P, P_DOT = np.array([0.7, 0.4, 0.9]), np.array([1.0, -2.0, 0.5])


class One:
    def __init__(self, k):
        self.k = k

    def rate(self, t):
        return self.k * math.exp(-self.k * t)


class Other:
    def __init__(self, d):
        self.d = d

    def rate(self, t):
        return 1 / self.d if t <= 1 else 0.0


class Holder:
    def __init__(self, x):
        self.a, self.b = One(x[0]), One(x[1])
        self.pair = (One(x[0]), One(x[1]))
        self.table = {"a": One(x[0]), "b": One(x[1])}

    @property
    def second(self):
        return self.b

    @second.setter
    def second(self, value):
        self.b = value

    def renew(self, v):
        self.b = One(v)
        self.pair = (One(v), self.a)


def put(table, v):
    table["b"] = One(v)


@kept_in(RIGHT)
def of_several_classes_in_a_while(x):
    fo, zo = One(x[0]), Other(x[1])
    c, t = 0.0, 0.0
    while t < 2:
        for model, dose in ((fo, 6.0), (zo, 4.0)):
            c += 0.1 * dose * model.rate(t)
        t += 0.15
    return c


@kept_in(RIGHT)
def of_one_class_in_a_list(x):
    terms = [(One(x[0]), x[2]), (Other(x[1]), 2.0), (One(3.0), 3.0)]
    c = 0.0
    for k in range(3):
        for model, dose in terms:
            c += 0.1 * dose * model.rate(0.1 * k)
    return c + sum(w * m.rate(0.2) for m, w in terms)


@kept_in(RIGHT)
def unpacked_from_an_element(x):
    pairs = [(One(x[0]), 6.0), (One(x[1]), x[2])]
    m, w = pairs[0]
    c = m.rate(0.1) * w
    m, w = pairs[1]
    return c + m.rate(0.3) * w


@kept_in(RIGHT)
def unpacked_from_an_attribute(x):
    h = Holder(x)
    a, b = h.pair
    h.pair = (One(x[2]), a)
    c, d = h.pair
    return a.k * b.k**2 + c.k**3 * d.k


@kept_in(RIGHT)
def unpacked_on_each_trip(x):
    d = {"p": (One(x[0]), x[1])}
    s = 0.0
    for _ in range(3):
        m, w = d["p"]
        d["p"] = (One(x[2] + s), x[1] ** 2)
        s += m.rate(w) * d["p"][0].k
    return s


@kept_in(RIGHT)
def changed_in_pairs(x):
    fo, zo = One(x[0]), One(x[1])
    for k in range(2):
        for model, w in ((fo, 6.0), (zo, 4.0), (fo, 0.5)):
            model.k += 0.1 * w * x[2] * fo.k + k
    return fo.k * zo.k


class Pose:
    def __init__(self, x, y, th):
        self.x, self.y, self.th = x, y, th

    def __mul__(self, o):
        c, s = np.cos(self.th), np.sin(self.th)
        return Pose(self.x + c * o.x - s * o.y, self.y + s * o.x + c * o.y, self.th + o.th)

    def inverse(self):
        c, s = np.cos(self.th), np.sin(self.th)
        return Pose(-c * self.x - s * self.y, s * self.x - c * self.y, -self.th)


@kept_in(RIGHT)
def measured_poses(x):
    poses = [Pose(v, v * v, 0.1 * v) for v in x]
    edges = [(0, 1, Pose(1.0, 0.0, 0.1)), (1, 2, Pose(1.0, 0.1, 0.0))]
    total = 0.0
    for i, j, z in edges:
        e = z.inverse() * (poses[i].inverse() * poses[j])
        total += e.x**2 + e.y**2 + e.th**2
    return total


@kept_in(RIGHT)
def another_attribute(x):
    h = Holder(x)
    s = 0.0
    for m in (h.a, h.b):
        h.b = One(x[2])
        s += m.k**2
    return s + h.b.k


@kept_in(RIGHT)
def attributes_exchanged(x):
    h = Holder(x)
    s = 0.0
    for _ in range(3):
        for m in (h.a, h.b):
            h.a, h.b = h.b, h.a
            s += m.k**2 + s * h.b.k
    return s


@kept_in(RIGHT)
def another_by_a_method(x):
    h = Holder(x)
    s = 0.0
    for m in (h.a, h.b):
        h.renew(x[2] + s)
        s += m.k**2
    return s + h.b.k


@kept_in(RIGHT)
def another_tuple(x):
    h = Holder(x)
    s = 0.0
    for k, m in enumerate(h.pair):
        h.pair = (One(s + x[0]), One(x[2]))
        s += m.k**2 * (k + 1)
    return s + h.pair[0].k


@kept_in(RIGHT)
def another_tuple_by_a_method(x):
    h = Holder(x)
    s = 0.0
    for m, v in zip(h.pair, x):  # noqa: B905
        h.renew(x[2])
        s += m.k**2 * v
    return s + h.pair[0].k


@kept_in(RIGHT)
def another_tuple_of_an_element(x):
    d = {"t": (One(x[0]), One(x[1]))}
    s = 0.0
    for m in d["t"]:
        d["t"] = (One(x[2]), One(x[0]))
        s += m.k**2
    return s + d["t"][0].k


@kept_in(RIGHT)
def other_entries(x):
    d = {"a": One(x[0]), "b": One(x[1])}
    s = 0.0
    for m in d.values():
        d["a"] = One(x[2])
        d["b"] = One(x[2] + m.k)
        s += m.k**2
    return s + d["b"].k


@kept_in(RIGHT)
def other_entries_by_key(x):
    h = Holder(x)
    s = 0.0
    for (name, m), v in zip(h.table.items(), x):  # noqa: B905
        h.table[name] = One(x[2])
        s += m.k**2 * v
    return s + h.table["a"].k


@kept_in(RIGHT)
def another_dict(x):
    h = Holder(x)
    s = 0.0
    for m in h.table.values():
        h.table = {"a": One(x[2]), "b": One(x[1])}
        s += m.k**2
    return s + h.table["a"].k


@kept_in(RIGHT)
def another_entry_by_a_call(x):
    d = {"a": One(x[0]), "b": One(x[1])}
    s = 0.0
    for m in (d["a"], d["b"]):
        put(d, x[2])
        s += m.k**2
    return s + d["b"].k


@kept_in(RIGHT)
def another_by_setattr(x):
    h = Holder(x)
    s = 0.0
    for m in (h.a, h.b):
        setattr(h, "b", One(x[2]))  # noqa: B010
        s += m.k**2
    return s + h.b.k


@kept_in(RIGHT)
def another_by_a_property(x):
    h = Holder(x)
    s = 0.0
    for m in (h.a, h.second):
        h.second = One(x[2])
        s += m.k**2
    return s + h.b.k


@kept_in(RIGHT)
def another_by_a_function_inside(x):
    h = Holder(x)

    def renew():
        h.b = One(x[2])

    s = 0.0
    for m in (h.a, h.b):
        renew()
        s += m.k**2
    return s + h.b.k


@kept_in(RIGHT)
def another_on_one_trip(x):
    h = Holder(x)
    s = 0.0
    for t in range(3):
        for m in h.pair:
            s += m.k**2 + s * h.b.k
            if t == 1:
                h.pair = (One(s * 0.1), One(x[2]))
    return s + h.b.k


@kept_in(RIGHT)
def another_in_pairs(x):
    h = Holder(x)
    s = 0.0
    for m, n in combinations((h.a, h.b, h.pair[0]), 2):
        h.b = One(x[2])
        s += m.k**2 * n.k
    return s + h.b.k


@kept_in(RIGHT)
def the_same_ones_changed(x):
    h = Holder(x)
    s = 0.0
    for m in (h.a, h.b):
        m.k += s
        s += h.b.k**2
    return s + h.b.k


@kept_in(RIGHT)
def one_of_two_names_changed(x):
    h = Holder(x)
    s = 0.0
    for m in h.pair:
        s += m.k * h.pair[0].k
        h.pair = (One(s), One(x[2]))
        m.k += 2.0
        s += m.k * h.pair[0].k
    return s


test_right = each_right(RIGHT, P, P_DOT)


def test_text() -> None:
    text = grad(of_several_classes_in_a_while).source(P)
    assert "(fo_k, t)" in text
    assert "model" not in text.split("dfo_k")[0]
