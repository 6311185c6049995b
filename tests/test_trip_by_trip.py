"""Loops whose trips have nothing to do with each other are taken back trip by trip; others are not."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numeric import assert_close, numeric_gradient

from tangentish import grad, value_and_grad, vjp

Program = Callable[..., Any]


def mean_of_terms(x, w):
    total = 0.0
    for i in range(len(x)):
        s = np.sin(x[i]) * w[i]
        total += s**2
    return total / len(x)


def chain_in_each_trip(x, w):
    total = 0.0
    for i in range(len(x)):
        r = x[i]
        for j in range(len(w)):
            r = r * w[j] + 1.0
        total += r
    return total * 3.0


def censored(x, w):
    """One way on each trip has lines of its own that the way back reads; both are asked for once."""
    total = 0.0
    for xi, wi in zip(x, w):
        if wi > 0.4:
            total += np.log(1 / (1 + np.exp(xi))) * wi
        else:
            total -= 0.5 * (xi - wi) ** 2
    return total


def on_both_ways(x, w):
    total = 0.0
    for i in range(len(x)):
        if x[i] > 0.3:
            total += np.tanh(x[i] * w[i]) ** 3
        else:
            total -= np.exp(x[i] * w[i]) ** 2
    return total


def way_that_changes(x, w):
    """What is asked is another thing once the way has been taken."""
    total = 0.0
    for i in range(len(x)):
        r = x[i]
        if r > 0.3:
            r = np.tanh(r * w[i]) - 1.0
            total += r**3
        else:
            total += np.sin(r) * w[i]
    return total


def two_sums(x, w):
    a = b = 0.0
    for i in range(len(x)):
        s = np.tanh(x[i])
        a += s
        b += s * w[i]
    return a * 2 + b * 3


def branches(x, w):
    total = 0.0
    for i, (a, b) in enumerate(zip(x, w, strict=True)):
        s = a * b
        if s > 0:
            s = s**2
        else:
            s = np.exp(s)
        total += s * i
    return total


def only_some_count(x, w):
    total = 0.0
    for i in range(len(x)):
        m = x[i]
        for j in range(3):
            m = np.sin(m * w[j]) + m
        if m > 0.5:
            total += m**2
    return total


def helper(u, v):
    r = u * v
    return np.sin(r) * r


def calls_a_function(x, w):
    total = 0.0
    for i in range(len(x)):
        total += helper(x[i], w[i])
    return total


def twice(x, w):
    total = 0.0
    for k in range(2):
        for i in range(len(x)):
            s = np.sin(x[i] * (k + 1))
            total += s * w[i] ** 2
    return total


def parts_of_an_array(x, w):
    y = x * 2
    total = 0.0
    for i in range(len(x)):
        s = np.sin(y[i])
        total += s * y[i - 1]
    return total + np.sum(y * w)


def arrays_of_the_trip(x, w):
    total = 0.0
    for i in range(len(x)):
        g = x * w[i]
        g = g - np.mean(g)
        h = g * 2
        total += np.sum(g * h)
    return total


APART = (
    mean_of_terms, chain_in_each_trip, two_sums, branches, only_some_count, calls_a_function, twice,
    parts_of_an_array, arrays_of_the_trip, censored, on_both_ways, way_that_changes,
)  # fmt: skip


def carried(x, w):
    c, total = x[0], 0.0
    for i in range(len(x)):
        c = np.sin(c)
        total += c * w[i]
    return total


def carried_constant(x, w):
    total, k = 0.0, 0
    for i in range(len(x)):
        s = np.sin(x[i] * k)
        total += s * s
        k += 1
    return total / len(x) + k * x[0]


def largest_of_all(x, w):
    best = total = 0.0
    for i in range(len(x)):
        s = x[i] * w[i]
        if s > best:
            best = s
        total += s**2
    return total + best


def last_is_read(x, w):
    total = 0.0
    for i in range(len(x)):
        t = x[i] * w[i]
        total += np.sin(t)
    return total + t * 2


def square_of_the_sum(x, w):
    total = 0.0
    for i in range(len(x)):
        s = np.sin(x[i])
        total += s * w[i]
    return total**2


def changed_on_the_way(x, w):
    total = 0.0
    for i in range(len(x)):
        s = np.tanh(x[i])
        total += s
        if i == 2:
            w = w * s
    return total + np.sum(w)


def stored_to(x, w):
    y = np.zeros(len(x))
    for i in range(len(x)):
        s = np.sin(x[i])
        y[i] = s * w[i]
    return np.sum(y**2)


def left_early(x, w):
    total = 0.0
    for i in range(len(x)):
        r = x[i] * w[i]
        if r > 2:
            break
        total += np.sqrt(r * r + 1)
    return total


def other_divisor(x, w):
    total, n = 0.0, len(x)
    for i in range(n):
        s = x[i] ** 2
        total += math.sin(s) * w[i]
        n = 3
    return total / n


TOGETHER = (
    carried, carried_constant, largest_of_all, last_is_read, square_of_the_sum, changed_on_the_way,
    stored_to, left_early, other_divisor,
)  # fmt: skip


def loops_of(text: str) -> int:
    """How many loops a gradient has that stand in no other."""
    body = text.partition("\n\n\n")[0].splitlines()
    return sum(line.startswith("    for ") for line in body)


def arguments(n: int, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=n) + 0.3, rng.normal(size=n) + 0.5


@pytest.mark.parametrize("function", APART)
def test_one_loop(function: Program) -> None:
    assert loops_of(grad(function, wrt=(0, 1)).source(*arguments(4))) == 1


@pytest.mark.parametrize("function", TOGETHER)
def test_two_loops(function: Program) -> None:
    assert loops_of(grad(function, wrt=(0, 1)).source(*arguments(4))) == 2


@pytest.mark.parametrize("function", (*APART, *TOGETHER))
@pytest.mark.parametrize("n", [3, 5])
def test_right(function: Program, n: int) -> None:
    x, w = arguments(n)
    value, gradients = value_and_grad(function, wrt=(0, 1))(x, w)
    assert value == function(x, w)
    pulled = vjp(function, x, w)[1](1.0)
    for k, gradient in enumerate(gradients):
        np.testing.assert_allclose(gradient, pulled[k], rtol=1e-12, atol=1e-14)
        assert_close(gradient, numeric_gradient(function, (x, w), k, 1.0), f"argument {k}")


@pytest.mark.parametrize("function", [censored, on_both_ways])
def test_asked_once(function: Program) -> None:
    text = grad(function, wrt=(0, 1)).source(*arguments(4))
    assert text.count("\n        if ") == 1


def test_no_trips() -> None:
    none = np.zeros(0)
    for gradient in grad(two_sums, wrt=(0, 1))(none, none):
        assert gradient.shape == (0,)
    for call in (mean_of_terms, grad(mean_of_terms)):
        with pytest.raises(ZeroDivisionError):
            call(none, none)


def test_what_adds_nothing_is_left_out() -> None:
    """No trip back for what doesn't count: neither its cost, nor its infinities."""

    def above_zero(x):
        total = 0.0
        for i in range(len(x)):
            r = x[i]
            for _ in range(2):
                r = np.sqrt(r)
            if r > 0:
                total += r
        return total

    np.testing.assert_allclose(grad(above_zero)(np.array([1.0, 0.0, 16.0])), [0.25, 0.0, 0.03125])


def test_exceptions_come_as_they_did() -> None:
    def indexed(x, n):
        total = 0.0
        for i in range(n):
            s = np.sin(x[i])
            total += s**2
        return total / n

    for call in (indexed, grad(indexed)):
        with pytest.raises(IndexError):
            call(np.ones(2), 3)
