"""Functions that the same `def` or `lambda` makes again and again: each has the derivative of what it captures itself."""

from __future__ import annotations

import functools
import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tangentish import adjoint, differentiate, grad, hessian, hvp, jvp, value_and_grad, vjp
from tangentish.calling import dispatch


@pytest.fixture
def rng():
    return np.random.default_rng(11)


Maker = Callable[[int, np.random.Generator], Callable[..., Any]]


def squares(w, a, b):
    total = 0.0
    for row, wanted in zip(a, b, strict=True):
        residual = row @ w - wanted
        total += residual * residual
    return total


def a_lambda(k, rng):
    a, b = rng.normal(size=(4, 3)), rng.normal(size=4)
    return lambda w: squares(w, a, b)


def helpers_of_its_own(k, rng):
    a, b, scale = rng.normal(size=(4, 3)), rng.normal(size=4), 1.0 + k

    def penalty(w):
        return scale * np.sum(w**2)

    def model(w):
        return a @ w + penalty(w)

    def f(w):
        return np.sum((model(w) - b) ** 2) + penalty(w)

    return f


def a_number_that_becomes_an_array(k, rng):
    scale = 2.0 if k % 2 else rng.normal(size=3)
    return lambda w: np.sum(scale * w**2)


def a_helper_that_is_another(k, rng):
    def power(v):
        return v ** (k + 2)

    def sine(v):
        return np.sin(v) * k

    helper = power if k % 2 else sine
    return lambda w: np.sum(helper(w))


def two_names_of_one_array(k, rng):
    a = rng.normal(size=3)
    b = a if k % 2 else rng.normal(size=3)
    return lambda w: np.sum(a * w**2) * np.sum(b * w)


def a_count(k, rng):
    calls = 0
    scale = 1.0 + k

    def f(w):
        nonlocal calls
        calls = calls + 1
        return scale * np.sum(w**2)

    return f


def a_recursion(k, rng):
    scale = 1.0 + k

    def power(w, n):
        return scale * w if n == 0 else w * power(w, n - 1)

    return lambda w: np.sum(power(w, 2))


def a_dict(k, rng):
    settings = {"scale": 1.0 + k, "shift": rng.normal(size=3)}
    return lambda w: np.sum((settings["scale"] * w - settings["shift"]) ** 2)


def a_list_of_functions(k, rng):
    scale = 1.0 + k
    steps = [np.sin, lambda v: v * scale]

    def f(w):
        for step in steps:
            w = step(w)
        return np.sum(w)

    return f


def a_partial(k, rng):
    step = functools.partial(squares, a=rng.normal(size=(2, 3)), b=rng.normal(size=2))
    return lambda w: step(w)


def defaults(k, rng):
    scale = rng.normal(size=3)

    def f(w, scale=scale, power=2):
        return np.sum(scale * w**power)

    return f


def a_branch(k, rng):
    square = k % 2 == 0
    return lambda w: np.sum(w**2) if square else np.sum(np.sin(w))


def none_or_not(k, rng):
    prior = None if k % 2 else rng.normal(size=3)

    def f(w):
        if prior is None:
            return np.sum(w**2)
        return np.sum((w - prior) ** 2)

    return f


class Model:
    def __init__(self, scale):
        self.scale = scale

    def loss(self, w):
        return self.scale * np.sum(w**3)


def an_object(k, rng):
    model = Model(1.0 + k)
    return lambda w: model.loss(w) + model.scale * w[0]


def other_names_inside(k, rng):
    scale = 1.0 + k

    def f(w):
        def inner(v):
            return scale * v * w[0]

        return sum(inner(v) for v in w)

    return f


def a_rule_of_its_own(k, rng):
    scale = 1.0 + k

    def cube(v):
        return scale * v**3

    @adjoint(cube)
    def cube_adjoint(dy, y, v):
        return scale * 3 * v**2 * dy

    return lambda w: np.sum(cube(w))


def the_same_counter_for_two(k, rng):
    scale = 1.0 + k

    def first(w):
        return scale * w

    def second(w):
        return first(w) * scale if k % 2 else w * scale

    return lambda w: np.sum(first(w) * second(w))


MAKERS: list[Maker] = [
    a_lambda, helpers_of_its_own, a_number_that_becomes_an_array, a_helper_that_is_another, two_names_of_one_array,
    a_count, a_recursion, a_dict, a_list_of_functions, a_partial, defaults, a_branch,
    none_or_not, an_object, other_names_inside, a_rule_of_its_own, the_same_counter_for_two,
]  # fmt: skip


def slopes(f, w, step=1e-6):
    return np.array([(f(w + step * e) - f(w - step * e)) / (2 * step) for e in np.eye(len(w))])


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_each_has_the_gradient_of_what_it_captures(make, rng):
    made = [make(k, rng) for k in range(4)]
    w, v = rng.normal(size=3), rng.normal(size=3)
    for f in [*made, *made[::-1]]:  # the first come back when others were there
        expected = slopes(f, w)
        np.testing.assert_allclose(grad(f)(w), expected, rtol=1e-6, atol=1e-8)
        value, gradient = value_and_grad(f)(w)
        np.testing.assert_allclose(value, f(w), rtol=1e-14)
        np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(vjp(f, w)[1](2.0)[0], 2 * expected, rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(jvp(f, (w,), (v,))[1], expected @ v, rtol=1e-6, atol=1e-8)


SMOOTH = [make for make in MAKERS if make not in (a_count, a_rule_of_its_own)]


@pytest.mark.parametrize("make", SMOOTH, ids=lambda make: make.__name__)
def test_each_has_the_second_derivatives_of_what_it_captures(make, rng):
    w, v = rng.normal(size=3), rng.normal(size=3)
    for k in range(3):
        f = make(k, rng)
        expected = np.array(
            [slopes(lambda u, i=i, f=f: slopes(f, u, 1e-4)[i], w, 1e-4) for i in range(3)]
        )
        np.testing.assert_allclose(hvp(f)(w, v), expected @ v, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(hessian(f)(w), expected, rtol=1e-4, atol=1e-5)


def counted(monkeypatch):
    """The functions that are generated from here on."""
    names: list[str] = []
    derive = dispatch.derive

    def counting(function, *args, **kwargs):
        names.append(function.__name__)
        return derive(function, *args, **kwargs)

    monkeypatch.setattr(dispatch, "derive", counting)
    return names


@pytest.mark.parametrize(
    "make",
    [a_lambda, helpers_of_its_own, two_names_of_one_array, a_dict, an_object, other_names_inside],
    ids=lambda make: make.__name__,
)
def test_what_was_generated_for_one_serves_the_next(make, rng, monkeypatch):
    w, v = rng.normal(size=3), rng.normal(size=3)
    grad(make(0, rng))(w), vjp(make(0, rng), w), hvp(make(0, rng))(w, v)
    names = counted(monkeypatch)
    for k in range(1, 4):
        f = make(k, rng)
        grad(f)(w), vjp(f, w), hvp(f)(w, v)
    assert names == []


def test_other_kinds_are_generated_anew(rng, monkeypatch):
    w = rng.normal(size=3)

    def make(scale):
        return lambda w: np.sum(scale * w**2)

    names = counted(monkeypatch)
    for scale in (2.0, w, 3.0, np.float32(2.0), np.ones((2, 3))):
        expected = 2 * w * np.sum(np.atleast_2d(scale), axis=0)
        np.testing.assert_allclose(grad(make(scale))(w), expected)
    assert names == ["<lambda>"] * 4


def test_a_helper_that_is_redefined_between_two(rng, monkeypatch):
    def twice(w):
        return 2 * w

    def thrice(w):
        return 3 * w

    monkeypatch.setitem(globals(), "changing", twice)
    w = np.ones(3)

    def make(scale):
        return lambda w: np.sum(scale * changing(w))  # type: ignore[name-defined] # noqa: F821

    np.testing.assert_allclose(grad(make(1.0))(w), 2.0)
    monkeypatch.setitem(globals(), "changing", thrice)
    np.testing.assert_allclose(grad(make(2.0))(w), 6.0)


def test_what_they_capture_is_let_go(rng):
    def make():
        data = rng.normal(size=3)
        f = lambda w: np.sum(data * w)  # noqa: E731
        grad(f)(np.ones(3)), vjp(f, np.ones(3)), jvp(f, (np.ones(3),), (np.ones(3),))
        return weakref.ref(data)

    made = [make() for _ in range(8)]
    gc.collect()
    assert [data() for data in made[1:-4]] == [None] * 3  # the analysis of the first is kept


def test_a_pullback_keeps_to_its_own(rng):
    w = rng.normal(size=3)
    fs = [helpers_of_its_own(k, rng) for k in range(3)]
    pulls = [vjp(f, w)[1] for f in fs]
    for f, pull in zip(fs, pulls, strict=True):
        np.testing.assert_allclose(pull(1.0)[0], slopes(f, w), rtol=1e-6)


def test_a_decorated_function_in_a_function(rng):
    def make(scale):
        @differentiate
        def f(w):
            return scale * np.sum(w**2)

        return f

    w = rng.normal(size=3)
    for k in range(3):
        f = make(float(k))
        np.testing.assert_allclose(f.grad(w), 2 * k * w)
        assert f.grad.source(w).startswith("def f_grad(w")


def test_what_a_variable_holds_is_read_at_every_call(rng):
    def make(scale):
        def f(w):
            return scale * np.sum(w**2)

        def change(to):
            nonlocal scale
            scale = to

        return f, change

    w = rng.normal(size=3)
    (first, change), (second, change_second) = make(1.0), make(2.0)
    d_first, d_second = grad(first), grad(second)
    for scale in (3.0, 4.0):
        np.testing.assert_allclose(d_first(w), (2.0 if scale == 3.0 else 6.0) * w)
        change(scale)
        np.testing.assert_allclose(d_first(w), 2 * scale * w)
        np.testing.assert_allclose(d_second(w), 4.0 * w if scale == 3.0 else -2.0 * w)
        change_second(-1.0)
    change(np.arange(3.0))
    np.testing.assert_allclose(d_first(w), 2 * 3.0 * w)  # of the sum
    np.testing.assert_allclose(d_second(w), -2.0 * w)
