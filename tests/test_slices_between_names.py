"""Slices between bounds that have names: how long they are is known as it is of bounds that are written down."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from every_mode import Function, each_right, kept_in, named
from numeric import assert_close, numeric_gradient

from tangentish import grad
from tangentish.infer.slice_lengths import length_between
from tangentish.kinds.lengths import Dim, Length

FUNCTIONS: list[Function] = []
OTHERS: list[Function] = []
kept, otherwise = kept_in(FUNCTIONS), kept_in(OTHERS)
X = np.array([0.9, 1.3, 0.7, 1.1, 0.6, 1.5, 0.8])
X_DOT = np.array([0.3, -0.5, 0.8, 0.2, -0.1, 0.4, 0.9])


@kept
def neighbours(x):
    n = len(x)
    return np.sum(x[1:n] * x[0 : n - 1]) + np.sum(x[0:n] * np.arange(n))


@kept
def second_differences(x):
    n = x.shape[0]
    d = x[2:n] - 2 * x[1 : n - 1] + x[: n - 2]
    return np.sum(d**2 * x[1 : n - 1])


@kept
def of_what_is_made(x):
    n = len(x)
    y = np.zeros(n)
    y[1 : n - 1] = x[2:n] * x[0 : n - 2]
    slope = y[1:n] - y[: n - 1]
    flux = np.zeros(n + 1)
    flux[1:n] = slope * x[1:]
    return np.sum((flux[1 : n + 1] - flux[0:n]) ** 2 * x)


@kept
def halves(x):
    n = len(x)
    h = n // 2
    return np.sum(x[:h] * x[h : 2 * h] ** 2) + np.sum(x[:h] * np.arange(h))


@kept
def thirds(x):
    k = len(x) // 3
    a, b, c = x[:k], x[k : 2 * k], x[2 * k : 3 * k]
    return np.sum(a * b**2 * c**3)


@kept
def every_other(x):
    n = len(x)
    return np.sum(x[::2] ** 2 * np.arange(0, n, 2)) + np.sum(x[1::2] ** 2 * np.arange(1, n, 2))


@kept
def every_third_up_to_the_end(x):
    n = len(x)
    return np.sum(x[0:n:3] ** 2 * np.arange(0, n, 3) + x[::3])


@kept
def windows(x):
    w, total = np.sum(x) * np.array([1.0, 2.0, 0.5]), 0.0
    for i in range(len(x) - 3 + 1):
        total += np.sum(x[i : i + 3] * w) ** 2
    return total


@kept
def windows_as_long_as_another(x):
    w = x[: len(x) // 2] ** 2
    n = len(x) - len(w) + 1
    total = 0.0
    for i in range(n):
        total += np.sum(x[i : i + len(w)] * w) ** 2
    return total


@kept
def windows_around_a_place(x):
    n, k = len(x), 1
    w, total = np.sum(x) * np.array([1.0, 2.0, 1.0]), 0.0
    for i in range(k, n - k):
        total += np.sum(x[i - k : i + k + 1] ** 2 * w) * x[i]
        x = x * 1.1
    return total


@kept
def up_to_what_has_a_name(x):
    n = len(x) - 1
    m = n - 1
    return np.sum(x[1:] * x[:n]) + np.sum(x[2:] * x[:m] * x[1:n])


@otherwise
def windows_beyond_the_end(x):
    w, total = x[:1] + x[-1] * np.ones(2), 0.0
    for i in range(len(x)):
        total += np.sum(x[i : i + 2] * w) * (i + 1)
    return total * np.sum(w)


@otherwise
def windows_from_before_the_start(x):
    total = 0.0
    for i in range(len(x) - 2 + 1):
        w = x[i - 1 : i + 1]
        total += np.sum(w * x[i]) + np.sum(w * np.ones(len(w)) * x[0])
    return total


@otherwise
def windows_whose_length_changes(x):
    m, total = 1, 0.0
    for i in range(len(x) - m + 1):
        total += np.sum(x[i : i + m] ** 2 * x[0])
        m = m + i % 2
    return total


@otherwise
def three_before_the_end(x):
    """Of two elements, x[: 2 - 3] is one of them."""
    n = len(x)
    return np.sum(x[: n - 3] ** 2) * np.sum(x[3:n]) + np.sum(x[: n - 3] * x[0])


@otherwise
def more_parts_than_there_are(x):
    h = len(x) // 2
    return np.sum(x[: 2 * h] ** 2) + np.sum(x[2 * h : 3 * h] ** 3 * x[0])


@otherwise
def bound_anew(x):
    n = len(x)
    s = 0.0
    while n > 1:
        h = n // 2
        s = s + np.sum(x[:h] * x[h : 2 * h] ** 2)
        n = h
    return s


test_every_mode = each_right([*FUNCTIONS, *OTHERS], X, X_DOT)


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_text(function: Function) -> None:
    text = grad(function).source(X)
    assert "unbroadcast(" not in text and "plain(" not in text


def test_what_is_added_is_not_filled_up() -> None:
    """`dw += np.full_like(w, dt * x[i : i + 2])`, of a window that may have one element."""
    assert "+= np.full_like" not in grad(windows_beyond_the_end).source(X)


@pytest.mark.parametrize("count", range(7))
@pytest.mark.parametrize("function", [*FUNCTIONS, *OTHERS], ids=named)
def test_few_elements(function: Function, count: int) -> None:
    x = X[:count].copy()
    if function in OTHERS and not count:
        return  # they read the first
    assert_close(grad(function)(x), numeric_gradient(function, (x,), 0, 1.0), function.__name__)


N = Dim("n")
BOUNDS: list[Any] = [
    None,
    0,
    1,
    2,
    3,
    N,
    ("Sub", N, 1),
    ("Sub", N, 2),
    ("Sub", N, 3),
    ("Add", N, 1),
]


def number(bound: Any, n: int) -> int | None:
    match bound:
        case Dim(_, offset):
            return n + offset
        case ("Sub", _, k):
            return n - int(k)
        case ("Add", _, k):
            return n + int(k)
        case ("Mult", k, _):
            return int(k) * (n // 3)
    return bound  # type: ignore[no-any-return]


@pytest.mark.parametrize("n", range(9))
@pytest.mark.parametrize("offset", [-2, -1, 0, 1])
def test_as_python_counts(n: int, offset: int) -> None:
    """Slices with lengths of one symbol and offset are equally long whatever the number."""
    there: dict[Length, int] = {}
    length = Dim("n", offset)
    whole = range(max(n + offset, 0))
    for lower in BOUNDS:
        for upper in BOUNDS:
            for step in (None, 1, 2, -1):
                found = length_between(length, lower, upper, step)
                count = len(whole[slice(number(lower, n), number(upper, n), step)])
                assert there.setdefault(found, count) == count, (lower, upper, step, found)
                if isinstance(found, Dim) and found.symbol == "n":
                    assert count == max(n + found.offset, 0), (lower, upper, step, found)
