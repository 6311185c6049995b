"""Elements of a dict of objects, or of dicts, that get a name before they are asked: `m = mats[name]`, then `m.E`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in
from numeric import numeric_gradient

from tangentish import NotDifferentiable, grad

Function = Callable[..., Any]
RIGHT: list[Function] = []
REFUSED: list[Function] = []
MEMBERS = [
    {"mat": "steel", "L": 1.0},
    {"mat": "alu", "L": 2.0},
    {"mat": "steel", "L": 0.5},
]
NAMES = ["steel", "alu", "alu"]
X, X_DOT = np.array([2.1, 0.3, 0.7, 0.2]), np.array([0.3, -0.2, 0.5, 0.1])


@dataclass
class Mat:
    E: float
    nu: float = 0.3


right, refused = kept_in(RIGHT), kept_in(REFUSED)


@right
def under_a_key_of_a_loop(mats, names, members):
    total = 0.0
    for name in names:
        m = mats[name]
        total += m.E**2 * (1 - m.nu)
    return total


@right
def under_a_key_of_a_dict(mats, names, members):
    total = 0.0
    for member in members:
        m = mats[member["mat"]]
        total += m.E**2 / member["L"]
        if member["L"] > 0.7:
            total *= 1 + m.nu
    return total


@right
def under_a_name_that_goes_on(mats, names, members):
    total, name = 0.0, "steel"
    for other in names:
        m = mats[name]
        name = other
        total += m.E * m.nu + mats[name].E ** 2
    return total


@right
def two_of_them(mats, names, members):
    total = 0.0
    for first in names:
        a = mats[first]
        for second in names:
            b = mats[second]
            total += a.E * b.nu
    return total


@right
def before_a_loop(mats, names, members):
    name = names[1]
    m = mats[name]
    total = 0.0
    for k in range(3):
        total += m.E ** (k + 1) * m.nu
    return total


@right
def of_another_dict_beside(mats, names, members):
    seen = {}
    total = 0.0
    for name in names:
        m = mats[name]
        seen[name] = m.E
        if name in mats and len(mats) == 2:
            total += seen[name] * m.nu
    return total


@refused
def read_on_the_next_trip(mats, names, members):
    m = mats["steel"]
    total = 0.0
    for name in names:
        total += m.E
        m = mats[name]
    return total * m.nu


@refused
def given_to_a_function(mats, names, members):
    total = 0.0
    for name in names:
        m = mats[name]
        total += energy(m)
    return total


@refused
def set_by_its_name(mats, names, members):
    total = 0.0
    for name in names:
        m = mats[name]
        m.E = m.E * 0.9
        total += m.E
    return total


def energy(m):
    return m.E * m.nu


@pytest.mark.parametrize("function", RIGHT)
def test_objects(function: Function) -> None:
    def of_array(x):
        mats = {"steel": Mat(x[0], x[1]), "alu": Mat(x[2], x[3])}
        return function(mats, ["steel", "alu", "alu"], MEMBERS)

    expected = numeric_gradient(of_array, [X], 0, 1.0)
    mats = {"steel": Mat(X[0], X[1]), "alu": Mat(X[2], X[3])}
    found = grad(function)(mats, NAMES, MEMBERS)
    flat = [found[name].__dict__[key] for name in ("steel", "alu") for key in ("E", "nu")]
    np.testing.assert_allclose(flat, expected, rtol=1e-6)
    np.testing.assert_allclose(check_along(of_array, X, X_DOT), expected, rtol=1e-6)


@pytest.mark.parametrize("function", REFUSED)
def test_refused(function: Function) -> None:
    with pytest.raises(NotDifferentiable):
        grad(function)({"steel": Mat(2.0), "alu": Mat(3.0)}, NAMES, MEMBERS)


def test_dicts() -> None:
    def loss(mats, names):
        total = 0.0
        for name in names:
            m = mats[name]
            total += m["E"] ** 2 * m["w"].sum()
        return total

    w = np.array([0.5, 1.5])
    mats = {"steel": {"E": 2.0, "w": w}, "alu": {"E": 3.0, "w": 2 * w}}
    found = grad(loss)(mats, NAMES)
    assert (found["steel"]["E"], found["alu"]["E"]) == (8.0, 48.0)
    np.testing.assert_allclose(found["alu"]["w"], [18.0, 18.0])
