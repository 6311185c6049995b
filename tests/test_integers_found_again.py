"""Integers that are made of others are computed again on the walk back, not recorded: the neighbours on a ring."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numeric import assert_close, numeric_gradient

from tangentish import grad, hvp


def ring(u, n):
    s = 0.0
    for i in range(len(u)):
        left, right = (i - 1) % len(u), (i + 1) % len(u)
        s += (u[right] - u[i]) ** 2 * u[left] * n
    return s


def rings_in_time(u, n):
    for _ in range(n):
        new = np.zeros_like(u)
        for i in range(len(u)):
            left = (i - 1) % len(u)
            right = (i + 1) % len(u)
            new[i] = u[i] + 0.1 * (u[left] - 2 * u[i] + u[right]) * u[left]
        u = new
    return np.sum(u**2)


def divisor_may_be_zero(u, n):
    s = 0.0
    for i in range(3):
        s += u[(i + 1) % n] ** 2
    return s


def divisor_is_asked_first(u, n):
    s = 0.0
    for i in range(3):
        k = i % n if n > 0 else 0
        s += u[k] ** 2 * (u[i // n] if n else u[0])
    return s


def divisor_and_others_change(u, n):
    k = 1
    s = 0.0
    for i in range(4):
        j = (i + k) % n
        s += u[j % 4] * u[i]
        k = j * 2
        j = k // n
        s *= u[j % 4]
        n = n + 1
    return s


def left_out(u, n):
    s = 0.0
    for i in range(4):
        if i % n == 0:
            continue
        a = i // n
        b = -a % 4
        s += u[a] * u[b] * s + u[i % 2]
        i = a + 3
        s += u[i % 4] * u[(i - 1) % 4]
    return s


PROGRAMS = [
    ring,
    rings_in_time,
    divisor_may_be_zero,
    divisor_is_asked_first,
    divisor_and_others_change,
    left_out,
]


def values(n: int) -> tuple[Any, ...]:
    return np.array([0.7, 1.1, 0.6, 0.9]), n


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_gradients(f: Callable[..., Any], n: int) -> None:
    u, v = values(n)[0], np.array([0.3, -0.2, 0.5, 0.1])
    assert_close(grad(f)(u, n), numeric_gradient(f, values(n), 0, 1.0), f.__name__)
    step = 1e-5 * v
    second = (grad(f)(u + step, n) - grad(f)(u - step, n)) / 2e-5
    assert np.allclose(hvp(f)(u, v, n), second, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_what_divides_by_zero_does_so_in_the_gradient(f: Callable[..., Any]) -> None:
    try:
        f(*values(0))
    except ZeroDivisionError:
        with pytest.raises(ZeroDivisionError):
            grad(f)(*values(0))
    else:
        grad(f)(*values(0))


@pytest.mark.parametrize("f", [ring, divisor_may_be_zero], ids=lambda f: f.__name__)
def test_nothing_is_recorded(f: Callable[..., Any]) -> None:
    text = grad(f).source(*values(2))
    assert "tape" not in text
    assert text.count("for ") == 1


def test_only_the_state_is_recorded() -> None:
    text = grad(rings_in_time).source(*values(2))
    assert text.count(".append(") == 1
