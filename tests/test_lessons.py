"""Where source transformations were silently wrong, here and elsewhere: each is a test.

Every program below is right in every mode, against numeric derivatives; or, where `may_refuse` says
so, refused before anything runs.
"""

from __future__ import annotations

import contextlib
import gc
import linecache
import math
import threading
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest
from contract import check_gradients, same
from corpus import positives, values
from lessons import Function, Lesson, Lessons, check_lesson
from numeric import assert_close, copy_arguments, numeric_gradient

from tangentish import NotDifferentiable, differentiate, grad, jvp, value_and_grad, vjp

lesson = Lessons()


def v3() -> tuple[Any, ...]:
    return (values(1, 3),)


def v3_v3() -> tuple[Any, ...]:
    return (values(1, 3), values(2, 3))


def v4_s() -> tuple[Any, ...]:
    return (values(3, 4), 0.7)


# ------------------------------------------------------------------- joins of scalar and array


@lesson("joins", lambda: (values(1, 3), 0), lambda: (values(1, 3), 1), lambda: (values(1, 3), 3))
def scalar_before_array_after(x, n):
    y = 0.0
    for i in range(n):
        y = y + x * x * (i + 1)
    return np.sum(y * y)


@lesson("joins", lambda: (values(1, 3), 0), lambda: (values(1, 3), 2))
def summed_while_it_may_be_a_scalar(x, n):
    y = 1.5
    total = 0.0
    for i in range(n):
        total = total + np.sum(y * 2.0) * x[0] if np.ndim(x) else total + y * x
        y = y * x
    return total


@lesson("joins", lambda: (values(1, 3), 0.4, True), lambda: (values(1, 3), 0.4, False))
def either_in_a_branch(x, s, flag):
    if flag:
        y = x * s
    else:
        y = s * s
    return np.sum(y * x)


@lesson("joins", lambda: (values(1, 3), 0.4, True), lambda: (values(1, 3), 0.4, False))
def either_summed(x, s, flag):
    y = x * s if flag else s * s
    z = y * 3.0
    return np.sum(z) + np.sum(x)


@lesson(
    "joins", lambda: (values(1, 3), values(2, 2, 3), 2), lambda: (values(1, 3), values(2, 2, 3), 0)
)
def rank_grows_in_a_loop(x, a, n):
    y = x
    for i in range(n):
        y = y * 0.5 + a
    return np.sum(y * x)


@lesson("joins", lambda: (values(1, 3), 0.3, 2), lambda: (values(1, 3), 0.3, 0))
def scalar_parameter_becomes_an_array(x, s, n):
    for i in range(n):
        s = s * x + 0.1
    return np.sum(s) * np.mean(s)


@lesson("joins", lambda: (values(1, 3), 0.3), may_refuse=True)
def either_augmented(x, s):
    y = 0.0
    for i in range(3):
        y += x * s
        s = s * 1.1
    return np.sum(y * y)


@lesson("joins", lambda: (values(1, 3), 2), lambda: (values(1, 3), 0), may_refuse=True)
def either_kept_under_a_second_name(x, n):
    y = 1.0
    z = y
    for i in range(n):
        z = y
        y = y * x
    return np.sum(y * z)


@lesson("joins", lambda: (values(1, 3), 3), lambda: (values(1, 3), 1))
def maximum_of_either(x, n):
    y = -10.0
    for i in range(n):
        y = np.maximum(y, x * (0.5 + i))
    return np.sum(y) * np.size(y)


@lesson(
    "joins",
    lambda: (values(1, 3), values(2, 2, 3), True),
    lambda: (values(1, 3), values(2, 2, 3), False),
)
def either_rank_summed(x, a, flag):
    y = x if flag else a
    z = y * 2
    return np.sum(z + x)


@lesson(
    "joins",
    lambda: (values(1, 3), values(2, 2, 3), True),
    lambda: (values(1, 3), values(2, 2, 3), False),
)
def either_rank_times_a_row(x, a, flag):
    if flag:
        y = x
    else:
        y = a
    return np.sum(y * x) + np.sum(y)


@lesson(
    "joins",
    lambda: (values(1, 3), 0.4, 3),
    lambda: (values(1, 3), 0.4, 0),
    lambda: (values(1, 3), 0.4, 1),
)
def scalar_subtracted_from_an_array(x, s, n):
    y = s
    for i in range(n):
        y = x - y
    return y * s


@lesson(
    "joins", lambda: (values(1, 3), values(2, 3, 1), 2), lambda: (values(1, 3), values(2, 3, 1), 0)
)
def column_into_a_row(x, c, n):
    y = x
    for i in range(n):
        y = y * c
    return np.sum(y)


@lesson("joins", lambda: (values(1, 3), values(2, 1), 2), lambda: (values(1, 3), values(2, 1), 0))
def length_one_grows(x, c, n):
    for i in range(n):
        c = c * x
    return np.sum(c + x)


@lesson("joins", lambda: (values(1, 3), 2), lambda: (values(1, 3), 1))
def joined_to_itself(x, n):
    y = x
    for i in range(n):
        y = np.concatenate([y, x * i])
    return np.mean(y) * y[0]


@lesson("joins", lambda: (values(1, 3), 2), lambda: (values(1, 3), 0), may_refuse=True)
def rank_grows_by_outer_products(x, n):
    y = x
    for i in range(n):
        y = np.outer(x, y)
    return np.sum(y)


@lesson("joins", lambda: (values(1, 3), True), lambda: (values(1, 3), False))
def none_or_array(x, flag):
    y = None
    if flag:
        y = x * 2
    if y is not None:
        return y * x
    return x


@lesson("joins", lambda: (values(1, 3), None), lambda: (values(1, 3), 0.5))
def none_for_a_default(x, s=None):
    if s is None:
        s = 2.0
    return x * s


# ------------------------------------------------------------------------------ thin gradients


@lesson("thin", v3)
def thin_returned(x):
    return np.sum(x)


@lesson("thin", lambda: (values(1, 3), 0.3))
def thin_summed_to_a_scalar(x, s):
    return np.sum(x + s)


@lesson("thin", lambda: (values(1, 2, 3), values(2, 3)), lambda: (values(1, 2, 3), values(2, 2, 1)))
def thin_summed_to_a_smaller_shape(a, b):
    return np.sum(a + b)


@lesson("thin", lambda: (values(1, 2, 3), values(2, 3)), lambda: (values(1, 2, 3), values(2, 1, 3)))
def thin_through_a_linear_chain(a, b):
    c = 2 * (a - b)
    d = -c / 4
    return np.mean(d)


@lesson("thin", lambda: (values(1, 3), 4), lambda: (values(1, 3), 0))
def thin_accumulated_in_a_loop(x, n):
    total = 0.0
    for i in range(n):
        total += np.sum(x) * (i + 1)
    return total


@lesson("thin", v3)
def thin_then_element(x):
    return np.sum(x) + x[1] * x[2] + np.sum(x[1:])


@lesson("thin", lambda: (values(1, 2, 3),))
def thin_along_an_axis(a):
    return np.sum(np.sum(a, axis=1)) + np.sum(a.sum(axis=0, keepdims=True) ** 2)


@lesson("thin", lambda: (values(1, 2, 3), values(2, 3)))
def thin_through_shapes(a, b):
    c = a.T.reshape(-1) + np.ravel(a)
    return np.sum(c) + np.sum(np.broadcast_to(b, (2, 3)))


@lesson("thin", v3_v3)
def thin_stored(x, y):
    z = np.zeros(3)
    z[:] = x
    z[1:] += y[:2]
    return np.sum(z)


@lesson("thin", v3)
def thin_shared_by_two(x):
    y = x * 1.0
    z = x + y
    return np.sum(y) + np.sum(z)


@lesson("thin", lambda: (values(1, 3), values(2, 3, 3)))
def thin_into_a_product(x, w):
    return np.sum(w @ x + x)


@lesson("thin", lambda: (values(1, 3), 3), lambda: (values(1, 3), 0))
def thin_carried_backwards(x, n):
    y = x
    for i in range(n):
        y = y + x
    return np.sum(y)


@lesson("thin", v3)
def thin_broadcast(x):
    return np.sum(np.broadcast_to(x, (4, 3)) * 2.0 + 1.0)


@lesson("thin", v3)
def thin_mean_of_a_broadcast(x):
    y = np.broadcast_to(x, (4, 3))
    return np.mean(y) + np.sum(y + x)


@lesson("thin", lambda: (values(1, 6), 2))
def thin_reshaped(x, k):
    y = x.reshape((k, len(x) // k))
    return np.sum(y) + np.sum(np.sum(y, axis=1) * np.array([1.0, 2.0]))


@lesson("thin", lambda: (values(1, 3), 2))
def thin_tiled(x, k):
    return np.sum(np.tile(x, (2, k))) + np.sum(np.repeat(x, k)) + np.sum(np.outer(x, x[:2]))


# ----------------------------------------------------------------------------------- ownership


@lesson("ownership", v3)
def the_same_gradient_twice(x):
    y = x
    z = y
    return np.sum(y * z) + np.sum(z)


@lesson("ownership", v3_v3)
def one_head_to_both_operands(x, y):
    z = x + y
    w = x * 2.0
    return z + w


@lesson("ownership", v3_v3)
def one_head_to_both_and_more_for_one(x, y):
    z = x + y
    return z * z + x


@lesson("ownership", lambda: (*v3_v3(), 3), lambda: (*v3_v3(), 0), lambda: (*v3_v3(), 1))
def both_names_in_a_loop(x, y, n):
    for i in range(n):
        x = x + y
        y = y + x
    return x


@lesson("ownership", lambda: (*v3_v3(), 3), lambda: (*v3_v3(), 0))
def swapped_in_a_loop(x, y, n):
    for i in range(n):
        x, y = y, x
        x = x + y
    return x * y


@lesson("ownership", lambda: (*v3_v3(), 3), lambda: (*v3_v3(), 0))
def one_becomes_the_other_at_last(x, y, n):
    z = x
    for i in range(n):
        z = z + y
        x = z
    return z + x * y


@lesson("ownership", lambda: (*v3_v3(), True), lambda: (*v3_v3(), False))
def shared_in_one_branch(x, y, flag):
    if flag:
        z = x
    else:
        z = x * y
    w = z + x
    return w + y


@lesson("ownership", v3)
def added_twice_with_a_scaling_between(x):
    y = x * 1.0
    y += x
    y *= 0.9
    y += x
    return np.sum(y * y)


@lesson("ownership", v3_v3)
def added_then_overwritten(x, z):
    y = x * 1.0
    y += z
    y[1] = x[0]
    y -= z
    y[:] = y * z
    return np.sum(y * y)


@lesson("ownership", lambda: (*v3_v3(), 3), lambda: (*v3_v3(), 0))
def added_and_scaled_in_a_loop(x, z, n):
    y = x * 1.0
    for i in range(n):
        y += z
        y *= z
        z = z + x
        y[i] += 1.0
    return np.sum(y * y)


@lesson("ownership", lambda: (values(1, 4), values(2, 3)))
def added_to_a_view(x, z):
    y = x * 1.0
    y[1:] += z
    y[:-1] *= z
    y[2:] -= z[:2]
    y *= y[0]
    return np.sum(y * y)


@lesson(
    "ownership",
    lambda: (values(1, 3), values(2, 3), True),
    lambda: (values(1, 3), values(2, 3), False),
)
def added_in_a_branch(x, z, flag):
    y = x * 1.0
    if flag:
        y += z
    y *= x
    if not flag:
        y += z
    y[0] = 0.5
    return y


@lesson("ownership", lambda: (values(1, 2, 3), values(2, 2, 3)))
def added_transposed(a, b):
    c = a.T + b.T
    c *= 2.0
    d = c + a.T
    d[0] = b[:, 0]
    return np.sum(d * c)


@lesson("ownership", v3_v3)
def assigned_whole(x, z):
    y = np.empty_like(x)
    y[:] = x
    w = y * z
    y[:] = z
    w += y
    w[0] *= 2.0
    y *= 3.0
    return w + y


@lesson("ownership", lambda: (values(1, 3), 0.4))
def returned_and_written(x, s):
    x += s
    x *= s
    x += x
    return x


@lesson("ownership", v3_v3, written=(0, 1))
def both_written(x, y):
    x += y
    y += x
    x *= 2.0
    y -= x


@lesson("ownership", v3)
def the_head_is_returned(x):
    return x


@lesson("ownership", v3_v3)
def the_head_is_returned_twice(x, y):
    return x + y


@lesson("ownership", v3_v3)
def the_head_goes_to_an_element_store(x, y):
    z = x + y
    z[1] = x[0] * y[0]
    return z


@lesson("ownership", lambda: (values(1, 2, 3),))
def the_head_as_a_view(a):
    return a.T


@lesson("ownership", lambda: (values(1, 6),))
def the_head_reshaped_and_more(x):
    y = x.reshape(2, 3)
    z = y.T
    return z + z


@lesson("ownership", v3_v3)
def head_of_a_tuple(x, y):
    return x + y, x - y, x


# ---------------------------------------------------------------------------- inactive rebinding


@lesson("rebinding", lambda: (0.7, 3), lambda: (0.7, 0), lambda: (values(1, 3), 2))
def constant_in_a_loop(x, n):
    t = x * x
    y = t
    for i in range(n):
        y = y * t
        t = 1.0
    return y


@lesson("rebinding", lambda: (0.7, True), lambda: (0.7, False))
def constant_in_a_branch(x, flag):
    t = x * x
    y = t * x
    if flag:
        t = 2.0
    return y * t


@lesson("rebinding", lambda: (0.7, 3), lambda: (0.7, 0))
def constant_between_two_uses(x, n):
    y = 0.0
    for i in range(n):
        t = x * (i + 1)
        y = y + t * t
        t = 3.0
        y = y + t * x
    return y


@lesson("rebinding", lambda: (values(1, 3), 2))
def array_of_zeros_again(x, n):
    t = x * 2.0
    y = t * t
    for i in range(n):
        y = y + t
        t = np.zeros(3)
    return np.sum(y * y)


@lesson("rebinding", lambda: (0.7,))
def parameter_forgotten(x):
    y = x * x
    x = 5.0
    return y * x


# ---------------------------------------------------------- callees that mutate or return views


def addto(a, s):
    a += s
    return a[0] * s


def double_tail(a):
    a[1:] *= 2.0


def tail(a):
    return a[1:]


def itself(a):
    return a


def square_times(a, s):
    return a * a * s


def fill_with(a, s):
    for i in range(len(a)):
        a[i] = s * a[i] ** 2


def two_parts(a):
    return a[:1], a[1:]


def saves_its_argument(a):
    return np.sum(a * a * a)


@lesson("callees", lambda: (values(1, 3), 0.3))
def callee_mutates(a, s):
    b = a * 1.5
    t = addto(b, s)
    return np.sum(b * b) * t


@lesson("callees", lambda: (values(1, 3), 0.3))
def callee_mutates_the_argument(a, s):
    before = a[0] * a[1]
    t = addto(a, s)
    return before * t + np.sum(a**3)


@lesson("callees", lambda: (values(1, 3), 0.3))
def procedure_mutates(a, s):
    b = a * s
    double_tail(b)
    fill_with(b, s)
    return np.sum(b * a)


@lesson("callees", lambda: (values(1, 3), 0.3), written=(0,))
def procedure_of_procedures(a, s):
    fill_with(a, s)
    double_tail(a)
    fill_with(a, a[1])


@lesson("callees", lambda: (values(1, 4),))
def returned_view_is_read(a):
    b = tail(a)
    return np.sum(b * b) + a[0] * b[0]


@lesson("callees", lambda: (values(1, 4), 0.3), may_refuse=True)
def returned_view_is_written(a, s):
    b = tail(a)
    b *= s
    b[0] = a[0] * s
    return np.sum(a * a)


@lesson("callees", lambda: (values(1, 4), 0.3), may_refuse=True)
def base_of_returned_view_is_written(a, s):
    b = tail(a)
    a[1] = s * a[2]
    a *= a[0]
    return np.sum(b * b)


@lesson("callees", lambda: (values(1, 4), 0.3), may_refuse=True)
def returned_itself_is_written(a, s):
    b = itself(a)
    b[0] = s * s
    a[1] = b[0] * s
    return np.sum(a * b)


@lesson("callees", lambda: (values(1, 4), 0.3), may_refuse=True)
def returned_parts_are_written(a, s):
    first, rest = two_parts(a)
    first += s
    rest *= first[0]
    return np.sum(a * a)


@lesson("callees", lambda: (values(1, 3), 0.3))
def saved_by_a_callee_then_written(a, s):
    t = saves_its_argument(a)
    a[1] = s * t
    a *= s
    return t * np.sum(a)


@lesson("callees", lambda: (values(1, 3), 0.3, 3), lambda: (values(1, 3), 0.3, 0))
def saved_by_a_callee_then_written_in_a_loop(a, s, n):
    b = a * s
    total = 0.0
    for i in range(n):
        total += saves_its_argument(b[i:])
        b[i] = total * s
        b += a
    return total * np.sum(b)


@lesson("callees", lambda: (values(1, 3), 0.3))
def callee_of_a_view(a, s):
    b = a * 2.0
    fill_with(b[1:], s)
    double_tail(b)
    return np.sum(b**2)


@lesson("callees", lambda: (values(1, 3), 0.3))
def result_of_a_callee_then_its_argument_changes(a, s):
    b = square_times(a, s)
    a[0] = b[1]
    c = square_times(b, a[0])
    b[2] = 0.5
    return np.sum(b * c * a)


@lesson("callees", lambda: (values(1, 4), 3), may_refuse=True)
def view_through_two_callees_in_a_loop(a, n):
    y = 0.0
    for i in range(n):
        b = tail(itself(a))
        b[i] = a[i] * b[i] + y
        y = y + a[i + 1]
    return y * np.sum(a)


def nothing(a):
    pass


def only_checks(a, n):
    assert n > 0
    print(end="")


@lesson("callees", lambda: (values(1, 3),))
def callee_does_nothing(x):
    nothing(x)
    only_checks(x, 2)
    return x * x


def both_ways(a, b):
    a[0] += b[0]
    b[1] *= a[1]
    return a * b


@lesson("callees", v3_v3)
def callee_writes_to_both(x, y):
    r = both_ways(x, y)
    return np.sum(r) + np.sum(both_ways(y, x))


@lesson("callees", lambda: (values(1, 6),), may_refuse=True)
def callee_writes_to_two_halves(x):
    r = both_ways(x[:3], x[3:])
    return np.sum(r * r) + np.sum(x)


def relax(u, f, w):
    for i in range(1, len(u) - 1):
        u[i] = (1 - w) * u[i] + w * 0.5 * (u[i - 1] + u[i + 1] + f[i])


@lesson(
    "callees",
    lambda: (values(1, 5), values(2, 5), 0.7, 2),
    lambda: (values(1, 5), values(2, 5), 0.7, 0),
)
def callee_sweeps(u, f, w, n):
    for k in range(n):
        relax(u, f, w)
        relax(u[::-1], f, w)
    return np.sum(u**2)


# --------------------------------------------------- folding: past writes, effects, x = w / x, ...


@lesson("folding", lambda: (0.7, 1.3, 3), lambda: (0.7, 1.3, 0), lambda: (positives(1, 3), 1.3, 2))
def old_and_new_of_one_name(x, w, n):
    for i in range(n):
        x = w / x
    return x * x


@lesson("folding", lambda: (0.7, 1.3), lambda: (positives(1, 3), positives(2, 3)))
def old_and_new_in_a_line(x, w):
    x = w / x
    x = x**w
    x = np.exp(-x) * x
    return x


@lesson("folding", lambda: (values(1, 5), 3), lambda: (values(1, 5), 0))
def gradient_read_before_it_is_cleared(a, n):
    for i in range(n):
        a[1:-1] = a[:-2] * a[2:]
    return np.sum(a * a)


@lesson("folding", lambda: (values(1, 5), 0.4))
def slice_moved_within_the_array(a, s):
    a[1:] = a[:-1] * s
    a[:-1] = a[1:]
    a[::2] = a[1:4].copy()
    return np.sum(a**3)


@lesson("folding", lambda: (values(1, 3), 0.3))
def order_of_effects(a, s):
    b = a * 1.0
    y = b[0] * addto(b, s)
    return y + np.sum(b)


@lesson("folding", lambda: (values(1, 3), 0.3))
def order_of_effects_other_way_round(a, s):
    b = a * 1.0
    y = addto(b, s) * b[0]
    return y * b[1]


@lesson("folding", lambda: (values(1, 3), 0.3))
def order_of_effects_in_three(a, s):
    b = a * 1.0
    return b[0] * b[1] + addto(b, s) * b[0] + addto(b, s * s) * b[0] * np.sum(b)


@lesson("folding", lambda: (values(1, 3), 0.3))
def order_of_effects_in_arguments(a, s):
    b = a * 1.0
    return square_times(b[0] * s, addto(b, s)) + b[0]


@lesson("folding", lambda: (values(1, 4), 0.3))
def read_then_write_then_use(a, s):
    t = a[1] * s
    u = a[1:3] * t
    a[1] = 2.0
    a[2] = t
    return np.sum(u * a[1:3]) * t


@lesson("folding", lambda: (values(1, 4), 0.3))
def temporary_of_an_array_then_written(a, s):
    y = np.exp(a * s)
    a *= y
    z = np.sin(a)
    a[1:] = z[:-1]
    return np.sum(a * z)


@lesson("folding", lambda: (values(1, 4), 0.3))
def written_by_its_own_mask_value(a, s):
    y = a * s
    y[np.argmax(y)] = y[0] ** 2
    return np.sum(y * y)


@lesson("folding", lambda: (values(1, 4),), may_refuse=True)
def index_reads_what_the_store_writes(y):
    z = y * 2.0
    z[z > 0] = 0.5
    return np.sum(z * y)


@lesson("folding", lambda: (values(1, 4), np.array([2, 0, 1, 3])), may_refuse=True)
def index_is_written_afterwards(y, k):
    j = k[0]
    y[j] = y[k[1]] * 2.0
    k = k + 1
    j = 0
    return np.sum(y * y) + y[k[1]]


@lesson("folding", lambda: (values(1, 4),))
def index_variable_changes(y):
    i = 0
    y[i] = y[i + 1] ** 2
    i = i + 2
    y[i] *= y[0]
    i = 1
    return y[i] * np.sum(y)


# --------------------------------------------------- masks and places; functions that write to arguments


def v5_places() -> tuple[Any, ...]:
    return (values(1, 5), np.array([3, 0, 3, -2]), values(2, 4))


@lesson("places", v5_places, lambda: (values(1, 5), np.array([], int), values(2, 0)))
def gathered_twice(x, i, v):
    y = x[i] * v
    return np.sum(y * x[i]) + np.sum(x[i][::-1] ** 2)


@lesson("places", v5_places)
def stored_where_it_was_read(x, i, v):
    x[i] = x[i] * v
    x[i[::-1]] = x[i] + v
    x[i] *= x[i]
    return x


@lesson("places", v5_places)
def index_is_rebound_between(x, i, v):
    y = x[i]
    x[i] = v
    i = np.array([1, 1, 0, 4])
    x[i] += y
    return x * 2.0


@lesson("places", v5_places)
def index_is_written_in_a_loop(x, i, v):
    k = np.array([0, 1, 1])
    for n in range(3):
        x[k] += 0.5 * x[k[::-1]] * v[n]
        k[n] = i[n]
    return np.sum(x[k] ** 2)


@lesson("places", lambda: (values(1, 6),), lambda: (-positives(1, 4),), lambda: (values(1, 0),))
def mask_reads_what_is_stored(x):
    y = x * 2
    y[y > 0] = 0
    y[y < -1] += x[y < -1] ** 2
    x[x > 0.5], x[x < 0] = 0.5, 0.1
    return np.sum(y * x)


@lesson("places", lambda: (values(1, 6), values(2, 6)))
def one_mask_for_two_arrays(x, z):
    m = (x > 0) & (z < 0.5)
    x[m] = z[m] * x[m]
    z[~m] *= x[~m]
    m[:] = True
    return np.sum(x[m] * z[m])


@lesson("places", lambda: (values(1, 4, 3),), lambda: (np.asfortranarray(values(1, 4, 3)),))
def mask_of_rows_and_a_column(a):
    rows = a[:, 0] > 0
    a[rows, 1] = a[rows, 2] ** 2
    a[rows] *= a[rows, :1]
    return np.sum(a[~rows, ::2] ** 2) + np.sum(a[:, np.array([True, False, True])])


@lesson("places", lambda: (values(1, 4, 3), np.array([0, 2, 2]), np.array([1, 1, 0])))
def several_arrays_of_places(a, i, j):
    a[i, j] = a[j, i] * 2
    a[i[:, None], j] += a[0, 0]
    b = a[1:, j] * a[i, :][:, [0, 0, 1]]
    return np.sum(b) * a[..., j][-1, 0]


@lesson("places", lambda: (values(1, 5), [0, 3]), may_refuse=True)
def a_list_of_places_changes(x, chosen):
    y = x[chosen]
    chosen[0] = 1
    z = x[chosen] * 2
    chosen.append(1)
    return np.sum(y * z) + np.sum(x[chosen] ** 2)


@lesson("places", lambda: (values(1, 5), np.array([1, 1, 2]), np.array([2, 0, 1])))
def places_of_a_callee(x, i, j):
    put_places(x, i, 0.5 * x[j])
    return x * taken_places(x, j)[0]


def put_places(x, i, v):
    x[i] = v
    x[i] += v


def taken_places(x, j):
    return x[j] * x[j[::-1]]


@lesson("out", v3_v3)
def out_is_an_operand(x, y):
    np.multiply(x, y, out=x)
    np.subtract(y, x, out=y)
    z = np.sin(x, out=x)
    z[0] *= y[0]
    return np.sum(x * y)


@lesson("out", lambda: (values(1, 6),))
def out_overlaps_its_operand(x):
    np.add(x[:-1], x[1:], out=x[1:])
    np.multiply(x[::-1], 2.0, out=x)
    np.exp(x[1:4], x[:3])
    return x * 1.5


@lesson("out", v3_v3)
def out_is_read_before_and_after(x, y):
    t = x * y
    s = np.sum(np.cos(t, out=t) * t)
    np.tanh(t, out=t)
    return s * np.sum(t) + np.sum(np.add(t, x, out=y) * y)


@lesson("out", lambda: (values(1, 4), values(2, 4), values(3, 4) > 0))
def out_keeps_what_where_leaves(x, y, m):
    np.sqrt(x * x + 1, out=y, where=m)
    np.divide(1.0, y, out=x, where=x > 0)
    np.copyto(y, x, where=~m)
    return np.sum(x * y**2)


@lesson("out", lambda: (values(1, 4), np.ones(4)))
def inactive_out_changes(x, c):
    s = x * c
    np.add(c, 1.0, out=c)
    s = s * c
    c.fill(3.0)
    s = s * c
    np.put(c, [0, 1], 7.0)
    return s * c


@lesson("out", lambda: (values(1, 4), np.array([0, 0, 2])))
def scattered_and_read(x, i):
    y = x.copy()
    np.add.at(y, i, y[:3] ** 2)
    np.add.at(x, i, y[i])
    np.subtract.at(y, i[::-1], x[i])
    return x * y


# ------------------------------------------------------------------------------ views and bases


@lesson("views", lambda: (values(1, 4), 0.3))
def view_of_a_rebound_array(a, u):
    b = a[1:]
    b[0] = u
    a = a * u
    return np.sum(b * a[1:]) + np.sum(a)


@lesson("views", lambda: (values(1, 4), 0.3))
def view_of_a_rebound_array_written_later(a, u):
    b = a[1:]
    a = a * u
    b *= a[0]
    a[1] = b[1]
    return np.sum(a) * np.sum(b * b)


@lesson("views", lambda: (values(1, 4), 0.3, 3), may_refuse=True)
def view_of_a_rebound_array_in_a_loop(a, u, n):
    total = 0.0
    for i in range(n):
        b = a[1:]
        b[0] = u * a[0]
        a = a * u
        total += np.sum(b * b)
    return total + np.sum(a)


@lesson("views", lambda: (values(1, 2, 3), 0.3))
def written_through_the_transpose(a, u):
    t = a.T
    t[0] = u * a[0, 1]
    t *= u
    return np.sum(a * a)


@lesson("views", lambda: (values(1, 2, 3), 0.3), may_refuse=True)
def written_through_ravel(a, u):
    b = a * u
    flat = b.ravel()
    flat[1] = u
    flat[2:] *= flat[1]
    return np.sum(b * b)


@lesson("views", lambda: (values(1, 2, 3).T, 0.3), may_refuse=True)
def ravel_of_the_transpose_is_a_copy(a, u):
    b = a * u
    flat = b.T.ravel()
    flat[1] = u
    return np.sum(b * b) * flat[0]


@lesson("views", lambda: (values(1, 6), 0.3), may_refuse=True)
def written_through_reshape(a, u):
    b = a.reshape(2, 3)
    b[1] = u * b[0]
    a[0] = b[1, 1]
    return np.sum(a * a) + np.sum(b)


@lesson("views", lambda: (values(1, 6), 0.3))
def read_through_a_view_after_a_write(a, u):
    b = a[::2]
    c = b[1:]
    a[2] = u * u
    a[4] *= c[0]
    return np.sum(b * b) + c[1]


@lesson("views", lambda: (values(1, 6), True), lambda: (values(1, 6), False), may_refuse=True)
def either_view_is_written(a, flag):
    b = a[:3] if flag else a[3:]
    b *= a[1]
    return np.sum(a * a)


@lesson("views", lambda: (values(1, 6), True), lambda: (values(1, 6), False), may_refuse=True)
def view_or_fresh_is_written(a, flag):
    if flag:
        b = a
    else:
        b = a * 2.0
    b[0] = a[1] ** 2
    return np.sum(a * a) + np.sum(b)


@lesson("views", lambda: (values(1, 6), 3), lambda: (values(1, 6), 0), may_refuse=True)
def views_rotate(a, n):
    p, q = a[:3], a[3:]
    for i in range(n):
        p[0] = q[1] * q[2]
        p, q = q, p
    return np.sum(a * a) + p[0]


@lesson("views", lambda: (values(1, 4), 0.5))
def second_name_augmented(a, u):
    b = a
    b += u
    b = b * u
    b += a
    return np.sum(a * b)


@lesson("views", lambda: (values(1, 6), 0.3, 3), lambda: (values(1, 6), 0.3, 0))
def view_that_ends_in_each_trip(a, u, n):
    for i in range(n):
        v = a[1:4]
        v *= u + i
        w = a[2:]
        w[0] = np.sum(w) * a[0]
    return np.sum(a * a)


@lesson("views", lambda: (values(1, 6), 0.3, 3), may_refuse=True)
def view_that_the_next_trip_reads(a, u, n):
    v = a[:3]
    total = 0.0
    for i in range(n):
        total = total + np.sum(v * v)
        v = a[1:4]
        a[2] = u * v[0]
        a[1] *= u
    return total + np.sum(a * a)


@lesson("views", lambda: (values(1, 6), 0.3, 3), may_refuse=True)
def view_of_the_trip_before(a, u, n):
    total = 0.0
    for i in range(n):
        a[2] = u * a[1] * (i + 1)
        if i > 0:
            total = total + np.sum(v * v)  # noqa: F821
        v = a[1:4]
    return total + np.sum(a * a)


@lesson("views", lambda: (values(1, 6), 0.3, True), lambda: (values(1, 6), 0.3, False))
def view_that_one_branch_reads(a, u, flag):
    v = a[1:4]
    a[0] = u
    total = 0.0
    if flag:
        a[2] = u * a[1]
        total += np.sum(v * v)
    else:
        w = a[2:]
        w *= u
        total += np.sum(w)
    a[3] = u * a[4]
    return total + np.sum(a * a)


@lesson("views", lambda: (values(1, 6), 0.3), may_refuse=True)
def view_that_a_closure_reads(a, u):
    v = a[1:4]

    def squared():
        return np.sum(v * v)

    a[2] = u * a[1]
    before = squared()
    a[1] *= u
    return before * squared() + np.sum(a)


@lesson("views", lambda: (values(1, 6), 0.3), may_refuse=True)
def view_that_a_handler_reads(a, u):
    v = a[1:4]
    try:
        a[2] = u * a[1]
        if u > 0:
            raise ValueError
        a[1] = u
    except ValueError:
        a[3] *= np.sum(v * v)
    return np.sum(a * a)


@lesson("views", lambda: (values(1, 4), values(2, 4)))
def view_that_is_active_after_it_was_read(a, b):
    c = np.zeros(4)
    v = c[1:]
    first = np.sum(v) + v[0]
    c[2] = a[1] * b[0]
    w = c[1:]
    w *= b[1:]
    return np.sum(c * c) + first


@lesson("views", lambda: (values(1, 6), 0.3))
def view_read_twice_after_two_writes(a, u):
    v = a[1:4]
    w = a[2:]
    w *= u
    first = np.sum(v * v)
    a[2] = first * u
    return first * np.sum(v) + np.sum(w * v[0]) + np.sum(a * a)


@lesson("views", lambda: (values(1, 3, 3),), may_refuse=True)
def row_of_a_matrix_augmented(a):
    for i in range(1, 3):
        row = a[i]
        row -= a[i - 1] * row[0]
    return np.sum(a * a)


@lesson("views", lambda: (values(1, 3, 3),), may_refuse=True)
def diagonal_written(a):
    b = a * 2.0
    for i in range(3):
        b[i, i] = b[i, i] ** 2
    return np.sum(np.diag(b)) + np.trace(b) * b[0, 1]


# --------------------------------------------- loops without a trip, names on one path, variables


@lesson("loops", lambda: (0.7, 0), lambda: (0.7, 3), lambda: (values(1, 3), 0))
def nothing_happens(x, n):
    y = x
    for i in range(n):
        y = np.sin(y) * x
    return y * x


@lesson("loops", lambda: (values(1, 0),), lambda: (values(1, 1),))
def over_an_empty_array(x):
    y = 1.0
    for i in range(len(x)):
        y = y * x[i]
    return y + np.sum(x)


@lesson("loops", lambda: (0.7, 4, 1), lambda: (0.7, 1, 4), lambda: (0.7, 2, 2))
def bounds_the_wrong_way_round(x, a, b):
    y = x
    for i in range(a, b):
        for j in range(b, a, -2):
            y = y * x * j
        y = y * x + i
    for j in range(b, a, -2):
        y = y + x**2 * j
    return y


@lesson("loops", lambda: (0.7, True), lambda: (0.7, False))
def defined_on_one_path(x, flag):
    if flag:
        t = x * x
    y = x
    if flag:
        y = y * t
    return y


@lesson("loops", lambda: (0.7, 3), lambda: (0.7, 1))
def defined_in_the_loop_only(x, n):
    for i in range(n):
        t = x * (i + 1)
        x = x + t * t
    return t * x


@lesson("loops", lambda: (values(1, 5), 3), lambda: (values(1, 5), 1))
def variable_after_the_loop(x, n):
    for i in range(n):
        x = x * x[i]
    return x[i] * np.sum(x[: i + 1]) * i


@lesson("loops", lambda: (values(1, 5), 3))
def variables_of_nested_loops_afterwards(x, n):
    y = 0.0
    for i in range(n):
        for j in range(i + 1):
            y += x[i] * x[j]
    return y * x[i] * x[j] * (i + j)


@lesson("loops", lambda: (0.7, 3))
def the_same_variable_in_both_loops(x, n):
    y = x
    for i in range(n):
        for i in range(2):
            y = y * x + i
        y = y + i * x
    return y * i


@lesson("loops", lambda: (0.7, 3), lambda: (0.7, 0))
def bound_is_rebound(x, n):
    m = n
    for i in range(m):
        m = m + 2
        x = x * x + m
    return x * m


@lesson("loops", lambda: (0.7, 3), lambda: (0.7, -2), lambda: (0.7, 0))
def negative_bounds(x, n):
    y = x
    for i in range(-n, n):
        y = y * x + i
    return y


@lesson("loops", lambda: (0.7, 3), lambda: (0.7, 0))
def the_same_variable_in_a_loop_inside(x, n):
    y = x
    i = 1
    for i in range(n):
        y = y * x
        for i in range(3):
            pass
        y = y * (i + 1) + x
    return y * i


@lesson("loops", lambda: (values(1, 5), 3))
def variable_rebound_in_the_body(x, n):
    y = x[0]
    for i in range(n):
        y = y * x[i]
        i = i + 1
        y = y + x[i] * i
    return y


def power_by_recursion(x, n):
    if n == 0:
        return 1.0
    return x * power_by_recursion(x, n - 1)


@lesson("recursion", lambda: (0.7, 0), lambda: (0.7, 1), lambda: (0.7, 4))
def recursion(x, n):
    return power_by_recursion(x, n) * x


def fill_by_recursion(a, k):
    if k < len(a):
        a[k] = a[k - 1] * a[k]
        fill_by_recursion(a, k + 1)


@lesson("recursion", lambda: (values(1, 4),))
def recursion_that_mutates(x):
    y = x * 2.0
    fill_by_recursion(y, 1)
    return np.sum(y)


def even(x, n):
    return x if n == 0 else odd(x * x, n - 1)


def odd(x, n):
    return x * 3.0 if n == 0 else even(np.sin(x), n - 1)


@lesson("recursion", lambda: (0.7, 0), lambda: (0.7, 3))
def mutual_recursion(x, n):
    return even(x, n) + odd(x, n)


# -------------------------------------------------------------------------------------- kinks


@lesson("kinks", lambda: (np.zeros(3),), truth=lambda: {0: np.zeros(3)})
def absolute(x):
    return np.sum(np.abs(x)) + np.sum(abs(x) * x)


@lesson("kinks", lambda: (np.array([2.0, 1.0, 2.0]),), truth=lambda: {0: np.array([0.5, 0.0, 0.5])})
def ties_of_max(x):
    return np.max(x)


@lesson("kinks", lambda: (np.array([1.0, 1.0, 2.0]),), truth=lambda: {0: np.array([0.5, 0.5, 0.0])})
def ties_of_min(x):
    return x.min()


@lesson(
    "kinks",
    lambda: (np.ones(2), np.ones(2)),
    truth=lambda: {0: np.full(2, 0.5), 1: np.full(2, 0.5)},
)
def ties_of_maximum(x, y):
    return np.maximum(x, y)


@lesson("kinks", lambda: (np.zeros(3),), truth=lambda: {0: np.zeros(3)})
def norm_at_the_origin(x):
    return np.linalg.norm(x)


@lesson(
    "kinks",
    lambda: (np.array([0.0, -2.0, 3.0]),),
    truth=lambda: {0: np.zeros(3)},
)
def power_zero(x):
    return np.sum(x**0)


@lesson(
    "kinks", lambda: (np.array([0.0, -2.0, 3.0]),), truth=lambda: {0: np.array([0.0, -4.0, 6.0])}
)
def power_two(x):
    return np.sum(x**2)


@lesson("kinks", lambda: (np.array([0.0, -2.0, 3.0]), 1), truth=lambda: {0: np.ones(3)})
def power_one(x, n):
    return np.sum(x**n)


@lesson("kinks", lambda: (np.zeros(2), 2.0), truth=lambda: {0: np.zeros(2), 1: 0.0})
def zero_to_a_power(x, p):
    return np.sum(x**p)


@lesson(
    "kinks",
    lambda: (np.array([-1.0, 0.0, 4.0]),),
    truth=lambda: {0: np.array([1.0, 1.0, 0.25])},
)
def where_spares_nan(x):
    return np.sum(np.where(x > 0, np.sqrt(np.where(x > 0, x, 1.0)), x))


@lesson("kinks", lambda: (np.array([0.0, 2.0, 3.0]),), truth=lambda: {0: np.array([6.0, 0.0, 0.0])})
def product_with_a_zero(x):
    return np.prod(x)


@lesson("kinks", lambda: (np.array([0.0, 2.0, 0.0]),), truth=lambda: {0: np.zeros(3)})
def product_with_two_zeros(x):
    return np.prod(x)


@lesson("kinks", lambda: (np.array([2.0, 2.0, 1.0]),), truth=lambda: {0: np.array([2.0, 3.0, 1.0])})
def sort_with_ties(x):
    return np.sum(np.sort(x) * np.arange(1.0, 4.0))


@pytest.mark.parametrize("zero", [0.0, -0.0, np.float64(0.0)])
def test_scalars_at_kinks(zero: float) -> None:
    assert grad(lambda x: abs(x))(zero) == 0.0
    assert grad(lambda x: np.abs(x))(zero) == 0.0
    assert grad(lambda x: max(x, 0.0))(zero) in (0.0, 0.5)
    assert grad(lambda x: np.maximum(x, 0.0))(zero) in (0.0, 0.5)
    assert grad(lambda x: x**0)(zero) == 0.0
    assert grad(lambda x: x**1)(zero) == 1.0
    assert grad(lambda x: x**2)(zero) == 0.0
    assert grad(lambda x: x**2.0)(zero) == 0.0
    assert grad(lambda x: np.linalg.norm(np.array([x, x])))(zero) == 0.0


def test_where_with_nan_in_the_other_branch() -> None:
    def f(x):
        return np.sum(np.where(x > 0, np.log(x), x * x))

    x = np.array([-2.0, 3.0])
    with np.errstate(all="ignore"):
        value, gradient = value_and_grad(f)(x)
    assert value == pytest.approx(4.0 + math.log(3.0))
    np.testing.assert_allclose(gradient, [-4.0, 1 / 3])


def where_log(x):
    return np.where(x > 0, np.log(x), 0.0)


def where_quotient(x):
    return np.where(x != 0, np.sin(x) / x, 1.0)


def where_named(x):
    t = np.log(x)
    u = 2 * t
    y = np.where(x > 0, u, -x)
    return np.sum(y * 3)


def where_in_where(x):
    return np.where(x > 0, np.where(x < 2, np.log(x) * x, x**2), 3 * x)


def where_overflows(x):
    return np.where(x > -2, x, np.exp(800 * x) * np.exp(-800 * x))


def where_in_a_loop(x):
    s = 0.0
    for k in range(2):
        t = 1 / x
        s += np.sum(np.where(x != 0, t * (k + 1), 0.0))
    return s


def where_of_power(x):
    return np.where(x == 0, 0.0, x**-1.5 * np.sqrt(x))


def where_data_is_missing(x):
    data = np.ones_like(x)
    data[1], data[2] = np.nan, 2.0
    error = (x - data) ** 2
    return np.mean(np.where(np.isnan(data), 0.0, error))


AT_SINGULAR_POINTS = [
    (where_log, [0.0, 2.0, -1.0], [0.0, 0.5, 0.0]),
    (where_quotient, [0.0, 2.0], [0.0, (2 * math.cos(2.0) - math.sin(2.0)) / 4]),
    (where_named, [0.0, 2.0, -1.0], [-3.0, 3.0, -3.0]),
    (where_in_where, [0.0, 1.0, 3.0, -1.0], [3.0, 1.0, 6.0, 3.0]),
    (where_overflows, [-1.5, 1.5], [1.0, 1.0]),
    (where_in_a_loop, [0.0, 2.0], [0.0, -0.75]),
    (where_of_power, [0.0, 2.0], [0.0, -0.25]),
    (where_data_is_missing, [3.0, 3.0, 3.0], [4 / 3, 0.0, 2 / 3]),
]


@pytest.mark.parametrize(("function", "x", "expected"), AT_SINGULAR_POINTS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_where_at_singular_points(function: Function, x: Any, expected: Any, dtype: Any) -> None:
    point = np.array(x, dtype)
    with np.errstate(all="ignore"):
        gradient = grad(function)(point)
        value, pullback = vjp(function, point)
        head = np.ones_like(value)
        for found in (gradient, pullback(head)[0], pullback(head)[0]):
            np.testing.assert_allclose(found, expected, rtol=1e-6)
            assert found.dtype == dtype


@pytest.mark.parametrize(("s", "expected"), [(0.0, 0.0), (2.0, 0.5), (np.float64(0.0), 0.0)])
def test_where_of_a_scalar_at_a_singular_point(s: float, expected: float) -> None:
    with np.errstate(all="ignore"):
        assert grad(where_log)(s) == expected


@pytest.mark.parametrize("x", [-2.0, 0.0, 3.0])
def test_ternary_runs_one_branch(x: float) -> None:
    def f(x):
        return math.log(x) if x > 0 else x * x

    assert grad(f)(x) == pytest.approx(1 / x if x > 0 else 2 * x)


# ----------------------------------------------- inactive values that change after they were read


@lesson("inactive", lambda: (0.7, np.array([1.0, 2.0]) > 0, [1, 2]), may_refuse=True)
def inactive_list_grows(x, flags, log):
    y = x * len(log)
    log.append(3)
    y = y * x * len(log) * log[0]
    log[0] = 7
    return y * x


@lesson("inactive", lambda: (0.7, {"rate": 2.0}), may_refuse=True)
def inactive_dict_changes(x, options):
    y = x * options["rate"]
    options["rate"] = 5.0
    return y * x * options["rate"]


@lesson("inactive", lambda: (0.7, np.array([1, 2])))
def inactive_argument_changes(x, k):
    y = x * k[0]
    k[0] = 5
    y = y * x * k[0]
    k += 1
    return y * k[1] * x


@lesson("inactive", lambda: (values(1, 3), 3), lambda: (values(1, 3), 0))
def inactive_local_array_changes(x, n):
    k = np.zeros(3)
    y = x * 1.0
    for i in range(n):
        k[i] = i + 1.0
        y = y * k + x
        k *= 0.5
    return y * k


@lesson("inactive", lambda: (values(1, 3), 3), lambda: (values(1, 3), 0))
def inactive_scalars_change(x, n):
    a = 1.0
    j = 0
    y = x[0]
    for i in range(n):
        a, j = a + 1.0, (j + 2) % 3
        y = y * x[j] * a
        j = j - 1
    return y * a * x[j]


@lesson("inactive", lambda: (values(1, 3), True), lambda: (values(1, 3), False))
def inactive_test_changes(x, flag):
    y = x * x
    if flag:
        flag = False
        y = y * x
    else:
        flag = True
        y = y + x
    if flag:
        y = y * x
    return np.sum(y)


@lesson("inactive", lambda: (values(1, 4), np.array([0, 1, 3])), may_refuse=True)
def inactive_index_array_changes(x, k):
    y = x[k] * 2.0
    k[0] = 2
    return np.sum(y * x[k])


@lesson("inactive", lambda: (values(1, 4), 3))
def inactive_slice_bounds_change(x, n):
    y = x[1:n] * 2.0
    n = n - 1
    z = x[:n] * y
    n = 0
    return np.sum(z) * x[n]


@pytest.mark.parametrize("wrap", ["object", "masked", "matrix"])
def test_other_kinds_of_arrays_beside_active_ones(wrap: str) -> None:
    """Right or refused: never a gradient of zeros."""

    def f(w, b):
        return np.sum(w * b)

    w = values(1, 3)
    b: Any = {
        "object": lambda: np.array([1.0, 2.0, 3.0], dtype=object),
        "masked": lambda: np.ma.masked_array([1.0, 2.0, 3.0], mask=[False, True, False]),
        "matrix": lambda: np.ones((1, 3)).view(np.matrix),
    }[wrap]()
    try:
        gradient = grad(f)(w, b)
    except (TypeError, NotDifferentiable):
        return
    right = {"object": [1.0, 2.0, 3.0], "masked": [1.0, 0.0, 3.0], "matrix": [1.0, 1.0, 1.0]}
    np.testing.assert_allclose(np.asarray(gradient, dtype=float), right[wrap])


@pytest.mark.parametrize("call", ["eval('x * 2')", "locals()['x'] * 2", "vars()['x'] * 2"])
def test_arguments_read_by_another_way(call: str) -> None:
    f = function_in(f"def f(x):\n    return {call}\n", "f", f"another way {call}")
    try:
        assert grad(f)(3.0) == 2.0
    except NotDifferentiable:
        pass


def test_items_of_tuples_that_functions_return() -> None:
    def f(a):
        return np.linalg.slogdet(a)[1]

    def g(a):
        sign, value = np.linalg.slogdet(a)
        return sign * value

    a = values(1, 3, 3) + 3 * np.eye(3)
    for each in (f, g):
        assert_close(grad(each)(a), np.linalg.inv(a).T, "slogdet")


# ------------------------------------------------------------- dtypes, 0-d arrays, conversions


@lesson("dtypes", lambda: (values(1, 3, dtype=np.float32), 3), lambda: (np.float32(0.7), 3))
def float32_stays(x, n):
    y = x
    for i in range(n):
        y = y * 0.5 + np.exp(-x) * 2
    return y / 3 + np.sum(x)


@lesson("dtypes", lambda: (values(1, 3, dtype=np.float32), values(2, 3)))
def float32_meets_float64(x, y):
    return np.sum(x * y) + x[0] * y[1]


@lesson("dtypes", lambda: (values(1, 3, dtype=np.float32), 0.3))
def float32_in_place(x, s):
    x[1:] *= x[0]
    x += s
    return np.mean(x * x)


@lesson("dtypes", lambda: (values(1, 4, dtype=np.float32),))
def float32_widened_by_a_store(x):
    y = np.zeros(4)
    y[:] = x
    y[0] = x[1] * x[2]
    return np.sum(y * y)


@lesson("dtypes", lambda: (values(1, 4),), may_refuse=True)
def float64_narrowed_by_a_store(x):
    y = np.zeros(4, dtype=np.float32)
    y[:] = 0.0
    y[1:] = 0.5
    return np.sum(y * x)


@lesson("dtypes", lambda: (values(1, 3), np.arange(3)), lambda: (values(1, 3), np.eye(3)[0] > 0))
def integers_meet_floats(x, k):
    y = k * x
    z = y + k
    return np.sum(z * x)


@lesson("dtypes", lambda: (0.7, 3), lambda: (np.float64(0.7), 3))
def integer_arrays_stay_inactive(x, n):
    k = np.arange(n)
    k[0] = 5
    k[1] += 2
    return np.sum(k * x) * x


@lesson("dtypes", lambda: (np.array(0.7),), lambda: (0.7,), lambda: (np.float64(0.7),))
def nought_dimensional(x):
    y = x * x
    z = np.sin(y) + x
    return z * 2.0


@lesson("dtypes", lambda: (np.array(0.7), values(1, 3)))
def nought_dimensional_broadcast(s, x):
    return np.sum(s * x) * s


@lesson("dtypes", lambda: (np.array(0.7), 3), lambda: (np.array(0.7), 0), may_refuse=True)
def nought_dimensional_in_place(s, n):
    for i in range(n):
        s *= s + i
    return s * 2.0


@lesson("dtypes", lambda: (values(1, 3),))
def nought_dimensional_inside(x):
    s = np.array(2.0)
    y = np.sum(x) * s
    return y * x[1] + s


@lesson("conversions", lambda: (values(1, 3),), lambda: (values(1, 1),))
def item_and_float(x):
    return x[0].item() * float(x[-1]) + float(np.sum(x)) * x.sum().item()


@lesson("conversions", lambda: (values(1, 1),), lambda: (np.array(0.7),), may_refuse=True)
def item_of_an_array(x):
    return x.item() * 2.0 * float(x.item())


@lesson("conversions", lambda: (values(1, 3),))
def copies(x):
    y = x.copy()
    y[0] = 2.0 * x[1]
    z = np.copy(x)
    z *= y
    return np.sum(z) * x[0]


@lesson("conversions", lambda: (values(1, 3),), lambda: (values(1, 3, dtype=np.float32),))
def casts(x):
    y = x.astype(np.float64)
    y *= 2.0
    z = np.array(x) * y
    z[0] = x[0] ** 2
    w = np.asarray(x) * 2.0
    return np.sum(z * w)


@lesson("conversions", lambda: (values(1, 3),), may_refuse=True)
def astype_is_a_copy_where_nothing_changes(x):
    y = x.astype(float)
    y[0] = 3.0 * x[1]
    return np.sum(x * y)


@lesson("conversions", lambda: (values(1, 3),), may_refuse=True)
def asarray_is_no_copy(x):
    y = np.asarray(x)
    y[0] = 3.0 * x[1]
    return np.sum(x * y)


@lesson("conversions", lambda: (values(1, 3),), may_refuse=True)
def array_of_scalars(x):
    y = np.array([x[0] * x[1], 2.0, x[2]])
    return np.sum(y * x)


@lesson("conversions", lambda: (values(1, 3),), may_refuse=True)
def to_a_list(x):
    y = x.tolist()
    return y[0] * y[1]


@lesson("conversions", lambda: (2.7,), lambda: (values(1, 3),), may_refuse=True)
def truncated(x):
    y = int(x) if np.ndim(x) == 0 else int(x[0])
    return y * np.sum(x)


@lesson("conversions", lambda: (values(1, 3) * 5,), may_refuse=True)
def cast_to_integers(x):
    k = x.astype(int)
    return np.sum(k * x)


@lesson("conversions", lambda: (values(1, 3) * 5,), may_refuse=True)
def stored_into_integers(x):
    k = np.zeros(3, dtype=int)
    k[:] = np.floor(x)
    return np.sum(k * x)


@lesson("conversions", lambda: (values(1, 3) * 5,), may_refuse=True)
def active_stored_into_integers(x):
    k = np.zeros(3, dtype=int)
    k[0] = x[0] * 3.0
    return np.sum(k * x)


# ------------------------------------------------------------------- user names that collide


@lesson("names", lambda: (0.7, 1.3))
def names_of_gradients(x, dx):
    dy = x * dx
    y = dy * dy
    g = np.sin(y) + dx
    dg = g * y
    return dg + dy


@lesson("names", lambda: (0.7, 3), lambda: (0.7, 0))
def names_of_tapes(x, n):
    x_tape = 2.0
    trips = 1.5
    for i in range(n):
        x = x * x * x_tape
        x_tape = x_tape + x
        trips = trips * x
    t_tape = trips
    return x * x_tape * t_tape


@lesson("names", lambda: (0.7, 1.3, True), lambda: (0.7, 1.3, False))
def names_of_tests(positive, t, test):
    t_1 = positive * t
    y = t_1
    if positive * t > 0 and test:
        y = y * t
    value = y + t_1
    return value * positive


@lesson("names", v3)
def names_of_builtins(x):
    sum = np.sum(x)
    len = sum * x[0]
    range_ = [1]
    float = len + x[1]
    reversed = float * sum
    return reversed * len


@lesson("names", lambda: (values(1, 3), 2))
def range_is_a_variable_later(x, n):
    y = x
    for i in range(n):
        y = y * x
    list = np.sum(y)
    tuple = list * list
    return tuple


@lesson("names", v3)
def names_of_helpers(unbroadcast):
    copy_shared = unbroadcast * 2.0
    full = np.sum(copy_shared)
    cast = copy_shared + full
    share = np.max(cast)
    return share * full


@lesson("names", lambda: (0.7,))
def unicode_names(α):
    β = α * α
    дельта = np.exp(β)
    名前 = дельта * α
    ﬁ = 名前 * 2.0
    return ﬁ


@lesson("names", lambda: (0.7, 2))
def names_of_files_and_the_function(names_of_files_and_the_function_grad, _):
    __x = names_of_files_and_the_function_grad * _
    saved = __x * __x
    old = saved
    saved = saved * old
    return saved


@lesson("names", lambda: (0.7, 2))
def very_long_names(
    a_name_as_long_as_the_line_that_it_stands_in_and_then_some_more_of_it_for_good_measure, n
):
    another_name_as_long_as_the_line_that_it_stands_in_and_then_some_more_of_it_for_good_measure = (
        a_name_as_long_as_the_line_that_it_stands_in_and_then_some_more_of_it_for_good_measure**2
    )
    for (
        the_variable_of_a_loop_whose_name_is_longer_than_any_name_of_a_variable_should_ever_be
    ) in range(n):
        another_name_as_long_as_the_line_that_it_stands_in_and_then_some_more_of_it_for_good_measure = (
            np.sin(
                another_name_as_long_as_the_line_that_it_stands_in_and_then_some_more_of_it_for_good_measure
            )
            * a_name_as_long_as_the_line_that_it_stands_in_and_then_some_more_of_it_for_good_measure
        )
    return (
        another_name_as_long_as_the_line_that_it_stands_in_and_then_some_more_of_it_for_good_measure
    )


def function_in(text: str, name: str, tmp: str, **namespace: Any) -> Function:
    """A function of a text, as if it stood in a file."""
    filename = f"<{tmp} {name} {len(text)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace["__name__"] = "somewhere"
    exec(compile(text, filename, "exec"), namespace)
    return namespace[name]  # type: ignore[no-any-return]


def test_np_is_something_else() -> None:
    class Odd:
        value = 3.0

    text = (
        "def f(x, n):\n    y = x\n    for i in range(n):\n        y = numpy.sin(y) * x * np.value\n"
        "    return numpy.sum(y * x)\n"
    )
    f = function_in(text, "f", "np is something else", np=Odd, numpy=np)
    assert_close(
        grad(f)(values(1, 3), 2), numeric_gradient(f, (values(1, 3), 2), 0, 1.0), "np is a class"
    )
    text = "def f(np, n):\n    for i in range(n):\n        np = np * np\n    return np\n"
    f = function_in(text, "f", "np is an argument")
    assert grad(f)(0.7, 2) == pytest.approx(4 * 0.7**3)
    np.testing.assert_allclose(grad(f)(np.array([0.7, 1.0]), 2), [4 * 0.7**3, 4.0])


def test_numpy_is_not_imported_by_name() -> None:
    text = "def f(x):\n    y = x * 2\n    y[0] = x[1] ** 2\n    return total(y * exp(x))\n"
    f = function_in(text, "f", "no np", total=np.sum, exp=np.exp)
    x = values(1, 3)
    assert_close(grad(f)(x), numeric_gradient(f, (x,), 0, 1.0), "no np")
    assert "np" not in f.__globals__


def test_the_users_namespace_is_not_written_to() -> None:
    text = "def g(a):\n    a[0] = a[1] ** 2\n    return a[1:]\ndef f(x):\n    y = x * 2\n    return sum_(g(y))\n"
    f = function_in(text, "f", "namespace", sum_=np.sum)
    before = dict(f.__globals__)
    grad(f)(values(1, 3))
    vjp(f, values(1, 3))[1](1.0)
    assert f.__globals__ == before


# ------------------------------------------------------- what changes between calls: globals, ...

RATE = 2.0
TABLE = np.array([1.0, 2.0, 3.0])


def test_globals_change(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x):
        return np.sum(x * x * RATE) + np.sum(TABLE * x)

    x = values(1, 3)
    derivative = grad(f)
    np.testing.assert_allclose(derivative(x), 2 * x * 2 + TABLE)
    monkeypatch.setitem(globals(), "RATE", 5.0)
    np.testing.assert_allclose(derivative(x), 2 * x * 5 + TABLE)
    monkeypatch.setitem(globals(), "RATE", np.array([1.0, 2.0, 3.0]))
    np.testing.assert_allclose(derivative(x), 2 * x * RATE + TABLE)
    monkeypatch.setitem(globals(), "RATE", 3)
    np.testing.assert_allclose(derivative(x), 2 * x * 3 + TABLE)
    monkeypatch.setitem(globals(), "TABLE", np.ones(3))
    np.testing.assert_allclose(derivative(x), 2 * x * 3 + 1)
    monkeypatch.setitem(globals(), "TABLE", 7.0)
    np.testing.assert_allclose(derivative(x), 2 * x * 3 + 7)


def test_globals_change_between_value_and_pullback(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x):
        return np.sum(x * x * RATE)

    x = values(1, 3)
    _, pullback = vjp(f, x)
    monkeypatch.setitem(globals(), "RATE", 100.0)
    np.testing.assert_allclose(pullback(1.0)[0], 4 * x)


def test_global_arrays_change_in_place_between_value_and_pullback() -> None:
    table = np.array([1.0, 2.0, 3.0])

    def f(x):
        return np.sum(x * x * table)

    x = values(1, 3)
    _, pullback = vjp(f, x)
    table[:] = 100.0
    np.testing.assert_allclose(pullback(1.0)[0], 2 * x * [1.0, 2.0, 3.0])


def test_a_list_of_places_outside_may_hold_others_at_the_next_call() -> None:
    places: list = [0, 2]

    def f(x):
        return np.sum(x[places] ** 2)

    x = values(1, 3)
    derivative = grad(f)
    for now in ([0, 2], [1], [0, 0], [[0, 1], [1, 1]], [1, 1, 2]):
        places[:] = now
        expected = np.zeros(3)
        np.add.at(expected, now, 2 * x[now])
        np.testing.assert_allclose(derivative(x), expected)
    places[:] = [True, False, True]
    with pytest.raises(TypeError, match="has to hold integers to be an index"):
        derivative(x)


def test_lists_of_places_outside_change_between_value_and_pullback() -> None:
    places, blocks = [0, 2], {"a": [0, 1], "b": [2]}

    def f(x):
        s = 1.0
        for name in ("a", "b"):
            s = s * np.sum(x[blocks[name]])
        return np.sum(x[places] ** 2) + s

    x = values(1, 3)
    _, pullback = vjp(f, x)
    expected = pullback(1.0)[0]
    _, pullback = vjp(f, x)
    places[:] = [1, 1]
    blocks["a"][:] = [2]
    blocks["b"] = [0]
    np.testing.assert_array_equal(pullback(1.0)[0], expected)


def test_a_container_outside_that_the_function_changes_is_no_index() -> None:
    table: dict = {"a": 1}

    def put(places):
        table["a"] = places

    def f(x):
        put([0, 0])
        return np.sum(x[table["a"]])

    with pytest.raises(TypeError, match="an index of which nothing is known"):
        grad(f)(values(1, 3))


def test_closures_change() -> None:
    rate, count = 2.0, 2

    def f(x):
        for i in range(count):
            x = x * rate
        return x

    derivative = grad(f)
    assert derivative(1.0) == 4.0
    rate = 3.0
    assert derivative(1.0) == 9.0
    count = 3
    assert derivative(1.0) == 27.0
    _, pullback = vjp(f, 1.0)
    rate, count = 5.0, 1
    assert pullback(1.0)[0] == 27.0


def test_a_called_function_is_rebound(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x):
        return square_times(x, 2.0)

    derivative = grad(f)
    assert derivative(3.0) == 12.0
    monkeypatch.setitem(globals(), "square_times", lambda a, s: a * s)
    assert derivative(3.0) == 2.0


def test_a_called_function_gets_new_code() -> None:
    def inner(x):
        return x * 2.0

    def other(x):
        return x * 5.0

    def f(x):
        return inner(x) * x

    derivative = grad(f)
    assert derivative(3.0) == 12.0
    inner.__code__ = other.__code__
    try:
        assert derivative(3.0) == 30.0
    except NotDifferentiable:
        pass


def test_defaults_are_those_of_now() -> None:
    def inner(x, k=2.0):
        return x * k

    def f(x, k=3.0, *, p=1.0):
        return inner(x) * k * p

    derivative = grad(f)
    assert derivative(1.0) == 6.0
    assert derivative(1.0, 4.0) == 8.0
    assert derivative(1.0, p=2.0) == 12.0
    f.__defaults__ = (5.0,)
    assert derivative(1.0) == 10.0
    f.__kwdefaults__ = {"p": 3.0}
    assert derivative(1.0) == 30.0
    inner.__defaults__ = (7.0,)
    assert derivative(1.0) == 105.0


def test_a_default_array_is_written_to() -> None:
    def f(x, total=np.zeros(2)):
        total += x
        return np.sum(total * total) * x[0]

    keep = np.array([0.3, 0.5])
    right = numeric_gradient(f, (keep, np.zeros(2)), 0, 1.0)
    assert_close(grad(f)(keep), right, "default array")
    assert_close(grad(f)(keep), right, "default array, again")


def test_a_mutable_default_of_a_callee() -> None:
    def inner(x, total=np.zeros(2)):
        total += x
        return total * x

    def f(x):
        return np.sum(inner(x))

    x = np.array([0.3, 0.5])
    try:
        gradient = grad(f)(x)
    except NotDifferentiable:
        return
    np.testing.assert_allclose(gradient, 2 * x)


def test_two_functions_of_the_same_name() -> None:
    def make(k: int) -> Function:
        if k == 0:

            def f(x):
                return x * x

        else:

            def f(x):
                return x * x * x

        return f

    one, other = make(0), make(1)
    assert grad(one)(2.0) == 4.0
    assert grad(other)(2.0) == 12.0
    assert grad(one)(2.0) == 4.0

    def both(x):
        return one(x) + other(x)

    assert grad(both)(2.0) == 16.0


def test_closures_of_one_code() -> None:
    def make(k: Any) -> Function:
        def f(x):
            return np.sum(x * k)

        return f

    x = values(1, 3)
    for k in (2.0, 3.0, np.array([1.0, 2.0, 3.0]), 4):
        np.testing.assert_allclose(grad(make(k))(x), np.zeros(3) + k)
    one, other = make(2.0), make(3.0)

    def both(x):
        return one(x) * other(x)

    np.testing.assert_allclose(grad(both)(x), np.full(3, 12.0 * np.sum(x)))


def test_a_function_redefined() -> None:
    for k in range(3):
        f = function_in(f"def f(x):\n    return x * x * {k}.0\n", "f", f"redefined {k}")
        assert grad(f)(1.0) == 2.0 * k
        del f
        gc.collect()


# ------------------------------------------------------------- effects, exceptions, threads


def test_an_exception_half_way_leaves_the_arguments() -> None:
    def f(x, y):
        x[0] = y[0] * 2.0
        y *= x[0]
        if x[0] > 0:
            raise ValueError("half way")
        return np.sum(x * y)

    x, y = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    for derivative in (grad(f), value_and_grad(f), differentiate(f).vjp):
        with pytest.raises(ValueError, match="half way"):
            derivative(x, y)
        assert x.tolist() == [1.0, 2.0]
        assert y.tolist() == [3.0, 4.0]
    assert_close(grad(f)(x, -y), numeric_gradient(f, (x, -y), 0, 1.0), "after the exception")


def test_exceptions_of_dead_code() -> None:
    def f(x, n):
        t = x[n]
        k = [1, 2][n] if n < 5 else 0
        assert n < 3, "n is too large"
        return np.sum(x)

    x = np.ones(4)
    np.testing.assert_array_equal(grad(f)(x, 1), np.ones(4))
    with pytest.raises(IndexError):
        grad(f)(x, 7)
    with pytest.raises(AssertionError, match="n is too large"):
        grad(f)(np.ones(9), 6)


def test_exceptions_of_dead_forward_code() -> None:
    def shapes(x, w):
        return np.sum(w @ x)

    with pytest.raises(ValueError, match="matmul"):
        grad(shapes)(np.ones(3), np.ones((2, 4)))

    def sums(x, w):
        return np.sum(x + w)

    with pytest.raises(ValueError, match="broadcast"):
        grad(sums)(np.ones(3), np.ones(4))

    def undefined(x, flag):
        if flag:
            t = x
        return x + t * 1.0

    with pytest.raises(UnboundLocalError):
        grad(undefined)(1.0, False)
    assert grad(undefined)(1.0, True) == 2.0

    def never_assigned(x, n):
        for i in range(n):
            t = x * i
        return x + t

    with pytest.raises(UnboundLocalError):
        grad(never_assigned)(1.0, 0)


def test_division_by_zero_is_raised_as_by_the_function() -> None:
    def f(x):
        y = 1.0 / (x - x)
        return x * 2.0

    with pytest.raises(ZeroDivisionError):
        f(1.0)
    with pytest.raises(ZeroDivisionError):
        grad(f)(1.0)


class Counter:
    """An object that a function uses beside its mathematics."""

    def __init__(self) -> None:
        self.count = 0

    def next(self) -> float:
        self.count += 1
        return float(self.count)


def test_methods_of_objects_are_called_once() -> None:
    def f(x, counter):
        y = x * counter.next()
        y = y * x * counter.next()
        return y * counter.count

    counter = Counter()
    derivative = grad(f)
    derivative.source(0.5, counter)
    assert counter.count == 0
    assert derivative(0.5, counter) == pytest.approx(2 * 0.5 * 2 * 2)
    assert counter.count == 0  # the caller's object is left as it was


def test_generation_runs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x, n):
        print("once", n)
        return x * n

    for operator in (grad, value_and_grad):
        operator(f).source(0.5, 2)
    differentiate(f).vjp.source(0.5, 2)
    assert capsys.readouterr().out == ""


def test_random_draws_happen_once_in_order() -> None:
    def f(x, rng):
        a = rng.normal()
        y = x * a
        for i in range(3):
            y = y * rng.uniform(0.5, 1.5) + x
        return y * x

    right = value_of = np.random.default_rng(4)
    expected = f(0.5, value_of)
    after = right.normal()
    try:
        rng = np.random.default_rng(4)
        value, gradient = value_and_grad(f)(0.5, rng)
    except NotDifferentiable:
        return
    assert value == expected
    assert rng.normal() == after
    step = 1e-6
    high, low = (f(0.5 + d, np.random.default_rng(4)) for d in (step, -step))
    assert gradient == pytest.approx((high - low) / (2 * step), rel=1e-6)


def test_two_draws_in_one_line_keep_their_order() -> None:
    def f(x, w):
        return x * np.random.rand() + 10 * w * np.random.rand()

    np.random.seed(3)
    expected = f(0.5, 0.7)
    np.random.seed(3)
    value, gradient = value_and_grad(f, wrt=(0, 1))(0.5, 0.7)
    assert value == expected
    np.random.seed(3)
    assert gradient == pytest.approx((np.random.rand(), 10 * np.random.rand()))


def test_parameters_that_have_the_names_of_generated_ones() -> None:
    def f(dy, saved):
        return np.sin(dy * saved)

    expected = (0.7 * np.cos(0.35), 0.5 * np.cos(0.35))
    assert grad(f, wrt=(0, 1))(0.5, 0.7) == pytest.approx(expected)
    assert vjp(f, 0.5, 0.7)[1](1.0) == pytest.approx(expected)


dy = 3.0


def test_a_global_that_has_the_name_of_the_head_gradient() -> None:
    def f(x):
        y = x * dy
        return y

    assert grad(f)(2.0) == 3.0


def test_constant_arrays_in_a_tuple_become_active() -> None:
    def f(x, w):
        pair = (w[:2] * 1.0, w[2:] * 2.0)
        first, second = pair
        first[1] = x[0] ** 2
        second *= x[1]
        return np.sum(pair[0]) * np.sum(second) + np.sum(first)

    x, w = values(1, 2), values(2, 4)
    try:
        found = grad(f)(x, w)
    except NotDifferentiable:
        return
    assert np.allclose(found, numeric_gradient(f, (x, w), 0, 1.0))


def test_the_larger_of_an_integer_and_a_float_varies() -> None:
    def f(x):
        y = max(0, x)
        return y * 2.0 + min(1, x) + max([0, x]) + max(0, x, 0.1) + min(2, 3, x) * x

    for x in (0.7, np.float64(0.7), np.float32(0.7)):
        assert grad(f)(x) == pytest.approx(2.0 + 1.0 + 1.0 + 1.0 + 1.4)
        assert jvp(f, (x,), (1.0,))[1] == pytest.approx(2.0 + 1.0 + 1.0 + 1.0 + 1.4)
    assert grad(f)(-0.7) == pytest.approx(1.0 - 1.4)


def f_grad(x):
    return 3.0 * x


def test_a_global_that_has_the_name_of_the_gradient() -> None:
    def f(x):
        return f_grad(2) * x * x

    assert grad(f)(2.0) == 24.0


def test_prints_happen_once_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x, n):
        print("start", n)
        y = x
        for i in range(n):
            y = y * x
            print(i)
        print("end")
        return y

    f(0.5, 2)
    right = capsys.readouterr().out
    assert grad(f)(0.5, 2) == pytest.approx(3 * 0.25)
    assert capsys.readouterr().out == right
    _, pullback = vjp(f, 0.5, 2)
    assert capsys.readouterr().out == right
    pullback(1.0)
    assert capsys.readouterr().out == ""


def test_counters_count_once() -> None:
    def f(x, log):
        log.append(1)
        y = x * 3.0
        log.append(2)
        return y * x

    log: list[int] = []
    grad(f).source(0.5, log)
    assert log == []
    assert grad(f)(0.5, log) == 3.0
    assert log == [1, 2]
    _, pullback = vjp(f, 0.5, log)
    pullback(1.0)
    pullback(1.0)
    assert log == [1, 2, 1, 2]


def test_pullback_again_and_again_in_loops() -> None:
    def f(x, n):
        y = x * 1.0
        for i in range(n):
            if y[0] > 0.1:
                y = np.sin(y) * x
            else:
                y[0] += x[1] ** 2
        return y

    x = np.array([0.3, 1.2])
    _, pullback = vjp(f, x, 4)
    first = pullback(np.ones(2))[0]
    for scale in (2.0, -1.0, 0.0):
        np.testing.assert_allclose(pullback(np.full(2, scale))[0], scale * first)
    np.testing.assert_allclose(first, grad(f)(x, 4))


def recorded(a, s, n):
    for i in range(n):
        a[1:] *= a[:-1] * s
        a[0] = np.sin(a[1]) + square_times(a[0], s)
        s = s * 1.01
    return a


def test_pullback_from_threads() -> None:
    a = values(1, 6)
    _, pullback = vjp(recorded, a, 0.9, 30)
    right = pullback(np.ones(6))
    wrong: list[Any] = []

    def work(scale: float) -> None:
        for _ in range(30):
            da, ds, _ = pullback(np.full(6, scale))
            if not (np.allclose(da, scale * right[0]) and np.allclose(ds, scale * right[1])):
                wrong.append((da, ds))

    _run_together([lambda k=k: work(k + 1.0) for k in range(6)])
    assert not wrong


def test_gradients_from_threads() -> None:
    def f(a, s, n):
        return np.sum(recorded(a, s, n))

    found: list[Any] = []
    a = values(1, 6)
    _run_together([lambda: found.append(grad(f)(a, 0.9, 20))] * 8)
    assert len(found) == 8
    for each in found:
        np.testing.assert_array_equal(each, found[0])


def _run_together(jobs: Iterable[Callable[[], Any]]) -> None:
    threads = [threading.Thread(target=job) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


# ----------------------------------------------------- arguments that share memory, the caller


def add_in_place(a, b):
    a += b
    return np.sum(a * b)


def read_only(a, b):
    return np.sum(a * b * b)


def overlapping() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    x = np.array([1.0, 2.0, 3.0, 4.0])
    return {
        "the same array": (x, x),
        "a view": (x, x[:]),
        "overlapping": (x[:3], x[1:]),
        "reversed": (x, x[::-1]),
    }


@pytest.mark.parametrize("which", overlapping())
def test_arguments_that_overlap_and_are_written_to(which: str) -> None:
    a, b = overlapping()[which]
    try:
        da, db = grad(add_in_place, wrt=(0, 1))(a, b)
    except ValueError as error:
        assert "share memory" in str(error)
    else:
        together = numeric_gradient(add_in_place, (a, b), 0, 1.0)
        assert_close(da + db, together, which)
    assert a.base is None or a.base.tolist() == [1.0, 2.0, 3.0, 4.0]


@pytest.mark.parametrize("which", overlapping())
def test_arguments_that_overlap_after_a_call_where_they_do_not(which: str) -> None:
    derivative = grad(add_in_place)
    right = derivative(np.arange(4.0), np.ones(4))
    with pytest.raises(ValueError, match="share memory"):
        derivative(*overlapping()[which])
    np.testing.assert_array_equal(derivative(np.arange(4.0), np.ones(4)), right)


@pytest.mark.parametrize("which", overlapping())
def test_arguments_that_overlap_and_are_only_read(which: str) -> None:
    a, b = overlapping()[which]
    da, db = grad(read_only, wrt=(0, 1))(a, b)
    np.testing.assert_allclose(da, b * b)
    np.testing.assert_allclose(db, 2 * a * b)
    assert not np.shares_memory(da, db)


def test_an_inactive_argument_that_overlaps() -> None:
    def f(x, k):
        x[0] = 5.0
        return np.sum(x * k)

    x = np.array([1.0, 2.0])
    with pytest.raises(ValueError, match="share memory"):
        grad(f)(x, x)


def test_a_global_that_is_also_an_argument() -> None:
    table = np.array([1.0, 2.0])

    def f(x):
        x[0] = 5.0
        return np.sum(x * table)

    try:
        value, gradient = value_and_grad(f)(table)
    except (ValueError, NotDifferentiable):
        return
    finally:
        assert table.tolist() == [1.0, 2.0]
    assert value == 5.0 * 5.0 + 4.0
    np.testing.assert_allclose(gradient, [0.0, 2.0])


def test_one_argument_twice_to_a_callee() -> None:
    def inner(a, b):
        a[0] = b[1] * 2.0
        return np.sum(a * b)

    def f(x):
        y = x * 1.0
        return inner(y, y)

    x = values(1, 3)
    try:
        assert_close(grad(f)(x), numeric_gradient(f, (x,), 0, 1.0), "twice")
    except NotDifferentiable as error:
        assert "share" in str(error)


@pytest.mark.parametrize("layout", ["C", "F", "stepped", "reversed"])
def test_layouts_of_arguments(layout: str) -> None:
    def f(a, s):
        a[0] = s * a[1]
        b = a.T
        b[1:] *= s
        return np.sum(a * a)

    a = {
        "C": values(1, 3, 3),
        "F": np.asfortranarray(values(1, 3, 3)),
        "stepped": values(1, 3, 6)[:, ::2],
        "reversed": values(1, 3, 3)[::-1, ::-1],
    }[layout]
    check_gradients(f, a, 0.3)


def test_read_only_arguments() -> None:
    def f(x):
        return np.sum(x * x)

    x = values(1, 3)
    x.flags.writeable = False
    np.testing.assert_allclose(grad(f)(x), 2 * x)

    def writes(x):
        x[0] = 2.0
        return np.sum(x * x)

    with pytest.raises(ValueError, match="read-only"):
        writes(x)


def test_the_value_may_be_an_argument() -> None:
    def f(x, y):
        x[0] = y[0] * y[0]
        return x

    x, y = values(1, 3), values(2, 3)
    value, (dx, dy) = value_and_grad(f, wrt=(0, 1))(x, y)
    assert same(value, f(*copy_arguments((x, y))))
    assert not np.shares_memory(value, x)
    np.testing.assert_allclose(dx, [0.0, 1.0, 1.0])
    np.testing.assert_allclose(dy, [2 * y[0], 0.0, 0.0])


def test_a_gradient_may_be_kept_and_changed() -> None:
    x = values(1, 3)
    for f in (thin_returned, the_head_is_returned, lambda x: x + 1.0, lambda x: x[:] * 1.0):
        first = grad(f)(x)
        first += 5.0
        np.testing.assert_array_equal(grad(f)(x), np.ones(3))
    head = np.ones(3)
    gradient = vjp(the_head_is_returned, x)[1](head)[0]
    gradient += 5.0
    np.testing.assert_array_equal(head, np.ones(3))


# ------------------------------------------------- exceptions that are caught, effects, with and del


@lesson(
    "exceptions: a try is one way or the other",
    lambda: (values(1, 3), 0),
    lambda: (values(1, 3), 7),
)
def read_or_default(x, k):
    try:
        y = x[k] ** 2
    except IndexError:
        y = x[0] * x[1]
    return y * x[2]


@lesson(
    "exceptions: what was overwritten before one is not seen",
    lambda: (values(2, 3), [2.0, 0.0, 4.0, 0.0]),
    lambda: (values(2, 3), []),
    may_refuse=True,
)
def overwritten_then_raised(x, ds):
    y = x * 1.0
    for d in ds:
        try:
            y = y * x
            y = y * (1 / d)
        except ZeroDivisionError:
            y = y + x
    return np.sum(y)


@lesson(
    "exceptions: an array that is half written",
    lambda: (values(3, 4), 4),
    lambda: (values(3, 4), 6),
    may_refuse=True,
)
def half_written(x, n):
    y = np.zeros(4)
    try:
        for i in range(n):
            y[i] = x[i] ** 2
    except IndexError:
        y[0] = y[0] * x[1]
    return np.sum(y * x)


@lesson(
    "exceptions: tapes of a body that failed",
    lambda: (values(4, 3), [1.0, 0.0, 2.0]),
    lambda: (values(4, 3), [0.0, 0.0]),
)
def failed_tapes(x, ds):
    y = x * 1.0
    s = 0.0
    for d in ds:
        try:
            w = np.exp(y)
            w = w * y / 2
            y = w * (1 / d)
        except ZeroDivisionError:
            y = y**2
        s = s + np.sum(y)
    return s


def _half_done(a, n):
    for i in range(n):
        a[i] = a[i] * 2
    return a[0]


@lesson(
    "exceptions: a callee that wrote before it raised", lambda: (values(5, 3), 9), may_refuse=True
)
def callee_half_done(x, n):
    y = x * 1.0
    try:
        z = _half_done(y, n)
    except IndexError:
        z = x[0]
    return np.sum(y) * z


@lesson(
    "exceptions: finally runs on every way",
    lambda: (values(6, 3), 1),
    lambda: (values(6, 3), 5),
)
def finally_on_every_way(x, n):
    s = 0.0
    for i in range(4):
        try:
            if i == n:
                break
            if i == 3:
                return s * x[0]
            s = s + x[i] ** 2
        finally:
            x = x * 1.1
    return s * x[1]


@lesson(
    "exceptions: nested handlers",
    lambda: (values(7, 3), 0),
    lambda: (values(7, 3), 4),
    lambda: (values(7, 3), 9),
)
def nested_handlers(x, n):
    try:
        try:
            y = x[n]
        except IndexError:
            y = x[n - 4] * x[1]
    except IndexError as error:
        y = x[2] ** 2 * len(error.args)
    else:
        y = y * x[0]
    return y


@lesson("exceptions: suppressed", lambda: (values(8, 3), 0), lambda: (values(8, 3), 5))
def suppressed_index(x, n):
    y = x[0]
    with contextlib.suppress(IndexError):
        y = x[n] * x[1]
    return y**2


class Swallowing:
    def __enter__(self) -> None: ...

    def __exit__(self, *error: object) -> bool:
        return True


@lesson("with: a manager that swallows exceptions", lambda: (values(9, 3), 7), may_refuse=True)
def swallowed(x, n):
    y = x[0]
    with Swallowing():
        y = y * x[1]
        y = y * x[n]
    return y


@lesson("with: warnings as errors", lambda: (positives(10, 3) * 0.0,))
def floating_point_error_as_an_exception(x):
    try:
        with np.errstate(divide="raise"):
            y = np.sum(1 / x)
    except FloatingPointError:
        y = np.sum(x) * 3
    return y


@lesson(
    "with: exits",
    lambda: (values(11, 3), 2),
    lambda: (values(11, 3), 0),
    lambda: (values(11, 3), 9),
)
def exits_through_with(x, n):
    for i in range(3):
        with contextlib.nullcontext(i):
            if i == n:
                return x[i] * x[0]
            x = x * x
            if i == 1:
                continue
        x = x + 1
    return np.sum(x)


@lesson("names: deleted and bound again", lambda: (values(12, 3),))
def deleted_and_bound_again(x):
    t = x * 2
    y = t**2
    del t
    t = y * x
    return np.sum(t)


@lesson("names: an assignment in the middle of an expression", lambda: (values(13, 3),))
def assigned_in_the_middle(x):
    y = x[0]
    z = y * (y := x[1] * y) + y
    return z * y


@lesson("names: chains that share an array", lambda: (values(14, 3),), may_refuse=True)
def chain_that_shares(x):
    a = b = x * 2
    a[0] = x[1] ** 2
    return np.sum(a * b)


EFFECTS: list[Any] = []


def effects_of(function: Function, *args: Any) -> tuple[Any, list[Any]]:
    EFFECTS.clear()
    result = function(*args)
    return result, list(EFFECTS)


@contextlib.contextmanager
def noted(name: str) -> Any:
    EFFECTS.append(f"in {name}")
    try:
        yield
    finally:
        EFFECTS.append(f"out {name}")


def with_effects(x, rng, it):
    try:
        with noted("a"):
            EFFECTS.append(next(it))
            y = x * rng.normal()
            z = x[len(EFFECTS) + 5]
    except IndexError:
        EFFECTS.append("caught")
        z = x[0]
    else:
        EFFECTS.append("else")
    finally:
        EFFECTS.append("finally")
    if (n := next(it)) > 1:
        EFFECTS.append(n)
    del it
    with contextlib.suppress(KeyError):
        EFFECTS.append({}[n])
    return z * rng.uniform()


def test_effects_happen_once_and_in_order() -> None:
    def given() -> tuple[Any, ...]:
        return values(1, 3), np.random.default_rng(3), iter([1, 2, 3])

    right, effects = effects_of(with_effects, *given())
    assert effects == ["in a", 1, "out a", "caught", "finally", 2]
    for operator in (grad, value_and_grad, vjp_of):
        args = given()
        _, seen = effects_of(operator(with_effects), *args)
        assert seen == effects
        assert next(args[2]) == 3
        reference = np.random.default_rng(3)
        reference.normal()
        reference.uniform()
        assert args[1].bit_generator.state == reference.bit_generator.state
    assert same(value_and_grad(with_effects)(*given())[0], right)


def vjp_of(function: Function) -> Function:
    return lambda *args: vjp(function, *args)


def test_an_exception_half_way_leaves_nothing_behind() -> None:
    def f(x, y, log):
        x[0] = 5.0
        y *= 2
        log.append(1)
        try:
            x[1] = y[7]
        finally:
            x[2] = 0.0
        return np.sum(x * y)

    for operator in (grad, value_and_grad, vjp_of):
        x, y, log = values(1, 3), values(2, 3), []
        kept = x.copy(), y.copy()
        with pytest.raises(IndexError, match="index 7"):
            operator(f)(x, y, log)
        assert same((x, y), kept)
        assert log == [1]
        assert same(grad(sum_of_squares)(x), 2 * x)


def sum_of_squares(x):
    return np.sum(x**2)


def test_draws_that_depend_on_what_is_differentiated_are_refused() -> None:
    def f(x, rng):
        return np.sum(rng.normal(loc=x))

    with pytest.raises(NotDifferentiable, match="loc \\+ scale"):
        grad(f)(values(1, 3), np.random.default_rng(0))


# ------------------------------------------------------------------------- names outside that are bound

calls_so_far = 0
factor = 2.0
cached: Any = None
last_array: Any = None


def reset_globals() -> None:
    global calls_so_far, factor, cached, last_array
    calls_so_far, factor, cached, last_array = 0, 2.0, None, None


def counts_its_calls(x):
    global calls_so_far
    calls_so_far += 1
    return np.sum(x**2) * calls_so_far


def reads_before_and_after(x):
    global factor
    y = x * factor
    factor = factor + 1
    return np.sum(y * factor)


def fills_a_cache(x):
    global cached
    if cached is None:
        cached = np.arange(1.0, 4.0)
    return np.sum(x**2 * cached)


def double_factor() -> None:
    global factor
    factor *= 2


def calls_what_binds(x):
    y = x * factor
    double_factor()
    return np.sum(y**2 * factor)


def binds_in_a_loop(x):
    global calls_so_far
    for i in range(3):
        calls_so_far = calls_so_far + i
        x = x * (calls_so_far + 1)
    return np.sum(x**2)


@pytest.mark.parametrize(
    "function",
    [counts_its_calls, reads_before_and_after, fills_a_cache, calls_what_binds, binds_in_a_loop],
)
def test_globals_that_a_function_binds(function: Function) -> None:
    x = values(1, 3)

    def fresh(operator: Function) -> Any:
        reset_globals()
        return operator(x)

    def state() -> str:
        return repr((calls_so_far, factor, cached, last_array))

    value = fresh(function)
    after = state()

    def pure(x):
        reset_globals()
        return function(x)

    truth = numeric_gradient(pure, (x,), 0, 1.0)
    for operator in (grad(function), lambda x: value_and_grad(function)(x)[1]):
        assert_close(fresh(operator), truth, function.__name__)
        assert state() == after
    assert fresh(value_and_grad(function))[0] == value
    pulled, pullback = fresh(vjp_of(function))
    assert pulled == value
    assert state() == after
    for _ in range(2):
        assert_close(pullback(1.0)[0], truth, function.__name__)
    assert state() == after


def test_a_closure_counts_its_calls() -> None:
    def made() -> tuple[Function, Function]:
        calls = 0

        def f(x):
            nonlocal calls
            calls += 1
            return np.sum(x**2) * calls

        return f, lambda: calls

    f, calls = made()
    x = values(1, 3)
    assert same(grad(f)(x), 2 * x)
    assert same(grad(f)(x), 4 * x)
    assert calls() == 2


def keeps_an_array(x):
    global last_array
    b = np.zeros(3)
    last_array = b
    b[0] = x[0]
    return np.sum(last_array * x)


def keeps_a_value(x):
    global last_array
    last_array = x * 2
    return np.sum(last_array)


def adds_up_outside(x):
    global factor
    factor = 1.0
    for v in x:
        factor *= v
    return factor * x[0]


def test_globals_keep_what_carries_a_derivative() -> None:
    x = values(1, 3)
    assert same(grad(keeps_a_value)(x), np.full(3, 2.0))
    assert same(last_array, 2 * x)
    p = np.prod(x)
    np.testing.assert_allclose(grad(adds_up_outside)(x), p * x[0] / x + [p, 0.0, 0.0])
    np.testing.assert_allclose(factor, p)
    with pytest.raises(NotDifferentiable):
        grad(keeps_an_array)(x)


@pytest.mark.parametrize("case", lesson.cases)
def test_lesson(case: Lesson) -> None:
    check_lesson(case)


# ------------------------------------------------------------- functions that are kept


@lesson("functions", v3, may_refuse=True)
def a_tuple_keeps_the_function_of_the_trip_before(x):
    s = 0.0
    for k in range(3):

        def scaled(t, factor=x[k]):
            return t * factor

        if k > 0:
            s += previous[0](x[0])  # noqa: F821
        previous = (scaled,)
    return s


@lesson("functions", v3, may_refuse=True)
def a_dict_keeps_the_function_of_the_trip_before(x):
    s = 0.0
    for k in range(3):
        scaled = lambda t, factor=x[k]: t * factor  # noqa: E731
        if k > 0:
            s += previous["f"](x[0])  # noqa: F821
        previous = {"f": scaled}
    return s


# ------------------------------------------------------------- lengths that nobody knows beforehand


def some_of(x, n):
    return lambda: (values(1, 4) if x else values(1, 1), n)


@lesson("lengths", some_of(4, 1), some_of(4, 4), some_of(0, 1))
def as_long_as_it_happens_to_be(x, n):
    y = x[:n]
    z = y * x
    return np.sum(z) * y


def times(y, x):
    return np.sum(y * x) * y


@lesson("lengths", some_of(4, 1), some_of(4, 4), some_of(0, 1))
def given_to_a_callee(x, n):
    return times(x[:n], x) * times(np.squeeze(x[:n]), x)


@lesson("lengths", some_of(4, 1), some_of(4, 3), some_of(0, 1))
def of_the_arrays_in_a_list(x, n):
    total = 0.0
    for part in [x, x[:n], x[:1]]:
        total += np.sum(times(part, x[:1]) * part) * np.sum(part**2)
    return total


@lesson("lengths", some_of(4, 1), some_of(4, 3), some_of(0, 1))
def bounds_that_move_on(x, k):
    u = x[:k]
    k = k + 1
    v = x[:k]
    return (
        np.sum(u * v[:1])
        + np.sum(v * u[:1])
        + np.sum(x * u[:1] * v[:1])
        + np.sum(x * np.sum(u) * x[:1])
    )


@lesson("lengths", some_of(4, 2), some_of(4, 4), some_of(0, 3))
def slices_of_other_trips(x, n):
    parts = []
    for k in range(1, n):
        parts.append(x[:k])
    s = 0.0
    for p in parts:
        s = s + np.sum(p * p) * np.sum(x * p[:1])
    return s


@lesson("lengths", some_of(4, 3), some_of(4, 4))
def bounds_that_a_loop_raises(x, k):
    y = x * 1
    m = 1
    while m < k:
        z = x[:m]
        m += 1
        u = x[:m]
        y[:m] = u * z[:1] + np.sum(z)
    return np.sum(y * x[:m][:1])


@lesson("lengths", lambda: (values(1, 3),), lambda: (values(1, 5),))
def slices_backwards(w):
    x = np.zeros(3)
    x[:] = w[:3]
    return np.sum(x[:1:-1] * w) + np.mean(x[::-2] * x[2:0:-1])


@lesson("lengths", lambda: (values(1, 2),), lambda: (values(1, 4),))
def halves_that_may_be_single(x):
    left, right = np.split(x, 2)
    t, u = np.array_split(x, 2)
    return np.sum(left * right) * np.sum(t) + np.sum(u * left[:1]) + np.sum(x * t[:1])


@lesson("nothing is overwritten after all", lambda: (0.7,), lambda: (-0.7,))
def overwritten_by_what_is_not_needed(x):
    y = x * x
    if x > 0:
        y = y * x
        x = x * 3
    z = y * y
    if x < 2:
        z = z * y
        y = y + x
    return z * 2 + y


@lesson("nothing is overwritten after all", lambda: (0.7, 3), lambda: (0.7, 0))
def a_loop_takes_everything_back(x, n):
    k = 1.0
    for i in range(3):
        x = x * k
        k = k + 1
    while k < n:
        k = k + 1
    for _ in range(2):
        x = x * np.sin(x) + k
    return x * k


@lesson("layouts through loops", lambda: (values(1, 3, 3), 2), lambda: (values(1, 3, 3), 0))
def written_through_ravel_after_a_call(x, n):
    def half(y):
        return y * 0.5

    y = x * 1
    for i in range(n):
        y = half(y)
        v = y.ravel()
        v[i] *= v[0]
    w = y.ravel()
    w[1] = w[0] ** 2
    return np.sum(y**2)


@lesson("layouts through loops", lambda: (values(1, 3, 3), 2), lambda: (values(1, 3, 3), 0))
def called_after_written_through_ravel(x, n):
    def spun(y):
        return y * np.sum(y)

    y = x * 1
    for i in range(n):
        v = y.ravel()
        v[i] = v[4] ** 2
        y = spun(y)
    return y


# ------------------------------------------------------------- views of views, sums of other types


@lesson("views of views", lambda: (values(1, 2), values(2, 2)), may_refuse=True)
def a_view_of_a_view_outlives_the_name_of_its_array(x, y):
    def total(p):
        return np.sum(p * x)

    z = x[1:]
    z[0] = 0.5 * y[0]
    w = z[::1]
    x *= np.sum(y)
    x = np.ones(2)
    return w * total(y)


@lesson("sums in another type", lambda: (values(1, 4, dtype=np.float32), np.float32(0.5)))
def summed_in_single_precision(x, a):
    y = np.zeros(4)
    y[:] = x * a
    z = y.astype(np.float32)
    z += x
    x *= z
    return np.sum(x, dtype=np.float32)


# ---------------------------------------------------------------- adjoints that give a part of the head


@lesson("views of the head", lambda: (values(1, 3),))
def padded_and_its_elements(x):
    w = x[0] * x[1]
    return np.pad(x, 1), w


@lesson("views of the head", lambda: (values(1, 3),))
def no_difference_and_its_elements(x):
    w = x[0] * x[1]
    return np.diff(x, n=0), w


@lesson("views of the head", lambda: (values(1, 3),))
def only_padded(x):
    return np.pad(x, 1)


# ------------------------------------------------------ places of views, counted from where these begin


@lesson("places of views", lambda: (values(1, 4),))
def first_of_a_view_is_the_second_of_all(x):
    y = x * 1
    z = y[1:]
    u = z[0] ** 2
    y[1] = 5.0
    return u + np.sum(y**2)


@lesson("places of views", lambda: (values(1, 4),))
def all_of_a_view_then_the_last_of_all(x):
    y = x * 1
    z = y[1:]
    u = 0.0
    for i in range(len(x) - 1):
        u += z[i] ** 2
    y[-1] = 5.0
    return u + np.sum(y**2)


@lesson("places of views", lambda: (values(1, 4),))
def views_of_two_arrays_of_one_line(x):
    a, b = x * 1, x * 2
    z, w = a[1:], b[2:]
    u = z[0] * w[0]
    a[1] = 5.0
    b[2] = 4.0
    return u + np.sum(a * b)


@lesson("places of views", lambda: (values(1, 4),))
def views_in_a_list(x):
    y = x * 1
    zs = [y[1:], y[2:]]
    u = zs[0][0] ** 2 * zs[1][0]
    y[1] = 5.0
    y[2] = 5.0
    return u + np.sum(y**2)


@lesson("places of views", lambda: (values(1, 4),))
def views_in_a_dict(x):
    y = x * 1
    d = {"z": y[1:]}
    u = d["z"][0] ** 2
    y[1] = 5.0
    return u + np.sum(y**2)


@lesson("places of views", lambda: (values(1, 4),))
def a_view_in_every_trip(x):
    y = x * 1
    u = 0.0
    for i in range(2):
        z = y[i + 1 :]
        u += z[0] ** 2 * x[0]
        y[i + 1] = 5.0 + i
    return u + np.sum(y**2)


# --------------------------------------------- views on tapes, copied instead of the array under them


@lesson("views on tapes", lambda: (values(1, 4, 3), 0.7, 3))
def a_row_is_computed_with_and_then_overwritten(state, w, n):
    for k in range(n):
        h = state[k]
        z = h * w
        state[k] = np.tanh(z * h)
    return np.sum(state**2)


@lesson("views on tapes", lambda: (values(1, 4, 3), 0.7, 3), lambda: (values(1, 4, 3), -0.7, 3))
def a_row_is_overwritten_on_either_way(state, w, n):
    for k in range(n):
        h = state[k]
        y = np.exp(h * w) * h
        if w > 0:
            state[k] = y * h
        else:
            state[k] += h * y
    return np.sum(state**2)


@lesson("views on tapes", lambda: (values(1, 4, 3), 0.7, 3))
def rows_that_another_view_reads_too(state, w, n):
    for k in range(n):
        h = state[k]
        g = h[1:]
        z = np.sum(g * g) * h
        state[k] = np.tanh(h * w * z)
    return np.sum(state**2)


@lesson("views on tapes", lambda: (values(1, 4, 3), 0.7, 3))
def rows_overwritten_in_a_loop_inside(state, w, n):
    for k in range(n):
        h = state[k]
        state[k] = np.tanh(h * w * h)
        for j in range(2):
            u = state[j]
            state[j] = u * h.shape[0] * u
    return np.sum(state**2)


def last_of_a_loop(x, n):
    scale = 1.0
    for k in range(n):
        y = x / (scale + k)
        scale = y * scale
    return y


def test_a_name_is_asked_for_its_value_once() -> None:
    """The line that raises where a loop made no trip says so: the name does not stand below it once more."""
    text = grad(last_of_a_loop).source(2.0, 3)
    assert '    assigned(y, "y")\n\n' in text
    with pytest.raises(UnboundLocalError, match="'y'"):
        grad(last_of_a_loop)(2.0, 0)
    numeric = (last_of_a_loop(2.0 + 1e-6, 3) - last_of_a_loop(2.0 - 1e-6, 3)) / 2e-6
    assert abs(grad(last_of_a_loop)(2.0, 3) - numeric) < 1e-6
