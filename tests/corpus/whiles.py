"""`while` loops without break."""

import numpy as np

from . import program, values


@program(
    args=lambda: (np.float64(1.0),),
    variants=[
        lambda: (np.float64(-1.0),),
        lambda: (np.float64(0.3),),
        lambda: (np.float64(-2.5),),
        lambda: (values(1, 3),),
        lambda: (np.ones((2, 2)),),
    ],
)
def settle(a):
    b = a * 2
    while np.linalg.norm(b) < 1000:
        b = b * 2
    if b.sum() > 0:
        c = b
    else:
        c = 100 * b
    return c


@program(args=lambda: (1.3, 5), variants=[lambda: (1.3, 0), lambda: (values(2, 3), 2)])
def counted_down(x, n):
    while n > 0:
        x = np.sin(x) * n
        n -= 1
    return x


@program(args=lambda: (3.7,), variants=[lambda: (0.2,)])
def halve_until_small(x):
    k = 0
    y = x
    while y > 0.5:
        y = y / 2 + 0.01 * x
        k += 1
    return y * k + x


@program(args=lambda: (2.0, 1.0), wrt=(0,), variants=[lambda: (7.3, 2.0)])
def newton_square_root(a, x):
    while abs(x * x - a) > 1e-11:
        x = 0.5 * (x + a / x)
    return x


@program(args=lambda: (values(3, 6),), variants=[lambda: (np.array([0.2, 0.3]),)])
def sum_until_bound(x):
    i = 0
    total = 0.0
    while i < len(x) and total < 1.2:
        total = total + x[i] ** 2
        i = i + 1
    return total * i


@program(args=lambda: (0.6, 3, 2), variants=[lambda: (0.6, 0, 2), lambda: (0.6, 3, 0)])
def while_in_while(x, n, m):
    i = 0
    while i < n:
        j = 0
        while j < m + i:
            x = x * 0.9 + np.cos(x)
            j += 1
        x = x * x
        i += 1
    return x


@program(args=lambda: (0.6, 3), variants=[lambda: (0.6, 0)])
def while_in_for(x, n):
    for i in range(n):
        y = x
        while y < i + 2:
            y = y * 1.7 + 0.2
        x = x + 0.1 * y
    return x


@program(args=lambda: (values(4, 5), 0.3), wrt=(0, 1))
def while_with_stores(x, a):
    y = np.zeros(x.size)
    i = 0
    while i < x.size:
        y[i] = x[i] * a if i == 0 else y[i - 1] * x[i] + a
        i += 1
    return y


@program(args=lambda: (values(5, 4),))
def in_place_until_small(x):
    while np.max(np.abs(x)) > 0.1:
        x *= 0.6
        x[0] = x[0] * x[1]
    return x


@program(args=lambda: (48, 18, 1.3), wrt=(2,))
def euclid_is_inactive(a, b, x):
    while b:
        a, b = b, a % b
    return x**a


@program(args=lambda: (0.3, 1.1), wrt=(0, 1))
def condition_reads_what_is_rebound(x, y):
    while x < 2.0 and not y > 5.0:
        x, y = x + 0.5 * y, y * 1.2
    return x * y
