"""Functions and methods that write to their argument: out=, np.add.at, np.copyto, np.put and the like."""

import numpy as np

from . import positives, program, values


def repeated():
    return np.array([0, 1, 1, 3])


@program(
    args=lambda: (values(1, 4), repeated(), 0.7),
    wrt=(0, 2),
    variants=[
        lambda: (values(1, 4), np.array([3, 3, 3, 3]), 0.7),
        lambda: (values(1, 0), np.array([], dtype=int), 0.7),
        lambda: (values(1, 4, dtype=np.float32), repeated(), np.float32(0.7)),
    ],
)
def histogram_of_weights(w, bins, a):
    counts = np.zeros(4)
    np.add.at(counts, bins, w)
    np.subtract.at(counts, (bins,), a * 2)
    np.add.at(counts, 1, a)
    return counts**2


@program(
    args=lambda: (values(2, 3, 4), np.array([0, 2, 0])),
    variants=[lambda: (values(2, 3, 4).T, np.array([1, 1]))],
)
def scattered_into_columns(a, j):
    b = a.copy()
    np.add.at(b, (slice(None), j), a[:, j] ** 2)
    np.add.at(b, j, a[1])
    np.add.at(b[1:], 0, b[0])
    return b * a


@program(
    args=lambda: (values(3, 5),), variants=[lambda: (values(3, 2, 3),), lambda: (values(3, 0),)]
)
def results_into_out(x):
    y = np.empty_like(x)
    np.exp(x, out=y)
    np.multiply(y, x, y)
    z = np.add(y, 1.0, out=y)
    z *= 2
    return np.sum(np.sin(y, out=x)) * np.sum(y)


@program(
    args=lambda: (values(4, 6), values(5, 6)),
    wrt=(0, 1),
    variants=[lambda: (values(4, 2, 3), values(5, 2, 3)), lambda: (values(4, 6), -positives(5, 6))],
)
def divided_where_positive(a, b):
    return np.divide(a, b, out=np.zeros_like(a), where=b > 0)


@program(args=lambda: (values(4, 2, 3), values(5, 3)), wrt=(0, 1))
def divided_where_rows_are_large(a, w):
    sizes = np.sum(a**2, axis=1, keepdims=True)
    some = np.divide(a, sizes, out=np.zeros((2, 3)), where=sizes > 0.1)
    np.arctan2(w, some, out=some, where=[True, False, True])
    return np.hypot(some, w, out=np.ones((2, 3)), where=w > 0)


@program(args=lambda: (values(6, 6),))
def logarithm_where_defined(x):
    y = np.full_like(x, 0.5)
    np.log(x, out=y, where=x > 0)
    np.multiply(y, 2.0, out=y, where=True)
    return y * x


@program(args=lambda: (values(7, 3, 4), values(8, 4)), wrt=(0, 1))
def products_into_out(m, v):
    c = np.zeros(3)
    np.dot(m, v, out=c)
    d = np.empty(4)
    np.sum(m, axis=0, out=d)
    d *= v
    m.sum(0, out=v)
    np.matmul(c, m, out=d[...])
    return np.sum(c * c) + d.dot(v)


@program(
    args=lambda: (values(9, 4), values(10, 4), 3),
    wrt=(0, 1),
    variants=[lambda: (values(9, 4), values(10, 4), 0)],
)
def scratch_in_a_loop(x, scratch, n):
    for k in range(n):
        np.multiply(x, k + 1.0, out=scratch)
        np.sin(scratch, out=scratch)
        x = x + 0.1 * np.add(scratch, x, out=scratch)
    return np.sum(x) + np.sum(scratch)


@program(
    args=lambda: (values(11, 5), values(12, 5)),
    variants=[lambda: (values(11, 2, 2), values(12, 2, 2))],
)
def inactive_scratch(x, c):
    s = x * c
    np.multiply(c, 2, out=c)
    t = s * c
    np.copyto(c, 0.5)
    return np.sum(t * c)


@program(args=lambda: (values(13, 6), values(14, 6)), wrt=(0, 1))
def copied_and_put(x, v):
    np.copyto(x, v, where=x > 0)
    np.copyto(x[1:], 2.0 * v[:-1], where=v[1:] > 0)
    np.copyto(x, v[0], where=v > 1)
    np.put(x, [0, 2], 0.3 * v[1])
    x.put(4, 2 * v[0])
    np.putmask(x, x > 1, v)
    np.place(x, x < -1, v[3])
    return x * v


@program(args=lambda: (values(15, 3, 4),))
def put_in_order(a):
    np.put(a, [0, 5, -1], [1.0, 2.0, 3.0])
    a.put([1, 1], a[1, 1])
    np.copyto(a, a[0], where=a[:, :1] > 0)
    return a**2


@program(
    args=lambda: (values(16, 3, 4), 0.7), wrt=(0, 1), variants=[lambda: (values(16, 4, 4), 0.7)]
)
def diagonals_filled(a, s):
    np.fill_diagonal(a, s)
    np.fill_diagonal(a[:, 1:], a[0, :3] * s)
    return a * a[0]


@program(args=lambda: (values(17, 3, 4), 0.7), wrt=(0, 1))
def put_along_axes(a, s):
    order = np.argsort(a, axis=1)
    b = np.empty_like(a)
    np.put_along_axis(b, order, a**2, axis=1)
    np.put_along_axis(b, order[:1] % 3, 0.3 * s, axis=0)
    row = np.zeros(4)
    np.put_along_axis(row, order[0], a[0], 0)
    return b * row


@program(args=lambda: (values(18, 6),))
def clipped_into_itself(x):
    np.clip(x, -0.5, 0.9, out=x)
    x.clip(-0.4, 0.8, out=x)
    np.maximum(x, -0.1, out=x)
    return x**2


@program(args=lambda: (values(19, 4), values(20, 4)), wrt=(0, 1), written=(1,))
def procedure_with_out(x, out):
    np.tanh(x, out=out)
    np.add(out[:-1], out[1:], out=out[1:])


def _doubled_in_place(a):
    a *= 2.0
    return np.sum(a**2)


@program(args=lambda: (values(1, 4), 0.7), wrt=(0, 1), variants=[lambda: (values(2, 1), -0.4)])
def read_once_before_it_changes(x, s):
    """What one line of the adjoint reads is computed there only if nothing changes before."""
    w = x * s
    y = np.sum(x * np.cos(w)) * np.sum(w**2)
    w[0] = 3.0 * s
    z = np.exp(w) * np.tanh(s * w)
    for i in range(2):
        w *= 0.5 + i
        s = s * np.sin(s)
    u = np.sum(w) * np.cos(s)
    return y * np.sum(z) + u * _doubled_in_place(w)


@program(args=lambda: (values(1, 4), values(2, 4)), wrt=(0, 1))
def sums_read_between_their_parts(x, y):
    """Parts of a gradient are added at once only if nothing reads the sum, or changes its parts, in between."""
    a = x * y
    b = a * x
    a[1:] *= y[:-1]
    c = np.sin(a) + b * y
    d = a[0] * b
    b += d * c
    y = y * np.sum(a)
    for k in range(2):
        x = x * y + b[k]
        y = y + 0.5 * x * a[k]
        a = a - y * b
    return np.sum(a * c) + np.sum(x * d) * y[0]


def _spread_out(s, n):
    return np.broadcast_to(s, n).copy()


@program(args=lambda: (values(71, 3), 0.7), wrt=(0, 1))
def copies_of_what_is_only_to_be_read(x, s):
    a = np.broadcast_to(s, 3).copy()
    a[0] = x[1]
    b = np.broadcast_to(s, 3) + 1.0
    b[1:] *= a[1:] * s
    c = np.diagonal(np.outer(x, x)).copy()
    c += b
    d = _spread_out(s, 3)
    d[1] = x[0]
    e = np.broadcast_to(x[0], (1, 1)).reshape(-1).copy()
    e *= s
    return np.sum(a * b * c * d) * e[0]


@program(args=lambda: (positives(91, 5), 3), variants=[lambda: (positives(92, 4), 0)])
def levels_by_fluxes(h, n):
    level = h.copy()
    for _ in range(n):
        flux = 0.1 * level[1:] * np.diff(level)
        level[1:-1] = level[1:-1] + np.diff(flux) / 2.0
    return np.sum(level**2)
