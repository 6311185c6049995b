"""Objects that write to arrays where they are asked whether they are true: right, or refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tangentish import NotDifferentiable, grad

FACTORS = np.array([2.0, 3.0])


class Doubling:
    """Doubles an array where it is asked."""

    def __init__(self, a):
        self.a = a

    def __bool__(self):
        self.a[0] *= 2.0
        return True


def asserted(x):
    o = Doubling(FACTORS)
    s = np.sum(x * FACTORS) ** 2
    assert o
    return s * x[0]


def asserted_of_an_argument(x, p):
    o = Doubling(p)
    s = np.sum(x * p) ** 2
    assert o
    return s * x[0]


def asked_among_others(x):
    o = Doubling(FACTORS)
    s = np.sum(x * FACTORS) ** 2
    return s * x[0] if any([o]) else s


def asked_by_numpy(x):
    o = Doubling(FACTORS)
    s = np.sum(x * FACTORS) ** 2
    k = int(np.any(o))
    return s * x[0] * k


DOUBLING = Doubling(FACTORS)


def asked_in_vain(x):
    s = np.sum(x * FACTORS) ** 2
    k = np.any([DOUBLING])  # noqa: F841
    return s * x[0] + 0 * np.sum(x * FACTORS)


def asked_in_a_display(x):
    s = np.sum(x * FACTORS) ** 2
    k = np.logical_not(DOUBLING), np.all((DOUBLING, 1.0))
    return s * x[0] * FACTORS[0] / 8 + k[0]


@pytest.mark.parametrize(
    "f",
    [asked_among_others, asked_by_numpy, asked_in_vain, asked_in_a_display],
)
def test_arrays_that_an_object_writes_to(f: Any) -> None:
    FACTORS[:] = 2.0, 3.0
    gradient = grad(f)(np.array([0.7, 0.4]))
    s, ds = 2.6, np.array([2.0, 3.0])
    np.testing.assert_allclose(gradient, 2 * s * ds * 0.7 + np.array([s * s, 0.0]))


def asked_in_a_list(x):
    objects = [DOUBLING]
    s = np.sum(x * FACTORS) ** 2
    return s * x[0] * all(objects)


def asked_in_a_grown_list(x):
    objects = []
    for _ in x[:1]:
        objects.append(DOUBLING)
    s = np.sum(x * FACTORS) ** 2
    return s * x[0] * np.any(objects)


@pytest.mark.parametrize("f", [asked_in_a_list, asked_in_a_grown_list])
def test_objects_of_a_list_that_write(f: Any) -> None:
    with pytest.raises(NotDifferentiable, match="calls Doubling.__bool__, which changes something"):
        grad(f)(np.array([0.7, 0.4]))


@pytest.mark.parametrize(
    ("f", "args"), [(asserted, ()), (asserted_of_an_argument, (np.array([2.0, 3.0]),))]
)
def test_assertions_that_write(f: Any, args: Any) -> None:
    with pytest.raises(
        NotDifferentiable,
        match="calls Doubling.__bool__, which changes something|is used as a whole",
    ):
        grad(f)(np.array([0.7, 0.4]), *args)
