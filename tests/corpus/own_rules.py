"""Functions with a rule of their user's own: in expressions, loops, branches and calls."""

import numpy as np
from scipy import special

from corpus import positives, program, values
from tangentish import adjoint, constant


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


@adjoint(sigmoid)
def sigmoid_adjoint(dy, y, x):
    return dy * y * (1 - y)


def bend(w, x, n=2):
    return w * x**n


@adjoint(bend)
def bend_adjoint(dy, y, w, x, n):
    return np.sum(dy * x**n), dy * w * n * x ** (n - 1), None


def softplus(x):
    return np.log1p(np.exp(x))


def softplus_forward(x):
    e = np.exp(x)
    return np.log1p(e), e / (1 + e)


def softplus_tangent(dx, y, slope, x):
    return dx * slope


@adjoint(softplus, forward=softplus_forward, tangent=softplus_tangent)
def softplus_adjoint(dy, y, slope, x):
    return dy * slope


def exact(x):
    return np.exp(x) + x


def exact_forward(x):
    e = np.exp(x)
    return e + x, e


@adjoint(exact, forward=exact_forward)
def exact_adjoint(dy, y, e, x):
    return dy * (e + 1)


def tail(x):
    return x[1:]


@adjoint(tail)
def tail_adjoint(dy, y, x):
    return np.concatenate((np.zeros_like(x[:1]), dy))


def polar(r, phi):
    return r * np.cos(phi), r * np.sin(phi)


def polar_tangent(dots, y, r, phi):
    r_dot, phi_dot = dots
    c, s = np.cos(phi), np.sin(phi)
    return r_dot * c - r * s * phi_dot, r_dot * s + r * c * phi_dot


@adjoint(polar, tangent=polar_tangent)
def polar_adjoint(dy, y, r, phi):
    dx, dz = dy
    c, s = np.cos(phi), np.sin(phi)
    return dx * c + dz * s, r * (dz * c - dx * s)


@adjoint(special.erfcinv)
def erfcinv_adjoint(dy, y, x):
    return dy * (-np.sqrt(np.pi) / 2) * np.exp(y * y)


@constant
def sign_of(x):
    return np.sign(x) + 2.0


def steps(x):
    """Not followed: it can't be."""
    memo = {}
    for i, value in enumerate(x.tolist()):
        memo[i] = value**3
    return np.array([memo[i] for i in range(len(x))])


@adjoint(steps)
def steps_adjoint(dy, y, x):
    return dy * 3 * x**2


class Layer:
    def __init__(self):
        self.scale = 1.5

    def act(self, x):
        return self.scale * x**2


@adjoint(Layer.act)
def act_adjoint(dy, y, self, x):
    return None, dy * 2 * self.scale * x


LAYER = Layer()


@program(args=lambda: (values(1, 3),))
def own_in_an_expression(x):
    return np.sum(sigmoid(x) * sigmoid(2 * x) + x)


@program(args=lambda: (0.4,))
def own_of_a_number(x):
    return sigmoid(x) ** 2


@program(args=lambda: (1.2, values(1, 3)), wrt=(0, 1))
def own_of_several(w, x):
    return np.sum(bend(w, sigmoid(x)) * x)


@program(args=lambda: (1.2, positives(1, 3)), wrt=(0, 1))
def own_by_keyword(w, x):
    return np.sum(bend(x=x, w=w, n=3))


@program(args=lambda: (values(1, 3),))
def own_saves_residuals(x):
    return np.sum(softplus(2 * x) * x)


@program(args=lambda: (values(1, 3),))
def own_saves_and_turns_round(x):
    y = exact(x)
    return np.sum(y * x)


@program(args=lambda: (values(1, 3), 3))
def own_in_a_loop(x, n):
    for _ in range(n):
        x = exact(sigmoid(x)) - 1
    return np.sum(x)


@program(args=lambda: (values(1, 3),))
def own_in_a_branch(x):
    y = sigmoid(x) if np.sum(x) > 0 else softplus(x)
    return np.sum(y * x)


@program(args=lambda: (values(2, 4),))
def own_gives_a_view(x):
    y = tail(x * x)
    return np.sum(y * x[1:])


@program(args=lambda: (values(1, 3),))
def own_argument_is_overwritten(x):
    a = 2 * x
    y = sigmoid(a)
    a[0] = 0.0
    return np.sum(y * a)


@program(args=lambda: (values(1, 3),))
def own_result_is_overwritten(x):
    y = sigmoid(x)
    z = y * y
    y[1] = 0.0
    return np.sum(y * z)


@program(args=lambda: (positives(1, 3), values(2, 3)), wrt=(0, 1))
def own_of_several_results(r, phi):
    a, b = polar(r, phi)
    return np.sum(a * b * r)


@program(args=lambda: (positives(1, 3), values(2, 3)), wrt=(0, 1))
def own_one_of_several_results(r, phi):
    a, _ = polar(r, phi)
    return np.sum(a * a)


@program(args=lambda: (np.array([0.4, 0.7, 1.3]),))
def own_of_another_package(x):
    return np.sum(special.erfcinv(x) * x)


@program(args=lambda: (values(1, 3),))
def own_constant(x):
    return np.sum(sign_of(x) * x)


@program(args=lambda: (values(1, 3),))
def own_that_is_not_followed(x):
    return np.sum(steps(x) * x)


@program(args=lambda: (values(1, 3),))
def own_method(x):
    return np.sum(LAYER.act(x) * x)


def rotation(z):
    return np.exp(1j * z)


@adjoint(rotation)
def rotation_adjoint(dy, y, z):
    return dy * y * 1j


@program(args=lambda: (values(1, 3),))
def own_of_complex_numbers(x):
    return np.sum(np.abs(rotation(x * (1 + 1j)) + x))


def inner(x):
    return sigmoid(x) * x


@program(args=lambda: (values(1, 3),))
def own_inside_a_callee(x):
    return np.sum(inner(inner(x)))
