"""Loops over several elements of one list of objects at once, and over two such lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

RIGHT: list[Callable[..., Any]] = []
P, P_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([1.0, -2.0, 0.5, 0.3])


class Mass:
    def __init__(self, x, v):
        self.x, self.v = x, v


class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y)

    def __mul__(self, k):
        return Vector(self.x * k, self.y * k)


class Body:
    def __init__(self, pos, vel):
        self.pos, self.vel = pos, vel


def link(a, b, k):
    f = k * (b.x - a.x)
    a.v += f
    b.v -= f


@kept_in(RIGHT)
def springs(p):
    masses = [Mass(v, 0.5) for v in p]
    for _ in range(2):
        for a, b in zip(masses[:-1], masses[1:]):
            f = (b.x - a.x) * p[0]
            a.v += f
            b.v -= f
        for m in masses:
            m.x += 0.1 * m.v
    return sum(m.x * m.v for m in masses)


@kept_in(RIGHT)
def counted_springs(p):
    masses = [Mass(v, 0.5) for v in p]
    for k, (a, b) in enumerate(zip(masses, masses[1:])):
        b.v += (a.x - b.x) * p[k]
        a.v -= (a.x - b.x) * 0.1
    return sum(m.x * m.v for m in masses)


@kept_in(RIGHT)
def springs_beside_a_list(p):
    masses = [Mass(v, 0.5) for v in p]
    ks = [2 * v for v in p]
    for a, b, k in zip(masses, masses[1:], ks):
        b.v += (a.x - b.x) * k
        a.v -= (a.x - b.x) * k
    return sum(m.x * m.v for m in masses)


@kept_in(RIGHT)
def three_in_a_row(p):
    masses = [Mass(v, 0.5) for v in p]
    for a, b, c in zip(masses, masses[1:], masses[2:]):
        b.v += (a.x - 2 * b.x + c.x) * 0.1
    for m in masses:
        m.x += m.v
    return sum(m.x * m.v for m in masses)


@kept_in(RIGHT)
def both_given_to_a_function(p):
    masses = [Mass(v, 0.5) for v in p]
    for a, b in zip(masses, masses[1:]):
        link(a, b, p[0])
    return sum(m.x * m.v for m in masses)


@kept_in(RIGHT)
def ends_that_do_not_fit(p):
    masses = [Mass(v, 0.5) for v in p]
    for a, b in zip(masses[3:], masses[1:-1]):
        a.v += (a.x - b.x) * 0.1
    for a, b in zip(masses[7:], masses):
        a.v += (a.x - b.x) * 0.1
    return sum(m.x * m.v for m in masses)


@kept_in(RIGHT)
def defaults_in_a_line(p):
    masses = [Mass(0.0, 0.0) for _ in range(4)]
    masses[0].x = p[0]
    for _ in range(3):
        for a, b in zip(masses[:-1], masses[1:]):
            b.x += 0.1 * (a.x - b.x) * p[1]
    return masses[-1].x


def _forces(bodies, k):
    forces = [Vector(0.0, 0.0) for _ in bodies]
    for i, a in enumerate(bodies):
        for j, b in enumerate(bodies):
            if i != j:
                forces[i] += (b.pos - a.pos) * k
    return forces


@kept_in(RIGHT)
def forces_of_a_helper(p):
    bodies = [Body(Vector(v, 0.5), Vector(p[0], p[1])) for v in p]
    for _ in range(2):
        for body, force in zip(bodies, _forces(bodies, p[2])):
            body.vel += force * 0.1
            body.pos += body.vel * 0.1
    return sum(body.pos.x * body.pos.y for body in bodies)


@kept_in(RIGHT)
def from_the_end(p):
    masses = [Mass(v, 0.5) for v in p]
    for a, b in zip(masses, masses[-2:]):
        a.v += b.x * p[0]
    return sum(m.x * m.v for m in masses)


@kept_in(RIGHT)
def backwards(p):
    masses = [Mass(v, 0.5) for v in p]
    for a, b in zip(masses, masses[::-1]):
        a.v += b.x * p[0]
    return sum(m.x * m.v for m in masses)


test_right = each_right(RIGHT, P, P_DOT)
