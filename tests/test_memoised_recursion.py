"""Recursions that keep their results in a dict: what no adjoint reads of the dict is not kept at each call."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import Function, check_along, kept_in, named
from numeric import assert_close

from tangentish import grad, vjp

X, X_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([0.3, -0.2, 0.5, 0.1])

READ_ONCE: list[Function] = []
READ_AGAIN: list[Function] = []


def recurrence(x, n):
    memo = {}

    def f(n):
        if n < 2:
            return x[n]
        if n not in memo:
            memo[n] = f(n - 1) * 0.5 + f(n - 2) * x[n % 4]
        return memo[n]

    return f(n)


@kept_in(READ_ONCE)
def in_a_closure(x):
    return recurrence(x, 7)


def given(n, x, memo):
    if n in memo:
        return memo[n]
    memo[n] = np.sin(given(n - 1, x, memo)) * given(n - 2, x, memo) + x[n % 4]
    return memo[n]


@kept_in(READ_ONCE)
def as_an_argument(x):
    memo = {0: x[0], 1: x[1]}
    return given(6, x, memo) * memo[3]


def made_if_none(n, x, memo=None):
    if memo is None:
        memo = {}
    if n < 2:
        return x[n]
    if n not in memo:
        memo[n] = made_if_none(n - 1, x, memo) * x[2] + np.sin(made_if_none(n - 2, x, memo))
    return memo[n]


def chosen_if_none(n, k, x, memo=None):
    memo = memo if memo is not None else {}
    if not n or not k:
        return x[n] + x[k]
    if (n, k) not in memo:
        left = chosen_if_none(n - 1, k, x, memo) * x[3]
        memo[n, k] = left + np.sin(chosen_if_none(n, k - 1, x, memo))
    return memo[n, k]


@kept_in(READ_ONCE)
def by_default(x):
    return made_if_none(5, x) * chosen_if_none(2, 2, x)


def squared(n, x, memo):
    if n in memo:
        return memo[n]
    squared(n - 1, x, memo)
    memo[n] = memo[n - 1] * memo[n - 1] * x[n % 4]
    memo[n - 1] = x[2] * 0.5
    return memo[n] + memo[n - 1] * memo[n - 1]


@kept_in(READ_AGAIN)
def entries_multiplied_and_set_again(x):
    memo = {0: x[0]}
    return squared(4, x, memo) * memo[2] * memo[3]


def even(n, x, memo):
    if n == 0:
        return x[0]
    memo[n] = odd(n - 1, x, memo) * x[n % 4]
    return memo[n] * memo[n]


def odd(n, x, memo):
    memo[n] = even(n - 1, x, memo) + memo.get(n - 1, 1.0) * x[n % 4]
    return memo[n] * x[1]


@kept_in(READ_AGAIN)
def two_that_call_each_other(x):
    memo = {}
    return even(4, x, memo) + memo[3] * memo[2]


@kept_in(READ_AGAIN)
def in_an_array(x):
    m = np.zeros(8)

    def f(n):
        if n < 2:
            return x[n]
        if m[n] == 0.0:
            m[n] = f(n - 1) * m[n - 1] + f(n - 2) * x[n % 4] + 0.1
        return m[n] * m[n]

    return f(6) * m[4]


@kept_in(READ_AGAIN)
def beside_a_dict_that_is_read(x):
    memo = {}
    weights = {0: x[0], 1: x[1] * x[2], 2: x[3] ** 2}

    def f(n):
        if n < 2:
            return weights[n]
        if n not in memo:
            memo[n] = f(n - 1) * weights[n % 3] + f(n - 2) * weights[(n + 1) % 3]
        return memo[n]

    first = f(5)
    weights[1] = x[0] * 2.0
    return first * f(7) * weights[1]


@pytest.mark.parametrize("function", [*READ_ONCE, *READ_AGAIN], ids=named)
def test_results_in_a_dict(function: Function) -> None:
    numeric = check_along(function, X, X_DOT)
    _, pull = vjp(function, X)
    assert_close(pull(1.0)[0], numeric, "at first")
    assert_close(pull(2.0)[0], 2.0 * numeric, "and again")


@pytest.mark.parametrize("function", READ_ONCE, ids=named)
def test_the_dict_is_not_kept(function: Function) -> None:
    text = grad(function).source(X)
    assert not any(word in text for word in ("memo_old", "copy_shared", "set_items", "put_entry"))


def calls(f: Callable[[], Any]) -> int:
    """How many functions a call calls, those of C with them."""
    count = 0

    def counted(_frame: Any, event: str, _arg: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        f()
    finally:
        sys.setprofile(before)
    return count


def test_work_grows_with_the_results() -> None:
    gradient = grad(recurrence)
    gradient(X, 10)
    assert calls(lambda: gradient(X, 80)) < 5 * calls(lambda: gradient(X, 20))
