"""`for` over a range: bounds, steps, zero trips, what is overwritten and what outlives the loop."""

import numpy as np

from . import program, values


@program(
    args=lambda: (0.9, 4),
    variants=[lambda: (0.9, 0), lambda: (0.9, 1), lambda: (values(1, 3), 3)],
)
def repeated_square(x, n):
    for i in range(n):
        x = x * x + 0.1
    return x


@program(
    args=lambda: (values(2, 5),),
    variants=[lambda: (values(2, 0),), lambda: (values(2, 3, dtype=np.float32),)],
)
def accumulate_elements(x):
    total = 0.0
    for i in range(len(x)):
        total += x[i] ** 2 * (i + 1)
    return total


@program(args=lambda: (values(3, 6),), variants=[lambda: (values(3, 1),)])
def backward_range(x):
    y = 1.0
    for i in range(x.shape[0] - 1, -1, -1):
        y = y * 0.5 + x[i] * y
    return y


@program(
    args=lambda: (values(4, 8), 1, 7, 2),
    variants=[
        lambda: (values(4, 8), 6, 0, -3),
        lambda: (values(4, 8), 3, 3, 1),
        lambda: (values(4, 8), 5, 1, 2),
    ],
)
def any_range(x, start, stop, step):
    y = x[0]
    for i in range(start, stop, step):
        y = np.sin(y * x[i]) + i
    return y


@program(args=lambda: (values(5, 4),), variants=[lambda: (values(5, 1),)])
def loop_variable_afterwards(x):
    i = 0
    for i in range(x.size):
        pass
    return x[i] ** 2 * (i + 2)


@program(args=lambda: (1.2, 3), variants=[lambda: (1.2, 0)])
def loop_variable_shadows_a_parameter(x, i):
    y = x * i
    for i in range(i):  # noqa: B020, PLR1704
        y = y * x + i
    return y * x * i


@program(
    args=lambda: (values(6, 3, 4), values(7, 4)),
    wrt=(0, 1),
    variants=[lambda: (values(6, 0, 4), values(7, 4)), lambda: (values(6, 3, 0), values(7, 0))],
)
def nested_loops(a, x):
    y = 0.0
    for i in range(a.shape[0]):
        row = 1.0
        for j in range(a.shape[1]):
            row = row * np.cos(a[i, j] * x[j])
        y = y + row**2
    return y


@program(args=lambda: (values(8, 4),), variants=[lambda: (values(8, 1),)])
def triangular_loops(x):
    y = 0.0
    for i in range(len(x)):
        for j in range(i):
            y += x[i] * x[j] ** 2
            y *= 0.9
    return y


@program(args=lambda: (0.8, 3))
def bound_changes_inside(x, n):
    for i in range(n):
        n = n + 1
        x = x * n * 0.3
    return x * n


@program(args=lambda: (0.8, 4))
def loop_variable_reassigned(x, n):
    for i in range(n):
        i = i * 2
        x = np.sin(x + i)
        i = 0
    return x * (i + 1)


@program(args=lambda: (0.7, 3, 2), variants=[lambda: (0.7, 0, 2), lambda: (0.7, 2, 0)])
def two_loops_in_a_row(x, n, m):
    y = x
    for i in range(n):
        y = y * y + x
    for i in range(m):
        x = x * y
        y = np.sin(y)
    return x + y


@program(args=lambda: (0.6, 4), variants=[lambda: (0.6, 1)])
def temporaries_inside(x, n):
    for i in range(n):
        t = x * x
        u = np.exp(-t)
        x = u * t + x
    return x


@program(args=lambda: (0.6, 3))
def value_used_after_last_trip(x, n):
    for i in range(n):
        t = np.sin(x)
        x = x + t * t
    return x * t


@program(args=lambda: (values(9, 6), 0.5), wrt=(0, 1), variants=[lambda: (values(9, 1), 0.5)])
def recurrence_in_an_array(x, a):
    y = np.zeros(len(x))
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = a * y[i - 1] + x[i]
    return y


@program(args=lambda: (values(10, 6), 0.5), wrt=(0, 1), variants=[lambda: (values(10, 2), 0.5)])
def nonlinear_recurrence(x, a):
    y = np.zeros_like(x)
    for i in range(1, x.size):
        y[i] = np.tanh(a * y[i - 1] * x[i - 1] + x[i])
    return np.sum(y**2)


@program(
    args=lambda: (values(11, 3), values(12, 3), 3),
    wrt=(0, 1),
    variants=[lambda: (values(11, 3), values(12, 3), 0)],
)
def loop_invariant(x, w, n):
    for i in range(n):
        scale = np.exp(w)
        x = x * scale - w
    return x


@program(args=lambda: (0.5, 0.8, 5), wrt=(0, 1), variants=[lambda: (0.5, 0.8, 0)])
def fibonacci(a, b, n):
    for i in range(n):
        a, b = b, np.sin(a) + b
    return a * b


@program(args=lambda: (0.4, 0.6, 0.9, 4), wrt=(0, 1, 2))
def rotating_names(a, b, c, n):
    for i in range(n):
        t = a * b
        a = b
        b = c
        c = t
    return a + 2 * b + 3 * c


@program(args=lambda: (0.7, 3), variants=[lambda: (0.7, 1), lambda: (values(13, 2), 2)])
def three_deep(x, n):
    for i in range(n):
        for j in range(i, n):
            x = x * 1.1
            for k in range(j - i):
                x = np.sin(x) + 0.1 * k
            x = x * x + 0.2
    return x


@program(args=lambda: (0.7, 5))
def coefficients_from_the_index(x, n):
    term = 1.0
    total = 1.0
    for k in range(1, n):
        term = term * x / k
        total = total + (-1) ** k * term
    return total


@program(args=lambda: (values(14, 4),))
def element_and_its_neighbour(x):
    y = 0.0
    for i in range(x.size - 1):
        y += (x[i + 1] - x[i]) ** 2 * x[-i - 1]
    return y


@program(args=lambda: (0.9, 4))
def parameter_and_copy_diverge(x, n):
    y = x
    for i in range(n):
        x = x * y
        y = y + 0.1 * i
    return x * y


@program(
    args=lambda: (values(15, 3, 2), values(16, 2)),
    wrt=(0, 1),
    variants=[lambda: (values(15, 0, 2), values(16, 2))],
)
def rows_by_index(a, state):
    for i in range(len(a)):
        state = np.tanh(state * a[i]) + a[i]
    return state
