"""Objects that hold dicts, lists and objects which carry no derivative: making one is no change of what it holds.

What is done later by the object is one, and is refused where the adjoint would read what was there before.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tangentish import NotDifferentiable, grad, hvp, jvp
from tests.numeric import assert_close, numeric_gradient

X = np.array([0.7, 0.4, 0.9])
V = np.array([0.3, -0.2, 0.5])
KEPT: list[Any] = []


class Cell:
    def __init__(self, p):
        self.p = p

    def step(self, x):
        return np.tanh(self.p["W"] @ x)

    def update(self):
        self.p["W"] *= 2.0

    def replace(self):
        self.p["W"] = self.p["W"] * 2.0


class Counted(Cell):
    def __init__(self, p):
        super().__init__(p)
        self.n = 0

    def __call__(self, x):
        self.n += 1
        return np.sum(self.p["W"] @ x) * self.n


@dataclass(frozen=True)
class Frozen:
    p: dict[str, Any]

    def out(self, x):
        return self.p["W"] @ x


class Around:
    def __init__(self, cell):
        self.cell = cell

    def step(self, x):
        return self.cell.step(x)


class Halved:
    def __init__(self, p):
        self.p = {k: v / 2.0 for k, v in p.items()}


class Layers:
    def __init__(self, ws):
        self.ws = ws

    def out(self, x):
        return self.ws[0] @ x


class Doubling:
    def __init__(self, p):
        self.p = p
        self.p["W"] *= 2.0


class Storing:
    def __init__(self, p):
        self.p = p

    def __setattr__(self, name, value):
        value["W"] *= 2.0
        object.__setattr__(self, name, value)


class Member:
    def __set__(self, owner, value):
        value["W"] *= 2.0


class WithMember:
    p = Member()

    def __init__(self, p):
        self.p = p


class Registered:
    def __init__(self, p):
        self.p = p
        KEPT.append(self)


class Matrix:
    def __init__(self, w):
        self.w = w

    def update(self):
        self.w *= 2.0


def last_doubled():
    KEPT[-1].p["W"] *= 2.0


def stepped(p, x):
    cell = Cell(p)
    return np.sum(cell.step(x))


def attribute_read(p, x):
    cell = Cell(p)
    return np.sum(cell.p["W"] @ x) ** 2


def frozen(p, x):
    return np.sum(Frozen(p).out(x) ** 2)


def inherited(p, x):
    cell = Counted(p)
    return np.sum(cell.step(x) ** 2) + cell(x) + cell(x)


def held_by_another(p, x):
    around = Around(Cell(p))
    return np.sum(around.step(x) ** 2)


def made_anew(p, x):
    cell = Halved(p)
    return np.sum(cell.p["W"] @ x) ** 2


def list_held(p, x):
    layers = Layers([p["W"]])
    return np.sum(layers.out(x)) ** 2


def on_each_trip(p, x):
    s = 0.0
    for _ in range(3):
        cell = Cell(p)
        s = s + np.sum(cell.p["W"] @ x) ** 2
    return s


def entry_replaced_in_a_loop(p, x):
    cell = Cell(p)
    s = 0.0
    for _ in range(3):
        s += np.sum(p["W"] @ x) ** 2
        cell.replace()
    return s


def bound_anew_after(p, x):
    cell = Cell(p)
    y = cell.p["W"] @ x
    s = np.sum(y**2)
    p["W"] = np.ones((2, 3))
    return s + np.sum(cell.p["W"] @ x**2)


READ = [
    stepped, attribute_read, frozen, inherited, held_by_another, made_anew, list_held, on_each_trip,
    entry_replaced_in_a_loop, bound_anew_after,
]  # fmt: skip


@pytest.mark.parametrize("function", READ)
def test_what_an_object_holds_may_be_read(function):
    gradient = grad(function, wrt=1)
    assert_close(gradient(_given(), X), _numeric(function), "gradient")
    second = numeric_gradient(lambda x: V @ gradient(_given(), x), [X.copy()], 0, 1.0)
    assert_close(hvp(function, wrt=1)(_given(), V, X), second, "second derivative")


@pytest.mark.parametrize("function", READ[:8])
def test_tangents_are_those_of_differences(function):
    tangent = jvp(function, (_given(), X), ({"W": np.zeros((2, 3))}, V))[1]
    assert_close(tangent, V @ _numeric(function), "tangent")


def updated_later(p, x):
    y = p["W"] @ x
    cell = Cell(p)
    cell.update()
    return np.sum(y**2)


def updated_through_another(p, x):
    around = Around(Cell(p))
    y = p["W"] @ x
    around.cell.update()
    return np.sum(y**2)


def updated_on_each_trip(p, x):
    cell = Cell(p)
    s = 0.0
    for _ in range(3):
        s += np.sum(cell.step(x)) ** 2
        cell.update()
    return s


def changed_when_made(p, x):
    y = p["W"] @ x
    Doubling(p)
    return np.sum(y**2)


def changed_by_a_store(p, x):
    y = p["W"] @ x
    Storing(p)
    return np.sum(y**2)


def changed_by_a_member(p, x):
    y = p["W"] @ x
    WithMember(p)
    return np.sum(y**2)


def kept_outside_when_made(p, x):
    Registered(p)
    y = p["W"] @ x
    last_doubled()
    return np.sum(y**2)


def updated_by_a_copy(p, x):
    cell = Cell(p)
    s = np.sum(p["W"] @ x) ** 2
    other = copy.copy(cell)
    other.update()
    return s * np.sum(p["W"] @ x)


@pytest.mark.parametrize(
    "function",
    [
        updated_later, updated_through_another, updated_on_each_trip, changed_by_a_store,
        changed_by_a_member, kept_outside_when_made,
    ],
)  # fmt: skip
def test_what_changes_what_an_object_holds_is_refused(function):
    with pytest.raises(NotDifferentiable, match="this changes"):
        grad(function, wrt=1)(_given(), X)


@pytest.mark.parametrize("function", [changed_when_made, updated_by_a_copy])
def test_what_changes_where_nothing_reads_it_by_the_object_is_right(function):
    given = _given()
    assert_close(grad(function, wrt=1)(given, X), _numeric(function), "gradient")
    np.testing.assert_array_equal(given["W"], _given()["W"])


def test_a_copy_of_an_object_that_updates_an_array():
    def f(w, x):
        s = np.sum(w @ x) ** 2
        other = copy.copy(Matrix(w))
        other.update()
        return s * np.sum(w @ x)

    right = numeric_gradient(lambda x: f(_given()["W"], x), [X.copy()], 0, 1.0)
    np.testing.assert_allclose(grad(f, wrt=1)(_given()["W"], X), right, rtol=1e-6)


def _numeric(function):
    return numeric_gradient(lambda x: function(_given(), x), [X.copy()], 0, 1.0)


def _given():
    return {"W": np.arange(6.0).reshape(2, 3) * 0.1 + 0.1}
