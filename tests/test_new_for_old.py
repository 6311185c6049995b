"""What is made anew of what it was on each trip: dicts by key, lists of objects, objects in one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_refused, each_right, kept_in, refused_in
from numeric import assert_close, numeric_gradient

from tangentish import grad, hvp, jvp

FUNCTIONS: list[Callable[..., Any]] = []
renewed = kept_in(FUNCTIONS)
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)

LINKS = {"a": ["b", "c"], "b": ["c"], "c": ["a"]}
WEIGHTS = {"a": 0.3, "b": 0.5, "c": 0.2}


class Body:
    def __init__(self, x, v):
        self.x, self.v = x, v

    def moved(self, h):
        return Body(self.x + h * self.v, self.v)


class Mixer:
    def __init__(self, s):
        self.s = s

    def stirred(self, other):
        self.s = self.s * other.s
        return Mixer(self.s + 1)


@renewed
def ranks(x):
    d = x[0] * x[1]
    rank = {n: 1 / 3 for n in LINKS}
    for _ in range(3):
        rank = {
            n: 1 - d + d * sum(rank[m] / len(LINKS[m]) for m in LINKS if n in LINKS[m])
            for n in LINKS
        }
    return rank["c"]


@renewed
def ranks_by_lines(x):
    d = x[0] * x[1]
    rank = {n: 1 / 3 for n in LINKS}
    for _ in range(3):
        new = {}
        for n in LINKS:
            new[n] = 1 - d + d * sum(rank[m] / len(LINKS[m]) for m in LINKS if n in LINKS[m])
        rank = new
    return rank["c"]


@renewed
def normalised(x):
    shares = dict.fromkeys(LINKS, x[0] * x[1])
    for _ in range(3):
        total = sum(shares.values())
        shares = {k: v / total for k, v in shares.items()}
        shares["a"] += x[2]
    return sum(v * WEIGHTS[k] for k, v in shares.items())


@renewed
def arrays_by_key(x):
    h = {n: x[0] * x[1] * np.ones(2) for n in LINKS}
    for _ in range(3):
        h = {n: np.tanh(sum(h[o] for o in LINKS[n]) * x[2]) for n in LINKS}
    return h["a"].sum()


@renewed
def fewer_keys_each_time(x):
    held = {n: x[0] for n in LINKS}
    for _ in range(3):
        held = {n: x[1] * v for n, v in held.items() if v < 0.5 or n != "a"}
    return sum(held.values())


@renewed
def run_over_before_it_moves(x):
    state = {n: x[0] for n in LINKS}
    for _ in range(2):
        new = {n: v * x[1] for n, v in state.items()}
        for k, v in new.items():
            new[k] = v + x[2]
        total = sum(new.values()) * len(new)
        state = new
    return state["a"] * total


@renewed
def bodies_by_calls(x):
    bodies = [Body(x[0], x[1]), Body(x[2], x[3])]
    for _ in range(3):
        bodies = [b.moved(0.5) for b in bodies]
    return sum(b.x * b.v for b in bodies)


@renewed
def bodies_into_a_new_list(x):
    bodies = [Body(x[0], x[1]), Body(x[2], x[3])]
    for _ in range(3):
        new = []
        for b in bodies:
            new.append(b.moved(0.5))
        bodies = new
    return sum(b.x * b.v for b in bodies)


@renewed
def bodies_that_stay(x):
    bodies = [Body(x[0], x[1]), Body(x[2], x[3])]
    for _ in range(3):
        new = []
        for b in bodies:
            if b.x < 1.5:
                new.append(b.moved(0.5))
        bodies = new
    return sum(b.x * b.v for b in bodies)


@renewed
def constants_first(x):
    h = x[0] * x[1]
    bodies = [Body(1.0, 2.0), Body(0.3, 0.4)]
    many = [Body(1.0 * k, 2.0) for k in range(3)]
    for _ in range(2):
        bodies = [Body(b.x + h * b.v, b.v) for b in bodies]
        new = []
        for b in many:
            new.append(b.moved(h))
        many = new
    return sum(b.x * b.v for b in bodies) * sum(b.x for b in many)


@renewed
def no_trips(x):
    h = x[0] * x[1]
    bodies = [Body(1.0, 2.0), Body(0.3, 0.4)]
    for _ in range(0):
        bodies = [b.moved(h) for b in bodies]
    return sum(b.x * b.v for b in bodies) * h


@renewed
def changed_after_that(x):
    bodies = [Body(x[0], x[1]), Body(x[2], x[3])]
    old = bodies
    for _ in range(3):
        bodies = [bodies[1].moved(0.5), bodies[0].moved(x[1])]
        for b in bodies:
            b.x *= x[0]
        bodies[0].v += x[1]
    return sum(b.x * b.v for b in bodies) * old[1].x


@renewed
def two_in_one_line(x):
    p, q, s = Body(x[0], x[1]), Body(x[2], x[3]), 0.5
    for k in range(3):
        if x[k] > 0.5:
            p, q = q.moved(x[0]), p
        s, p, q = s + p.x, q.moved(s), p.moved(x[0])
    return p.x * q.v * s


@renewed
def each_changes_the_other(x):
    p, q = Mixer(x[0]), Mixer(x[1])
    for _ in range(2):
        p, q = p.stirred(q), q.stirred(p)
    return p.s * q.s


@renewed
def what_stands_beside_keeps_its_turn(x):
    def put(y, v):
        y[0] = v
        return Body(v, v * 2)

    y = x * 2
    p = Body(x[0], x[1])
    for _ in range(3):
        before, z, p, after = y[0], y, put(y, x[1] * p.x), y[0]
    return p.x * p.v * before * z[0] * after


@refused("is used here as a whole")
def another_name_stays(x):
    rank = {n: 1 / 3 for n in LINKS}
    old = rank
    for _ in range(2):
        rank = {n: x[0] + x[1] * rank[n] for n in LINKS}
    return rank["c"] + old["a"] * x[1]


@refused("is used here as a whole")
def the_new_one_is_asked_later(x):
    rank = {n: x[0] for n in LINKS}
    for _ in range(2):
        new = {n: x[1] * v for n, v in rank.items()}
        rank = new
        rank["a"] = x[2]
        total = new["a"]
    return rank["c"] * total


@refused("that is kept is not followed")
def a_view_is_kept(x):
    rank = {n: x[0] for n in LINKS}
    for _ in range(2):
        new = {n: 2 * v for n, v in rank.items()}
        values = new.values()
        rank = new
        rank["a"] = x[2]
        total = sum(values)
    return rank["c"] * total


@renewed
def one_object_twice(x):
    one = Body(1.0, 2.0)
    bodies = [one, one]
    for _ in range(2):
        bodies = [b.moved(x[0]) for b in bodies]
    return sum(b.x * b.v for b in bodies) + one.x * x[1]


@refused("these may be of several")
def arrays_of_several_lengths(x):
    messages = {i: np.ones(2) / 2 for i in range(4)}
    for i in range(1, 4):
        messages[i] = np.outer(x, x) @ messages[i - 1]
    return messages[3].sum()


@refused("a += v writes to the one that is there")
def updated_where_it_was_taken_out(x):
    stack = []
    for row in np.outer(x, x):
        stack.append(row.copy())
        if len(stack) > 1:
            b, a = stack.pop(), stack.pop()
            a += b * a
            stack.append(a)
    return stack[0].sum()


X = np.array([0.7, 0.4, 0.9, 0.55])


test_new_for_old = each_right(FUNCTIONS, X, X[::-1].copy())


test_two_names_for_one = each_refused(REFUSED, X)


def made_in_place(bodies, h):
    for _ in range(3):
        bodies = [Body(b.x + h * b.v, b.v) for b in bodies]
    return sum(b.x**2 * b.v for b in bodies)


def made_by_a_call(bodies, h):
    for _ in range(3):
        bodies = [b.moved(h) for b in bodies]
    return sum(b.x**2 * b.v for b in bodies)


def dicts_made_in_place(bodies, h):
    for _ in range(3):
        bodies = [{"x": b["x"] + h * b["v"], "v": b["v"]} for b in bodies]
    return sum(b["x"] ** 2 * b["v"] for b in bodies)


def a_dict(bodies, h):
    one = bodies[0]
    for _ in range(3):
        one = {"x": one["x"] + h * one["v"], "v": one["v"]}
    return one["x"] ** 2 * one["v"] + bodies[1]["x"] * h


@pytest.mark.parametrize("function", [made_in_place, made_by_a_call, dicts_made_in_place, a_dict])
def test_what_is_given(function: Callable[..., Any]) -> None:
    """With respect to the bodies, and to the step alone: then the list begins without derivatives."""
    as_dicts = function in (dicts_made_in_place, a_dict)

    def bodies(z):
        pairs = [(z[0], z[1]), (z[2], z[3])]
        return [{"x": x, "v": v} if as_dicts else Body(x, v) for x, v in pairs]

    def entries(given):
        pairs = [g if isinstance(g, dict) else vars(g) for g in given]
        return np.array([pair[key] for pair in pairs for key in ("x", "v")])

    numeric = numeric_gradient(lambda z, h: function(bodies(z), h), (X, 0.3), 0, 1.0)
    assert_close(entries(grad(function)(bodies(X), 0.3)), numeric, function.__name__)
    for x in (X, X[::-1]):
        step = numeric_gradient(lambda h: function(bodies(x), h), (0.3,), 0, 1.0)  # noqa: B023
        by_step = grad(function, wrt=1)
        assert_close(by_step(bodies(x), 0.3), step, function.__name__)
        slope = numeric_gradient(lambda h: by_step(bodies(x), h), (0.3,), 0, 1.0)  # noqa: B023
        assert_close(hvp(function, wrt=1)(bodies(x), 1.0, 0.3), slope, function.__name__)
        moving = jvp(function, (bodies(x), 0.3), (None, 2.0))[1]
        assert_close(moving, 2 * step, function.__name__)


def test_a_list_filled_in_place_of_one_that_is_given() -> None:
    def filled(bodies, h):
        for _ in range(3):
            new = []
            for b in bodies:
                new.append(b.moved(h))
            bodies = new
        return sum(b.x * b.v for b in bodies)

    given = [Body(1.0, 2.0), Body(0.3, 0.4)]
    numeric = numeric_gradient(lambda h: filled(given, h), (0.5,), 0, 1.0)
    assert_close(grad(filled, wrt=1)(given, 0.5), numeric, "filled")
    assert_close(jvp(filled, (given, 0.5), (None, 1.0))[1], numeric, "filled")
