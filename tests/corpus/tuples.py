"""Packing, unpacking, swaps."""

import numpy as np

from . import program, values


def polar(x, y):
    return np.sqrt(x**2 + y**2), np.arctan2(y, x)


def both_powers(x):
    return x * x, x**3


@program(args=lambda: (0.7, 1.3), wrt=(0, 1), variants=[lambda: (values(1, 3), values(2, 3))])
def swap(x, y):
    x, y = y, x
    x, y = y * 2, x * y
    return x / y if np.ndim(x) == 0 else x * y


@program(args=lambda: (0.7, 1.3, 0.4), wrt=(0, 1, 2))
def rotation_of_three(a, b, c):
    a, b, c = b * c, c + a, a
    a, b, c = c, a, b
    return a + 2 * b + 3 * c * a


@program(args=lambda: (0.7, 1.3), wrt=(0, 1))
def packed_and_indexed(x, y):
    pair = (x * y, x + y)
    more = pair + (x,)
    return pair[0] * pair[1] + more[-1] * more[0]


@program(args=lambda: (0.7, 1.3), wrt=(0, 1))
def nested_unpacking(x, y):
    (a, b), c = (x * y, y), x
    d, (e, f) = a + 1.0, both_powers(b)
    return a * b + c * d - e * f


@program(args=lambda: (0.7, 1.3), wrt=(0, 1))
def polar_and_back(x, y):
    r, phi = polar(x, y)
    r, phi = r * 1.1, phi + 0.2
    return r * np.cos(phi), r * np.sin(phi)


@program(args=lambda: (values(3, 3), 0.6), wrt=(0, 1), variants=[lambda: (values(3, 3, 2), 0.6)])
def unpacked_array(v, s):
    a, b, c = v
    a = a * s
    return np.sum(a * b + c**2)


@program(args=lambda: (values(4, 4),))
def swapped_elements(x):
    x[0], x[1] = x[1], x[0]
    x[2], x[3] = x[3] * x[0], x[2]
    return x * np.arange(1.0, 5.0)


@program(args=lambda: (values(5, 6),))
def insertion_sort(x):
    for i in range(1, len(x)):
        j = i
        while j > 0 and x[j - 1] > x[j]:
            x[j - 1], x[j] = x[j], x[j - 1]
            j -= 1
    return x**2 * np.arange(6.0)


@program(args=lambda: (values(7, 3, 4),))
def shape_unpacked(a):
    rows, columns = a.shape
    n, m = columns - 1, rows * 1.0
    return a[:, n] * m / columns


@program(args=lambda: (0.7, 1.3, 3), wrt=(0, 1))
def tuple_carried_by_a_loop(x, y, n):
    state = (x, y)
    for i in range(n):
        a, b = state
        state = (a * b, a + 0.5 * b)
    return state[0] * state[1]


@program(args=lambda: (values(8, 4), 1), variants=[lambda: (values(8, 4), 0)])
def targets_read_what_they_set(x, i):
    i, x[i] = 2, x[i] * x[3]
    x[i], i = x[0] ** 2, 3
    return x * i


@program(args=lambda: (values(9, 3), 0.7), wrt=(0, 1))
def several_outputs(x, s):
    y = x * s
    return np.sum(y), y, s**2


@program(args=lambda: (0.7, 1.3), wrt=(0, 1))
def unused_part(x, y):
    kept, _ = x * y, x / y
    _, other = polar(kept, y)
    return other


@program(args=lambda: (values(10, 3), 0.7), wrt=(0, 1))
def last_of_two_targets_wins(x, s):
    x[0], x[0] = s**2, s * x[1]
    s, x[1], s = x[0], s * x[0], x[2] * s  # noqa: PLW0128 - of two alone CPython 3.11.2 takes the first
    return np.sum(x**2) * s


@program(args=lambda: (1.3, 0.7), wrt=(0, 1))
def tuple_beside_names_like_its_elements(x, y):
    t = (x, y)
    t_0 = 5 * x
    return t[0] * t_0 + t_0 * t[1]


@program(args=lambda: (3.1, 2), variants=[lambda: (3.1, 0)])
def tuple_of_a_float_and_a_count(x, n):
    t = (x, 3)
    if n > 0 and len(t) == 2:
        t = (x * 2, n)
    while t[0] > 1.0:
        t = (t[0] / 3, t[1])
    return t[0] ** 2 * t[1]


@program(
    args=lambda: (values(1, 4, 2), 1),
    variants=[
        lambda: (values(1, 4, 2).astype(np.float32), 0),
        lambda: (values(2, 3, 2, 3), 1),
        lambda: (values(1, 4, 2)[::-1], 2),
    ],
)
def bar_between_two_rows(x, j):
    dx, dy = x[j + 1] - x[j]
    length = np.sqrt(dx**2 + dy**2)
    return np.sum(dx / length * dy)


@program(
    args=lambda: (values(1, 5, 3),),
    variants=[lambda: (values(2, 1, 3),), lambda: (values(3, 5, 3).T.copy().T,)],
)
def bars_of_a_chain(x):
    total = 0.0
    for j in range(len(x) - 1):
        dx, _, dz = x[j + 1] * x[j] - x[j]
        total += np.hypot(dx, dz)
        dx, total = total * dx, total + dz
    return total


@program(args=lambda: (values(4, 2), 0.7), wrt=(0, 1))
def parts_of_a_product(x, s):
    a, b = x * s
    x[0] = a * b
    a, _ = s / x
    return a * b * x[0]


def signs_counted(x):
    above = below = 0
    for v in x:
        if v > 0:
            above += 1
        else:
            below += 1
    return above, below


@program(args=lambda: (values(31, 4),), variants=[lambda: (values(31, 1),)])
def counts_in_one_name(x):
    """What carries no derivative and has several parts, seen as a whole."""
    counts = signs_counted(x)
    return np.sum(x**2) * counts[0] + x[0] * (1 + signs_counted(-x)[1])
