"""Where a function is defined and its slope is infinite, the gradient is infinite: it raises no error of its own."""

from __future__ import annotations

import math
from collections.abc import Callable

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
