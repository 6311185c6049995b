"""Integers beside floats in a list that is an argument: they do not move, wherever the list is run over."""

from __future__ import annotations

from typing import Any

import pytest

from tangentish import grad, hessian, hvp, jacobian, jvp


def squares(xs):
    t = 0.0
    for q in xs:
        t = t * 0.5 + q**2
    return t


def weighted(pairs):
    return sum(a * b**2 for a, b in pairs)


@pytest.mark.parametrize(
    ("function", "argument", "tangent", "expected"),
    [
        (squares, [1, 0.5, 2], [None, 1.0, None], 0.5),
        (squares, [1, 0.5, 2], [None, 2.0, None], 1.0),
        (weighted, [(2, 0.3), (0.4, 5)], [(None, 1.0), (1.0, None)], 26.2),
    ],
)
def test_tangents(function: Any, argument: Any, tangent: Any, expected: float) -> None:
    assert jvp(function, (argument,), (tangent,))[1] == pytest.approx(expected)


def test_second_derivatives() -> None:
    assert jacobian(squares)([2, 0.3]) == [None, pytest.approx(0.6)]
    assert hessian(squares)([2, 0.3])[1][1] == pytest.approx(2.0)
    assert hvp(squares)([2, 0.3], [None, 3.0])[1] == pytest.approx(6.0)


def test_the_gradient() -> None:
    assert grad(squares)([2, 0.3])[1] == pytest.approx(0.6)
