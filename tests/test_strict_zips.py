"""zip(..., strict=True): gradients raise where the function does, with the same message, and cost nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import named
from numeric import assert_close, numeric_gradient

from tangentish import grad, jvp, vjp

X = np.array([0.5, 0.7, 0.9])


def loop(x, p):
    total = 0.0
    for a, b in zip(x, p, strict=True):
        total = total * a + b
    return total


def sum_of_products(x, p):
    return sum(a * b for a, b in zip(x, p, strict=True))


def numbered(x, p):
    total = 0.0
    for i, (a, b) in enumerate(zip(x, p, strict=True)):
        total += a * b * i
    return total


def comprehension(x, p):
    return np.sum(np.array([a * b for a, b in zip(x, p, strict=True)]) ** 2)


def of_three(x, p):
    squares = [v * v for v in x]
    total = 0.0
    for a, b, c in zip(squares, x, p, strict=True):
        total += a * b * c
    return total


def of_rows(x, p):
    total = 0.0
    for row, b in zip(np.outer(x, x), p, strict=True):
        total += np.sum(row) * b
    return total


def beside_items_of_a_dict(x, p):
    total = 0.0
    for (_, v), b in zip({"a": x[0], "b": x[1], "c": x[2]}.items(), p, strict=True):
        total += v * b
    return total


def asked_for(x, p, strict=True):
    total = 0.0
    for a, b in zip(x, p, strict=strict):
        total += a * b
    return total


def keys_and_entries(x):
    return {k: v**2 for k, v in zip("abc", x, strict=True)}


def beside_entries_of_computed_keys(x, p):
    return sum(v * b for v, b in zip(keys_and_entries(x).values(), p, strict=True))


def beside_computed_keys(x, p):
    d = keys_and_entries(x)
    total = 0.0
    for k, b in zip(d, p, strict=True):
        total += d[k] * b
    return total


def around_another(x, p):
    total = 0.0
    for (a, c), b in zip(zip(x, x[::-1], strict=True), p, strict=True):
        total += a * b * c
    return total


def beside_a_generator(x, p):
    return sum(a * b for a, b in zip(x, (float(c) for c in p), strict=True))


def with_a_break_that_is_not_reached(x, p):
    total = 0.0
    for a, b in zip(x, p, strict=True):
        total += a**2 * b
        if total > 1e3:
            break
    return total


class Point:
    def __init__(self, v):
        self.v, self.w = v, 2 * v


def of_objects(x, p):
    first = [Point(v) for v in x]
    second = [Point(v) for v in p]
    for a, b in zip(first, second, strict=True):
        a.v *= b.w
    return sum(a.v * b.v * a.w for a, b in zip(first, second, strict=True))


FUNCTIONS: list[Callable[..., Any]] = [
    loop, sum_of_products, numbered, comprehension, of_three, of_rows, beside_items_of_a_dict, asked_for,
    beside_entries_of_computed_keys, beside_computed_keys, around_another, beside_a_generator,
    with_a_break_that_is_not_reached, of_objects,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
@pytest.mark.parametrize("n", [2, 3, 4])
def test_raises_as_the_function_does(function: Callable[..., Any], n: int) -> None:
    p = np.arange(1.0, n + 1)
    calls = [
        grad(function),
        lambda x, p: vjp(function, x, p)[1](1.0)[0],
        lambda x, p: jvp(function, (x, p), (np.ones(3), np.zeros(n)))[1],
    ]
    if n != 3:
        with pytest.raises(ValueError) as plain:
            function(X, p)
        for call in calls:
            with pytest.raises(ValueError) as raised:
                call(X, p)
            assert str(raised.value) == str(plain.value)
        return
    right = numeric_gradient(function, (X, p), 0, 1.0)
    assert_close(calls[0](X, p), right, function.__name__)
    assert_close(calls[1](X, p), right, function.__name__)
    assert_close(calls[2](X, p), np.sum(right), function.__name__)


def test_shorter_where_that_is_allowed() -> None:
    assert_close(grad(asked_for)(X, np.ones(2), False), np.array([1.0, 1.0, 0.0]), "asked_for")


def left_by_break(x, p):
    total = 0.0
    for a, b in zip(x, p, strict=True):
        total += a * a * b
        if b > 1.5:
            break
    return total


def left_by_return(x, p):
    total = 0.0
    for a, b in zip(x, p, strict=True):
        total += a * a * b
        if b > 1.5:
            return total
    return -total


@pytest.mark.parametrize("function", [left_by_break, left_by_return], ids=named)
def test_left_before_the_end(function: Callable[..., Any]) -> None:
    """Nobody comes to the end of the shorter one."""
    p, right = np.array([1.0, 2.0]), np.array([1.0, 2.8, 0.0])
    assert_close(grad(function)(X, p), right, function.__name__)
    assert_close(jvp(function, (X, p), (np.ones(3), np.zeros(2)))[1], 3.8, function.__name__)
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        grad(function)(X, np.ones(2))
