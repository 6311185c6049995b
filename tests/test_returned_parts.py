"""Functions that bind an entry, an attribute or an outer variable anew and return it: what comes back is the new array,
not the one that the caller gave. Right, or refused where that array is written to under one of its names.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numeric import numeric_gradient

from tangentish import NotDifferentiable, grad, value_and_grad


class Sum:
    def __init__(self, value):
        self.value = value

    def add(self, t):
        self.value = self.value + t
        return self.value


def add_to(d, t):
    d["value"] = d["value"] + t
    return d["value"]


def first_added_to(d, t):
    d["value"] = d["value"] + t
    return d["value"][:1]


def entry_is_written_to(x):
    d = {"value": x[:2] * 1.0}
    a = add_to(d, x[:2])
    d["value"][0] = 5.0
    b = add_to(d, x[1:])
    b *= 2
    return np.sum(a * b) * np.sum(d["value"])


def attribute_is_written_to(x):
    d = Sum(x[:2] * 1.0)
    a = d.add(x[:2])
    d.value[0] = 5.0
    b = d.add(x[1:])
    b *= 2
    return np.sum(a * b) * np.sum(d.value)


def result_is_written_to(x):
    d = {"value": x[:2] * 1.0}
    a = add_to(d, x[:2])
    a[0] = 5.0
    return np.sum(a) * np.sum(d["value"] * x[1:])


def part_is_written_to(x):
    d = {"value": x[:2] * 1.0}
    a = first_added_to(d, x[:2])
    a[0] = 5.0
    return np.sum(a) * np.sum(d["value"] * x[1:])


def outer_variable_is_written_to(x):
    total = x[:2] * 1.0

    def add(t):
        nonlocal total
        total = total + t
        return total

    a = add(x[:2])
    s = np.sum(a * x[1:])
    total[1] = x[0] * 2
    return np.sum(a) * np.sum(total * x[1:]) * s


def outer_variable_in_place(x):
    total = np.zeros(2)

    def add(t):
        nonlocal total
        total += t
        return total

    a = add(x[:2])
    b = add(x[1:])
    return np.sum(a * b) * np.sum(total)


def outer_variable_is_read(x):
    total = x[:2] * 1.0

    def add(t):
        nonlocal total
        total = total + t
        return total

    a = add(x[:2])
    b = add(x[1:])
    return np.sum(a * b) * np.sum(total)


def attribute_is_read(x):
    d = Sum(x[:2] * 1.0)
    a = d.add(x[:2])
    b = d.add(x[1:])
    return np.sum(a * b) * np.sum(d.value)


WRITTEN = [
    entry_is_written_to, attribute_is_written_to, result_is_written_to, part_is_written_to,
    outer_variable_is_written_to,
]  # fmt: skip
READ = [outer_variable_in_place, outer_variable_is_read, attribute_is_read]

X = np.array([0.3, 0.7, -1.2])


@pytest.mark.parametrize("f", READ, ids=lambda f: f.__name__)
def test_what_is_read_is_right(f: Any) -> None:
    value, gradient = value_and_grad(f)(X)
    assert value == pytest.approx(f(X))
    np.testing.assert_allclose(gradient, numeric_gradient(f, (X,), 0, 1.0), rtol=1e-6)


@pytest.mark.parametrize("f", WRITTEN, ids=lambda f: f.__name__)
def test_what_is_written_to_is_refused(f: Any) -> None:
    with pytest.raises(NotDifferentiable, match="may share memory"):
        grad(f)(X)
