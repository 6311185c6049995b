"""What a loop binds on each trip, read by what was made before or is made beside it: it is right here, or refused."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_refused, each_right, kept_in, refused_in
from numeric import assert_close

from tangentish import grad, hvp, vjp

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
X, X_DOT = np.array([0.7, 1.3, -0.4, 2.1]), np.array([1.0, -2.0, 0.5, 0.3])

DEQUE = "it is not known that 'q' is a list here"
ANEW = "the loop binds the function anew"
LATE = "the loop may change what this runs over: make it a list"
GENERATOR = "the loop may change what this generator reads: make it a list"


# ---- the greatest length of a deque


@kept_in(RIGHT)
def maxlen_bound_before_a_loop(x):
    n = 2
    q = deque(maxlen=n)
    s = 0.0
    for v in x:
        q.append(v * v)
        s += sum(q)
    return s


@kept_in(RIGHT)
def maxlen_that_another_function_reads(x, n=2):
    q = deque(maxlen=n)
    mean = lambda total: total / n
    for v in x:
        q.append(v * v)
    return mean(sum(q))


@refused(DEQUE)
def maxlen_bound_by_a_loop(x):
    s = 0.0
    for n in (3, 1):
        if n == 3:
            q = deque(maxlen=n)
        q.append(x[n])
        q.append(x[0])
        s += sum(q)
    return s


@refused(DEQUE)
def maxlen_bound_on_each_trip(x):
    s = 0.0
    for k in range(3):
        n = 3 - k
        if k == 0:
            q = deque(maxlen=n)
        q.append(x[n])
        s += sum(q)
    return s


@refused(DEQUE)
def maxlen_bound_by_another_function(x, n=3):
    def shrink():
        nonlocal n
        n = 1

    q = deque(maxlen=n)
    shrink()
    for v in x:
        q.append(v * v)
    return sum(q)


@refused(DEQUE)
def maxlen_bound_by_a_case(x, n=3):
    q = deque(maxlen=n)
    match 1:
        case n:
            pass
    for v in x:
        q.append(v * v)
    return sum(q)


# ---- generators beside the targets of their loop


@kept_in(RIGHT)
def zipped(x):
    a = 1.0
    s = 0.0
    for a, b in zip(x, (a * u for u in x)):
        s += a * b
    return s


@kept_in(RIGHT)
def enumerated(x):
    k = 5
    s = 0.0
    for k, v in enumerate(k * t for t in x):
        s += v
    return s


@kept_in(RIGHT)
def two_generators_of_each_others_targets(x):
    a, b = 1.0, 2.0
    s = 0.0
    for a, b in zip((b * u for u in x), (a * u for u in x)):
        s += a * b
    return s


@kept_in(RIGHT)
def nested_targets(x):
    a = b = 1.0
    s = 0.0
    for (a, b), c in zip([(x[0], x[1]), (x[2], x[3])], (a * u + b for u in x)):
        s += a * b * c
    return s


@kept_in(RIGHT)
def read_by_a_function_around(x):
    a = 1.0

    def scaled(u):
        return a * u

    s = 0.0
    for a, b in zip(x, (scaled(u) for u in x)):
        s += a * b
    return s


@refused(ANEW)
def mapped_by_a_function_of_the_target(x):
    a = 1.0
    s = 0.0
    for a, b in zip(x, map(lambda u: u * a, x)):
        s += a * b
    return s


@kept_in(RIGHT)
def stored_to_what_a_generator_reads(x):
    y = x * 1.0
    s = 0.0
    for y[1], b in zip(x, (y[1] * u for u in x)):
        s += y[1] * b
    return s


@refused(ANEW)
def mapped_over_its_own_target(x):
    a = 1.0
    s = 0.0
    for a in map(lambda v: v * a, x):
        s += a
    return s


@refused(GENERATOR)
def kept_items_by_the_target(x):
    a = 1.0
    s = 0.0
    for a, b in zip(x, (a * u for u in x if u > 0)):
        s += a * b
    return s


# ---- targets that change what is run over


@refused(LATE)
def accumulated_by_the_target(x):
    a = 1.0
    s = 0.0
    for a in itertools.accumulate(x, lambda u, v: u * v + a):
        s += a
    return s


@refused(LATE)
def taken_while_the_target_allows(x):
    a = 1.0
    s = 0.0
    for a in itertools.takewhile(lambda v: v * a < 1, x):
        s += a * a
    return s


@refused(GENERATOR)
def generator_function_of_the_target(x):
    n = 2.0
    s = 0.0

    def g():
        for v in x:
            yield v * n

    for n in g():
        s += n
    return s


@refused(GENERATOR)
def generator_function_over_what_is_stored_to(x):
    y = x * 1.0
    s = 0.0
    for y[2], b in zip(x, scaled_each(y)):
        s += y[2] * b
    return s


def scaled_each(y):
    for v in y:
        yield v * 2.0


@kept_in(RIGHT)
def generator_function_with_a_local_of_that_name(x):
    s = 0.0
    for v in scaled_each(x):
        s += v
    return s


class Gain:
    def __init__(self, k):
        self.k = k


def scaled_by(o, y):
    for v in y:
        yield v * o.k


@kept_in(RIGHT)
def generator_function_with_an_attribute_of_that_name(x):
    o = Gain(2.0)
    s = 0.0
    for k in scaled_by(o, x):
        s += k
    return s


@kept_in(RIGHT)
def combinations(x):
    l = [x[0], x[1], x[2]]
    s = 0.0
    for a, l[2] in itertools.combinations(l, 2):
        s += l[2] * a
    return s


@refused("the loop may change what pairwise remembers: make it a list")
def pairwise_of_what_is_stored_to(x):
    y = x * 1.0
    s = 0.0
    for a, y[2] in itertools.pairwise(y):
        s += y[2] * a
    return s


@kept_in(RIGHT)
def zip_of_what_is_stored_to(x):
    y = x * 1.0
    s = 0.0
    for y[0], b in zip(x[1:], y):
        s += y[0] * b
    return s


@kept_in(RIGHT)
def zip_of_what_is_stored_to_inside(x):
    y = x * 1.0
    s = 0.0
    for (y[0], c), b in zip([(x[1], x[2]), (x[3], x[0])], y):
        s += y[0] * b * c
    return s


@kept_in(RIGHT)
def stored_at_a_place_that_the_loop_binds(x):
    y = np.zeros(4)
    for i, y[i] in enumerate(x):
        y[i] *= 2.0
    return np.sum(y * y)


@kept_in(RIGHT)
def stored_at_the_place_of_the_trip_before(x):
    y = np.zeros(4)
    i = 0
    for y[i], i in zip(x, (1, 2, 3, 0)):
        pass
    return np.sum(y * y * x)


@kept_in(RIGHT)
def rows_of_what_is_stored_to(x):
    m = x.reshape(2, 2) * 1.0
    s = 0.0
    for m[0, 1], b in m:
        s += b * m[0, 1]
    return s


@kept_in(RIGHT)
def items_of_what_is_stored_to(x):
    y = x * 1.0
    s = 0.0
    for y[2] in y:
        s += y[2] * y[0]
    return s


@kept_in(RIGHT)
def attributes_as_targets(x):
    o = Gain(1.0)
    s = 0.0
    for o.k, b in zip(x, (o.k * u for u in x)):
        s += o.k * b
    return s


@kept_in(RIGHT)
def lists_that_a_function_inside_binds(x):
    xs, ys = None, []

    def double():
        nonlocal xs, ys
        xs, ys = [v * 2.0 for v in x], [v * x[0] for v in x]

    double()
    s = 0.0
    for v in xs:
        s += v * v
    for v, w in zip(ys, x):
        s += v * w
    return s


@kept_in(RIGHT)
def rows_as_attributes(x):
    o, y = Gain(1.0), np.outer(x, x)
    for i in range(2):
        o.one, o.two = y[i : i + 2]
        o.one *= o.two
        o.two[0] = o.one[1]
    return np.sum(y**2)


def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


@kept_in(RIGHT)
def returned_out_of_a_loop_after_updates(x):
    w = np.array(x) / factorial(2)
    for k in range(3):
        w += x / factorial(k)
        if w[0] > 1.0:
            return np.sum(w * x)
        w *= x
    return np.sum(w) * 2.0


@kept_in(RIGHT)
def first_empty_then_a_list(x):
    s = 0.0
    for k in range(3):
        if k == 0:
            xs = ()
        elif k == 2:
            xs = [v * v for v in x]
        s = s + sum(xs) * x[k % 2]
    return s


@kept_in(RIGHT)
def a_tuple_on_some_trips(x):
    s = 0.0
    for k in range(3):
        if k % 2 == 0:
            t = tuple(v * v for v in x)
        s = s + sum(t) * x[k % 2]
    return s


def found_in_a_loop(x, least):
    for k in range(3):
        xs = [v * k for v in x]
        if xs[0] > least:
            return tuple(xs)
    return CONSTANTS


CONSTANTS = (1.0, 2.0, 0.5, 0.3)


@kept_in(RIGHT)
def of_tuples_found_in_loops(x):
    a, *_, b = found_in_a_loop(x, 0.5)
    return a * b * found_in_a_loop(x, 9.0)[1] * found_in_a_loop(x, 0.0)[-1] * x[0]


test_right = each_right(RIGHT, X, X_DOT)


test_refused = each_refused(REFUSED, X)


def test_returned_out_of_an_endless_loop() -> None:
    """The result has no value while what is returned is updated: nothing of it is kept there."""

    def series(x):
        while True:

            def factor(k):
                return 1 if k < 2 else k * factor(k - 1)

            t = 1.0
            for k in range(1, 4):
                t += x[0] ** k / factor(k)
            return t

    x = X.copy()
    assert_close(grad(series)(x), np.array([1.0 + x[0] + x[0] ** 2 / 2.0, 0.0, 0.0, 0.0]), "series")


def test_a_list_returned_out_of_a_loop() -> None:
    """The list has no length before it is returned."""

    def found(xs, least):
        for v in xs:
            if v > least:
                return tuple([v, 2 * v])
        return (0, 0)

    value, pullback = vjp(found, [1.0, 2.0], 1.0)
    assert value == (2.0, 4.0)
    assert pullback((1.0, 1.0)) == ([0.0, 3.0], 0.0)


def test_lists_that_are_read_before_they_have_a_value_raise() -> None:
    def summed(x):
        s = 0.0
        for k in range(3):
            if k == 1:
                xs = [v * v for v in x]
            s = s + sum(xs) * x[k]
        return s

    for derivative in (grad(summed), lambda x: hvp(summed)(x, X_DOT)):
        with pytest.raises(UnboundLocalError, match="'xs'"):
            derivative(X)
