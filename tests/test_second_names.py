"""Second names of what is a number first and an array later: `+=` makes an array anew, then writes to it in place.

What a name, a list or a dict kept before sees these writes. Each is right, against numeric derivatives, or refused.
"""

from __future__ import annotations

import numpy as np
import pytest
from lessons import Lesson, Lessons, check_lesson

lesson = Lessons()


def three():
    return (np.array([0.5, 0.7, 1.2]),)


second_name = lesson("second names", three, may_refuse=True)


def _keep(out, a):
    out.append(a)


def _maybe(a, c):
    if c:
        return a
    return a * 1.0


@second_name
def array_kept_and_multiplied(x):
    a = x * 1.0
    out = []
    for i in range(3):
        out.append(a)
        a *= x
    return np.sum(out[0] * x + out[2])


@second_name
def number_then_array_kept(x):
    a = 1.0
    out = []
    for i in range(3):
        out.append(a)
        a *= x
    return np.sum(out[1] * x + out[2])


@second_name
def kept_once_multiplied(x):
    a = 1.0
    out = []
    for i in range(3):
        a *= x
        out.append(a)
    return np.sum(out[0] * x + out[1])


@second_name
def second_name_before_the_array(x):
    a = 1.0
    a *= x
    b = a
    a *= x
    return np.sum(a * b)


@second_name
def second_name_in_a_loop(x):
    a = 1.0
    for i in range(2):
        b = a
        a *= x
    return np.sum(a * b)


@second_name
def running_sums_kept(x):
    a = 0.0
    out = []
    for i in range(3):
        a += x * (i + 1)
        out.append(a)
    return np.sum(out[0] * out[1])


@second_name
def running_sums_put_into_a_list(x):
    a = 0.0
    out = [None] * 3
    for i in range(3):
        a += x * (i + 1)
        out[i] = a
    return np.sum(out[0] * out[1])


@second_name
def the_sum_before(x):
    a = 0.0
    p = 0.0
    s = 0.0
    for i in range(3):
        p = a
        a += x * (i + 1)
        s = s + p * a
    return np.sum(s)


@second_name
def kept_by_a_helper(x):
    a = 0.0
    out = []
    for i in range(3):
        a += x * (i + 1)
        _keep(out, a)
    return np.sum(out[0] * out[1])


@second_name
def either_of_two_memories(x):
    a = x * 1.0
    b = a
    for i in range(3):
        b = a
        a = _maybe(a, i % 2 == 0)
        a *= x[1]
    return np.sum(a * b)


@second_name
def chosen_memory(x):
    a = x * 1.0
    for i in range(3):
        b = a
        a = a if i % 2 else a * 2
        a *= x[1]
    return np.sum(a * b)


@second_name
def bound_anew_on_some_trips(x):
    a = x * 1.0
    for i in range(3):
        b = a
        if i % 2:
            a = a * 2
        a[1] = x[0] * a[2]
    return np.sum(a * b)


@second_name
def the_sum_before_made_anew(x):
    s = 0.0
    for i in range(3):
        t = s
        s += x
        t = t * 1.0
    return np.sum(s * t)


@second_name
def swapped(x):
    u = x * 1.0
    w = x * 2.0
    for i in range(3):
        u, w = w, u
        u += w
    return np.sum(u * w * x)


@second_name
def swapped_numbers_then_arrays(x):
    u = 0.0
    w = 1.0
    for i in range(3):
        u, w = w, u
        u += x
    return np.sum(u * w * x)


@second_name
def the_best_so_far(x):
    best = x * 1.0
    s = 0.0
    for i in range(3):
        s += x * i
        if i == 1:
            best = s
    return np.sum(best * s)


@second_name
def the_last_kept(x):
    s = 0.0
    r = []
    for row in (x, x * 2):
        s += row
        r = [s]
    return np.sum(r[0] * s)


@second_name
def second_name_after_the_loop(x):
    s = 0.0
    for row in (x, x * 2):
        s -= row
    p = s
    s /= x + 1
    return np.sum(p * s)


@second_name
def real_part_of_itself(x):
    a = x * 1.0
    for i in range(3):
        b = a
        a = np.real(a)
        a[0] = a[0] * x[1]
    return np.sum(a * b)


@second_name
def squeezed_itself(x):
    a = x * 1.0
    b = a
    for i in range(3):
        b = a
        a = np.atleast_1d(a.squeeze())
        a *= x[1]
    return np.sum(a * b)


@pytest.mark.parametrize("case", lesson.cases)
def test_lessons(case: Lesson) -> None:
    check_lesson(case)
