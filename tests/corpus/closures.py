"""Nested functions, lambdas, and functions as values: what they capture is read when they run."""

import numpy as np

from . import positives, program, values


def newton(f, df, x, steps):
    for _ in range(steps):
        x = x - f(x) / df(x)
    return x


def secant(f, x0, x1, tolerance=1e-10):
    f0, f1 = f(x0), f(x1)
    while abs(x1 - x0) > tolerance and f1 != f0:
        x0, x1 = x1, x1 - f1 * (x1 - x0) / (f1 - f0)
        f0, f1 = f1, f(x1)
    return x1


def rk4_step(rate, t, y, h):
    k1 = rate(t, y)
    k2 = rate(t + h / 2, y + h * k1 / 2)
    k3 = rate(t + h / 2, y + h * k2 / 2)
    k4 = rate(t + h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def simpson(f, a, b, n):
    h = (b - a) / n
    total = f(a) + f(b)
    for i in range(1, n):
        total += (4 if i % 2 else 2) * f(a + i * h)
    return total * h / 3


def square(x):
    return x * x


def compose(f, g, x):
    return f(g(x))


def twice(f, x):
    return f(f(x))


def apply_if(f, x):
    if f is None:
        return x
    return f(x)


@program(
    args=lambda: (values(1, 3, 3), values(2, 3)),
    wrt=(0, 1),
    variants=[lambda: (values(1, 1, 1), values(2, 1)), lambda: (values(1, 3, 3), values(2, 3, 2))],
)
def layers(w, x):
    def layer(h):
        return np.tanh(w @ h)

    return np.sum(layer(layer(x)))


@program(args=lambda: (0.7, 1.3), wrt=(0, 1), variants=[lambda: (values(1, 3), 1.3)])
def captured_name_is_bound_again(x, s):
    scale = s * 2

    def scaled(t):
        return t * scale

    first = scaled(x)
    scale = scale + x
    return first * scaled(x)


@program(args=lambda: (1.3, 0.4), wrt=(0, 1))
def lambda_for_a_formula(x, a):
    f = lambda t: a * t**2 + np.sin(t)  # noqa: E731
    return f(x) * f(2 * x) + f(a)


@program(args=lambda: (2.0,), variants=[lambda: (5.0,)])
def square_root_by_newton(a):
    return newton(lambda t: t * t - a, lambda t: 2 * t, 1.5, 5)


@program(args=lambda: (2.0, 0.3), wrt=(0, 1))
def root_by_secant(a, b):
    def residual(t):
        return t**3 + b * t - a

    return secant(residual, 0.5, 1.5)


@program(args=lambda: (values(3, 2), 0.8, 4), wrt=(0, 1), variants=[lambda: (values(3, 2), 0.8, 0)])
def oscillator(y, omega, n):
    def rate(t, state):
        return np.array([state[1], -(omega**2) * state[0] + np.cos(t)])

    h = 0.1
    for i in range(n):
        y = rk4_step(rate, i * h, y, h)
    return y


@program(args=lambda: (0.9, 1.7), wrt=(0, 1))
def integral_of_a_lambda(a, b):
    return simpson(lambda t: np.exp(-a * t**2), 0.0, b, 6)


@program(args=lambda: (1.1, 3), variants=[lambda: (1.1, 0)])
def module_function_as_argument(x, n):
    y = twice(square, x)
    for _ in range(n):
        y = y + twice(np.tanh, x * y)
    return y


@program(args=lambda: (values(4, 3), 0.6), wrt=(0, 1), variants=[lambda: (0.5, 0.6)])
def functions_of_functions(x, s):
    return np.sum(compose(lambda t: t * s, lambda t: t**2 + s, x) * twice(lambda t: s - t, x))


@program(args=lambda: (0.8, 1.2), wrt=(0, 1))
def functions_that_call_each_other(x, a):
    def inner(t):
        return t * a

    def outer(t):
        return inner(t) ** 2 + inner(a)

    a = a + 1
    return outer(x) * inner(2.0)


@program(args=lambda: (0.3, 1.4), wrt=(0, 1), variants=[lambda: (3.0, 1.4)])
def recursion_of_a_nested_function(x, a):
    def grow(t):
        if t > 2:
            return t * a
        return grow(t * 2) + x

    return grow(x)


@program(args=lambda: (0.3, 1.4), wrt=(0, 1))
def recursion_of_two_nested_functions(x, a):
    def up(t, depth):
        return t if depth == 0 else down(t * a, depth - 1)

    def down(t, depth):
        return t if depth == 0 else up(t + x, depth - 1)

    return up(x, 5)


@program(args=lambda: (0.7, 1.2), wrt=(0, 1))
def defaults_are_evaluated_at_definition(x, a):
    def scaled(t, factor=a * 2, *, shift=1.5):
        return t * factor + shift

    same = scaled
    a = a * 10
    return scaled(x) + same(x, shift=a) * scaled(x, 3.0)


@program(args=lambda: (values(5, 4), 1.2), wrt=(0, 1), variants=[lambda: (values(5, 0), 1.2)])
def writes_into_a_captured_array(x, a):
    y = np.zeros(len(x))

    def put(i, v):
        y[i] = v * a

    for i in range(len(x)):
        put(i, x[i] ** 2)
    return np.sum(y * x)


@program(args=lambda: (values(6, 5), 0.3), wrt=(0, 1))
def reads_what_the_other_side_wrote(x, a):
    y = x.copy()
    tail = y[1:]

    def total():
        return np.sum(tail**2)

    before = total()
    y[2] = a * before
    return total() * before


@program(args=lambda: (1.2, 4), variants=[lambda: (1.2, 1)])
def captured_loop_variable(x, n):
    total = 0.0
    for i in range(n):
        term = lambda t: t ** (i + 1)  # noqa: E731, B023
        total += term(x) / (i + 1)
    return total + term(x)


@program(args=lambda: (0.7,), variants=[lambda: (values(7, 3),)])
def same_names_inside_and_outside(x):
    y = x * 2

    def f(x):
        y = x + 1
        return y * x

    return f(y) * y * f(x)


@program(args=lambda: (0.7, 1.3), wrt=(0, 1))
def functions_in_a_tuple(x, a):
    pair = (lambda t: t * a, lambda t: t + a)
    first, second = pair
    a = a * x
    return first(x) * pair[1](x) + second(a)


@program(args=lambda: (0.7, 1.3), wrt=(0, 1))
def function_under_another_name(x, a):
    f = np.sin
    g = square
    h = lambda t: g(f(t)) * a  # noqa: E731
    k = h
    return k(x) + h(a)


@program(args=lambda: (0.7, True), variants=[lambda: (0.7, False)])
def function_or_none(x, scaled):
    factor = 3.0 if scaled else 2.0
    return apply_if(None, x) * apply_if(lambda t: t * factor * x, x)


@program(args=lambda: (1.3, 5), variants=[lambda: (1.3, 0)])
def helpers_without_derivative(x, n):
    def half(k):
        return k // 2

    def size(k):
        try:
            return int(k) + 1
        except ValueError:
            return 1

    y = x
    while n > 0:
        y = y * x / size(n)
        n = half(n)
    return y


@program(args=lambda: (1.3, 6))
def factorial_in_a_nested_function(x, n):
    def factorial(k):
        return 1 if k < 2 else k * factorial(k - 1)

    def term(k):
        return x**k / factorial(k)

    total = 1.0
    for k in range(1, n):
        total += term(k)
    return total


@program(args=lambda: (1.7,))
def loop_until_a_function_is_small(a):
    def residual(t):
        return t * t - a

    x = a
    while abs(residual(x)) > 1e-9:
        x = x - residual(x) / (2 * x)
    return x


@program(args=lambda: (values(8, 4), values(9, 4), 0.1), wrt=(0, 1, 2))
def gradient_step_of_a_loss(w, x, rate):
    def loss(v):
        return 0.5 * np.sum((v * x - 1) ** 2)

    def slope(v):
        return (v * x - 1) * x

    for _ in range(3):
        w = w - rate * slope(w)
    return loss(w)


@program(args=lambda: (0.7, 1.9), wrt=(0, 1))
def three_levels(x, a):
    def middle(t):
        b = t * a

        def innermost(u):
            return u * b + x

        return innermost(a) * innermost(t)

    return middle(x) + middle(a)


@program(args=lambda: (0.7, 1.9), wrt=(0, 1))
def tuple_that_a_function_captures(x, a):
    pair = (x * a, x + a)

    def product(t):
        first, second = pair
        return t * first * second

    return product(x)


@program(args=lambda: (0.7, 1.9), wrt=(0, 1))
def tuples_as_arguments(x, a):
    def scaled(pair, factor):
        return pair[0] * factor, pair[1] * factor

    def total(pair, extra):
        u, v = pair
        return u * v + extra[0] * extra[1][1]

    pair = scaled((x, a), 2.0)
    return total(scaled(pair, x), (a, (x, x * a)))


@program(args=lambda: (positives(1, 3), 0.5), wrt=(0, 1))
def called_where_it_stands(x, p):
    return np.sum((lambda t, q: t**q)(x, p)) * (lambda: p)()


@program(
    args=lambda: (values(91, 3), values(92, 3), True),
    wrt=(0, 1),
    variants=[lambda: (values(91, 3), values(92, 3), False)],
)
def copy_of_what_is_captured(x, y, flag):
    """The tangent of a copy is a copy, whichever array the captured name has by then."""
    x = np.sin(y) if flag else np.cos(x)
    y = x.copy()
    y *= x

    def first(p):
        return x[0] - p

    return np.sum(y) + np.sum(x) * first(y[1])


@program(args=lambda: (0.7, 0.4), wrt=(0, 1), variants=[lambda: (values(1, 3), 0.4)])
def lambda_with_a_parameter_of_the_same_name(x, p):
    k = 2
    p = p + 0.5
    twice = lambda p: p * 2  # noqa: E731
    n = twice(k)
    shifted = lambda x: x + p  # noqa: E731
    p = p * n
    return np.sum(x * np.tanh(p) * shifted(0.1))


@program(lambda: (positives(1, 3),))
def closure_over_what_is_imported_inside(v):
    from math import copysign, sin

    sign = lambda x: copysign(1, x)  # noqa: E731
    total = 0.0
    for x in v:
        total += x * sign(x - 0.9) + sin(x) * total
    return total


@program(args=lambda: (values(4, 4), 1.3), wrt=(0, 1))
def lambdas_where_a_comprehension_begins(x, a):
    """What a comprehension runs over first belongs to the function around it."""
    total = sum(v * v for v in map(lambda t: a * t * t, x))
    doubled = [v * a for v in sorted(x, key=lambda t: -t)]
    both = sum(f(x[0]) for f in (np.sin, lambda t: t * a))
    return total * doubled[0] + both


@program(args=lambda: (values(71, 4),))
def vectorized_under_a_name(x):
    slope = x[0]

    @np.vectorize
    def leaky(t):
        return t if t > 0 else slope * t

    square = np.vectorize(lambda t, u: t * u, otypes=[float])
    return np.sum(leaky(x) * square(x, slope))


@program(args=lambda: (values(3, 4), 0.7), wrt=(0, 1))
def lambdas_in_comprehensions(x, c):
    rows = [x * 1.0, x * c, np.sin(x)]
    firsts = [max(enumerate(row), key=lambda pair: pair[1]) for row in rows]
    scaled = [(lambda v: v * c)(row[1]) for row in rows]
    c = c * 2.0
    mapped = sum(np.sum(np.array(list(map(lambda v: v * c, row)))) for row in rows)
    return firsts[0][1] * firsts[2][1] + sum(scaled) + mapped
