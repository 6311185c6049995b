"""Loops that run at least once, since what they run over is written out: what a trip binds has a value after them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tangentish import grad, hvp, jvp

X = np.array([0.7, 1.3, 0.4])


def a_list_made_on_each_trip(x: Any) -> Any:
    for k in range(5):
        p = []
        p.append(x[0] * k)
        p.append(x[1] * x[2] ** k)
    return p[0] * x[1] + p[1] ** 2


def with_an_end(x: Any) -> Any:
    for k in range(60):
        p = []
        for v in x:
            p.append(v**2 / (k + 1))
        if sum(p) < 0.1:
            break
    return p[0] * p[2] + k * p[1]


def over_a_display(x: Any) -> Any:
    for w in 0.4, 0.5:
        q = [w * x[0], w * x[1] ** 2]
        q[0] = q[0] * x[2]
    return q[0] * w + q[1]


def leaving_out_a_trip(x: Any) -> Any:
    for k in range(1, 8, 2):
        q = [x[0] * k]
        if k == 3:
            continue
        r = [q[0] ** 2, x[1]]
    return q[0] * r[0] * r[1] + x[2] * q[0]


def in_a_loop(x: Any) -> Any:
    total = 0.0
    for _ in range(len(x)):
        for k in range(2):
            q = [x[k] * total, x[2]]
        total = total + q[0] * q[1] + q[1]
    return total


FUNCTIONS = [a_list_made_on_each_trip, with_an_end, over_a_display, leaving_out_a_trip, in_a_loop]


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_every_mode(f: Any) -> None:
    v, steps = np.array([0.3, -0.8, 0.5]), 1e-5 * np.eye(3)
    found = grad(f)(X)
    np.testing.assert_allclose(found, [(f(X + s) - f(X - s)) / 2e-5 for s in steps], rtol=1e-6)
    np.testing.assert_allclose(jvp(f, (X,), (v,))[1], found @ v)
    bent = [(grad(f)(X + s) @ v - grad(f)(X - s) @ v) / 2e-5 for s in steps]
    np.testing.assert_allclose(hvp(f)(X, v), bent, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("f", FUNCTIONS[:3], ids=lambda f: f.__name__)
def test_the_text_does_not_ask(f: Any) -> None:
    assert "assigned(" not in grad(f).source(X)


def no_trip(x: Any) -> Any:
    for k in range(3, 3):
        p = [x[0] * k]
    return p[0] * x[1]


def not_on_each_way(x: Any) -> Any:
    for k in range(5):
        if x[k % 3] > 9:
            p = [x[0] * k]
    return p[0] * x[1]


def after_the_end(x: Any) -> Any:
    for k in range(5):
        if x[k % 3] > 0:
            break
        p = [x[0] * k]
    return p[0] * x[1]


@pytest.mark.parametrize("f", [no_trip, not_on_each_way, after_the_end], ids=lambda f: f.__name__)
@pytest.mark.parametrize("mode", [lambda f: f, grad], ids=["itself", "grad"])
def test_what_has_no_value_raises(f: Any, mode: Any) -> None:
    with pytest.raises(UnboundLocalError):
        mode(f)(X)
