"""Arrays that each trip of a loop makes: what they held at first is not brought back, unless a later trip knows them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numeric import assert_close, numeric_gradient

from tangentish import grad


def local_stencil(u, k):
    u = u.copy()
    for _ in range(3):
        lap = np.zeros(len(u))
        lap[1:-1] = u[2:] - 2 * u[1:-1] + u[:-2]
        u += k * lap * lap
    return np.sum(u * u)


def carried_by_a_second_name(u, k):
    old = u * 1.0
    s = 0.0
    for i in range(3):
        lap = np.zeros(len(u))
        lap[1] = k * u[i] * old[1]
        s += np.sum(lap * lap * old)
        lap[1] = old[0] * k
        lap[0] = lap[1] * lap[1]
        old = lap
    return s + np.sum(old * old)


def carried_in_a_list(u, k):
    kept = [u * 1.0]
    s = 0.0
    for i in range(3):
        row = np.zeros(len(u))
        row[0] = u[i] * k
        row[1] = row[0] * kept[-1][0]
        kept.append(row)
        kept[-2][1] = row[1] * row[0] * kept[-2][0]
        s += kept[i][1] * kept[i][0]
    return s


def carried_under_its_own_name(u, k):
    w = u * k
    s = 0.0
    for i in range(3):
        s += w[0] * w[1] * u[i]
        w[0] = w[0] * w[1]
        s += np.sin(w[0]) * w[1]
        w = np.zeros(len(u)) + w
        w[1] = np.tanh(w[1] * w[0] * k)
        w[0] = np.cos(w[1])
    return s * w[1]


def carried_by_a_closure(u, k):
    s = 0.0
    w = u * 1.0

    def squared():
        return np.sum(w * w)

    for i in range(3):
        s += squared() * k
        w = np.ones(len(u))
        w[i] = u[i] * s
        w[0] = w[i] * w[1]
    return s + squared()


def made_by_a_helper(u, k):
    def made(a):
        out = np.zeros(len(a))
        out[:-1] = a[1:] * a[:-1]
        return out

    s = 0.0
    for i in range(3):
        v = made(u)
        v[0] = v[0] * v[1] * k
        w = v[1:]
        w[0] *= u[i]
        s += np.sum(v * v * v)
    return s


def used_after_the_loop(u, k):
    for i in range(3):
        v = np.zeros(len(u))
        v[0] = u[i] * k
        v[1] = v[0] * u[1]
        v[0] = v[1] * v[0]
    return np.sum(v * v)


def inner_loops(u, k):
    s = 0.0
    i = 0
    while i < 3:
        row = np.zeros(len(u))
        for j in range(len(u)):
            cell = np.ones(2)
            cell[0] = u[j] * k
            cell[1] = cell[0] * row[j - 1]
            row[j] = cell[0] * cell[1] + u[i]
            cell[0] = row[j]
            s += cell[0] * cell[1]
        i += 1
        if s > 100:
            break
    return s


def two_that_take_turns(u, k):
    a, b = u * 1.0, u * k
    for i in range(3):
        c = np.zeros(len(u))
        c[1:] = a[:-1] * b[1:]
        a, b = b, c
        a[0] = a[0] * b[1] * u[i]
    return np.sum(a * a * b) + np.sum(a)


def in_a_list_that_each_trip_makes(u, k):
    s = 0.0
    for i in range(3):
        parts = [u * (j + i) for j in range(3)]
        parts[0][1] = parts[1][0] * k
        parts[1] = parts[0] * parts[1]
        parts.append(parts[1] * parts[2])
        s += np.sum(parts[-1] * parts[0])
    return s


PROGRAMS: list[Callable[..., Any]] = [
    local_stencil, carried_by_a_second_name, carried_in_a_list, carried_under_its_own_name, carried_by_a_closure,
    made_by_a_helper, used_after_the_loop, inner_loops, two_that_take_turns, in_a_list_that_each_trip_makes,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_gradients(f: Callable[..., Any]) -> None:
    args = np.array([0.7, 1.1, 0.6, 0.9]), 1.3
    gradients = grad(f, wrt=(0, 1))(*args)
    for position, gradient in enumerate(gradients):
        assert_close(gradient, numeric_gradient(f, args, position, 1.0), f.__name__)


def test_what_a_trip_makes_is_not_brought_back() -> None:
    text = grad(local_stencil).source(np.ones(4), 0.5)
    assert text.count("tape.append") == 1
    assert "lap[1:-1] = lap" not in text
