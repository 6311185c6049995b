"""Functions that change the dict of their **options before they hand it on: it is theirs, at each call another."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in
from numeric import assert_close, numeric_gradient

from tangentish import NotDifferentiable, grad

Function = Callable[..., Any]
RIGHT: list[Function] = []
X, X_DOT = np.array([0.7, 0.4, 0.9]), np.array([0.3, -0.2, 0.5])
SCALED = ("a", "b")
NONE: tuple[str, ...] = ()


def weighted(*, a, b, axis=-1, power=2):
    return np.sum(a**power * np.sin(b), axis=axis)


def doubling(**options):
    options["a"] = options["a"] * 2
    return weighted(**options)


def replacing(**options):
    options["b"] = 3.0
    options["a"] = options["a"] * options["b"]
    return weighted(**options)


def popping(**options):
    scale = options.pop("scale", 1.0)
    options.update(axis=0)
    return scale * weighted(**options)


def leaving_out(**options):
    del options["power"]
    options.setdefault("axis", 0)
    return weighted(**options)


def early(**options):
    if options.get("axis", -1) == -1:
        return weighted(**options)
    options["axis"] = -1
    return weighted(**options) * 2


def by_names(**options):
    for name in SCALED:
        options[name] = options[name] * 2
    options["axis"] = 0
    return weighted(**options)


def by_no_names(**options):
    for name in NONE:
        options[name] = options[name] * 2
    options["axis"] = 0
    return weighted(**options)


def two_deep(**options):
    options["a"] = options["a"] * options["b"]
    return doubling(**options) + weighted(**options)


@kept_in(RIGHT)
def stored(x):
    return doubling(a=x, b=x * x)


@kept_in(RIGHT)
def stored_twice(x):
    y = doubling(a=x, b=x * x, axis=0)
    return y + doubling(a=x * y, b=x)


@kept_in(RIGHT)
def stored_constant(x):
    return replacing(a=x, b=x * x)


@kept_in(RIGHT)
def popped(x):
    return popping(a=x, b=x * x) * popping(a=x, b=x, scale=x[0])


@kept_in(RIGHT)
def left_out(x):
    return leaving_out(a=x, b=x * x, power=3)


@kept_in(RIGHT)
def left_early(x):
    return early(a=x, b=x) + early(a=x, b=x, axis=0)


@kept_in(RIGHT)
def stored_by_names(x):
    return by_names(a=x, b=x * x) + by_no_names(a=x, b=x)


@kept_in(RIGHT)
def stored_by_both(x):
    return two_deep(a=x, b=x * x)


@kept_in(RIGHT)
def of_a_dict(x):
    """The dict that is spread stays as it is."""
    given = {"a": x, "b": x * x}
    return doubling(**given) + np.sum(given["a"] * x)


class MovedTo:
    def __init__(self, names=()):
        self.names = names

    def __call__(self, function):
        @functools.wraps(function)
        def moved(*args, **options):
            if options.get("axis", -1) == -1:
                return function(*args, **options)
            for name in self.names:
                options[name] = np.moveaxis(options[name], 0, -1)
            options["axis"] = -1
            return function(*[np.moveaxis(a, 0, -1) for a in args], **options)

        return moved


def summed(x, *, w=1.0, axis=-1):
    return np.sum(np.sin(x) * w, axis=axis) ** 2


plainly = MovedTo()(summed)
weighting = MovedTo(("w",))(summed)
of_a_set = MovedTo(set())(summed)


@kept_in(RIGHT)
def moved_args(x):
    table = np.outer(x, [1.0, 2.0])
    return np.sum(plainly(table, axis=0)) + np.sum(of_a_set(table, axis=-1) * x)


@kept_in(RIGHT)
def moved_options(x):
    table = np.outer(x, [1.0, 2.0])
    return np.sum(weighting(table, w=table * x[:, None], axis=0))


test_right = each_right(RIGHT, X, X_DOT)


def test_names_of_another_time():
    """Which names these are is asked at each call."""
    wrapper = MovedTo(["w"])
    function = wrapper(summed)

    def f(x):
        return np.sum(function(np.outer(x, X), w=np.outer(x * x, X_DOT), axis=0))

    gradient = grad(f)
    assert_close(gradient(X), numeric_gradient(f, (X,), 0, 1.0), "moved")
    wrapper.names.clear()
    assert_close(gradient(X), numeric_gradient(f, (X,), 0, 1.0), "left")


def given_alive(**options):
    """A view of the dict shows what it becomes."""
    views = options.values()
    options.pop("power")
    return sum(np.sum(v) for v in views)


def test_views_are_not_of_the_dict_before():
    with pytest.raises(NotDifferentiable):
        grad(lambda x: given_alive(a=x, power=x * x))(X)
