"""What the adjoints of several operands of one call have in common is computed once, where it is an array's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.special
import scipy.stats
from every_mode import each_right, kept_in

from tangentish import grad, jvp
from tangentish.algebra.parts_in_common import parts_in_common
from tangentish.asking.asked import Asked
from tangentish.calling.dispatch import derivative

FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)
X = np.array([0.7, 1.3, 0.4, 1.9])


@form
def angles(x):
    return np.sum(np.arctan2(x[1:], x[:-1])) * np.sum(np.arctan2(np.sin(x), x[0]) * x)


@form
def angles_where_an_array_changes(x):
    y, total = x.copy(), 0.0
    for i in range(3):
        total += np.sum(np.arctan2(y, y[::-1] + 2) * x)
        y[i] *= x[0]
        y[1:] = np.hypot(y[1:], y[:-1])
    return total


@form
def angles_of_one_name(x):
    return np.sum(np.arctan2(x, x) * x + np.arctan2(x, np.where(x > 1, x, 2.0)))


@form
def soft_maxima(x):
    return np.sum(np.logaddexp(x[:, None], x * 2) ** 2)


@form
def edges_of_constant_values(x):
    padded = np.pad(x, 2, constant_values=x[0])
    return np.sum(padded**3) + np.sum(padded[:3] * x[:3])


@form
def weighted_means(x):
    m = np.outer(x, np.sin(x))
    return np.sum(np.average(m, axis=0, weights=x) ** 2)


@form
def tails(x):
    return np.sum(scipy.stats.norm.cdf(x, x[0], x + 1) * scipy.special.betaln(x, x[::-1] + 1))


test_each_is_right = each_right(FUNCTIONS, X, np.array([0.3, -0.7, 1.1, 0.2]))


def of_angles(x, z):
    return np.sum(np.arctan2(x, z))


def of_beta_functions(x, z):
    return np.sum(scipy.special.betaln(x, z))


def of_tails(x, z):
    return np.sum(scipy.stats.norm.cdf(x, z))


@pytest.mark.parametrize(
    ("f", "common"),
    [
        (of_angles, "x ** 2 + z ** 2"),
        (of_beta_functions, "scipy.special.digamma(x + z)"),
        (of_tails, "scipy.stats.norm.pdf(x, z)"),
    ],
)
def test_it_is_written_once(f, common):
    lines = grad(f, wrt=(0, 1)).source(X, X + 1).splitlines()
    assert [line for line in lines if common in line] == [f"    t = {common}"]


def test_it_is_computed_once_in_forward_mode():
    lines = jvp_source(of_beta_functions, X, X + 1).splitlines()
    assert [line for line in lines if "digamma(x + z)" in line] == [
        "    t = scipy.special.digamma(x + z)"
    ]


def jvp_source(f, *args):
    return derivative(f, Asked("jvp", (0, 1))).source(*args)


def test_of_numbers_nothing_is_kept():
    def of_numbers(x, z):
        return np.arctan2(x, z)

    text = grad(of_numbers, wrt=(0, 1)).source(0.3, 0.7)
    assert text.count("x ** 2 + z ** 2") == 2


@pytest.mark.parametrize(
    ("texts", "named", "parts"),
    [
        (("g * f(x)", "-g * f(x) * f(z)"), ("g * common_0", "-g * common_0 * f(z)"), ["f(x)"]),
        (("g * x", "g * z"), None, []),
        (("g * x", "g * x"), None, []),  # one step
        (("g * np.shape(x)", "np.shape(x)"), None, []),
        (("h(g_z, x)", "h(g_z, x) * z"), None, []),
        (
            ("h(f(x + z))", "f(x + z) / k(f(x + z))", "k(f(x + z))"),
            ("h(common_0)", "common_0 / common_1", "common_1"),
            ["f(x + z)", "k(common_0)"],
        ),
    ],
)
def test_what_is_in_common(texts, named, parts):
    assert parts_in_common(texts) == (
        named or texts,
        {f"common_{k}": p for k, p in enumerate(parts)},
    )


def test_what_reads_the_value_itself_comes_after_it():
    """In forward mode the value has no name yet where it is the line's own."""

    def of_soft_maxima(x, z):
        y = np.logaddexp(x, z)
        for _ in range(2):
            y = np.logaddexp(y, x)
            y = np.arctan2(y, y * z)
        return y

    moved = jvp(of_soft_maxima, (X, X[::-1]), (0.1 * X, X**2))[1]
    step = 1e-6
    ahead = of_soft_maxima(X * (1 + 0.1 * step), X[::-1] + step * X**2)
    behind = of_soft_maxima(X * (1 - 0.1 * step), X[::-1] - step * X**2)
    np.testing.assert_allclose(moved, (ahead - behind) / (2 * step), rtol=1e-6)
