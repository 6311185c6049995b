"""Values in f-strings that change something: what is read before and after is as it was then."""

from __future__ import annotations

import heapq
import random

import numpy as np
import pytest
from every_mode import Function, check_along, check_refused, kept_in, named

from tangentish import grad

X = np.array([0.7, 0.4, 0.9, 0.55])
V = np.array([0.3, -0.2, 0.5, 0.1])

PROGRAMS: list[Function] = []
program = kept_in(PROGRAMS)


@program
def filled_for_its_effect(x):
    y = x * 2
    s = np.sum(y**2)
    f"{y.fill(3.0)}"
    return np.sum(y * x) * s


@program
def bound_beside_each_other(x):
    a, width = x[0], 3
    text = f"{a:.3f} {(a := a * 2):{width}.2f} {a!r} {(width := 2)} {(b := x[1] * a):{width}}"
    return a * b * len(text[:1]) * width


@program
def constant_filled(x):
    w = np.ones(4)
    s = np.sum(x * w)
    f"{w.fill(3.0)}"
    return s * np.sum(x * w)


@program
def number_popped(x):
    xs = [x[0], x[1]]
    text = f"{xs.pop():.3f}"
    return xs[0] * len(xs) * len(text)


@program
def written_into_by_name(x):
    y = x * 1
    s = np.sum(x * y)
    f"{np.copyto(y, x * x)} {np.add(y, x, out=y)} {np.cumsum(x, 0, None, y)}"
    return s * np.sum(x * y)


@program
def heap_pushed_to(x):
    queue = [3.0, 1.0]
    s = x[0] * queue[0]
    f"{heapq.heappush(queue, 0.5)} {random.Random(1).shuffle(queue)}"
    return x[1] * queue[0] * s * queue[1]


@program
def sorted_on_each_trip(x):
    y = x * 1
    s = 0.0
    texts = []
    for k in range(3):
        s += np.sum(x * y)
        texts.append(f"step {k}: {y.sort()} {s:.3f}")
    return s * np.sum(y * y * x) * len(texts)


def doubled(a):
    a[0] = a[0] * 2 + a[-1]
    return 1.0


@program
def read_between_calls(x):
    y = x * 1
    text = f"{y[0]:.3f} {doubled(y)} {y[0]:.3f} {doubled(y):>{len(y)}}"
    return np.sum(x * y) * len(text)


@pytest.mark.parametrize("function", PROGRAMS, ids=named)
def test_in_every_mode(function):
    check_along(function, X, V)


def test_texts_are_made_in_turn():
    texts = []

    def kept(x):
        y = x * 1
        texts.append(f"{y[0]:.3f} {doubled(y)} {y} {doubled(y)} {y[0]:.3f}")
        return np.sum(x * y)

    kept(X)
    grad(kept)(X)
    assert texts[0] == texts[1]


def test_argument_is_left_as_it_was():
    def filled(x, w):
        s = np.sum(x * w)
        f"{w.fill(3.0)}"
        return s

    w = np.arange(4.0)
    assert np.array_equal(grad(filled)(X, w), np.arange(4.0))
    assert np.array_equal(w, np.arange(4.0))


def test_what_is_asked_in_a_test_is_refused():
    def asked(x):
        y = x * 1
        if f"{y.fill(2.0)}" == "None":
            return np.sum(y * x)
        return x[0]

    check_refused(asked, "call it on a line of its own", X)
