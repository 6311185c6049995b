"""Methods are looked up at every call, as Python does: classes that change, objects that hide a method."""

from __future__ import annotations

import functools
import types

import numpy as np
import pytest

from tangentish import NotDifferentiable, grad, hvp, jvp

X = np.array([0.7, 1.3])


def spring():
    """A class of its own for each test, and an object of it."""

    class Body:
        def __init__(self, stiffness):
            self.stiffness = stiffness

        def energy(self, t):
            return self.stiffness * t**2

        def __call__(self, t):
            return self.stiffness * t**2

        @property
        def scale(self):
            return 2.0 * self.stiffness

    class Spring(Body):
        def energy(self, t):
            return super().energy(t) * 1.0

    return Body, Spring, Spring(2.0)


def of_an_argument(x, o):
    return np.sum(o.energy(x))


def test_methods_that_are_replaced() -> None:
    body, derived, outside = spring()

    def by_name(x):
        return np.sum(outside.energy(x))

    def called(x):
        return np.sum(outside(x))

    def by_property(x, o):
        return np.sum(o.scale * x)

    for _ in range(2):
        np.testing.assert_allclose(grad(by_name)(X), 4 * X)
        np.testing.assert_allclose(grad(of_an_argument)(X, outside), 4 * X)
        np.testing.assert_allclose(grad(called)(X), 4 * X)
        np.testing.assert_allclose(grad(by_property)(X, outside), [4.0, 4.0])
    body.energy = lambda self, t: self.stiffness * t  # further up
    np.testing.assert_allclose(grad(by_name)(X), [2.0, 2.0])
    np.testing.assert_allclose(grad(of_an_argument)(X, outside), [2.0, 2.0])
    derived.energy = lambda self, t: self.stiffness * t**3
    np.testing.assert_allclose(grad(by_name)(X), 6 * X**2)
    np.testing.assert_allclose(jvp(of_an_argument, (X, outside), (X, None))[1], np.sum(6 * X**3))
    np.testing.assert_allclose(hvp(by_name)(X, X), 12 * X**2)
    derived.__call__ = lambda self, t: np.sin(t)
    np.testing.assert_allclose(grad(called)(X), np.cos(X))
    body.scale = property(lambda self: 5.0)
    np.testing.assert_allclose(grad(by_property)(X, outside), [5.0, 5.0])


def test_initialisers_that_are_replaced() -> None:
    body, _, _ = spring()

    def made(x):
        return np.sum(body(x[0]).energy(x))

    np.testing.assert_allclose(grad(made)(X), 2 * X[0] * X + [X @ X, 0])

    def initialised(self, stiffness):
        self.stiffness = 3.0 * stiffness

    body.__init__ = initialised
    np.testing.assert_allclose(grad(made)(X), 6 * X[0] * X + [3 * X @ X, 0])


@pytest.mark.parametrize("before", [True, False])
def test_an_object_that_hides_a_method(before: bool) -> None:
    """What it holds is not known beforehand: the method of the class is not what is called."""
    _, _, outside = spring()

    def by_name(x):
        return np.sum(outside.energy(x))

    def of_a_module(x):
        return np.sum(shelf.outside.energy(x))

    shelf = types.ModuleType("shelf")
    shelf.outside = outside
    np.testing.assert_allclose(grad(of_a_module)(X) if not before else 4 * X, 4 * X)
    derivative = grad(by_name)
    if not before:
        np.testing.assert_allclose(derivative(X), 4 * X)
    outside.energy = lambda t: 7 * t
    with pytest.raises(NotDifferentiable, match=r"outside\.energy"):
        derivative(X)
    with pytest.raises(NotDifferentiable, match=r"shelf\.outside\.energy"):
        grad(of_a_module)(X)
    np.testing.assert_allclose(grad(of_an_argument)(X, outside), [7.0, 7.0])
    del outside.energy
    np.testing.assert_allclose(derivative(X), 4 * X)


def test_defaults_of_what_a_partial_holds_are_set_anew() -> None:
    """A partial of the module has the defaults that its function has when it is called."""

    def scaled(v, power=1, *, m=1.0):
        return m * v**power

    part = functools.partial(scaled)

    def f(x):
        return part(x) * x

    gradient = grad(f)
    assert gradient(0.3) == pytest.approx(0.6)
    scaled.__kwdefaults__ = {"m": 0.5}
    assert gradient(0.3) == pytest.approx(0.3)
    scaled.__defaults__ = (2,)
    assert gradient(0.3) == pytest.approx(0.5 * 3 * 0.09)
    assert grad(part)(0.3) == pytest.approx(0.3)
    scaled.__kwdefaults__ = {"m": 2.0}
    assert grad(part)(0.3) == pytest.approx(1.2)
