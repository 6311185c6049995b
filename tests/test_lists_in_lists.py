"""Lists that hold lists which other names hold, too: what is stored through one of them is right, or refused; never lost.

Rows that have names are followed as long as the list around them stays as it is.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tangentish import NotDifferentiable, grad, hvp, jvp, vjp
from tests.numeric import assert_close, numeric_gradient

X = np.array([0.7, 1.3, 0.4, 1.9, 1.1, 0.6])
D = np.array([0.3, -1.1, 0.8, 0.5, -0.2, 0.4])


def put_second(Z, v):
    Z[0][1] = v


class Holder:
    def __init__(self, l):
        self.l = l

    def put_first(self, v):
        self.l[0] = v

    def put2(self, v):
        self.l[0][1] = v


def put_first(r, v):
    r[0] = v


def append_to_first(Z, v):
    Z[0].append(v)


def extend_first(Z, v):
    Z[0].extend([v, v])


def replace_first(Z, v):
    Z[0] = [v, v]


def put_deeper(Z, v):
    Z[0][0][1] = v


def put_under_u(d, v):
    d["u"][1] = v


def put_in_row(Z, k, v):
    Z[k][1] = v


def fill_first(Z, v):
    Z[0][:] = [v, v]


def add_to_first(Z, v):
    Z[0][1] += v


def put_at(r, j, v):
    r[j] = v


def exchange(rows, i, k):
    rows[i], rows[k] = rows[k], rows[i]


def parts_of_a_list(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    C = [B[0], B[1]]
    put_second(C, x[0] ** 2)
    return B[0][1] * B[1][0]


def parts_with_a_name(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    C = [B[0], B[1]]
    put_second(C, x[0] ** 2)
    r = C[1]
    return B[0][1] * B[1][0] + C[0][1]


def a_part_and_another_list(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    C = [B[0], [7.0, 8.0]]
    put_second(C, x[0] ** 2)
    return B[0][1] * B[1][0] + C[0][1]


def stored_here(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    C = [B[0], [7.0, 8.0]]
    C[0][1] = x[0] ** 2
    return B[0][1] * B[1][0] + C[0][1]


def stored_by_a_name(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    C = [B[0], [7.0, 8.0]]
    r = C[0]
    r[1] = x[0] ** 2
    return B[0][1] * B[1][0] + C[0][1]


def a_row_made_in_a_comprehension(x):
    B = [[0.0] * 2 for _ in range(2)]
    C = [B[1], [7.0, 8.0]]
    put_second(C, x[3])
    return B[1][1] * 3 + C[0][1]


def a_row_read_by_its_list_alone(x):
    B = [[0.0] * 2 for _ in range(2)]
    C = [B[1], [7.0, 8.0]]
    put_second(C, x[3])
    return B[1][1] * 3


def in_a_tuple(x):
    B = [[0.0] * 2 for _ in range(2)]
    C = (B[1], [7.0, 8.0])
    put_second(C, x[3])
    return B[1][1] * 3 + B[0][1]


def in_a_dict(x):
    B = [[0.0] * 2 for _ in range(2)]
    C = {"u": B[1], "v": 2.0}
    C["u"][1] = x[3]
    return B[1][1] * 3 + B[0][1]


def rows_that_are_arrays(x):
    B = [np.zeros(2) for _ in range(2)]
    C = [B[1], np.ones(2)]
    put_second(C, x[3])
    return B[1][1] * 3 + B[0][1] + C[0][1]


def a_row_by_its_name(x):
    B = [[0.0] * 2 for _ in range(2)]
    r = B[1]
    C = [r, [7.0, 8.0]]
    put_second(C, x[3])
    return B[1][1] * 3 + B[0][1] + C[0][1]


def in_a_loop(x):
    B = [[0.0] * 2 for _ in range(2)]
    r = B[1]
    C = [r, [7.0, 8.0]]
    for k in range(2):
        C[k][1] = x[3]
    return B[1][1] * 3 + B[0][1] + C[0][1]


def of_parts_app(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    C = [B[0], B[1]]
    append_to_first(C, x[0])
    return B[0][-1] * 3


def of_parts_ext(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    C = [B[0], B[1]]
    extend_first(C, x[0])
    return B[0][-1] * 3 + sum(B[0])


def of_parts_rep(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    C = B
    replace_first(C, x[0])
    return B[0][-1] * 3 + sum(B[0])


def of_parts_rep2(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    C = [B, B]
    replace_first(C[0], x[0])
    return B[0][-1] * 3 + sum(B[0])


def of_parts_deep(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    C = [B, [[5.0, 6.0]]]
    put_deeper(C, x[0])
    return B[0][-1] * 3 + sum(B[0])


def of_parts_dict(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    d = {"u": B[0], "v": B[1]}
    put_under_u(d, x[0])
    return B[0][-1] * 3 + sum(B[0])


def of_parts_obj(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    p = Holder(B[0])
    p.put_first(x[0])
    return B[0][0] * 3 + sum(B[1])


def of_parts_obj2(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    p = Holder(B)
    p.put2(x[0])
    return B[0][1] * 3 + sum(B[1])


def of_parts_obj3(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    p = Holder([B[1], B[0]])
    p.put2(x[0])
    return B[1][1] * 3 + sum(B[0])


def of_parts_key(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    C = [B[1], B[0]]
    for k in range(2):
        put_in_row(C, k, x[k])
    return B[1][1] * 3 + sum(B[0])


def of_parts_slice(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    C = [B[1], B[0]]
    fill_first(C, x[0])
    return B[1][1] * 3 + sum(B[0])


def of_parts_aug(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    C = [B[1], B[0]]
    add_to_first(C, x[0])
    return B[1][1] * 3 + sum(B[0])


def of_parts_clos(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    C = [B[1], B[0]]

    def go(v):
        C[0][1] = v

    go(x[0])
    return B[1][1] * 3 + sum(B[0])


def of_parts_iter(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    C = [B[1], B[0]]
    for r in C:
        put_first(r, x[0])
    return B[1][0] * 3 + sum(B[0])


def of_parts_zip(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    C = [B[1], B[0]]
    for r, v in zip(C, x):
        put_first(r, v)
    return B[1][0] * 3 + sum(B[0])


def of_parts_rev(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    for r in reversed(B):
        put_first(r, x[0])
    return B[1][0] * 3 + sum(B[0])


def of_parts_sorted(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    for r in sorted(B):
        put_first(r, x[0])
    return B[1][0] * 3 + sum(B[0])


def of_parts_comp(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    C = [r for r in B]
    put_in_row(C, 0, x[0])
    return B[0][1] * 3 + sum(B[1])


def of_parts_copy(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    C = B[:]
    put_in_row(C, 0, x[0])
    return B[0][1] * 3 + sum(B[1])


def of_parts_list(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    C = list(B)
    put_in_row(C, 0, x[0])
    return B[0][1] * 3 + sum(B[1])


def of_parts_plus(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    C = B + [[1.0, 1.0]]
    put_in_row(C, 0, x[0])
    return B[0][1] * 3 + sum(B[1])


def of_parts_appended(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    C = []
    for r in B:
        C.append(r)
    put_in_row(C, 0, x[0])
    return B[0][1] * 3 + sum(B[1])


def of_parts_args(x):
    B = [[1.0, 2.0], [3.0, 4.0]]

    def f(*Z):
        Z[0][1] = x[0]

    f(B[1], B[0])
    return B[1][1] * 3 + sum(B[0])


def of_parts_ret(x):
    B = [[1.0, 2.0], [3.0, 4.0]]

    def pick(Z):
        return [Z[1], Z[0]]

    C = pick(B)
    put_in_row(C, 0, x[0])
    return B[1][1] * 3 + sum(B[0])


def of_parts_tup(x):
    B = ([1.0, 2.0], [3.0, 4.0])
    C = (B[1], B[0])
    put_in_row(C, 0, x[0])
    return B[1][1] * 3 + sum(B[0])


def of_parts_arr(x):
    B = [np.array([1.0, 2.0]), np.array([3.0, 4.0])]
    C = [B[1], B[0]]
    put_in_row(C, 0, x[0])
    return B[1][1] * 3 + sum(B[0])


def of_parts_gl(x):
    B = [[1.0, 2.0], [3.0, 4.0]]
    r = B[1]
    C = [r]
    D = [C, C]
    put_deeper([C], x[0])
    return B[1][1] * 3 + sum(B[0])


def rows_swap(x):
    rows = [[x[0], 1.0, 2.0], [x[1], x[2], 3.0], [0.0] * 3]
    for i in range(2):
        r = rows[i]
        for j in range(3):
            r[j] = r[j] * x[j]
            if j == 1:
                rows[i], rows[2] = rows[2], rows[i]
    return sum(sum(q) for q in rows) + rows[0][0] * rows[2][1]


def rows_append(x):
    rows = [[x[0], 1.0], [x[1], x[2]]]
    for i in range(2):
        r = rows[i]
        rows.insert(0, [x[3], x[4]])
        r[0] = r[1] * x[5]
        for j in range(2):
            r[j] = r[j] * x[j + 1]
    return rows[0][0] * rows[1][1] + rows[2][0] * rows[3][1]


def rows_other(x):
    rows = [[x[0], 1.0], [x[1], x[2]]]
    other = [rows[1], rows[0]]
    for i in range(2):
        r = other[i]
        for j in range(2):
            r[j] = r[j] * x[3] + rows[0][j]
    return rows[0][0] * rows[1][1] ** 2 + rows[0][1]


def rows_rebind(x):
    rows = [[x[0], 1.0], [x[1], x[2]]]
    for i in range(2):
        r = rows[i]
        for j in range(2):
            r[j] = r[j] * x[3]
            rows[i] = [x[4], x[5]]
    return rows[0][0] * rows[1][1] ** 2 + rows[0][1]


def rows_helper(x):
    rows = [[x[0], 1.0], [x[1], x[2]]]
    for i in range(2):
        r = rows[i]
        for j in range(2):
            put_at(r, j, r[j] * x[3] + rows[1 - i][j])
    return rows[0][0] * rows[1][1] ** 2 + rows[0][1]


def rows_helperswap(x):
    rows = [[x[0], 1.0], [x[1], x[2]]]
    for i in range(2):
        r = rows[i]
        for j in range(2):
            exchange(rows, 0, 1)
            r[j] = r[j] * x[3] + rows[0][j]
    return rows[0][0] * rows[1][1] ** 2 + rows[0][1]


def rows_index_change(x):
    rows = [[x[0], 1.0], [x[1], x[2]]]
    k = 0
    r = rows[k]
    for j in range(2):
        k = 1
        r[j] = r[j] * x[3] + rows[k][j]
    return rows[0][0] * rows[1][1] ** 2 + rows[0][1]


def rows_three(x):
    cube = [[[x[0], 1.0], [2.0, x[1]]], [[x[2], 3.0], [x[3], x[4]]]]
    for i in range(2):
        m = cube[i]
        for j in range(2):
            r = m[j]
            for k in range(2):
                r[k] = r[k] * x[5] + m[0][k]
        m[0], m[1] = m[1], m[0]
    return cube[0][0][1] * cube[1][1][0] + cube[1][0][1] * cube[0][1][1]


def rows_symm(x):
    n = 3
    rows = [[0.0] * n for _ in range(n)]
    for i in range(n):
        r = rows[i]
        for j in range(i):
            r[j] = rows[j][i] = x[i] * x[j] ** 2
        r[i] = x[i]
    return sum(rows[i][j] * (i + 2 * j) for i in range(n) for j in range(n))


def rows_dictrows(x):
    d = {"a": [x[0], 1.0], "b": [x[1], x[2]]}
    for key in ("a", "b"):
        r = d[key]
        for j in range(2):
            r[j] = r[j] * x[3] + d["a"][j]
    return d["a"][0] * d["b"][1] ** 2


def rows_pop(x):
    rows = [[x[0], 1.0], [x[1], x[2]], [x[3], x[4]]]
    s = 0.0
    while len(rows) > 1:
        r = rows[-1]
        for j in range(2):
            r[j] = r[j] * x[5]
        rows.pop()
        s = s + r[0] * r[1] + rows[-1][0]
    return s


def rows_same(x):
    row = [x[0], x[1]]
    rows = [row, row]
    for i in range(2):
        r = rows[i]
        for j in range(2):
            r[j] = r[j] * x[2]
    return row[0] * row[1] + rows[1][0]


def rows_cond(x):
    rows = [[x[0], 1.0], [x[1], x[2]]]
    for i in range(2):
        r = rows[i]
        if x[i] > 1.0:
            r = rows[0]
        for j in range(2):
            r[j] = r[j] * x[3]
    return rows[0][0] * rows[1][1] ** 2 + rows[0][1]


def rows_param(x):
    def fill(rows, v):
        for i in range(len(rows)):
            r = rows[i]
            for j in range(len(r)):
                r[j] = r[j] + v * x[i]
        return rows

    rows = fill([[x[0], 1.0], [x[1], x[2]]], x[3])
    return rows[0][0] * rows[1][1] ** 2 + rows[0][1]


def rows_arrs(x):
    rows = [x[:2].copy(), x[2:4].copy()]
    for i in range(2):
        r = rows[i]
        for j in range(2):
            r[j] = r[j] * x[5] + rows[0][j]
        rows[0], rows[1] = rows[1], rows[0]
    return rows[0][0] * rows[1][1]


def rows_lower(x):
    L = [[0.0] * 3 for _ in range(3)]
    A = [[2 + x[0] ** 2, x[1], 0.3], [x[1], 3 + x[2], 0.1], [0.3, 0.1, 2.0 + x[3]]]
    for i in range(3):
        Li = L[i]
        for j in range(i + 1):
            Lj = L[j]
            s = A[i][j]
            for k in range(j):
                s -= Li[k] * Lj[k]
            if i == j:
                Li[j] = s**0.5
            else:
                Li[j] = s / Lj[j]
    return L[0][0] * L[1][1] * L[2][2] + L[2][1]


def doubles_and_counts(A, Z):
    A[0] *= 2
    Z[1][0] += 1.0


def given_back(A, Z):
    A[1] = A[0] * 3
    return Z


def counted_then_by_name(x):
    A = [x[0], x[1], x[2]]
    B = [[1.0] * 2 for _ in range(2)]
    doubles_and_counts(A, B)
    r = B[0]
    r[0] *= A[1] * x[4]
    return A[0] * B[0][0]


def given_back_counted_then_by_name(x):
    A = [x[0], x[1], x[2]]
    B = [[0.0] * 2 for _ in range(2)]
    D = given_back(A, B)
    D[0][0] = 2.5
    doubles_and_counts(A, B)
    r = B[0]
    r[0] *= A[1] * x[4]
    return A[0] * B[0][0] + A[1] * B[1][1] ** 2 + B[0][1] * B[1][0]


def put_into(r, v):
    r[0] = v


def a_tuple_of_lists_that_is_stored_to(x):
    A = [x[0], x[1]]
    B = ([1.0, 2.0], [3.0, 4.0])
    doubles_and_counts(A, B)
    for _ in range(2):
        put_into(B[0], x[0] ** 2)
    return A[0] * B[0][0] * B[1][1] + B[1][0]


def grown(A, Z):
    A[0] *= 2
    Z[1].append(1.5)


def a_tuple_of_lists_that_grow(x):
    A = [x[0], x[1]]
    B = ([1.0, 2.0], [3.0])
    grown(A, B)
    put_into(B[1], x[0] ** 2)
    return A[0] * B[0][0] * B[1][1] + B[1][0] * x[1]


RIGHT: tuple[Callable[[Any], Any], ...] = (
    stored_here,
    stored_by_a_name,
    in_a_dict,
    of_parts_rep,
    of_parts_rep2,
    of_parts_dict,
    of_parts_obj,
    of_parts_obj2,
    of_parts_rev,
    rows_helper,
    rows_index_change,
    rows_three,
    rows_symm,
    rows_dictrows,
    rows_cond,
    rows_arrs,
    rows_lower,
    counted_then_by_name,
    given_back_counted_then_by_name,
)
RIGHT_OR_REFUSED: tuple[Callable[[Any], Any], ...] = (
    parts_of_a_list,
    parts_with_a_name,
    a_part_and_another_list,
    a_row_made_in_a_comprehension,
    a_row_read_by_its_list_alone,
    in_a_tuple,
    rows_that_are_arrays,
    a_row_by_its_name,
    in_a_loop,
    of_parts_app,
    of_parts_ext,
    of_parts_deep,
    of_parts_obj3,
    of_parts_key,
    of_parts_slice,
    of_parts_aug,
    of_parts_clos,
    of_parts_iter,
    of_parts_zip,
    of_parts_sorted,
    of_parts_comp,
    of_parts_copy,
    of_parts_list,
    of_parts_plus,
    of_parts_appended,
    of_parts_args,
    of_parts_ret,
    of_parts_tup,
    of_parts_arr,
    of_parts_gl,
    rows_swap,
    rows_append,
    rows_other,
    rows_rebind,
    rows_helperswap,
    rows_pop,
    rows_same,
    rows_param,
    a_tuple_of_lists_that_grow,
)


def check(f: Any) -> None:
    expected = numeric_gradient(f, [X], 0, 1.0)
    assert_close(grad(f)(X), expected, "gradient")
    np.testing.assert_allclose(jvp(f, (X,), (D,))[1], expected @ D, 1e-6, 1e-9)


@pytest.mark.parametrize("f", RIGHT)
def test_right(f: Any) -> None:
    check(f)
    ahead, behind = (numeric_gradient(f, [X + h * D], 0, 1.0) for h in (1e-4, -1e-4))
    np.testing.assert_allclose(hvp(f)(X, D), (ahead - behind) / 2e-4, 1e-3, 1e-4)


@pytest.mark.parametrize("f", RIGHT_OR_REFUSED)
def test_right_or_refused(f: Any) -> None:
    try:
        check(f)
    except NotDifferentiable:
        return


def test_a_tuple_of_lists_that_a_call_changes() -> None:
    check(a_tuple_of_lists_that_is_stored_to)


def rows_exchanged(rows, x):
    rows[0], rows[1] = rows[1], rows[0]
    return rows[0][0] * rows[1][1] * x


def row_made_longer(rows, x):
    rows[0].append(rows[1][0] * x)
    return sum(sum(row) for row in rows)


def pairs_exchanged_and_one_more(pairs, x):
    pairs[0], pairs[1] = pairs[1], pairs[0]
    pairs.append((pairs[0][0] * x, x))
    return sum(a * b for a, b in pairs)


@pytest.mark.parametrize(
    ("f", "given", "wanted"),
    [
        (rows_exchanged, [[1.0, 2.0, 5.0], [3.0, 4.0]], [[0.0, 9.0, 0.0], [6.0, 0.0]]),
        (row_made_longer, [[1.0, 2.0], [4.0]], [[1.0, 1.0], [4.0]]),
        (pairs_exchanged_and_one_more, [(1.0, 2.0), (4.0, 5.0)], [(2.0, 1.0), (14.0, 4.0)]),
    ],
)
def test_gradients_of_lists_have_the_structure_that_was_given(
    f: Any, given: Any, wanted: Any
) -> None:
    before = copy.deepcopy(given)
    assert grad(f)(given, 3.0) == wanted
    assert vjp(f, given, 3.0)[1](1.0)[0] == wanted
    assert given == before
