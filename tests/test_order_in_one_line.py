"""The order in which the parts of one line are evaluated, where some of them change or draw something: right, or refused.

A part that the adjoint or the tangent reads gets a line of its own before the rest: what comes before it in Python does, too.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import (
    after,
    check_along,
    check_along_after,
    each_refused,
    kept_in,
    named,
    refused_in,
)
from numeric import assert_close

from tangentish import jvp, vjp

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
X, X_DOT = np.array([0.7, 1.3, -0.4, 2.1]), np.array([1.0, -2.0, 0.5, 0.3])

WRITES = "this call writes to what it is given"
CHANGES = "a call in the same line changes this"


def put(t):
    t[0] = 5.0
    return 2.0


def step(t):
    t[0] += 1.0
    return t[0]


def pop_of(values):
    return values.pop()


def move(k):
    k[0] = (k[0] + 1) % 4
    return 2.0


def draw(r):
    return r.normal()


# -- parts that are named before the line


@kept_in(RIGHT)
def draws(x):
    r = np.random.default_rng(0)
    return (r.normal() + x[0]) * r.normal()


@kept_in(RIGHT)
def draws_of_arrays(x):
    r = np.random.default_rng(0)
    return np.dot(x + r.normal(size=4), r.normal(size=4))


@kept_in(RIGHT)
def draws_of_a_helper(x):
    r = np.random.default_rng(0)
    return (draw(r) + x[0]) * draw(r) - x[1] * r.normal()


@kept_in(RIGHT)
def draws_from_the_generator_of_all(x):
    np.random.seed(3)
    return (np.random.rand() + x[0]) * np.random.rand() + x[1] * np.random.triangular(0, 1, 2)


@kept_in(RIGHT)
def draws_of_python(x):
    random.seed(3)
    return (random.random() + x[0]) * random.gauss(0.0, 1.0) - x[1] * random.triangular(0, 1)


@kept_in(RIGHT)
def nexts(x):
    it = iter([1.0, 2.0, 3.0])
    return (next(it) + x[0]) * next(it) + x[1] * next(it)


@kept_in(RIGHT)
def helper_writes(x):
    t = np.ones(4)
    return (t[0] + x[0]) * put(t)


@kept_in(RIGHT)
def whole_array_read_before(x):
    t = np.ones(4)
    return (t * x).sum() * put(t)


@kept_in(RIGHT)
def read_after(x):
    t = np.ones(4)
    return put(t) + x[0] * t[0]


@kept_in(RIGHT)
def tuple_of_values(x):
    t = np.ones(4)
    a, b = t[0] * x[0], put(t) * x[1]
    return a * b


@kept_in(RIGHT)
def list_and_pop(x):
    values = [1.0, 2.0, 3.0]
    return (values[-1] + x[0]) * pop_of(values)


@kept_in(RIGHT)
def length_and_pop(x):
    values = [1.0, 2.0, 3.0]
    return (len(values) + x[0]) * values.pop() * len(values)


@kept_in(RIGHT)
def dict_and_pop(x):
    d = {"a": 2.0, "b": 3.0}
    return (len(d) + x[0]) * d.pop("a") * len(d)


@kept_in(RIGHT)
def index_moves_by_a_helper(x):
    k = np.array([0])
    return x[k[0]] * move(k) + x[k[0]] ** 2 * move(k) + x[k[0]]


@kept_in(RIGHT)
def indices_of_a_counter(x):
    c = [0]

    def tick():
        c[0] = (c[0] + 1) % 4
        return c[0]

    return x[tick()] * x[tick()] * tick() + x[0] * tick() - x[tick()] ** 2 * tick()


@kept_in(RIGHT)
def keywords(x):
    t = np.ones(4)

    def weighed(a, b, c):
        return a * b + c

    return weighed(c=t[0] * x[0], b=put(t), a=t[0] * x[1])


@kept_in(RIGHT)
def store_of_draws(x):
    r = np.random.default_rng(0)
    y = np.zeros(4)
    y[r.integers(4)] = (r.normal() + x[0]) * r.normal()
    y[r.integers(4)] += x[1] * r.normal() * r.normal()
    return y @ np.arange(1.0, 5.0)


@kept_in(RIGHT)
def store_by_next(x):
    it = iter([1, 2, 3, 0])
    y = x * 1.0
    y[int(next(it))] = x[int(next(it))] * 3.0
    y[int(next(it))] *= x[int(next(it))]
    return y @ np.arange(1.0, 5.0)


@kept_in(RIGHT)
def store_of_what_does_not_vary(x):
    it = iter([1, 2, 3, 0])
    y = x * 1.0
    y[int(next(it))] = next(it) * 3.0
    y[int(next(it))] += next(it)
    return np.sum(y * y)


@kept_in(RIGHT)
def store_at_two_places(x):
    k = np.array([0])
    y = np.outer(x, x)
    y[k[0], int(move(k))] = x[1] * move(k)
    y[k[0], int(move(k))] *= x[k[0]]
    return np.sum(y * y)


@kept_in(RIGHT)
def updates(x):
    r = np.random.default_rng(0)
    s = x[0]
    for _ in range(3):
        s += (r.normal() + x[1]) * r.normal()
        s *= x[2] + r.normal() * s * r.normal()
    return s


@kept_in(RIGHT)
def nested(x):
    r = np.random.default_rng(0)
    return np.sin((r.normal() + x[0]) * np.exp(x[1] * r.normal()) - r.normal() * x[2]) / r.normal()


@kept_in(RIGHT)
def in_a_list(x):
    r = np.random.default_rng(0)
    values = [x[0] * r.normal(), r.normal() - x[1], (r.normal() + x[2]) * r.normal()]
    return values[0] * values[1] * values[2]


@kept_in(RIGHT)
def run_over(x):
    r = np.random.default_rng(0)
    s = 0.0
    for v in (x[0] * r.normal(), (r.normal() + x[1]) * r.normal()):
        s = s + v * v * r.normal()
    return s


@kept_in(RIGHT)
def comparison_in_a_product(x):
    r = np.random.default_rng(0)
    return r.random() * x[0] * (x[1] * r.random() < r.random()) + x[2] * r.random()


@kept_in(RIGHT)
def places_of_several(x):
    it = iter([0, 1, 2])
    y = x * 1.0
    y[int(next(it))], y[int(next(it))] = x[1] * int(next(it)), x[0]
    return np.sum(y * y)


@kept_in(RIGHT)
def places_with_reads(x):
    k = np.array([0])
    y = np.outer(x, x)
    y[k[0], int(move(k)) - k[0]] = x[1] * move(k)
    y[k[0] :, int(move(k))] = x[2] * k[0]
    return np.sum(y * y)


@refused(CHANGES)
def bounds_of_a_store(x):
    k = np.array([0])
    y = x * 1.0
    y[k[0] : 3] *= x[0] * move(k)
    return np.sum(y * y)


# -- choices and comprehensions


@kept_in(RIGHT)
def choice(x):
    r = np.random.default_rng(0)
    return r.random() - (x[0] if r.random() < 0.5 else x[1])


@kept_in(RIGHT)
def comprehension(x):
    r = np.random.default_rng(0)
    return r.random() * sum([v * r.random() for v in x]) * r.random()


@kept_in(RIGHT)
def choice_writes(x):
    t = np.ones(4)
    return t[0] * 3.0 + (x[0] if put(t) > 1 else x[1]) * t[0]


@kept_in(RIGHT)
def comprehension_writes(x):
    t = np.ones(4)
    return t[0] * sum([v * put(t) for v in x])


@kept_in(RIGHT)
def any_writes(x):
    t = np.ones(4)
    return t[0] * (x[0] or put(t)) + (x[1] if not put(t) else x[2] * t[0])


# -- what is saved before a call that changes it


@kept_in(RIGHT)
def array_saved(x):
    t = np.ones(2)
    a = x[0] * t[0]
    return a * step(t)


@kept_in(RIGHT)
def places_saved(x):
    k = np.array([0])
    a = x[k[0]] ** 2
    return a * move(k)


@kept_in(RIGHT)
def power(x):
    t = np.ones(2)
    s = x[0] / t[0]
    s **= step(t)
    return s


@kept_in(RIGHT)
def saved_in_a_loop(x):
    t = np.ones(2)
    s = x[0]
    for v in x:
        s = s * t[0] + v * v
        s *= step(t)
    return s


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_right(function: Callable[..., Any]) -> None:
    plain = function(X.copy())
    assert_close(vjp(function, X)[0], plain, function.__name__)
    assert_close(jvp(function, (X,), (X_DOT,))[0], plain, function.__name__)
    check_along(function, X, X_DOT)


test_refused = each_refused(REFUSED, X)


COUNTED = [0]


def start_again():
    COUNTED[0] = 0


def tick():
    COUNTED[0] += 1
    return COUNTED[0]


def indices_of_calls(x):
    return x[tick()] * x[tick()] * tick()


def index_among_calls(x):
    return x[0] * tick() + x[tick()] * tick()


def doubled(v):
    return v * tick()


def chain_of_comparisons(x):
    between = 0 < tick() < doubled(x[0]) + 5
    return x[1] * tick() * between


def chain_of_calls(x):
    between = tick() < tick() < doubled(x[0]) + 5
    return x[1] * tick() * between


@pytest.mark.parametrize(
    "function", [indices_of_calls, index_among_calls, chain_of_comparisons, chain_of_calls]
)
def test_indices_of_calls_that_change_what_stands_outside(function: Callable[..., Any]) -> None:
    plain = after(start_again, function)(X)
    assert_close(after(start_again, jvp)(function, (X,), (X_DOT,))[0], plain, function.__name__)
    check_along_after(start_again, function, X, X_DOT)
