"""Arrays that are made of lists of lists: how many axes they have is known, and their rows are run over and unpacked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in
from numeric import assert_close, numeric_gradient

from tangentish import grad, hvp, jvp

FUNCTIONS: list[Callable[..., Any]] = []
rows = kept_in(FUNCTIONS)


@rows
def gram(x):
    A = np.array([[x[i] * x[j] for j in range(2)] for i in range(2)])
    return sum(row[0] * row[1] for row in A)


@rows
def unpacked(x):
    u, v, w, z = np.array([[a * b for b in x] for a in x])
    return u @ v + w @ z


@rows
def run_over(x):
    A = np.array([[a * b for b in x] for a in x])
    total = 0.0
    for row in A:
        total = total + row[0] * row @ x
    return total


@rows
def three_axes(x):
    A = np.array([[[a * b * c for c in x] for b in x] for a in x])
    total = 0.0
    for M in A:
        for r in M:
            total += r @ x
    return total


@rows
def appended_rows(x):
    made = []
    for a in x:
        made.append([a * b for b in x[1:]])
    A = np.asarray(made)
    return np.sum(A @ x[1:]) + sum(r @ r for r in A)


@rows
def of_a_number_of_rows(x, n=3):
    A = np.array([[x[i] * x[j] for j in range(n)] for i in range(n)])
    u, v, w = np.array([[x[i] + x[j] for j in range(n)] for i in range(n)])
    return sum(r @ r for r in A) + u @ v * w[0]


@rows
def of_some_of_them(x):
    u, v = np.array([[a * b for b in x] for a in x[:2]])
    (a, b), (c, d) = np.array([[p - q for q in x[:2]] for p in x[2:]])
    return u @ v + a * d - b * c


@rows
def beside_others(x):
    A = np.array([[a * b for b in x] for a in x])
    B = np.array([[a + b for b in x] for a in x[:4]])
    return sum(r @ q * k for k, (r, q) in enumerate(zip(A, B))) + A.T[0] @ B[1]


@rows
def lists_that_get_some_rows(x):
    some, until, less = [], [], [[x[0], x[1]]]
    for a in x:
        if a > 0.6:
            some.append([a * b for b in x])
    for a in x:
        until.append([a * b for b in x])
        if a > 0.8:
            break
    for a in x:
        less.append([a * b for b in x[:2]])
    total = sum(r @ x for r in np.array(some)) + sum(r @ x for r in np.array(until))
    return total + sum(r @ x[:2] for r in np.array(less)) * len(some) * len(until) * len(less)


@rows
def lists_that_others_change(x):
    made, places = [], [0, 1]

    def add(v):
        made.append(v)

    for a in x:
        made.append(a * x)
        add(x)
    kept = []
    for i in places:
        if i < 2:
            places.append(i + 2)
        kept.append(x[i] * x)
    return np.sum(np.array(made) @ x) * len(made) + np.sum(np.array(kept) @ x) * len(kept)


@rows
def lists_made_on_each_trip(x):
    total, before = 0.0, []
    for k in range(3):
        made = []
        for a in x[: k + 1]:
            made.append(a * x)
            before.append(a)
        total = total + np.sum(np.array(made) @ x) * len(before)
    return total


X = np.array([0.7, 0.4, 0.9, 0.55])


test_rows = each_right(FUNCTIONS, X, X[::-1].copy())


def test_the_text_knows_how_many_axes_there_are() -> None:
    for function in (gram, unpacked, run_over, three_axes, appended_rows):
        text = grad(function).source(X)
        assert not any(word in text for word in ("unbroadcast", "cast(", "matmul_")), text


@pytest.mark.parametrize("n", [0, 1, 2])
def test_no_rows_and_few(n: int) -> None:
    """Of no rows the array has one axis."""

    def over_rows(x, n):
        A = np.array([[x[i] * x[j] for j in range(n)] for i in range(n)])
        return sum(r @ r for r in A) + np.sum(A) * A.ndim

    def kernel(x):
        A = np.array([[a * b for b in x] for a in x])
        return np.sum(A @ x) * A.ndim

    numeric = numeric_gradient(lambda x: over_rows(x, n), (X,), 0, 1.0)
    assert_close(grad(over_rows)(X, n), numeric, "over_rows")
    assert_close(grad(kernel)(X[:n]), numeric_gradient(kernel, (X[:n],), 0, 1.0), "kernel")


def summed(x):
    u, v = np.array([[a * b for b in x] for a in x])
    return np.sum(u)


@pytest.mark.parametrize("function", [unpacked, summed])
def test_too_many_rows(function: Callable[..., Any]) -> None:
    x = np.ones(5)
    for derivative in (
        function,
        grad(function),
        lambda x: jvp(function, (x,), (x,)),
        lambda x: hvp(function)(x, x),
    ):
        with pytest.raises(ValueError, match="too many values to unpack"):
            derivative(x)
