"""Real numbers put into an array by dtype=complex: what comes back to them is real."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

from tangentish import grad

ASKED: list[Callable[..., Any]] = []
P, P_DOT = np.array([0.7, 0.4]), np.array([1.0, -0.5])


@kept_in(ASKED)
def display(x):
    a = np.array([x[0], x[1]], dtype=complex)
    a[1] += 1j * x[1]
    return np.sum(np.abs(a * 1j + 1j) ** 2)


@kept_in(ASKED)
def display_of_values(x):
    psi = np.array([np.cos(x[0]), np.sin(x[0])], dtype=complex)
    psi *= np.exp(1j * x[1])
    psi[1] *= 1j
    return np.abs(psi[0] + psi[1] + x[1]) ** 2


@kept_in(ASKED)
def display_of_rows(x):
    a = np.array([x, 2 * x], dtype=complex)
    a[0] = a[1] * 1j * x[0]
    return np.sum(np.abs(a + 1j) ** 2)


@kept_in(ASKED)
def full(x):
    a = np.full(2, x[0], dtype=complex)
    a[1] = 1j * x[1]
    return np.sum(np.abs(a * (1 + 1j) + 1j) ** 2)


@kept_in(ASKED)
def full_of_a_row(x):
    return np.sum(np.abs(np.full((3, 2), x * x, dtype=complex) * (1 + 1j) + 1j) ** 2)


@kept_in(ASKED)
def as_array(x):
    a = np.asarray(x, dtype=complex)
    b = a.copy()
    b[1] += 1j * x[1]
    return np.sum(np.abs(b * 1j + 1j) ** 2)


@kept_in(ASKED)
def array(x):
    a = np.array(x * x[0], dtype=complex)
    a[1] += 1j * x[1]
    return np.sum(np.abs(a * (1 - 1j) + 1j) ** 2)


@kept_in(ASKED)
def running_sum(x):
    return np.sum(np.abs(np.cumsum(x * x, dtype=complex) * (1 + 2j) + 1j) ** 2)


@kept_in(ASKED)
def joined(x):
    return np.sum(np.abs(np.concatenate([x, x * x], dtype=complex) * (1 + 2j) + 1j) ** 2)


@kept_in(ASKED)
def in_a_loop(x):
    y = 0.0
    for k in range(3):
        a = np.array([x[0] * k, y], dtype=complex)
        y = np.abs(a[0] * 1j + a[1] * (1 + 1j) + x[1])
    return y


@kept_in(ASKED)
def complex_ones_stay(x):
    z = np.exp(1j * x[0])
    a = np.array([z, x[1]], dtype=complex)
    return np.abs(a[0] * a[1] + 1j) ** 2


@pytest.mark.parametrize("f", ASKED, ids=named)
def test_what_comes_back_to_real_numbers_is_real(f):
    check_along(f, P, P_DOT)
    assert not np.iscomplexobj(grad(f)(P))


def test_the_real_part_is_taken_first():
    assert "dA[0].real" in grad(display_named_a).source(P)


def display_named_a(x):
    A = np.array([x[0], x[1]], dtype=complex)
    return np.sum(np.abs(A + 1j) ** 2)
