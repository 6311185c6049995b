"""Arrays that each trip of a loop makes: what they held at first is not brought back, unless a later trip knows them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numeric import assert_close, numeric_gradient

from tangentish import grad, vjp


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


def handed_on(u, k):
    for t in range(4):
        v = u.copy()
        v[1:-1] = u[1:-1] + k * (u[2:] - 2 * u[1:-1] + u[:-2]) * u[1:-1]
        u = v
    return np.sum(u * u)


def handed_on_by_elements(u, k):
    t = 0
    while t < 3:
        v = np.zeros_like(u)
        v[0], v[-1] = u[0] * k, u[-1] ** 2
        for i in range(1, len(u) - 1):
            v[i] = u[i] + 0.1 * (u[i + 1] - 2 * u[i] + u[i - 1]) * u[i]
        u = v
        t += 1
    return np.sum(u * u * u)


def handed_on_and_read_while_it_is_made(u, k):
    s = 0.0
    for t in range(3):
        v = np.zeros_like(u)
        v[0] = u[1] * k
        v[1:] = u[:-1] * v[0]
        s += v[1] * v[0] * u[2]
        v[0] = v[1] * v[0]
        v *= u * k
        v[-1] = v[0] ** 2
        u = v
    return s + np.sum(u * u)


def handed_on_beside_another_name_of_the_last(u, k):
    u = u * 1.0
    for t in range(3):
        v = np.zeros_like(u)
        w = u
        v[0] = w[1] * w[0]
        w[0] = w[1] * w[2] * k
        v[1] = u[0] * w[0]
        v[2] = v[1] * u[0]
        u = v
    return np.sum(u * u)


def handed_on_in_two_names(u, k):
    old, now = u * k, u * 1.0
    for t in range(3):
        v = np.empty_like(u)
        v[:] = now * old
        v[0] = now[1] * old[2] * v[1]
        v[1] = old[0] * now[1] * v[0]
        old, now = now, v
    return np.sum(now * now * old)


def handed_on_on_one_way(u, k):
    s = 0.0
    for t in range(4):
        v = u * 0.0
        v[1:] = u[:-1] * k
        v[0] = u[0] * v[1]
        if t % 2:
            u = v
        s += u[0] * np.sum(u)
    return s


def handed_on_as_a_view(u, k):
    for t in range(3):
        v = np.zeros_like(u)
        v[0] = u[-1] * u[0]
        w = v[1:]
        w[:] = u[1:] * v[0] * k
        v[0] = w[0] * u[0]
        u = v[::-1]
    return np.sum(u * u) + u[0]


def handed_on_left_by_break(u, k):
    for t in range(5):
        v = u * k
        v[0] = v[0] * v[1]
        if np.sum(v) > 3.0:
            break
        v[1] = v[0] * u[2]
        u = v
    return np.sum(u * u * v)


def handed_on_inside(u, k):
    s = 0.0
    for j in range(2):
        for t in range(2):
            v = np.zeros_like(u)
            v[:-1] = u[1:] * u[:-1]
            v[-1] = v[0] * k
            u = v
        s += u[0] * v[1]
        u = np.cos(u) + v
        u[0] = s * u[1]
    return s + np.sum(u)


PROGRAMS: list[Callable[..., Any]] = [
    local_stencil, carried_by_a_second_name, carried_in_a_list, carried_under_its_own_name, carried_by_a_closure,
    made_by_a_helper, used_after_the_loop, inner_loops, two_that_take_turns, in_a_list_that_each_trip_makes,
    handed_on, handed_on_by_elements, handed_on_and_read_while_it_is_made, handed_on_beside_another_name_of_the_last,
    handed_on_in_two_names, handed_on_on_one_way, handed_on_as_a_view,
    handed_on_left_by_break, handed_on_inside,
    ]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_gradients(f: Callable[..., Any]) -> None:
    args = np.array([0.7, 1.1, 0.6, 0.9]), 1.3
    gradients = grad(f, wrt=(0, 1))(*args)
    for position, gradient in enumerate(gradients):
        assert_close(gradient, numeric_gradient(f, args, position, 1.0), f.__name__)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_pullbacks_twice(f: Callable[..., Any]) -> None:
    args = np.array([0.7, 1.1, 0.6, 0.9]), 1.3
    _, pullback = vjp(f, *args)
    first, second = pullback(1.0), pullback(1.0)
    assert_close(first[0], numeric_gradient(f, args, 0, 1.0), f.__name__)
    assert np.array_equal(first[0], second[0])


def test_what_a_trip_makes_is_not_brought_back() -> None:
    text = grad(local_stencil).source(np.ones(4), 0.5)
    assert text.count("tape.append") == 1
    assert "lap[1:-1] = lap" not in text


@pytest.mark.parametrize("f", [handed_on, handed_on_by_elements], ids=lambda f: f.__name__)
def test_what_a_trip_hands_on_is_not_brought_back(f: Callable[..., Any]) -> None:
    text = grad(f).source(np.ones(4), 0.5)
    assert "v_tape" not in text
    assert "v" not in re.findall(r"\w+", re.sub(r"#.*", "", text.partition("# return")[2]))
