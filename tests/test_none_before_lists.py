"""Variables that are None first and a list later: on the way back, the gradient of None is None."""

from __future__ import annotations

import numpy as np
from every_mode import Function, each_right, each_right_at_first, kept_in

from tangentish import grad

RIGHT: list[Function] = []
keep = kept_in(RIGHT)
AT_FIRST: list[Function] = []
keep_at_first = kept_in(AT_FIRST)
X, X_DOT = np.array([0.7, 1.3, 0.4]), np.array([0.3, -0.7, 1.1])


@keep
def the_largest(x):
    best = None
    for k in range(3):
        row = [v * 2 for v in x[k:]]
        if best is None or row[0] > best[0]:
            best = row
    return sum(best) * best[-1] ** 2


@keep
def grown(x):
    row = None
    for k in range(3):
        c = [v * 2 for v in x[k:]]
        if row is None:
            row = c
        else:
            row.append(c[0])
    return sum(row) * row[-1]


@keep_at_first
def the_one_before(x):
    before, s = None, 0.0
    for v in x:
        row = [w * v for w in x[:2]]
        if before is not None:
            s += before[0] * row[1]
        before = row
    return s


@keep_at_first
def arrays_before(x):
    before, s = None, 0.0
    for v in x:
        rows = [x * v for _ in x]
        if before is not None:
            s += np.sum(before[0] * rows[1])
        before = rows
    return s


test_right = each_right(RIGHT, X, X_DOT)
test_right_at_first = each_right_at_first(AT_FIRST, X, X_DOT)


def test_rows_of_an_argument() -> None:
    def largest(rows):
        best = None
        for row in rows:
            if best is None or row[0] > best[0]:
                best = row
        return sum(best) ** 2

    found = grad(largest)([[0.1, 0.4, 0.3], [0.35, 0.2]])
    assert found[0] == [0.0, 0.0, 0.0]
    np.testing.assert_allclose(found[1], [1.1, 1.1])
