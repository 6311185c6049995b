"""Powers of complex numbers whose exponent varies, and complex exponents: constant phase elements, Cole-Cole models."""

from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

FUNCTIONS: list[Any] = []
W = np.array([1.0, 10.0, 100.0])
X = np.array([0.3, 0.8, 0.6])
X_DOT = np.array([0.4, -0.3, 0.9])


@kept_in(FUNCTIONS)
def cpe(x):
    z = 1 / (x[0] * (1j * W) ** x[1])
    return np.sum((z.real - 1) ** 2)


@kept_in(FUNCTIONS)
def cpe_scalar(x):
    z = 1 / (x[0] * (1j * 10.0) ** x[1])
    return z.real**2 + abs(z)


@kept_in(FUNCTIONS)
def cole(x):
    z = 1 + x[0] / (1 + (1j * W * x[2]) ** (1 - x[1]))
    return np.sum(np.abs(z) ** 2)


@kept_in(FUNCTIONS)
def havriliak(x):
    z = x[0] / (1 + (1j * W * x[2]) ** x[1]) ** (x[0] * 2)
    return np.sum(z.real) + np.sum(z.imag**2)


@kept_in(FUNCTIONS)
def varying_base_const_exp(x):
    n = len(x) / 7.0
    z = (x[0] + 1j * x[1]) ** n
    return z.real * z.imag


@kept_in(FUNCTIONS)
def by_np_power(x):
    z = np.power(x[0] + 1j * x, x[1])
    return np.sum(np.abs(z) ** 3)


@kept_in(FUNCTIONS)
def complex_exp(x):
    z = x[0] ** (x[1] + 1j * x[2])
    return z.real * z.imag


@kept_in(FUNCTIONS)
def complex_both(x):
    z = (x[2] - 1j * x[1]) ** (x[1] + 1j * x[0])
    return z.real * z.imag


@kept_in(FUNCTIONS)
def base_two(x):
    z = 2 ** (x[1] + 1j * x[0])
    return z.real * z.imag


@kept_in(FUNCTIONS)
def an_exponent_for_each(x):
    z = (1j * W) ** x
    return np.sum(z.real * z.imag)


@kept_in(FUNCTIONS)
def in_place(x):
    z = 1j * W * x[2]
    z **= x[1]
    return np.sum(z.real * z.imag)


@kept_in(FUNCTIONS)
def const_base(x):
    z = 1j ** x[0]
    return z.real * x[1] + z.imag


@kept_in(FUNCTIONS)
def by_pow(x):
    z = pow(1j * x[0], x[1])
    return z.real * x[1] + z.imag


@kept_in(FUNCTIONS)
def numbers_of_python(x):
    a, b = float(x[0]), float(x[1])
    z = (1j * a) ** b
    return z.real * b + z.imag


@kept_in(FUNCTIONS)
def in_loop(x):
    s = 0.0
    for w in W:
        z = x[0] + 1 / (x[1] * (1j * w) ** x[2])
        s += abs(z) ** 2
    return s


@kept_in(FUNCTIONS)
def real_base(x):
    return np.sum(np.abs(x ** x[1]) * x)


@kept_in(FUNCTIONS)
def neg_angle(x):
    z = (-x[0] - 0.3j * x) ** x[1]
    return np.sum(z.real + z.imag * 2)


@kept_in(FUNCTIONS)
def zero_in_the_base(x):
    z = (np.array([0j, 1j, 2.0]) * x[0]) ** (x[1] + 2)
    return np.sum(z.real + z.imag * 2)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_complex_powers(function: Any) -> None:
    check_along(function, X, X_DOT)
