"""What may be an array or a list, handed on from function to function: its memory is that of the argument it comes from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tangentish import NotDifferentiable, check_grad

X = np.array([0.7, 1.3, 0.4, 1.9])


def either(x, n):
    if n > 3:
        return x
    return [1.0, 2.0]


def given_back(a, b):
    return a


def stored_to(a, v):
    a[0] = v


def handed_on(n, m, k, x):
    z = given_back(either(x, n), m)
    return np.sum(x) * np.sum(x * k) + len(z)


def handed_on_and_read(n, m, k, x):
    z = given_back(either(x * 2, n), m)
    return np.sum(x) * z[0] * k


def handed_on_and_stored_to(n, m, k, x):
    y = x * k
    stored_to(given_back(either(y, n), m), x[1] ** 2)
    return np.sum(y)


def chosen_here(n, m, k, x):
    z = [1.0, [2.0]]
    if n > 3:
        z = x
    w = given_back(z, m)
    return np.sum(x * k) + len(w)


def chosen_among_constants(n, m, k, x):
    z = given_back(np.zeros(3) if n > 3 else [1.0, [2.0]], m)
    return np.sum(x * k) + len(given_back(z, 1.0))


@pytest.mark.parametrize("n", [2, 4])
@pytest.mark.parametrize(
    "f",
    [handed_on, handed_on_and_read, handed_on_and_stored_to, chosen_here, chosen_among_constants],
)
def test_right_or_refused(f: Any, n: int) -> None:
    try:
        check_grad(f, n, 1, 2.0, X)
    except NotDifferentiable:
        assert f not in (handed_on, chosen_among_constants)
