"""What changes places, or is told apart beside others, in one line: right in every mode, and shown as it was written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in, named

from tangentish import NotDifferentiable, grad

X = np.array([0.9, 1.3, 0.7, 1.1, 0.6, 1.5])
X_DOT = np.array([0.3, -0.5, 0.8, 0.2, -0.1, 0.4])
W = np.arange(1.0, 7.0)

FUNCTIONS: list[Callable[..., Any]] = []
keep = kept_in(FUNCTIONS)


@keep
def overlapping_slices(x):
    y = x * x
    y[0:2], y[1:3] = y[1:3].copy(), y[0:2].copy()
    return np.sum(W * y)


@keep
def several_places_some_of_them_shared(x):
    y = x * x
    p, q = np.array([0, 1]), np.array([2, 0])
    y[p], y[q] = y[q], y[p]
    return np.sum(W * y)


@keep
def rows_and_columns(x):
    y = (x * x).reshape(2, 3)
    y[0], y[:, 1] = y[0, 1], y[:, 1].copy()
    y[0, :], y[1, :] = y[1, :].copy(), y[0, :].copy()
    y[:, 0], y[:, 2] = y[:, 2].copy(), y[:, 0].copy()
    return np.sum(W.reshape(2, 3) * y)


@keep
def rows_that_are_views(x):
    y = (x * x).reshape(2, 3)
    y[0], y[1] = y[1], y[0]
    return np.sum(W.reshape(2, 3) * y)


@keep
def a_place_with_itself(x):
    y = x * x
    for i in range(6):
        j = (i * 2) % 6
        y[i], y[j] = y[j], y[i]
    y[2], y[2] = y[2], y[2]
    return np.sum(W * y)


@keep
def what_is_read_later(x):
    y = x * x
    i = 0
    while i < 5 and y[i] > y[i + 1] * 0.7:
        y[i], y[i + 1] = y[i + 1], y[i]
        y[i] = y[i] * y[i + 1]
        i += 1
    return np.sum(W * y)


@keep
def between_two_arrays(x):
    a, b = np.sin(x), np.cos(x)
    for i in range(3):
        a[i], b[i] = b[i], a[i]
        a[i] *= b[i + 1]
    return np.sum(W * a * b)


@keep
def between_two_names_of_an_array(x):
    y = x * x
    z = y[::-1]
    y[0], z[0] = z[0], y[0]
    z[1], y[2] = y[2], z[1]
    return np.sum(W * y)


@keep
def elements_of_a_list(x):
    xs = [v * v for v in x]
    for i in range(5):
        xs[i], xs[-1 - i] = xs[-1 - i], xs[i]
        xs[i], xs[i + 1] = xs[i + 1] * xs[i], xs[i]
    return sum(w * v for w, v in zip(W, xs, strict=True))


@keep
def tuples_in_a_list_sorted(x):
    points = [(v, v * w) for v, w in zip(x, x[1:], strict=False)]
    for i in range(len(points)):
        for j in range(len(points) - 1 - i):
            if points[j][1] > points[j + 1][1]:
                points[j], points[j + 1] = points[j + 1], points[j]
    return sum(k * a + a * b * b for k, (a, b) in enumerate(points))


@keep
def rows_in_a_list(x):
    rows = [[v * w for w in x[:3]] for v in x]
    for i in range(2):
        rows[i], rows[4 - i] = rows[4 - i], rows[i]
    total = 0.0
    for k, row in enumerate(rows):
        total += k * row[0] + row[1] * row[2]
    return total


@keep
def a_new_row_for_another(x):
    rows = [[v, v * w] for v, w in zip(x, x[1:], strict=False)]
    for i in range(2):
        row = [x[i] * 2, x[0]]
        rows[i] = row
    rows[3] = rows[4]
    total = 0.0
    for k, (a, b) in enumerate(rows):
        total += k * a + a * b * b
    return total


@keep
def corners_and_the_next(x):
    corners = [(v, v * w) for v, w in zip(x, x[1:], strict=False)]
    area = 0.0
    for i in range(len(corners)):
        (a, b), (c, d) = corners[i], corners[(i + 1) % len(corners)]
        area += (c - a) * d * b
    return area


@keep
def whole_corners_and_the_next(x):
    corners = [(0.0, x[0]), (1 + x[1], x[2]), (1.2, 1 + x[3]), (-0.3, 2 * x[4])]
    area = 0.0
    for i in range(len(corners)):
        p, q, k = corners[i - 1], corners[i], 3 * x[0]
        p, q = q, p
        area += p[0] * q[1] * k
    return area


@keep
def a_window_that_moves(x):
    points = [(v, v * w) for v, w in zip(x, x[1:], strict=False)]
    before, here = points[0], points[1]
    total = 0.0
    for i in range(2, len(points)):
        total += before[0] * here[1] - before[1] * here[0] ** 2
        before, here = here, points[i]
    return total + before[0] * here[1]


@keep
def a_tuple_beside_a_counter(x):
    points = [(v, v * w) for v, w in zip(x, x[1:], strict=False)]
    i, total = 1, 0.0
    while i < len(points):
        (a, b), i = points[i], i + 2
        total += a * b * i
    return total


@keep
def solved_with_pivots(x):
    rows = [[x[0], x[1], 1.0], [x[2], x[3], x[4]], [2.0, x[5], x[0] * x[1]]]
    right = [x[5], x[4], x[3]]
    n = len(right)
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[p] = rows[p], rows[k]
        right[k], right[p] = right[p], right[k]
        for i in range(k + 1, n):
            m = rows[i][k] / rows[k][k]
            for j in range(k, n):
                rows[i][j] -= m * rows[k][j]
            right[i] -= m * right[k]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            right[k] -= rows[k][j] * right[j]
        right[k] /= rows[k][k]
    return sum(v * v for v in right)


@keep
def rows_that_are_arrays_written_to(x):
    rows = [v * x for v in x[:3]]
    for k in range(3):
        rows[k], rows[0] = rows[0], rows[k]
        rows[k] *= rows[0]
        rows[0][1:] += rows[-1][:-1]
    return sum(np.sum(row) for row in rows)


@keep
def a_row_read_after_it_moved(x):
    rows = [[v, v * w] for v, w in zip(x, x[1:], strict=False)]
    total = 0.0
    for k in range(5):
        row = rows[k]
        rows[k], rows[0] = rows[0], rows[k]
        total += row[0] ** 2 * rows[k][1]
        rows[k][0] *= 2 * rows[0][1]
    return total


@keep
def a_row_with_itself(x):
    rows = [[v, v * w] for v, w in zip(x, x[1:], strict=False)]
    for k in range(3):
        rows[k], rows[k] = rows[k], rows[k]
        rows[-1], rows[k] = rows[k], rows[-1]
        rows[k][0] *= rows[0][1]
    return sum(a * b * b for a, b in rows)


@keep
def under_two_names(x):
    rows = [[v, v * w] for v, w in zip(x, x[1:], strict=False)]
    same = rows
    for k in range(3):
        rows[k], rows[0] = rows[0], rows[k]
        same[k][0] *= same[0][1]
    return sum(a * b * b for a, b in same)


@keep
def on_no_trip(x):
    rows = [[v, v * w] for v, w in zip(x, x[1:], strict=False)]
    for k in range(0):
        rows[k], rows[1] = rows[1], rows[k]
        rows[k][0] *= rows[1][1]
    return sum(a * b * b for a, b in rows)


@keep
def by_numbers_that_change(x):
    xs = [v * v for v in x]
    i, j = 0, 1
    for _ in range(5):
        xs[i], xs[j] = xs[j], xs[i]
        xs[i] *= xs[j]
        i, j = j, j + 1
    return sum(w * v for w, v in zip(W, xs, strict=True))


@keep
def by_numbers_in_a_list(x):
    xs, at = [v * v for v in x], [0, 1, 2, 3, 4, 5]
    for k in range(5):
        xs[at[k]], xs[at[k + 1]] = xs[at[k + 1]], xs[at[k]]
        at[k], at[0] = at[0], at[k]
        xs[k] *= xs[0]
    return sum(w * v for w, v in zip(W, xs, strict=True))


@keep
def what_gets_a_derivative_later(x):
    xs = [1.0, 2.0, 3.0]
    for k in range(3):
        xs[0], xs[k] = xs[k], xs[0]
        xs[k] = xs[k] * x[0] + xs[0] ** 2 * x[1]
    return xs[0] * xs[1] * xs[2]


@keep
def sifted_down(x):
    xs = [v * v for v in x]
    n = len(xs)
    for start in range(n // 2 - 1, -1, -1):
        i = start
        while 2 * i + 1 < n:
            child = 2 * i + 1
            if child + 1 < n and xs[child + 1] < xs[child]:
                child += 1
            if xs[i] <= xs[child]:
                break
            xs[i], xs[child] = xs[child], xs[i]
            i = child
    return sum(w * v for w, v in zip(W, xs, strict=True))


test_it_is_right = each_right(FUNCTIONS, X, X_DOT)


def test_it_is_one_line_both_ways() -> None:
    text = grad(a_place_with_itself).source(X)
    assert "y[i], y[j] = y[j], y[i]" in text
    assert "dy[j], dy[i] = dy[i], dy[j]" in text


def test_elements_of_a_list_that_change_places_are_not_recorded() -> None:
    text = grad(sifted_down).source(X)
    assert "xs[i], xs[child] = xs[child], xs[i]" in text
    assert "dxs[i], dxs[child] = dxs[child], dxs[i]" in text
    assert "xs_tape" not in text


def test_what_may_be_a_number_is_copied_as_one() -> None:
    def quotients(x, y):
        table: dict[int, float] = {}
        p = np.sum(x) * sum([table[key] for key in table])
        xs = [0.0]
        for k in range(1):
            xs[k] += (p + 1) / y[k]
        return sum(np.sum(v) for v in xs)

    dx, dy = grad(quotients, wrt=(0, 1))(X, 2 * X)
    np.testing.assert_array_equal(dx, np.zeros(6))
    np.testing.assert_allclose(dy, [-1 / (4 * X[0] ** 2), 0, 0, 0, 0, 0])


def a_row_with_two_places(x):
    rows = [[v, v * w] for v, w in zip(x, x[1:], strict=False)]
    rows[1] = rows[0]
    rows[1][0] = x[2] ** 2
    return rows[0][0] * rows[1][1]


def a_row_with_two_places_that_moves(x):
    row = [x[0], x[1]]
    rows = [row, row, [x[2], x[3]]]
    for k in range(2):
        rows[k], rows[2] = rows[2], rows[k]
        rows[k][0] *= 3 * rows[0][1]
    return sum(a * b * b for a, b in rows)


def a_row_that_is_changed_by_its_name(x):
    rows = [[v, v * w] for v, w in zip(x, x[1:], strict=False)]
    row = rows[0]
    rows[0], rows[1] = rows[1], rows[0]
    row[0] = 3 * x[0] ** 2
    return rows[1][0] * rows[0][1]


@pytest.mark.parametrize(
    "function",
    [a_row_with_two_places, a_row_with_two_places_that_moves, a_row_that_is_changed_by_its_name],
    ids=named,
)
def test_what_two_places_share_is_not_written_to(function: Callable[..., Any]) -> None:
    with pytest.raises(NotDifferentiable):
        grad(function)(X)
