"""Names of the user's that collide with what a generator would like to use."""

import math

import numpy
import numpy as np
from numpy import exp, sin

from . import program, values


@program(args=lambda: (0.7, 1.3), wrt=(0, 1))
def gradient_names(x, dx):
    dy = x * dx
    ddx = dy * dy
    dx_dy = ddx + x
    return dx_dy * dx


@program(args=lambda: (0.7, 3), variants=[lambda: (0.7, 0)])
def tape_names(y, n):
    y_tape = y * 2
    tape = 1.0
    y_dot = y_tape
    for i in range(n):
        y = y * y + y_tape * 0.1
        tape = tape * y
    return y * tape + y_dot


@program(args=lambda: (0.7, 1.3, 0.4), wrt=(0, 1, 2))
def short_machine_names(g, t, t1):
    t2 = g * t
    _t = np.exp(t2)
    g1 = np.sin(_t * t1)
    _ = g1 * t
    return _ * g


@program(args=lambda: (values(1, 3),), variants=[lambda: (0.7,)])
def numpy_under_another_name(np):
    numpy = np * 2
    dnp = numpy * np
    return exp(-dnp) + sin(numpy)


@program(args=lambda: (values(2, 3),))
def numpy_as_a_local(x):
    numpy = np.sum(x**2)
    zeros_like = numpy * x
    return zeros_like * numpy


@program(args=lambda: (0.7, 3))
def builtins_as_locals(sum, n):
    len = sum * 2
    abs = len * sum
    float = np.sin(abs)
    list = float + len
    for int in range(n):
        list = list * sum + int
    return list * abs


def range_like(x):
    return x * 3.0


@program(args=lambda: (0.7, 1.5), wrt=(0, 1))
def range_as_a_parameter(x, range):
    reversed = x * range
    return reversed**2 + range_like(range)


@program(args=lambda: (0.7, 1.3), wrt=(0, 1))
def greek(α, β):
    """To Python, which normalises, `ℓ` is the name `l`."""
    Δα = α * β
    θ̂ = np.exp(-Δα)
    ℓ = θ̂ * α
    return ℓ + β**2


@program(args=lambda: (0.7, 3))
def very_long_names(the_first_argument_whose_name_is_far_longer_than_anyone_would_like_it_to_be, n):
    an_intermediate_value_with_a_name_of_quite_remarkable_length_that_fills_the_line = (
        the_first_argument_whose_name_is_far_longer_than_anyone_would_like_it_to_be * 2
    )
    for the_index_of_the_loop_that_also_has_a_rather_long_name in range(n):
        an_intermediate_value_with_a_name_of_quite_remarkable_length_that_fills_the_line *= (
            the_first_argument_whose_name_is_far_longer_than_anyone_would_like_it_to_be
            + the_index_of_the_loop_that_also_has_a_rather_long_name
        )
    return an_intermediate_value_with_a_name_of_quite_remarkable_length_that_fills_the_line


@program(args=lambda: (0.7, 1.3), wrt=(0, 1))
def own_name_as_local(x, y):
    own_name_as_local = x * y
    own_name_as_local_grad = own_name_as_local**2
    return own_name_as_local_grad * y


@program(args=lambda: (0.7, 4))
def one_name_for_everything(x, n):
    y = n
    y = x * y
    y = np.array([y, x])
    y = y @ y
    y = (y, x)
    y = y[0] * y[1]
    return y


@program(args=lambda: (0.7, 3, 2))
def names_of_counters(x, trips, k):
    i = 0
    exit = 1.0
    while i < trips:
        x = x * exit + 0.1 * k
        exit = exit * 0.9
        i += 1
        if x > 3:
            return x * i
    way_out = x
    return way_out + k


@program(args=lambda: (values(3, 3),))
def three_names_for_numpy(x):
    return numpy.sin(x) + np.cos(x) * exp(x) + math.pi * sin(x)


@program(args=lambda: (0.7, 1.3), wrt=(0, 1))
def dunder_and_underscores(__x, x_):  # noqa: PYI063
    _x = __x * x_
    __y__ = _x + x_
    return __y__ * _x


@program(args=lambda: (values(4, 3), 0.5), wrt=(0, 1))
def helpers_of_the_runtime(x, unbroadcast):
    spread = x * unbroadcast
    value = spread + unbroadcast
    head = np.sum(value**2)
    zeros = head * x
    pullback = zeros + spread
    return pullback


@program(args=lambda: (values(5, 4), 0.5), wrt=(0, 1))
def names_of_gradients_in_stores(a, da):
    b = a[1:]
    db = b * da
    a[0] = da
    a_tape = a * 2
    a = a * a_tape
    b[0] = da**2
    return np.sum(a) + np.sum(b * db)


@program(args=lambda: (0.7, 2))
def soft_keywords(match, n):
    case = match * 2
    type = case**2
    for _ in range(n):
        type = type * match
    return type + case


def sort(x):
    return np.sort(x) * x


def take(x, at):
    return np.take(x, at)


def svd(x):
    return np.linalg.svd(x)


@program(
    args=lambda: (values(1, 3), np.array([0, 0, 2]), values(2, 3, 3)),
    variants=[lambda: (values(3, 3), np.array([1, 0, 1]), values(4, 3, 3))],
)
def functions_named_like_those_they_call(x, at, m):
    u, s, vt = svd(m * x)
    return np.sum(sort(x) * take(x, at)) + np.sum(np.sin(u)) + np.sum(s**2) + vt[0, 0]
