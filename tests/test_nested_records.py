"""Objects and dicts inside of the elements of a list: each of their entries is a list, too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, each_refused, kept_in, named, refused_in

from tests.random_families import what_is_bad
from tests.random_nested_records import generate
from tests.random_programs import check

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
P, P_DOT = np.array([0.7, 0.4, 0.9]), np.array([1.0, -2.0, 0.5])

PUT = "this may stand elsewhere, too"
KEPT = "an element of a list is kept under another name"


class V:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def dot(self, o):
        return self.x * o.x + self.y * o.y

    def scale(self, s):
        self.x *= s
        self.y *= s

    def __add__(self, o):
        return V(self.x + o.x, self.y + o.y)

    def __mul__(self, s):
        return V(self.x * s, self.y * s)


class B:
    def __init__(self, pos, vel, m):
        self.pos, self.vel, self.m = pos, vel, m

    def move(self, dt):
        self.pos.x += dt * self.vel.x
        self.pos.y += dt * self.vel.y

    def drift(self, dt):
        self.pos = self.pos + self.vel * dt

    def energy(self):
        return 0.5 * self.m * self.vel.dot(self.vel)


def make(p, n):
    bs = []
    for i in range(n):
        bs.append(B(V(p[0] * i, p[1]), V(p[2], p[0] + i), 1.0 + i))
    return bs


@dataclass
class W:
    b: B
    t: float = 1.0


class World:
    def __init__(self):
        self.bs = []

    def add(self, x, y):
        self.bs.append(B(V(x, y), V(0.1 * x, y * y), 1.0))

    def step(self, dt):
        for b in self.bs:
            b.move(dt)


@kept_in(RIGHT)
def changed_inside(p):
    bs = [B(V(v, v * v), V(1.0, v), 2.0) for v in p]
    for b in bs:
        b.pos.x *= 2.0
        b.vel.y += b.pos.x
    return sum(b.pos.x * b.vel.y * b.m for b in bs)


@kept_in(RIGHT)
def moved_by_a_method(p):
    bs = [B(V(v, v * v), V(1.0, v), 2.0) for v in p]
    for b in bs:
        b.move(0.1)
    return sum(b.pos.x * b.vel.y * b.m for b in bs)


@refused(KEPT)
def replaced_by_a_method(p):
    bs = [B(V(v, v * v), V(1.0, v), 2.0) for v in p]
    for _ in range(3):
        for b in bs:
            b.drift(0.1)
    return sum(b.pos.x * b.pos.y for b in bs)


@kept_in(RIGHT)
def asked_by_a_method(p):
    bs = [B(V(v, v * v), V(1.0, v), 2.0) for v in p]
    return sum(b.energy() for b in bs)


@refused(PUT)
def one_inside_of_all(p):
    bs = [B(V(v, v * v), V(1.0, v), 2.0) for v in p]
    shared = V(p[0], p[1])
    for b in bs:
        b.vel = shared
    bs[0].vel.x *= 3
    return sum(b.vel.x * b.pos.x for b in bs)


@kept_in(RIGHT)
def a_name_for_the_inner_one(p):
    bs = [B(V(v, v * v), V(1.0, v), 2.0) for v in p]
    for b in bs:
        q = b.pos
        q.x *= 2
        b.vel.x += q.x * b.pos.x
    return sum(b.vel.x * b.pos.x for b in bs)


@refused(KEPT)
def replaced_and_read_by_its_old_name(p):
    bs = [B(V(v, v * v), V(1.0, v), 2.0) for v in p]
    for b in bs:
        old = b.pos
        b.pos = V(old.x * 2, p[1])
        old.x = 17.0
        b.vel.x += b.pos.x + old.x * b.pos.x
    return sum(b.vel.x * b.pos.x for b in bs)


@kept_in(RIGHT)
def pairs_of_elements(p):
    bs = [B(V(v, v * v), V(1.0, v), 2.0) for v in p]
    for i in range(len(bs)):
        for j in range(i):
            dx = bs[i].pos.x - bs[j].pos.x
            f = dx / (dx * dx + 1.0)
            bs[i].vel.x += f * bs[j].m
            bs[j].vel.x -= f * bs[i].m
    for b in bs:
        b.pos.x += 0.1 * b.vel.x
    return sum(b.pos.x * b.vel.x for b in bs)


@kept_in(RIGHT)
def changed_by_its_own_method(p):
    bs = make(p, 4)
    for b in bs:
        b.pos.scale(2.0)
        b.pos.x *= b.vel.x
    return sum(b.pos.x * b.vel.y for b in bs)


@kept_in(RIGHT)
def another_one_inside_and_sorted(p):
    bs = make(p, 4)
    bs[1] = B(V(p[0], p[0]), V(p[1], p[1]), 3.0)
    bs[2].pos = V(p[2], p[2])
    bs.sort(key=lambda b: b.pos.y)
    return sum((k + 1) * b.pos.x * b.vel.y * b.m for k, b in enumerate(bs))


@refused(PUT)
def an_element_of_another_list(p):
    bs = make(p, 3)
    cs = make(p * 2, 2)
    cs.append(bs[0])
    cs[2].pos.x *= 5.0
    return sum(b.pos.x * b.vel.y for b in cs) + bs[0].pos.y


@refused(PUT)
def one_made_before_the_loop(p):
    v = V(p[0], p[1])
    bs = []
    for i in range(3):
        bs.append(B(v, V(p[i], 1.0), 1.0))
    bs[0].pos.x *= 2
    return sum(b.pos.x * b.vel.x for b in bs) + v.x


@refused(PUT)
def one_under_two_attributes(p):
    bs = []
    for i in range(3):
        v = V(p[i], p[1])
        bs.append(B(v, v, 1.0))
    bs[0].pos.x *= 2
    return sum(b.pos.x * b.vel.x for b in bs)


@refused(PUT)
def changed_after_it_was_put_in(p):
    bs = []
    for i in range(3):
        v = V(p[i], p[1])
        bs.append(B(v, V(1.0, 2.0), 1.0))
        v.x *= 2
    return sum(b.pos.x * b.vel.x for b in bs)


@kept_in(RIGHT)
def the_greatest_by_an_inner_one(p):
    bs = make(p, 4)
    best = max(bs, key=lambda b: b.pos.x)
    best.pos.x *= 3
    return sum(b.pos.x * b.m for b in bs)


@kept_in(RIGHT)
def dicts_with_dicts_and_lists(p):
    bs = [{"pos": {"x": v, "y": [v, v * 2]}, "w": 2.0} for v in p]
    for b in bs:
        b["pos"]["x"] *= b["pos"]["y"][1]
        b["pos"]["y"].append(b["w"] * p[0])
    return sum(b["pos"]["x"] * sum(b["pos"]["y"]) for b in bs)


@kept_in(RIGHT)
def handed_to_functions(p):
    bs = make(p, 3)

    def total(bs):
        return sum(b.pos.x * b.vel.y for b in bs)

    def shift(bs, s):
        for b in bs:
            b.pos.x += s
            b.vel = V(b.vel.x, b.vel.y * s)

    shift(bs, p[1])
    return total(bs)


@kept_in(RIGHT)
def names_at_two_depths(p):
    bs = make(p, 3)
    b = bs[1]
    b.pos.x *= 2
    c = bs[1].pos
    c.y *= p[1]
    return sum(b.pos.x * b.pos.y for b in bs)


@kept_in(RIGHT)
def made_of_sums_of_inner_ones(p):
    bs = make(p, 3)
    new = [B(b.pos + b.vel, b.vel * 0.5, b.m) for b in bs]
    return sum(b.pos.x * b.vel.y for b in new) + bs[1].pos.x


@refused(KEPT)
def inner_ones_of_another_list(p):
    bs = make(p, 3)
    new = [B(b.pos, b.vel * 0.5, b.m) for b in bs]
    for b in new:
        b.pos.x *= 2
    return sum(b.pos.x * b.vel.y for b in bs)


@kept_in(RIGHT)
def three_deep(p):
    ws = [W(B(V(v, v * v), V(1.0, v), 2.0), v) for v in p]
    for w in ws:
        w.b.pos.x *= w.t
        w.b.move(0.5)
    return sum(w.b.pos.x * w.b.vel.y for w in ws)


@kept_in(RIGHT)
def in_an_object(p):
    w = World()
    for v in p:
        w.add(v, v * 2)
    for _ in range(2):
        w.step(p[0])
    return sum(b.pos.x * b.vel.y for b in w.bs)


@kept_in(RIGHT)
def none_of_them(p):
    bs = make(p, 0)
    t = p[0]
    for b in bs:
        t += b.pos.x
    return t


@kept_in(RIGHT)
def a_list_of_the_inner_ones(p):
    bs = make(p, 3)
    poss = [b.pos for b in bs]
    poss[0].x *= 2
    return sum(b.pos.x * b.vel.y for b in bs) + poss[1].x


@kept_in(RIGHT)
def each_with_all_others(p):
    bs = make(p, 3)
    for a in bs:
        for b in bs:
            if a is not b:
                a.vel.x += b.pos.x * b.m
            a.pos.y += 0.01 * b.vel.x
    return sum(b.pos.y * b.vel.x for b in bs)


# ---- which object it is


@dataclass
class At:
    x: float


@dataclass
class Particle:
    pos: np.ndarray
    vel: np.ndarray
    mass: float


@kept_in(RIGHT)
def particles_by_name(p):
    ps = [
        Particle(np.array([p[0], 0.0]), np.array([0.0, p[1]]), 1.0),
        Particle(np.array([p[2], 1.0]), np.zeros(2), 2.0),
    ]
    for _ in range(3):
        for a in ps:
            f = np.zeros(2)
            for b in ps:
                if b is not a:
                    r = b.pos - a.pos
                    f += b.mass * r / (r @ r + 0.1) ** 1.5
            a.vel += 0.01 * f
        for a in ps:
            a.pos = a.pos + 0.01 * a.vel
    return sum(0.5 * a.mass * (a.vel @ a.vel) for a in ps)


@kept_in(RIGHT)
def dicts_that_are_not_one(p):
    d = {"a": p[0]}
    e = {"a": p[1]}
    d["a"] *= 2
    return sum(u["a"] * w["a"] for u in (d, e) for w in (d, e) if u is not w)


@kept_in(RIGHT)
def each_but_itself(p):
    bodies = [At(p[0]), At(p[1]), At(p[2])]
    for b in bodies:
        b.x *= 1.5
    e = 0.0
    for i, a in enumerate(bodies):
        for b in bodies:
            if a is b:
                continue
            e += a.x * b.x**2
        a.x += e
    return e


@pytest.mark.parametrize("function", RIGHT, ids=named)
@pytest.mark.parametrize("p", [P, -P[::-1]])
def test_right(function: Callable[..., Any], p: np.ndarray) -> None:
    check_along(function, p, P_DOT)


test_refused = each_refused(REFUSED, P)


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_random_programs(first: int) -> None:
    outcomes = {seed: check(generate(seed)) for seed in range(first, first + 10)}
    bad = what_is_bad(outcomes, generate)
    assert not bad, "\n\n".join(bad)
    assert sum(o.kind == "ok" for o in outcomes.values()) > 1
