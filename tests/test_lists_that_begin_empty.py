"""Lists that a loop begins empty, puts something into and reads the last of: what that is is known from later trips."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, check_along, kept_in, named

RIGHT: list[Function] = []
right = kept_in(RIGHT)
X, X_DOT = np.array([0.7, 1.3, 0.4]), np.array([0.3, -0.2, 0.5])
A = np.array([[1.0, 0.2, 0.3], [0.2, 2.0, 0.1], [0.3, 0.1, 3.0]])


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def mean(self):
        return self.a * 2.0 + self.b

    def copy(self):
        return Pair(self.a * 2.0, self.b)


@right
def lanczos(x):
    vs = [x / np.linalg.norm(x)]
    alphas, betas = [], []
    for _ in range(3):
        w = A @ vs[-1] - (betas[-1] * vs[-2] if betas else 0)
        a = w @ vs[-1]
        alphas.append(a)
        w = w - a * vs[-1]
        betas.append(np.sqrt(1.0 + w @ w))
        vs.append(w / betas[-1])
    t = np.diag(alphas) + np.diag(betas[:-1], 1) + np.diag(betas[:-1], -1)
    return np.sum(t @ t)


@right
def in_a_branch(x):
    vs, alphas = [x], []
    for j in range(3):
        w = A @ vs[-1]
        if j > 0:
            w = w - alphas[-1] * vs[-2]
        alphas.append(w @ vs[-1])
        vs.append(w)
    return np.diag(alphas)[2, 2]


@right
def orthogonal(x):
    vs = []
    for k in range(3):
        w = A @ x + A[k]
        for v in vs:
            w = w - (w @ v) * v
        vs.append(w / np.sqrt(w @ w))
    return np.diag(vs[-1])[0, 0] + np.diag(vs[0])[1, 1]


@right
def polynomials(x):
    ts = []
    for n in range(4):
        if n == 0:
            t = np.ones(3)
        elif n == 1:
            t = x.copy()
        else:
            t = 2.0 * x * ts[-1] - ts[-2]
        ts.append(t)
    return np.diag(ts[3])[1, 1]


@right
def functions_and_methods(x):
    rs = []
    for j in range(3):
        r = rs[-1].copy() * np.tanh(rs[-1].sum()) + np.dot(A, rs[-1]).T if rs else x
        r = r * 2.0
        r[j] = x[0]
        rs.append(r)
    return np.diag(rs[-1]).sum()


@right
def rows_of_rows(x):
    rows = []
    for j in range(3):
        rows.append(
            np.array([x[j], rows[j - 1][0] if j else 1.0]) * (rows[-1][1] if rows else x[1])
        )
    return np.diag(rows[-1])[0, 0]


@right
def pairs(x):
    found = []
    for _ in range(3):
        p, q = found[-1] if found else (x, 1.0)
        found.append((A @ p, q * p[0]))
    return np.sum(found[-1][0]) * found[-1][1]


@right
def copies_of_objects(x):
    xs = []
    for j in range(3):
        c = xs[-1].copy() if xs else Pair(x[0], x[1])
        c.a += x[j]
        xs.append(c)
    return xs[-1].a * xs[0].b


@right
def methods_of_objects(x):
    xs = []
    for j in range(3):
        m = xs[-1].mean() if xs else x[0]
        xs.append(Pair(x[j] * m, m))
    return xs[-1].a + xs[0].b


@right
def filled_by_the_loop_around(x):
    xs, total = [], 0.0
    for j in range(3):
        for k in range(2):
            total += xs[-1] * x[k] if xs else x[k]
        xs.append(total * x[j])
    return total + np.diag(xs)[2, 2]


@right
def whole_numbers(x):
    ks, total = [], 0.0
    for j in range(3):
        k = ks[-1] + 1 if ks else 0
        ks.append(k)
        total += x[k] * (j + 2.0)
    return total**2


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_every_mode_gives_the_derivative(function):
    check_along(function, X, X_DOT)
