"""Compiled gradients record in arrays where each trip of a loop has a place: numbers as by numeric differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numeric import numeric_gradient

from tangentish import differentiate, grad

pytest.importorskip("numba")


def upwards(x: Any, n: int) -> Any:
    for _ in range(n):
        x = x * x * 0.5 + 0.3 * x
    return x


def from_two(x: Any, n: int) -> Any:
    y = 1.0
    for k in range(2, n):
        y = y * x + y * y * 0.01 * k
    return y


def from_below_zero(x: Any, n: int) -> Any:
    y = 1.0
    for k in range(-3, n):
        y = y * x + y * y * 0.01 * k
    return y


def downwards(x: Any, n: int) -> Any:
    y = 1.0
    for k in range(n - 2, -1, -1):
        y = y * x + y * y * 0.01 * k
    return y


def down_to_two(x: Any, n: int) -> Any:
    y = 1.0
    for k in range(n, 1, -1):
        y = y * x + y * y * 0.01 * k
    return y


def the_end_changes(x: Any, n: int) -> Any:
    y = 1.0
    for k in range(n):
        y = y * x + y * y * 0.01 * k
        n = n - 1
    return y * n


def one_after_the_other(x: Any, n: int) -> Any:
    y = x
    for k in range(n):
        y = y * x + 0.1 * y * y
    for k in range(1, n):
        y = y * y * 0.2 + x * k
    return y


IN_ARRAYS = [
    upwards,
    from_two,
    from_below_zero,
    downwards,
    down_to_two,
    one_after_the_other,
    the_end_changes,
]


@pytest.mark.parametrize("n", [-2, 0, 1, 4])
@pytest.mark.parametrize("function", IN_ARRAYS)
def test_each_trip_has_its_place(function: Callable[..., Any], n: int) -> None:
    gradient = grad(function, compile="numba")
    assert gradient(0.7, n) == pytest.approx(
        numeric_gradient(function, (0.7, n), 0, 1.0), rel=1e-6, abs=1e-9
    )
    text = gradient.source(0.7, n, compiled=True)
    assert "np.empty(" in text and "append" not in text


def trips_left_early(x: Any, n: int) -> Any:
    y = 1.0
    for k in range(n):
        y = y * x + 0.1 * y * y
        if y > 1.2:
            break
        y = y * y
    return y


def trips_ended_early(x: Any, n: int) -> Any:
    y = 1.0
    for k in range(n):
        if k % 2:
            continue
        y = y * x + 0.1 * y * y
    return y


def the_variable_is_set(x: Any, n: int) -> Any:
    y = 1.0
    for k in range(n):
        y = y * x + 0.1 * y * y
        k = k * 2
        y = y * k + x
    return y


def steps_of_two(x: Any, n: int) -> Any:
    y = 1.0
    for k in range(0, n, 2):
        y = y * x + 0.1 * y * y + k * x
    return y


def from_a_number_given(x: Any, n: int) -> Any:
    y = 1.0
    for k in range(n, 2 * n):
        y = y * x + 0.1 * y * y + k * x
    return y


def within_another(x: Any, n: int) -> Any:
    y = 1.0
    for _ in range(2):
        for k in range(n):
            y = y * x + 0.1 * y * y + k * x
    return y


def what_a_helper_saves(x: Any, n: int) -> Any:
    y = np.ones(n + 1)

    def put(k: int, v: Any) -> None:
        y[k] = v * x

    for k in range(n):
        put(k, x**k)
    return y[0] + y[n]


@pytest.mark.parametrize("n", [0, 1, 5])
@pytest.mark.parametrize(
    "function",
    [
        what_a_helper_saves,
        trips_left_early,
        trips_ended_early,
        the_variable_is_set,
        steps_of_two,
        from_a_number_given,
        within_another,
    ],
)
def test_other_loops(function: Callable[..., Any], n: int) -> None:
    found = grad(function, compile="numba")(0.4, n)
    assert found == pytest.approx(numeric_gradient(function, (0.4, n), 0, 1.0), rel=1e-6, abs=1e-9)


def test_of_single_precision_are_lists() -> None:
    x = np.float32(0.7)
    gradient = grad(upwards, compile="numba")
    assert gradient(x, 3).dtype == np.float32
    assert "append" in gradient.source(x, 3, compiled=True)


def test_pullbacks_read_them_again() -> None:
    value, pullback = differentiate(upwards, compile="numba").vjp(0.7, 3)
    wanted = numeric_gradient(upwards, (0.7, 3), 0, 1.0)
    assert value == pytest.approx(upwards(0.7, 3))
    assert pullback(1.0)[0] == pytest.approx(wanted)
    assert pullback(2.0)[0] == pytest.approx(2 * wanted)


def upwards_twice(x: Any, n: int) -> Any:
    return upwards(upwards(x, n), n) + upwards(x, n + 1)


def test_in_helpers() -> None:
    found = grad(upwards_twice, compile="numba")(0.7, 3)
    assert found == pytest.approx(
        numeric_gradient(upwards_twice, (0.7, 3), 0, 1.0), rel=1e-6, abs=1e-9
    )
