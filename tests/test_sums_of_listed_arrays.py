"""The gradient of a sum of arrays is that of each of them: no list of copies is made where it is only read."""

from __future__ import annotations

import numpy as np
from every_mode import Function, each_right, kept_in

from tangentish import grad

FUNCTIONS: list[Function] = []
kept = kept_in(FUNCTIONS)
X, X_DOT = np.array([1.3, 0.7, 2.1, 0.4]), np.array([0.3, -0.7, 1.1, 0.2])


@kept
def laplacian(x):
    u = np.outer(x, x)
    v = sum(np.roll(u, s, axis) for s in (1, -1) for axis in (0, 1)) - 4 * u
    return (v * v).sum()


def test_text() -> None:
    text = grad(laplacian).source(X)
    assert "du += np.roll(dv, -s, axis)" in text
    assert "unbroadcast" not in text and "pop()" not in text


@kept
def written_to_after_it(x):
    ys = [x * k for k in range(3)]
    t = sum(ys)
    ys[0] += x**2
    return np.sum(t**2) + np.sum(ys[0] * ys[1])


@kept
def summed_twice(x):
    ys = [x * k for k in range(3)]
    return np.sum(sum(ys) ** 2) + np.sum(sum(ys) * x)


@kept
def on_each_trip(x):
    y = x
    for i in range(3):
        y = sum(np.sin(y * k) for k in range(i + 1)) * 0.3 + y
    return np.sum(y**2)


@kept
def of_none(x):
    s = 0.0
    for i in range(3):
        ys = []
        for k in range(i):
            ys.append(x * k)
        s = s + np.sum(sum(ys) * x)
    return s


@kept
def one_that_was_written_to(x):
    z, ys = x.copy(), []
    for _ in range(3):
        z = z * 1.1
        z[0] += 0.5
        ys.append(z)
    t = sum(ys)
    return t @ t


@kept
def the_same_one(x):
    z, ys = x * 2, []
    for _ in range(3):
        ys.append(z)
    t = sum(ys) + z
    z[1] = 0.0
    return t @ t + z @ x


@kept
def of_other_shapes(x):
    ys = [x[:2] * k for k in range(3)] + [x[2:]]
    zs = [x * k if k else x for k in range(3)]
    return np.sum(sum(ys) ** 2) + np.sum(sum(zs) ** 2)


@kept
def less_their_mean(x):
    ws = [np.roll(x, k) * x for k in range(4)]
    m = sum(ws) / len(ws)
    return sum((w - m) @ (w - m) for w in ws)


@kept
def of_rows_and_from_a_start(x):
    a = np.outer(x, x)
    t = sum(row for row in a) + sum((x * k for k in range(3)), x * 0)
    u = sum(a[i] * x for i in range(4)) + sum([x * k for k in range(3)], start=np.ones(4))
    return t @ u


@kept
def by_iterators(x):
    s, ws, each = x[0], [1.0, 2.0], iter([(1, 1.0), (2, 2.0), (0, 0.5)])
    for _ in range(3):
        k, w = next(each)
        s = s * w * x[k]
    for w in sorted(ws, reverse=True):
        ws.append(3.0)
        s = s * w + x[0]
    for name, w in sorted({"b": 1.5, "a": 2.0}.items()):
        s = s * w + x["ab".index(name)]
    ws.append(np.ones(4))
    last = iter(ws[-1:])
    return np.sum(s * next(last) * x)


@kept
def complex_ones_of_an_iterator(x):
    each = iter([1j, 2.0])
    return np.abs(x[2] + next(each)) * x[0] + np.abs(x[1] * next(each))


def test_text_of_iterators() -> None:
    def summed(x: np.ndarray) -> float:
        s, each = 0.0, iter([1.0, 2.0])
        for i in range(2):
            s += next(each) * x[i]
        for _, w in sorted({"b": 1.5, "a": 2.0}.items()):
            s = s * w + x[0]
        return s

    text = grad(summed).source(X)
    assert "plain(" not in text and "unbroadcast" not in text


test_every_mode = each_right(FUNCTIONS, X, X_DOT)
