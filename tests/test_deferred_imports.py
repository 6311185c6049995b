"""Objects of the module that pass for a class, as deferred imports do: they hand every question on."""

from __future__ import annotations

from typing import Any

import numpy as np
from every_mode import each_right, kept_in


class Real:
    pass


class Deferred:
    def __init__(self, cls):
        self._cls = cls

    def __getattribute__(self, attr):
        cls = object.__getattribute__(self, "_cls")
        return cls if attr == "_cls" else getattr(cls, attr)


LATER = Deferred(Real)
FUNCTIONS: list[Any] = []


class Substance:
    def __init__(self, mass):
        self.mass = mass


@kept_in(FUNCTIONS)
def object_beside_it(x):
    return Substance(x[0] * x[1]).mass ** 2


def weight(x, kind):
    if kind is LATER:
        return x[0]
    return Substance(x[0] * x[1]).mass ** 2


@kept_in(FUNCTIONS)
def asked_for_it(x):
    return weight(x, Real) + weight(x, LATER)


test_in_every_mode = each_right(FUNCTIONS, np.array([0.7, 1.3]), np.array([0.3, -1.1]))
