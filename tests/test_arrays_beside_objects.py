"""Arrays that a method writes to in place, in an object that holds a list of objects: that list stays what it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

FUNCTIONS: list[Callable[..., Any]] = []
followed = kept_in(FUNCTIONS)


class Spring:
    def __init__(self, i, j, k):
        self.i, self.j, self.k = i, j, k


class Cloth:
    def __init__(self, ks):
        self.pos = np.array([1.0, 2.5, 4.0])
        self.vel = np.zeros(3)
        self.springs = [Spring(i, i + 1, k) for i, k in enumerate(ks[:2])]

    def forces(self):
        f = np.zeros_like(self.pos)
        for s in self.springs:
            d = self.pos[s.j] - self.pos[s.i]
            f[s.i] += s.k * (d - 1)
        return f

    def step(self, dt):
        self.vel += dt * self.forces()
        self.pos += dt * self.vel

    def pull(self, dt):
        for s in self.springs:
            self.vel += dt * s.k
            self.vel[s.j] = self.vel[s.j] * 0.5


@followed
def in_steps(ks):
    cloth = Cloth(ks)
    for _ in range(3):
        cloth.step(0.1)
    return np.sum(cloth.pos**2)


@followed
def in_a_loop_over_the_list(ks):
    cloth = Cloth(ks)
    cloth.pull(0.1)
    cloth.pull(0.2)
    return np.sum(cloth.vel**2)


class Scaled:
    def __init__(self, a):
        self.a = a

    def energy(self, x):
        return np.sum(self.a * x**2) * self.a[0]


def set_first(a):
    a[0] = 5.0


def raised(a, v):
    a += v


@followed
def held_by_an_object(x):
    a = np.ones(3)
    scaled = Scaled(a)
    y = scaled.energy(x)
    set_first(a)
    y = y * scaled.energy(x)
    raised(a, 0.5)
    return y * scaled.energy(x)


@followed
def held_by_a_list_of_objects(x):
    a = np.ones(3)
    several = [Scaled(a), Scaled(a)]
    y = several[1].energy(x)
    for scaled in several:
        raised(a, 0.5)
        y = y * scaled.energy(x)
    return y


@followed
def held_by_a_list(x):
    a = np.ones(3)
    rows = []
    for _ in range(2):
        rows.append(a)
    y = np.sum(x * rows[1])
    set_first(a)
    for row in rows:
        y = y * np.sin(np.sum(x * row))
    return y


test_right = each_right(FUNCTIONS, np.array([0.7, 1.3, 0.4]), np.array([1.0, -2.0, 0.5]))
