"""What a program changes out of sight of a line: all of it is right, or refused; never lost.

Pops inside of lines, tests of lists that change, arrays that objects hold, or what
nobody knows of gives on, lists that are repeated.
"""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tangentish import NotDifferentiable, grad, jvp
from tests.numeric import assert_close, numeric_gradient

X = np.array([0.7, -1.3, 2.1, 0.4])
V = np.array([0.3, 0.9, -0.4, 1.1])


@dataclass
class Pack:
    w: object
    k: float = 0.5


class Store:
    def __init__(self, v):
        self.items = [v]

    def sum(self):
        return sum(np.sum(i) for i in self.items)


class Row:
    def __init__(self, v):
        self.v = v
        self.n = len(v)


def fill(v, s):
    v[1] = s


def in_a_list(v):
    return [v], None


def pop_within_append(x):
    q = [2.0, 3.0]
    s = q[-1] * x[2]
    q.append(q.pop() * 2.0)
    return s


def pop_within_insert(x):
    q = [2.0, 3.0, 4.0]
    s = 0.0
    for i in range(3):
        s = s + q[-1] * np.sin(x[i])
        q.insert(0, q.pop())
    return s


def pop_into_another(x):
    q, m = [2.0, 3.0], [1.0]
    s = q[-1] * x[2]
    m.append(q.pop())
    return s * m[-1] * x[1]


def pops_in_a_sum(x):
    q = [2.0, 3.0, 4.0]
    s = q[-1] * np.sin(x[0])
    t = np.cos(x[1]) * q.pop() + q.pop()
    return s * t * q[-1]


def pop_from_the_left(x):
    q = deque([2.0, 3.0, 4.0])
    s = 0.0
    for i in range(3):
        s = s + q[0] * np.sin(x[i])
        q.append(q.popleft() * 1.5)
    return s


def pop_in_a_while(x):
    q = [2.0, 3.0, 4.0]
    s = 0.0
    while q and q.pop() > 2.5:
        s = s + len(q) * np.sin(x[len(q)])
    return s


def list_as_a_test(x):
    q = [2.0, 3.0]
    s = 0.0
    for i in range(3):
        if q:
            s = s + np.sin(x[i]) * q.pop()
        else:
            s = s * x[3]
    return s


def array_of_a_pack(x):
    v = np.zeros(4)
    p = Pack(v)
    v[0] = x[0]
    return np.sum(p.w)


def view_of_a_row(x):
    v = np.zeros(4)
    p = Row(v[1:])
    v[1] = x[0]
    return np.sum(p.v) * p.n


def arrays_of_packs(x):
    v = np.zeros(4)
    ps = [Pack(v), Pack(v[1:])]
    v[1] = x[0]
    return sum(np.sum(p.w) for p in ps)


def array_of_a_store(x):
    v = np.zeros(4)
    p = Store(v)
    v[0] = x[0]
    return p.sum()


def array_of_a_store_by_a_helper(x):
    v = np.zeros(4)
    p = Store(v)
    fill(v, x[1])
    return p.sum() + p.items[0][1]


def array_in_a_list_of_a_store(x):
    v = np.zeros(4)
    p = Store(v)
    v[1] = x[0]
    return np.sum(p.items[0])


def array_in_a_list_of_a_helper(x):
    v = np.zeros(4)
    q, _ = in_a_list(v)
    v[1] = x[0]
    return np.sum(q[0])


def copies_repeated(x):
    q = [x.copy()] * 2
    x[x > 0.4] = x[2]
    return sum(np.sum(e) for e in q)


def sums_repeated(x):
    q = [x + 0.0] * 3
    x[0] = x[2]
    return sum(np.sum(e) for e in q)


def by_getattr(x):
    v = np.zeros(4)
    p = getattr(Pack(v), "w")  # noqa: B009
    v[1] = x[1] ** 2
    return np.sum(p) * x[2]


def by_an_iterator(x):
    v = np.zeros(4)
    each = iter([v])
    v[1] = x[1] ** 2
    return np.sum(next(each)) * x[2]


def by_a_shallow_copy(x):
    v = np.zeros(4)
    q, r = copy.copy([v, v])
    v[1] = x[1] ** 2
    return np.sum(q) * np.sum(r) * x[2]


def by_a_part_of_a_copy(x):
    v = np.zeros(4)
    q = [w for w in copy.copy([v])]
    v[1] = x[1] ** 2
    return np.sum(q[0]) * x[2]


def held_elsewhere(v):
    return copy.copy([v])[0]


def by_a_helper(x):
    v = np.zeros(4)
    q = held_elsewhere(v)
    v[1] = x[1] ** 2
    return np.sum(q) * x[2]


def by_the_same_bytes(x):
    v = np.zeros(4)
    q = np.frombuffer(v)
    v[1] = x[1] ** 2
    return np.sum(q) * x[2]


def copied_in_depth(x):
    v = np.ones(4)
    q = copy.deepcopy([v])
    v[1] = x[1] ** 2
    return np.sum(q[0]) * x[2] * np.sum(v)


RIGHT = [
    copied_in_depth,
    pop_within_append, pop_within_insert, pop_into_another, pops_in_a_sum, pop_from_the_left, pop_in_a_while,
    list_as_a_test, array_of_a_pack, view_of_a_row, arrays_of_packs, copies_repeated, sums_repeated,
]  # fmt: skip
RIGHT_OR_REFUSED = [
    by_getattr, by_an_iterator, by_a_shallow_copy, by_a_part_of_a_copy, by_a_helper, by_the_same_bytes,
    array_of_a_store, array_of_a_store_by_a_helper, array_in_a_list_of_a_store, array_in_a_list_of_a_helper,
]  # fmt: skip


def check(function: Callable[..., Any]) -> None:
    expected = numeric_gradient(function, [X.copy()], 0, 1.0)
    assert_close(grad(function)(X.copy()), expected, "gradient")
    _, tangent = jvp(function, (X.copy(),), (V,))
    assert_close(tangent, expected @ V, "tangent")


@pytest.mark.parametrize("function", RIGHT, ids=lambda f: f.__name__)
def test_right(function: Callable[..., Any]) -> None:
    check(function)


@pytest.mark.parametrize("function", RIGHT_OR_REFUSED, ids=lambda f: f.__name__)
def test_right_or_refused(function: Callable[..., Any]) -> None:
    try:
        check(function)
    except NotDifferentiable as error:
        assert error.msg
