"""Derivatives that a function takes itself: Newton's method, gradient penalties, steps of learning."""

import numpy as np

from tangentish import differentiate, grad, hvp, jvp, value_and_grad

from . import program, values


def cubic(z, a):
    return z**3 - a * z


def misfit(w, x):
    return np.sum((np.tanh(x * w) - 0.5) ** 2)


def damped(t, k):
    s = 0.0
    for i in range(len(t)):
        s = s + np.sin(t[i]) * k * s + t[i] ** 2
    return s


def descend(f, x, steps, rate):
    slope = grad(f)
    for _ in range(steps):
        x = x - rate * slope(x)
    return x


@differentiate
def wave(t, k):
    return np.sum(np.sin(t) * k)


energy_slope = grad(damped)


@program(args=lambda: (values(1, 3, 4), values(2, 4)), wrt=(0, 1))
def gradient_penalty(w, x):
    def critic(t):
        return np.sum(np.tanh(w @ t))

    norm = np.sqrt(np.sum(grad(critic)(x) ** 2))
    return critic(x) + 10 * (norm - 1) ** 2


@program(args=lambda: (5.0, 4), variants=[lambda: (7.0, 1)])
def newton_of_a_function(a, steps):
    z = 2.0
    for _ in range(steps):
        z = z - cubic(z, a) / grad(cubic)(z, a)
    return z


@program(args=lambda: (2.0, 0.3), wrt=(0, 1))
def newton_of_a_lambda(a, b):
    f = lambda z: z**3 + b * z - a  # noqa: E731
    slope = grad(f)
    z = 1.5
    while abs(f(z)) > 1e-12:
        z = z - f(z) / slope(z)
    return z


@program(args=lambda: (values(1, 4), values(2, 4), 0.3), wrt=(0, 1, 2))
def learning_to_learn(w, x, rate):
    for _ in range(3):
        value, slope = value_and_grad(misfit)(w, x)
        w = w - rate * value * slope
    return misfit(w, x)


@program(args=lambda: (values(1, 4), 1.3), wrt=(0, 1), variants=[lambda: (values(1, 1), 1.3)])
def slope_of_a_loop(x, k):
    return np.sum(energy_slope(x, k) ** 2)


@program(args=lambda: (values(1, 4), 1.3), wrt=(0, 1), variants=[lambda: (values(1, 2, 3), 0.8)])
def slope_of_a_decorated_function(x, k):
    return np.sum(wave.grad(x, k) * x)


@program(args=lambda: (values(1, 3), 0.7), wrt=(0, 1))
def function_that_descends(x, c):
    return np.sum(descend(lambda t: np.sum((t * c - 1) ** 2), x, 3, 0.1) ** 2)


@program(args=lambda: (0.7, 1.3), wrt=(0, 1))
def slope_that_captures_the_outer_variable(x, c):
    return x * grad(lambda y: x * y * c)(2.0) + grad(lambda x: x * x)(x)


@program(args=lambda: (values(1, 3), 1.3), wrt=(0, 1))
def captured_value_changes_between_slopes(x, c):
    k = c

    def g(t):
        return np.sum(t**2 * x) * k

    first = grad(g)(x)
    k = k * k
    return np.sum(first * grad(g)(2 * x))


@program(args=lambda: (values(1, 3), 1.3), wrt=(0, 1))
def slopes_of_two_parameters(x, c):
    def g(a, b, *, k=2.0):
        return np.sum(a * b**2 * c) * k

    da, db = grad(g, wrt=(0, 1))(x, 2 * x)
    return np.sum(da * db * grad(g, wrt="b")(x, x, k=3.0))


@program(args=lambda: (values(1, 3), 1.3), wrt=(0, 1))
def curvature_inside(x, c):
    def g(t):
        return np.sum(t**4) * c

    _, moved = jvp(lambda t: t**3 * c, (x,), (np.cos(x),))
    return np.sum(hvp(g)(x, x * x) * moved)


@program(args=lambda: (0.7, 1.3), wrt=(0, 1))
def slope_of_a_slope(x, c):
    f = lambda t: np.sin(t) * c * t  # noqa: E731
    return grad(grad(f))(x) * x


@program(args=lambda: (values(1, 3, 3), values(2, 3)), wrt=(0, 1))
def slope_with_stores(w, x):
    def g(t):
        y = w @ t
        y[0] *= 2
        y[1:] += y[:-1]
        return np.sum(y**2)

    return np.sum(grad(g)(x) ** 2)
