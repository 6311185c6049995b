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


@program
def of_a_number_with_a_dtype(x):
    n = np.full(3, max(len(x), 2.0), float)
    n[0] = x[0] * 5
    k = np.array([len(x) if len(x) > 2 else 1.5] * 3, dtype=float)
    k[0] = x[1]
    return np.sum(x * n * k)


@program
def of_integers_beside_floats(x):
    n = np.array([0, 0.5, 1])
    n[0] = x[0] * 5
    k = np.full(3, max(1.5, 2.0))
    k[1] = x[0] * max(len(x), 2.5)
    return np.sum(x * n * k)


@program
def only_computed_with(x):
    n = np.full(3, max(len(x), 2.0))
    best = 0
    for k in range(3):
        if k > 1:
            best = 0.5
    return np.sum(x * n * best) + np.sum(np.array([best] * 3) * x**2)


@refused("it is not known whether this array is one of floats")
def filled_by_the_larger(x):
    n = np.full(3, max(len(x), 2.0))
    n[0] = x[0] * 5
    return np.sum(x * n)


@refused("it is not known whether this array is one of floats")
def of_what_is_an_integer_on_one_way(x):
    n = np.array([len(x) if len(x) > 2 else 1.5] * 3)
    n[0] = x[0] * 5
    return np.sum(x * n)


@refused("it is not known whether this array is one of floats")
def an_array_of_integers_on_one_way(x):
    n = np.arange(3) if len(x) > 2 else x * 0
    n[0] = x[0] * 5
    return np.sum(x * n)


@program
def of_items_of_both(x):
    s = 0.0
    for v in (1, 2.5):
        n = np.full(3, v)
        n[0] = x[0] * 5
        s += np.sum(x * n)
    return s


@refused("it is not known whether this array is one of floats")
def a_range_times_the_larger(x):
    n = (np.arange(3) * abs(max(len(x), 2.0))).reshape(1, 3)[:, ::-1].copy()
    n[0, 0] = x[0] * 5
    return np.sum(x * n)


@refused("it is not known whether this array is one of floats")
def a_range_times_an_item(x):
    n = np.negative(np.arange(3) + (1, 2.5)[int(x[0] > 9)])
    n[0] = x[0] * 5
    return np.sum(x * n)


@refused("it is not known whether this array is one of floats")
def filled_by_a_sum_of_none(x):
    n = np.full(3, sum(v for v in (0.5, 0.25) if v > len(x)))
    n[0] = x[0] * 5
    return np.sum(x * n)


@refused("it is not known whether this array is one of floats")
def like_a_range_times_the_larger(x):
    return np.sum(x * np.full_like(np.arange(3) * max(len(x), 2.0), x[0] * 5))


@refused("it is not known whether this array is one of floats")
def filled_by_the_largest_or_none(x):
    n = np.full(3, max([len(x), 2.0], default=0))
    n[0] = x[0] * 5
    return np.sum(x * n)


EXPONENTS = [-2, 1]


@refused("it is not known whether this array is one of floats")
def filled_by_a_power(x):
    n = np.full(3, 2 ** len(EXPONENTS))
    n[0] = x[0] * 5
    return np.sum(x * n)


@refused("it is not known whether this array is one of floats")
def an_array_of_powers(x):
    n = np.array([2**k for k in range(-1, 2)])
    n[0] = x[0] * 5
    return np.sum(x * n)


@refused("it is not known whether this array is one of floats")
def computed_with_a_power(x):
    n = np.full(3, 3 * pow(2, EXPONENTS[0]) + 1)
    n[0] = x[0] * 5
    return np.sum(x * n)


@program
def squares_are_integers(x):
    n = np.full(3, EXPONENTS[0] ** 2 + 10**2)
    n[0] = x[0] * 5
    return np.sum(x * n)


@program
def powers_as_lengths(x):
    y = np.zeros(2 ** (len(x) - 1))
    for k in range(2 ** len(EXPONENTS)):
        y[k] = x[k % 3] * 2**k
    y[2**0] += x[2 ** EXPONENTS[1]]
    return np.sum(y**2) + np.sum(x * np.full(3, 2.0 ** EXPONENTS[0]))


@program
def floats_of_perhaps_integers(x):
    """What is divided, or met by floats that are known, is one of floats."""
    k = max(len(x), 2.0)
    s = sum([v for v in (0.5, 4.5) if v > len(x)])
    a, b, c = np.arange(3) * k / 2, np.arange(3) + k * 0.5, np.full(3, float(k))
    d, e = np.array([s, 0.5, k]), (np.arange(3) * s).astype(float)
    a[0] = b[1] = c[2] = d[0] = e[0] = x[0] * 5
    return np.sum(x * a * b * c * d * (e + 1) * np.full_like(x, k))


test_right = each_right(functions, X, X_DOT)
test_refused = each_refused(refusals, X)
