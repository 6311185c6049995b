"""Means that cancel in sums of squares of centred values have no gradient in the text; those that do not have one.

Every function is right either way: against numeric derivatives, in both modes, and its second derivative.
"""

from __future__ import annotations

import re

import numpy as np
import pytest
from corpus import values
from every_mode import Function, check_in_every_mode, kept_in

from tangentish import grad

CANCELS: list[Function] = []
STAYS: list[Function] = []
cancels, stays = kept_in(CANCELS), kept_in(STAYS)


@cancels
def by_columns(x):
    d = x - np.mean(x, axis=0)
    return np.sum(d**2)


@cancels
def by_rows(x):
    d = x - x.mean(axis=1, keepdims=True)
    return np.sum(np.sum(d * d, axis=1) ** 1.5)


@cancels
def in_one_line(x):
    return np.sqrt(np.sum((x - np.mean(x)) ** 2)) + np.sum(np.square(x - x.mean(0)))


@cancels
def covariance(x):
    d = x - x.mean(axis=0)
    c = d.T @ d / (d.shape[0] - 1)
    return np.sum(np.exp(c))


@cancels
def of_two(x):
    a, b = x[0], x[1] ** 2
    u = a - np.mean(a)
    v = b - b.mean()
    return (u @ v) / np.sqrt(np.sum(u**2) * np.dot(v, v))


@cancels
def in_a_loop(x):
    total = 0.0
    for k in range(3):
        row = x[k] * x[k - 1]
        d = row - np.mean(row)
        total += np.sum(d**2) ** 2 / len(d)
    return total


@cancels
def of_rows_by_rows(x):
    d = x - np.mean(x, axis=-1, keepdims=True)
    return np.sum((d @ d.T) ** 3)


@cancels
def with_a_name(x):
    mean = np.mean(x, axis=0)
    z = np.sum(x)
    d = x - mean
    return np.sum(d**2) * z


@cancels
def with_names_in_a_loop(x):
    total = 0.0
    for k in range(3):
        row = x[k] * x[k - 1]
        m = row.mean()
        total += np.sum((row - m) ** 2) ** 2
    return total


@stays
def with_a_name_read_twice(x):
    m = np.mean(x)
    d = x - m
    return np.sum(d**2) * m


@stays
def with_a_name_read_twice_alike(x):
    m = np.mean(x)
    return np.sum((x - m) ** 2) + np.sum((x - m) ** 3)


@stays
def of_what_was_there_before(x):
    m = np.mean(x)
    x = x**2
    d = x - m
    return np.sum(d**2)


@stays
def of_what_changed_since(x):
    z = x**2
    v = z[0]
    m = np.mean(z)
    v += 1.0
    d = z - m
    return np.sum(d**2)


@stays
def of_the_trip_before(x):
    m, s = np.mean(x), 0.0
    for k in range(2):
        z = x * (k + 1)
        d = z - m
        s += np.sum(d**2)
        m = np.mean(z)
    return s


@stays
def of_the_trip_before_by_one_line(x):
    s, z = 0.0, x
    for k in range(3):
        if k > 0:
            d = z - m  # noqa: F821
            s += np.sum(d**2)
        z = x ** (k + 1)
        m = np.mean(z)
        z = z + x
    return s


@stays
def along_the_other_axis(x):
    d = x - np.mean(x, axis=0)
    return np.sum(np.sum(d**2, axis=1) ** 2)


@stays
def of_a_square_by_rows(x):
    s = x @ x.T
    d = s - np.mean(s, axis=1)
    return np.sum(d**2)


@stays
def of_all_by_a_column(x):
    d = x - np.mean(x)
    return np.sum(np.sum(d**2, axis=0) ** 2)


@stays
def returned_as_well(x):
    d = x - np.mean(x, axis=0)
    return np.sum(d**2) * d[0, 0]


@stays
def weighed(x):
    d = x - np.mean(x, axis=0)
    return np.sum(x * d**2) + np.sum(d**2)


@stays
def changed(x):
    d = x - np.mean(x, axis=0)
    d[0] = x[1]
    return np.sum(d**2)


@stays
def changed_as_a_whole(x):
    d = x - np.mean(x, axis=0)
    d += x**2
    return np.sum(d**2)


@stays
def changed_by_a_view(x):
    d = x - np.mean(x, axis=0)
    w = d[0]
    w += 1.0
    return np.sum(d**2)


def raised(d):
    d[0] += 1.0
    return 2.0


@stays
def changed_by_a_callee(x):
    d = x - np.mean(x, axis=0)
    n = raised(d)
    return np.sum(d**2) * n


@stays
def of_another(x):
    z = x**2
    d = x - np.mean(z, axis=0)
    return np.sum(d**2)


@stays
def of_itself_before(x):
    z = x * 1.0
    m = np.mean(z, axis=0)
    z[0] = 2.0
    return np.sum((z - m) ** 2)


@stays
def with_what_is_not_centred(x):
    d = x - np.mean(x, axis=0)
    e = np.cumsum(x, axis=0)
    return np.sum(d * e) + np.sum(d.T @ e)


@stays
def of_some(x):
    d = x - np.mean(x, axis=0)
    return np.sum(d**2, where=x > 0)


@stays
def cubed(x):
    d = x - np.mean(x)
    return np.sum(d**3)


@stays
def captured(x):
    d = x - np.mean(x)

    def times(y):
        return y * d[0, 0]

    return np.sum(d**2) * times(x[0, 1])


@stays
def in_one_branch(x):
    d = x - np.mean(x, axis=0) if x[0, 0] > 10 else x * np.mean(x, axis=0)
    return np.sum(d**2)


@stays
def bound_again(x):
    d = x * 2.0
    if x[0, 0] < 10:
        d = x - np.mean(x, axis=0)
    return np.sum(d**2) + np.sum(d)


@stays
def in_a_list(x):
    parts = [x - np.mean(x)]
    parts[0] *= x
    return np.sum(parts[0] ** 2)


X = values(5, 3, 4)


def shares_of_a_mean(function: Function) -> bool:
    """Whether the way back divides by the lengths of what a mean was taken of."""
    _, adjoint = grad(function).source(X).split("# ", 1)
    return re.search(r"/ \w+\.(size|shape)\b", adjoint) is not None


@pytest.mark.parametrize("function", CANCELS, ids=lambda f: f.__name__)
def test_the_mean_has_no_gradient(function):
    assert not shares_of_a_mean(function)


@pytest.mark.parametrize("function", STAYS, ids=lambda f: f.__name__)
def test_the_mean_keeps_its_gradient(function):
    assert shares_of_a_mean(function)


@pytest.mark.parametrize("function", [*CANCELS, *STAYS], ids=lambda f: f.__name__)
def test_right_in_every_mode(function):
    check_in_every_mode(function, X, values(6, 3, 4))


def test_a_gradient_that_is_asked_for_stays():
    def squares(x):
        d = x - np.mean(x)
        return np.sum(d**2)

    np.testing.assert_allclose(grad(squares, wrt="d")(X), 2 * (X - np.mean(X)))
