"""Elliptic functions and integrals by their parameter, Bessel functions by their order, lines by their widths.

The numbers are those of mpmath: central differences of its own functions, of 60 digits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in
from scipy import special

from tangentish import grad, hvp

# phi, m, the slopes of the integrals of the first and of the second kind in m
INTEGRALS = [
    (0.3, 0.0, 0.00441969082562058, -0.00441969082562058),
    (1.5, 0.9, 3.612171908530618, -0.7075793323525139),
    (1.5, 0.9999, 48.276466042467725, -1.1692178129149604),
    (1.57, -30.0, 0.006218470498343586, -0.08731712184101806),
    (0.4, 1.0, 0.011978562501457238, -0.010847938779973042),
    (10.0, 0.6, 6.517966696871552, -3.2871753600099054),
    (-4.0, 0.3, -1.278169644640706, 0.9914635335516383),
]

# v, x, the first and second derivatives of `scipy.special.kve` in v
ORDERS = [
    (0.0, 1.0, 0.0, 0.836717165036314),
    (0.5, 1.0, 0.4528582637626656, 1.0486691545863756),
    (2.5, 1e-06, 5.7195603242462424e16, 8.718926185968731e17),
    (-1.3, 0.02, -808.3743677856045, 3792.575856112771),
    (1.5, 300.0, 0.00036240229387237685, 0.00024340852738727868),
    (40.0, 3.0, 5.722817180201795e40, 1.8771133268070376e41),
    (0.3, 700.0, 2.0284984484087206e-05, 6.762529818630555e-05),
    (0.001, 1e-30, 110.59283816027745, 110698.96941613997),
    (100.0, 50.0, 1.2236674952833107e35, 1.7692615969762544e35),
]


@pytest.mark.parametrize(("phi", "m", "first", "second"), INTEGRALS)
def test_integrals_by_the_parameter(phi: float, m: float, first: float, second: float) -> None:
    def f(m, kind):
        return kind(phi, m)

    np.testing.assert_allclose(grad(f)(m, special.ellipkinc), first, 1e-12)
    np.testing.assert_allclose(grad(f)(m, special.ellipeinc), second, 1e-12)


@pytest.mark.parametrize(("v", "x", "first", "second"), ORDERS)
def test_bessel_functions_by_the_order(v: float, x: float, first: float, second: float) -> None:
    def f(v):
        return special.kve(v, x)

    np.testing.assert_allclose(grad(f)(v), first, 1e-12)
    np.testing.assert_allclose(hvp(f)(v, 1.0), second, 1e-12)


def test_of_no_modulus_it_is_a_circle() -> None:
    def f(m):
        return special.ellipj(0.7, m)[0]

    sine, cosine = np.sin(0.7), np.cos(0.7)
    np.testing.assert_allclose(grad(f)(0.0), -(0.7 - sine * cosine) * cosine / 4, 1e-12)


FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)


@form
def swing_of_a_pendulum(x):
    m = np.sin(x / 4) ** 2
    sn, _, dn, _ = special.ellipj(3 * x, m)
    return np.sum(2 * np.arcsin(np.sqrt(m) * sn) * dn) + special.ellipj(x[0], 0.3)[3]


@form
def arc_of_an_ellipse(x):
    return np.sum(special.ellipeinc(2 * x, np.tanh(x)) * x) * special.ellipkinc(x[1], x[3] / 9)


@form
def covariance_of_matern(x):
    v, r = 1 + x[0] ** 2, np.abs(np.subtract.outer(x, x)) + np.eye(4)
    return np.sum((r / 2) ** v * special.kv(v, r)) * special.kve(x[3], x[2])


@form
def spectral_line(x):
    line = special.voigt_profile(x - 0.2, 0.5 + x[1], np.exp(x[3]))
    return np.sum(np.log(line)) + special.voigt_profile(0.3, x[0], 0.0) * line @ x


@form
def of_several_results(x):
    ai, aip, bi, _ = special.airy(x)
    s, c = special.fresnel(x * ai)
    si, ci = special.sici(x[:3])
    return np.sum(ai * aip) + np.sum(bi * s) + si @ ci + np.sum(c) * special.shichi(x[2])[0]


test_every_mode = each_right(
    FUNCTIONS, np.array([1.0, 0.5, 2.2, -0.7]), np.array([0.3, -1.0, 0.4, 0.6])
)
