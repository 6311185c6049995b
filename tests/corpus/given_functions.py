"""Functions that functions give, and partials: what they hold is given where they are called."""

import functools
from functools import partial

import numpy as np

from . import positives, program, values


def scaled_square(k, x):
    return k * x * x


def quadratic(a, b, x):
    return a * x * x + b * np.cos(x)


def power(x, *, scale, exponent=2.0):
    return scale * x**exponent


def make_scaled(k):
    def scaled(x):
        return k * x * x

    return scaled


def make_wave(k):
    return lambda x: k * np.sin(x)


def make_with_derivative(k):
    def f(x):
        return k * x**3 - 1.0

    def df(x):
        return 3 * k * x**2

    return f, df


def make_interpolation(xs, ys):
    slopes = np.diff(ys) / np.diff(xs)

    def at(t):
        i = int(np.searchsorted(xs, t)) - 1
        return ys[i] + slopes[i] * (t - xs[i])

    return at


def times(k):
    def decorate(f):
        def wrapped(*args):
            return k * f(*args)

        return wrapped

    return decorate


def applied_twice(f, x):
    return f(f(x))


def make_residual(data):
    def residual(w):
        r = data * w - 1.0
        return np.sum(r * r)

    return residual


@program(
    args=lambda: (values(1, 3), 1.7),
    wrt=(0, 1),
    variants=[
        lambda: (values(1, 2, 3), 1.7),
        lambda: (0.6, 1.7),
        lambda: (values(1, 3, dtype=np.float32), 1.7),
    ],
)
def partial_of_what_varies(x, a):
    f = partial(scaled_square, a)
    a = a * 3
    return np.sum(f(x)) * a


@program(args=lambda: (positives(1, 3), 1.7), wrt=(0, 1), variants=[lambda: (positives(1, 3), 0.3)])
def partial_by_name(x, a):
    f = partial(power, scale=a)
    g = functools.partial(power, scale=a, exponent=3.0)
    return np.sum(f(x)) + np.sum(g(x)) + np.sum(g(x, exponent=1.0) * f(x, scale=2 * a))


@program(args=lambda: (values(1, 3), 1.7), wrt=(0, 1), variants=[lambda: (values(1, 2, 2), 1.7)])
def partial_of_a_partial(x, a):
    f = partial(quadratic, a)
    g = partial(f, a * a)
    return np.sum(applied_twice(g, x)) + np.sum(partial(np.multiply, a)(x))


@program(args=lambda: (values(1, 3), 1.7, 3), wrt=(0, 1), variants=[lambda: (values(1, 3), 1.7, 0)])
def partial_of_a_nested_function(x, a, n):
    def rate(k, y):
        return -k * y * x

    y = x
    f = partial(rate, a)
    for _ in range(n):
        y = y + 0.1 * f(y)
        f = partial(rate, np.sum(y))
    return np.sum(y)


@program(args=lambda: (values(1, 3), 1.7), wrt=(0, 1))
def partials_in_a_list(x, a):
    steps = [partial(scaled_square, a), partial(scaled_square, a * a), partial(quadratic, a, 2.0)]
    return sum(np.sum(f(x)) for f in steps)


@program(args=lambda: (values(1, 3),), variants=[lambda: (values(1, 0),)])
def partial_of_constants(x):
    f = partial(scaled_square, 3.0)
    return np.sum(f(x)) * f(2.0)


@program(
    args=lambda: (values(1, 3), 1.7),
    wrt=(0, 1),
    variants=[lambda: (values(1, 2, 3), 1.7), lambda: (values(1, 3, dtype=np.float32), 1.7)],
)
def made_functions(x, a):
    f, g = make_scaled(a), make_wave(2 * a)
    return np.sum(f(x) * g(x)) + np.sum(make_scaled(3.0)(x))


@program(args=lambda: (0.9, 1.7), wrt=(0, 1))
def newton_with_a_made_pair(x, a):
    f, df = make_with_derivative(a)
    for _ in range(4):
        x = x - f(x) / df(x)
    return x


@program(
    args=lambda: (values(1, 3), 1.7, 3),
    wrt=(0, 1),
    variants=[lambda: (values(1, 3), 1.7, 0), lambda: (values(1, 3), 1.7, 1)],
)
def made_in_a_loop_and_kept(x, a, n):
    s = 0.0
    old = make_scaled(a)
    for k in range(n):
        new = make_scaled(x[k])
        s = s + np.sum(old(x)) * np.sum(new(x))
        old = new
    return s + np.sum(old(x))


@program(
    args=lambda: (values(1, 3), 1.7, True),
    wrt=(0, 1),
    variants=[lambda: (values(1, 3), 1.7, False)],
)
def made_in_one_way_or_another(x, a, flag):
    f = make_scaled(3.0) if flag else make_scaled(a * a)
    y = x
    while np.sum(f(y)) < 30:
        y = y * 1.5
    return np.sum(applied_twice(f, y)) * 1e-3


@program(args=lambda: (values(1, 4), 1.4), wrt=(0, 1), variants=[lambda: (values(1, 4), 2.3)])
def made_interpolation(ys, t):
    at = make_interpolation(np.array([0.0, 1.0, 2.0, 3.0]), ys)
    return at(t) ** 2 * at(0.5)


@program(args=lambda: (values(1, 3), 1.7), wrt=(0, 1))
def decorated_by_what_varies(x, a):
    @times(a)
    def square(t):
        return t * t

    return np.sum(square(x))


@program(args=lambda: (values(1, 3), values(2, 3)), wrt=(0, 1))
def made_objective(w, data):
    residual = make_residual(data)
    return residual(w + 0.1) - residual(w) * residual(data)


@program(args=lambda: (values(1, 3), 1.7), wrt=(0, 1))
def an_array_that_was_captured_changes(x, a):
    y = x * 1.0
    f = make_scaled(y)
    g = partial(scaled_square, y)
    y[0] = a
    s = np.sum(f(x)) + np.sum(g(x))
    y = y * 2
    return s + np.sum(f(y))


@program(args=lambda: (values(1, 3), 1.7), wrt=(0, 1))
def functions_made_by_nested_functions(x, a):
    def outer(b):
        def middle(c):
            def inner(t, shift=c * b):
                return t * a * b * c + shift

            return inner

        return middle

    f = outer(2.0 * a)(x[0])
    return np.sum(f(x)) + np.sum(f(x, shift=x[1]))


def _of_two_points(f, low, high, points, weights, args):
    half, middle = 0.5 * (high - low), 0.5 * (low + high)
    return half * sum([w * f(middle + half * p, *args) for p, w in zip(points, weights)])


def _adaptive(
    f, low, high, args=(), points=[-0.577, 0.577], weights=[1.0, 1.0], depth=0, bound=1e-12
):  # noqa: B006
    """Quadrature that divides its interval where it is not sure, as one writes it."""
    whole = _of_two_points(f, low, high, points, weights, args)
    middle = low + (high - low) * 0.5
    left = _of_two_points(f, low, middle, points, weights, args)
    right = _of_two_points(f, middle, high, points, weights, args)
    error = abs(left + right - whole)
    if error < bound or depth > 1:
        return left + right, error
    left, one = _adaptive(f, low, middle, args, points, weights, depth=depth + 1, bound=bound / 2)
    right, other = _adaptive(
        f, middle, high, args, points, weights, depth=depth + 1, bound=bound / 2
    )
    return left + right, one + other


def _bump(t, width, height):
    return height * np.exp(-((t / width) ** 2)) * np.cos(3 * t)


@program(lambda: (1.7, 0.6), wrt=(0, 1), variants=[lambda: (np.float64(0.9), 1.3)])
def area_by_divided_intervals(end, width):
    area, _ = _adaptive(_bump, 0.0, end, (width, width * end))
    return area


@program(
    args=lambda: (values(1, 4), values(2, 4)),
    variants=[lambda: (values(1, 4), 0.1 * values(2, 4)), lambda: (values(1, 2), values(2, 2))],
)
def made_function_of_constants_too(w, data):
    residual = make_residual(data)
    reference = residual(data)
    total = 0.0
    for k in range(2):
        if residual(np.ones(len(data))) > 0.5:
            total += residual(w * k) / (1 + reference)
    return total * residual(w)


class _Layer:
    def __init__(self, weights, activation=None):
        self.weights = weights
        self.activation = activation or np.tanh

    def __call__(self, x):
        return self.activation(self.weights * x)


def _norm_by(x, function=None):
    function = function or np.sin
    return np.sum(function(x) ** 2)


@program(args=lambda: (values(3, 4), values(4, 4)), wrt=(0, 1))
def functions_or_a_default(w, x):
    y = _Layer(w)(x) * _Layer(w, np.cos)(x) + _Layer(w, lambda v: v * v)(x)
    rate = w[0] * 0.5
    z = _norm_by(x) + _norm_by(w, lambda v: v * rate) + _norm_by(w, np.cos)
    return np.sum(y) + z


class _Scaled:
    def __init__(self, weights, activation):
        self.weights = weights
        self.activation = activation

    def __call__(self, x):
        return self.activation(self.weights * x)


@program(args=lambda: (values(3, 4), values(4, 4)), wrt=(0, 1))
def object_that_holds_a_function_of_what_varies(w, x):
    rate = w[0] * 0.5
    layer = _Scaled(w, lambda v: v * v * rate)
    return np.sum(layer(x) * layer(w))
