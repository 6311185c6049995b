"""What a gradient is computed from at once is not copied first, nor is all of a gradient that others gave and that stays."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import check_along, kept_in, named
from numeric import assert_close

from tangentish import grad, vjp

FUNCTIONS = []
right = kept_in(FUNCTIONS)
X = np.array([0.7, 0.4, 0.9, 0.55])
ALONG = np.array([0.3, -0.7, 0.5, 0.2])


class Flow:
    def __init__(self, step):
        self.step = step

    def filled(self, x):
        c = np.zeros(x.size + 1)
        c[1:] = 1 - x * self.step
        return c


def filled(x, h):
    c = np.zeros_like(x)
    r = x[1:] * h
    c[1:] -= r * Flow(h).step
    return c


def stepped(x, h):
    c = np.zeros_like(x)
    c[0] = 1
    for _ in range(3):
        r = x[1:] * c[:-1]
        c[1:] -= r * h
    return c


@right
def of_a_method(x):
    return np.sum(np.sin(Flow(0.3).filled(x)))


@right
def of_a_method_twice(x):
    flow = Flow(0.3)
    c = flow.filled(x)
    return np.sum(c * np.sin(flow.filled(c)[1:]))


@right
def of_a_row_beside_its_array(x):
    rows = np.sin(np.reshape(x, (2, 2)))
    q, r = rows * 2, rows**2
    w = rows[1]
    a = q * w[0]
    b = r * w[1]
    t = rows + a + b
    return np.sum(t**2)


@right
def of_a_helper(x):
    return filled(x, 0.2) @ stepped(x, 0.4)


def penalised(p, x):
    y = x @ p["w"] + p["b"]
    return np.sum(y**2) + 0.1 * sum(np.sum(v**2) for v in p.values())


@right
def of_a_penalty(x):
    return penalised({"w": np.outer(x, x), "b": np.sin(x)}, x)


class Chain:
    def __init__(self, parts):
        self.parts = parts

    def applied(self, x):
        for part in self.parts:
            x = part * np.sin(x)
        return x


@right
def of_what_an_object_keeps(x):
    return np.sum(Chain([v * x for v in x]).applied(x))


@right
def steps_in_rows(x):
    h = np.zeros((4, x.size))
    h[0] = x
    for k in range(3):
        h[k + 1] = h[k] + 0.3 * np.sin(h[k]) * h[k, 0]
        h[k + 1, 0] = h[k, 1] * x[0]
    return np.sum(h[3] ** 2)


@right
def rows_from_the_last(x):
    h = np.zeros((3, x.size))
    h[-1] = x
    for k in range(3):  # the first row is made of the last
        h[k] = h[k - 1] + 0.3 * np.sin(h[k - 1]) * x
    return np.sum(h[2] ** 2)


@right
def one_row_alone(x):
    h = np.sin(x)[None, :]
    for k in range(0, -2, -1):
        h[k] = 0.3 * h[k] ** 2 + x * h[k, 0]
    return np.sum(h**2)


@right
def rows_by_a_counter_that_moves(x):
    h = np.sin(np.outer(x, x))
    for k in range(3):
        row = h[k + 1]
        row *= h[k]
        k += 1
        h[k] += row * h[k - 1, 0]
    return np.sum(h**2)


@right
def ends_of_a_rod(x):
    u = x * 1.0
    for _ in range(3):
        u[1:-1] += 0.1 * (u[2:] * u[:-2] - u[1:-1])
        u[0] = 0.7 * u[1] ** 2
        u[-1] = u[-2]
    return np.sum(u**2)


@right
def scaled_by_another_place(x):
    a = np.outer(x, x) * 1.0
    a[1:] *= a[0]
    a[0] = a[2] * a[3, 1]
    for i in range(1, 4):
        a[i][1:] *= a[i][0]
        a[i - 1] = a[i - 1] / a[i]
    return np.sum(np.sin(a))


@right
def rows_told_by_loops(x):
    a = np.outer(x, x) + 3 * np.eye(4)
    n = a.shape[0]
    for k in range(n - 1):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :]
    for i in range(3, 0, -1):
        for j in range(i):
            a[i] = a[i] * a[j]
        a[i:] *= a[i - 1]
        a[:i] = 0.2 * a[i]
    return np.sum(np.sin(a))


@right
def rows_exchanged_and_eliminated(x):
    a = np.outer(x, x) + np.diag(x) + np.eye(4)[::-1]
    for k in range(3):
        if k:
            a[[0, k]] = a[[k, 0]]
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return np.sum(np.sin(a))


@right
def rows_told_by_loops_that_meet(x):
    a = np.cos(np.outer(x, x))
    for i in range(1, 3):
        for j in range(i + 1):
            a[i] = np.cos(a[i]) * a[j]
        for j in range(i, 3):
            a[j] *= np.cos(a[i - 2])  # from the end, too
        for j in range(-1, i):
            a[i] = np.sin(a[j]) * a[i]
        for j in range(i - 1, -1, -1):
            a[j] = np.cos(a[i - 1]) * a[j]  # the first time one row
        for j in range(i + 1, 0, -2):
            a[:j] *= np.cos(a[i])
            a[j:] = a[j:] * np.cos(a[i])
    return np.sum(a**2)


@right
def places_that_may_meet(x):
    a = x * 1.0
    for i in range(4):
        a[i] = a[i] * a[i - 1]  # the first by the last
    n = 1
    a[:n] *= a[n - 1]
    b = a[:1] * 1.0
    b[-1] = b[0] ** 2  # one place
    row = a[1:3]
    row[:] = row[::-1] * a[2]
    return np.sum(a**2) * b[0]


@right
def kept_before_it_is_set(x):
    a = x * 1.0
    kept = []
    for k in (0, 1):
        a[2:] = kept[-1] * a[k] if kept else a[:2] * a[k]
        kept.append(a[2:] + 1.0)
    v = np.zeros(2)
    v[:] = a[2:]
    a[2:] = v * kept[0]
    v *= a[2:]
    return np.sum(a**3) * np.sum(kept[1]) * v[0] * v[1]


@right
def on_halves(x):
    a = x * 1.0
    n = a.size // 2
    a[:n] *= a[n:]
    a[n:] += np.sin(a[:n])
    a[:n] = a[n:] * a[3]
    return np.sum(a**2)


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_along(function):
    check_along(function, X, ALONG)


def test_what_is_computed_with_is_not_copied():
    text = grad(filled).source(X, 0.3)
    assert "copy" not in text
    text = grad(of_a_method).source(X)
    assert "dc[1:]" in text
    assert ".copy()" not in text
    assert ".copy()" not in grad(penalised).source({"w": np.outer(X, X), "b": X}, X)
    assert "= copied(dself_parts)" not in grad(of_what_an_object_keeps).source(X)
    assert "g = dh[k + 1]\n" in grad(steps_in_rows).source(X)
    assert "g = dh[k].copy()\n" in grad(rows_from_the_last).source(X)


def test_what_is_written_to_is_copied():
    head = np.array([1.0, 2.0, -1.0, 0.5])
    for function in (filled, stepped):
        before = head.copy()
        back = vjp(function, X, 0.3)[1]
        weighted = grad(lambda x, f=function: f(x, 0.3) @ before)
        assert_close(back(head)[0], weighted(X), function.__name__)
        assert np.array_equal(head, before)
    assert ".copy()" not in grad(rows_told_by_loops).source(X).split("# return")[1]
    text = grad(rows_exchanged_and_eliminated).source(X).split("# return")[1]
    assert "np.copy" not in text
    assert "dx[1:] *= x[0]" in grad(tail_scaled_by_the_first).source(X)
    assert ".copy()" not in grad(tail_scaled_by_the_first).source(X).split("return")[1]


def tail_scaled_by_the_first(x):
    x[1:] *= x[0]
    return np.sum(x**2)
