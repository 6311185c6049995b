"""Arrays that objects outside hold, written to under a name of the function or by an expression: reads before are copies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from every_mode import Function, check_refused, kept_in, named, refused_in
from numeric import assert_close

from tangentish import grad, hvp, jvp

PROGRAMS: list[Function] = []
program = kept_in(PROGRAMS)


class Held:
    array: Any
    arrays: Any


HELD = Held()
TABLE: dict[str, Any] = {}


def doubling(name):
    HELD.array[0] *= 2.0
    return len(name)


def twice(row):
    row *= 2
    return 1.0


def given(q):
    return q


def bump():
    q = HELD.array
    q += 1


def bump_by_a_call():
    np.asarray(HELD.array)[0] = 3.0


@program
def updated_under_a_name(x):
    s = np.sum(x * HELD.array) ** 2
    q = HELD.array
    q += 1
    return s


@program
def stored_to_under_a_name_in_a_branch(x):
    s = np.sum(x * HELD.array) ** 2
    q = np.asarray(HELD.array)
    if x[0] > 0:
        q[0] = 5.0
    return s * q[0]


@program
def run_over(x):
    s = np.sum(x * HELD.arrays[0]) ** 2
    for q in HELD.arrays:
        q += 1
    return s


@program
def parts_run_over(x):
    s = np.sum(x * HELD.array) ** 2
    for q in np.split(HELD.array, 2):
        q *= 2
    return s


@program
def values_of_a_dict(x):
    s = np.sum(x * TABLE["g"]) ** 2
    for q in TABLE.values():
        q *= 2
    return s


@program
def on_each_trip(x):
    s = 0.0
    for _ in range(3):
        q = HELD.array
        s += np.sum(x * q) ** 2
        q += 1
    return s


@program
def one_of_two(x):
    w = HELD.array
    s = np.sum(x * w) ** 2
    v = w if x[0] > 0 else np.ones(2)
    v -= 3
    return s * np.sum(w * x)


@program
def stored_to_by_a_call(x):
    s = np.sum(x * HELD.array) ** 2
    np.asarray(HELD.array)[0] = 3.0
    return s


@program
def filled_by_a_view(x):
    s = np.sum(x * HELD.array) ** 2
    HELD.array.reshape(-1).fill(5.0)
    return s


@program
def put_into_a_view(x):
    s = np.sum(x * HELD.array) ** 2
    np.asarray(HELD.array).put([0], 3.0)
    return s


@program
def copied_into_what_a_helper_gives(x):
    s = np.sum(x * HELD.array) ** 2
    np.copyto(given(HELD.array), 4.0)
    return s


@program
def stored_to_by_a_display(x):
    s = np.sum(x * HELD.array) ** 2
    [HELD.array, 1][0][0] = 7.0
    return s


@program
def given_to_a_function_along_an_axis(x):
    s = np.sum(x * HELD.array) ** 2
    np.apply_along_axis(twice, 0, HELD.array)
    return s


@program
def given_to_what_sorts(x):
    s = np.sum(x * HELD.array) ** 2
    sorted([HELD.array, np.ones(2)], key=twice)
    return s


@program
def given_to_the_method_that_sorts(x):
    s = np.sum(x * HELD.array) ** 2
    names = ["ab", "c"]
    names.sort(key=doubling)
    return s * len(names[0])


@program
def in_helpers(x):
    s = np.sum(x * HELD.array) ** 2
    bump()
    t = np.sum(x * HELD.array) ** 2
    bump_by_a_call()
    return s * t


def at(call, *args):
    HELD.array = np.array([1.0, 3.0])
    HELD.arrays = [np.ones(2), np.full(2, 2.0)]
    TABLE["g"] = np.array([1.0, 3.0])
    return call(*args)


GIVEN: list[tuple[Function, str]] = []
refused = refused_in(GIVEN)
OUTSIDE = np.array([1.0, 3.0])


@refused("changes an array or a list")
def a_global_given_along_an_axis(x):
    s = np.sum(x * OUTSIDE) ** 2
    np.apply_along_axis(twice, 0, OUTSIDE)
    return s


@refused("changes an array or a list")
def a_global_given_to_what_sorts(x):
    s = np.sum(x * OUTSIDE) ** 2
    sorted([OUTSIDE, np.ones(2)], key=twice)
    return s


@refused("changes an array or a list")
def an_array_given_to_what_sorts(x):
    y = np.array([1.0, 3.0])
    s = np.sum(x * y) ** 2
    sorted([y, np.ones(2)], key=twice)
    return s


@refused("changes an array or a list")
def an_array_given_to_what_finds_the_largest(x):
    y = np.array([1.0, 3.0])
    s = np.sum(x * y) ** 2
    max([y], key=twice)
    return s


@refused("changes an array or a list")
def arrays_of_a_list_that_is_sorted(x):
    ys = [np.array([1.0, 3.0]), np.ones(2)]
    s = np.sum(x * ys[0]) ** 2
    ys.sort(key=twice)
    return s


@refused("no derivative rule for sorted")
def an_array_that_varies_where_constants_are_sorted(x):
    a = x.copy()

    def key(v):
        a[0] = a[0] * v
        return v

    ks = [3.0, 2.0]
    ks.sort(key=key)
    return a[0] * ks[0]


@pytest.mark.parametrize(("function", "reason"), GIVEN, ids=lambda f: getattr(f, "__name__", ""))
def test_functions_that_write_to_what_they_are_given_are_refused(
    function: Function, reason: str
) -> None:
    check_refused(function, reason, np.array([0.7, 0.4]))


@pytest.mark.parametrize("function", PROGRAMS, ids=named)
def test_what_was_read_before_is_copied(function: Function) -> None:
    x, v = np.array([0.7, 0.4]), np.array([0.3, -0.2])

    def slopes(call, step):
        return np.array(
            [(at(call, x + step * e) - at(call, x - step * e)) / (2 * step) for e in np.eye(2)]
        )

    numeric = slopes(function, 1e-6)
    assert_close(at(grad(function), x), numeric, named(function))
    assert_close(at(jvp, function, (x,), (v,))[1], numeric @ v, named(function))
    second = slopes(grad(function), 1e-5)
    assert_close(at(hvp(function), x, v), second @ v, named(function))
