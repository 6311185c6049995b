"""Globals and closure values that are read."""

import math
from math import pi, sqrt

import numpy as np

from . import program, values

GRAVITY = 9.81
WEIGHTS = np.array([0.5, -1.2, 2.0])
STEPS = 3
SETTINGS = (0.1, 4)
x = 100.0


def activation(v):
    return np.tanh(GRAVITY / 10 * v)


@program(args=lambda: (0.7,), variants=[lambda: (values(1, 3),)])
def global_scalar(v):
    return 0.5 * GRAVITY * v**2 + pi * v


@program(args=lambda: (values(2, 3),), variants=[lambda: (0.7,), lambda: (values(2, 2, 3),)])
def global_array(v):
    return v * WEIGHTS + WEIGHTS[0] ** 2 * v**2


@program(args=lambda: (0.7,))
def global_bound_of_a_loop(v):
    for i in range(STEPS):
        v = v * SETTINGS[0] + math.sin(v) * SETTINGS[1]
    return v


@program(args=lambda: (values(3, 3),))
def helper_that_reads_a_global(v):
    return activation(v) * activation(WEIGHTS)


@program(args=lambda: (0.7,))
def local_hides_a_global(x):
    GRAVITY = x * 2
    pi = GRAVITY * x
    return pi + sqrt(GRAVITY)


@program(args=lambda: (values(4, 3),))
def global_array_copied_then_written(v):
    w = WEIGHTS.copy()
    w[0] = v[1]
    w *= v
    return np.sum(w**2) + np.sum(WEIGHTS * v)


def make_scaled(factor):
    @program(args=lambda: (0.7,), variants=[lambda: (values(5, 3),)])
    def closure_over_a_number(v):
        return factor * v**2

    return closure_over_a_number


def make_affine(matrix, offset, rounds):
    def layer(v):
        return np.tanh(matrix @ v + offset)

    @program(args=lambda: (values(6, 3),))
    def closure_over_arrays_and_a_function(v):
        for i in range(rounds):
            v = layer(v) * offset
        return v

    return closure_over_arrays_and_a_function


def make_pair(a, b):
    def first(v):
        return a * v

    def second(v):
        return b * first(v) + v

    @program(args=lambda: (0.7,))
    def closure_names_like_parameters(v):
        return second(v) * first(v + a)

    return closure_names_like_parameters


def make_nested():
    scale = 1.7

    def middle(power):
        @program(args=lambda: (0.7,))
        def closure_of_two_levels(v, g=0.3):
            return scale * v**power + g

        return closure_of_two_levels

    return middle(3)


scaled = make_scaled(2.5)
affine = make_affine(np.array([[0.3, -0.2, 0.5], [1.0, 0.4, -0.7], [0.2, 0.9, 0.1]]), WEIGHTS, 2)
pair = make_pair(1.4, -0.6)
nested = make_nested()


PLACES = [0, 2, 2]
COLUMN = {"u": 1, "v": 3}
BLOCKS = {"left": [0, 1], "right": [2, 3, 3]}
BONDS = [(0, 1), (1, 2), (2, 0)]
POLYNOMIAL = [1.0, -2.0, 0.5]


@program(args=lambda: (values(31, 4),), variants=[lambda: (values(31, 4, dtype=np.float32),)])
def places_in_a_list_outside(v):
    y = 2 * v
    y[PLACES] = v[PLACES] ** 2
    return np.sum(y * v[PLACES[1]])


@program(args=lambda: (values(32, 4), "v"), variants=[lambda: (values(32, 4), "u")])
def place_in_a_dict_outside(v, name):
    return v[COLUMN[name]] ** 2 * v[COLUMN["u"]]


@program(args=lambda: (values(33, 4),))
def blocks_in_a_dict_outside(v):
    s = 1.0
    for name, places in BLOCKS.items():
        s = s * np.sum(v[places] ** 2) + len(name)
    return s


@program(args=lambda: (values(34, 3, 2),))
def bonds_in_a_list_outside(v):
    energy = 0.0
    for i, j in BONDS:
        energy += np.sum((v[i] - v[j]) ** 2)
    return energy + sum(v[i, 0] * v[j, 1] for i, j in BONDS)


@program(args=lambda: (values(35, 3),))
def polynomial_in_a_list_outside(v):
    s = 0.0
    for c in POLYNOMIAL:
        s = s * v + c
    return s


@program(args=lambda: (values(36, 4), [[0, 2], [1], [3, 3, 0]]))
def groups_of_places(v, groups):
    s = 1.0
    for places in groups:
        s = s * np.sum(v[places] ** 2)
    return s


last = None
best = 9.0
total = 0.0


@program(args=lambda: (values(37, 3),))
def keeps_the_last(x):
    global last, best
    last = np.sin(x) * 2
    best = np.sum(last * x)
    if best > 1.0:
        best = best * last[0]
    return best + np.sum(last**2)


@program(args=lambda: (values(38, 4), 1.3), wrt=(0, 1))
def total_of_the_module(x, c):
    global total
    total = 0.0
    for v in x:
        total = total + v * total + c
        if total > 50.0:
            break
    return total * c


LENGTHS = [3]


@program(args=lambda: (values(8, 3), values(9, 3)), wrt=(0, 1))
def arrays_of_shapes_from_outside(x, y):
    z = np.zeros(LENGTHS, dtype=complex)
    z += x + 1j * y
    total = np.empty(np.broadcast_shapes(np.shape(x), np.shape(y)))
    total[...] = y
    total *= np.abs(z)
    return np.sum(total)
