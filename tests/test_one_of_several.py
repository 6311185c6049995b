"""Python's max and min give one of what they get, as it is: an array of one element among numbers, another's memory."""

from __future__ import annotations

import numpy as np
from device_array import to_device, to_host
from every_mode import Function, each_refused, each_right, kept_in, refused_in
from numeric import numeric_gradient

from tangentish import grad

RIGHT: list[Function] = []
REFUSALS: list[tuple[Function, str]] = []
right, refused = kept_in(RIGHT), refused_in(REFUSALS)
SHARED = "may share memory and one of them is written to"
X = np.array([0.4, 1.3])


@right
def array_below_an_integer(x):
    return np.sum(min(1, x[:1]) * x)


@right
def matrix_above_an_integer(x):
    return np.sum(max(0, x[:1].reshape(1, 1)) * x)


@right
def array_of_no_axes_below_an_integer(x):
    first = x[:1].reshape(())
    return min(1, first) * first + min(2, first, x[1])


@right
def larger_of_two_arrays(x):
    return np.sum(max(x[:1], x[1:]) * x)


@right
def changed_otherwise_than_in_place(x):
    a = x[:1].copy()
    b = min(a, x[1:])
    b = b * 2
    return np.sum(a * b)


@refused(SHARED)
def smaller_is_written_to(x):
    a, c = x[:1].copy(), x[1:] * 2
    b = min(a, c)
    b *= 2
    return np.sum(a * c)


@refused(SHARED)
def one_of_both_changes_later(x):
    a = x[:1] * 3
    b = min(9, a)
    a[0] = 1.0
    return np.sum(b * b * x[1])


@refused("write a loop that compares two at a time")
def numbers_and_an_array_in_a_list(x):
    return np.sum(max([0, x[:1], x[1] ** 2]) * x)


test_right = each_right(RIGHT, X, np.array([0.3, -0.5]))
test_refused = each_refused(REFUSALS, X)


def capped(x):
    low = min(x)
    return np.sum(x * x) * min(1, low) * max(0, x[0] - low, x[1] - low)


def lowest_raised(x):
    low = min(x)
    low += 1.0
    return np.sum(x * x) * low


def test_elements_on_a_device() -> None:
    """There they are arrays of no axes, and views."""

    def device(x):
        return to_host(capped(to_device(x)))

    for x in (X, 3 + X, -X):
        truth = numeric_gradient(device, (x,), 0, 1.0)
        np.testing.assert_allclose(to_host(grad(capped)(to_device(x))), truth, rtol=1e-6)


test_views_on_a_device = each_refused([(lowest_raised, SHARED)], to_device(X))
