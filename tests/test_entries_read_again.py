"""Entries of dicts that carry no derivative are read again on the walk back, unless something changes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from every_mode import Function, each_right, kept_in

from tangentish import grad

FUNCTIONS: list[Function] = []
kept = kept_in(FUNCTIONS)
X, X_DOT = np.array([1.3, 0.7, 2.1, 0.4]), np.array([0.3, -0.7, 1.1, 0.2])


def decay(x: Any, p: dict[str, Any]) -> Any:
    for _ in range(p["n"]):
        x = x - 0.1 * x * p["k"] * p["w"]
    return np.sum(x)


@pytest.mark.parametrize("w", [0.5, np.arange(4.0)], ids=["number", "array"])
def test_text(w: Any) -> None:
    p = {"k": 2.0, "n": 3, "w": w}
    text = grad(decay).source(X, p)
    back = text.partition("# return")[2]
    assert 'p["k"]' in back.replace("# x = x - 0.1 * x * p", "")
    assert "tape" not in text
    assert np.allclose(grad(decay)(X, p), (1 - 0.1 * 2.0 * w) ** 3 * np.ones(4))


@kept
def changed_in_a_loop(x):
    p = {"k": 2.0, "m": np.ones(4)}
    s = 0.0
    for t in range(3):
        s = s * p["k"] + x[t] * p["m"][t]
        p["k"] = p["k"] + 1.0
        p["m"][t + 1] = 2.0 + t
    return s * p["k"]


@kept
def bound_anew(x):
    p = {"k": 2.0, "w": 0.5}
    s = 1.0
    for t in range(3):
        s = s * p["k"] * x[t]
        if t == 1:
            p = {"k": 3.0, "w": 0.25}
        s = np.sin(s) * p["w"]
    return s


@kept
def changed_by_a_helper(x):
    p = {"k": 2.0}
    s = 1.0

    def step(q):
        q["k"] += 1.0

    for t in range(3):
        s = s * p["k"] * x[t]
        step(p)
    return s


@kept
def changed_by_another_name(x):
    p = {"k": 2.0}
    q = p
    s = 1.0
    for t in range(3):
        s = s * p["k"] * x[t]
        q["k"] = q["k"] * 2
        q.update(k=q["k"] + 1)
    return s


@kept
def one_of_several_that_change(x):
    ps = [{"k": 2.0}, {"k": 3.0}, {"k": 0.5}]
    s = 1.0
    for t, p in enumerate(ps):
        s = s * p["k"] * x[t] + x[t] ** 2
        ps[(t + 1) % 3]["k"] += 0.1
    return s


test_right = each_right(FUNCTIONS, X, X_DOT)
