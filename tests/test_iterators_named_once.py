"""Iterators with a name for one loop or one call: zip, enumerate, map, generators of the user's and expressions."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_refused, each_right, named

from tangentish import grad

X = np.array([0.7, 1.4, 0.9])
ALONG = np.array([0.3, -1.0, 0.4])


def points(a, b, h):
    x = a + h
    while x < b - h:
        yield x
        x = x + h


def trapezia(x):
    steps = points(x[0], x[1], 0.15)
    s = 0.0
    for v in steps:
        s += v * v * x[2]
    return s


def pairs(x):
    z = zip(x, x[1:])
    s = 0.0
    for a, b in z:
        s += a * b
    return s


def counted_pairs(x):
    z = zip(x, x[1:])
    s, m = 0.0, 1.0
    for k, (a, b) in enumerate(z):
        s += k * a * b * m
    return s


def counted(x):
    s = 0.0
    e = enumerate(x)
    n = 0
    for i, b in e:
        s += i * b**2
        n += 1
    return s * n


def mapped(x):
    squares = map(lambda v: v * v, x)
    return sum(squares)


def expressed(x):
    squares = (v * v for v in x if v > 0.8)
    t = max(squares)
    return t * x[0]


def backwards(x):
    r = reversed(x)
    s = 1.0
    for i, v in enumerate(r):
        s = s * v + i
    return s


def on_every_trip(x):
    s = 0.0
    for k in range(3):
        z = zip(x, x[k:])
        for a, b in z:
            s += a * b
            if s > 3.0:
                break
    return s


def of_nothing(x):
    z = zip(x[:0], x)
    s = 1.0
    for a, b in z:
        s += a * b
    return s * x[0]


def shadowed(x):
    """Here it is a list."""

    def zip(a, b):
        return [(u, v) for u in a for v in b]

    z = zip(x, x)
    s = 0.0
    for a, b in z:
        s += a * b
    return s


def unpacked(x):
    waves = map(np.sin, x)
    a, b, c = waves
    return a * b + c


def doubled(xs):
    for v in xs:
        yield 2 * v


def of_each_other(x):
    twice = doubled(x)
    squares = (v * v for v in twice)
    listed = [v * x[2] for v in squares]
    return sum(listed)


def reduced(x):
    z = zip(x, x[::-1])
    products = (a * b for a, b in z)
    return functools.reduce(lambda s, v: s + v * v, products, 0.0)


def first_in_a_line(x):
    rows = map(lambda v: [v, v * v], x)
    return np.sum(np.array(list(rows)) @ np.array([1.0, 2.0]))


def after_what_is_read(x):
    terms = (v**k for k, v in enumerate(x))
    s = x[0]
    s *= x[1] * sum(terms)
    return s


def asked(x):
    far = (v > 1.3 for v in x)
    if any(far):
        return x[0] * x[1]
    return x[2]


def of_itertools(x):
    sums = itertools.accumulate(x)
    s = 1.0
    for v in sums:
        s *= v
    both = itertools.combinations(x, 2)
    return s * sum(a * b * b for a, b in both)


def curve(v):
    return v * v + 1.0


def after_other_lines(x):
    a, b, h = x[0], x[1], 0.15
    steps = points(a, b, h)
    y = 0.0
    y += h / 2.0 * curve(a)
    if y > 9.0:
        return y
    for v in steps:
        y += h * curve(v)
    return y + h / 2.0 * curve(b)


def of_a_list_that_grows(x):
    """It runs over what the list is when it is asked."""
    xs = [x[0], x[1]]
    twice = doubled(xs)
    t = added(xs, x[2])
    return t * sum(twice)


def of_a_start_that_changes(x):
    """It was given the first value."""
    a, b = x[0], x[1]
    steps = points(a, b, 0.15)
    a *= 2.0
    return a * sum(v * v for v in steps)


def of_what_a_pattern_binds(x):
    a, b = x[0], x[1]
    steps = points(a, b, 0.15)
    match [x[0] * x[2], b]:
        case [a, *_]:
            pass
    return a * sum(v * v for v in steps)


FUNCTIONS: list[Callable[..., Any]] = [
    after_other_lines, of_a_list_that_grows,
    trapezia, pairs, counted_pairs, counted, mapped, expressed, backwards, on_every_trip, of_nothing, shadowed,
    unpacked, of_each_other, reduced, first_in_a_line, after_what_is_read, asked, of_itertools,
]  # fmt: skip


test_every_mode = each_right(FUNCTIONS, X, ALONG)


def test_it_stands_in_the_loop() -> None:
    assert "z = " not in grad(pairs).source(X)


def used_up(x):
    squares = (v * v for v in x)
    return sum(squares) + sum(squares)


def changed_meanwhile(x):
    n = 1.0
    squares = (n * v for v in x)
    n = x[0]
    return sum(squares)


def run_over_on_each_trip(x):
    squares = (v * v for v in x)
    s = 0.0
    for _ in range(2):
        for v in squares:
            s += v
    return s


def after_a_call(x):
    """What is between the two lines may tell."""
    xs = [x[0], x[1]]
    later = zip(xs, xs[1:])
    return added(xs, x[2]) + sum(a * b for a, b in later)


def added(xs, v):
    xs.append(v)
    return v


@pytest.mark.parametrize(
    "f",
    [
        used_up, changed_meanwhile, run_over_on_each_trip, of_a_start_that_changes,
        of_what_a_pattern_binds,
    ],
    ids=named,
)  # fmt: skip
def test_others_are_refused(f: Callable[..., Any]) -> None:
    check_refused(f, "a generator that is kept is not followed", X)


def test_what_comes_between_may_tell() -> None:
    check_refused(after_a_call, "zip can't be differentiated", X)
