"""Dicts and objects that are made anew on each trip, and take the place of those of the trip before: `state = new`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
P, P_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([1.0, -2.0, 0.5, 0.3])


class State:
    def __init__(self, x, v):
        self.x = x
        self.v = v


@kept_in(RIGHT)
def objects(p):
    s = State(p[0], p[1])
    for _ in range(3):
        new = State(s.x + 0.1 * s.v, s.v)
        new.v -= s.x * p[2]
        s = new
    return s.x * s.v


@kept_in(RIGHT)
def objects_of_constants(p):
    s = State(1.0, 0.0)
    for _ in range(3):
        new = State(s.x + 0.1 * s.v, s.v - s.x * p[2])
        s = new
        s.x *= p[3]
    return s.x * s.v


@kept_in(RIGHT)
def known_keys(p):
    rank = {"a": 0.5, "b": 0.5}
    for _ in range(3):
        new = {"a": 0.1, "b": 0.1}
        for here, there in (("a", "b"), ("b", "a")):
            new[there] += p[0] * rank[here]
        rank = new
    return rank["a"] ** 2


@kept_in(RIGHT)
def copies_that_change(p):
    s = {"x": p[0], "v": p[1]}
    for _ in range(2):
        new = dict(s, v=p[2])
        new["x"] += new["v"]
        s = new
        s["x"] *= 2.0
    return s["x"] * s["v"]


@kept_in(RIGHT)
def computed_keys(p):
    links = {"a": ["b"], "b": ["a", "c"], "c": ["a"]}
    rank = {name: 1.0 / 3 for name in links}
    for _ in range(3):
        new = {name: 0.15 for name in links}
        for name, others in links.items():
            for other in others:
                new[other] += p[0] * rank[name] / len(others)
        rank = new
    return rank["a"] ** 2 + rank["c"]


@kept_in(RIGHT)
def places_of_a_grid(p):
    heat = {(i, j): 1.0 * i + j for i in range(3) for j in range(3)}
    for _ in range(2):
        new = {}
        for (i, j), t in heat.items():
            s = t * p[0]
            if (i + 1, j) in heat:
                s = s + p[1] * heat[(i + 1, j)]
            new[(i, j)] = s
        heat = new
    return sum(heat.values())


@kept_in(RIGHT)
def arrays_in_place(p):
    cur = {"a": np.array([p[0], p[1]]), "b": np.array([p[2], p[3]])}
    for _ in range(3):
        new = {k: v * 1.1 for k, v in cur.items()}
        for k in cur:
            new[k][0] += cur[k][1] ** 2
        cur = new
    return np.sum(cur["a"] * cur["b"])


@kept_in(RIGHT)
def lists_that_both_hold(p):
    s = {"x": p[0], "past": [p[1]]}
    for _ in range(3):
        new = {"x": s["x"] * p[2], "past": s["past"]}
        new["past"].append(s["x"])
        s = new
    return s["x"] * sum(s["past"])


@kept_in(RIGHT)
def while_it_is_small(p):
    s, k = {"x": p[0], "v": p[1]}, 0
    while s["x"] < 3.0 and k < 6:
        new = {"x": s["x"] + p[2], "v": s["v"] * s["x"]}
        new["v"] += 1.0
        s = new
        k += 1
    return s["x"] * s["v"]


@refused("this object has another name")
def another_keeps_it(p):
    s = State(p[0], p[1])
    for _ in range(3):
        new = State(s.x + 0.1 * s.v, s.v)
        keep = new
        s = new
        s.v -= s.x * p[2]
    return s.x * s.v + keep.v


@kept_in(RIGHT)
def a_list_keeps_it(p):
    s, past = State(p[0], p[1]), []
    for _ in range(3):
        new = State(s.x + 0.1 * s.v, s.v)
        past.append(new)
        s = new
        s.v -= s.x * p[2]
    return s.x * s.v + past[0].v


def forward(symbols, states, start, moves, shown):
    """The likelihood of what a hidden Markov model shows."""
    before = {}
    for i, symbol in enumerate(symbols):
        now = {}
        for state in states:
            reached = start[state] if i == 0 else sum(before[k] * moves[k][state] for k in states)
            now[state] = shown[state][symbol] * reached
        before = now
    return sum(now[k] * moves[k]["end"] for k in states)


@kept_in(RIGHT)
def dicts_under_other_keys_than_before(p):
    start = {"rain": p[0], "sun": 1 - p[0]}
    moves = {
        "rain": {"rain": p[1], "sun": 0.9 - p[1], "end": 0.1},
        "sun": {"rain": p[2], "sun": 0.8, "end": p[0]},
    }
    shown = {"rain": {"dry": 0.2, "wet": 0.8}, "sun": {"dry": p[3], "wet": 0.3}}
    return forward(("dry", "wet", "dry"), ("rain", "sun"), start, moves, shown)


@kept_in(RIGHT)
def both_are_read_after_the_loop(p):
    weights = {"a": p[0], "b": p[1]}
    before = {"a": p[2], "b": p[3]}
    for i, k in enumerate(weights):
        now = {}
        for key in ("a", "b"):
            now[key] = before[key] * weights[k] + i
        before = now
    return before["a"] * before["b"] + now["a"]


@refused("this object has another name")
def a_function_keeps_it(p):
    s = State(p[0], p[1])
    for _ in range(3):
        new = State(s.x * p[3], s.v)

        def read():
            return new.x  # noqa: B023

        s = new
        s.x += 1.0
    return s.x * s.v * read()


@refused("has a name: make that a list")
def a_view_sees_it(p):
    s = {"x": p[0], "v": p[1]}
    for _ in range(2):
        new = dict(s)
        it = new.values()
        s = new
        s["x"] *= 2.0
    return sum(it) * p[0]


test_right = each_right(RIGHT, P, P_DOT)


test_refused = each_refused(REFUSED, P)
