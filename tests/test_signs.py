"""What is the negative of a place of a gradient is subtracted from others, also where that place changes meanwhile."""

from __future__ import annotations

import numpy as np
from every_mode import each_right, kept_in

from tangentish import grad

RIGHT = []
right = kept_in(RIGHT)
X, X_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([0.3, -0.7, 0.5, 0.2])


@right
def columns_made_orthogonal(x):
    a = np.outer(x, np.arange(1.0, 4.0)) + np.eye(4, 3)
    q, r = np.zeros((4, 3)), np.zeros((3, 3))
    for k in range(3):
        q[:, k] = a[:, k] / 2.0
        for j in range(k + 1, 3):
            r[k, j] = q[:, k] @ a[:, j]
            a[:, j] -= q[:, k] * r[k, j]
    return np.sum(a**2) + np.sum(r)


@right
def columns_of_one_array(x):
    a = np.outer(x, np.arange(1.0, 4.0)) + np.eye(4, 3)
    for k in range(3):
        for j in range(k + 1, 3):
            a[:, j] -= a[:, k] * (a[:, k] @ a[:, j])
    return np.sum(a**2)


@right
def subtracted_from_what_overlaps(x):
    y = np.sin(x)
    y[1:] -= y[:-1] * x[1:]
    y[:-1] -= x[:-1] * y[1:]
    y[1:] -= x[1:] * x[:-1] * y[:-1]
    return np.sum(y**3)


@right
def turned_round_and_subtracted(x):
    y = x * 1.0
    for _ in range(2):
        y[:2] -= x[2:] * y[2:][::-1]
        y[1:] -= y[1:][::-1] * x[:-1]
    return y @ y


@right
def elements_that_are_swept(x):
    b, d = np.cos(x), 3.0 + x * x
    for i in range(1, 4):
        w = x[i - 1] / d[i - 1]
        d[i] -= w * x[i]
        b[i] -= w * b[i - 1]
    return np.sum(b / d)


def taken_off(y, z):
    y[1:] -= z[1:] * y[0]
    return y


@right
def subtracted_by_a_helper(x):
    y = taken_off(x * 1.0, np.exp(x))
    y[1:] -= taken_off(y * 2.0, x)[:-1]
    return np.sum(y * y * x)


test_right = each_right(RIGHT, X, X_DOT)


def in_rows(x):
    y = np.sin(x)
    p = x * 2
    v = p[0] * p[1]
    q = p[0] ** 2
    w = y[1]
    c = w**2
    t = y + np.stack([-q, -v])
    return np.sum(t**2) + np.sum(c)


@right
def places_of_what_has_another_name(x):
    return in_rows(np.reshape(x, (2, 2)))


def test_nothing_is_negated_first():
    text = grad(columns_made_orthogonal).source(X)
    assert "= -da[:, j]" not in text
    assert "dr[k, j] -= " in text
