"""Loops over pairs and triples of objects in lists, as itertools makes them: bodies, particles, contacts."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from itertools import combinations, pairwise, permutations, product
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in
from numeric import assert_close, numeric_gradient

from tangentish import grad

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
P, P_DOT = np.array([0.7, 0.4, 0.9]), np.array([1.0, -2.0, 0.5])


class Body:
    def __init__(self, m, r):
        self.m, self.r, self.a = m, np.array(r, dtype=float), np.zeros(2)

    def potential(self, other):
        d = other.r - self.r
        return self.m * other.m / (0.5 + d @ d)


class Dot:
    def __init__(self, x, v):
        self.x, self.v = x, v

    def hit(self, other):
        self.v += other.x
        other.v -= self.x


def three_bodies(m):
    return [Body(m[0], [0, 0]), Body(m[1], [1, 0]), Body(m[2], [2, 1])]


def accelerate(bodies):
    for b in bodies:
        b.a = np.zeros(2)
    for b1, b2 in itertools.combinations(bodies, 2):
        d = b2.r - b1.r
        b1.a += b2.m * d
        b2.a -= b1.m * d


@kept_in(RIGHT)
def forces_on_three(m):
    bodies = three_bodies(m)
    accelerate(bodies)
    return bodies[1].a[1] ** 2 + bodies[0].a[0]


@kept_in(RIGHT)
def forces_on_many(m):
    bodies = [Body(mk, [k, k * k]) for k, mk in enumerate(m)]
    for b1, b2 in itertools.combinations(bodies, 2):
        d = b2.r - b1.r
        b1.a += b2.m * d
        b2.a -= b1.m * d
    return bodies[1].a[1] ** 2


@kept_in(RIGHT)
def potentials_of_three(m):
    bodies = three_bodies(m)
    return sum(b1.potential(b2) for b1, b2 in combinations(bodies, 2))


@kept_in(RIGHT)
def potentials_of_many(m):
    bodies = [Body(mk, [k, k * k]) for k, mk in enumerate(m)]
    return sum(b1.potential(b2) for b1, b2 in combinations(bodies, 2))


@kept_in(RIGHT)
def many_steps(m):
    ps = [Dot(v, v * v) for v in m]
    for _ in range(3):
        for p, q in combinations(ps, 2):
            d = p.x - q.x
            p.v -= d
            q.v += d
        for p in ps:
            p.x += 0.1 * p.v
    return sum(p.x**2 for p in ps)


@kept_in(RIGHT)
def steps_of_three(m):
    ps = [Dot(m[0], 1.0), Dot(m[1], 2.0), Dot(m[2], m[0])]
    for _ in range(3):
        for p, q in combinations(ps, 2):
            d = p.x - q.x
            p.v -= d
            q.v += d
        for p in ps:
            p.x += 0.1 * p.v
    return sum(p.x**2 for p in ps)


@kept_in(RIGHT)
def methods_that_change_both(m):
    ps = [Dot(v, v * v) for v in m]
    for p, q in combinations(ps, 2):
        p.hit(q)
    return sum(p.v**2 for p in ps)


class World:
    def __init__(self, m):
        self.dots = [Dot(v, v * v) for v in m]

    def step(self):
        for p, q in combinations(self.dots, 2):
            p.hit(q)
        for p in self.dots:
            p.x += 0.1 * p.v


@kept_in(RIGHT)
def under_an_attribute(m):
    world = World(m)
    for _ in range(3):
        world.step()
    return sum(p.x * p.v for p in world.dots)


@kept_in(RIGHT)
def left_early(m):
    ps = [Dot(v, v * v) for v in m]
    s = 0.0
    for p, q in combinations(ps, 2):
        s += p.x * q.v
        if s > 1:
            break
        if q.x > 0.8:
            continue
        q.x += p.v
    return s


@kept_in(RIGHT)
def counted_and_beside_others(m):
    ps = [Dot(v, v * v) for v in m]
    s = 0.0
    for k, ((p, q), w) in enumerate(zip(permutations(ps, 2), m)):  # noqa: B905
        s += p.x * q.v * w * k
        q.v += p.x * w
    return s


@kept_in(RIGHT)
def three_at_a_time(m):
    ps = [Dot(v, v * v) for v in m]
    s = 0.0
    for p, q, r in combinations(ps, 3):
        s += p.x * q.v * r.x
        q.x += p.v * r.v
    return s + ps[-1].x + ps[1].x


@kept_in(RIGHT)
def of_two_lists(m):
    ps = [Dot(v, v * v) for v in m]
    qs = [Dot(2 * v, v * v) for v in m]
    s = 0.0
    for p, q in product(ps, qs):
        s += p.x * q.v
        q.x += p.v
    return s + sum(q.x for q in qs)


@kept_in(RIGHT)
def each_with_each(m):
    ps = [Dot(v, v * v) for v in m]
    s = 0.0
    for p, q in product(ps, ps):
        if p is not q:
            s += p.x * q.v
            q.x += p.v
    return s


@kept_in(RIGHT)
def with_themselves(m):
    ps = [Dot(v, v * v) for v in m]
    s = 0.0
    for p, q in itertools.combinations_with_replacement(ps, 2):
        s += p.x * q.v
        q.x += p.x
    return s


@kept_in(RIGHT)
def neighbours(m):
    ps = [Dot(v, v * v) for v in m]
    s = 0.0
    for p, q in pairwise(list(ps)):
        s += p.x * q.v
        q.x += p.v
    return s


@kept_in(RIGHT)
def without_the_first(m):
    ps = [Dot(v, v * v) for v in m]
    s = 0.0
    for p, q in combinations(ps[1:], 2):
        s += p.x * q.v
        q.x += p.v
    return s + ps[-1].x


@kept_in(RIGHT)
def in_order(m):
    ps = [Dot(v, v * v) for v in m]
    return sum(p.x * q.v**2 for p, q in combinations(sorted(ps, key=lambda p: p.x), 2))


@kept_in(RIGHT)
def names_that_change_places(m):
    ps = [Dot(v, v * v) for v in m]
    s = 0.0
    for p, q in combinations(ps, 2):
        if p.x > q.x:
            p, q = q, p
        s += p.x * q.v
        q.v += p.x
    return s


@kept_in(RIGHT)
def read_after_the_loop(m):
    ps = [Dot(v, v * v) for v in m]
    s = 0.0
    for p, q in combinations(ps, 2):
        s += p.x * q.v
        p.x += q.v
    return s + p.x * q.v


@kept_in(RIGHT)
def the_nearest_pair(m):
    ps = [Dot(v, v * v) for v in m]
    best = None
    for p, q in combinations(ps, 2):
        d = (p.x - q.x) ** 2
        if best is None or d < best:
            best, first, second = d, p, q
    return best * first.x + second.v


@refused("may give way to an array")
def of_none_at_first(m):
    ps = []
    s = m[0]
    for p, q in combinations(ps, 2):
        s += p.x * q.v
    for v in m:
        ps.append(Dot(v, v * v))
    for p, q in combinations(ps, 2):
        s += p.x * q.v
        q.x += s
    return s + ps[-1].x


@kept_in(RIGHT)
def of_dicts(m):
    ps = [{"x": v, "v": v * v} for v in m]
    for p, q in combinations(ps, 2):
        p["v"] += q["x"]
    return sum(p["v"] ** 2 for p in ps)


def replaced(ps, s):
    ps[1] = Dot(s, s * s)


@refused("used as a whole here: loop over it, or index it")
def another_in_the_place_of_one(m):
    ps = [Dot(v, v * v) for v in m]
    s = 0.0
    for p, q in combinations(ps, 2):
        s += p.x * q.v
        ps[1] = Dot(s, s)
    return s + ps[1].x


@refused("a call puts another one in the place of an element that may have a name")
def another_by_a_call(m):
    ps = [Dot(v, v * v) for v in m]
    s = 0.0
    for p, q in combinations(ps, 2):
        s += p.x * q.v
        replaced(ps, s)
    return s + ps[1].x


@refused("used as a whole here: loop over it, or index it")
def grown_meanwhile(m):
    ps = [Dot(v, v * v) for v in m]
    s = 0.0
    for p, q in combinations(ps, 2):
        s += p.x * q.v
        ps.append(Dot(s, s))
    return s + ps[-1].x


@refused("two elements of one list meet where one is changed, and may be the same")
def one_and_itself(m):
    ps = [Dot(v, v * v) for v in m]
    for p, q in product(ps, ps):
        p.hit(q)
    return sum(p.v**2 for p in ps)


test_right = each_right(RIGHT, P, P_DOT)


test_refused = each_refused(REFUSED, P)


def test_given_lists() -> None:
    def energy(masses):
        accelerate(bodies := three_bodies(masses))
        return sum(b.a @ b.a for b in bodies)

    def of_bodies(bodies):
        accelerate(bodies)
        return sum(b.a @ b.a for b in bodies)

    bodies = three_bodies(P)
    found = [body.m for body in grad(of_bodies)(bodies)]
    assert_close(np.array(found), numeric_gradient(energy, (P,), 0, 1.0), "masses")
    assert all(not body.a.any() for body in bodies)


def test_text() -> None:
    text = grad(many_steps).source(P)
    assert "for i, j in combinations(range(len(ps_x)), 2):" in text
    assert "for i, j in reversed(list(combinations(range(len(ps_x)), 2))):" in text
