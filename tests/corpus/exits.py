"""Several returns, returns inside loops, raise and assert."""

import numpy as np

from . import program, values


@program(args=lambda: (0.8,), variants=[lambda: (-0.8,)])
def guard(x):
    if x < 0:
        return -x * 2
    return x**2


@program(args=lambda: (0.2,), variants=[lambda: (0.7,), lambda: (1.5,), lambda: (2.5,)])
def four_returns(x):
    if x < 0.5:
        return x
    y = x * x
    if x < 1:
        return y
    y = y * x
    if y < 8:
        return np.sin(y)
    else:
        return y + x


@program(
    args=lambda: (values(1, 5), 0.9),
    wrt=(0, 1),
    variants=[lambda: (values(1, 5), 50.0), lambda: (values(1, 0), 0.9)],
)
def return_from_a_loop(x, bound):
    total = 0.0
    for i in range(len(x)):
        total = total + x[i] ** 2
        if total > bound:
            return total * bound * (i + 1)
    return -total


@program(
    args=lambda: (values(2, 3, 3),),
    variants=[lambda: (0.1 * values(2, 3, 3),), lambda: (values(3, 2, 4),)],
)
def return_from_a_nested_loop(a):
    y = 1.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            y = y * a[i, j] + 0.5
            if y > 1.1:
                return y**2
        y = y + i
    return np.sin(y)


@program(args=lambda: (0.3, 2.5), variants=[lambda: (3.0, 2.5)], wrt=(0, 1))
def return_from_a_while(x, bound):
    k = 0
    while True:
        if x > bound:
            return x * k
        x = x * 1.8 + 0.1
        k += 1


@program(args=lambda: (values(4, 4),), variants=[lambda: (-np.abs(values(4, 4)),)])
def return_from_a_branch_in_a_loop(x):
    for i in range(x.size):
        if x[i] > 0:
            y = x[i] ** 2
            if i > 0:
                return y * x[i - 1]
            x = x * 1.5
    return x[0]


@program(args=lambda: (0.8, 3))
def checked_by_assert(x, n):
    assert n > 0, "n must be positive"
    y = x * n
    assert y < 1000 and np.isfinite(y)
    return y * y


@program(args=lambda: (values(5, 4),), variants=[lambda: (values(5, 2, 2),)])
def checked_by_raise(x):
    if x.ndim > 2:
        raise ValueError(f"at most two dimensions, not {x.ndim}")
    y = np.sum(x**2)
    if y < 0:
        raise RuntimeError("a sum of squares below zero")
    return np.sqrt(y)


@program(args=lambda: (0.8, "square"), variants=[lambda: (0.8, "double")])
def raise_at_the_end(x, how):
    if how == "square":
        return x * x
    elif how == "double":
        return 2 * x
    raise ValueError(how)


@program(args=lambda: (values(6, 3), 2), variants=[lambda: (values(6, 3), 0)])
def early_return_of_the_argument(x, n):
    if n == 0:
        return x
    y = x
    for i in range(n):
        y = y * x
    return y


@program(args=lambda: (values(7, 4), 0.5), wrt=(0, 1), variants=[lambda: (values(7, 4), -0.5)])
def return_after_stores(x, a):
    x[0] = a * x[1]
    if a < 0:
        return np.sum(x**2)
    x[1] = x[0] * x[2]
    return np.sum(x**3)


@program(args=lambda: (values(8, 5), 2), variants=[lambda: (values(8, 5), 9)], written=(0,))
def bare_return_of_a_procedure(x, n):
    for i in range(len(x)):
        if i == n:
            return
        x[i] = x[i] ** 2


@program(args=lambda: (0.8, 0.3), wrt=(0, 1), variants=[lambda: (0.3, 0.8)])
def return_of_a_ternary(x, y):
    t = x * y
    return t if x > y else (t * t if x < 0 else x)


@program(args=lambda: (0.7, 6), variants=[lambda: (0.7, 1)])
def return_after_a_loop_in_a_branch(x, n):
    if n > 2:
        for i in range(n):
            x = np.sin(x) + 0.3
            if x > 1.05:
                return x * i
        x = x * x
    else:
        return 3 * x
    return x + 1


@program(args=lambda: (0.7,))
def code_after_return(x):
    y = x**3
    return y
    y = y * 2  # never reached
    return y


@program(args=lambda: (0.9, 1e-9), variants=[lambda: (2.9, 1e-9)])
def fixed_point_with_trip_limit(x, tolerance):
    for trip in range(60):
        new = 0.5 * np.cos(x)
        if abs(new - x) < tolerance:
            return new + 0.0 * trip
        x = new
    raise RuntimeError("no convergence")


@program(
    args=lambda: (values(1, 3), 40),
    variants=[lambda: (values(1, 3), 0), lambda: (values(1, 3), 1), lambda: (values(2, 4), 3)],
)
def fixed_point_left_by_break(x, n):
    y = x * 1.0
    for _ in range(n):
        new = np.cos(y) * x
        if np.max(np.abs(new - y)) < 1e-3:
            break
        y = new
    return y * x


@program(
    args=lambda: (values(3, 6), 0.6),
    variants=[
        lambda: (values(3, 6), 9.0),
        lambda: (values(3, 6), -1.0),
        lambda: (values(4, 0), 0.5),
    ],
)
def sums_left_by_break(x, bound):
    s = np.zeros(2)
    for v in x:
        t = v * v
        u = t * s[0]
        if t > bound:
            break
        s[1] += u
        s[0] = s[0] * 0.5 + t
    return s


@program(args=lambda: (values(5, 4, 4), 0.4), variants=[lambda: (values(5, 4, 4), 4.0)])
def breaks_of_nested_loops(a, bound):
    total = 0.0
    for i in range(len(a)):
        row = 0.0
        for j in range(len(a)):
            t = a[i, j] * a[j, i]
            if t > bound:
                break
            row += t * t
            if row > 1.3:
                break
        if row < 0.01:
            continue
        w = row * a[i, i]
        if w < -0.9:
            break
        total += w * row
    return total


@program(args=lambda: (values(6, 3),), variants=[lambda: (0.4 * values(6, 3),)])
def secant_steps(x):
    old, new, trips = x[0], x[1], 0
    while True:
        step = new - old
        trips += 1
        if abs(step) < 1e-3 or trips > 12:
            break
        old, new = new, np.cos(new) * x[2]
    return new + old * new * trips


@program(args=lambda: (values(11, 6), 1.0), variants=[lambda: (values(11, 6), 5.0)])
def items_kept_until_a_break(x, bound):
    kept = []
    for i in range(len(x)):
        v = x[i] ** 2
        w = v * x[0]
        if w > bound:
            break
        kept.append(w)
    else:
        kept.append(x[-1])
    return sum(k * k for k in kept) + len(kept) * x[0]


@program(args=lambda: (0.7, 4.0), variants=[lambda: (0.7, 0.8), lambda: (2.0, 0.1)])
def return_in_the_else_of_a_loop(x, limit):
    """The `else` of a loop returns, and what follows is for a loop that was left."""
    for k in range(4):
        x = x * 1.3
        if x > limit:
            break
    else:
        return x * limit
    return x**2 * k


@program(args=lambda: (values(8, 5), 0.5), wrt=(0, 1), variants=[lambda: (values(8, 5), 9.0)])
def loops_left_two_at_a_time(x, limit):
    """The idiom that leaves two loops: `else: continue`, then `break`."""
    total = 0.0
    for i in range(3):
        for v in x:
            total = total + v * v * (i + 1)
            if total > limit * 4:
                break
        else:
            total = total * limit
            continue
        break
    return total * x[0]


@program(
    args=lambda: (0.7, 3.0),
    variants=[lambda: (0.1, 3.0), lambda: (2.7, 3.0), lambda: (0.7, -1.0)],
)
def returns_in_a_loop_and_in_its_else(x, limit):
    n = 0
    while x < limit:
        x = x * x + 1
        n += 1
        if n > 3:
            return x * 0.1
        if x > 2:
            break
    else:
        if n == 0:
            return -x
        x = x * 7
    return x * n


@program(args=lambda: (1.3, 1e-9), variants=[lambda: (1.3, 10.0)])
def loop_that_always_returns(x, tolerance):
    """No way leads past a loop without a break whose `else` returns."""
    for k in range(8):
        f = x * x - 2
        if abs(f) < tolerance:
            return x * (k + 1)
        x = x - 0.5 * f
    else:
        return -x


@program(args=lambda: (0.3, 4), variants=[lambda: (1.3, 2), lambda: (0.6, 3)])
def falls_off_a_loop(x, n):
    for k in range(n):
        if x > 1:
            return x * x * k
        x = x * 2


def root_or_nothing(x):
    if x > 0:
        return np.sqrt(x)


@program(args=lambda: (0.3,), variants=[lambda: (-0.3,)])
def helper_falls_off(x):
    r = root_or_nothing(x)
    if r is None:
        return 3 * x
    return r * x


def nothing_where_it_is_done(x, done):
    if done:
        return
    return x * x


@program(args=lambda: (0.3, False), variants=[lambda: (0.3, True)])
def helper_returns_bare(x, done):
    y = nothing_where_it_is_done(x, done)
    return 2 * x if y is None else x * y


def with_slope(x, order=None, full=False):
    y = np.sin(x)
    if full:
        return y, np.cos(x)
    if order is not None:
        return y, np.cos(x), order
    return y


@program(args=lambda: (0.3,))
def helper_returns_several_forms(x):
    y, slope = with_slope(x, full=True)
    _, again, n = with_slope(2 * x, 3)
    return y * slope + again * n + with_slope(x)


def norms(x):
    if np.ndim(x) == 0:
        return x
    elif x.ndim == 1:
        return np.sum(x), np.sum(x**2)


@program(args=lambda: (values(5, 3),))
def helper_returns_by_rank(x):
    total, square = norms(x)
    return total * square + norms(x[0])


@program(args=lambda: (values(5, 3), "sum"), variants=[lambda: (values(5, 3), "mean")])
def reduced_by_name(x, how):
    parts = {"sum": np.sum(x**2), "mean": np.mean(x)}
    return parts[how] * x[0]


@program(args=lambda: (0.3, True), variants=[lambda: (0.3, False)])
def forms_by_flag(x, pair):
    t = (x, x * x) if pair else 3 * x
    return t[0] * t[1] if pair else t * t


def part_of(x, out="array"):
    if out in ("sequence", "list"):
        return [x[0], x[1]]
    elif out == "array":
        return x * x
    elif out not in ("row", "column"):
        raise ValueError(out)
    return x.reshape(1, -1) if out == "row" else x.reshape(-1, 1)


@program(args=lambda: (values(5, 3),))
def helper_returns_what_a_string_says(x):
    a, b = part_of(x, "list")
    return np.sum(part_of(x)) * a * b + np.sum(part_of(x, out="row") ** 3)
