"""functools.cached_property of objects that vary: followed as a property is, or refused where it shows that it is kept."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, check_refused, kept_in, named, refused_in
from numeric import assert_close

from tangentish import NotDifferentiable, grad

X = np.array([0.3, 0.8, 1.1])
ALONG = np.array([0.3, -1.0, 0.4])
RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
right, refused = kept_in(RIGHT), refused_in(REFUSED)
SCALE = 2.0


class Vector:
    def __init__(self, x, scale=1.0):
        self.x = x
        self.scale = scale
        self.offset = np.zeros(3)
        self.offset[0] = 2.0
        self.parts = {"a": x}
        self.rows = [x * 2]
        self.steps = 0

    @functools.cached_property
    def square(self):
        return self.x @ self.x

    @functools.cached_property
    def unit(self):
        return self.x / np.sqrt(self.square)

    @functools.cached_property
    def moved(self):
        return self.x * self.scale + self.offset

    @functools.cached_property
    def doubled(self):
        return self.parts["a"] * 2

    @functools.cached_property
    def total(self):
        return sum(self.rows)

    @property
    def direction(self):
        return self.unit

    def score(self):
        return np.sum(self.unit * [1.0, 2.0, 3.0]) + self.square

    def step(self):
        self.steps += 1
        return self.square * self.steps

    def smaller(self):
        u = self.unit / 2
        return Vector(u, self.scale)


class Shifted(Vector):
    @functools.cached_property
    def square(self):
        return np.sum(self.x)


@dataclass(frozen=True)
class Number:
    value: float

    @functools.cached_property
    def square(self):
        return self.value**2


@dataclass
class Pair:
    x: Any
    w: Any = None

    def __post_init__(self):
        self.w = self.x * 2

    @functools.cached_property
    def product(self):
        return np.sum(self.x * self.w)


class Acting:
    def __init__(self, x):
        self.x = x
        self.calls = 0

    @functools.cached_property
    def counted(self):
        self.calls += 1
        return self.x * self.calls

    @functools.cached_property
    def drawn(self):
        return self.x * np.random.rand()

    @functools.cached_property
    def scaled(self):
        return self.x * SCALE


@right
def of_one_another(x):
    v = Vector(x)
    return v.unit @ np.arange(3) + v.square


@right
def by_methods_and_properties(x):
    v = Vector(x)
    return v.score() + v.direction[1] + np.sum(v.moved) * v.score()


@right
def new_on_each_trip(x):
    s = 0.0
    for i in range(3):
        v = Vector(x * (i + 1))
        s += v.square * v.square
    return s


@right
def in_a_list(x):
    vs = [Vector(x * i) for i in range(1, 4)]
    return sum(v.square for v in vs) * sum(v.square**2 for v in vs)


@right
def beside_other_arrays(x):
    out = np.zeros(3)
    v = Vector(x)
    for i in range(3):
        out[i] = v.square * i
    return np.sum(out**2)


@right
def beside_other_attributes(x):
    v = Vector(x)
    return v.step() + v.step()


@right
def of_lists_and_dicts(x):
    v = Vector(x)
    return np.sum((v.total + v.doubled) * v.doubled)


@right
def on_one_way(x):
    v = Vector(x) if x[1] > 0 else Vector(-x)
    if v.square > 1:
        return v.square * 2
    return v.unit[0]


@right
def of_what_a_method_gives(x):
    v = Vector(x).smaller()
    return v.square**2 + v.smaller().moved @ x


@right
def of_a_subclass(x):
    v = Shifted(x)
    return v.square + v.unit[0] * v.score()


@right
def of_dataclasses(x):
    n = Number(x[0])
    p = Pair(x)
    return n.square * n.square + Number(x[1]).square + p.product**2


@right
def by_functions_inside(x):
    v = Vector(x)

    def twice(w):
        return w.square * 2

    later = lambda: v.square * 3  # noqa: E731
    return twice(v) * twice(Vector(x * 2)) + later()


@refused("may change what it was made of")
def set_after(x):
    v = Vector(x)
    s = v.square
    v.x = 2 * x
    return s + v.square


def put(v, x):
    v.x = x


@refused("may change what it was made of")
def set_by_a_function(x):
    v = Vector(x)
    s = v.square
    put(v, 2 * x)
    return s + v.square


@refused("may change what it was made of")
def set_by_name(x):
    v = Vector(x)
    s = v.square
    setattr(v, "x", 3 * x)  # noqa: B010
    return s + v.square


@refused("may change what it was made of")
def set_itself(x):
    v = Vector(x)
    s = v.square
    v.square = 3.0
    return s + v.square * x[0]


@refused("may change what it was made of")
def set_in_a_list(x):
    vs = [Vector(x * i) for i in range(1, 4)]
    s = sum(v.square for v in vs)
    for v in vs:
        v.x = v.x * 2
    return s + sum(v.square for v in vs)


@refused("memory is written to")
def written_after(x):
    y = x * 1.0
    v = Vector(y)
    s = v.square
    y *= 2
    return s + v.square


def doubled(y):
    y *= 2


@refused("memory is written to")
def written_by_a_function(x):
    y = x * 1.0
    v = Vector(y)
    s = v.score()
    doubled(y)
    return s + v.score()


@refused("memory is written to")
def written_in_what_was_made(x):
    v = Vector(x)
    s = np.sum(v.moved)
    v.offset[1] = x[0]
    return s + np.sum(v.moved)


@refused("memory is written to")
def result_written(x):
    v = Vector(x)
    u = v.unit
    u *= 2
    return np.sum(v.unit) + u[0]


@refused("memory is written to")
def result_of_a_property_written(x):
    v = Vector(x)
    u = v.direction
    u *= 2
    return np.sum(v.unit * [1.0, 2.0, 3.0]) + u[0]


@refused("memory is written to")
def entry_bound(x):
    v = Vector(x)
    s = np.sum(v.doubled)
    e = v.parts
    e["a"] = x * 3
    return s + np.sum(v.doubled)


def bind(parts, x):
    parts["a"] = x * 3


@refused("memory is written to")
def entry_bound_by_a_function(x):
    v = Vector(x)
    s = np.sum(v.doubled)
    bind(v.parts, x)
    return s + np.sum(v.doubled)


@refused("memory is written to")
def list_grown(x):
    v = Vector(x)
    s = np.sum(v.total)
    v.rows.append(x)
    return s + np.sum(v.total)


@refused("may change what it was made of")
def counting(x):
    v = Acting(x)
    return np.sum(v.counted + v.counted) + v.calls


@refused("this is done once")
def drawing(x):
    v = Acting(x)
    return np.sum(v.drawn - v.drawn)


@refused("this is done once")
def of_a_global_that_is_bound(x):
    global SCALE
    v = Acting(x)
    s = np.sum(v.scaled)
    SCALE = 3.0
    s += np.sum(v.scaled)
    SCALE = 2.0
    return s


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_followed(function):
    check_along(function, X, ALONG)


@pytest.mark.parametrize(("function", "reason"), REFUSED)
def test_refused(function, reason):
    check_refused(function, reason, X)


def by_argument(v):
    return v.square * np.sum(v.unit) + v.score()


def by_list_of_arguments(vs):
    return sum(v.square**2 for v in vs) + vs[0].square


def test_of_arguments():
    made = grad(by_argument)(Vector(X)).x
    plain = grad(lambda x: by_argument(Vector(x)))(X)
    assert_close(made, plain, "of an argument")
    first, second = grad(by_list_of_arguments)([Vector(X), Vector(2 * X)])
    assert_close(first.x, 4 * X * (X @ X) + 2 * X, "of the first")
    assert_close(second.x, 4 * 2 * X * (4 * X @ X), "of the second")


def test_of_arguments_that_carry_no_derivative():
    def along(x, v):
        return np.sum(x * v.unit) * v.square

    v = Vector(X)
    for _ in range(2):  # it keeps them from now on
        assert_close(grad(along)(X, v), X / np.sqrt(X @ X) * (X @ X), "by x")


def test_of_arguments_that_were_asked_before():
    v = Vector(X)
    _ = v.square
    with pytest.raises(NotDifferentiable, match="has kept .square"):
        grad(by_argument)(v)
    with pytest.raises(NotDifferentiable, match="has kept .square"):
        grad(by_list_of_arguments)([Vector(X), v])
