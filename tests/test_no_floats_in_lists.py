"""What is no float in a list that is given has no gradient, whether the function runs over the list or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tangentish import grad, hessian, hvp, jvp, value_and_grad


def squares(xs):
    s = 0.0
    for x in xs:
        if x is not None:
            s += x * x
    return s


def by_place(xs):
    return sum(xs[k] * xs[k] for k in range(len(xs)) if xs[k] is not None)


def stored_to(xs):
    for k in range(len(xs)):
        xs[k] = 0.0 if xs[k] is None else xs[k] * xs[k]
    return sum(xs)


def of_pairs(rows):
    s = 0.0
    for d, n in rows:
        s += d * d * n
    return s


def of_rows(rows):
    return sum(x * x for row in rows for x in row)


def of_arrays(xs):
    s = 0.0
    for x in xs:
        s += np.sum(x * x)
    return s


def of_an_entry(o):
    return sum(o["k"] * x * x for x in o["xs"])


def by_key(d):
    return sum(d[k] * d[k] for k in sorted(d))


CASES: list[tuple[Callable[..., Any], Any, Any]] = [
    (squares, [0.5, None, 2, True], [1.0, None, None, None]),
    (squares, (0.5, None, np.int64(2), np.float64(2.0)), (1.0, None, None, 4.0)),
    (squares, [0.5, 2.0], [1.0, 4.0]),
    (by_place, [0.5, None, 2], [1.0, None, None]),
    (by_place, [2, 0.5], [None, 1.0]),
    (stored_to, [0.5, None, 2], [1.0, None, None]),
    (of_pairs, [(0.5, 2), (1.0, 3)], [(2.0, None), (6.0, None)]),
    (of_pairs, [[0.5, 2], [1.0, 3.0]], [[2.0, None], [6.0, 1.0]]),
    (of_rows, [[0.5, 2], (1.5,), []], [[1.0, None], (3.0,), []]),
    (of_arrays, [np.array([0.5]), np.array([3, 2]), 1.5, 2], [np.array([1.0]), None, 3.0, None]),
    (of_an_entry, {"k": 2, "xs": [0.5, 3]}, {"k": None, "xs": [2.0, None]}),
    (by_key, {"b": 3, "a": 0.5}, {"b": None, "a": 1.0}),
]


@pytest.mark.parametrize(("f", "given", "right"), CASES)
def test_none_in_its_place(f: Callable[..., Any], given: Any, right: Any) -> None:
    np.testing.assert_equal(grad(f)(given), right)
    np.testing.assert_equal(value_and_grad(f)(given)[1], right)


MOVED: list[tuple[Callable[..., Any], Any, Any, float]] = [
    (squares, [0.5, None, 2, True], [3.0, None, None, None], 3.0),
    (squares, (0.5, 2, np.int64(3)), (3.0, None, None), 3.0),
    (of_pairs, [(0.5, 2), (1.0, 3.0)], [(1.0, None), (1.0, 1.0)], 9.0),
    (of_rows, ((0.5, 2), [1.5]), ((1.0, None), [0.0]), 1.0),
    (of_arrays, (np.array([0.5]), np.array([3, 2])), (np.array([1.0]), None), 1.0),
    (by_key, {"b": 3, "a": 0.5}, {"b": None, "a": 2.0}, 2.0),
]


@pytest.mark.parametrize(("f", "given", "motion", "right"), MOVED)
def test_tangents_of_none(f: Callable[..., Any], given: Any, motion: Any, right: float) -> None:
    np.testing.assert_allclose(jvp(f, (given,), (motion,))[1], right)


def test_second_derivatives() -> None:
    np.testing.assert_equal(hvp(of_pairs)([(0.5, 2)], [(1.0, None)]), [(4.0, None)])
    np.testing.assert_equal(hvp(squares)((0.5, None, 2), (1.0, None, None)), (2.0, None, None))
    assert hessian(of_pairs)([(0.5, 2)])


def test_of_one_and_then_of_another() -> None:
    df = grad(squares)
    for _ in range(2):
        assert df([0.5, 2]) == [1.0, None]
        assert df([0.5, 2.0]) == [1.0, 4.0]
        assert df([1, 2.0]) == [None, 4.0]
