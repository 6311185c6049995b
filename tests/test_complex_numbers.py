"""Complex numbers where it can't be known beforehand that they are complex: an error, never a wrong gradient."""

from __future__ import annotations

import cmath
import pickle
from typing import Any

import numpy as np
import pytest
from numeric import numeric_gradient

from tangentish import NotDifferentiable, grad, vjp

X = np.array([0.3, 0.8, -0.4])


STORED = pickle.dumps(np.array([1j, 2.0, 1 - 1j]))


class Filter:
    taps = np.array([1j, 2.0, 1 - 1j])

    def loaded(self):
        return pickle.loads(STORED)


FILTER = Filter()


def test_a_complex_constant_of_an_object_is_known() -> None:
    def filtered(x):
        return np.sum(np.abs(x * FILTER.taps))

    right = numeric_gradient(filtered, (X,), 0, 1.0)
    assert np.allclose(grad(filtered)(X), right)


def test_a_complex_value_of_unknown_type_is_an_error() -> None:
    def filtered(x):
        return np.sum(np.abs(x * FILTER.loaded()))

    with pytest.raises(TypeError, match="a complex number meets a real one"):
        grad(filtered)(X)


def test_parts_are_no_places_to_store_to() -> None:
    def stored(x):
        z = np.zeros(3, complex)
        z.real[1:] = x[1:]
        return np.abs(z)

    def through_a_name(x):
        z = np.zeros(3, complex)
        part = z.imag
        part[0] = x[0]
        return np.abs(z + x)

    for f in (stored, through_a_name):
        with pytest.raises(NotDifferentiable):
            grad(f)(X)


def test_the_part_of_an_array_that_changes_is_refused() -> None:
    def changed(x):
        z = x * 1j
        part = z.imag
        z[0] = x[1]
        return np.sum(part**2) + np.abs(z[0])

    with pytest.raises(NotDifferentiable, match="share memory"):
        grad(changed)(X)


def test_complex_results_and_arguments_are_refused() -> None:
    def turned(x):
        return x * 1j

    with pytest.raises(TypeError, match="return np.real and np.imag of it"):
        vjp(turned, X)
    with pytest.raises(TypeError, match="complex"):
        grad(turned)(X * 1j)


def test_extremes_have_no_rule_for_complex_numbers() -> None:
    def largest(x):
        return np.max(x * 1j).imag

    with pytest.raises(NotDifferentiable, match="no derivative rule for complex numbers"):
        grad(largest)(X)


def on_the_cuts(x):
    z = x + 0j
    parts = np.arcsin(z) + 2 * np.arccos(z) + 3 * np.arccosh(z) + 5 * np.arctanh(z)
    return parts.real + 7 * parts.imag + np.log(z).real + 3 * np.sqrt(z).imag


def on_the_cuts_of_cmath(x):
    parts = cmath.asin(x) + 2 * cmath.acos(x) + 3 * cmath.acosh(x) + 5 * cmath.atanh(x)
    return parts.real + 7 * parts.imag + cmath.log(x).real + 3 * cmath.sqrt(x).imag


@pytest.mark.filterwarnings("ignore:divide by zero")
@pytest.mark.parametrize("f", [on_the_cuts, on_the_cuts_of_cmath])
@pytest.mark.parametrize("x", [2.0, -2.0, 0.5, -0.5])
def test_real_points_on_the_cuts(f: Any, x: float) -> None:
    np.testing.assert_allclose(grad(f)(x), (f(x + 1e-6) - f(x - 1e-6)) / 2e-6, 1e-7)


def test_functions_that_may_give_complex_numbers_of_complex_ones() -> None:
    def f(x):
        z = x * 1j + 0.3
        turned = np.emath.arcsin(z) * np.emath.arccos(z) * np.emath.arctanh(z)
        logs = np.emath.log(z) * np.emath.log2(z) * np.emath.log10(z)
        return np.sum(np.abs(turned) ** 2 + np.imag(np.lib.scimath.sqrt(z) * logs))

    np.testing.assert_allclose(grad(f)(X), numeric_gradient(f, (X,), 0, 1.0), 1e-6)
