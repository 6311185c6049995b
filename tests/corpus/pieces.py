"""NumPy's functions that call functions on pieces of an array, that count, order and fill, and views told by bytes."""

import numpy as np
from numpy.lib.stride_tricks import as_strided

from . import program, values


def _bent(t):
    return np.exp(-t) * t


@program(
    args=lambda: (values(1, 5),),
    variants=[lambda: (values(2, 3, dtype=np.float32),), lambda: (values(3, 2, 3),)],
)
def by_pieces(x):
    y = np.piecewise(x, [x < 0.2, x > 0.6], [lambda t: -(t**2), lambda t: t**3, 0.5])
    return np.sum(y * x)


@program(args=lambda: (values(4, 5), 0.3), wrt=(0, 1), variants=[lambda: (values(5, 5), 9.0)])
def by_pieces_of_functions(x, limit):
    """A piece without elements is not called; later pieces win."""
    y = np.piecewise(x * limit, [x > limit, x > 0.9], [np.sin, _bent, lambda t: t * limit])
    return y @ y


@program(args=lambda: (values(6, 4), 1.7), wrt=(0, 1))
def by_pieces_with_arguments(x, k):
    total = 0.0
    for n in range(3):
        z = x + 0.1 * n
        total += np.sum(
            np.piecewise(z, [z < 0.5], [lambda t, k, n: t * k, lambda t, k, n: k * t**n], k, n)
        )
    return total


@program(args=lambda: (values(7, 3), 4), variants=[lambda: (values(8, 3), 1)])
def on_a_grid(x, n):
    a = np.fromfunction(lambda i, j: x[0] * i + x[1] * j**2, (3, n))
    b = np.fromfunction(lambda i: np.sin(i * x[2]), (n,), dtype=int)
    return np.sum(a**2) + b @ b


@program(args=lambda: (values(9, 4),), variants=[lambda: (values(10, 2),)])
def from_what_comes_one_by_one(x):
    a = np.fromiter((v * v for v in x), dtype=float)
    b = np.fromiter([np.sin(v) for v in x], float)
    return a @ b + np.fromiter(map(np.exp, x), np.float64)[0]


@program(args=lambda: (values(31, 8),), variants=[lambda: (values(12, 2, 3),)])
def edges_of_a_histogram(x):
    counts, edges = np.histogram(x, bins=3)
    return np.sum(counts * edges[1:] ** 2) * np.sum(x)


@program(args=lambda: (values(13, 6), values(14, 6)), wrt=(0, 1))
def heights_of_a_histogram(w, x):
    counts, edges = np.histogram(x, 3, weights=w**2)
    heights, _ = np.histogram(x, bins=edges, weights=np.exp(w), density=True)
    share, _ = np.histogram(x, 2, (-2.0, 2.0), density=True)
    return counts @ heights + np.sum(edges**2) + share[0]


@program(args=lambda: (values(15, 6), 3), variants=[lambda: (values(16, 4), 2)])
def windows_by_strides(x, n):
    y = x**2
    step = y.strides[0]
    w = as_strided(y, shape=(len(x) - n + 1, n), strides=(step, step), writeable=False)
    return np.sum(np.max(w, axis=1) * w[:, 0])


@program(args=lambda: (values(17, 3, 4),), variants=[lambda: (values(18, 3, 4, dtype=np.float32),)])
def partitioned_in_place(x):
    a = x * 1.0
    a.partition(1, axis=0)
    b = x[0] * 2
    b.partition(2)
    return np.sum(a[1] ** 2) + b[2] ** 2


@program(
    args=lambda: (values(19, 3, 3), values(20, 2)),
    wrt=(0, 1),
    variants=[lambda: (-values(21, 3, 3), values(22, 4))],
)
def values_put_again_and_again(x, v):
    a = x * 1.0
    np.put(a, [0, 4, 8, 4], v * 2)
    np.place(a, x > 0.1, v**2)
    a[1].put([2, 0], v)
    np.put(a, 5, v)
    return np.sum(a * x)
