"""Views stored to the array that they show: as if they were copied first, or refused where NumPy's order of writing counts."""

from __future__ import annotations

import numpy as np
from every_mode import Function, each_refused, each_right, kept_in, refused_in

from tangentish import grad

RIGHT: list[Function] = []
REFUSED: list[tuple[Function, str]] = []
refused = refused_in(REFUSED)
EARLY = "NumPy may write over it before it reads it"
ONE_BY_ONE = "NumPy reads each element after it has written those before"
X = np.linspace(-0.9, 1.1, 16)
X_DOT = np.cos(np.arange(16.0))


def weighed(a):
    return np.sum(a * a[::-1] * np.arange(1.0, a.size + 1).reshape(a.shape))


@kept_in(RIGHT)
def columns_and_rows_alike(x):
    a = x.reshape(4, 4) * 1.0
    a[:, 1] = a[:, 2]
    a[0] = a[2]
    a[1, 1:] = a[1, :-1]
    a[..., 3] = a[..., 0]
    return weighed(a)


@kept_in(RIGHT)
def mirrored(x):
    a = x.reshape(4, 4) * 1.0
    for k in range(4):
        a[k, k + 1 :] = a[k + 1 :, k]
    a[2] = a[:, 2]
    return weighed(a)


@kept_in(RIGHT)
def moved_and_turned(x):
    y = x * x
    y[1:] = y[:-1]
    y[::2] = y[1::2]
    y[:] = y[::-1]
    return weighed(y)


@kept_in(RIGHT)
def of_two_axes(x):
    a = x.reshape(4, 4) * 1.0
    a[:] = a.T
    a[1:] = a[:-1]
    return weighed(a)


@kept_in(RIGHT)
def a_row_by_name(x):
    a = x.reshape(4, 4) * 1.0
    row = a[1]
    row[1:] = row[:-1]
    a[2] = row
    return weighed(a)


@kept_in(RIGHT)
def parts_of_a_split(x):
    a = x.reshape(4, 4) * 1.0
    top, bottom = np.split(a, 2)
    bottom[0] = top[1]
    top[:, 1] = bottom[:, 2]
    return weighed(a)


@kept_in(RIGHT)
def copied_first(x):
    a = x.reshape(4, 4) * 1.0
    a[:, 3] = a[2].copy()
    a[:, 0] = 2 * a[1]
    return weighed(a)


@kept_in(RIGHT)
def other_arrays_and_lists(x):
    a, b = x.reshape(4, 4) * 1.0, x[:4] * 2.0
    rows = [b, a[0] * 1.0]
    rows[0][:] = rows[1]
    a[:, 3] = rows[0]
    a[[0, 1], 2] = a[2, :2]
    return weighed(a)


def squared(u):
    u *= u
    return u


@kept_in(RIGHT)
def put_back_from_a_helper(x):
    y = x * 1.5
    y[::2] = squared(y[::2])
    return weighed(y)


@kept_in(RIGHT)
def taken_from_a_tuple_in_a_tuple(x):
    def together(u, v):
        return (u, v), u[::2]

    y, z = x * x, x * 2
    pair, some = together(y[1:], z)
    u, v = pair
    y[1:] = u
    u[:-1] = v[1:15]
    some[0] *= 3
    return weighed(y) + np.sum(v**3)


@refused(EARLY)
def a_column_of_a_row(x):
    a = x.reshape(4, 4) * 1.0
    a[:, 3] = a[2]
    return weighed(a)


@refused(EARLY)
def a_row_under_a_name(x):
    a = x.reshape(4, 4) * 1.0
    row = a[2]
    a[:, 3] = row
    return weighed(a)


@refused(EARLY)
def a_row_of_a_part(x):
    a = x.reshape(4, 4) * 1.0
    _, bottom = np.split(a, 2)
    a[:, 3] = bottom[0]
    return weighed(a)


@refused(EARLY)
def in_other_steps(x):
    y = x * 1.0
    y[::2] = y[:8]
    return weighed(y)


@refused(EARLY)
def where_a_mask_says(x):
    y = x * 1.0
    y[x > 0] = y[: np.sum(x > 0)]
    return weighed(y)


@refused(EARLY)
def through_a_transpose(x):
    a = x.reshape(4, 4) * 1.0
    turned = a.T
    turned[3] = a[2]
    return weighed(a)


@refused(EARLY)
def by_copyto(x):
    a = x.reshape(4, 4) * 1.0
    np.copyto(a[:, 3], a[2])
    return weighed(a)


@refused(EARLY)
def by_copyto_where_a_mask_says(x):
    a = x.reshape(4, 4) * 1.0
    np.copyto(a[:, 3], a[2], where=a[0] > 0)
    return weighed(a)


@refused(EARLY)
def through_another_shape(x):
    a = x.reshape(4, 4) * 1.0
    a.reshape(-1)[1:5] = a[:, 1]
    return weighed(a)


@refused(ONE_BY_ONE)
def along_flat(x):
    y = np.sin(x)
    y.flat[1:] = y
    return weighed(y)


@refused(ONE_BY_ONE)
def along_all_of_flat(x):
    a = x.reshape(4, 4) * 1.0
    row = a[1:3]
    a.T.flat = row
    return weighed(a)


@refused(ONE_BY_ONE)
def by_place(x):
    y = np.sin(x)
    np.place(y, y > 0.1, y[1:])
    return weighed(y)


@refused(ONE_BY_ONE)
def to_a_diagonal(x):
    a = np.sin(x).reshape(4, 4)
    np.fill_diagonal(a, np.diagonal(a)[::-1])
    return weighed(a)


@kept_in(RIGHT)
def copies_one_by_one(x):
    y = np.sin(x)
    y.flat[1:] = y[:-1] * 1.0
    np.place(y, y > 0.1, y[1:].copy())
    a = y.reshape(4, 4) * x[0]
    np.fill_diagonal(a, a[0] * a[1])
    a.flat[3] = a[0, 1]
    a.T.flat[4:8] = a[2].copy()
    return weighed(a)


class Grid:
    def __init__(self, n):
        self.T = np.zeros((n, n))

    def set_borders(self, left):
        self.T[:, 0] = left
        self.T[0] = self.T[1]
        self.T[:, -1] = self.T[:, -2]

    def mirror(self):
        self.T[0] = self.T[:, 1]


@kept_in(RIGHT)
def an_attribute_by_the_name_of_the_transpose(x):
    grid = Grid(4)
    for k in range(3):
        grid.set_borders(x[k])
        grid.T[1, 1] += x[2] * x[k]
        grid.T = grid.T * x[3]
    grid.T[0] = grid.T[1]
    return weighed(grid.T)


@refused(EARLY)
def an_attribute_in_other_steps(x):
    grid = Grid(4)
    grid.T[:] = x.reshape(4, 4)
    grid.mirror()
    return weighed(grid.T)


def unit(v):
    v = np.asarray(v)
    norm = np.linalg.norm(v)
    if norm < 0.8:
        return v
    return np.asarray(v) / norm


def unit_by_another(v):
    return unit(v)


def unit_under_its_name(v):
    if v[0] > -0.5:
        v = v / np.linalg.norm(v)
    return v


def turned_or_new(v):
    return v[::-1] if v[0] > 0 else v * v


def sparse_or_new(v):
    if v[0] > 0:
        return v[::2]
    return v[:2] * v[1]


@kept_in(RIGHT)
def rows_given_back_or_new(x):
    a = x.reshape(4, 4) * 1.0
    for k in range(4):
        a[k] = unit(a[k])
    for k in range(3):
        a[k + 1] = unit_by_another(a[k])
        a[k] = unit_under_its_name(a[k])
        a[:, k] = turned_or_new(a[:, k])
    return weighed(a)


@refused(EARLY)
def every_other_given_back_or_new(x):
    a = x.reshape(4, 4) * 1.0
    for k in range(4):
        a[k, :2] = sparse_or_new(a[k])
    return weighed(a)


@refused(EARLY)
def a_column_given_back_or_new(x):
    a = x.reshape(4, 4) * 1.0
    a[1] = unit(a[:, 2])
    return weighed(a)


@kept_in(RIGHT)
def divided_by_an_element_under_another_name(x):
    a = x * x + 1.0
    b = a[:]
    a /= b[1]
    return weighed(a)


@kept_in(RIGHT)
def a_view_divided_by_an_element(x):
    a = x[:]
    a /= x[1] + 3.0
    return weighed(a)


test_right = each_right(RIGHT, X, X_DOT)


test_refused = each_refused(REFUSED, X)


def test_what_does_not_vary_is_stored_as_numpy_does() -> None:
    def f(x, a):
        a = a * 1.0
        a[:, 3] = a[2]
        return np.sum(a @ x)

    a = np.arange(16.0).reshape(4, 4)
    given = a.copy()
    given[:, 3] = given[2]
    np.testing.assert_array_equal(grad(f)(np.ones(4), a), given.sum(axis=0))
