"""Copies of dicts whose keys are known, and dicts of the same keys, that get entries under keys that are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_refused, each_right, kept_in
from numeric import assert_close, numeric_gradient

from tangentish import grad, jvp

FUNCTIONS: list[Callable[..., Any]] = []
copies = kept_in(FUNCTIONS)

REACTIONS = [({"A": 1, "B": 1}, {"C": 1}), ({"C": 1}, {"A": 1, "B": 1})]


@copies
def rates_of_the_same_keys(x):
    d = {"A": x[0], "B": x[1], "C": x[2]}
    rate = dict.fromkeys(d, 0.0)
    other = {s: x[0] for s in d}
    for lhs, rhs in REACTIONS:
        for s in lhs:
            rate[s] -= x[3] * d[s]
        for s in rhs:
            other[s] += rate[s]
    return rate["A"] * rate["C"] * other["B"]


@copies
def copied_by_dict(x):
    c = {"A": x[0], "B": x[1], "C": x[2]}
    d = dict(c)
    e = c.copy()
    for lhs, rhs in REACTIONS:
        for s in lhs:
            d[s] -= x[3] * d[s]
        for s in rhs:
            e[s] = e[s] + d[s]
    return d["A"] * d["C"] * c["A"] * e["B"]


@copies
def copied_by_a_comprehension(x):
    c = {"A": x[0], "B": x[1], "C": x[2]}
    d = {s: 2 * v for s, v in c.items()}
    for _ in range(2):
        for s in d:
            d[s] = d[s] + x[3]
        for lhs, _ in REACTIONS:
            for s in lhs:
                d[s] = d[s] * x[0]
    return d["A"] * c["A"]


@copies
def copies_of_constants(x):
    c = {"A": 1.0, "B": 2.0, "C": 0.5}
    d, e = dict(c), dict(c)
    for s in d:
        d[s] = d[s] * x[3]
    for lhs, _ in REACTIONS:
        for s in lhs:
            e[s] -= x[3] * d[s]
    return d["A"] * d["C"] * c["A"] * e["B"]


@copies
def run_over_before_the_keys_are_computed(x):
    c = {"A": x[0], "B": x[1], "C": x[2]}
    c = dict(c)
    d = {"A": c["A"], "B": c["B"], "D": x[3]}
    for _ in range(2):
        for s in c:
            c[s] = c[s] + x[3]
        for s in d:
            d[s] = d[s] * 2
        for lhs, _ in REACTIONS:
            for s in lhs:
                c[s] = c[s] * x[0]
                if s in d:
                    d[s] += c[s]
    return c["A"] * d["A"] * d["D"]


@copies
def copied_after_that(x):
    c = {"A": x[0], "B": x[1], "C": x[2]}
    for lhs, rhs in REACTIONS:
        for s in lhs:
            c[s] = c[s] * x[3]
        d = dict(c)
        for s in rhs:
            d[s] = d[s] + c["A"]
    return d["A"] * c["C"]


@copies
def with_more_keys(x):
    c = {"A": x[0], "B": x[1], "C": x[2]}
    d = dict(c, D=x[3])
    e = {**c, "D": x[3]}
    del e["A"]
    for lhs, _ in REACTIONS:
        for s in lhs:
            d[s] = d[s] * d["D"]
            if s in e:
                e[s] = e[s] * x[3]
    return d["A"] * c["C"] + sum(e.values()) * len(e)


X = np.array([0.7, 0.4, 0.9, 0.55])


test_dicts_copied_first = each_right(FUNCTIONS, X, X[::-1].copy())


def test_arrays_in_both() -> None:
    """The copy holds the same arrays: what is written to one of them would be seen in the other."""

    def shared(x):
        c = {"A": x[:2] * 2, "B": x[2:] * 3}
        d = dict(c)
        keys = sorted(REACTIONS[0][0])
        for s in ("A", "B"):
            for t in keys:
                d[t] *= x[3]
        return d["A"].sum() + c["A"] @ c["B"]

    check_refused(shared, "may share memory", X)


def network(k, c, steps):
    c = dict(c)
    for _ in range(steps):
        rate = dict.fromkeys(c, 0.0)
        for kj, (lhs, rhs) in zip(k, REACTIONS):
            f = kj
            for s in lhs:
                f = f * c[s] ** lhs[s]
            for s in lhs:
                rate[s] -= f
            for s in rhs:
                rate[s] += f
        for s in c:
            c[s] = c[s] + 0.1 * rate[s]
    return c["C"]


@pytest.mark.parametrize("steps", [3, 80])
def test_network(steps: int) -> None:
    """Reactions over a dict that is given, and left as it was: with respect to the constants, to the dict, to both."""
    k, c = np.array([1.0, 0.3]), {"A": 1.0, "B": 0.5, "C": 0.2}
    start = np.array([*c.values()])

    def of_values(k, v):
        return network(k, dict(zip(c, v)), steps)

    dk = numeric_gradient(of_values, (k, start), 0, 1.0)
    dv = numeric_gradient(of_values, (k, start), 1, 1.0)
    assert_close(grad(network)(k, c, steps), dk, "constants")
    assert_close(np.array([*grad(network, wrt=1)(k, c, steps).values()]), dv, "dict")
    both = grad(network, wrt=(0, 1))(k, c, steps)
    assert_close(both[0], dk, "constants")
    assert_close(np.array([*both[1].values()]), dv, "dict")
    assert [*c.values()] == [*start]
    moving = jvp(network, (k, c, steps), (k, dict.fromkeys(c, 1.0), None))[1]
    assert_close(moving, dk @ k + np.sum(dv), "along")
    text = grad(network).source(k, c, steps)
    assert text.count("for _ in range(steps)") == 1, text
