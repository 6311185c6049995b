"""`def solve(f, x, args=(), kwargs={})`: the default is empty as long as nobody changes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_refused, each_right, kept_in, refused_in
from numeric import assert_close

from tangentish import NotDifferentiable, grad

Function = Callable[..., Any]
RIGHT: list[Function] = []
REFUSED: list[tuple[Function, str]] = []
X, X_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([0.3, -0.2, 0.5, 0.1])
WHICH = "which arguments ** gives is not known"
KEPT: list[Any] = []


def err(x, a=1.0, b=1.0):
    return b * x * x - np.sin(a)


def solve(f, x, args=(), kwargs={}):
    for _ in range(5):
        x = x - 0.1 * f(x, *args, **kwargs)
    return x


def by_name(f, x, *, kwargs={}):
    return solve(f, x, kwargs={**kwargs, "b": 1.5}) if kwargs is not None else x


def handing_on(f, x, args=(), kwargs={}, halved=False):
    if halved:
        x = x / 2
    return solve(lambda z, *more: f(z, *more, **kwargs), x, args) + solve(f, x, args, kwargs=kwargs)


def several(f, x, kwargs={}, more={}):
    return f(x, **kwargs, **more)


def steps(f, x, kwargs={}):
    for k in range(3):
        yield f(x * k, **kwargs)


def adds(f, x, kwargs={}):
    y = f(x, **kwargs)
    kwargs["b"] = 2.0
    return y


def stored_to(options):
    options["b"] = 4.0


def has_it_changed(f, x, kwargs={}):
    y = f(x, **kwargs)
    stored_to(kwargs)
    return y


def gives_it_back(f, x, kwargs={}):
    return f(x, **kwargs), kwargs


def keeps(f, x, kwargs={}):
    KEPT.append(kwargs)
    return f(x, **kwargs)


@kept_in(RIGHT)
def with_its_default(x):
    return solve(err, x[0], args=(x[1],)) * solve(err, x[2]) + np.sum(solve(err, x))


@kept_in(RIGHT)
def with_one_given(x):
    return solve(err, x[0], kwargs={"b": x[1]}) * solve(err, x[2], (x[3],), {}) * solve(err, x[0])


@kept_in(RIGHT)
def with_a_keyword(x):
    return by_name(err, x[0]) * by_name(err, x[1], kwargs={"a": x[2]})


@kept_in(RIGHT)
def with_one_handed_on(x):
    return handing_on(err, x[0], (x[1],)) * handing_on(err, x[2], kwargs={"b": x[3]}, halved=True)


@kept_in(RIGHT)
def with_several(x):
    return several(err, x[0]) * several(err, x[1], more={"b": x[2]})


@kept_in(RIGHT)
def with_a_generator(x):
    return sum(steps(err, x[0])) * x[1]


@refused_in(REFUSED)(WHICH)
def changed(x):
    return adds(err, x[0]) + adds(err, x[1]) * x[2]


@refused_in(REFUSED)(WHICH)
def changed_by_another(x):
    return has_it_changed(err, x[0]) + has_it_changed(err, x[1]) * x[2]


@refused_in(REFUSED)(WHICH)
def changed_where_it_is_given_back(x):
    y, options = gives_it_back(err, x[0])
    options["b"] = 3.0
    return y * gives_it_back(err, x[1])[0]


@refused_in(REFUSED)(WHICH)
def changed_where_it_is_kept(x):
    y = keeps(err, x[0])
    KEPT[-1]["b"] = 3.0
    return y * keeps(err, x[1])


@refused_in(REFUSED)(WHICH)
def changed_from_outside(x):
    solve.__defaults__[1]["b"] = 3.0
    return solve(err, x[0])


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)


def test_no_longer_empty():
    def loop(f, x, kwargs={}):
        return f(x, **kwargs)

    gradient = grad(lambda x: loop(err, x))
    assert_close(gradient(2.0), 4.0, "while it is empty")
    loop.__defaults__[0]["b"] = 3.0
    with pytest.raises(NotDifferentiable, match="which arguments"):
        gradient(2.0)
    loop.__defaults__[0].clear()
    assert_close(gradient(2.0), 4.0, "empty again")
