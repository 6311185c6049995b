"""Loops over few things that are known, whose trips make containers of their own, told apart where nothing else helps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_refused, each_right, kept_in

RIGHT: list[Callable[..., Any]] = []
keep = kept_in(RIGHT)
X, X_DOT = np.array([0.7, 0.4, 0.6, 0.9]), np.array([1.0, -2.0, 0.5, 0.3])

STATES = ("healthy", "ill")
SEEN = ("normal", "cold", "dizzy")
EMITTED = {
    "healthy": {"normal": 0.5, "cold": 0.4, "dizzy": 0.1},
    "ill": {"normal": 0.1, "cold": 0.3, "dizzy": 0.6},
}


def likeliest(seen, states, start, moves, emitted):
    table = [{}]
    for state in states:
        table[0][state] = {"p": start[state] * emitted[state][seen[0]], "from": None}
    for t in range(1, len(seen)):
        table.append({})
        for state in states:
            best = table[t - 1][states[0]]["p"] * moves[states[0]][state]
            chosen = states[0]
            for before in states[1:]:
                p = table[t - 1][before]["p"] * moves[before][state]
                if p > best:
                    best, chosen = p, before
            table[t][state] = {"p": best * emitted[state][seen[t]], "from": chosen}
    return table


@keep
def likeliest_path(x):
    moves = {"healthy": {"healthy": 0.7, "ill": 0.3}, "ill": {"healthy": 0.4, "ill": 0.6}}
    table = likeliest(SEEN, STATES, {"healthy": x[0], "ill": x[1]}, moves, EMITTED)
    return max(entry["p"] for entry in table[-1].values())


def forward_and_back(seen, states, start, moves, emitted):
    forward = []
    for i, one in enumerate(seen):
        now = {}
        for state in states:
            if i == 0:
                total = start[state]
            else:
                total = sum(before[k] * moves[k][state] for k in states)  # noqa: F821
            now[state] = emitted[state][one] * total
        forward.append(now)
        before = now
    total = sum(now[k] for k in states)
    back = []
    for i, one in enumerate(reversed(seen[1:] + (None,))):
        now = {}
        for state in states:
            if i == 0:
                now[state] = 1.0
            else:
                now[state] = sum(moves[state][k] * emitted[k][one] * after[k] for k in states)  # noqa: F821
        back.insert(0, now)
        after = now
    return [{k: forward[i][k] * back[i][k] / total for k in states} for i in range(len(seen))]


@keep
def smoothed(x):
    moves = {"healthy": {"healthy": x[0], "ill": 0.3}, "ill": {"healthy": x[1], "ill": x[2]}}
    found = forward_and_back(SEEN, STATES, {"healthy": x[3], "ill": 0.4}, moves, EMITTED)
    return found[1]["healthy"] * found[0]["ill"] + found[2]["healthy"]


def scaled(k):
    def by(t):
        return t * k

    return by


@keep
def functions_of_each_trip(x):
    functions = [scaled(x[i]) for i in range(3)]
    return sum(f(2.0 + i) * f(1.0) for i, f in enumerate(functions))


@keep
def functions_with_defaults_of_each_trip(x):
    functions = []
    for i in range(3):
        functions.append(lambda t, i=i: t * x[i])
    value = x[0]
    for f in functions:
        value = f(value)
    return value


@keep
def functions_under_the_key_of_each_trip(x):
    by_name = {}
    for name, k in [("line", 1), ("square", 2)]:

        def power(t, k=k):
            return w * t**k

        by_name[name] = power
    w = x[3]
    return by_name["line"](x[1]) * by_name["square"](x[2])


@keep
def functions_of_functions(x):
    chain = lambda t: t  # noqa: E731
    for i in range(3):
        chain = lambda t, f=chain, i=i: f(t) * x[i]  # noqa: E731
    return chain(2.0)


@keep
def lists_seen_under_two_names(x):
    table = [{"a": x[0]}]
    same = table
    for i in range(2):
        table.append({"a": same[i]["a"] * x[1]})
    return same[2]["a"] * table[1]["a"]


@keep
def put_before_others(x):
    table = [{"a": x[0]}]
    for i in range(3):
        table.insert(0, {"a": table[0]["a"] * x[i], "of": str(i)})
    return table[0]["a"] * table[1]["a"]


test_right = each_right(RIGHT, X, X_DOT)


def a_list_that_its_loop_lengthens(x):
    queue = [x[0]]
    for v in queue:
        queue.append(v * 2)
        if len(queue) > 3:
            break
    return sum(queue)


def dicts_that_their_loop_appends(x):
    queue = [{"a": x[0], "b": {"c": x[1]}}]
    for v in queue:
        queue.append({"a": x[1] * v["a"], "b": {"c": x[1]}})
        if len(queue) > 3:
            break
    return sum(v["a"] for v in queue)


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (a_list_that_its_loop_lengthens, "changed while the loop runs over it"),
        (dicts_that_their_loop_appends, "used as a whole here"),
    ],
)
def test_what_loops_lengthen_is_not_taken_for_what_it_was(function, reason):
    check_refused(function, reason, X)
