"""Floats in, a float out."""

import math
import operator

import numpy as np

from . import program, values


@program(args=lambda: (1.3,), variants=[lambda: (np.float64(-0.4),), lambda: (np.float32(0.7),)])
def cubic(x):
    return x**3 - 2 * x


@program(args=lambda: (1.7, -0.6), wrt=(0, 1))
def quotients(x, y):
    return x / y + y / x


@program(args=lambda: (1.7, 0.6), wrt=(0, 1))
def power_of_both(x, y):
    return x**y + y**x


@program(
    args=lambda: (1.2, 3),
    variants=[lambda: (0.0, 0), lambda: (0.0, 1), lambda: (0.0, 2), lambda: (-1.5, 4)],
)
def integer_power(x, n):
    return x**n + 3.0 * x


@program(args=lambda: (0.8,))
def constant_powers(x):
    return x**-2 + x**0.5 - x**1 + x**0


@program(args=lambda: (0.7,), variants=[lambda: (-1.4,)])
def exponential_base(x):
    return 2**x + 0.5**x


@program(args=lambda: (2.45, 0.7), wrt=(0, 1), variants=[lambda: (-2.45, 0.7)])
def modulo(x, y):
    return (x % y) * x + y


@program(args=lambda: (2.45, 0.7), wrt=(0, 1))
def floor_division_is_constant(x, y):
    return (x // y) * x * y


@program(
    args=lambda: (-1.1, 0.4),
    wrt=(0, 1),
    variants=[lambda: (0.9, 0.4), lambda: (np.float64(0.9), -2.0)],
)
def builtin_extremes(x, y):
    return abs(x) * max(x, y) + min(x, y, 3.0) ** 2


@program(args=lambda: (0.9, 3))
def casts(x, n):
    return float(x) * float(n) + int(n) * x


@program(args=lambda: (0.3,))
def signs(x):
    return -x * -(-x) + +x - (-x) ** 3  # noqa: B002


@program(args=lambda: (1.1, 2.0), wrt=(0, 1))
def second_is_unused(x, y):
    return x * x


@program(args=lambda: (1.1, 0.7), wrt=(0, 1))
def dead_intermediate(x, y):
    t = x * y
    t = 1.0
    return t * y + x


@program(args=lambda: (1.3,))
def same_operand(x):
    return x * x * x + (x - x) + x / x + x**x


@program(args=lambda: (1.3, 0.6), wrt=(0, 1), variants=[lambda: (np.float64(1.3), np.float64(0.6))])
def augmented_names(x, y):
    x += y
    x *= x
    x -= 2 * y
    x /= y
    x **= 2
    return x


@program(args=lambda: (0.6,))
def chained_assignment(x):
    a = b = x * 2
    a = a * x
    return a * b


@program(args=lambda: (0.6,))
def reassigned_again_and_again(x):
    y = x
    y = y * x
    x = np.sin(y)
    y = y + x * y
    x = x * y
    return x - y


@program(args=lambda: (0.4, 2.0), wrt=(0, 1))
def scalar_numpy_functions(x, y):
    return np.sin(x) * np.exp(-x * y) + np.log(y) / np.sqrt(y) - np.tanh(x) * np.cos(y)


@program(args=lambda: (1.3, 2), variants=[lambda: (np.float64(1.3), 4)])
def annotated(x: float, n: int = 3) -> float:
    """The docstring is not differentiated."""
    y: float = x**n
    z: float
    z = y * x
    return z


@program(args=lambda: (0.4,))
def long_expression(x):
    return (
        ((x + 1) * (x + 2) / (x + 3) - (x + 4) * (x - 5)) * math.sin(x * (x + 1) - 2 / (x + 6))
        + ((x * x + 3 * x - 1) * (x - 0.5) ** 2 - (x + 1) / (x * x + 2)) * math.exp(-x * (1 - x))
    )  # fmt: skip


@program(args=lambda: (0.4, 1.5), wrt=(0, 1))
def inactive_in_between(x, y):
    n = int(y) + 2
    factor = math.sqrt(n) / 3
    return x * factor + y * n


@program(args=lambda: (1.5, 2, True))
def bool_as_number(x, n, flag):
    return x * flag + x**2 * (n > 1) + (not flag)


@program(args=lambda: (3.0,))
def identity(x):
    return x


@program(args=lambda: (1.3,), variants=[lambda: (2.0,)])
def power_of_zero(y):
    """The logarithm of the base is infinite, the derivative is 0."""
    return 0.0**y + 1.0**y + y


@program(args=lambda: (1.3, 0.7, 3), wrt=(0, 1), variants=[lambda: (1.3, 0.7, 0)])
def divided_by_itself(x, w, n):
    for i in range(n):
        x = w / x
        w = w + x
    return x


@program(args=lambda: (1.3, 0.7, 3), wrt=(0, 1), variants=[lambda: (1.3, 0.7, 0)])
def inactive_binding_ends_a_life(x, t, n):
    z = t
    for i in range(n):
        x = x * t
        t = 0.9
        t = t + z * i
        t = 1.1
    return x * t + z


@program(args=lambda: (1.2, 0.4), wrt=(0, 1))
def product_of_a_list_of_expressions(x, y):
    return math.prod([x, y + 1, x * y]) + math.prod((x, 2.0))


@program(args=lambda: (1.2, 0.7), wrt=(0, 1))
def functions_of_the_operator_module(x, y):
    quotient = operator.truediv(operator.mul(x, 2.0), operator.pow(y, 2))
    for combine in (operator.add, operator.sub, operator.mul):
        quotient = combine(quotient, x)
    return operator.neg(quotient) if operator.gt(x, y) else operator.abs(quotient)


@program(args=lambda: (0.7, values(31, 3)), wrt=(0, 1))
def numbers_as_arrays(x, w):
    row = np.reshape(x, (1, 1)) + np.ravel(x) * np.convolve(x, w)
    return np.sum(row**2) * np.prod(x) + np.sum(np.tensordot(x, w, 0) ** 3)


@program(args=lambda: (0.7,), variants=[lambda: (np.float64(0.7),), lambda: (np.array(0.7),)])
def methods_of_numbers(x):
    """NumPy's numbers have the methods of arrays; what follows from Python's has none."""
    return np.log(1 + x * x).sum() * np.sin(x).mean() + np.cos(x).max()
