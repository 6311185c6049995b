"""Vectors and bodies of the user's classes that are updated by `+=`: in places, in lists, and as constants at first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_refused, each_right, kept_in, refused_in
from numeric import assert_close, numeric_gradient

from tangentish import grad

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
P, P_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([1.0, -2.0, 0.5, 0.3])


class Vector:
    """Its `+=` changes it."""

    def __init__(self, x=0.0, y=0.0):
        self.x, self.y = x, y

    def __iadd__(self, other):
        self.x += other.x
        self.y += other.y
        return self

    def __isub__(self, other):
        self.x -= other.x
        self.y -= other.y
        return self

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y)

    def __mul__(self, k):
        return Vector(self.x * k, self.y * k)

    __rmul__ = __mul__

    def add(self, other):
        self.x += other.x
        self.y += other.y

    def norm2(self):
        return self.x**2 + self.y**2


class Value:
    """It has no `+=` of its own: a new one is made."""

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Value(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Value(self.x - other.x, self.y - other.y)

    def __mul__(self, k):
        return Value(self.x * k, self.y * k)

    def norm2(self):
        return self.x**2 + self.y**2


class Either:
    """Its `+=` gives itself on one way only."""

    def __init__(self, x):
        self.x = x

    def __iadd__(self, other):
        if other.x > 100.0:
            return Either(1.0)
        self.x += other.x
        return self


class Body:
    def __init__(self, pos, vel, m=1.0):
        self.pos, self.vel, self.m = pos, vel, m

    def move(self, dt):
        self.pos += self.vel * dt


# -- under a name


@kept_in(RIGHT)
def constants_at_first(p):
    pos = Vector(0.0, 0.0)
    vel = Vector(p[0], p[1])
    for _ in range(3):
        pos += vel * 0.1
        vel += -0.1 * pos
    return pos.x * pos.y


@kept_in(RIGHT)
def of_what_a_function_gives(p):
    pos = Vector(p[3], 0.0)

    def step():
        return Vector(p[0], p[1])

    for _ in range(3):
        pos += step()
    return pos.x * pos.y


@kept_in(RIGHT)
def given_to_a_method(p):
    pos, vel = Vector(p[3], 1.0), Vector(p[0], p[1])
    pos.add(vel * 0.1)
    return pos.x * pos.y


@kept_in(RIGHT)
def constants_multiplied_in_a_loop(p):
    pos = Value(p[2], 0.0)
    vel = Value(0.0, 0.0)
    for _ in range(3):
        pos = pos + vel * 0.1
        vel = vel + pos
    return pos.x * vel.x


@kept_in(RIGHT)
def another_name_of_what_is_made_anew(p):
    f = Value(0.0, 0.0)
    g = f
    f += Value(p[0], 0.1)
    return f.x + g.x * p[1]


# -- in places


@kept_in(RIGHT)
def attributes(p):
    body = Body(Vector(p[2], 0.0), Vector(p[0], p[1]))
    for _ in range(3):
        body.pos += body.vel * 0.1
        body.move(p[3])
    return body.pos.x * body.pos.y


@kept_in(RIGHT)
def elements_and_entries(p):
    both = [Vector(p[3], 1.0), Vector(p[0], 0.5)]
    d = {"a": Vector(p[3], 1.0), "b": Vector(p[0], 0.5)}
    for k in range(2):
        both[k] += Vector(p[k], p[1])
    for key in d:
        d[key] += Vector(p[0], p[1])
    both[0] += both[1]
    d["a"] += d["b"]
    return both[0].x * both[1].y * d["a"].x * d["b"].y


# -- in lists that grow


@kept_in(RIGHT)
def bodies_of_vectors(p):
    bodies = [Body(Vector(0.1 * v, v), Vector(0.0, v), v) for v in p]
    for _ in range(2):
        for i in range(len(bodies)):
            for j in range(i + 1, len(bodies)):
                a, b = bodies[i], bodies[j]
                d = a.pos - b.pos
                mag = 0.05 / (d.norm2() + 0.1) ** 1.5
                a.vel -= d * (b.m * mag)
                b.vel += d * (a.m * mag)
        for b in bodies:
            b.pos += b.vel * 0.05
    return sum(0.5 * b.m * b.vel.norm2() for b in bodies)


@kept_in(RIGHT)
def bodies_of_values(p):
    bodies = [Body(Value(0.1 * v, v), Value(0.0, 0.0), v) for v in p]
    for _ in range(2):
        for a in bodies:
            f = Value(0.0, 0.0)
            for b in bodies:
                if b is not a:
                    d = b.pos - a.pos
                    f += d * (b.m / (d.norm2() + 0.1))
            a.vel += f * 0.1
        for b in bodies:
            b.pos += b.vel * 0.1
    return sum(b.pos.x * b.pos.y for b in bodies)


@kept_in(RIGHT)
def bodies_written_down(p):
    bodies = [
        Body(Vector(0.0, 0.0), Vector(0.0, 0.0), p[0]),
        Body(Vector(1.0, p[2]), Vector(0.0, p[3]), p[1]),
        Body(Vector(-1.0, p[2]), Vector(0.0, p[3]), 0.3),
    ]
    for _ in range(2):
        for i in range(3):
            for j in range(i + 1, 3):
                a, b = bodies[i], bodies[j]
                d = a.pos - b.pos
                mag = 0.05 / (d.norm2() + 0.1) ** 1.5
                a.vel -= d * (b.m * mag)
                b.vel += d * (a.m * mag)
        for b in bodies:
            b.pos += 0.05 * b.vel
    return sum(0.5 * b.m * b.vel.norm2() for b in bodies)


@kept_in(RIGHT)
def forces_that_start_as_constants(p):
    total = 0.0
    for _ in range(2):
        forces = [Value(0.0, 0.0) for _ in range(3)]
        for i in range(3):
            for j in range(3):
                if i != j:
                    forces[i] += Value(p[i], 0.1 * p[j])
        for f in forces:
            total += f.x * f.y
    return total


@kept_in(RIGHT)
def vectors_by_index(p):
    vectors = [Vector(v, 0.5) for v in p]
    for _ in range(3):
        for k in range(len(vectors)):
            vectors[k] += Vector(p[0], p[1])
    return sum(v.x * v.y for v in vectors)


# -- refused


@refused("this operator changes the object itself")
def itself_or_another(p):
    body = Body(Either(p[0]), Either(p[1]))
    body.pos += body.vel
    return body.pos.x


@refused("has another name")
def another_name_of_what_is_changed(p):
    f = Vector(0.0, 0.0)
    g = f
    f += Vector(p[0], 0.1)
    return f.x + g.x * p[1]


@refused("kept under another name")
def itself_or_another_in_a_list(p):
    each = [Either(v) for v in p]
    for k in range(len(each)):
        each[k] += Either(p[0])
    return sum(e.x for e in each)


test_right = each_right(RIGHT, P, P_DOT)


test_refused = each_refused(REFUSED, P)


def drift(ps, h, trips):
    for _ in range(trips):
        ps = [p + Vector(0.1 * p.y, h * p.x) for p in ps]
    return sum(p.x * p.y for p in ps)


@pytest.mark.parametrize("trips", [0, 1, 3])
def test_a_given_list_of_objects_that_operators_make_anew(trips: int) -> None:
    """It was a ValueError of ours: the list has the objects at first, and what the operator gives later."""
    given = [Vector(1.0, 2.0), Vector(0.3, 0.4)]
    found = grad(drift)(given, 0.5, trips)
    flat = np.array([1.0, 2.0, 0.3, 0.4])
    numeric = numeric_gradient(
        lambda z: drift([Vector(*z[:2]), Vector(*z[2:])], 0.5, trips), (flat,), 0, 1.0
    )
    assert_close(np.array([[v.x, v.y] for v in found]).ravel(), numeric, "drift")
    assert [(v.x, v.y) for v in given] == [(1.0, 2.0), (0.3, 0.4)]
