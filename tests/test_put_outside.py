"""Arrays of the function's own that it puts outside, where something writes to them later: seen, or refused."""

from __future__ import annotations

from contextvars import ContextVar

import numpy as np
import pytest
from every_mode import Function, check_along_after, check_refused, kept_in, named, refused_in

RIGHT: list[Function] = []
keep = kept_in(RIGHT)
REFUSED: list[tuple[Function, str]] = []
refused = refused_in(REFUSED)
HELD = "an array that a global holds, too, is written to"
READ_LATER = "the gradient reads what this changes as it was before"

X, X_DOT = np.array([0.7, 1.3, 0.4]), np.array([0.3, -0.7, 1.1])
WEIGHTS = None
COUNT = 0
HISTORY: list[object] = []
LISTS: list[list[object]] = [[]]
KEPT: dict[str, object] = {}
LOG: list[float] = []
CONTEXT: ContextVar[object] = ContextVar("CONTEXT")


def start_again():
    global WEIGHTS, COUNT
    WEIGHTS, COUNT = None, 0
    for kept in (HISTORY, KEPT, LOG):
        kept.clear()


def write_to_the_variable():
    WEIGHTS[0] = 7.0


def write_to_the_last():
    HISTORY[-1][0] = 7.0


def write_to_the_kept():
    KEPT["w"][0] = 7.0


def put(w):
    HISTORY.append(w)


def log(v):
    LOG.append(float(v))


def count():
    global COUNT
    COUNT += 1


@refused(READ_LATER)
def in_a_variable(x):
    global WEIGHTS
    w = np.ones(3)
    t = x * w
    WEIGHTS = w
    write_to_the_variable()
    return np.sum(t * x)


@refused(READ_LATER)
def by_a_line(x):
    global WEIGHTS
    w = np.ones(3)
    WEIGHTS = w
    t = x * w
    WEIGHTS[0] = 4.0
    return np.sum(t * x)


@refused(READ_LATER)
def in_a_list(x):
    w = np.ones(3)
    HISTORY.append(w[:2])
    t = x * w
    write_to_the_last()
    return np.sum(t * x)


@refused(READ_LATER)
def under_a_key(x):
    w = np.ones(3)
    KEPT["w"] = w
    t = x * w
    write_to_the_kept()
    return np.sum(t * x)


@refused(READ_LATER)
def by_a_helper(x):
    w = np.ones(3)
    put(w)
    t = x * w
    write_to_the_last()
    return np.sum(t * x)


@keep
def only_put_there(x):
    s = 0.0
    for k in range(3):
        places = np.array([2, 0, 1])
        HISTORY.append(places)
        count()
        log(k)
        s += np.sum(x[places] * x * k)
    return s


@keep
def put_there_on_each_trip(x):
    w, s = np.linspace(0, 1, 3), 0.0
    for k in range(3):
        put(w)
        s += np.sum(w * x**k)
    return s


class Counter:
    def __init__(self):
        self.calls, self.weight = 0, 2.0


COUNTER = Counter()


@keep
def a_count_of_an_object(x):
    COUNTER.calls += 1
    return np.sum(x**3) * COUNTER.weight


@keep
def read_on_each_trip(x):
    COUNTER.calls = 0
    s = 0.0
    while COUNTER.calls < 3:
        s += x[COUNTER.calls] ** 2 * (COUNTER.calls + 1)
        COUNTER.calls += 1
    return s


@refused(HELD)
def varies_in_an_object(x):
    w = np.ones(3)
    COUNTER.last = w
    w *= x
    return np.sum(COUNTER.last**2)


@refused(HELD)
def varies_under_a_key(x):
    w = np.ones(3)
    KEPT["w"] = w
    w *= x
    return np.sum(KEPT["w"] ** 2)


@refused(HELD)
def varies_in_a_list(x):
    w = np.ones(3)
    HISTORY.append(w)
    w *= x
    return np.sum(HISTORY[-1] ** 2)


def keep(w):
    KEPT["w"] = w


def kept_ones():
    w = np.ones(3)
    HISTORY.append(w)
    return w


@refused(HELD)
def varies_where_a_helper_put_it(x):
    w = np.ones(3)
    keep(w)
    w *= x
    return np.sum(KEPT["w"] ** 2)


@refused(HELD)
def varies_where_a_helper_gave_what_it_put(x):
    w = kept_ones()
    w *= x
    return np.sum(HISTORY[-1] ** 2)


@refused(HELD)
def varies_where_a_list_was_extended_by_it(x):
    w = np.ones(3)
    HISTORY.extend((w,))
    w *= x
    return np.sum(HISTORY[-1] ** 2)


@refused(HELD)
def varies_where_a_list_has_it_added(x):
    w = np.ones(3)
    LISTS[0] += [w]
    w *= x
    return np.sum(LISTS[0][-1] ** 2)


@refused(HELD)
def varies_where_a_dict_got_it_with_others(x):
    w = np.ones(3)
    KEPT.update(w=w)
    w *= x
    return np.sum(KEPT["w"] ** 2)


@refused(HELD)
def varies_where_a_dict_is_told_to_hold_it(x):
    w = np.ones(3)
    KEPT.__setitem__("w", w)
    w *= x
    return np.sum(KEPT["w"] ** 2)


@refused(HELD)
def varies_where_an_iterator_that_was_put_gives_it(x):
    w = np.ones(3)
    HISTORY.append(iter([w]))
    w *= x
    return np.sum(next(HISTORY[-1]) ** 2)


@refused(HELD)
def varies_where_a_list_was_extended_by_pairs_with_it(x):
    w = np.ones(3)
    HISTORY.extend(zip([w], [0]))
    w *= x
    return np.sum(HISTORY[-1][0] ** 2)


@refused(HELD)
def varies_in_a_variable_of_a_context(x):
    w = np.ones(3)
    CONTEXT.set(w)
    w *= x
    return np.sum(CONTEXT.get() ** 2)


@refused(READ_LATER)
def given_by_a_function_that_was_put(x):
    w = np.ones(3)
    HISTORY.append(lambda: w)
    t = np.sum(w * x**2)
    last = HISTORY[-1]()
    last *= 2.0
    return t**2


@refused(HELD)
def list_that_is_put_before_it_varies(x):
    rows = []
    for _ in range(3):
        rows.append(np.ones(3))
    KEPT["w"] = rows
    rows[1] *= x
    return np.sum(KEPT["w"][1] ** 2)


@refused("stores to attributes of an object of Counter are not supported")
def what_varies(x):
    COUNTER.last = np.sum(x)
    return COUNTER.last * x[0]


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_right(function: Function) -> None:
    check_along_after(start_again, function, X, X_DOT)


@pytest.mark.parametrize(("function", "reason"), REFUSED, ids=[named(f) for f, _ in REFUSED])
def test_refused(function: Function, reason: str) -> None:
    start_again()
    check_refused(function, reason, X)
