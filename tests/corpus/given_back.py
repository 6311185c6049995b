"""Tuples and lists that functions give back, run over and asked for items; arrays and lists in arithmetic."""

import numpy as np

from . import program, values

WEIGHTS = [1.0, 2.0, 0.5, -1.0]


def ends(x):
    return x[0] * 2, x[-1] ** 2


def parts(x):
    return [x[0] * x[1], x[-1] ** 3, np.sum(x)]


def three(x):
    return x[0] * x[1], x[-1] ** 3, np.sum(x)


def rows(x):
    return [(x[0], x[1]), (x[-1], x[0] * x[1])]


@program(args=lambda: (values(1, 4),), variants=[lambda: (values(1, 2, dtype=np.float32),)])
def loop_over_what_is_given_back(x):
    s = 0.0
    for v in ends(x):
        s = s * 0.5 + v * v
    for k, v in enumerate(parts(x)):
        s += k * v
    for a, b in rows(x):
        s += a * b + b
    return s


@program(args=lambda: (values(2, 4),), variants=[lambda: (values(2, 2),)])
def loop_over_a_named_result(x):
    p = parts(x)
    s = 1.0
    for v in reversed(p):
        s *= 1.0 + 0.1 * v
    for a, b in zip(p, ends(x)):
        s += a * b
    return s + p[0]


@program(args=lambda: (values(3, 4),), variants=[lambda: (values(3, 2),)])
def comprehensions_over_what_is_given_back(x):
    y = x[0] * sum(v * v for v in ends(x))
    r = [np.sin(v) for v in parts(x) if v > -9.0]
    if max(v for v in parts(x)) > 5.0:
        return y
    return y * r[1] + r[2]


@program(args=lambda: (values(4, 4), 2), variants=[lambda: (values(4, 3), 0)])
def any_item_of_what_is_given_back(x, n):
    p = three(x)
    s = 0.0
    for k in range(n):
        s += p[k] * (k + 1)
    return s + p[n] * ends(x)[n % 2] + parts(x)[n]


@program(args=lambda: (values(5, 4),), variants=[lambda: (values(5, 3, 4),)])
def arrays_and_lists_in_arithmetic(x):
    y = x * [1.0, 2.0, 3.0, 4.0] - (0, 1, 0, 1)
    y = WEIGHTS + y / WEIGHTS
    y *= [2.0, 1.0, 2.0, 1.0]
    y += WEIGHTS
    return np.sum(y * y)


@program(args=lambda: (values(6, 3),), variants=[lambda: (values(6, 3, dtype=np.float32),)])
def arrays_and_lists_of_active_numbers(x):
    grown = []
    for v in x:
        grown.append(v * v)
    y = x + grown
    grown.append(x[0])
    y -= [x[1], 2.0, x[0] * x[2]]
    return np.sum(y * (x[2], x[0], 1.0)) * grown[-1] + np.linalg.norm(
        x - [g * 2 for g in grown[:3]]
    )


def mean_and_spread(x):
    m = np.mean(x)
    return m, np.sum((x - m) ** 2)


@program(args=lambda: (values(7, 5), 2), variants=[lambda: (values(7, 4), 0)])
def statistics_of_parts(x, n):
    s = 0.0
    for k in range(n):
        for v in mean_and_spread(x[k:]):
            s += v * v
    moments = mean_and_spread(x)
    return s + sum(moments[k] * (k + 1) for k in range(2))


@program(args=lambda: (values(8, 4),), variants=[lambda: (values(8, 2),)])
def constants_of_the_module(x):
    y = x[0] * np.array(WEIGHTS)
    z = np.asarray(WEIGHTS) ** 2 - x[1]
    return np.sum(y * z) + np.dot(WEIGHTS, z)
