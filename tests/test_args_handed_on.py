"""SciPy's `quad(f, a, b, args)` and its like, where the tuple `args` has a name, or is a parameter of a helper."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in
from scipy.integrate import quad, quad_vec
from scipy.optimize import brentq, fsolve, newton

Function = Callable[..., Any]
RIGHT: list[Function] = []
REFUSED: list[tuple[Function, str]] = []
X, X_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([0.3, -0.2, 0.5, 0.1])
PLAIN = False


def integrand(t, a):
    return t * t * np.sin(a)


def of_two(t, a, b):
    return t * a * a + np.cos(b * t)


def cubic(t, a):
    return t**3 - a


def cubics(t, a):
    return np.array([t[0] ** 3 - a])


def integral(f, a, b, args=(), **options):
    if not PLAIN:
        from scipy.integrate import quad as lazy

        return lazy(f, a, b, args, **options)
    else:
        return (b - a) * f((a + b) / 2, *args), 0.0


def both(a):
    return a * a, 2.0 * a


@kept_in(RIGHT)
def a_parameter(x):
    y = (
        integral(integrand, 0.0, x[0], (x[1],))[0]
        * integral(of_two, x[2], 1.0, args=(x[3], 2.0))[0]
    )
    return y + integral(np.sin, 0.0, x[0], epsabs=1e-10)[0]


@kept_in(RIGHT)
def a_name(x):
    args = (x[0], 2.0) if x[0] > x[1] else (2.0, x[0])
    y = quad(of_two, 0, 1, args)[0] * quad(lambda t, a, b: a * t * b * x[1], 0, 1, args=args)[0]
    args = (*args[1:], x[2])
    return y * quad_vec(of_two, 0, x[3], args=args)[0]


@kept_in(RIGHT)
def in_a_loop(x):
    y = 0.0
    for xi in x:
        args = (xi * x[0],)
        y += integral(integrand, 0.0, 1.0, args)[0] * integral(integrand, 0.0, xi, (0.5,))[0]
    return y


@kept_in(RIGHT)
def what_a_call_gives(x):
    return quad(of_two, 0, x[0], both(x[1]))[0]


@kept_in(RIGHT)
def of_roots(x):
    args = (x[1],)
    return brentq_of(x[0]) * newton(cubic, 1.0, args=args) * fsolve_of(x[2], (x[3],))


def brentq_of(*args):
    return brentq(cubic, 0.0, 5.0, args)


def fsolve_of(a, args):
    return a * fsolve(cubics, [1.0], args)[0]


@refused_in(REFUSED)("write the arguments of the function as a tuple")
def an_array(x):
    return quad(of_two, 0, 1, tuple(x[:2]))[0]


@refused_in(REFUSED)("write the arguments of the function as a tuple")
def a_list(x):
    args = [x[0]]
    return quad(lambda t, a: t * a[0], 0, 1, args)[0]


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)
