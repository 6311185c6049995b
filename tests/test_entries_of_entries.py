"""Entries of dicts with computed keys that are made of other entries, whatever their form: numbers, columns, messages.

Default dicts that go over to another name keep their default, and dicts that are made in one line are followed as those
in lines of their own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_refused, each_right, kept_in, named, refused_in
from numeric import assert_close, numeric_gradient

from tangentish import grad, jvp, value_and_grad

IN_EVERY_MODE: list[Callable[..., Any]] = []
followed = kept_in(IN_EVERY_MODE)
ONCE: list[Callable[..., Any]] = []
followed_once = kept_in(ONCE)
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)

FIRMS = ["a", "b", "c"]
EDGES = [(0, 1), (1, 2), (2, 0)]
X = np.array([0.7, 0.4, 0.9, 0.55])
D = np.array([0.3, -0.2, 0.5, 0.1])


@followed
def messages(x):
    theta = np.outer(x, x)
    held = {}
    for edge in EDGES:
        held[edge] = np.full(len(x), 0.5)
    for _ in range(3):
        new = {}
        for i, j in EDGES:
            m = np.exp(theta[i]) * held[i, j]
            new[i, j] = m / m.sum()
        held = new
    return held[0, 1] @ held[1, 2]


@followed
def best_responses(x):
    q = {firm: 0.1 for firm in FIRMS}
    for _ in range(4):
        total = sum(q.values())
        for firm in FIRMS:
            q[firm] = x[0] - 0.5 * x[1] * (total - q[firm])
    return sum(q.values()) ** 2


@followed_once
def characters(x):
    W, U, start = np.outer(x, x), np.outer(x, x[::-1]), np.zeros_like(x)
    inputs, states, scores, chances = {}, {}, {}, {}
    states[-1] = np.copy(start)
    loss = 0
    for t in range(3):
        inputs[t] = np.zeros_like(x)
        inputs[t][t] = 1
        states[t] = np.tanh(np.dot(W, inputs[t]) + np.dot(U, states[t - 1]) + x)
        scores[t] = np.dot(U, states[t]) + x
        chances[t] = np.exp(scores[t]) / np.sum(np.exp(scores[t]))
        loss += -np.log(chances[t][2 - t])
    return loss


@followed
def chains(x):
    p = x[0]
    level = defaultdict(float)
    level[0] += p
    for _ in range(3):
        new = defaultdict(float)
        for j, q in level.items():
            new[j] += q * x[1]
        level = new
    return level[0] * x[2]


@followed
def asked_for_what_is_not_there(x):
    level = defaultdict(lambda: 2.0)
    level[0] = x[0]
    for _ in range(2):
        new = defaultdict(lambda: 2.0)
        for j, q in level.items():
            new[j] += q * x[1]
        level = new
    return level[0] * x[1] + level[5] * x[3] + len(level) * x[2]


@followed
def several_in_one_line(x):
    sums, counts = defaultdict(float), Counter("abac")
    for v, name in zip(x, "abac"):
        sums[name] += v**2
    return sum(sums[name] / counts[name] * (k + 1) for k, name in enumerate(sorted(counts)))


@followed
def displays_in_one_line(x):
    states, shown = {-1: 0.0}, {}
    for t in range(len(x)):
        states[t] = np.tanh(x[0] * states[t - 1] + x[t])
        shown[t] = states[t] * x[1]
    return shown[len(x) - 1]


@followed
def tables_of_constants(x):
    steps = {}
    for i in range(3):
        steps[i] = np.eye(4) * (i + 1)
    steps[1][0] = 0.5
    v = x * 1.0
    for i in range(3):
        v = steps[i] @ v * x
    return np.sum(v)


@followed_once
def tree_of_rates(x):
    p = x[0]
    level = defaultdict(float)
    level[0] = 1.0 * p
    for _ in range(3):
        new = defaultdict(float)
        for j, q in level.items():
            new[j + 1] += q * p
            new[j] += q * (1 - p)
        level = new
    return sum(j * q for j, q in level.items())


@followed_once
def values_of_states(x):
    value = dict.fromkeys(FIRMS, 0.0)
    for _ in range(3):
        new = {s: x[0] + 0.9 * sum(value[t] for t in FIRMS) * x[1] for s in FIRMS}
        value = new
    return value["a"]


@refused("one default on one path and another on another")
def of_two_defaults(x):
    level = defaultdict(lambda: 2.0)
    level[0] = x[0]
    for _ in range(2):
        new = defaultdict(lambda: 3.0)
        for j, q in level.items():
            new[j] += q * x[1]
        level = new
    return level[0] * x[1] + level[5] * x[3]


@refused("one default on one path and another on another")
def of_a_default_by_a_branch(x):
    if x[0] > 9:
        level = defaultdict(lambda: 2.0)
    else:
        level = defaultdict(lambda: 3.0)
    for k in range(4):
        level[k] += x[1]
    return level[5] * x[1]


test_right_in_every_mode = each_right(IN_EVERY_MODE, X, D)


@pytest.mark.parametrize("function", ONCE, ids=named)
def test_right_once(function: Callable[..., Any]) -> None:
    """Second derivatives are not followed through these."""
    numeric: np.ndarray = numeric_gradient(function, (X,), 0, 1.0)
    assert_close(grad(function)(X), numeric, function.__name__)
    assert_close(jvp(function, (X,), (D,))[1], numeric @ D, function.__name__)


test_refused = each_refused(REFUSED, X)


EFFECTS = {"A->B": 2.0, "B-|C": 1.5, "C->A": 0.8}
LEVELS = {"A": 1.0, "B": 0.2, "C": 0.5}


def network(edges, levels):
    x = dict(levels)
    for _ in range(3):
        dx = {g: -v for g, v in x.items()}
        for e, k in edges.items():
            act = "->" in e
            source, target = e.split("->" if act else "-|")
            h = x[source] ** 2 / (k**2 + x[source] ** 2)
            dx[target] += h if act else 1 - h
        x = {g: v + 0.1 * dx[g] for g, v in x.items()}
    return x["A"] * x["B"] + x["C"]


def test_a_loop_that_is_written_out_makes_its_dicts_of_its_own_names() -> None:
    value, gradients = value_and_grad(network, wrt=(0, 1))(EFFECTS, LEVELS)
    assert value == network(EFFECTS, LEVELS)
    for position, given in enumerate((EFFECTS, LEVELS)):
        for key in given:
            high, low = ([{**EFFECTS}, {**LEVELS}] for _ in range(2))
            high[position][key] += 1e-6
            low[position][key] -= 1e-6
            slope = (network(*high) - network(*low)) / 2e-6
            assert np.isclose(gradients[position][key], slope, rtol=1e-6)
