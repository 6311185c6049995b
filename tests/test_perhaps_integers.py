"""Stores into arrays that may be ones of integers, which cut off what they are given: their type is known, or they are refused."""

from __future__ import annotations

import json

import numpy as np
from every_mode import Function, each_refused, each_right, kept_in, refused_in

functions: list[Function] = []
program = kept_in(functions)
refusals: list[tuple[Function, str]] = []
refused = refused_in(refusals)

X, X_DOT = np.array([0.72, 1.32, 0.41]), np.array([0.3, -0.7, 1.1])
PLACES = range(3)


def read():
    return json.loads("[1, 2, 3]")


@program
def stored_to_a_range(x):
    n = np.array(range(3))
    n[0] = x[0] * 5
    return np.sum(x * n)


@program
def filled_range(x):
    n = np.asarray(PLACES)
    n.fill(x[0] * 5)
    return np.sum(x * n) + np.sum(x * np.full_like(n, x[1] * 7))


@program
def range_divided(x):
    n = np.array(PLACES)
    n[1] += x[1] * 3
    return np.sum(x * (n / 2)) + np.sum(x[n % 3])


@program
def read_as_floats(x):
    n = np.array(read(), dtype=float)
    n[0] = x[0] * 5
    return np.sum(x * n)


@refused("it is not known whether this array is one of floats")
def stored_to_what_is_read(x):
    n = np.array(read())
    n[0] = x[0] * 5
    return np.sum(x * n)


@refused("it is not known whether this array is one of floats")
def like_what_is_read(x):
    n = np.array(read())
    return np.sum(x * np.full_like(n, x[0] * 5))


test_right = each_right(functions, X, X_DOT)
test_refused = each_refused(refusals, X)
