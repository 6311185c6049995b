"""Slices of lists without a derivative to which another number of elements is stored: what moves is put back as well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)


@form
def fewer_at_the_head(x):
    s = [2.0, 3.0, 4.0]
    z = np.sum(x) ** 2 * s[-1]
    s[:2] = [9.0]
    return z**2 * s[0] * np.sum(x)


@form
def one_more_inside(x):
    s = [2.0, 3.0, 4.0]
    z = np.sum(x) ** 2 * s[1]
    s[1:1] = [9.0]
    return z**2 * s[0] * np.sum(x)


@form
def counted_from_the_end(x):
    s = [2.0, 3.0, 4.0]
    z = np.sum(x) ** 2 * s[1] * s[2]
    s[-2:-1] = [9.0, 8.0, 7.0]
    return z**2 * s[1] * s[-2] * np.sum(x)


@form
def in_a_loop(x):
    s = [2.0, 3.0, 4.0]
    z = 1.0
    for i in range(2):
        z = z * s[0] * x[i] * s[-1]
        s[:2] = [5.0 + i]
        s.append(3.0)
    return z * x[2]


@form
def shorter_on_each_trip(x):
    s = [2.0, 3.0, 4.0]
    z = 1.0
    for i in range(2):
        z = z * s[1] * x[i]
        s[:1] = []
    return z * x[2]


@form
def every_other(x):
    s = [2.0, 3.0, 4.0, 5.0]
    z = np.sum(x) ** 2 * s[0] * s[1]
    s[::2] = [7.0, 8.0]
    return z**2 * s[0] * s[1]


@form
def beyond_the_end(x):
    s = [2.0, 3.0, 4.0]
    z = np.sum(x) ** 2 * s[-1]
    s[5:] = [9.0]
    z = z**2 * s[-1] * x[1]
    s[10:20] = [8.0, 7.0]
    return z * s[-1] * s[3]


test_every_mode = each_right(FUNCTIONS, np.array([0.7, 0.4, 0.9]), np.array([0.3, -1.0, 0.4]))


def of_an_argument(x, s):
    z = np.sum(x) ** 2 * s[0]
    s[:1] = []
    return z**2 * s[0] * np.sum(x)


def test_a_list_that_is_given_is_left_as_it_was() -> None:
    given = [2.0, 3.0, 4.0]
    grad(of_an_argument)(np.array([0.7, 0.4]), given)
    assert given == [2.0, 3.0, 4.0]
