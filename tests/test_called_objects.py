"""Objects that can be called, of classes that are no plain functions: those whose attributes may be anything, too.

What a method changes is read as it was, or the program is refused; and nothing asks an object more often than Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import after, kept_in
from numeric import numeric_gradient

from tangentish import NotDifferentiable, adjoint, grad, hvp, jvp, value_and_grad

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[Callable[..., Any]] = []
right, refused = kept_in(RIGHT), kept_in(REFUSED)

X, V = np.array([0.7, 0.4, 0.9, 0.55]), np.array([1.0, -2.0, 0.5, 0.3])


class Module:
    """Holds parameters in a dict, and finds them by name."""

    def __init__(self):
        self.__dict__["parameters"] = {"k": 2.0, "calls": 1}

    def __getattr__(self, name):
        return self.parameters[name]

    def __setattr__(self, name, value):
        self.parameters[name] = value

    def __call__(self, x):
        return x * self.k

    def grow(self):
        self.k = self.k * 2


class Layer:
    def __init__(self):
        self.w = np.array([1.0, 2.0, 3.0, 4.0])
        self.k = 2.0

    def __call__(self, x):
        return x * self.w * self.k

    def grow(self):
        self.k = self.k + 1


class Wrapper:
    """Has what another has."""

    def __init__(self, inner):
        self.inner = inner
        self.n = 1

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def __call__(self, x):
        return self.inner(x) * self.n

    def tick(self):
        self.n += 1


class Recorder:
    def __init__(self):
        self.seen = 0.0

    def __getattr__(self, name):
        raise AttributeError(name)

    def __call__(self, x):
        return 0.0

    def __contains__(self, v):
        self.seen = v
        return True

    def __eq__(self, other):
        self.seen = other
        return True


class Items(list):
    def __call__(self, x):
        return x * self[0]


class Entries(dict):
    def __call__(self, x):
        return x * self["k"]


class Other:
    """Has another method than its class under a name."""

    def __getattribute__(self, name):
        return object.__getattribute__(self, "other" if name == "method" else name)

    def __call__(self, x):
        return x * 2.0

    def method(self, x):
        return x

    def other(self, x):
        return x * x


class Counting:
    """Counts how often anything is asked of it that it does not have."""

    def __init__(self):
        self.asked = []

    def __getattr__(self, name):
        self.__dict__["asked"].append(name)
        raise AttributeError(name)

    def __call__(self, x):
        return x * 2.0


MODULE, LAYER, RECORDER, ITEMS, ENTRIES = (
    Module(),
    Layer(),
    Recorder(),
    Items([3.0]),
    Entries(k=3.0),
)
WRAPPER, OTHER = Wrapper(LAYER), Other()


def reset():
    MODULE.parameters.update(k=2.0)
    WRAPPER.n, LAYER.k, RECORDER.seen = 1, 2.0, 0.0


@right
def called(x):
    return np.sum(MODULE(x) * MODULE(x) * x)


@right
def grown_between(x):
    y = x * x * MODULE.k
    MODULE.grow()
    return np.sum(y * x)


@right
def read_after(x):
    y = x * x * WRAPPER.n
    WRAPPER.tick()
    return np.sum(y) + x[0] * WRAPPER.n


@right
def read_through(x):
    y = x * x * WRAPPER.k
    WRAPPER.inner.grow()
    return np.sum(y) + x[0] * x[1] * WRAPPER.k


@right
def in_a_loop(x):
    s = x[3] * 2.0
    for k in range(3):
        s = s * s * WRAPPER.n + x[k] * WRAPPER.n
        WRAPPER.tick()
    return s


@right
def called_in_a_loop(x):
    s = 0.0
    for k in range(3):
        s = s + np.sum(MODULE(x * x)) * x[k]
    return s


@right
def of_a_list(x):
    return np.sum(ITEMS(x) * x)


@right
def of_a_dict(x):
    return np.sum(ENTRIES(x) * x)


@right
def of_a_class_that_finds_all_itself(x):
    return np.sum(OTHER(x) * x)


@refused
def contained(x):
    x[0] in RECORDER  # noqa: B015
    return RECORDER.seen * x[1]


@refused
def compared(x):
    RECORDER == x[0]  # noqa: B015
    return RECORDER.seen * x[1]


@refused
def by_another_method(x):
    return np.sum(OTHER.method(x) * x)


@pytest.mark.parametrize("f", RIGHT, ids=lambda f: f.__name__)
def test_what_was_there_is_read(f: Any) -> None:
    expected = numeric_gradient(after(reset, f), (X,), 0, 1.0)
    reset()
    value, got = value_and_grad(f)(X)
    assert value == pytest.approx(after(reset, f)(X))
    np.testing.assert_allclose(got, expected, rtol=1e-6)
    reset()
    np.testing.assert_allclose(jvp(f, (X,), (V,))[1], expected @ V, rtol=1e-6)


@pytest.mark.parametrize("f", RIGHT, ids=lambda f: f.__name__)
def test_second_derivatives(f: Any) -> None:
    def slopes(x):
        reset()
        return grad(f)(x)

    along = numeric_gradient(lambda t: slopes(X + t * V), (0.0,), 0, np.ones(4))
    reset()
    np.testing.assert_allclose(np.sum(hvp(f)(X, V)), along, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("f", REFUSED, ids=lambda f: f.__name__)
def test_what_is_not_followed_is_refused(f: Any) -> None:
    reset()
    with pytest.raises(NotDifferentiable):
        grad(f)(X)


def test_objects_are_asked_for_nothing_when_a_gradient_is_written() -> None:
    o = Counting()

    def f(x):
        return np.sum(o(x) * x)

    np.testing.assert_allclose(grad(f)(X), 4.0 * X)
    assert o.asked == []


@pytest.mark.parametrize("cls", [Layer, Counting])
def test_rules_of_objects(cls: Any) -> None:
    o = cls()

    @adjoint(o)
    def slope(dy, y, x):
        return dy * 7.0

    np.testing.assert_allclose(grad(lambda x: np.sum(o(x)))(X), np.full(4, 7.0))
