"""Class statements in helpers run hooks, which may write to arrays: what was read before is read as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import kept_in, named
from numeric import assert_close, numeric_gradient

from tangentish import grad

FACTORS = np.array([2.0, 3.0])
HELPERS: list[Callable[..., Any]] = []
helper = kept_in(HELPERS)


class Base:
    def __init_subclass__(cls):
        FACTORS[0] *= 2


class Named:
    def __set_name__(self, owner, name):
        FACTORS[0] *= 2


class Meta(type):
    def __new__(cls, name, bases, members):
        FACTORS[0] *= 2
        return super().__new__(cls, name, bases, members)


@helper
def by_a_base():
    class Made(Base):
        pass

    return 2.0


@helper
def by_a_member():
    class Made:
        member = Named()

    return 2.0


@helper
def by_a_metaclass():
    class Made(metaclass=Meta):
        pass

    return 2.0


@helper
def by_a_call():
    return type("Made", (Base,), {"scale": 2.0}).scale


@pytest.mark.parametrize("given", HELPERS, ids=named)
def test_hooks_that_write_to_an_array(given: Callable[..., Any]) -> None:
    def f(x):
        r = np.sum(x * FACTORS) ** 2
        k = given()
        return r * FACTORS[0] * k

    def anew(x):
        FACTORS[:] = 2.0, 3.0
        return f(x)

    x = np.array([0.7, 0.4])
    numeric = numeric_gradient(anew, (x,), 0, 1.0)
    FACTORS[:] = 2.0, 3.0
    assert_close(grad(f)(x), numeric, given.__name__)
