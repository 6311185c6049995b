"""Objects that are made of constants and vary later, and objects that have a name and stand in a list or a dict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
P, P_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([1.0, -2.0, 0.5, 0.3])


class Mass:
    def __init__(self, s, v=0.0):
        self.s = s
        self.v = v

    def kick(self, a):
        self.v += a

    def move(self, dt):
        self.s += self.v * dt


@dataclass
class Node:
    V: float = 0.0
    I: float = 0.0


class Chain:
    def __init__(self):
        self.masses = [Mass(1.0), Mass(2.0)]

    def drive(self, u):
        for m in self.masses:
            m.s += u
            u = u * 0.5


class World:
    def __init__(self, bodies):
        self.bodies = bodies

    def step(self, dt):
        for b in self.bodies:
            b.move(dt)


def kick_all(masses, a):
    for m in masses:
        m.kick(a)


def put_first(masses, m):
    masses[0] = m


def in_order(masses):
    masses.sort(key=lambda m: m.s)


# -- made of constants


@kept_in(RIGHT)
def constants_in_a_list(p):
    chain = [Mass(1.0), Mass(2.0)]
    for m in chain:
        m.s += p[0]
    return chain[0].s * chain[1].s


@kept_in(RIGHT)
def springs_between_neighbours(p):
    chain = [Mass(1.0), Mass(2.0), Mass(3.5), Mass(4.0)]
    for _ in range(3):
        for i in range(len(chain) - 1):
            f = p[0] * (chain[i + 1].s - chain[i].s - p[1])
            chain[i].kick(f * 0.1)
            chain[i + 1].kick(-f * 0.1)
        for m in chain:
            m.move(0.1)
    return sum(m.s**2 for m in chain)


@kept_in(RIGHT)
def defaults_of_a_dataclass(p):
    nodes = [Node(), Node(), Node()]
    nodes[0].V = p[0]
    for _ in range(5):
        for a, b in zip(nodes[:-1], nodes[1:]):
            b.V += 0.1 * (a.V - b.V) * p[1]
    return nodes[-1].V


@kept_in(RIGHT)
def constants_in_a_dict(p):
    d = {"a": Mass(1.0), "b": Mass(2.0)}
    for key in d:
        d[key].s *= p[0]
    for key, m in d.items():
        m.s += p[1] * len(key)
    return d["a"].s * d["b"].s


@kept_in(RIGHT)
def constants_in_rows(p):
    rows = [[Mass(1.0), Mass(2.0)], [Mass(3.0), Mass(1.5)]]
    for row in rows:
        for m in row:
            m.s *= p[0]
    return rows[0][0].s * rows[1][1].s


@kept_in(RIGHT)
def constants_of_an_init(p):
    chain = Chain()
    for v in p:
        chain.drive(v)
    return sum(m.s**2 for m in chain.masses)


@kept_in(RIGHT)
def constants_given_to_a_function(p):
    masses = [Mass(1.0), Mass(2.0)]
    kick_all(masses, p[0])
    kick_all(masses, p[1])
    for m in masses:
        m.move(0.5)
    return masses[0].s * masses[1].s


@kept_in(RIGHT)
def arrays_of_constants(p):
    masses = [Mass(np.zeros(2), np.ones(2)), Mass(np.ones(2), np.ones(2))]
    for _ in range(2):
        for m in masses:
            m.v = m.v - p[0] * m.s
            m.s = m.s + 0.1 * m.v
    return np.sum(masses[0].s * masses[1].s)


@kept_in(RIGHT)
def no_trip_at_all(p):
    chain = [Mass(1.0), Mass(2.0)]
    for _ in range(0):
        for m in chain:
            m.s += p[0]
    return chain[0].s * chain[1].s + p[1]


# -- with a name, and in a list


@kept_in(RIGHT)
def named_bodies_in_a_list(p):
    a, b = Mass(p[0], p[1]), Mass(p[2], p[3])
    bodies = [a, b]
    for _ in range(3):
        for m in bodies:
            m.s += m.v * 0.1
        for i, m in enumerate(bodies):
            for j, n in enumerate(bodies):
                if i != j:
                    m.v += 0.1 * (n.s - m.s)
    return a.s * b.s


@kept_in(RIGHT)
def named_constants_in_a_list(p):
    a = Mass(1.0)
    chain = [a, Mass(2.0)]
    for m in chain:
        m.s += p[0]
    return a.s * chain[1].s


@kept_in(RIGHT)
def named_in_a_dict(p):
    a, b = Mass(p[0]), Mass(p[1])
    d = {"a": a, "b": b}
    for m in d.values():
        m.s *= p[2]
    a.s += p[3]
    return a.s * d["b"].s


@kept_in(RIGHT)
def named_and_given_to_functions(p):
    a, b = Mass(p[0], 0.3), Mass(p[1], 0.1)
    masses = [a, b]
    for _ in range(4):
        kick_all(masses, p[2])
        for m in masses:
            m.move(0.1)
        a.v -= 0.1 * a.s
    return sum(m.s**2 for m in masses) + a.s * b.v


@kept_in(RIGHT)
def named_and_held_by_an_object(p):
    a, b = Mass(p[0], 0.3), Mass(p[1], 0.1)
    world = World([a, b])
    for _ in range(4):
        world.step(0.1)
        a.v += p[2]
    return a.s * b.s


@kept_in(RIGHT)
def named_on_one_line(p):
    chain = (Mass(1.0), Mass(2.0))
    m, n = chain
    m.s += p[0]
    n.s += m.s
    return chain[0].s * chain[1].s


@kept_in(RIGHT)
def names_change_places(p):
    m, n = Mass(p[0]), Mass(p[1])
    both = [m, n]
    n, m = both
    m.s += p[2]
    return both[0].s * p[3] + n.s


@kept_in(RIGHT)
def name_of_another_later(p):
    m, n = Mass(p[0]), Mass(p[1])
    both = [m, n]
    m.s += p[2]
    both = [n, Mass(p[3])]
    m.s *= p[1]
    both[0].s *= p[1]
    return both[0].s * p[3] + m.s


@kept_in(RIGHT)
def more_go_into_the_list(p):
    a, b = Mass(p[0]), Mass(p[1])
    masses = [a, b]
    for m in masses:
        m.s *= p[2]
    masses.append(Mass(p[3]))
    b.s += 1.0
    return masses[0].s * p[3] + masses[1].s ** 2


# -- one of several


@kept_in(RIGHT)
def one_of_a_list(p):
    chain = [Mass(p[0]), Mass(p[1])]
    best = chain[0]
    if p[0] > 0.5:
        best = chain[1]
    best.s += p[1]
    return chain[0].s * chain[1].s


@kept_in(RIGHT)
def largest_of_a_list(p):
    chain = [Mass(1.0), Mass(2.0), Mass(1.5)]
    best = max(chain, key=lambda m: m.s)
    best.s *= p[3]
    for m in sorted(chain, key=lambda m: m.s):
        m.s = m.s * p[0] + p[1]
    return chain[0].s * chain[1].s * chain[2].s


# -- where the list does not stay what it was

ANOTHER = "a call puts another one in the place of an element that may have a name"


@refused(ANOTHER)
def another_put_in_by_a_call(p):
    a, b = Mass(p[0]), Mass(p[1])
    masses = [a, b]
    a.s *= p[2]
    put_first(masses, Mass(p[3]))
    a.s += 1.0
    return masses[0].s * p[3] + masses[1].s ** 2 + a.s


@refused(ANOTHER)
def put_in_order_by_a_call(p):
    masses = [Mass(p[0]), Mass(p[1])]
    m = masses[0]
    m.s += p[3]
    in_order(masses)
    m.s *= p[1]
    return masses[0].s * masses[1].s + m.s


@refused("kept under another name")
def put_in_order_under_another_name(p):
    a, b = Mass(p[0]), Mass(p[1])
    masses = [a, b]
    others = masses
    b.s *= p[2]
    others.sort(key=lambda m: m.s)
    b.s += 1.0
    return masses[0].s * p[3] + masses[1].s ** 2


@refused("has another name")
def another_under_a_computed_key(p):
    a, b = Mass(p[0]), Mass(p[1])
    d = {"a": a, "b": b}
    d["a"].s *= p[2]
    for key in ("a", "b"):
        d[key] = Mass(p[3])
    a.s += 1.0
    return a.s * d["a"].s


@refused("has another name")
def twice_in_a_list(p):
    a = Mass(p[0])
    both = [a, a]
    for m in both:
        m.s *= p[1]
    return both[0].s * both[1].s


class Dropout:
    def __init__(self, rate, seed):
        self.rate, self.rng = rate, np.random.RandomState(seed)

    def forward(self, x):
        kept = self.rng.rand(*x.shape) > self.rate
        return x * kept / (1 - self.rate)


@kept_in(RIGHT)
def dropped_once(p):
    layer = Dropout(0.3, seed=1)
    return np.sum(layer.forward(p * p) ** 2)


@kept_in(RIGHT)
def dropped_by_a_list(p):
    layers = [Dropout(0.3, seed=1), Dropout(0.2, seed=2)]
    y = p
    for layer in layers:
        y = np.sin(layer.forward(y))
    return np.sum(y * p) + layers[0].rng.rand() * p[0]


test_right = each_right(RIGHT, P, P_DOT)


test_refused = each_refused(REFUSED, P)
