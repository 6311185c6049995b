"""Where a function is defined and its slope is infinite, the gradient is infinite: it raises no error of its own."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from tangentish import grad, jvp


@pytest.mark.parametrize(
    ("f", "x", "slope"),
    [
        (lambda x: math.sqrt(x), 0.0, math.inf),
        (lambda x: math.acos(x), 1.0, -math.inf),
        (lambda x: math.asin(x), -1.0, math.inf),
        (lambda x: math.acosh(x), 1.0, math.inf),
        (lambda x: math.cbrt(x), 0.0, math.inf),
        (lambda x: x**0.5, 0.0, math.inf),
        (lambda x: math.pow(x, 0.5), 0.0, math.inf),
        (lambda x: x**0.3, 0.0, math.inf),
        (lambda x: -(x**0.7), 0.0, -math.inf),
        (lambda x: pow(x, 0.3), 0.0, math.inf),
    ],
)
@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")
def test_slopes_of_python_floats(f: Callable[[float], float], x: float, slope: float) -> None:
    assert grad(f)(x) == slope
    assert jvp(f, (x,), (1.0,))[1] == slope


def replaced(x):  # type: ignore[no-untyped-def]
    y = np.sqrt(x)
    y[np.isnan(y)] = 0
    return np.sum(y)


@pytest.mark.parametrize(
    "f",
    [
        replaced,
        lambda x: np.nansum(np.sqrt(x)),
        lambda x: np.nanmax(np.sqrt(x)) + np.nanmin(np.sqrt(x)),
        lambda x: np.sum(np.fmax(np.sqrt(x), 0.0)),
    ],
)
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_what_is_nan_and_left_out_gets_nothing(f: Callable[[np.ndarray], float]) -> None:
    x = np.array([4.0, -1.0, 1.0])
    np.testing.assert_array_equal(grad(f)(x), [0.25, 0.0, 0.5])
    assert jvp(f, (x,), (np.ones(3),))[1] == 0.75
