"""Python makes complex numbers of negative floats' powers, where NumPy makes nan: no gradient is given for those."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numeric import numeric_gradient

from tangentish import grad, hvp, jvp

Of = Callable[[Any], Any]

OF_FLOATS: list[Of] = [
    lambda x: abs(x**0.5),
    lambda x: abs(x**0.3),
    lambda x: abs(x**1.5),
    lambda x: abs(x**-0.5),
    lambda x: abs(pow(x, 1.5)),
    lambda x: abs(operator.pow(x, 0.3)),
    lambda x: (x**2.5).real,
    lambda x: abs(2.0 * x ** (len([x]) / 2)),
    lambda x: abs(sum(v**1.5 for v in [x, 2 * x])),
]
OF_ELEMENTS: list[Of] = [
    lambda x: abs(float(x[0]) ** 1.5),
    lambda x: abs(x[0].item() ** 0.3),
    lambda x: abs(x.item(0) ** 0.5),
    lambda x: abs(np.sum(x).item() ** 1.5),
    lambda x: abs(x.tolist()[0] ** 1.5),
    lambda x: sum(abs(v**0.5) for v in x.tolist()),
]


def slope_of(f: Of, x: Any) -> Any:
    return numeric_gradient(f, (x,), 0, 1.0)


@pytest.mark.parametrize("f", OF_FLOATS)
def test_powers_of_floats(f: Of) -> None:
    slope = slope_of(f, 1.3)
    assert grad(f)(1.3) == pytest.approx(slope, rel=1e-6)
    assert jvp(f, (1.3,), (1.0,))[1] == pytest.approx(slope, rel=1e-6)
    assert hvp(f)(1.3, 1.0) == pytest.approx(slope_of(grad(f), 1.3), rel=1e-6)


@pytest.mark.parametrize("f", OF_ELEMENTS)
def test_powers_of_elements(f: Of) -> None:
    x = np.array([1.3, 0.4])
    np.testing.assert_allclose(grad(f)(x), slope_of(f, x), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("f", OF_FLOATS)
def test_powers_of_negative_floats_have_no_gradient(f: Of) -> None:
    assert f(-2.0) is not None
    for derivative in (lambda: grad(f)(-2.0), lambda: jvp(f, (-2.0,), (1.0,))):
        with pytest.raises(ValueError, match="domain error|taken for a real number"):
            derivative()


@pytest.mark.parametrize("f", OF_ELEMENTS)
def test_powers_of_negative_elements_have_no_gradient(f: Of) -> None:
    x = np.array([-2.0, -0.1])
    assert f(x) is not None
    for derivative in (lambda: grad(f)(x), lambda: jvp(f, (x,), (np.ones(2),))):
        with pytest.raises(ValueError, match="domain error|taken for a real number"):
            derivative()


def test_whole_powers_of_negative_floats() -> None:
    for f in (lambda x: x**3.0, lambda x: x**-1.0, lambda x: x ** (len([x]) * 3.0), lambda x: x**2):
        assert grad(f)(-2.0) == pytest.approx(slope_of(f, -2.0), rel=1e-6)


def test_powers_of_complex_numbers_are_complex() -> None:
    f = lambda x: abs(complex(x, 1.0) ** 0.5)  # noqa: E731
    assert grad(f)(-2.0) == pytest.approx(slope_of(f, -2.0), rel=1e-6)


def test_negative_elements_of_arrays_stay_nan() -> None:
    with np.errstate(invalid="ignore"):
        assert np.isnan(grad(lambda x: abs(x[0] ** 1.5))(np.array([-2.0]))[0])


def floats_on_one_way(x):
    total = 0.0
    for v in x:
        tau = 0.0
        if v > 0.5:
            tau = v - 0.5
        cube = tau ** (1 / 3)
        total += tau**0.35 * v + cube * cube
    return total


def test_numbers_that_are_those_of_python_on_one_way() -> None:
    x, x_dot = np.array([1.3, 0.2, 0.9]), np.array([0.4, 0.7, -0.3])
    slope = slope_of(floats_on_one_way, x)
    np.testing.assert_allclose(grad(floats_on_one_way)(x), slope, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(jvp(floats_on_one_way, (x,), (x_dot,))[1], slope @ x_dot, rtol=1e-6)
    bent = slope_of(lambda z: np.sum(grad(floats_on_one_way)(z) * x_dot), x)
    with np.errstate(all="ignore"):  # of slopes that are infinite where nothing reads them
        product = hvp(floats_on_one_way)(x, x_dot)
    np.testing.assert_allclose(product, bent, rtol=1e-6, atol=1e-9)
