"""Products that nothing reads are left out of a gradient, and only those that can't fail."""

from collections.abc import Callable

import numpy as np
import pytest

from tangentish import grad

A, V = np.arange(6.0).reshape(2, 3), np.arange(3.0)


def squares(x):
    return x @ x


def squares_by_name(x):
    return np.dot(x, x)


def image(a, v):
    return np.sum(a @ v)


@pytest.mark.parametrize(
    ("function", "args"), [(squares, (V,)), (squares_by_name, (V,)), (squares, (np.ones(0),))]
)
def test_left_out(function: Callable[..., object], args: tuple[np.ndarray, ...]) -> None:
    source = grad(function).source(*args)
    assert source.count("x @ x") + source.count("np.dot") == 1, source  # in the comment
    np.testing.assert_array_equal(grad(function)(*args), 2 * args[0])


def area(x, t):
    return np.trapezoid(x**2, t)


def test_sums_over_steps_are_left_out() -> None:
    source = grad(area).source(V, V)
    assert source.count("np.trapezoid") == 1, source  # in the comment
    np.testing.assert_array_equal(grad(area)(V, V), [0.0, 2.0, 2.0])
    with pytest.raises(ValueError, match="broadcast"):
        grad(area)(V, np.arange(4.0))


@pytest.mark.parametrize("wrong", [np.ones(2), np.ones((2, 3))])
def test_raised_as_before(wrong: np.ndarray) -> None:
    """Products of what doesn't fit."""
    with pytest.raises(ValueError, match="matmul"):
        image(A, wrong)
    with pytest.raises(ValueError, match="matmul"):
        grad(image)(A, wrong)


def test_of_scalars() -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        grad(squares)(1.5)
