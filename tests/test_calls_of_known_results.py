"""Calls that change something, and of which it is known what they give: they are made all the same; or a refusal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, each_refused, kept_in, named, refused_in
from numeric import assert_close

from tangentish import vjp

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
X, X_DOT = np.array([0.7, 1.3, 0.4]), np.array([1.0, -2.0, 0.5])

CHANGES = "this changes an object that carries no derivative"


class Meter:
    def __init__(self, w):
        self.w = w
        self.n = 0
        self.x = w * 2
        self.parts = (w, w * 2, w * 3)
        self.named = {"a": w, "b": w * 2}

    def key(self):
        self.n += 1
        self.x = self.x * self.w
        return "a"

    def place(self):
        self.x = self.x * self.w
        return 1

    def grown(self, k):
        self.x = self.x * k + self.w
        return self.x

    def itself(self):
        self.x = self.x * self.w
        return self

    def pair(self):
        self.x = self.x * self.w
        return self.x, self.w


# -- keys


@kept_in(RIGHT)
def keys_of_dicts(x):
    m, d = Meter(x[0]), {"a": x[1] * x[0]}
    return m.x * d[m.key()] * m.x + d.get(m.key()) * m.x + m.named[m.key()] * m.x


@kept_in(RIGHT)
def keys_of_displays(x):
    m = Meter(x[0])
    d = {"z": m.x, m.key(): m.x * x[1], "y": m.grown(x[2]), "q": m.x}
    return d["a"] * d["z"] * d["y"] * d["q"] + {m.key(): m.x}["a"]


@kept_in(RIGHT)
def places_of_tuples(x):
    m = Meter(x[0])
    a, b = m.parts[m.place()], m.x
    return a * b * m.parts[m.place()] * m.pair()[m.place()] * m.x


@kept_in(RIGHT)
def keys_of_stores(x):
    m, d = Meter(x[0]), {"a": x[1] * x[0]}
    d[m.key()] += m.x
    d[m.key()] *= d[m.key()]
    return d["a"] * m.x


@kept_in(RIGHT)
def keys_of_methods(x):
    m, d = Meter(x[0]), {"a": x[1] * x[0]}
    m.named.update({m.key(): m.x * x[1]})
    return m.named["a"] * d.setdefault(m.key(), m.x) * m.x


@kept_in(RIGHT)
def keys_in_loops(x):
    m, d, s = Meter(x[0]), {"a": x[1] * x[0]}, 0.0
    for v in x:
        s += v * m.x * d[m.key()]
    return s + sum([v * d[m.key()] * m.x for v in x])


@kept_in(RIGHT)
def keys_among_arguments(x):
    m, d = Meter(x[0]), {"a": x[1] * x[0]}

    def product(v, k):
        return v * k * m.x

    return product(d[m.key()], m.x) + product(k=m.x, v=d[m.key()])


@kept_in(RIGHT)
def keys_in_texts(x):
    m, d = Meter(x[0]), {"a": x[1] * x[0]}
    text = f"{d[m.key()]}"
    return m.x * x[2] * len(text[:1])


@refused("this call changes something: give what it gives a name first")
def keys_of_functions(x):
    m = Meter(x[0])
    functions = {"a": np.sin, "b": np.cos}
    return functions[m.key()](m.x) * m.x


# -- questions


@kept_in(RIGHT)
def asked_in_an_if(x):
    m = Meter(x[0])
    if len(m.pair()) == 2 and len((m.grown(x[1]), 1)) == 2:
        return m.x * x[2]
    return m.x


@kept_in(RIGHT)
def asked_whether_it_can_be_called(x):
    m = Meter(x[0])
    if callable(m.grown(x[1])):
        return x[2]
    return m.x * x[2]


@kept_in(RIGHT)
def asked_with_a_default(x):
    m = Meter(x[0])
    return getattr(m.itself(), "y", m.x) * m.x


@refused(CHANGES)
def lengths(x):
    m = Meter(x[0])
    for _ in range(len(m.pair())):
        x = x * m.x
    return np.sum(x)


@refused(CHANGES)
def truth(x):
    m = Meter(x[0])
    return m.x * x[1] if m.itself() else x[2]


@refused(CHANGES)
def types(x):
    m = Meter(x[0])
    return m.x * x[1] if type(m.itself()) is Meter else x[2]


@refused(CHANGES)
def attributes(x):
    m = Meter(x[0])
    return m.x * x[1] if hasattr(m.itself(), "x") else x[2]


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_right(function: Callable[..., Any]) -> None:
    assert_close(vjp(function, X)[0], function(X.copy()), function.__name__)
    check_along(function, X, X_DOT)


test_refused = each_refused(REFUSED, X)
