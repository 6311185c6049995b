"""Shifts by an extreme that cancel have no gradient in the text; those that do not, or may not, have one.

Every function is right either way: against numeric derivatives, in both modes, and its second derivative.
"""

from __future__ import annotations

import numpy as np
import pytest
from corpus import values
from every_mode import Function, check_in_every_mode, kept_in

from tangentish import grad

CANCELS: list[Function] = []
STAYS: list[Function] = []
cancels, stays = kept_in(CANCELS), kept_in(STAYS)


@cancels
def softmax(x):
    e = np.exp(x - np.max(x))
    return np.sum((e / np.sum(e)) ** 2)


@cancels
def rows_in_place(x):
    s = x @ x.T / np.sqrt(2.0)
    s = s - s.max(axis=-1, keepdims=True)
    e = np.exp(s)
    e /= e.sum(axis=-1, keepdims=True)
    return np.sum((e @ x) ** 2)


@cancels
def taken_off_in_place(x):
    s = x @ x.T
    s -= s.max(axis=1, keepdims=True)
    return np.sum((s - np.log(np.sum(np.exp(s), axis=1, keepdims=True))) ** 2)


@cancels
def taken_off_in_place_on_every_trip(x):
    total = 0.0
    for k in range(3):
        s = x * k
        m = s.max()
        s -= m
        total += np.sum((np.exp(s) / np.exp(s).sum()) ** 2)
    return total


@cancels
def log_sum_exp_of_rows(x):
    m = np.max(x, axis=1)
    return np.sum((m + np.log(np.sum(np.exp(x - m[:, None]), axis=1))) ** 2)


@cancels
def kept_axis_taken_off(x):
    m = np.max(x, axis=1, keepdims=True)
    return np.sum((m[:, 0] + np.log(np.sum(np.exp(x - m), axis=1))) ** 2)


@cancels
def squeezed(x):
    m = np.max(x, axis=1, keepdims=True)
    return np.sum((np.squeeze(m, axis=1) + np.log(np.sum(np.exp(x - m), axis=1))) ** 2)


def _log_sum_exp(x, axis=None, keepdims=True):
    m = np.max(x, axis=axis, keepdims=keepdims)
    return m.squeeze(axis) + np.log(np.sum(np.exp(x - m), axis))


@cancels
def axis_is_a_parameter(x):
    return np.sum(_log_sum_exp(x, 1) ** 2)


@stays
def taken_off_in_place_and_read_on_the_next_trip(x):
    s, total = x * 0.5, 0.0
    for _ in range(2):
        total += np.sum(s**2)
        s -= s.max()
        total += np.sum(np.exp(s) / np.exp(s).sum() * x)
    return total


@stays
def taken_off_in_place_of_what_stays(x):
    s, last, total = x * 0.5, x * 0.0, 0.0
    for k in range(2):
        total += np.sum(last**2)
        last = x * (k + 1.0)
        last -= last.max()
        total += np.sum(np.exp(last) / np.exp(last).sum() * s)
    return total


@stays
def squeezed_otherwise(x):
    m = np.max(x, axis=1, keepdims=True)
    return np.sum((np.squeeze(m) + np.log(np.sum(np.exp(x - m), axis=1))) ** 2)


@stays
def other_axis_is_squeezed(x):
    m = np.max(x, axis=1, keepdims=True)
    return np.sum(m.squeeze(1) * np.log(np.sum(np.exp(x - m), axis=0))[0])


@cancels
def with_a_temperature(x):
    temperature = np.sum(x[0] ** 2)
    m = np.max(x)
    e = np.exp((x - m) / temperature)
    return m / temperature + np.log(e.sum())


@cancels
def roots_and_powers(x):
    e = np.exp(2 * (x - np.max(x)))
    return np.sum(np.sqrt(e) / np.sum(e**0.5) * x)


@cancels
def in_a_loop(x):
    total = 0.0
    for i in range(3):
        m = np.max(x[i])
        e = np.exp(x[i] - m)
        p = e / np.sum(e)
        total = total + np.sum(p**2)
    return total


@cancels
def of_numbers(x):
    a, b = x[0, 0], x[1, 1]
    m = max(a, b)
    return (m + np.log(np.exp(a - m) + np.exp(b - m))) ** 2


@cancels
def of_two_arrays(x):
    a, b = x[0], x[1]
    m = np.maximum(a, b)
    return np.sum((m + np.log(np.exp(a - m) + np.exp(b - m))) ** 2)


@cancels
def masked(x):
    e = np.where(x > 0, np.exp(x - np.max(x)), 0.0)
    return np.sum((e / e.sum()) ** 2)


@cancels
def picked(x):
    z = x - np.max(x, axis=1)[:, np.newaxis]
    p = z - np.log(np.exp(z).sum(axis=1))[:, None]
    return -p[np.arange(3), np.array([0, 2, 1])].mean()


@cancels
def transposed(x):
    m = np.max(x, axis=0)
    e = np.exp((x - m).T)
    return np.sum((e / e.sum(axis=1)[:, None]) ** 2)


@cancels
def twice(x):
    z = x - np.max(x)
    e = np.exp(z - np.max(z))
    return np.sum((e / e.sum()) ** 2)


@stays
def not_added_again(x):
    m = np.max(x)
    return np.log(np.sum(np.exp(x - m)))


@stays
def sum_of_other_rows(x):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return np.sum((e / np.sum(e)) ** 2)


@stays
def sum_along_the_other_axis(x):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return np.sum((e / np.sum(e, axis=0, keepdims=True)) ** 2)


@stays
def two_bases(x):
    m = np.max(x)
    return np.sum(2.0 ** (x - m)) / np.exp(x[0, 0] - m)


@stays
def temperatures_that_differ(x):
    m = np.max(x)
    temperature = 2.0 + x[0, 0]
    e = np.exp((x - m) / temperature)
    temperature = temperature + 1
    return m / temperature + np.log(e.sum())


@stays
def captured_before(x):
    def times(y):
        return y * m

    m = np.max(x)
    return times(np.sum(x))


@stays
def captured(x):
    m = np.max(x)

    def times(y):
        return y * m

    return times(np.sum(x))


@stays
def read_in_the_next_trip(x):
    total = 0.0
    for i in range(3):
        m = np.max(x[i])
        if i > 0:
            total = total + np.sum(e * x[i])  # noqa: F821 - of the trip before
        e = np.exp(x[i] - m)
        total = total + np.sum((e / np.sum(e)) ** 2)
    return total


@stays
def read_after_the_loop(x):
    total = 0.0
    m = 0.0
    for i in range(3):
        m = np.max(x[i])
        e = np.exp(x[i] - m)
        total = total + np.sum((e / np.sum(e)) ** 2)
    return total + m


@stays
def into_an_array(x):
    b = np.zeros(4)
    m = np.max(x[0])
    np.exp(x[0] - m, out=b)
    return np.sum(b * b)


@stays
def into_an_array_with_two_names(x):
    b = np.zeros(4)
    m = np.max(x[0])
    q = np.exp(x[0] - m, out=b)
    q /= np.sum(q)
    return np.sum(b * b)


@stays
def with_a_view(x):
    e = np.exp(x[0] - np.max(x[0]))
    w = e[1:]
    e /= np.sum(e)
    return np.sum(w * w)


@stays
def with_a_second_name(x):
    e = np.exp(x[0] - np.max(x[0]))
    w = e
    e = e / np.sum(e)
    return np.sum(w * w) + e[0] ** 2


@stays
def range_of_values(x):
    return np.sum((x - np.min(x)) / (np.max(x) - np.min(x)))


@stays
def in_one_branch(x):
    m = np.max(x)
    z = x - m if x[0, 0] > 0 else x * m
    e = np.exp(z)
    return np.sum((e / e.sum()) ** 2)


def increased(e):
    e += 1
    return e.shape[0]


@stays
def changed_by_a_callee(x):
    e = np.exp(x - np.max(x))
    n = increased(e)
    return np.sum((e / e.sum()) ** 2) * n


@stays
def changed_within(x):
    e = np.exp(x - np.max(x))
    e[0] = 1.0
    return np.sum((e / e.sum()) ** 2)


@stays
def in_a_list(x):
    parts = [np.exp(x - np.max(x))]
    return np.sum((parts[0] / np.sum(x)) ** 2)


X = values(5, 3, 4)


@pytest.mark.parametrize("function", CANCELS, ids=lambda f: f.__name__)
def test_the_shift_has_no_gradient(function):
    text = grad(function).source(X)
    assert "share(" not in text
    assert "np.where(a ==" not in text
    assert "(a >= b)" not in text


@pytest.mark.parametrize("function", STAYS, ids=lambda f: f.__name__)
def test_the_shift_keeps_its_gradient(function):
    assert "share(" in grad(function).source(X)


@pytest.mark.parametrize("function", [*CANCELS, *STAYS], ids=lambda f: f.__name__)
def test_right_in_every_mode(function):
    check_in_every_mode(function, X, values(6, 3, 4))


def test_a_gradient_that_is_asked_for_stays():
    def log_sum_exp(x):
        m = np.max(x)
        return m + np.log(np.sum(np.exp(x - m)))

    assert abs(grad(log_sum_exp, wrt="m")(X)) < 1e-12
