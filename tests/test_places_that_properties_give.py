"""Stores to what a property gives, `self.scales[k] = v`, and updates of arrays by properties, `self.field += v`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

from tangentish import grad

X = np.array([0.7, 1.2, -0.4])
X_DOT = np.array([0.3, -1.0, 0.8])
FUNCTIONS: list[Any] = []


class Held:
    def __init__(self, kept):
        self._kept = kept

    @property
    def kept(self):
        return self._kept

    @kept.setter
    def kept(self, value):
        self._kept = value

    @property
    def halves(self):
        return [self._kept[:1], self._kept[1:]]

    @property
    def itself(self):
        return self


@kept_in(FUNCTIONS)
def entry_of_constants(x):
    held = Held({"a": 1.0, "b": 2.0})
    held.kept["a"] = 3.0
    return x[0] ** 2 * held.kept["a"]


@kept_in(FUNCTIONS)
def entry_by_a_computed_key(x):
    held = Held({"a": 1.0, "b": 2.0})
    for k, name in enumerate(("a", "b")):
        held.kept[name] = [k, 3]
    return x[0] ** 2 * held.kept["b"][0] * held.kept["a"][1]


@kept_in(FUNCTIONS)
def updated_entry(x):
    held = Held({"a": 1.0, "b": 2.0})
    held.kept["b"] += 3.0
    return x[0] ** 2 * held.kept["b"]


@kept_in(FUNCTIONS)
def entry_of_a_dict_inside(x):
    held = Held({"k": {"a": 1.0}})
    held.kept["k"]["a"] = 3.0
    return x[0] ** 2 * held.kept["k"]["a"]


@kept_in(FUNCTIONS)
def entry_that_varies(x):
    held = Held({"a": 1.0, "b": 2.0})
    held.kept["a"] = x[0] * x[1]
    held.kept["b"] += x[2]
    return held.kept["a"] * held._kept["b"]


@kept_in(FUNCTIONS)
def entry_by_another_name(x):
    held = Held({"a": x[1], "b": 2.0})
    kept = held.kept
    kept["a"] = x[0] * kept["a"]
    return held._kept["a"] * kept["b"]


@kept_in(FUNCTIONS)
def entries_made_in_a_loop(x):
    held = Held({})
    for k in range(3):
        held.kept[k] = x[k]
    held.kept[0] *= 2.0
    return held.kept[0] * held.kept[1] * held.kept[2]


@kept_in(FUNCTIONS)
def attribute_behind_a_property(x):
    held = Held(Held(x * 2.0))
    held.kept.kept[1] = x[0] * x[1]
    held.kept.kept = held.kept.kept * x
    return np.sum(held.kept.kept)


@kept_in(FUNCTIONS)
def elements_of_a_list(x):
    held = Held([x[0], x[1]])
    for k in range(2):
        held.kept[k] += x[k] * held.kept[1 - k]
        held.kept[k] = held.kept[k] * x[2]
    return np.sum(np.array(held.kept) ** 2)


@kept_in(FUNCTIONS)
def elements_of_an_array(x):
    held = Held(x.copy())
    held.kept[0] = x[1] * x[2]
    held.kept[1:] *= x[0]
    return np.sum(held.kept**2)


@kept_in(FUNCTIONS)
def elements_of_constants(x):
    held = Held(np.ones(3))
    held.kept[0] = 3.0
    return np.sum(x**2 * held.kept)


@kept_in(FUNCTIONS)
def elements_of_views(x):
    held = Held(x.copy())
    held.halves[1][0] = x[2] ** 2
    held.halves[0][...] *= x[2]
    return np.sum(held.kept**2)


@kept_in(FUNCTIONS)
def by_the_object_itself(x):
    held = Held(x.copy())
    held.itself.kept[0] = x[2] ** 2
    held.itself.itself._kept[1] *= x[2]
    return np.sum(held.kept**2)


@kept_in(FUNCTIONS)
def among_several(x):
    held = Held({"a": 1.0})
    held.kept["a"], y = 2.0, x[0] ** 2
    return y * held.kept["a"]


@kept_in(FUNCTIONS)
def in_objects_of_a_list(x):
    several = [Held(x * 2.0), Held(x * 3.0)]
    for one in several:
        one.kept[1] = x[0] * x[1]
        one.kept[0] += x[2]
    return np.sum(several[0].kept * several[1].kept)


@kept_in(FUNCTIONS)
def array_updated(x):
    held = Held(x.copy())
    held.kept += 1.0
    held.kept *= x
    return np.sum(held.kept**2)


@kept_in(FUNCTIONS)
def array_updated_in_a_loop(x):
    held = Held(x.copy())
    for k in range(3):
        held.kept += x * k
        held.kept[k] *= held.kept[0]
    return np.sum(held.kept**2)


class Moving(Held):
    def step(self, dt):
        self.kept += dt * self.kept**2
        self.kept[0] -= dt


@kept_in(FUNCTIONS)
def array_updated_by_a_method(x):
    moving = Moving(x * 1.0)
    for _ in range(3):
        moving.step(x[1] * 0.1)
    return np.sum(moving.kept)


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_right(function) -> None:
    check_along(function, X, X_DOT)


def test_the_array_that_was_given_is_not_written_to() -> None:
    def f(x):
        held = Held(x)
        held.kept += held.kept * 2.0
        return np.sum(held.kept * x)

    x = X.copy()
    np.testing.assert_allclose(grad(f)(x), 18.0 * X)
    np.testing.assert_array_equal(x, X)
