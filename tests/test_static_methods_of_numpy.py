"""Functions of NumPy as static methods of a class: a backend that is asked for them through an object of the module."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

from tangentish import grad

RIGHT: list[Callable[..., Any]] = []
X, X_DOT = np.array([0.7, 1.3, 0.4, 0.9]), np.array([1.0, -2.0, 0.5, 0.3])


class Backend:
    total = staticmethod(np.sum)
    context = staticmethod(lambda x: {"dtype": x.dtype})


for name in ("reshape", "exp", "moveaxis"):
    setattr(Backend, name, staticmethod(getattr(np, name)))
backend: Any = Backend()


def dispatched(name: str) -> Callable[..., Any]:
    def inner(*args, **kwargs):
        return getattr(backend, name)(*args, **kwargs)

    inner.__module__, inner.__name__, inner.__qualname__ = "numpy", name, name
    inner.__wrapped__ = getattr(np, name)  # type: ignore[attr-defined]
    return inner


reshape, exp = dispatched("reshape"), dispatched("exp")


class Model:
    mean = staticmethod(np.mean)

    def __init__(self, x):
        self.x = x

    def centred(self):
        return self.x - self.mean(self.x)


@kept_in(RIGHT)
def of_an_object_of_the_module(x):
    y = backend.reshape(x, (2, -1))
    z = backend.moveaxis(y, 0, 1) * backend.exp(y)
    return backend.total(z[1] ** 2)


@kept_in(RIGHT)
def of_an_object_that_varies(x):
    return np.sum(Model(x).centred() ** 3)


@kept_in(RIGHT)
def by_functions_that_look_like_those_of_numpy(x):
    return np.sum(reshape(exp(x), (2, 2))[1] ** 2)


test_right = each_right(RIGHT, X, X_DOT)


def test_another_function_later() -> None:
    gradient = grad(lambda x: np.sum(backend.exp(x)))
    np.testing.assert_allclose(gradient(X), np.exp(X))
    Backend.exp = staticmethod(np.sin)  # type: ignore[attr-defined]
    try:
        np.testing.assert_allclose(gradient(X), np.cos(X))
    finally:
        Backend.exp = staticmethod(np.exp)  # type: ignore[attr-defined]
