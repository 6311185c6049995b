"""Arrays that a given object, or a given list, holds, which carry no derivative and are written to under other names."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numeric import assert_close, numeric_gradient

from tangentish import NotDifferentiable, grad, jvp, vjp

X = np.array([0.7, 0.4])
V = np.array([0.3, -0.2])


class Inner:
    def __init__(self):
        self.w = np.ones(2)

    def weighted(self, x):
        return np.sum(x * self.w)


class Model:
    def __init__(self):
        self.w = np.ones(2)
        self.ws = [np.ones(2), np.full(2, 2.0)]
        self.inner = Inner()
        self.buffer = np.zeros(2)
        self.n = 3

    def held(self) -> list[Any]:
        return [self.w, *self.ws, self.inner.w, self.buffer]

    def everything(self, x):
        return np.sum(x * self.w) * np.sum(x + self.buffer) * self.inner.weighted(x)

    def put(self, v):
        self.buffer[:] = v

    def __call__(self, x):
        return np.sum(x * self.buffer)

    def weighted(self, x):
        return np.sum(x * self.w)


def helper(o, x):
    return np.sum(x * o.w) + np.sum(o.buffer * x)


def raised(x, o):
    s = np.sum(x * o.w)
    q = o.w
    q += 1
    return s


def raised_in_a_loop(x, o):
    s = np.sum(x * o.w)
    for q in [o.w]:
        q += 1
    return s


def raised_inside(x, o):
    s = np.sum(x * o.inner.w)
    q = o.inner.w
    for k in range(3):
        q[0] += k
        s = s + np.sum(x * o.inner.w) ** 2
    return s * np.sum(x * o.inner.w)


def one_of_two(x, o):
    s = o.weighted(x)
    q = o.w if x[0] > 0 else o.inner.w
    q[:] = 7
    return s * o.weighted(x)


def unpacked(x, o):
    s = x[0] * o.w[0]
    a, b = o.w, o.n
    a *= b
    return s * np.sum(x * o.w)


def viewed(x, o):
    s = x[0] * o.w[1]
    np.multiply(o.w, 2, out=o.w)
    w = o.w[1:]
    w += 1
    return s * np.sum(x * o.w)


def scratch(x, o):
    buffer = o.w
    for k in range(3):
        buffer[0] = k + 1.0
        buffer[1] = buffer[0] ** 2
        x = x * buffer
    return np.sum(x)


def in_a_list_of_arrays(x, o):
    s = x[0] * o.ws[0][0]
    for w in o.ws:
        w *= 3
        s = s + np.sum(x * o.ws[1]) ** 2
    return s * np.sum(x * o.ws[0])


def into_a_buffer(x, o):
    b = o.buffer
    b[:] = x * 2
    return o.everything(x) * helper(o, x)


def into_a_buffer_by_a_method(x, o):
    o.put(x * x)
    s = o.everything(x)
    o.put(3.0)
    return s * o.everything(x) * o(x)


def by_a_second_name_of_the_object(x, o):
    p = o
    b = p.buffer
    b[:] = x
    return o.everything(x) * p.everything(x)


def inside_of_an_object_it_holds(x, o):
    b = o.inner.w
    b[:] = x * 2
    s = o.inner.weighted(x)
    b[0] = 5
    return o.everything(x) * s


def a_copy_of_the_object(x, o):
    b = o.buffer
    b[:] = x
    other = copy.copy(o)
    b[0] = 3
    return other(x) * o(x)


def on_some_trips(x, o):
    b = o.buffer
    for k in range(3):
        b[:] = x * k
        x = x * (1 + o(x))
        if k == 1:
            o.w[0] = 9
    for _ in range(0):
        b[:] = 7
    return o.everything(x)


def raised_before_an_exception(x, o):
    try:
        b = o.w
        b += np.ones(2)
        raise ValueError
    except ValueError:
        pass
    return o.everything(x)


def bound_anew_after(x, o):
    b = o.w
    b += 1
    o.w = x * 2
    return o.weighted(x) * b[0]


FUNCTIONS: list[Callable[..., Any]] = [
    raised, raised_in_a_loop, raised_inside, one_of_two, unpacked, viewed, scratch, in_a_list_of_arrays,
    into_a_buffer, into_a_buffer_by_a_method, by_a_second_name_of_the_object, inside_of_an_object_it_holds,
    a_copy_of_the_object, on_some_trips, raised_before_an_exception, bound_anew_after,
]  # fmt: skip


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_right_and_left_as_it_was(f: Callable[..., Any]) -> None:
    def at(x: np.ndarray) -> Any:
        return f(x, Model())

    expected = numeric_gradient(at, (X,), 0, 1.0)
    o = Model()
    assert_close(grad(f)(X, o), expected, "grad")
    assert_close(jvp(f, (X, o), (V, None))[1], expected @ V, "jvp")
    _, pullback = vjp(f, X, o)
    for _ in range(2):
        assert_close(pullback(1.0)[0], expected, "vjp")
    for now, before in zip(o.held(), Model().held(), strict=True):
        assert np.array_equal(now, before)


def of_a_list(x, ws, notes):
    s = x[0] * ws[0][0]
    for w in ws:
        w *= 3
    notes.append(len(ws))
    return s * np.sum(x * ws[0])


def test_arrays_in_a_list_are_left_and_notes_are_taken() -> None:
    ws, notes = [np.ones(2)], []
    expected = numeric_gradient(lambda x: of_a_list(x, [np.ones(2)], []), (X,), 0, 1.0)
    assert_close(grad(of_a_list)(X, ws, notes), expected, "grad")
    assert_close(vjp(of_a_list, X, ws, notes)[1](1.0)[0], expected, "vjp")
    assert np.array_equal(ws[0], np.ones(2))
    assert notes == [1, 1]


def set_again(x, o):
    o.n = o.n * 2
    return x[0] ** 2 * o.n * x[1]


def set_to_what_varies(x, o):
    o.n = x[1]
    return x[0] ** 2 * o.n * o.n


def set_on_each_trip(x, o):
    for _ in range(3):
        o.n += 1
        x = x * o.n
    return x[0] ** 2 * x[1]


@pytest.mark.parametrize("f", [set_again, set_to_what_varies, set_on_each_trip])
def test_gradient_of_a_gradient(f: Callable[..., Any]) -> None:
    slope, o = grad(f), Model()
    expected = numeric_gradient(lambda x: np.sum(slope(x, Model()) * V), (X,), 0, 1.0)
    assert_close(grad(lambda x, o: np.sum(slope(x, o) * V))(X, o), expected, "twice")
    assert o.n == 3


@pytest.mark.parametrize("f", [raised, viewed, in_a_list_of_arrays])
def test_gradient_of_one_that_writes_is_refused(f: Callable[..., Any]) -> None:
    slope = grad(f)
    with pytest.raises(NotDifferentiable, match="writes to its arguments"):
        grad(lambda x, o: np.sum(slope(x, o) * V))(X, Model())


def converted(ts, alpha):
    for k in range(len(ts)):
        ts[k] = (ts[k] - 32) / 2
    return ts[0] * alpha


def under_another_name(ts, alpha):
    us = ts
    us[0] *= 2
    return sum(ts) * alpha**2


def taken_out(ts, alpha):
    return ts.pop() * alpha**2


def turned(ts, alpha):
    ts.reverse()
    return np.sum(np.array(ts) * np.arange(2)) * alpha**2


def exchanged(ts, alpha):
    ts[0], ts[1] = ts[1], ts[0]
    return (ts[0] - 2 * ts[1]) * alpha**2


@pytest.mark.parametrize("f", [converted, under_another_name, taken_out, turned, exchanged])
@pytest.mark.parametrize("given", [[60.0, 70.0], [60, 70]])
def test_lists_that_are_computed_with_are_left(f: Callable[..., Any], given: list[Any]) -> None:
    ts = list(given)
    expected = numeric_gradient(lambda alpha: f(list(given), alpha), (0.8,), 0, 1.0)
    for _ in range(2):
        assert_close(grad(f, wrt="alpha")(ts, 0.8), expected, "grad")
        assert_close(vjp(f, ts, 0.8)[1](1.0)[1], expected, "vjp")
        assert_close(jvp(f, (ts, 0.8), (None, 1.0))[1], expected, "jvp")
    assert ts == given
