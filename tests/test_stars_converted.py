"""Arguments that a decorator converts to arrays, one by one: arrays, numbers and lists among them, by keyword, too."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

from tangentish import grad

Function = Callable[..., Any]
FUNCTIONS: list[Function] = []
X, X_DOT = np.array([0.7, 1.4, 0.9]), np.array([0.3, -1.0, 0.4])


def all_as_arrays(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        args = list(args)
        for i, v in enumerate(args):
            if v is not None:
                args[i] = np.array(v)
        for k, v in kwargs.items():
            if v is not None:
                kwargs[k] = np.array(v)
        return f(*args, **kwargs)

    return wrapper


def lists_as_arrays(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        args = [np.array(v) if isinstance(v, (list, tuple)) else v for v in args]
        kwargs = {k: np.array(v) if isinstance(v, list) else v for k, v in kwargs.items()}
        return f(*args, **kwargs)

    return wrapper


def as_arrays(*names):
    def decorator(f):
        @functools.wraps(f)
        def wrapper(*args, **kwargs):
            known = inspect.getfullargspec(f).args
            args = [*args]
            for i, v in enumerate(args):
                if known[i] in names:
                    args[i] = np.array(v)
                elif isinstance(v, float):
                    args[i] = 2 * v
            return f(*args, **kwargs)

        return wrapper

    return decorator


def twice(f):
    @functools.wraps(f)
    def wrapper(*args):
        given = list(args)
        count = 0.0
        for i, v in enumerate(given):
            given[i] = np.asarray(v)
        for i, v in enumerate(given):
            if v.ndim:
                given[i] = v * len(given)
            else:
                pass
        count += len(args)
        return f(*given) * count

    return wrapper


@all_as_arrays
def between(a, b, at, whole=False, names=None):
    if whole or names is not None:
        return a + b
    return a + (b - a) * at


@lists_as_arrays
def across(a, b, scale=1.0):
    return scale * np.cross(a, b)


@as_arrays("a", "b")
def weighed(a, b, weight):
    return a * weight + b.sum()


@twice
def product(a, b, c):
    return np.sum(a * b * c)


right = kept_in(FUNCTIONS)


@right
def of_arrays_and_lists(x):
    s = np.sum(between(x, [1.0, 2.0, 3.0], 0.3) ** 2)
    return s * np.sum(between([x[0], 1.0, 2.0], x * x, x[1], True, None) ** 2)


@right
def by_keyword(x):
    return np.sum(between(x, at=x[2], b=(1.0, 2.0, x[0])) ** 2)


@right
def where_they_are_lists(x):
    y = across(x, [1.0, 2.0, 3.0]) + across([x[0], 0.5, 1.0], x, scale=x[1])
    return np.sum(y * across((1.0, x[2], 2.0), b=[x[1], 1.0, x[0]]))


@right
def by_their_names(x):
    return np.sum(weighed(x, [1.0, 4.0, 2.0], 3.0) ** 2) + np.sum(weighed([1.0, 2.0, 3.0], x, x))


@right
def more_than_once(x):
    return product(x, [1.0, 2.0, x[0]], x[1]) * product(2.0, x[2], 3.0)


test_every_mode = each_right(FUNCTIONS, X, X_DOT)


def counted(*args):
    args = list(args)
    for i, v in enumerate(args):
        args[i] = v * v
    return sum(args) + i * v


def test_what_the_loop_leaves_behind() -> None:
    assert np.allclose(grad(lambda x: counted(x[0], x[1]))(X), [2 * X[0], 2 * X[1] + 1, 0.0])
