"""Indices of which nothing is known beforehand: they are taken for integers, and looked at when the gradient runs."""

from __future__ import annotations

import heapq
import json
from collections import deque

import numpy as np
import pytest
from every_mode import Function, check_along, each_refused, kept_in, named, refused_in

from tangentish import grad

functions: list[Function] = []
program = kept_in(functions)
refusals: list[tuple[Function, str]] = []
refused = refused_in(refusals)


def read(text):
    return json.loads(text)


def neighbours(i, n):
    for d in (-1, 1):
        yield (i + d) % n


def squared(x, places):
    return x[places[0]] ** 2


@program
def lists_under_keys(x):
    after = {}
    for a, b in [(0, 1), (1, 2), (1, 0)]:
        after.setdefault(a, []).append(b)
    s = 0.0
    for i, js in after.items():
        for j in js:
            s += x[i] * x[j] ** 2
    return s


@program
def sets_under_keys(x):
    groups = {}
    for k in range(3):
        groups.setdefault(k % 2, set()).add(k)
    return sum(x[i] ** 2 * x[j] for g in groups.values() for i in g for j in g)


@program
def lists_of_a_comprehension(x):
    edges = [(0, 1), (1, 2), (2, 1)]
    before = {i: [a for a, b in edges if b == i] for i in range(len(x))}
    s = 0.0
    for i in range(len(x)):
        for j in before[i]:
            s += x[i] * x[j] ** 2
    return s


@program
def stores_by_a_set(x):
    y = x * 2
    for p in {0, 2}:
        y[p] = x[1] * y[p]
    for p in {0, 1}:
        y[p] *= x[2]
    for p, q in {(0, 1)}:
        y[p], y[q] = y[q] ** 2, y[p]
    return np.sum(y**2)


@program
def given_by_a_generator(x):
    s = 0.0
    for i in range(len(x)):
        for j in neighbours(i, len(x)):
            s += x[i] * x[j] ** 2
    return s


@program
def from_a_heap(x):
    heap = []
    for k in range(3):
        heapq.heappush(heap, (-k * 7 % 5, k))
    s = 0.0
    while heap:
        _, k = heapq.heappop(heap)
        s = s * x[k] + x[k]
    return s


@program
def taken_from_a_set(x):
    todo, seen = {0}, set()
    after = {0: [1, 2], 1: [2], 2: [0]}
    s = 0.0
    while todo:
        k = todo.pop()
        if k in seen:
            continue
        seen.add(k)
        s = s * x[k] + x[k] ** 2
        todo |= set(after[k])
    return s


@program
def elements_of_lists(x):
    i, j = read("[2, 1]")
    xs = [v * 2 for v in x]
    xs[i] *= xs[j] + x[j]
    xs[j], xs[i] = xs[i], xs[j]
    del xs[i - 2]
    return xs[j] ** 2 * xs[j - 1]


@program
def lists_in_a_list(x):
    rows = [[x[0], x[1]], [x[2], x[1]]]
    for a, b in {(0, 1), (1, 0)}:
        rows[a][b] = rows[a][b] * rows[b][a]
    s = 1.0
    for row in rows:
        for v in row:
            s = s * v
    return s


@program
def bound_anew(x):
    i = read("0")
    s = 0.0
    for k in range(2):
        if k > 0:
            s += x[i] ** 2 * x[i]
        i = i + read("1")
        s = s * x[i] + x[i] ** 3
    return s


@program
def rows_and_views(x):
    y = np.outer(x, x)
    i, j = read("[1, 2]")
    row = y[i]
    if x[0] > 0:
        row[j] = x[i] * y[j][i]
    row += y[j]
    i = j
    return np.sum(y[i] * row)


@program
def captured(x):
    i = read("1")

    def bind(j):
        nonlocal i
        i = j
        return x[i]

    return (x[i] * x[2] + bind(0)) * x[i]


@program
def asked_only_where_it_is_read(x):
    i = read("null")
    j = read("1")
    first = x[i] if i is not None else x[j]
    return first * x[j] * squared(x, read("[2]"))


@program
def computed_places_of_a_display(x):
    s = 0.0
    for k in range(2):
        s += [x[0] * x[2], x[1] ** 2, x[2]][read("[1, 3]")[k] - 1] * (x[0], x[1])[read("2") - 1 - k]
    return s


def places_turn_up(x):
    return np.sum(x[read("[0, 1]")])


def a_flag_turns_up(x):
    return np.sum(x[read("true")])


def used_by_nothing(x):
    for k in read("[[0, 1]]"):
        _ = x[k]
    return x[0] ** 2


@refused("it is not known what this index is")
def in_a_try(x):
    try:
        v = np.sum(x[read("[0, 1]")])
    except TypeError:
        v = 0.0
    return v + x[2]


@refused("of an index, or of what meets a differentiated value, nothing is known here")
def by_a_function_in_a_try(x):
    try:
        v = np.sum(squared(x, read("[[0, 1]]")))
    except TypeError:
        v = 0.0
    return v + x[2]


@refused("it is not known what this index is")
def stored_in_a_try(x):
    xs = [v * 2 for v in x]
    try:
        xs[read("1")] = x[0]
    except TypeError:
        xs = [x[1]]
    return sum(xs)


@pytest.mark.parametrize("function", functions, ids=named)
def test_taken_for_integers(function: Function) -> None:
    x_dot = np.array([0.3, -1.1, 0.7])
    for x in (np.array([0.6, 0.4, 0.9]), np.array([-0.6, 0.4, 1.3])):
        check_along(function, x, x_dot)


test_refused = each_refused(refusals, np.array([0.6, 0.4, 0.9]))


@pytest.mark.parametrize("function", [places_turn_up, a_flag_turns_up, used_by_nothing])
def test_anything_else_raises(function: Function) -> None:
    with pytest.raises(TypeError, match="has to be an integer, and this one is of type"):
        grad(function)(np.array([0.6, 0.4, 0.9]))


def test_an_argument_is_used_up_as_by_the_function() -> None:
    def f(x, queue):
        s = 0.0
        while queue:
            k = queue.popleft()
            s += x[k] ** 2 * (len(queue) + 1)
        return s

    assert grad(f)([1.0, 2.0, 3.0], deque([2, 0, 1])) == [4.0, 4.0, 18.0]


def test_a_variable_is_asked_once() -> None:
    source = grad(stores_by_a_set).source(np.ones(3))
    assert source.count("integer(") == 4
    assert "    for p in {0, 2}:\n        p = integer(p)\n" in source


def test_compiled() -> None:
    pytest.importorskip("numba")
    x = np.array([0.6, 0.4, 0.9])
    compiled = grad(given_by_a_generator, compile="numba")(x)
    assert compiled == pytest.approx(grad(given_by_a_generator)(x))


def cross_entropy(y, t):
    if t.size == y.size:
        t = t.argmax(axis=1)
    n = y.shape[0]
    return -np.sum(np.log(y[np.arange(n), t] + 1e-7)) / n


@pytest.mark.parametrize("text", ["1", "[0, 2, 1]", "[1, 1, 1]"])
def test_beside_places(text: str) -> None:
    """An integer beside places is one for each of them; a vector may stand there, too."""

    def f(x):
        k, y = read(text), np.outer(x, x)
        y[np.arange(3), k] = x[0] ** 2
        return np.sum(y * y[np.arange(3), k][:, None]) + np.sum(y[[0, 1, 1], k] * x)

    check_along(f, np.array([0.7, 1.3, 0.4]), np.array([1.0, -2.0, 0.5]))


@pytest.mark.parametrize("text", ["[[1]]", "1.5", "null", "true", '"a"'])
def test_beside_places_stand_integers(text: str) -> None:
    def f(x):
        return np.sum(np.outer(x, x)[np.arange(3), read(text)])

    with pytest.raises(TypeError, match="has to hold integers to be an index"):
        grad(f)(np.array([0.7, 1.3, 0.4]))


def test_labels_as_numbers_or_one_hot() -> None:
    y, t = np.random.default_rng(0).uniform(0.2, 1, (4, 5)), np.array([1, 0, 2, 4])
    wanted = np.zeros_like(y)
    wanted[np.arange(4), t] = -1 / (4 * (y[np.arange(4), t] + 1e-7))
    for labels in (t, np.eye(5)[t]):
        np.testing.assert_allclose(grad(cross_entropy)(y, labels), wanted)


def test_places_up_to_what_is_not_known() -> None:
    def f(x, text):
        return np.sum(x[np.arange(read(text))] ** 2)

    np.testing.assert_allclose(grad(f)(np.array([0.5, 1.0, 2.0]), "2"), [1.0, 2.0, 0.0])
