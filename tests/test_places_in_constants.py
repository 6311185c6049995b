"""Lists, slices, arrays and masks of places that objects of constants hold, which are made in the function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

RIGHT: list[Callable[..., Any]] = []
P, P_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([1.0, -2.0, 0.5, 0.3])


class Element:
    def __init__(self, nodes, stiffness):
        self.nodes, self.stiffness = nodes, stiffness

    def energy(self, x):
        ends = x[self.nodes]
        return self.stiffness * (ends[1] - ends[0]) ** 3


class Mesh:
    def __init__(self, n):
        self.inner = slice(1, n - 1)
        self.edge = [0, n - 1]
        self.even = np.arange(n) % 2 == 0

    def energy(self, u):
        return np.sum(u[self.inner] ** 2) + np.prod(u[self.edge]) + np.sum(u[self.even] ** 3)


class Frame:
    def __init__(self, elements, stiffness):
        self.elements, self.stiffness = elements, stiffness

    def energy(self, x):
        e = 0.0
        for element in self.elements:
            e += self.stiffness * np.prod(x[element.nodes])
        return e


@dataclass
class Held:
    places: np.ndarray
    value: float

    def put(self, u):
        u[self.places] = self.value * u[1]
        return u


@dataclass
class Settings:
    first: int
    names: list


@kept_in(RIGHT)
def elements_of_constants(x):
    elements = [Element([0, 1], 2.0), Element([1, 3], 0.5)]
    return sum(element.energy(x) for element in elements)


@kept_in(RIGHT)
def elements_in_an_object(x):
    frame = Frame([Element([0, 1], 1.0), Element([1, 2, 3], 1.0)], 2.0)
    return frame.energy(x)


@kept_in(RIGHT)
def elements_in_a_comprehension(x):
    frame = Frame((Element([0, 1], 1.0), Element([1, 2], 1.0)), 2.0)
    return sum(np.prod(x[element.nodes]) * frame.stiffness for element in frame.elements)


@kept_in(RIGHT)
def a_mesh_that_makes_its_places(x):
    return Mesh(4).energy(x) * Mesh(4).energy(2 * x)


@kept_in(RIGHT)
def places_stored_to(x):
    held = Held(np.array([0, 2]), 3.0)
    u = held.put(x * 2)
    return np.sum(u**2) * np.sum(x[held.places])


@kept_in(RIGHT)
def an_integer_beside_a_list(x):
    settings = Settings(2, ["a", "b"])
    return x[settings.first] ** 2 * len(settings.names)


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_places(function):
    check_along(function, P, P_DOT)
