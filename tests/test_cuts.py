"""`stop_gradient`, and gradients with respect to a local variable."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from test_refusals import function_of

import tangentish
from tangentish import (
    NotDifferentiable,
    differentiate,
    grad,
    jacobian,
    jvp,
    stop_gradient,
    value_and_grad,
    vjp,
)

X = np.array([1.0, 2.0, 3.0])


# ------------------------------------------------------------------------------ stop_gradient


def detached(x):
    u = stop_gradient(x * x)
    z = u * x
    return z


def test_the_value_is_the_value() -> None:
    assert stop_gradient(X) is X
    np.testing.assert_array_equal(detached(X), X**3)
    np.testing.assert_array_equal(value_and_grad(detached)(X)[0], X**3)


def test_nothing_flows_back() -> None:
    np.testing.assert_array_equal(grad(detached)(X), X * X)
    assert grad(detached)(2.0) == 4.0
    np.testing.assert_array_equal(vjp(detached, X)[1](2 * np.ones(3))[0], 2 * X * X)
    np.testing.assert_array_equal(jvp(detached, (X,), (np.ones(3),))[1], X * X)
    np.testing.assert_array_equal(np.diag(jacobian(detached)(X)), X * X)
    np.testing.assert_array_equal(grad(grad(detached))(X), np.zeros(3))


def test_the_cut_is_seen_in_the_source() -> None:
    assert "    # u = stop_gradient(x * x): nothing flows back\n" in grad(detached).source(X)

    def all_cut(x):
        y = tangentish.stop_gradient(x) * 2
        return y

    source = grad(all_cut).source(X)
    assert "# y = tangentish.stop_gradient(x) * 2: nothing flows back" in source
    np.testing.assert_array_equal(grad(all_cut)(X), np.zeros(3))


def test_cuts_in_loops_branches_and_expressions() -> None:
    def power(x):
        for i in range(3):
            x = x * stop_gradient(x) if i < 2 else stop_gradient(x) * 2 + x
        return np.sum(x)

    np.testing.assert_allclose(grad(power)(X), X**3)

    def several(x):
        a, b = stop_gradient((x, 2 * x))
        return np.sum(a * b * x)

    np.testing.assert_allclose(grad(several)(X), 2 * X * X)

    def helper(x):
        return stop_gradient(x) + x

    def called(x):
        return np.sum(helper(x * x) * stop_gradient(np.sum(x)))

    np.testing.assert_allclose(grad(called)(X), 2 * X * 6)


@pytest.mark.parametrize("written", ["y[0] = x[1]", "u[0] = 1.0", "y *= 3"])
def test_shared_memory_is_refused_where_it_counts(written: str) -> None:
    f = function_of(
        f"def f(x):\n    y = x * 2\n    u = cut(y)\n    {written}\n    return np.sum(u * y)\n",
        cut=stop_gradient,
    )
    with pytest.raises(NotDifferentiable, match="make one of them a copy"):
        grad(f)(X)


# ------------------------------------------------------------------------------ local variables


def cut_at_u(x, y):
    u = x * y
    z = 5 * u - x
    return z


def test_an_intermediate_value_is_independent() -> None:
    gradient = grad(cut_at_u, wrt=("x", "u", "y"))
    assert gradient(2.0, 3.0) == (-1.0, 5.0, 0.0)
    for found, expected in zip(gradient(X, X), (-1.0, 5.0, 0.0)):
        np.testing.assert_array_equal(found, np.full(3, expected))
    assert value_and_grad(cut_at_u, wrt="u")(2.0, 3.0) == (28.0, 5.0)
    assert differentiate(wrt="u")(cut_at_u).grad(2.0, 3.0) == 5.0
    assert "# u = x * y: nothing flows back" in gradient.source(X, X)
    assert repr(gradient) == "<cut_at_u.grad with respect to x, u, y>"


def helper(x):
    return np.sin(x) * x


def test_locals_of_every_sort() -> None:
    def several(x):
        h = helper(x)
        a = np.sum(h * h)
        return a * h

    h = helper(X)
    dh, da, dx = grad(several, wrt=("h", "a", "x"))(X)
    np.testing.assert_allclose(dh, np.full(3, np.sum(h * h)))
    np.testing.assert_allclose(da, np.sum(h))
    np.testing.assert_array_equal(dx, np.zeros(3))

    def conditional(x):
        h = np.tanh(x) if np.sum(x) > 0 else x * 2
        h[0] = 1.0
        for _ in range(2):
            x = x * h
        return np.sum(x)

    h = np.tanh(X)
    dh, dx = grad(conditional, wrt=("h", "x"))(X)
    np.testing.assert_allclose(dh, [0.0, 2 * 2 * h[1], 3 * 2 * h[2]])
    np.testing.assert_allclose(dx, [1.0, h[1] ** 2, h[2] ** 2])

    def of_constants(x):
        weights = np.ones(3)
        return np.sum(x * weights)

    np.testing.assert_array_equal(grad(of_constants, wrt="weights")(X), X)

    def unused(x):
        u = 2 * x
        return x

    np.testing.assert_array_equal(grad(unused, wrt="u")(X), np.zeros(3))

    def captured(x):
        u = x * x

        def inner(v):
            return u * v

        return np.sum(inner(x))

    du, dx = grad(captured, wrt=("u", "x"))(X)
    np.testing.assert_array_equal(du, X)
    np.testing.assert_array_equal(dx, X * X)


def test_a_gradient_of_an_intermediate_value_is_its_own() -> None:
    def f(x):
        u = x + 0
        return np.sum(u) + 0 * u[0]

    first = grad(f, wrt="u")(X.astype(np.float32))
    assert first.dtype == np.float32 and first.flags.owndata


REFUSED = [
    ("u = x * 2\n    u = u * 3\n    return u", 3, "assigned more than once"),
    ("u = x * 2\n    u *= 3\n    return u", 3, "assigned more than once"),
    ("u = x[1:]\n    return np.sum(u * x[1:])", 2, "may share memory with another array"),
    ("u = x\n    return np.sum(u * x)", 2, "may share memory with another array"),
    ("for u in x:\n        x = x * u\n    return x", 2, "with an assignment of its own"),
    ("u, v = x * 2, x * 3\n    return u * v", 2, "with an assignment of its own"),
    ("u = 3\n    return x * u", 2, "that holds a float or an array of floats"),
    (
        "for i in range(2):\n        u = x * 2\n        x = x * u\n    return x",
        3,
        "assigned in a loop or branch",
    ),
]


@pytest.mark.parametrize(("body", "line", "says"), REFUSED)
def test_refused(body: str, line: int, says: str) -> None:
    f = function_of(f"def f(x):\n    {body}\n")
    with pytest.raises(NotDifferentiable, match=says) as caught:
        grad(f, wrt="u")(X)
    assert caught.value.lineno == line


def test_where_it_does_not_go() -> None:
    with pytest.raises(ValueError, match="has no parameter 'w'"):
        grad(cut_at_u, wrt="w")
    with pytest.raises(ValueError, match="only grad and value_and_grad"):
        jacobian(cut_at_u, wrt="u")
    with pytest.raises(TypeError, match="has no derivative"):
        grad(grad(cut_at_u, wrt="u"))
    with pytest.raises(ValueError, match="only grad and value_and_grad"):
        grad(grad(cut_at_u), wrt="u")
    with pytest.raises(ValueError, match="names parameter 'u' of cut_at_u.. twice"):
        grad(cut_at_u, wrt=("u", "u"))

    def of_tuples(p: Any) -> Any:
        u = p[0] * p[1]
        return u * p[0]

    with pytest.raises(TypeError, match="goes with arrays and numbers only"):
        grad(of_tuples, wrt=("u", 0))((2.0, 3.0))
