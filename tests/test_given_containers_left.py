"""Lists, dicts and sets without a derivative are left as they were, by whatever way a function changes them.

What a function only notes something in is for the caller to see.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from numeric import assert_close, numeric_gradient

from tangentish import grad, hvp, jvp, value_and_grad, vjp


def doubled(ts):
    ts[0] *= 2.0


def doubled_by(ts, a):
    ts[0] *= 2.0
    return ts[0] * a


def with_one_more(s):
    s.add(7)


def looked_up(memo, n):
    if n not in memo:
        memo[n] = 2.0 * n
    return memo[n]


def by_a_helper(ts, a):
    doubled(ts)
    return ts[0] * a**2


def by_a_helper_of_a_helper(ts, a):
    def inner(us):
        doubled(us)

    inner(ts)
    return sum(ts) * a**2


def by_a_helper_that_varies(ts, a):
    return doubled_by(ts, a) * a


def entry(ts, a):
    ts[0] = ts[0] * 3
    return ts[0] * a**2


def one_more(s, a):
    s.add(7)
    return len(s) * a**2


def one_more_by_a_helper(s, a):
    with_one_more(s)
    return len(s) * a**2


def by_a_method(ts, a):
    ts.update({0: 4.0})
    return ts[0] * a**2


def found_again(memo, a):
    return looked_up(memo, 3) * a**2 + len(memo)


class Doubling:
    def __init__(self):
        self.last = 0.0

    def take(self, ts):
        ts[0] *= 2.0
        self.last = ts[0]


def kept_by_an_object(ts, a):
    o = Doubling()
    o.take(ts)
    return o.last * a**2


def grown_and_changed_by_a_helper(ts, a):
    ts.append(1.0)
    b = a * ts[0]
    for k in range(2):
        doubled(ts)
        b = b * ts[0] * (ts[-1] + k)
    return b * a


def emptied(ts, a):
    while ts:
        a = a * ts.popleft()
    return a


CHANGING = [
    (by_a_helper, [1.0, 2.0]),
    (by_a_helper, {0: 1.0}),
    (by_a_helper_of_a_helper, [1.0, 2.0]),
    (grown_and_changed_by_a_helper, [3.0, 4.0]),
    (by_a_helper_that_varies, [1.0, 2.0]),
    (entry, [1.0, 2.0]),
    (entry, {0: 1.0, "b": 2}),
    (one_more, {1, 2}),
    (one_more_by_a_helper, {1, 2}),
    (by_a_method, {0: 1.0}),
    (by_a_method, defaultdict(float, {0: 1.0})),
    (by_a_method, Counter({0: 1})),
    (kept_by_an_object, [1.0, 2.0]),
    (emptied, deque([2.0, 1.0])),
    (found_again, {}),
    (found_again, defaultdict(float)),
]


@pytest.mark.parametrize(("f", "given"), CHANGING)
def test_what_is_computed_with_is_left(f: Callable[..., Any], given: Any) -> None:
    ts = deepcopy(given)
    expected = numeric_gradient(lambda a: f(deepcopy(given), a), (0.8,), 0, 1.0)
    for _ in range(2):
        assert_close(grad(f, wrt="a")(ts, 0.8), expected, "grad")
        assert value_and_grad(f, wrt="a")(ts, 0.8)[0] == f(deepcopy(given), 0.8)
        assert_close(vjp(f, ts, 0.8)[1](1.0)[1], expected, "vjp")
        assert_close(jvp(f, (ts, 0.8), (None, 1.0))[1], expected, "jvp")
        bent = 0.0 if f is emptied else expected / 0.8
        assert_close(hvp(f, wrt="a")(ts, 1.0, 0.8), bent, "hvp")
    assert ts == given


class Held:
    """An object with containers in which nothing varies."""

    def __init__(self):
        self.ts = [3.0, 4.0]
        self.rows = [[1.0, 2.0], [3.0]]
        self.seen = {1}
        self.queue = deque([2.0, 5.0])
        self.log = []

    def grown(self, a):
        self.ts.append(2.0)
        self.ts[0] += 1.0
        return a * sum(self.ts)


def element_of_an_attribute(o, a):
    o.ts[0] *= 2
    return o.ts[0] * a**2


def attribute_in_a_loop(o, a):
    for k in range(2):
        o.ts[k] *= 2
        a = a * o.ts[k]
    return o.ts[0] * a


def attribute_under_a_name(o, a):
    ts = o.ts
    ts.append(3.0)
    ts[0] *= 3
    return sum(o.ts) * a**2


def row_of_an_attribute(o, a):
    o.rows[0][1] += 2
    return o.rows[0][1] * a**2


def set_of_an_object(o, a):
    o.seen.add(3)
    return len(o.seen) * a**2


def deque_of_an_object(o, a):
    o.queue.append(7.0)
    return o.queue.popleft() * a**2


def attribute_emptied_by_a_helper(o, a):
    while o.ts:
        a = a * _taken(o)
    return a


def _taken(o):
    return o.ts.pop()


def attribute_changed_by_a_method(o, a):
    return o.grown(a) + o.grown(a) * a


def _bumped(o):
    o.ts[0] += 1.0


def attribute_changed_by_a_helper(o, a):
    for _ in range(2):
        a = a * o.ts[0]
        _bumped(o)
    return a * a


HOLDING = [
    attribute_changed_by_a_helper,
    element_of_an_attribute,
    attribute_in_a_loop,
    attribute_under_a_name,
    row_of_an_attribute,
    set_of_an_object,
    deque_of_an_object,
    attribute_emptied_by_a_helper,
    attribute_changed_by_a_method,
]


@pytest.mark.parametrize("f", HOLDING)
def test_what_objects_hold_and_is_computed_with_is_left(f: Callable[..., Any]) -> None:
    given = Held()
    expected = numeric_gradient(lambda a: f(Held(), a), (0.8,), 0, 1.0)
    slope = numeric_gradient(lambda a: grad(f, wrt="a")(Held(), a), (0.8,), 0, 1.0)
    for _ in range(2):
        assert_close(grad(f, wrt="a")(given, 0.8), expected, "grad")
        assert value_and_grad(f, wrt="a")(given, 0.8)[0] == f(Held(), 0.8)
        assert_close(vjp(f, given, 0.8)[1](1.0)[1], expected, "vjp")
        assert_close(jvp(f, (given, 0.8), (None, 1.0))[1], expected, "jvp")
        assert_close(hvp(f, wrt="a")(given, 1.0, 0.8), slope, "hvp")
    assert vars(given) == vars(Held())


def note(log, v):
    log.append(v)


def noted(log, a):
    log.append("called")
    return a**2


def noted_by_a_helper(log, a):
    if log is not None:
        note(log, "called")
    return a**2


def noted_in_an_object(o, a):
    o.ts[0] = 5.0
    o.log.append("called")
    note(o.log, "again")
    return a**2 * o.ts[0]


def test_notes_in_objects_are_for_the_caller() -> None:
    given = Held()
    assert_close(grad(noted_in_an_object, wrt="a")(given, 0.8), 8.0, "grad")
    assert given.log == ["called", "again"]
    assert given.ts == [3.0, 4.0]


@pytest.mark.parametrize("f", [noted, noted_by_a_helper])
def test_notes_are_for_the_caller(f: Callable[..., Any]) -> None:
    log: list[str] = []
    assert grad(f, wrt="a")(log, 0.8) == 1.6
    assert log == ["called"]
