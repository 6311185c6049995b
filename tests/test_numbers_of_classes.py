"""Classes that are numbers of their kind: vectors, frames and states with operators, in loops, in one line, by properties."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import astuple, dataclass
from typing import Any

import numpy as np
from every_mode import check_refused, each_right, kept_in

RIGHT: list[Callable[..., Any]] = []
P, P_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([1.0, -2.0, 0.5, 0.3])


class V:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, o):
        return V(self.x + o.x, self.y + o.y)

    def __sub__(self, o):
        return V(self.x - o.x, self.y - o.y)

    def __neg__(self):
        return V(-self.x, -self.y)

    def __mul__(self, s):
        return V(self.x * s, self.y * s)

    __rmul__ = __mul__

    def dot(self, o):
        return self.x * o.x + self.y * o.y

    def norm(self):
        return math.sqrt(self.dot(self))


@dataclass
class Q:
    w: float
    x: float

    def __mul__(self, o):
        return Q(self.w * o.w - self.x * o.x, self.w * o.x + self.x * o.w)

    def norm(self):
        return math.sqrt(sum(v * v for v in astuple(self)))


class Frame:
    def __init__(self, r, t):
        self.r, self.t = r, t

    def __matmul__(self, o):
        return Frame(self.r * o.r, self.r * o.t + self.t)

    @property
    def inv(self):
        return Frame(1 / self.r, -self.t / self.r)


class State:
    def __init__(self, p, v):
        self.p, self.v = p, v


class Counting:
    """Its operator and its property change it."""

    def __init__(self, v, w):
        self.v, self.w, self.n = v, w, 0.0

    def __add__(self, o):
        self.n += 1.0
        return Counting(self.v + o.v, self.w * self.n)

    @property
    def shown(self):
        self.n += self.v
        return V(self.w, -self.n)


def made(k):
    return V(k, 2.0)


def reflected(d, n):
    return d - 2 * n.dot(d) * n


def sum_and_difference(a, b):
    return a + b, a - b


# -- objects of constants beside those that vary


@kept_in(RIGHT)
def constants_in_a_loop(p):
    n, d = V(p[0], p[1]), V(1.0, p[1])
    for k in range(3):
        c = n.dot(d)
        d = d + c * n
        n = n + 0.1 * V(k, 1)
    return d.x + d.y


@kept_in(RIGHT)
def constants_under_a_name(p):
    n, d = V(p[0], p[1]), V(1.0, p[1])
    for k in range(3):
        c = n.dot(d)
        step = V(k, 1) * 0.1
        d = d + c * n
        n = n - step
    return d.x * d.y


@kept_in(RIGHT)
def constants_that_a_call_gives(p):
    s = V(p[0], p[1])
    for k in range(3):
        s = s + 0.5 * made(k) * p[2]
    return s.norm()


@kept_in(RIGHT)
def constants_given_to_a_call(p):
    d, up = V(p[0], p[1]), V(0.0, 1.0)
    for k in range(3):
        d = reflected(d, up) + 0.2 * (up + V(1.0, k))
    return d.x


@kept_in(RIGHT)
def constants_in_a_list(p):
    s = V(p[0], p[1])
    for c in [V(k, 1.0) for k in range(3)]:
        s = s + s.dot(c) * c
    return s.norm()


@kept_in(RIGHT)
def a_constant_that_changes(p):
    c = V(1.0, 2.0)
    d = c
    s = V(p[0], p[1]) + c
    d.x = 5.0
    return s.dot(c)


@kept_in(RIGHT)
def a_constant_bound_anew_on_a_path(p):
    c = V(1.0, 2.0)
    if p[0] > 0.5:
        c = V(3.0, 4.0)
    s = V(p[0], p[1])
    for k in range(2):
        s = s + c
        if k == 0:
            c = 2.0 * c
    return s.norm() + s.dot(c)


@kept_in(RIGHT)
def a_loop_without_trips(p):
    s = V(0.0, 0.0)
    for _ in range(0):
        s = s + V(p[0], 1.0)
    return s.x + p[1] * (s + V(1.0, p[2])).y


@kept_in(RIGHT)
def turned(p):
    q = Q(1.0, 0.0)
    for _ in range(3):
        dq = Q(0.0, p[0]) * q
        q = Q(q.w + dq.w * p[1], q.x + dq.x)
        n = q.norm()
        q = Q(q.w / n, q.x / n)
    return q.w


# -- several in one line


@kept_in(RIGHT)
def two_in_one_line(p):
    s, c = V(p[0], p[1]), V(p[2], 0.5)
    for _ in range(3):
        s, c = s + c, s * 0.5
    return s.norm() + c.norm()


@kept_in(RIGHT)
def in_a_tuple_in_a_line(p):
    s, c = V(p[0], p[1]), V(1.0, 0.5)
    (s, q), c = (s + c, 2.0), -c
    return s.dot(c) * q


@kept_in(RIGHT)
def beside_numbers(p):
    s, c = V(p[0], p[1]), V(1.0, 0.5)
    s, q, c = s + c, s.x * c.y, c + s
    return s.dot(c) * q


@kept_in(RIGHT)
def given_as_a_pair(p):
    s, c = V(p[0], p[1]), V(p[2], 0.5)
    for _ in range(3):
        s, c = sum_and_difference(s, c)
        s, c = s * 0.3, c * 0.5
    return s.norm() + c.norm()


@kept_in(RIGHT)
def in_an_object(p):
    state = State(V(p[0], p[1]), V(1.0, 0.0))
    for _ in range(3):
        a = -1.0 * state.p
        state = State(state.p + 0.1 * state.v, state.v + 0.1 * a)
    return state.p.norm() + state.v.norm()


@kept_in(RIGHT)
def in_a_dict(p):
    s, c = V(p[0], p[1]), V(1.0, 0.5)
    d = {"a": s + c, "b": s - 2 * c}
    return d["a"].dot(d["b"])


@kept_in(RIGHT)
def of_elements(p):
    ps = [V(v, 1.0) for v in p]
    for _ in range(2):
        ps[0], ps[1] = ps[0] + ps[1], ps[0] - ps[1]
    return ps[0].dot(ps[1])


# -- what properties give


@kept_in(RIGHT)
def of_a_property(p):
    a, b = Frame(p[0], p[1]), Frame(p[2], 1.0)
    for _ in range(2):
        a = a.inv @ b @ a
    return (a.inv @ b).t * a.inv.r


# -- in the order in which Python evaluates them


@kept_in(RIGHT)
def an_operator_that_changes(p):
    a, b = Counting(p[0], p[1]), Counting(p[2], p[3])
    r = (a + b).w * a.n + (a + b).w
    return r * a.n


@kept_in(RIGHT)
def operators_that_change_in_one_line(p):
    a, b = Counting(p[0], p[1]), Counting(p[2], p[3])
    for _ in range(3):
        a, b = a + b, b + a
    return a.w + 2 * b.w * a.n + b.n


@kept_in(RIGHT)
def a_property_that_changes(p):
    a = Counting(p[0], p[1])
    s = a.n + a.shown.y * a.n + (a.shown + a.shown).y * a.n
    return s * a.shown.norm()


@kept_in(RIGHT)
def a_property_that_may_not_be_asked(p):
    a = Counting(p[0], p[1])
    if p[0] > 10 and a.shown.x > 0:
        return p[0]
    y = a.shown.y if a.n > 5 else a.n * p[1]
    return a.n + p[1] * a.shown.y + y


test_right = each_right(RIGHT, P, P_DOT)


def test_an_array_before_an_object() -> None:
    def scaled(p):
        return (p * V(1.0, p[1])).x

    check_refused(scaled, "may be an array", P)
