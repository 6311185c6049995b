"""Lessons of lists, loops over elements, comprehensions and functions that are made on the way.

Second names of lists, elements that are changed in place, positions from the end, lists that helpers change, what is
captured and bound anew, zero length, names that collide.
"""

from __future__ import annotations

import bisect
import collections
import types
from typing import Any

import numpy as np
import pytest
from contract import check_gradients
from corpus import values
from every_mode import check_along
from lessons import Lesson, Lessons, check_lesson

from tangentish import NotDifferentiable, grad, hvp, jvp, value_and_grad, vjp

lesson = Lessons()


def v3() -> tuple[Any, ...]:
    return (values(1, 3),)


def v0() -> tuple[Any, ...]:
    return (values(1, 0),)


def f3() -> tuple[Any, ...]:
    return (values(1, 3, dtype=np.float32),)


def m23() -> tuple[Any, ...]:
    return (values(1, 2, 3),)


def m33() -> tuple[Any, ...]:
    return (values(1, 3, 3),)


def _push(xs, v):
    xs.append(v * v)
    v = v * 2
    return v


def _mut(xs, i):
    xs[i] = xs[i] * xs[0]


def _rebind(xs):
    xs = xs + [xs[0]]
    xs.append(xs[1])
    return xs


def _apply(f, v):
    return f(f(v))


def _put2(xs, y):
    xs.append(y)
    xs.append(y)


def _put1(xs, y):
    xs.append(y)


def _again(xs):
    xs.append(xs[0])


def _wr(xs):
    xs[0][0] = 5.0 * xs[1][1]


def steps(s):
    out = [s]
    out.append(s)
    return out


def stepsin(s):
    out = [s]
    out.append(np.sin(out[-1]))
    return out


def _grow(xs, x):
    xs.append(x[0] * xs[-1])
    return xs


def _rec(xs, n):
    if n == 0:
        return 0.0
    return xs[n - 1] * xs[n] + _rec(xs, n - 1)


def _two(xs):
    return (xs[0] * xs[1], [v * xs[0] for v in xs])


def _stack(xs):
    return np.stack(xs)


def _dot(a, b):
    s = 0.0
    for u, v in zip(a, b):
        s += u * v
    return s


def _mutboth(a, b):
    a.append(b[0])
    b[0] = a[0] * b[0]


def _hh(g):
    return sum(g) * 2 + sum(g)


@lesson("lists: positions", v3, f3)
def insert_negative(x):
    xs = [x[0], x[1]]
    xs.insert(-1, x[2] * x[2])
    return xs[0] * 2 + xs[1] * 3 + xs[2] * 5


@lesson("lists: positions", v3)
def insert_beyond(x):
    xs = [x[0], x[1]]
    xs.insert(10, x[2] * x[2])
    xs.insert(-10, x[2] * 3)
    return xs[0] * 2 + xs[1] * 3 + xs[2] * 5 + xs[3] * xs[1]


@lesson("lists: positions", v3)
def pop_negative(x):
    xs = [x[0], x[1] * x[0], x[2]]
    a = xs.pop(-2)
    return xs[0] * 2 + xs[1] * 3 + a * a


@lesson("lists: positions", v3)
def pop_variable(x):
    xs = [x[0], x[1] * x[0], x[2], x[0] * x[2]]
    s = 0.0
    for k in range(-1, 2):
        s = s * xs[0] + xs.pop(k) * (k + 3)
    return s + xs[0]


@lesson("lists: positions", v3)
def pop_in_expression(x):
    xs = [x[0], x[1] * x[0], x[2], x[0] * x[2]]
    return xs.pop() * xs.pop() + xs.pop(0) * xs[0]


@lesson("lists: positions", v3)
def neg_index_loop(x):
    xs = [x[0], x[1], x[2]]
    s = 0.0
    for i in range(-1, -4, -1):
        s = s * xs[i] + xs[i]
    return s


@lesson("lists: positions", v3, f3)
def popped_first(x):
    xs = [e for e in x]
    s = xs.pop(0)
    return s


@lesson("lists: positions", v3)
def popped_first_used(x):
    xs = [e for e in x]
    s = xs.pop(0)
    return s * s


@lesson("lists: positions", v3)
def max_then_pop(x):
    parts = [x[0], x[1] * x[1]]
    q = max(parts)
    t = parts.pop(-1)
    u = parts.pop(-1)
    return t * q * u


@lesson("lists: positions", v3)
def max_then_pop2(x):
    parts = [x[0]]
    q = max(parts)
    t = parts.pop(-1)
    ys = steps(q)
    t = t + sum((v for v in ys))
    return t


@lesson("lists: positions", lambda: (values(1, 3, dtype=np.float32), 0.5))
def mixed32(x, s):
    ys = stepsin(s)
    ys.insert(5, x.sum())
    return ys[1]


@lesson("lists: positions", v3)
def swap_items(x):
    xs = [x[0], x[1] * x[0], x[2]]
    for i in range(2):
        xs[i], xs[i + 1] = (xs[i + 1] * xs[i], xs[i])
    return xs[0] * 2 + xs[1] * 3 + xs[2]


@lesson("lists: aliases", v3, may_refuse=True)
def same_array_twice(x):
    xs = []
    y = x * 2
    xs.append(y)
    xs.append(y)
    xs[0][0] = x[1] * x[2]
    return np.sum(xs[0] * xs[1])


@lesson("lists: aliases", v3, may_refuse=True)
def appended_then_changed(x):
    xs = []
    y = x * 2
    xs.append(y)
    y[0] = x[1] * x[2]
    y *= x
    return np.sum(xs[0] * xs[-1])


@lesson("lists: aliases", v3, may_refuse=True)
def argument_appended_then_changed(x):
    xs = []
    xs.append(x)
    x[0] = x[1] * x[2]
    return np.sum(xs[0] * x)


@lesson("lists: aliases", v3)
def slices_copy(x):
    xs = [x[0], x[1], x[2]]
    ys = xs[:]
    ys[0] = ys[1] * ys[2]
    xs.append(x[0] * x[1])
    return sum(xs) * sum(ys)


@lesson("lists: aliases", v3, may_refuse=True)
def slices_copy_shallow(x):
    xs = [x * 1, x * 2]
    ys = xs[:]
    ys[0][0] = x[1] * x[2]
    ys[1] = x * x
    return np.sum(xs[0] * ys[0]) + np.sum(xs[1] * ys[1])


@lesson("lists: aliases", v3)
def lists_in_lists(x):
    a = [x[0], x[1]]
    b = [a, a]
    b[0].append(x[2] * x[0])
    b[1][0] = x[1] * x[2]
    return sum(a) * b[1][2] * b[0][0]


@lesson("lists: aliases", v3, may_refuse=True)
def list_mult_alias(x):
    rows = [[x[0]] * 2] * 2
    rows[0][0] = x[1] * x[2]
    return rows[1][0] * rows[0][1]


@lesson("lists: aliases", v3)
def list_comp_no_alias(x):
    rows = [[x[0]] * 2 for _ in range(2)]
    rows[0][0] = x[1] * x[2]
    return rows[1][0] * rows[0][1] * rows[0][0]


@lesson("lists: aliases", v3)
def stack_after_change(x):
    rows = []
    r = x * 1
    for i in range(3):
        r = r * x
        rows.append(r)
    s = np.stack(rows)
    rows[0][0] = 5 * x[1]
    return np.sum(s * s) + np.sum(rows[0])


@lesson("lists: aliases", v3, may_refuse=True)
def stack_of_same_changed(x):
    rows = []
    r = x * 1
    for i in range(3):
        r *= x
        rows.append(r)
    return np.sum(np.stack(rows) ** 2)


@lesson("lists: aliases", v3)
def stack_of_copies(x):
    rows = []
    r = x * 1
    for i in range(3):
        r *= x
        rows.append(r.copy())
    return np.sum(np.stack(rows) ** 2)


@lesson("lists: aliases", v3, may_refuse=True)
def twice_in_loop(x):
    y = x * 2
    xs = []
    for i in range(2):
        xs.append(y)
    xs[0][0] = x[1] * x[2]
    return np.sum(xs[0] * xs[1])


@lesson("lists: aliases", v3, may_refuse=True)
def twice_display(x):
    y = x * 2
    xs = [y, y]
    for i in range(2):
        xs[i][0] = x[1] * x[2]
    return np.sum(xs[0] * xs[1])


@lesson("lists: aliases", v3)
def twice_tuple(x):
    y = x * 2
    t = (y, y)
    t[0][0] = x[1] * x[2]
    return np.sum(t[0] * t[1])


@lesson("lists: aliases", v3, may_refuse=True)
def overlapping_views(x):
    y = x * 2
    xs = [y[:2], y[1:]]
    xs.append(y[1:])
    xs[0][1] = x[1] * x[2]
    return np.sum(xs[0] * xs[1])


@lesson("lists: aliases", v3, may_refuse=True)
def repeated_mult(x):
    y = x * 2
    xs = [y] * 3
    xs[0][0] = x[1] * x[2]
    return np.sum(xs[0] * xs[1] * xs[2])


@lesson("lists: aliases", v3, may_refuse=True)
def repeated_zero_rows(x):
    z = np.zeros(3)
    rows = [z] * 2
    rows[0][0] = x[1] * x[2]
    return np.sum(rows[0] * rows[1] * x)


@lesson("lists: aliases", v3, may_refuse=True)
def comp_zero_rows(x):
    z = np.zeros(3)
    rows = [z for _ in range(2)]
    rows[0][0] = x[1] * x[2]
    return np.sum(rows[0] * rows[1] * x)


@lesson("lists: aliases", v3)
def comp_fresh_rows(x):
    rows = [np.zeros(3) for _ in range(2)]
    rows[0][0] = x[1] * x[2]
    rows[1][1] = rows[0][0] * x[0]
    return np.sum(rows[0] * rows[1] * x) + np.sum(rows[1])


@lesson("lists: aliases", v3)
def looped_fresh_rows(x):
    for k in range(2):
        rows = [np.zeros(3) for _ in range(2)]
        rows[0][0] = x[1] * x[2]
        rows[1][1] = rows[0][0] * x[0]
        x = x * rows[0] + rows[1] * x[0]
    return np.sum(rows[0] * rows[1] * x) + np.sum(rows[1]) + np.sum(x)


@lesson("lists: aliases", v3, may_refuse=True)
def row_list_twice(x):
    row = [x[0], x[1]]
    rows = []
    rows.append(row)
    rows.append(row)
    rows[0][0] = x[2] * x[1]
    return rows[1][0] * rows[0][1]


@lesson("lists: aliases", v3, may_refuse=True)
def row_changed_after(x):
    row = [x[0], x[1]]
    rows = []
    rows.append(row)
    row[0] = x[2] * x[1]
    row.append(x[0])
    return rows[0][0] * rows[0][2]


@lesson("lists: aliases", v3)
def row_changed_before(x):
    rows = []
    for i in range(2):
        row = [x[0], x[1]]
        row[0] = x[2] * x[i]
        row.append(x[0])
        rows.append(row)
        row = None
    rows[0][1] = x[2]
    return rows[0][0] * rows[1][2] * rows[0][1]


@lesson("lists: aliases", v3, may_refuse=True)
def views_then_base_written(x):
    y = x * x
    vs = [y[i:] for i in range(2)]
    y[1] = x[0]
    return sum((np.sum(v * v) for v in vs))


@lesson("lists: aliases", v3)
def bare_list_of_views(x):
    y = x * x
    vs = [y[i:] for i in range(3)]
    return sum((np.sum(v * v) for v in vs))


@lesson("lists: aliases", v3)
def swap_rows(x):
    rows = [x * 1, x * x]
    for i in range(3):
        rows[0], rows[1] = (rows[1], rows[0] * x)
    return np.sum(rows[0] * rows[1] * x)


@lesson("lists: aliases", v3, may_refuse=True)
def swap_rows_written(x):
    rows = [x * 1, x * x]
    for i in range(3):
        rows[0], rows[1] = (rows[1], rows[0])
        rows[0][i] *= rows[1][0]
    return np.sum(rows[0] * rows[1] * x)


@lesson("lists: aliases", v3, may_refuse=True)
def taken_out_and_written(x):
    rows = []
    rows.append(x * 2)
    rows.append(x * x)
    r = rows.pop()
    r[0] = r[1] * rows[0][0]
    rows.append(r)
    r[1] = 5 * x[0]
    return np.sum(r * rows[0])


@lesson("lists: aliases", v3, may_refuse=True)
def buffers_swap_nocopy(x):
    a = x * 1
    b = x * 0
    hist = []
    for t in range(3):
        b[1:] = a[:-1] * x[1:] + a[1:]
        a, b = (b, a)
        hist.append(a)
    return np.sum(hist[0] * hist[1] * hist[2])


@lesson("lists: elements changed in place", v3)
def changed_through_loop_variable(x):
    xs = [x * 1.0, x * 2.0, x * 3.0]
    for v in xs:
        v *= x
        v[0] += x[1]
    return np.sum(xs[0] * xs[1] * xs[2])


@lesson("lists: elements changed in place", v3)
def changed_through_zip(x):
    xs = [x * 1.0, x * 2.0]
    ys = [x * x, x + 1]
    for a, b in zip(xs, ys):
        a *= b
        b[1] = a[0]
    return np.sum(xs[0] * xs[1] * ys[0]) + ys[1][1]


@lesson("lists: elements changed in place", v3)
def rebinding_loop_variable(x):
    xs = [x * 1.0, x * 2.0, x * 3.0]
    for v in xs:
        v = v * x
    return np.sum(xs[0] * v)


@lesson("lists: elements changed in place", m23, may_refuse=True)
def list_of_rows_written(x):
    rows = [r for r in x]
    rows[0][1] = x[1, 2] * x[1, 0]
    return np.sum(x**2) + np.sum(rows[0])


@lesson("lists: elements changed in place", v3)
def rows_of_loop_then_written(x):
    rows = []
    for i in range(3):
        r = x * i
        rows.append(r)
    for i in range(1, 3):
        rows[i] += rows[i - 1] * x
        rows[i][0] *= rows[i][1]
    return np.sum(rows[2] * rows[1])


@lesson("lists: elements changed in place", v3)
def zip_rows(x):
    rows = [x * 1, x * x]
    other = [x + 1, x - 1]
    for a, b in zip(rows, other):
        a[0] = b[0] * a[1]
        b[1] = a[0]
    return np.sum(rows[0] * other[0]) + np.sum(rows[1] * other[1])


@lesson("lists: elements changed in place", v3)
def list_none_arrays(x):
    xs = [None, None]
    for i in range(2):
        xs[i] = x * x[0]
    xs[0][1] = xs[1][0]
    return np.sum(xs[0] * xs[1])


@lesson("lists: elements changed in place", v3)
def last_of_row(x):
    out = []
    row = x * 1
    for i in range(3):
        row = row * x
        out.append(row[i])
        row[i] = 0.5
    return sum(out) * np.sum(row)


@lesson("lists: growing", v3)
def plus_equals(x):
    xs = [x[0]]
    zs = xs
    ys = [x[1], x[2] * x[0]]
    xs += ys
    ys[0] = x[0]
    return zs[0] * zs[1] * zs[2] + len(zs) * ys[0]


@lesson("lists: growing", v3)
def plus(x):
    xs = [x[0]]
    zs = xs
    ys = [x[1], x[2] * x[0]]
    xs = xs + ys
    zs.append(x[2])
    return zs[0] * zs[1] * xs[2] + len(zs) * xs[1]


@lesson("lists: growing", v3)
def plus_equals_in_loop(x):
    xs = [x[0]]
    for v in x:
        xs += [v * xs[-1], v]
    return sum(xs)


@lesson("lists: growing", v3)
def plus_equals_itself(x):
    xs = [x[0], x[1] * x[2]]
    xs += xs
    return xs[0] * xs[1] * xs[2] + xs[3]


@lesson("lists: growing", v3)
def extend_itself(x):
    xs = [x[0], x[1] * x[2]]
    xs.extend(xs)
    xs.extend(xs[1:])
    return xs[0] * xs[1] * xs[2] + xs[3] * xs[-1]


@lesson("lists: growing", v3, may_refuse=True)
def append_while_iterating(x):
    xs = [x[0], x[1]]
    s = 0.0
    for v in xs:
        s += v * v
        if len(xs) < 5:
            xs.append(v * x[2])
    return s


def _twisted(v):
    return np.tanh(v)


@lesson("lists: growing", v3)
def array_from_the_end_changes_before_the_list_grows(x):
    xs = [_twisted(x), 0.6]
    xs[-2] += x
    xs.append(x * 2)
    k = 0
    return np.sum(xs[k] * xs[k])


@lesson("lists: growing", v3)
def array_changes_before_others_come_first(x):
    xs = [_twisted(x), 0.6]
    xs[0] += x
    xs.insert(0, x * 2)
    k = 1
    return np.sum(xs[k] * xs[k])


@lesson("lists: growing", v3, may_refuse=True)
def pop_while_iterating(x):
    xs = [x[0], x[1], x[2], x[0] * x[1]]
    s = 0.0
    for v in xs:
        s += v * v
        xs.pop()
    return s


@lesson("lists: growing", v3)
def list_in_while(x):
    xs = [x[0]]
    while len(xs) < 6:
        if len(xs) % 2:
            xs.append(xs[-1] * x[1])
        else:
            xs.append(x[2])
            continue
        if xs[-1] > 50:
            break
    else:
        xs.append(xs[0] * xs[1])
    return sum(xs)


@lesson("lists: growing", v3)
def while_pop(x):
    xs = [v * v for v in x]
    s = 0.0
    while xs:
        v = xs.pop()
        if v < 0.1:
            continue
        s = s * v + v
        if s > 100:
            break
    else:
        s = s * 2
    return s


@lesson("lists: growing", v3)
def nested_rows_loop(x):
    rows = [[] for _ in range(2)]
    for i, v in enumerate(x):
        rows[i % 2].append(v * v)
    return sum(rows[0]) * sum(rows[1])


@lesson("lists: growing", v3)
def list_of_tuples(x):
    ps = []
    for i in range(2):
        ps.append((x[i], x[i + 1] * x[0]))
    ps[0] = (x[2], x[0])
    s = 0.0
    for a, b in ps:
        s += a * b * b
    return s + ps[1][0]


@lesson("lists: growing", v3)
def tuple_of_lists(x):
    t = ([x[0]], [x[1]])
    t[0].append(x[2] * x[1])
    for l in t:
        l.append(l[0] * x[0])
    return sum(t[0]) * sum(t[1])


@lesson("lists: growing", v3)
def item_kinds_change(x):
    xs = [0.0] * 3
    for i in range(3):
        xs[i] = x * x[i]
    return np.sum(xs[0] * xs[1]) + np.sum(xs[2])


@lesson("lists: growing", v3)
def zeros_to_arrays(x):
    xs = [0, 0, 0]
    for i in range(3):
        xs[i] += x[i] * x[0]
    return sum(xs) * xs[0]


@lesson("lists: growing", v3, may_refuse=True)
def del_item(x):
    xs = [x[0], x[1] * x[0], x[2]]
    del xs[1]
    return xs[0] * xs[1]


@lesson("lists: growing", v3)
def unpack_list(x):
    xs = [v * v for v in x]
    a, b, c = xs
    xs[0] = b
    return a * b * c * xs[0]


@lesson("lists: growing", v3)
def early_return_in_list_loop(x):
    xs = []
    for v in x:
        xs.append(v * v)
        if len(xs) == 2:
            return xs[0] * xs[1]
    return sum(xs)


@lesson("lists: helpers", v3)
def helpers_mutate(x):
    xs = [x[0], x[1]]
    a = _push(xs, x[2])
    _mut(xs, 1)
    for i in range(3):
        _mut(xs, i)
    ys = _rebind(xs)
    return sum(ys) * a + xs[0]


@lesson("lists: helpers", v3, may_refuse=True)
def helper_puts_twice(x):
    y = x * 2
    xs = [x * 3]
    _put2(xs, y)
    xs[1][0] = x[1] * x[2]
    return np.sum(xs[0] * xs[1] * xs[2])


@lesson("lists: helpers", v3, may_refuse=True)
def helper_put_twice(x):
    y = x * 2
    xs = [x * 3]
    _put1(xs, y)
    _put1(xs, y)
    xs[1][0] = x[1] * x[2]
    return np.sum(xs[0] * xs[1] * xs[2])


@lesson("lists: helpers", v3)
def helper_put_once(x):
    y = x * 2
    xs = [x * 3]
    _put1(xs, y)
    _put1(xs, x * x)
    xs[1][0] = x[1] * x[2]
    return np.sum(xs[0] * xs[1] * xs[2])


@lesson("lists: helpers", v3, may_refuse=True)
def helper_again(x):
    y = x * 2
    xs = [y]
    _again(xs)
    xs[1][0] = x[1] * x[2]
    return np.sum(xs[0] * xs[1])


@lesson("lists: helpers", v3)
def helper_writes_element(x):
    y = x * 2
    xs = [y, x * 3]
    _wr(xs)
    return np.sum(xs[0] * xs[1])


@lesson("lists: helpers", v3)
def helper_writes_element2(x):
    y = x * 2
    xs = [y, x * 3]
    _wr(xs)
    return np.sum(y * xs[1])


@lesson("lists: helpers", v3, may_refuse=True)
def helper_writes_appended(x):
    y = x * 2
    xs = []
    xs.append(y)
    xs.append(x * 3)
    _wr(xs)
    return np.sum(y * xs[1])


@lesson("lists: helpers", v3)
def helper_writes_appended2(x):
    y = x * 2
    xs = []
    xs.append(y)
    xs.append(x * 3)
    _wr(xs)
    z = xs[0] * xs[1]
    _wr(xs)
    return np.sum(z * xs[1]) + np.sum(xs[0])


@lesson("lists: helpers", v3, may_refuse=True)
def helper_writes_arg(x):
    xs = []
    xs.append(x)
    xs.append(x * 3)
    _wr(xs)
    return np.sum(x * xs[1])


@lesson("lists: helpers", v3, may_refuse=True)
def helper_writes_same(x):
    y = x * 2
    xs = [y, y]
    _wr(xs)
    return np.sum(xs[0] * xs[1])


@lesson("lists: helpers", v3)
def helper_returns_its_list(x):
    xs = [x[1]]
    ys = _grow(xs, x)
    ys.append(x[2])
    return sum(xs) * ys[1]


@lesson("lists: helpers", v3)
def helper_returns_its_list2(x):
    xs = [x[1]]
    for i in range(3):
        xs = _grow(xs, x * i)
    return sum(xs) * xs[1]


@lesson("lists: helpers", v3)
def recursion_over_list(x):
    xs = [v * v for v in x]
    return _rec(xs, 2)


@lesson("lists: helpers", v3)
def helper_gives_tuple_with_list(x):
    a, ys = _two([v for v in x])
    ys.append(a)
    return sum(ys) * a


@lesson("lists: helpers", v3)
def helper_stack(x):
    rows = [x * i for i in range(1, 4)]
    M = _stack(rows)
    M[0] = x * x
    return np.sum(M * M) + np.sum(rows[0])


@lesson("lists: helpers", v3)
def two_lists_mutated(x):
    a = [x[0]]
    b = [x[1], x[2]]
    _mutboth(a, b)
    _mutboth(b, a)
    return sum(a) * sum(b)


@lesson("lists: helpers", v3, may_refuse=True)
def same_list_mutated_twice(x):
    a = [x[0], x[1]]
    _mutboth(a, a)
    return sum(a) * a[0]


@lesson("lists: helpers", v3)
def same_list_two_args(x):
    xs = [x[0], x[1]]
    return _dot(xs, xs)


@lesson("closures: lists and names", v3)
def captured_list(x):
    xs = [x[0]]

    def add(v):
        xs.append(v * v)
        return xs[0] * v

    s = 0.0
    for v in x:
        s += add(v)
    return s + sum(xs)


@lesson("closures: lists and names", v3)
def captured_rebound(x):
    a = x[0]

    def g(v):
        return a * v

    s = g(x[1])
    a = x[2] * x[2]
    return s * g(x[1])


@lesson("closures: lists and names", v3)
def lambda_late_binding(x):
    fs = 0.0
    a = x[0]
    h = lambda v: v * a
    for i in range(3):
        a = a * x[i]
        fs += h(x[i])
    return fs


@lesson("closures: lists and names", v3)
def lambda_in_loop(x):
    s = 0.0
    for i in range(3):
        h = lambda v, i=i: v * x[i]
        s += h(x[0])
    return s + h(x[1])


@lesson("closures: lists and names", v3)
def closure_reads_list_later_changed(x):
    xs = [x[0]]
    f = lambda v: v * xs[0] * len(xs)
    a = f(x[1])
    xs.append(x[2])
    xs[0] = x[2] * x[1]
    return a * f(x[0])


@lesson("closures: lists and names", v3)
def closure_over_loopvar(x):
    s = 0.0
    for i, v in enumerate(x):

        def g(u):
            return u * v * i

        s += g(v)
    return s + g(x[0])


@lesson("closures: lists and names", v3)
def closure_over_array_written(x):
    y = x * 1

    def g(u):
        return np.sum(u * y)

    a = g(x)
    y[0] = 5 * x[1]
    return a * g(x)


@lesson("closures: lists and names", v3)
def closure_writes_array(x):
    y = x * 1

    def g(k, v):
        y[k] = v * y[k]

    for k in range(3):
        g(k, x[k - 1])
    return np.sum(y * y)


@lesson("closures: lists and names", v3)
def closure_in_closure(x):
    a = x[0]

    def g(u):

        def h(w):
            return w * a * u

        return h(u) + h(x[1])

    r = g(x[2])
    a = a * 2
    return r * g(x[1])


@lesson("closures: lists and names", v3, may_refuse=True)
def captured_loop_list(x):
    fs = []
    for i in range(3):
        fs.append(lambda v, i=i: v * x[i])
    return sum((f(x[0]) for f in fs))


@lesson("closures: lists and names", v3, may_refuse=True)
def captured_loop_list2(x):
    fs = [lambda v, i=i: v * x[i] for i in range(3)]
    return fs[0](x[0]) + fs[1](x[1])


@lesson("closures: lists and names", v3, may_refuse=True)
def captured_loop_list3(x):
    fs = []
    for i in range(3):

        def g(v, i=i):
            return v * x[i]

        fs.append(g)
    s = 0.0
    for f in fs:
        s += f(x[0])
    return s


@lesson("closures: lists and names", v3)
def captured_of_last_trip(x):
    for i in range(2):
        a = x[i]
        if i == 0:
            f = lambda v, a=a: v * a
    return f(x[2]) * a


@lesson("closures: lists and names", v3)
def captured_default_rebound(x):
    a = x[0]
    f = lambda v, a=a: v * a
    a = a * x[1]
    return f(x[2]) * a


@lesson("closures: lists and names", v3)
def default_mutated(x):
    a = x * 1
    f = lambda v, a=a: np.sum(v * a)
    a[0] = x[1] * 3
    return f(x)


@lesson("closures: lists and names", v3)
def def_in_try2(x):
    try:

        def fn4(p):
            return p * x[0]

        y = fn4(np.tanh(x[1]))
    except ValueError:
        y = 0.5
    return y * x[2]


@lesson("closures: lists and names", v3)
def function_passed(x):
    a = x[1]
    return np.sum(_apply(lambda v: np.sin(v) * a, x))


@lesson("loops over elements", v3)
def variable_after_loop(x):
    v = x[0] * 2
    for v in x[1:]:
        pass
    return v * x[0]


@lesson("loops over elements", v3, v0)
def variable_after_zero_trips(x):
    v = 2.0
    for v in x:
        v = v * v
    return v * np.sum(x) + v


@lesson("loops over elements", v3)
def variable_after_enumerate(x):
    for i, v in enumerate(x):
        if v > 0.2:
            break
    return v * x[i] * x[0]


@lesson("loops over elements", v3)
def iter_and_store_ahead(x):
    xs = [x[0], x[1], x[2]]
    s = 0.0
    for i, v in enumerate(xs):
        if i < 2:
            xs[i + 1] = xs[i + 1] * v
        s += v * v
    return s


@lesson("loops over elements", v3)
def array_written_while_iterating(x):
    s = 0.0
    for i, v in enumerate(x):
        if i < 2:
            x[i + 1] = x[i + 1] * v
        s += v * v * x[2]
    return s


@lesson("loops over elements", m23)
def rows_written_while_iterating(x):
    s = 0.0
    for i, v in enumerate(x):
        x[1] = x[1] * v
        s += np.sum(v * v)
    return s


@lesson("loops over elements", v3)
def array_rebound_while_iterating(x):
    s = 0.0
    for v in x:
        x = x * v
        s += np.sum(x)
    return s


@lesson("loops over elements", v3)
def reversed_with_writes(x):
    for v in reversed(x):
        x[0] = x[0] * v
    return x[0] + x[1]


@lesson("loops over elements", v3)
def read_then_overwritten(x):
    xs = [x[0], x[1], x[2]]
    s = 0.0
    for i in range(3):
        s += xs[i] * xs[i - 1]
        xs[i] = np.sin(xs[i] * xs[i - 1])
        s += xs[i] ** 2
    return s


@lesson("loops over elements", m23)
def rows_and_rows(x):
    s = 0.0
    for r in x:
        for v in r:
            s = s * v + v
    return s


@lesson("loops over elements", v3)
def try_in_loop(x):
    xs = []
    for v in x:
        try:
            if v < 0:
                raise ValueError
            u = v * v
        except ValueError:
            xs.append(v * 3)
        else:
            xs.append(u)
    return sum(xs) * xs[0]


@lesson("loops over elements", v3)
def try_index_error(x):
    xs = [x[0], x[1]]
    s = 1.0
    for i in range(3):
        try:
            v = xs[i] * s
        except IndexError:
            v = x[i]
        s += v * v
    return s


@lesson("comprehensions", v3)
def comp_shadow(x):
    v = x[0] * x[1]
    ys = [v * v for v in x]
    return v * ys[0]


@lesson("comprehensions", v3)
def comp_shadow_iter(x):
    ys = [x * x for x in x]
    return np.sum(x) * ys[1]


@lesson("comprehensions", v3)
def comp_nested(x):
    rows = [[a * b for b in x if b > a] for a in x]
    s = 0.0
    for r in rows:
        for e in r:
            s += e * len(r)
    return s


@lesson("comprehensions", v3)
def comp_two_loops(x):
    return sum([a * b * i for i, a in enumerate(x) for b in x if i < 2 if b > -0.5])


@lesson("comprehensions", v3)
def comp_capture(x):
    k = x[0]
    ys = [v * k for v in x]
    k = x[1]
    return sum(ys) * k


@lesson("comprehensions", v3)
def comp_of_calls(x):

    def g(u):
        return u * x[0]

    return sum([g(v) * g(v) for v in x if g(v) > -5])


@lesson("comprehensions", v3)
def transposed_zip(x):
    pairs = [(v, v * v) for v in x]
    s = 0.0
    for (a, b), c in zip(pairs, reversed(x)):
        s += a * b * c
    return s


@lesson("containers: names", v3)
def names_collide(t, i=2.0):
    xs = []
    xs_tape = t[0]
    v = t[1]
    dxs = t[2]
    g = 0.5
    k = 2
    for dx in t:
        xs.append(dx * xs_tape * v)
    xs[k] = xs[k] * dxs
    s = 0.0
    for t_1 in xs:
        s += t_1 * g
    return s * xs[0]


@lesson("containers: names", v3)
def names_collide2(x):
    t = x * 2
    i = x[0]
    i_1 = x[1]
    s = 0.0
    for v in t:
        for w in x:
            s += v * w * i * i_1
    return s


@lesson("containers: zero length", v3, v0, f3)
def zero_len(x):
    ys = [v * v for v in x]
    s = 0.0
    for v in ys:
        s += v
    for i, v in enumerate(ys):
        s += i * v
    for a, b in zip(ys, x):
        s += a * b
    for v in reversed(ys):
        s = s + v
    return s


@lesson("containers: zero length", v3, v0)
def zero_len_np(x):
    ys = [v * v for v in x if v > 100]
    return np.sum(np.array(ys)) + np.sum(x)


@lesson("containers: zero length", v3)
def empty_list_forever(x):
    ys = []
    for v in ys:
        x = x * v
    return np.sum(x)


@lesson("containers: zero length", v3)
def list_eq_len(x):
    xs = [v for v in x if v > 0]
    if len(xs) > 1:
        return xs[0] * xs[1]
    elif xs:
        return xs[0] ** 2
    return x[0]


@lesson("generators", v3, may_refuse=True)
def gen_to_helper(x):
    return _hh((v * v for v in x))


@lesson("generators", v3, may_refuse=True)
def gen_named(x):
    g = (v * v for v in x)
    s = 0.0
    for v in g:
        s += v
    for v in g:
        s += 1000 * v
    return s


@lesson("generators", v3, may_refuse=True)
def gen_late(x):
    a = x[0]
    g = (v * a for v in x)
    a = x[1]
    return sum(g) * a


@lesson("generators", v3, may_refuse=True)
def gen_in_tuple(x):
    t = ((v * v for v in x), 1)
    return sum(t[0]) + sum(t[0])


@lesson("generators", v3)
def gen_direct(x):
    return sum((v * v for v in x)) + max((v for v in x)) + sum(list((v for v in x)))


@lesson("generators", v3)
def gen_extend(x):
    xs = []
    xs.extend((v * v for v in x))
    xs += (v * 3 for v in x)
    return sum(xs) * xs[4]


@lesson("generators", v3)
def for_gen(x):
    s = 0.0
    for v in (u * u for u in x):
        s += s * v + v
    return s


@lesson("generators", v3, may_refuse=True)
def gen_of_written(x):
    y = x * 1
    g = (v * v for v in y)
    y[0] = 5 * x[1]
    return sum(g)


@lesson("generators", v3)
def inactive_gen(x):
    g = (k for k in range(3))
    s = 1.0
    for k in g:
        s = s * x[k] + x[k]
    for k in g:
        s = s * 1000
    return s


@lesson("generators", v3)
def inactive_gen_direct(x):
    s = 1.0
    for k in (k for k in range(3)):
        s = s * x[k] + x[k]
    return s


@lesson("loops that change what they run over", v3)
def activated_list_in_loop(x):
    xs = [0.0] * 3
    s = 1.0
    for i, v in enumerate(xs):
        s += v * v * s
        if i < 2:
            xs[i + 1] = x[i] * s
    return s


@lesson("loops that change what they run over", v3)
def activated_array_in_loop(x):
    y = np.ones(3)
    s = 1.0
    for i, v in enumerate(y):
        s += v * v * s
        if i < 2:
            y[i + 1] = x[i] * s
    return s


@lesson("loops that change what they run over", v3)
def activated_array_in_loop2(x):
    y = np.ones(3)
    s = 1.0
    for v in y:
        s += v * v * s
        y[1:] = x[1:] * s
    return s


@lesson("loops that change what they run over", v3)
def kinds_change_in_loop(x):
    xs = [0.0] * 3
    s = 1.0
    for i, v in enumerate(xs):
        s = s + v * v * s
        if i < 2:
            xs[i + 1] = x * i
    return np.sum(s)


@lesson("loops that change what they run over", v3)
def int_list_becomes_float(x):
    xs = [0] * 3
    s = 1.0
    for i, v in enumerate(xs):
        s = s + v * s
        if i < 2:
            xs[i + 1] = x[i]
    return s


@lesson("loops that change what they run over", v3)
def rows_activated(x):
    A = np.ones((3, 3))
    s = 1.0
    for i, r in enumerate(A):
        s = s + np.sum(r * r)
        if i < 2:
            A[i + 1] = x * s
    return s


@lesson("loops that change what they run over", v3)
def zip_activated(x):
    y = np.ones(3)
    s = 1.0
    for v, w in zip(y, x):
        s = s + v * w
        y[-1] = s
    return s


@lesson("loops that change what they run over", v3)
def inactive_list_mutated_in_loop(x):
    q = [0]
    s = 1.0
    for k in q:
        s = s * x[k] + x[k]
        if k < 2:
            q.append(k + 1)
    return s


@lesson("loops that change what they run over", v3)
def inactive_queue(x):
    q = [0, 1]
    s = 1.0
    while q:
        k = q.pop(0)
        s = s * x[k] + x[k]
        if k == 1:
            q.append(2)
    return s


@lesson("loops that change what they run over", v3)
def inactive_list_changed_later(x):
    q = [0, 1, 2]
    s = 1.0
    for k in q:
        s = s * x[k] + x[k]
    q[0] = 2
    q.reverse()
    q.append(0)
    for k in q:
        s = s * x[k] + x[k]
    return s


@lesson("loops that change what they run over", m33, lambda: (values(1, 0, 3),))
def rows_used_after_rebinding(A):
    s = 0.0
    for r in A:
        t = r * r
        A = A * 1.5
        s += np.sum(t) * np.sum(r)
    return s


@lesson("loops that change what they run over", m33)
def row_reread_after_write_to_other(A):
    B = A * 1
    s = 0.0
    for i in range(len(B)):
        r = B[i]
        s += np.sum(r * r)
        B[i - 1] = r * s
    return s


@lesson("loops that change what they run over", m33)
def element_reread_index_changed(A):
    s = 0.0
    for i in range(3):
        k = i
        v = A[k, k]
        k = 2
        s += v * v * A[k, 0]
    return s


@lesson("loops that change what they run over", m33)
def nested_element_reads(A):
    s = 0.0
    for r in A:
        for j, v in enumerate(r):
            w = r[j - 1]
            r = r * 1.1
            s += v * v * w
    return s


@lesson("loops that change what they run over", v3)
def list_reread_after_append(x):
    xs = [x[0]]
    s = 0.0
    for i in range(3):
        v = xs[i]
        s += v * v
        xs.append(v * x[i])
    return s


@lesson("loops that change what they run over", v3)
def list_reread_after_insert_front(x):
    xs = [x[0]]
    s = 0.0
    for i in range(3):
        v = xs[-1]
        s += v * v
        xs.insert(0, v * x[i])
        xs[-1] = v * 2
    return s + sum(xs)


@lesson("loops that change what they run over", v3)
def list_rebound_in_loop(x):
    xs = [v for v in x]
    s = 0.0
    for i in range(3):
        v = xs[i]
        s += v * v
        xs = [u * v for u in xs]
    return s


@lesson("loops that change what they run over", v3)
def prev_list(x):
    prev = [v for v in x]
    for k in range(2):
        new = [0.0] * 3
        for i in range(3):
            new[i] = prev[i] * prev[i - 1]
        prev = new
    return sum(prev)


@lesson("loops that change what they run over", v3)
def prev_list_inplace(x):
    prev = [v for v in x]
    for k in range(2):
        new = prev[:]
        for i in range(3):
            new[i] = prev[i] * new[i - 1]
        prev = new
    return sum(prev)


@lesson("loops that change what they run over", v3)
def prev_list_alias(x):
    prev = [v for v in x]
    for k in range(2):
        new = prev
        for i in range(3):
            new[i] = prev[i] * new[i - 1]
        prev = new
    return sum(prev)


@lesson("loops that change what they run over", v3)
def old_and_new_lists(x):
    cur = [v for v in x]
    hist = [cur]
    for k in range(2):
        cur = [c * c * 0.5 for c in cur]
        hist.append(cur)
    return hist[0][0] * hist[1][1] * hist[2][2]


@lesson("lists: branches and exits", v3, may_refuse=True)
def list_in_branch(x):
    xs = [x[0]]
    if x[1] > 0:
        xs.append(x[1])
        ys = xs
    else:
        ys = [x[2]]
        xs.append(ys[0])
    ys.append(x[2] * x[0])
    return sum(xs) * ys[-1]


@lesson("lists: branches and exits", v3)
def list_in_branch_copy(x):
    xs = [x[0]]
    for v in x:
        if v > 0:
            xs = xs + [v * v]
        else:
            xs.append(v)
    return sum(xs) * xs[1]


@lesson("lists: branches and exits", v3)
def early_exit_with_list(x):
    xs = []
    for v in x:
        if v < -5:
            return v
        if v < 0:
            xs.append(v)
            continue
        xs.append(v * v)
        if len(xs) > 1:
            break
    else:
        return sum(xs)
    return xs[0] * xs[1]


@lesson("lists: branches and exits", v3)
def with_list(x):
    xs = []
    with np.errstate(all="ignore"):
        for v in x:
            xs.append(v * v)
        xs[0] *= 3
    return sum(xs)


@lesson("lists: branches and exits", v3)
def finally_list(x):
    xs = [x[0]]
    try:
        xs.append(x[1])
        if x[2] > 0:
            return sum(xs) * 2
    finally:
        xs.append(x[2] * x[2])
    return sum(xs)


@lesson("tuples", v3)
def tuple_in_loop(x):
    t = (x[0], x[1])
    for i in range(3):
        t = (t[1] * x[i], t[0])
    return t[0] * t[1] + t[0]


@lesson("tuples", v3)
def tuple_grows(x):
    t = ()
    for v in x:
        t = t + (v * v,)
    return sum(t) * t[0]


@lesson("tuples", v3)
def tuple_index_var(x):
    t = (x[0], x[1] * x[2], x[2])
    s = 0.0
    for i in range(3):
        s += t[i] * t[i - 1]
    return s


@lesson("masks and places", v3)
def mask_2d_loop(x):
    A = np.outer(x, x)
    for r in A:
        r[r > 0.1] *= x[0]
    A[A < 0] = x[1]
    return np.sum(A * A)


@lesson("masks and places", v3)
def fancy_index_from_list(x):
    idx = []
    for i in range(3):
        if x[i] > 0:
            idx.append(i)
            idx.append(0)
    return np.sum(x[idx] ** 2) * x[0]


@lesson("masks and places", v3)
def fancy_store_repeat_loop(x):
    y = np.zeros(3)
    for k in range(3):
        y[[k, 0, k - 1]] = x * (k + 1) + y[[0, 1, 2]]
    return np.sum(y * y)


@lesson("masks and places", v3)
def index_array_changes(x):
    idx = np.array([0, 1, 2])
    s = 0.0
    for k in range(3):
        y = x[idx]
        s += np.sum(y * y * x) * (k + 1)
        idx[k] = 0
        idx = idx[::-1]
    return s


@lesson("masks and places", v3)
def where_places(x):
    i = np.where(x > 0)[0]
    y = x * 1
    y[i] = y[i] ** 2
    j = np.argsort(x)
    return np.sum(y[j] * x)


@lesson("masks and places", v3)
def masks_repeated(x):
    y = x * 1
    idx = [0, 0, 2]
    y[idx] = x * x
    y[[1, 1]] += x[0]
    np.add.at(y, [0, 0, 1], x[2])
    return np.sum(y * y[idx])


@lesson("masks and places", v3)
def mask_self(x):
    y = x * 1
    y[y > 0] = y[y > 0] * y[y > 0]
    y[y < 0] *= x[0]
    return np.sum(y * x)


@lesson("masks and places", v3)
def mask_in_list(x):
    ms = [x > 0, x < 0]
    s = 0.0
    for m in ms:
        s += np.sum(x[m] ** 2) * np.sum(x)
    return s


@lesson("lists: elements changed in place", v3)
def read_before_changed_in_list(x):
    y = x * 2
    xs = []
    xs.append(y)
    s = np.sum(y * y)
    xs[0] *= x
    return s + np.sum(xs[0])


@lesson("lists: elements changed in place", v3)
def read_before_stored_in_list(x):
    y = x * 2
    xs = []
    xs.append(y)
    s = np.sum(y * y)
    xs[0][1] = x[0]
    xs[0][:] = xs[0] * x
    return s + np.sum(xs[0])


@lesson("lists: elements changed in place", v3)
def updated_by_itself(x):
    a = x[1:]
    xs = []
    for i in range(2):
        xs.append(0.5)
    xs = xs[1:] + [a]
    xs[1] *= a
    return np.sum(xs[1] * xs[1])


@lesson("closures: lists and names", lambda: (values(1, 2), values(2, 2)))
def swapped_and_captured(x, y):
    z = np.copy(x)
    x, z = (z, x)
    h = x[1:]
    x[1] = 5 * y[0]

    def inner(p):
        return z

    return np.sum((h + z) * y)


@lesson(
    "containers: zero length",
    lambda: (values(1, 3, dtype=np.float32), values(2, 2, dtype=np.float32)),
)
def dtype_of_an_empty_sum(x, y):
    large = [e for e in x if e > 100]
    return y + np.tanh(sum(large))


@lesson("the gradient of a sum of a list is an array of its own for each element", v3, v0)
def sum_of_a_list_beside_its_elements(x):
    zs = []
    s = 0.0
    for k in range(3):
        t = np.exp(k * x)
        s = s + t * t * k
        zs.append(t)
    return sum(zs) + s


@lesson("`a or b` of containers", v3)
def containers_or_others(x):
    ws = [x[0], x[1] * x[2]] or [x[0]]
    none = None or {"a": x[0] * x[1]}
    total = none["a"] * x[2]
    for w in ws or ():
        total = total + w * w
    if total > -1e9 and not (ws and ws[2:]):
        total = total * x[0]
    return total


@pytest.mark.parametrize("case", lesson.cases)
def test_lesson(case: Lesson) -> None:
    check_lesson(case)


# One container under two names: a store to one of them is a store to both.


class Particle:
    def __init__(self, x):
        self.x = x


def doubles_an_attribute(a, b):
    a.x = a.x * 2.0
    return a.x * b.x


def doubles_an_entry(d, e):
    d["x"] = d["x"] * 2.0
    return d["x"] * e["x"]


def appends(a, b):
    a.append(b[0] * 2.0)
    return sum(a) * b[-1]


def doubles_one_of_two(particles):
    particles[0].x = particles[0].x * 2.0
    return particles[0].x * particles[1].x


def doubles_what_another_holds(a, d):
    d["p"].x = 5.0 * a.x
    return a.x * d["p"].x


ONE, ENTRY, NUMBERS = Particle(3.0), {"x": 3.0}, [1.0, 2.0]


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (doubles_an_attribute, (ONE, ONE)),
        (doubles_an_entry, (ENTRY, ENTRY)),
        (appends, (NUMBERS, NUMBERS)),
        (doubles_one_of_two, ([ONE, ONE],)),
        (doubles_what_another_holds, (ONE, {"p": ONE})),
    ],
)
def test_one_container_given_twice_and_stored_to_is_refused(function, args):
    for derivative in (grad(function), value_and_grad(function)):
        with pytest.raises(ValueError, match="share memory"):
            derivative(*args)
    assert ONE.x == 3.0 and ENTRY == {"x": 3.0} and NUMBERS == [1.0, 2.0]


def multiplied(x, ws):
    for w in ws:
        x = w * x
    return np.sum(x)


def test_an_argument_whose_name_is_bound_anew_is_not_stored_to():
    x = np.array([0.3, 0.7])
    by_x, by_ws = vjp(multiplied, x, [x, 2 * x])[1](1.0)
    assert np.allclose(by_x, [0.18, 0.98]) and np.allclose(by_ws, [[0.18, 0.98], [0.09, 0.49]])


def test_containers_apart_are_fine():
    first, second = grad(doubles_an_attribute, wrt=(0, 1))(Particle(3.0), Particle(2.0))
    assert (first.x, second.x) == (4.0, 6.0)
    assert grad(doubles_an_entry, wrt=(0, 1))({"x": 3.0}, {"x": 2.0}) == ({"x": 4.0}, {"x": 6.0})


# What carries no derivative changes as the program says; an object that was given is left as it was.


class Counter:
    def __init__(self) -> None:
        self.n = 1
        self.by_name = {"a": 1}

    def count(self) -> None:
        self.n += 1
        self.by_name["a"] += 2

    def counted(self, k: int) -> int:
        self.n = self.n + k
        return self.n


def counts(x, counter):
    y = x * x * counter.n
    counter.count()
    if counter.n > 1:
        y = y * x * counter.n * counter.by_name["a"]
    for _ in range(2):
        counter.count()
        x = x * counter.n * x
    return y * counter.counted(3) + x


def test_a_counter_that_is_given_counts_and_is_left_as_it_was():
    counter = Counter()
    value = counts(0.7, Counter())
    change = counts(0.7 + 1e-6, Counter()) - counts(0.7 - 1e-6, Counter())
    derivative = pytest.approx(change / 2e-6, rel=1e-7)
    assert value_and_grad(counts)(0.7, counter) == (value, derivative)
    assert counter.n == 1
    assert jvp(counts, (0.7, Counter()), (1.0, None)) == (value, derivative)


def test_an_unknown_object_that_changes_in_a_loop_is_read_once():
    def f(x):
        counts = collections.Counter()
        for _ in range(3):
            counts["a"] += 1
            x = x * counts["a"] * x
        space = types.SimpleNamespace(n=1)
        y = x * space.n
        space.n = 5
        return y * space.n

    derivative = (f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6
    assert grad(f)(0.7) == pytest.approx(derivative, rel=1e-8)
    change = (grad(f)(0.7 + 1e-6) - grad(f)(0.7 - 1e-6)) / 2e-6
    assert hvp(f)(0.7, 1.0) == pytest.approx(change, rel=1e-8)


def test_a_constant_that_is_popped_in_an_expression_before_others_vary_takes_its_tangent_along():
    def f(x):
        s = 0.5
        xs = []
        xs.append(s)
        scale = np.sum(xs.pop())
        xs += [0.4, x[1]]
        return xs[1] * scale * x[0]

    x, x_dot = np.array([1.1, 0.2]), np.array([1.0, 2.0])
    assert jvp(f, (x,), (x_dot,))[1] == pytest.approx(0.5 * (x[1] * 1.0 + x[0] * 2.0))


def test_a_list_that_a_library_changes_is_refused():
    def f(x):
        levels = []
        levels.append(1.0)
        levels.append(2.0)
        y = x * x * levels[1]
        bisect.insort(levels, -5.0)
        return y * x * levels[0]

    with pytest.raises(NotDifferentiable, match="as it was before"):
        grad(f)(0.7)


def _insert_both(xs, v):
    xs.append(v)
    bisect.insort(xs, v)


def test_a_list_that_a_function_changes_out_of_sight_is_put_back():
    def f(x):
        levels = []
        levels.append(1.0)
        levels.append(2.0)
        y = x * x * levels[1]
        _insert_both(levels, -5.0)
        return y * x * levels[0]

    expected = (f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6
    np.testing.assert_allclose(grad(f)(0.7), expected, rtol=1e-8)
    np.testing.assert_allclose(vjp(f, 0.7)[1](1.0)[0], expected, rtol=1e-8)


class _Solver:
    def __init__(self, x):
        self.x = x

    def solve(self, limit):
        if limit < 1:
            raise ValueError(limit)
        return self.x * self.x


def test_what_catches_an_exception_sees_a_name_as_it_was_before_a_method_of_a_new_object():
    def f(x, limit):
        y = 3 * x
        try:
            y = _Solver(x).solve(limit)
        except ValueError:
            pass
        return y * x

    assert grad(f)(0.7, 0) == pytest.approx(6 * 0.7)
    assert grad(f)(0.7, 2) == pytest.approx(3 * 0.7**2)


def test_pullbacks_have_no_none_for_what_matters() -> None:
    """It stood for the gradient of a list or dict that was used in ways that can't be differentiated."""

    def by_key(x: Any, options: dict[str, float], name: str) -> Any:
        return np.sum(x) * options[name]

    def replaced(m: Any, s: float) -> Any:
        if s > 5:
            m = np.sin(m)
        return np.sum(np.array(m) * s)

    _, pull = vjp(by_key, np.ones(3), {"a": 2.0, "b": 3.0}, "a")
    assert pull(1.0)[1] == {"a": 3.0, "b": 0.0}
    with pytest.raises(NotDifferentiable, match="a tuple or list on one path"):
        vjp(replaced, [1.0, 2.0], 3.0)


def test_a_deque_is_rotated() -> None:
    def f(x):
        last = collections.deque(x, maxlen=4)
        none = collections.deque()
        total = 0.0
        for k in range(3):
            last.rotate(-1)
            none.rotate()
            total += last[0] * last[1] * k
        last.rotate(2)
        last.append(total)
        return last[0] * last[-1] ** 2 + len(none)

    check_along(f, np.array([1.0, 2.0, 3.0, 4.0]), np.array([0.3, -1.0, 0.5, 0.2]))


def test_a_full_deque_takes_nothing_in_between() -> None:
    def f(x, n):
        last = collections.deque(maxlen=3)
        for v in x[:n]:
            last.append(v * v)
        last.insert(1, x[0])
        return last[1] * last[-1]

    x = np.array([1.0, 2.0, 3.0, 4.0])
    np.testing.assert_allclose(grad(f)(x, 2), [4.0, 4.0, 0.0, 0.0])
    for call in (f, grad(f)):
        with pytest.raises(IndexError, match="maximum size"):
            call(x, 3)


def test_arrays_of_integers_among_those_of_floats() -> None:
    """The gradient of a list has floats in all its places: an array of integers has taken none."""

    def f(x):
        arrays = [np.arange(3), x]
        s = np.sum([np.sum(a * np.sin(a)) for a in map(np.radians, arrays)])
        for a in arrays:
            s = s + np.sum(a * np.sin(a))
        arrays[0] = x * 2
        for a in arrays:
            s = s + np.sum(a * np.cos(a))
        return s

    check_gradients(f, np.array([0.3, 0.7, 1.1]))


def test_the_list_of_a_comprehension_that_is_recorded_has_its_elements() -> None:
    """Its elements, which the adjoint does not read, were left out, although it asks for the length of the list."""

    def f(x):
        s = x[0]
        for k in range(3):
            ys = [v**2 for v in x[k:]]
            s = s + sum(ys) * len(ys)
        return s

    check_gradients(f, np.array([0.3, 0.7, 1.1]))
