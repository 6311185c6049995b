"""Variables that functions and generators read when they run, and are bound again before that: right, or refused.

d = Held(lambda: c)
c = 5.0
return x * d.call()         No line that follows names `c`, and yet it is 5.0 that counts.
"""

from __future__ import annotations

import functools
import itertools
import types
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, each_refused, each_right, kept_in, refused_in

from tangentish import NotDifferentiable, grad

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
X, X_DOT = np.array([0.7, 1.3, -0.4, 2.1]), np.array([1.0, -2.0, 0.5, 0.3])

CAPTURES = "captures differentiated values, and what becomes of it is not known"
KEPT = "a generator that is kept is not followed: make it a list"
AGAIN = "this gives a function that reads 'c', which is bound more than once"
ITEMS = [1.0, 2.0, 4.0]


class Held:
    def __init__(self, f):
        self.f = f

    def call(self):
        return self.f()


def held(f):
    return Held(f)


def itself(f):
    return f


def twice(f):
    return lambda v: 2.0 * v * f()


def put(fs, f):
    fs.append(f)


def put_under(d, f):
    d["a"] = f


def calls_of(f):
    while True:
        yield f()


HOLDERS: dict[str, tuple[Callable[..., Any], Callable[[Any], Any]]] = {
    "object": (Held, lambda d: d.call()),
    "function that makes one": (held, lambda d: d.call()),
    "function that gives it back": (itself, lambda d: d()),
    "namespace": (lambda f: types.SimpleNamespace(f=f), lambda d: d.f()),
    "default of a dict": (defaultdict, lambda d: d["a"]),
    "iterator": (lambda f: iter(f, -1.0), next),
    "generator": (calls_of, next),
    "cached": (functools.lru_cache, lambda d: d()),
}


@pytest.mark.parametrize("holder", HOLDERS)
def test_held(holder: str) -> None:
    """What holds a function reads what is bound after it, too; what varies by then is refused."""
    hold, call = HOLDERS[holder]

    def constant(x):
        c = 2.0
        d = hold(lambda: c)
        c = 5.0
        return x[0] * call(d)

    def varying(x):
        c = 2.0
        d = hold(lambda: c)
        c = x[1]
        return x[0] * call(d)

    check_along(constant, X, X_DOT)
    if holder in ("object", "function that gives it back"):
        check_along(varying, X, X_DOT)
        return
    with pytest.raises(NotDifferentiable):
        grad(varying)(X)


TAKERS: dict[str, Callable[..., Any]] = {
    "map": lambda f: map(f, ITEMS),
    "filter": lambda f: filter(lambda v: f(v) > 3.0, ITEMS),
    "starmap": lambda f: itertools.starmap(lambda v, w: f(v) + w, [(1.0, 2.0)]),
    "accumulate": lambda f: itertools.accumulate(ITEMS, lambda v, w: f(v) + w),
    "takewhile": lambda f: itertools.takewhile(lambda v: f(v) < 11.0, ITEMS),
    "vectorized": lambda f: (np.frompyfunc(f, 1, 1)(v) for v in ITEMS),
}


@pytest.mark.parametrize("taker", TAKERS)
def test_taken_one_by_one(taker: str) -> None:
    take = TAKERS[taker]

    def function(x):
        c = 2.0
        d = take(lambda v: v * c)
        c = 5.0
        return x[0] * sum(d)

    check_along(function, X, X_DOT)


@kept_in(RIGHT)
def generator(x):
    c = 2.0
    d = (v * c for v in ITEMS)
    c = 5.0
    return x[0] * sum(d)


@kept_in(RIGHT)
def generator_beside(x):
    c = 2.0
    d = zip((v * c for v in ITEMS), ITEMS)
    c = 5.0
    return x[0] * sum(a * b for a, b in d)


@kept_in(RIGHT)
def generator_in_a_list(x):
    c = 2.0
    d = [(v * c for v in ITEMS)]
    c = 5.0
    return x[0] * sum(d[0])


@kept_in(RIGHT)
def what_a_generator_runs_over_first_is_read_at_once(x):
    c = [1.0, 2.0]
    d = (v * w for v in c for w in c)
    c = [4.0]
    return x[0] * sum(d)


@kept_in(RIGHT)
def generator_within_a_loop(x):
    c, s = 1.0, 0.0
    d = enumerate(v * c for v in ITEMS)
    for k, v in d:
        s = s + v * x[0]
        c = c + 1.0
        if k == 1:
            c = 10.0
    return s


@kept_in(RIGHT)
def function_that_calls_another(x):
    c = 2.0

    def inner():
        return c

    def outer():
        return inner()

    d = Held(outer)
    c = 5.0
    return x[0] * d.call()


@kept_in(RIGHT)
def function_that_makes_it(x):
    c = 2.0

    def make():
        return Held(lambda: c)

    d = make()
    c = 5.0
    return x[0] * d.call()


@kept_in(RIGHT)
def function_that_puts_it_into_a_list(x):
    c = 2.0
    fs = []

    def make():
        fs.append(lambda: c)

    make()
    c = 5.0
    return x[0] * fs[0]()


@kept_in(RIGHT)
def bound_in_a_loop(x):
    c = 2.0
    d = Held(lambda: c)
    for c in ITEMS:
        pass
    return x[0] * d.call()


@kept_in(RIGHT)
def bound_on_one_way(x):
    c = 2.0
    d = Held(lambda: c)
    if x[0] > 0:
        c = 5.0
    return x[0] * d.call()


@kept_in(RIGHT)
def added_to(x):
    c = 2.0
    d = Held(lambda: c)
    c += 4.0
    return x[0] * d.call()


@kept_in(RIGHT)
def unpacked(x):
    c = 2.0
    d = Held(lambda: c)
    c, e = 5.0, 6.0
    return x[0] * d.call() * e


@kept_in(RIGHT)
def bound_on_each_trip_and_given(x):
    s = 0.0
    for k in range(3):
        c = x[k]
        f = itself(lambda: c)
        s = s + f() * x[1]
    return s


@refused(KEPT)
def generator_of_what_varies_later(x):
    c = 2.0
    d = (v * c for v in ITEMS)
    c = x[1]
    return x[0] * sum(d)


@refused(CAPTURES)
def generator_function_of_what_varies_later(x):
    c = 2.0

    def multiples():
        for v in ITEMS:
            yield c * v

    d = multiples()
    c = x[1]
    return x[0] * sum(d)


@refused(CAPTURES)
def put_into_a_list_by_a_function(x):
    c = 2.0
    fs = []
    put(fs, lambda: c)
    c = x[1]
    return x[0] * fs[0]()


@kept_in(RIGHT)
def put_into_a_dict_by_a_function(x):
    c = 2.0
    d = {}
    put_under(d, lambda: c)
    c = x[1]
    return x[0] * d["a"]()


@refused(CAPTURES)
def put_into_a_list_of_an_object(x):
    c = 2.0
    d = types.SimpleNamespace(fs=[abs])
    put(d.fs, lambda: c)
    c = x[1]
    return x[0] * d.fs[1]()


@refused(CAPTURES)
def put_into_a_dict(x):
    c = 2.0
    d = {}
    d[str(x.ndim)] = lambda: c
    c = x[1]
    return x[0] * d["1"]()


@kept_in(RIGHT)
def given_back(x):
    c = x[1]
    d = itself(lambda: c)
    c = x[2]
    return x[0] * d()


@kept_in(RIGHT)
def given_back_in_an_object(x):
    c = x[1]
    d = held(lambda: c)
    c = x[2]
    return x[0] * d.call()


@refused(AGAIN)
def given_by_a_function_inside(x):
    c = x[1]

    def make():
        return lambda: c

    d = make()
    c += x[2]
    return x[0] * d()


@refused(AGAIN)
def given_within_another(x):
    c = 2.0
    d = twice(lambda: c)
    c = 5.0
    return d(x[0])


@refused("functions in a list are not followed")
def given_on_each_trip(x):
    fs = []
    for k in range(len(x)):
        c = x[k]
        fs.append(itself(lambda: c))
    return fs[0]() * x[1]


test_right = each_right(RIGHT, X, X_DOT)


test_refused = each_refused(REFUSED, X)
