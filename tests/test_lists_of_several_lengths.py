"""Lists that hold lists of several lengths: measurements a step, words a sentence, visits a subject.

What their elements are is known as where all have one length, in loops and by any index, and what is stored to one of
them is seen wherever it is read.
"""

from __future__ import annotations

import copy
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tangentish import NotDifferentiable, grad, hvp, jvp
from tests.every_mode import check_along
from tests.numeric import assert_close, numeric_gradient

X = np.array([0.7, 1.3, 0.4, 1.9])
D = np.array([0.3, -1.1, 0.8, 0.5])

Seen = namedtuple("Seen", "place distance")

Function = Callable[..., Any]
TESTS: list[tuple[Function, Any]] = []


def of(data: Any) -> Callable[[Function], Function]:
    def note(function: Function) -> Function:
        TESTS.append((function, data))
        return function

    return note


ROWS = [[1.0, 2.0], [3.0], [0.5, 1.5, 2.5]]


@of(ROWS)
def by_loops(x, rows):
    s = 0.0
    for row in rows:
        for k, v in enumerate(row):
            s = s * x[1] + v * x[k]
    return s


@of([[1, 2], [], [3.0]])
def of_none_and_integers(x, rows):
    s = 0.0
    for row in rows:
        if row:
            s = s * x[0] + row[-1] * x[1]
    return s


@of([(1.0, [Seen(0, 2.0), Seen(1, 3.0)]), (0.5, [Seen(2, 1.4)])])
def stored_beside(x, log):
    mu = np.zeros(4)
    for step, seen in log:
        mu[0] += step * x[0]
        for one in seen:
            mu = mu * one.distance + x
            mu[one.place] += x[3]
    return np.sum(mu**2)


@of([[1, 2], [0], [], [2, 3]])
def of_neighbours(x, near):
    s = 0.0
    for i, others in enumerate(near):
        s += np.sum(x[others]) * x[i]
        for j in others:
            s += (x[i] - x[j]) ** 2
    return s


@of([["a", "b"], ["a"], []])
def of_words(x, sentences):
    index = {"a": 0, "b": 1}
    s = 0.0
    for words in sentences:
        p = x[2]
        for word in words:
            p = p * x[index[word]]
        s += p
    return s


@of([[[1.0, 2.0], [3.0]], [[4.0]]])
def three_deep(x, documents):
    s = 0.0
    for i in range(len(documents)):
        for j in range(len(documents[i])):
            for v in documents[i][j]:
                s = s * x[0] + v * x[1]
    return s


@of({"a": [1.0, 2.0], "b": [3.0]})
def under_keys(x, groups):
    s = 0.0
    for name in sorted(groups):
        s = s * x[0] + sum(x[1] * v for v in groups[name]) / len(groups[name])
    return s


def mean(row, x):
    s = 0.0
    for v in row:
        s = s * x[1] + v * x[0]
    return s / len(row)


@of(ROWS)
def by_a_helper(x, rows):
    return sum(mean(row, x) for row in rows)


@of(ROWS)
def stored_to(x, rows):
    for row in rows:
        for k in range(len(row)):
            row[k] = row[k] * x[k]
    return by_loops(x, rows) * rows[0][0]


@of([[1, 2], [3]])
def stored_to_integers(x, rows):
    for row in rows:
        row[0] = row[0] * x[0]
    return by_loops(x, rows) * rows[1][0]


@of(ROWS)
def grown(x, rows):
    for row in rows:
        row.append(x[0])
    return rows[1][1] * len(rows[1]) + rows[0][2] * x[1]


def put(row, v):
    row[0] = v


@of(ROWS)
def stored_to_by_a_helper(x, rows):
    for row in rows:
        put(row, x[2])
    return rows[0][0] * x[0] + rows[1][0] * x[1]


@of(None)
def of_its_own(x, _):
    rows = [[1.0, 2.0], [3.0]]
    for row in rows:
        row[0] = row[0] * x[0]
        row += [x[1]]
    return rows[0][0] * rows[1][1] * len(rows[0])


@pytest.mark.parametrize(("function", "data"), TESTS, ids=[f.__name__ for f, _ in TESTS])
def test_right_in_every_mode(function: Function, data: Any) -> None:
    def anew(f: Function) -> Function:
        return lambda *args: f(*args, copy.deepcopy(data))

    plain, gradient = anew(function), anew(grad(function))
    numeric: np.ndarray = numeric_gradient(plain, (X,), 0, 1.0)
    assert_close(gradient(X), numeric, function.__name__)
    along = jvp(function, (X, copy.deepcopy(data)), (D, None))[1]
    assert_close(along, numeric @ D, function.__name__)
    slope = numeric_gradient(lambda x: np.sum(gradient(x) * D), (X,), 0, 1.0)
    assert_close(anew(hvp(function))(X, D), slope, function.__name__)


def test_the_text_is_that_of_lists_of_one_length() -> None:
    of_one_length = grad(by_loops).source(X, [[1.0, 2.0], [3.0, 4.0]])
    assert grad(by_loops).source(X, ROWS) == of_one_length


def depth_of_trees(tree, w):
    if isinstance(tree, list):
        s = 0.0
        for branch in tree:
            s += 0.7 * depth_of_trees(branch, w)
        return s
    return w * w


def sum_of_leaves(tree, w):
    if isinstance(tree, float):
        return tree * w
    return sum(sum_of_leaves(branch, w) for branch in tree)


def test_branches_are_told_from_leaves() -> None:
    """An element that is a number or a list was taken for a number: the branch was never gone into."""
    tree = [1.0, [2.0, 3.0]]
    slope = grad(lambda t, w: depth_of_trees(t, w), wrt=(0, 1))(tree, 0.6)[1]
    np.testing.assert_allclose(slope, 2.016)
    np.testing.assert_allclose(grad(lambda w: depth_of_trees(tree, w))(0.6), 2.016)


def test_a_number_is_not_run_over() -> None:
    with pytest.raises(NotDifferentiable, match="ask isinstance.v, list. first"):
        grad(lambda t, w: sum_of_leaves(t, w), wrt=(0, 1))([[1.0, 3.0], [2.0]], 0.6)


def thrice(t):
    if isinstance(t, float):
        return t**2
    return (t * 3)[0] ** 2


def squared_as_array(t):
    return np.sum(np.array(t) ** 2)


TREES: list[list[object]] = [[0.1, [0.2]], [[0.2], 0.1], [2, [0.4, 0.5]], [np.array([0.3]), (0.4,)]]


@pytest.mark.parametrize("tree", TREES, ids=["number", "list", "integer", "tuple"])
@pytest.mark.parametrize("leaf", [thrice, squared_as_array])
def test_a_number_or_a_list_is_no_operand(leaf, tree) -> None:
    """What was a list was taken for an array: its operators are other ones, its gradient is a list."""
    with pytest.raises(NotDifferentiable, match="number or list"):
        grad(lambda tree: sum(leaf(t) for t in tree))(tree)


STAGES: list[list[float]] = [[], [0.5], [0.25, 0.5]]
NEAR: list[list[int]] = [[], [0, 2], [1], [3, 0]]


def of_stages_outside(x):
    mu = x * 1.0
    for row in STAGES:
        for weight in row:
            mu = mu * weight
            mu[0] += x[1]
    return np.sum(mu * x)


def of_neighbours_outside(x):
    s = x[0]
    for i, row in enumerate(NEAR):
        s = s + np.sum(x[row]) * x[i]
        for j in row:
            s = s + (x[i] - x[j]) ** 2
    return s


@pytest.mark.parametrize("function", [of_stages_outside, of_neighbours_outside])
def test_empty_lists_outside_say_nothing_of_the_others(function: Function) -> None:
    check_along(function, X, D)
    assert "unbroadcast" not in grad(function).source(X)
