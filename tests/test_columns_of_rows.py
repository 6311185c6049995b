"""`zip(*rows)`, of lists of numbers and matrices; `max(xs, default=v)`, of what may be empty."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, check_refused, each_right, kept_in, named

from tangentish import grad, hvp, jvp

FUNCTIONS: list[Callable[..., Any]] = []
columns = kept_in(FUNCTIONS)
REFUSED: list[Callable[..., Any]] = []
refused = kept_in(REFUSED)


@columns
def transposed_and_multiplied(x):
    M = [list(r) for r in np.outer(x[:3], x[3:])]
    T = [list(c) for c in zip(*M)]
    P = [[sum(a * b for a, b in zip(r, c)) for c in zip(*T)] for r in M]
    return sum(P[i][i] for i in range(3)) * T[0][2]


@columns
def columns_of_a_matrix(x):
    A = np.outer(x, np.sin(x))
    total = 0.0
    for k, column in enumerate(zip(*A)):
        total += max(column) * k * sum(column)
    return total


@columns
def rows_of_several_lengths(x):
    rows = [[v * k for v in x[k:]] for k in range(4)]
    found = list(zip(*rows))
    return sum(p * q for c in found for p, q in zip(c, c[1:])) + len(found)


@columns
def nothing_in_it(x):
    rows = [[v, v * v] for v in x if v > 100]
    pairs = [(v, v * v) for v in x if v > 100]
    count = len(list(zip(*pairs)))
    return sum(a * b for a, b in zip(*rows)) + np.sum(x ** (2 + count))


@columns
def columns_of_tuples(x):
    pairs = [(v, v * v) for v in x]
    total = 0.0
    for k, c in enumerate(zip(*pairs)):
        total += sum(c) ** (k + 1)
    us, vs = zip(*pairs)
    return total + sum(us) * vs[1] + len(list(zip(*pairs)))


@columns
def changed_after_it_is_read(x):
    rows = [[v, v * v] for v in x]
    sums = [sum(c) for c in zip(*rows)]
    rows[0][1] = sums[0]
    return sums[1] * sum(sum(r) for r in rows)


@columns
def largest_and_smallest_of_some(x):
    p = min((v for v in x if v > 5), default=x[0])
    q = max([v for v in x if v < 1], default=0.0)
    return p * q**2


@columns
def running_extremes(x):
    total = 0.0
    for k in range(6):
        total += max((v * k for v in x[:k]), default=x[5]) * x[k]
        if max((v for v in x[k:] if v > 1), default=0.0) > 1.2:
            total *= x[0]
    return total + max(x[x > 5], default=x[1] * 2) + min(np.sin(x), default=0) * x[2]


def product(A, B):
    return [[sum(a * b for a, b in zip(row, column)) for column in zip(*B)] for row in A]


@columns
def rows_written_down(x):
    A, B = [[x[0], 1.0], [2, x[1]]], [[x[2], x[0]], [x[3], 3.0]]
    C, T = product(A, B), list(map(list, zip(*A)))
    return C[0][0] * C[1][1] - C[0][1] * C[1][0] * T[0][1] * T[1][0]


@columns
def points_written_down(x):
    us, vs, ks = zip(*[(x[0], x[1], 1), (x[1] * 2, x[2], 2), (x[3], 1.0, 3)])
    return sum(us) * sum(v * v * k for v, k in zip(vs, ks))


@columns
def arrays_written_down(x):
    rows = [x[:3], np.sin(x[3:]), np.cos(x[2:4])]
    total = 0.0
    for a, b, c in zip(*rows):
        total += a * b * c
    return total * len(list(zip(*rows)))


@columns
def one_row_is_shorter(x):
    rows = (x[0], x[1], x[2]), (x[3],), (x[4], x[5])
    return sum(a * b * c for a, b, c in zip(*rows)) * x[2]


def squares(x):
    return [(v, v * v) for v in x]


@columns
def of_what_has_no_name(x):
    a, b = zip(*squares(x))
    c, d = zip(*((v, v**3) for v in x))
    e, f = zip(*zip(x, x[1:]))
    g, h = zip((x[0], x[1]), (x[2], 2.0))
    i, _ = zip(*map(lambda v: (v, 2 * v), x))
    _, k = zip(*sorted(zip(np.sin(3 * x), x)))
    totals = [sum(p * q for p, q in zip(r, r[1:])) for r in (a, b, c, d, e, f, g, h, i, k)]
    return sum(totals) * k[0]


def parameters(x):
    return x[:2] * 2, np.outer(x, x)[:2], np.ones((2, 6, 6)) * x[2]


@columns
def arrays_that_a_helper_gives(x):
    total = 1.0
    for a, b, c in zip(*parameters(x)):
        total += a * np.sum(np.dot(b, np.dot(c.T, c)))
    pair = (x[:2], np.outer(x, x)[:3])
    listed = list(zip(*pair))
    return total * sum(a * np.sum(b) for a, b in zip(*pair)) + listed[1][0] * listed[0][1][2]


@refused
def changed_where_it_is_written_down(x):
    rows = [[x[0], x[1]], [x[2], x[3]]]
    total = 0.0
    for a, b in zip(*rows):
        total += a * b
        rows[1][1] = total
    return total


@refused
def changed_in_the_loop(x):
    M = [list(r) for r in np.outer(x[:3], x[3:])]
    total = 0.0
    for c in zip(*M):
        total += sum(c)
        M[0][2] = total
    return total


@refused
def changed_by_another_name(x):
    M = np.outer(x[:3], x[3:])
    total, first = 0.0, M[0]
    for k, c in enumerate(zip(*M)):
        total += sum(c) * k
        first[2] = total
    return total


@refused
def changed_by_a_function(x):
    M = [list(r) for r in np.outer(x[:3], x[3:])]
    total = 0.0

    def put(v):
        M[1][2] = v

    for c in zip(*M):
        total += sum(c)
        put(total)
    return total


X = np.array([0.91, 1.3, 0.7, 1.1, 0.6, 1.5])


test_columns_of_rows = each_right(FUNCTIONS, X, X[::-1].copy())


@pytest.mark.parametrize("function", REFUSED, ids=named)
def test_rows_that_change_meanwhile(function: Callable[..., Any]) -> None:
    check_refused(function, "the loop may change what this runs over", X)


def test_kept_columns() -> None:
    def kept(x):
        rows = [[v, v * v] for v in x]
        pairs = zip(*rows)
        rows[0][1] = x[2]
        return sum(sum(c) for c in pairs)

    check_refused(kept, "a generator that is kept is not followed", X)


def columns_of_some(x):
    pairs = []
    for v in x:
        if v > 1:
            pairs.append((v, v * v))
    us, vs = zip(*pairs)
    return sum(us) * sum(vs)


def test_no_rows_have_no_columns_to_unpack() -> None:
    check_along(columns_of_some, X, X[::-1].copy())
    low = X / 2
    for derivative in (
        columns_of_some,
        grad(columns_of_some),
        lambda x: jvp(columns_of_some, (x,), (x,)),
        lambda x: hvp(columns_of_some)(x, x),
    ):
        with pytest.raises(ValueError, match=r"not enough values to unpack \(expected 2, got 0\)"):
            derivative(low)
