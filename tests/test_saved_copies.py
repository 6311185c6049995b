"""What an adjoint changes of what was saved is copied, and nothing else: pullbacks give the same twice."""

from __future__ import annotations

import enum

import numpy as np
import pytest
from every_mode import check_along, kept_in, named
from numeric import assert_close

from tangentish import differentiate, grad, vjp

FUNCTIONS = []
right = kept_in(FUNCTIONS)
X = np.array([0.7, 0.4, 0.9, 0.55])
ALONG = np.array([0.3, -0.7, 0.5, 0.2])


@right
def list_on_one_way(x):
    s = x[0]
    if x[1] < 0.5:
        ys = []
        ys.append(x.sum())
        ys.append(x[0])
        s = ys[1] * x[1]
        ys[1] += s
        s = s * ys[1]
    return s


@right
def list_on_no_way(x):
    s = x[0]
    if x[1] > 0.5:
        ys = [x[0], x[1]]
        s = ys[1] * x[1]
        ys[1] += s
        s = s * ys[1]
    return s**2


@right
def array_on_one_way(x):
    s = x[0]
    if x[1] > 0.21:
        y = x**2
        s = y[0] * y[1]
        y[1] = s
        s = s * y[1] * y[2]
    return s


@right
def array_on_no_way(x):
    s = x[0]
    if x[1] > 0.5:
        y = x**2
        s = y[0] * y[1]
        y[1] = s
        s = s * y[1] * y[2]
    return s * x[3]


@right
def view_of_what_changes(x):
    y = x**2
    v = y[1:]
    s = np.sum(v**3)
    y[1] *= y[0]
    s *= np.sum(v**2)
    y[2] = s * v[0]
    return np.sum(v * y[:3])


@right
def views_on_a_tape(x):
    y = np.outer(x, x)
    s = 0.0
    for k in range(3):
        row = y[k]
        s += np.sum(row**2) * s + row[k]
        y[k + 1] = y[k + 1] * s
        row[0] = row[1] ** 2
        s += np.sum(row**3)
    return s


@right
def list_of_arrays_in_turn(x):
    buffers = [np.zeros(2), np.zeros(2)]
    s = 0.0
    for k in range(4):
        now, then = buffers[k % 2], buffers[(k + 1) % 2]
        now += x[:2] * (k + 1)
        then[:] = now**2 * 0.1 + then
        s += np.sum(now * then)
        buffers[k % 2] = then * x[2]
    return s


@right
def tapes_read_by_the_numbers_of_the_trips(x):
    s = x[0]
    for k in range(3):
        s = s * x[k] if x[k + 1] > 0.5 else s + x[k]
        if s > 0.6:
            s = np.tanh(s)
        x = x * s
    return np.sum(x)


@pytest.mark.parametrize("f", FUNCTIONS, ids=named)
def test_pullbacks_twice(f) -> None:
    gradient = check_along(f, X, ALONG)
    value, pullback = vjp(f, X.copy())
    assert value == f(X.copy())
    for _ in range(2):
        assert_close(pullback(1.0)[0], gradient, f.__name__)


def tree(x):
    values = [x[0] * 1.1**k for k in range(6)]
    for i in reversed(range(5)):
        for j in range(i + 1):
            values[j] = max(x[1] * values[j + 1] + x[2] * values[j], 0.8 - x[3] * values[j])
    return values[0]


def test_one_list_is_copied_beside_tapes_of_numbers() -> None:
    text = differentiate(tree).vjp.source(X)
    assert "copy_shared" not in text
    assert "values = values.copy()" in text


def test_tapes_read_by_the_numbers_of_the_trips_are_not_copied() -> None:
    text = differentiate(tapes_read_by_the_numbers_of_the_trips).vjp.source(X)
    assert "tape[k]" in text
    assert ".copy()" not in text and ".pop()" not in text


class Op(enum.Enum):
    SUM = 1
    TRIPLE = 2


WEIGHTS = {Op.SUM: 1.0, Op.TRIPLE: 3.0}


def by_one(x, op):
    return np.sum(x) if op is Op.SUM else 3 * np.sum(x)


def by_its_value(x, op):
    if op is Op.TRIPLE:
        return np.sum(x)
    return np.sum(np.sin(x) * op.value * WEIGHTS[op])


def by_many(x, ops):
    s = 1.0
    for op in ops:
        s = s * x[0] if op is Op.SUM else s + x[1]
    return s


@pytest.mark.parametrize(
    ("f", "given"),
    [
        (by_one, Op.SUM),
        (by_one, Op.TRIPLE),
        (by_its_value, Op.SUM),
        (by_many, [Op.SUM, Op.TRIPLE, Op.SUM]),
    ],
)
def test_members_of_an_enum_are_themselves(f, given) -> None:
    value, pull = vjp(f, X, given)
    np.testing.assert_allclose(value, f(X, given))
    np.testing.assert_allclose(pull(1.0)[0], grad(f)(X, given))
    np.testing.assert_allclose(pull(2.0)[0], 2 * grad(f)(X, given))
