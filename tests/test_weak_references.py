"""Objects of the module that hold weak references, whose objects may be gone: they are asked for nothing."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from tangentish import grad, jvp


class Scale:
    def __init__(self) -> None:
        self.by = 3.0

    def scaled(self, x: Any) -> Any:
        return x * self.by


class Observer:
    """Looks at an object that is gone by now."""

    def __init__(self) -> None:
        self.seen = weakref.proxy(Scale())
        self.others = [self.seen]


OBSERVER = Observer()
SCALE = Scale()
GONE = weakref.proxy(Scale())


def scaled_twice(x: Any) -> Any:
    return np.sum(SCALE.scaled(SCALE.scaled(x)) * x)


def by_a_method_of_an_argument(x: Any, o: Any) -> Any:
    return np.sum(o.scaled(x) * x)


def test_beside_objects_that_are_gone() -> None:
    x = np.array([0.5, -2.0])
    np.testing.assert_allclose(grad(scaled_twice)(x), 18.0 * x)
    np.testing.assert_allclose(grad(by_a_method_of_an_argument)(x, SCALE), 6.0 * x)
    np.testing.assert_allclose(jvp(scaled_twice, (x,), (np.ones(2),))[1], 18.0 * np.sum(x))
