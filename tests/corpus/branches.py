"""if, elif, else, the ternary, and what is defined on one path only."""

import numpy as np

from . import program, values


@program(args=lambda: (0.8, 0.3), wrt=(0, 1), variants=[lambda: (-0.8, 0.3), lambda: (0.8, 2.0)])
def if_else(x, y):
    if x > 0 and y < 1:
        z = x * y
    else:
        z = x - y**2
    return z * z


@program(args=lambda: (0.8,), variants=[lambda: (-0.8,)])
def if_without_else(x):
    y = x * 2
    if x > 0:
        y = y * x
    return y + x


@program(args=lambda: (0.2,), variants=[lambda: (0.7,), lambda: (1.4,), lambda: (2.2,)])
def elif_chain(x):
    if x < 0.5:
        y = x**2
    elif x < 1:
        y = np.sin(x)
    elif x < 2:
        y = 3 * x
    else:
        y = 1 / x
    return y * x


@program(args=lambda: (0.8, 0.3), wrt=(0, 1), variants=[lambda: (0.2, 0.3)])
def ternary(x, y):
    z = x * y if x > y else x - y
    return (z if z > 0.1 else -z) * (x + 1)


@program(args=lambda: (0.8, True), variants=[lambda: (0.8, False)])
def branch_on_a_flag(x, square):
    return x**2 if square else x + 1.0


@program(args=lambda: (0.8, "cube"), variants=[lambda: (0.8, "sine"), lambda: (0.8, None)])
def branch_on_a_string(x, mode):
    if mode is None:
        y = x
    elif mode == "cube":
        y = x**3
    else:
        y = np.sin(x)
    return y


@program(args=lambda: (0.8, 2), variants=[lambda: (0.8, 0)])
def name_defined_on_one_path(x, n):
    if n > 0:
        factor = x * n
    y = x
    if n > 0:
        y = y * factor
    return y


@program(args=lambda: (0.8,), variants=[lambda: (1.3,)])
def condition_is_overwritten(x):
    y = x
    if y < 1:
        y = y + 2.0
    if y < 1:
        y = y * 5.0
    else:
        y = y * x
        x = -x
    return y + x


@program(args=lambda: (values(1, 6),), variants=[lambda: (values(2, 3),), lambda: (values(1, 0),)])
def branch_in_a_loop(x):
    y = 1.0
    for i in range(len(x)):
        if x[i] > 0:
            y = y * x[i]
        elif i % 2 == 0:
            y = y - x[i]
        else:
            y = np.sin(y)
    return y


@program(args=lambda: (values(3, 5),))
def alternating_by_parity(x):
    a = 1.0
    b = 0.5
    for i in range(x.size):
        if i % 2:
            a = a * b + x[i]
        else:
            b = b + a * x[i]
    return a * b


@program(args=lambda: (0.8, 3), variants=[lambda: (0.8, 0), lambda: (-0.8, 3)])
def loop_in_a_branch(x, n):
    if x > 0:
        for i in range(n):
            x = x * x + 0.3
    else:
        x = np.exp(x)
    return x


@program(args=lambda: (0.4, 0.8, 1.2), wrt=(0, 1, 2), variants=[lambda: (1.2, 0.8, 0.4)])
def chained_comparison(x, y, z):
    if x < y < z:
        return x * y * z
    return x + y * z if not (x == y or y != y) else 0.0  # noqa: PLR0124


@program(
    args=lambda: (values(4, 3),),
    variants=[lambda: (-np.abs(values(4, 3)),), lambda: (values(4, 2, 2),)],
)
def branch_on_an_array(x):
    if np.any(x > 1):
        y = x * np.sum(x)
    elif np.all(x < 0):
        y = x * x
    else:
        y = -x
    return y


@program(
    args=lambda: (0.8, 0.3),
    wrt=(0, 1),
    variants=[lambda: (-0.8, 0.3), lambda: (-0.8, -0.3), lambda: (0.8, -0.3)],
)
def nested_branches(x, y):
    if x > 0:
        z = x
        if y > 0:
            z = z * y
        else:
            y = y * 2
    else:
        if y > 0:
            z = y
        else:
            z = x * y
            x = 1.0
    return z * x + y


@program(args=lambda: (0.8, 2), variants=[lambda: (0.8, 5), lambda: (0.8, 0)])
def same_name_of_other_kind(x, n):
    if n > 3:
        n = x * 2
    else:
        n = n + 1
    return n * x


@program(args=lambda: (0.8, 0.3), wrt=(0, 1), variants=[lambda: (0.1, 0.3)])
def short_circuit(x, y):
    if x > 0.5 and 1 / (x - 0.5) > 0:
        y = y * x
    return x * (y or 1.0)


@program(
    args=lambda: (0.8, 0.3, 2.0),
    wrt=(0, 1),
    variants=[lambda: (0.8, 0.3, 0.0)],
)
def either_or_is_assigned(x, y, c):
    a = c or x * y or 3 * x
    b = c and y * x
    return a * a + b + x * y


@program(args=lambda: (0.8, True), variants=[lambda: (0.8, False)])
def either_list_is_run_over(x, given):
    parts = []
    if given:
        parts = [2.0, x]
    s = 0.0
    for v in parts or [x, 3 * x]:
        s = s + v * v
    return s


@program(args=lambda: (0.8, 1.0), variants=[lambda: (0.8, -1.0)])
def function_asked_for_none(x, c):
    f = None
    if c > 0:
        f = lambda t: t * x  # noqa: E731
    return x if f is None else x * x


@program(args=lambda: (0.8, 3), variants=[lambda: (0.8, 1)])
def tuple_after_none(x, n):
    last = None
    for k in range(n):
        if k > 0:
            x = x * last[0] + last[1]
        last = (x, x * x)
    return x * last[1]


@program(args=lambda: (0.8, 4))
def empty_branches(x, n):
    for i in range(n):
        if i == 2:
            pass
        else:
            x = x * 1.1 + 0.1
    if x > 100:
        x = x  # noqa: PLW0127
    return x


@program(
    args=lambda: (values(5, 3), values(6, 3), True),
    wrt=(0, 1),
    variants=[lambda: (values(5, 3), values(6, 3), False), lambda: (0.4, values(6, 3), True)],
)
def either_array_is_only_read(x, y, first):
    chosen = x if first else y
    return np.sum(chosen**2 * y) + np.sum(x)


@program(args=lambda: (0.7, 3), variants=[lambda: (0.2, 4), lambda: (1.4, 2)])
def deeply_nested(x, n):
    for i in range(n):
        if x > 0.3:
            j = 0
            while j < i:
                if j % 2 == 0:
                    for k in range(2):
                        if x < 2:
                            x = x * 1.2 if k else x + 0.1 * x**2
                        else:
                            x = np.sin(x)
                else:
                    x = x / 1.3
                j += 1
        else:
            x = x + 0.25
    return x


@program(args=lambda: (values(61, 3),), variants=[lambda: (values(62, 0),)])
def all_and_any_of_a_list(x):
    squares = [v * v for v in x]
    total = 1.0 + sum(squares)
    if any(squares) and not all(v > 2.0 for v in x):
        total = total * np.sin(squares[0])
    return total if all(x) else total * 2


@program(args=lambda: (values(63, 4), np.array([0.3, -0.2, 0.4, 0.1])))
def tariff_in_a_loop(x, price):
    cost = 2.0
    for power, p in zip(x, price, strict=True):
        net = power * p
        cost += net * p if net > 0 else net * 0.3
    return cost**1.2
