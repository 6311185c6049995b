"""Names that stand for one of several arrays, which is known only when it runs, and are written through."""

import numpy as np

from . import program, values


@program(
    args=lambda: (values(1, 5), values(2, 5), 0),
    wrt=(0, 1),
    variants=[
        lambda: (values(1, 5), values(2, 5), 1),
        lambda: (values(1, 5), values(2, 5), 2),
        lambda: (values(1, 5)[::-1], values(2, 10)[::2], 1),
        lambda: (values(1, 5, dtype=np.float32), values(2, 5, dtype=np.float32), 0),
    ],
)
def one_of_three(a, b, k):
    a, b = 2 * a, 3 * b
    if k == 0:
        v = a
    elif k == 1:
        v = b[1:]
    else:
        v = a * b
    v[0] = a[1] * b[1]
    b[2] *= v[1]
    return np.sum(a**2) + np.sum(b**3) + np.sum(v)


@program(
    args=lambda: (values(3, 5), values(4, 5), 3),
    wrt=(0, 1),
    variants=[lambda: (values(3, 5), values(4, 5), 0), lambda: (values(3, 5), values(4, 5), 4)],
)
def alternates_in_a_loop(a, b, n):
    v = a
    for i in range(n):
        v *= b[i]
        v = b if i % 2 else a
        v[i] = a[0]
    return np.sum(a**2) + np.sum(b**3) + np.sum(v)


@program(
    args=lambda: (values(5, 4), 3),
    variants=[
        lambda: (values(5, 4), 0),
        lambda: (values(5, 8)[::-2], 2),
        lambda: (values(5, 4, dtype=np.float32), 1),
    ],
)
def double_buffer(a, n):
    b = np.empty_like(a)
    for _ in range(n):
        for j in range(len(b)):
            b[j] = a[j] * a[(j + 1) % len(a)]
        a, b = b, a
    return a


@program(args=lambda: (values(6, 5), 4), variants=[lambda: (values(6, 5), 0)])
def three_time_levels(u, n):
    """Leapfrog."""
    old, now, new = u.copy(), u.copy(), np.zeros_like(u)
    for _ in range(n):
        new[1:-1] = (
            2 * now[1:-1] - old[1:-1] + 0.1 * (now[:-2] - 2 * now[1:-1] + now[2:]) * now[1:-1]
        )
        old, now, new = now, new, old
    return now


@program(args=lambda: (values(7, 5), 3), variants=[lambda: (values(7, 5), 2)])
def swapped_by_a_third_name(x, n):
    a = 1.5 * x
    b = 2 * a
    for _ in range(n):
        b[1:] += a[:-1] * b[:-1]
        keep = a
        a = b
        b = keep
        a[0] = b[1]
    return np.sum(a**2) + np.sum(b)


@program(args=lambda: (values(8, 5), 3), variants=[lambda: (values(8, 5), 0)])
def best_so_far(x, n):
    best = x.copy()
    for i in range(n):
        candidate = 0.5 * best + i * x
        candidate[0] = best[1]
        if np.sum(candidate) > np.sum(best):
            best = candidate
        best[2] += 0.1 * x[i]
    return np.sum(best**2)


def _halved(v, k):
    w = v
    if k:
        w = 2 * v
    w[0] = w[1] ** 2
    return w


@program(args=lambda: (values(9, 5), 0), variants=[lambda: (values(9, 5), 1)])
def callee_changes_either(x, k):
    y = 1.5 * x
    w = _halved(y, k)
    return np.sum(y**2) + np.sum(w**3)


@program(args=lambda: (values(10, 5), values(11, 5), True), wrt=(0, 1))
def views_of_either(a, b, flag):
    v = a if flag else b
    tail = v[1:]
    tail *= v[0]
    again = v
    again[2] = tail[0]
    return np.sum(a**2) + np.sum(b**3) + np.sum(v)


@program(args=lambda: (values(12, 5), 2), variants=[lambda: (values(12, 5), 1)])
def no_array_on_one_path(x, k):
    a = 1.5 * x
    if k == 1:
        v = a
    elif k == 2:
        v = a * 2
    v[0] = 3 * a[1]
    return np.sum(a**2) + np.sum(v)


@program(
    args=lambda: (values(13, 3, 4), values(14, 5), 0),
    variants=[lambda: (values(13, 3, 4), values(14, 5), 1)],
    wrt=(0, 1),
)
def of_different_shapes(a, b, k):
    v = a if k else b
    v[0] = b[1]
    v *= v
    return np.sum(a**2) + np.sum(b**3)
