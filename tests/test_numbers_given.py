"""Functions of `math` give a number of one type, whatever they are given: what is made of it is known to be a number."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tangentish import grad, hvp, jvp


def rounded_up(a: float) -> float:
    c = math.ceil(3 * a)
    return c * a**2 + math.floor(a * 5) * a + math.trunc(7 * a)


def servers(a: float) -> float:
    c = math.ceil(a * 3)
    while True:
        b = 1.0
        for k in range(1, c + 1):
            b = a * b / (k + a * b)
        p = b * math.exp(-(c * 0.9 - a) * 0.2)
        if p < 0.3:
            return c + p * a
        c += 1


def of_values_of_a_dict(a: float) -> float:
    share = {"A": 0.3, "B": 0.7}
    first, second = share.values()
    gain = {"A": math.exp(a * first), "B": math.hypot(a, second)}
    return sum(share[key] * gain[key] * b for key, b in {"A": 2.0, "B": 3.0}.items())


def of_steps(a: float) -> float:
    y = np.zeros(6)
    for k in range(math.floor(a * 10) - 3):
        y[k] = a * math.comb(6, k) * math.sqrt(k)
    return np.sum(y**2)


FUNCTIONS = [rounded_up, servers, of_values_of_a_dict, of_steps]


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("number", [float, np.float64])
def test_every_mode(f: Any, number: type) -> None:
    a, h = number(0.73), 1e-5
    slope = (f(a + h) - f(a - h)) / (2 * h)
    np.testing.assert_allclose(grad(f)(a), slope, rtol=1e-7)
    np.testing.assert_allclose(jvp(f, (a,), (number(2.0),))[1], 2 * slope, rtol=1e-7)
    bend = (grad(f)(a + h) - grad(f)(a - h)) / (2 * h)
    np.testing.assert_allclose(hvp(f)(a, number(2.0)), 2 * bend, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", [rounded_up, servers, of_steps], ids=lambda f: f.__name__)
def test_the_text_does_not_ask(f: Any) -> None:
    text = grad(f).source(0.73)
    assert [word for word in ("plain(", "unbroadcast", "is None", "np.copy") if word in text] == []
