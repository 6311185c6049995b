"""Arrays that take turns in a loop, and are written to: right in every mode, and as short as if each trip made its own."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, each_refused, each_right, kept_in, named, refused_in

from tangentish import grad

IN_TURN: list[Function] = []
OTHERS: list[Function] = []
REFUSALS: list[tuple[Function, str]] = []
in_turn, otherwise, refused = kept_in(IN_TURN), kept_in(OTHERS), refused_in(REFUSALS)
X = np.array([0.9, 1.3, 0.7, 1.1, 0.6, 1.5])
X_DOT = np.array([0.3, -0.5, 0.8, 0.2, -0.1, 0.4])


@in_turn
def leapfrog(u):
    old, now, new = u.copy(), 1.1 * u, np.zeros_like(u)
    for _ in range(5):
        new[1:-1] = 2 * now[1:-1] - old[1:-1] + 0.1 * (now[:-2] - 2 * now[1:-1] + now[2:])
        old, now, new = now, new, old
    return np.sum(now**2) + np.sum(old[1:] * new[:-1])


@in_turn
def with_ends_set_before_and_after(u):
    now, new = u.copy(), np.sin(u)
    for k in range(4):
        new[1:-1] = now[1:-1] + 0.1 * now[2:] * now[:-2]
        new[0] = new[1] ** 2
        now, new = new, now
        now[-1] = new[0] * k
        new[1:] *= now[:-1]
    return np.sum(now**2 * new)


@in_turn
def by_a_third_name(x):
    a = 1.5 * x
    b = 2 * a
    for _ in range(3):
        b[1:] += a[:-1] * b[:-1]
        keep = a
        a = b
        b = keep
        a[:2] = b[1]
    return np.sum(a**2) + np.sum(b)


@in_turn
def element_by_element(x):
    a, b = x**2, np.zeros(6)
    for _ in range(3):
        for j in range(len(x)):
            b[j] = a[j] * a[(j + 1) % len(a)]
        a, b = b, a
    return np.sum(a * b[::-1])


@in_turn
def until_it_stays(x):
    a, b, n = x**2, np.cos(x), 0
    while n < 4 and np.sum(a) > 0.1:
        b[1:] = 0.4 * a[:-1] * b[1:]
        b[0] = a[-1]
        a, b = b, a
        n += 1
    return np.sum(a**2) + np.sum(b)


@in_turn
def both_are_written(x):
    a, b = x**2, np.cos(x)
    for k in range(3):
        a[:] = a * b + k
        b += 0.1 * a**2
        a, b = b, a
    return np.sum(a**2) + np.sum(b)


@in_turn
def read_before_and_after_it_is_written(x):
    a, b, s = x**2, np.cos(x), 0.0
    for k in range(4):
        s += np.sum(np.sin(b) * a)
        b[0] = a[1] * b[0]
        s += b[0] * b[1]
        b[1:] = 0.5 * a[:-1] ** 2
        s += np.sum(b**2 * a)
        a, b = b, a
        s += a[k] * a[0] * b[k]
    return s


@in_turn
def written_again_when_it_has_been_handed_on(x):
    a, b, s = x**2, np.cos(x), 0.0
    for _ in range(4):
        b[1:] = 0.5 * a[:-1] ** 2 * b[1:]
        a, b = b, a
        s += np.sum(a**2)
        a[0] = np.sin(a[0]) * a[1]
        s += a[0] * a[2]
    return s


@in_turn
def one_of_them_at_its_ends_only(x):
    a, b, s = x**2, np.cos(x), 0.0
    for k in range(4):
        a[0] = a[1] + x[k] * a[0]
        a[-1] = a[-2]
        b[1:-1] = a[1:-1] + 0.1 * x[1] * (a[2:] - 2 * a[1:-1] + a[:-2]) * a[1:-1]
        b[0], b[-1] = a[0], a[-1]
        s += a[0] * b[1]
        a, b = b, a
    return s + np.sum(a * b)


@otherwise
def loops_in_loops(x):
    a, b = x**2, np.cos(x)
    for k in range(2):
        for _ in range(3):
            b[1:] = 0.3 * a[:-1] * b[1:]
            a, b = b, a
        a[1:] *= x[k]
    return np.sum(a**2) + np.sum(b)


@in_turn
def no_trips(x):
    a, b = x**2, np.cos(x)
    for _ in range(len(x) - 6):
        b[1:] = a[:-1] * b[1:]
        a, b = b, a
    return np.sum(a**2 * b)


@in_turn
def rows_and_columns(x):
    a, b = np.outer(x, x), np.outer(np.cos(x), x)
    for _ in range(3):
        b[0] = a[1]
        b[:, -1] = b[:, -2]
        b[1:-1, 1:-1] = 0.2 * (a[2:, 1:-1] + a[:-2, 1:-1]) * a[1:-1, :-2]
        a, b = b, a
    return np.sum(a**2 + b)


def _step(old, now, new, c):
    new[1:-1] = 2 * now[1:-1] - old[1:-1] + c * (now[2:] - 2 * now[1:-1] + now[:-2])
    new[-1] = new[-2]
    return np.sum(new)


@in_turn
def by_a_function(x):
    old, now, new, s = x.copy(), x * 1.1, np.zeros_like(x), 0.0
    for _ in range(4):
        s += _step(old, now, new, 0.1 * x[0])
        old, now, new = now, new, old
    return np.sum(now**2) + s


@otherwise
def a_view_from_before(x):
    a, b = x**2, np.cos(x)
    inner = b[1:]
    for _ in range(3):
        b[1:] = 0.3 * a[:-1] * b[1:]
        a, b = b, a
    return np.sum(a**2) + np.sum(b * inner[0])


@otherwise
def in_turn_now_and_then(x):
    a, b = x**2, np.cos(x)
    for k in range(4):
        b[1:] = 0.3 * a[:-1] * b[1:]
        if k % 2:
            a, b = b, a
    return np.sum(a**2) + np.sum(b)


@otherwise
def one_of_them_is_given(x):
    a, b = x, np.cos(x)
    for _ in range(4):
        b[1:] = 0.3 * a[:-1] * b[1:]
        a, b = b, a
    return np.sum(a**2) + np.sum(b)


@otherwise
def single_elements(x):
    a, b = x**2, np.cos(x)
    for k in range(4):
        b[k] = a[k] * b[k + 1]
        a, b = b, a
    return np.sum(a**2) + np.sum(b)


@otherwise
def both_become_one(x):
    a, b = x**2, np.cos(x)
    for _ in range(2):
        b[1:] = 0.3 * a[:-1] * b[1:]
        a, b = b, b
    return np.sum(a**2) + np.sum(b)


@otherwise
def handed_on_beside_what_is_added_in_place(x):
    a, b = x * 2, x * 3
    c = a
    for k in range(3):
        a, b = b, a
        a = a + 0.0
        b = b * x[k]
    return np.sum(a * b) + np.sum(a) + np.sum(c**2)


@refused("two arguments share memory")
def by_a_function_where_both_become_one(x):
    now, new = x * 1.1, np.cos(x)
    for _ in range(2):
        _step(x, now, new, 0.1)
        now, new = new, new
    return np.sum(now**2)


@refused("may share memory and one of them is written to")
def snapshots_that_change_later(x):
    a, b = x**2, np.cos(x)
    history = []
    for _ in range(len(x)):
        b[1:] = 0.3 * a[:-1] * b[1:]
        a, b = b, a
        history.append(a)
    return sum([np.sum(h**2) for h in history])


def _halves(x):
    t = 2.0 * x
    return t[:-1], t[1:]


def _twice(x):
    t = 2.0 * x
    return t, t


@refused("may share memory and one of them is written to")
def parts_of_one_array(x):
    a, b = _halves(x)
    for _ in range(3):
        a[:] = a * b + x[0]
        a, b = b, a
    return np.sum(a**2) + np.sum(b)


@refused("two values on this line may share memory and one of them is written to")
def one_array_under_two_names(x):
    a, b = _twice(x)
    for _ in range(3):
        a[:] = a * b + x[0]
        a, b = b, a
    return np.sum(a**2) + np.sum(b)


@in_turn
def rows_of_an_array(x):
    a, b = np.vstack([x, 0.5 * x])
    for _ in range(3):
        a[:] = a * b + x[0]
        a, b = b, a
    return np.sum(a**2) + np.sum(b)


@otherwise
def row_that_a_loop_leaves(x):
    rows, y = np.reshape(x * x, (2, 3)), np.sin(x)
    for _ in range(2):
        y[2] *= x[0]
        for row in rows:
            y = row
    return np.sum(rows**2) + np.sum(y)


test_refused = each_refused(REFUSALS, X)
test_every_mode = each_right([*IN_TURN, *OTHERS], X, X_DOT)


@pytest.mark.parametrize("function", IN_TURN, ids=named)
def test_no_branches(function: Function) -> None:
    text = grad(function).source(X)
    assert "_which" not in text and "if " not in text


@pytest.mark.parametrize("function", [element_by_element, rows_and_columns], ids=named)
def test_what_stood_there_before_is_not_kept(function: Function) -> None:
    assert "b_tape" not in grad(function).source(X)
