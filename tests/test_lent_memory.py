"""Arrays without a derivative that something else may hold: what it gives may lie in their memory."""

from __future__ import annotations

import collections
import copy
import itertools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numeric import assert_close, numeric_gradient

from tangentish import NotDifferentiable, grad, hvp, jvp

X = np.array([0.7, 1.3, 0.4, 2.1])


class Box:
    def __init__(self, held):
        self.held = held

    def get(self):
        return self.held

    def bump(self):
        self.held += 1


Pair = collections.namedtuple("Pair", "first second")


def by_a_view(x):
    d, s = np.ones(4), 0.0
    for _ in range(3):
        w = d.view()
        s += w @ x
        d += 1
    return s


def by_an_object(x):
    d, s = np.ones(4), 0.0
    box = Box(d)
    for _ in range(3):
        w = box.get()
        s += w @ x
        d += 1
    return s


def by_bytes(x):
    d, s = np.ones(4), 0.0
    for _ in range(3):
        w = np.frombuffer(d)
        s += w @ x
        d += 1
    return s


def by_a_memoryview(x):
    d, s = np.ones(4), 0.0
    m = memoryview(d)
    for _ in range(3):
        w = np.asarray(m)
        s += w @ x
        d += 1
    return s


def by_a_shallow_copy(x):
    d, s = np.ones(4), 0.0
    xs = [d]
    for _ in range(3):
        w = copy.copy(xs)[0]
        s += w @ x
        d += 1
    return s


def by_a_deque(x):
    d, s = np.ones(4), 0.0
    q = collections.deque([d])
    for _ in range(3):
        w = q[0]
        s += np.sum(w * x * x)
        d[1] += 1
    return s


def by_a_named_tuple(x):
    d = np.ones(4)
    n = Pair(d, 2.0)
    a = x * n.first
    n.first[0] = 7.0
    return np.sum(a * x) * n.second


def by_what_repeats_it(x):
    d, s = np.ones(4), 0.0
    for _, w in zip(range(3), itertools.repeat(d)):
        s += w @ x
        d += 1
    return s


def in_place_by_an_operator(x):
    d, s = np.ones(4), 0.0
    for _ in range(3):
        w = operator.iadd(d, 1.0)
        s += w @ x
    return s


def in_place_by_its_method(x):
    d, s = np.ones(4), 0.0
    for _ in range(3):
        w = d.__iadd__(1.0)
        s += w @ x
    return s


def written_by_the_view(x):
    d, s = np.ones(4), 0.0
    for _ in range(3):
        w = d.view()
        s += d @ x
        w += 1
    return s


def written_by_the_copy(x):
    d, s = np.ones(4), 0.0
    q = copy.copy([d])
    for _ in range(3):
        s += np.sum(d * x * x)
        q[0] *= 2
    return s


def written_by_the_object(x):
    d, s = np.ones(4), 0.0
    box = Box(d)
    for _ in range(3):
        s += d @ x
        box.bump()
    return s


def given_to_a_callee(x):
    def inner(x, d, box):
        w = box.get()
        r = np.sum(w * x * x)
        d += 1
        return r

    d, s = np.ones(4), 0.0
    box = Box(d)
    for _ in range(3):
        s += inner(x, d, box)
    return s


class Source:
    """Gives the same memory again and again."""

    def __init__(self, n=0):
        self.left = n
        self.buffer = np.zeros(4)

    def step(self):
        self.buffer += 1
        return self.buffer

    def __iter__(self):
        return self

    def __next__(self):
        if not self.left:
            raise StopIteration
        self.left -= 1
        return self.step()


def batches(n):
    buffer = np.zeros(4)
    for _ in range(n):
        buffer += 1
        yield buffer


def pairs(n):
    for buffer in batches(n):
        yield buffer[:2], buffer[2:]


SOURCE = Source()


def steps_of_an_object_outside(x):
    SOURCE.buffer[:] = 0
    s = 0.0
    for _ in range(3):
        s += np.sum(SOURCE.step() * x * x)
    return s


def looked_at(x):
    return np.sum(SOURCE.buffer * x * x)


def stepped(x):
    return np.sum(SOURCE.step() * x * x)


def in_helpers(x):
    SOURCE.buffer[:] = 0
    s = 0.0
    for _ in range(3):
        s += looked_at(x) * stepped(x)
    return s


def held_by_an_object_outside(x):
    SOURCE.buffer[:] = 0
    s = 0.0
    for _ in range(3):
        s += np.sum(SOURCE.buffer * x * x)
        SOURCE.step()
    return s


def over_a_generator(x):
    s = 0.0
    for w in batches(3):
        s += np.sum(w * x)
    return s + sum(w @ (x * x) for w in batches(2))


def over_an_iterator(x):
    s = 0.0
    for k, w in enumerate(Source(3)):
        s += np.sum(np.sin(w * x)) * k
    for w in Source(2):
        s += w @ x
    return s


def over_pairs(x):
    s = 0.0
    for a, b in pairs(3):
        s += a @ x[:2] + np.sum(b * x[2:])
    for p in pairs(2):
        s += p[0] @ x[2:] + np.sum(p[1] * x[:2])
    return s


def one_after_another(x):
    s, source = 0.0, batches(3)
    for _ in range(3):
        w = next(source)
        s += np.sum(w * x * x)
    return s


def drawn_into_an_array(x):
    rng, buffer, s = np.random.default_rng(3), np.empty(4), 0.0
    for _ in range(3):
        rng.standard_normal(out=buffer)
        s += np.sum(buffer * x * x)
    return s


RIGHT = [
    drawn_into_an_array, steps_of_an_object_outside, in_helpers, held_by_an_object_outside, over_a_generator, over_an_iterator, over_pairs, one_after_another,
    by_a_view, by_an_object, by_bytes, by_a_memoryview, by_a_shallow_copy, by_a_deque, by_a_named_tuple,
    written_by_the_object, by_what_repeats_it, written_by_the_view, written_by_the_copy,
]  # fmt: skip
REFUSED = {
    in_place_by_an_operator: "gives it back",
    in_place_by_its_method: "gives it back",
    given_to_a_callee: "two arguments share memory",
}


@pytest.mark.parametrize("function", RIGHT, ids=lambda f: f.__name__)
def test_it_is_copied(function: Callable[[Any], Any]) -> None:
    expected = numeric_gradient(function, [X], 0, 1.0)
    assert_close(grad(function)(X), expected, "x")
    step = np.array([0.3, -1.1, 0.8, 0.4])
    np.testing.assert_allclose(jvp(function, (X,), (step,))[1], expected @ step, 1e-6)
    ahead, behind = (numeric_gradient(function, [X + h * step], 0, 1.0) for h in (1e-4, -1e-4))
    np.testing.assert_allclose(hvp(function)(X, step), (ahead - behind) / 2e-4, 1e-3, 1e-4)


@pytest.mark.parametrize("function", REFUSED, ids=lambda f: f.__name__)
def test_it_is_refused(function: Callable[[Any], Any]) -> None:
    with pytest.raises(NotDifferentiable, match=REFUSED[function]):
        grad(function)(X)
