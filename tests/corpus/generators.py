"""Generator functions of the user's: run over, collected, delegating, methods."""

import numpy as np

from . import program, values


def squares(x):
    for v in x:
        yield v * v


def steps(x, end, dt):
    t = 0.0
    while t < end:
        yield t, x
        x = x + dt * np.sin(x)
        t += dt


def pieces(x, size):
    for k in range(0, len(x), size):
        yield x[k : k + size]


def both(x, y):
    yield from x
    if len(y) > 2:
        return
    yield x[0] * y[0]
    yield from squares(y)


class Weighted:
    def __init__(self, weight):
        self.weight = weight

    def items_of(self, x):
        for k, v in enumerate(x):
            if k % 2:
                continue
            yield v * self.weight


@program(args=lambda: (values(1, 4),), variants=[lambda: (values(1, 0),)])
def run_over(x):
    s = 0.0
    for k, v in enumerate(squares(x)):
        s += v * x[k]
    return s


@program(args=lambda: (1.3,))
def trajectory(x0):
    return sum(t * x for t, x in steps(x0, 1.0, 0.2))


@program(args=lambda: (values(2, 5),))
def left_early(x):
    s = 1.0
    for v in squares(x):
        if v > 1:
            break
        s = s * v + x[0]
    return s


def spread_of(w, piece):
    return np.sum((w * piece - piece[0]) ** 2)


@program(args=lambda: (values(3, 5), 0.7), wrt=(0, 1))
def piece_by_piece(x, w):
    total = 0.0
    for piece in pieces(x, 2):
        total += spread_of(w, piece)
    return total


@program(args=lambda: (values(4, 3), values(5, 2)), variants=[lambda: (values(4, 3), values(5, 3))])
def one_delegates_to_another(x, y):
    z = np.array(list(both(x, y)))
    return np.sum(z[1:] * z[:-1])


@program(args=lambda: (values(6, 4),))
def of_an_object(x):
    first, *rest = Weighted(x[1]).items_of(x)
    return first * sum(rest) + max(squares(x))


@program(args=lambda: (values(7, 3),))
def of_a_function_inside(x):
    scale = x[0]

    def scaled():
        for v in x:
            yield v * scale

    return np.sum(np.fromiter(scaled(), float) ** 2)


def weights_of(n, decay):
    weight = 1.0
    for _ in range(n):
        yield weight
        weight *= decay


@program(args=lambda: (values(8, 4), 0.6), wrt=(0, 1), variants=[lambda: (values(8, 1), 0.6)])
def weighed_by_a_generator(x, decay):
    weights = list(weights_of(len(x), decay))
    return np.dot(weights, x**2) / sum(weights)


@program(args=lambda: (values(1, 4),), variants=[lambda: (values(1, 1),), lambda: (values(1, 0),)])
def items_that_are_counted_only(x):
    total = 1.0
    for _ in squares(x):
        total = total * 0.9 + np.sum(x)
    for _ in squares(x):
        return total * total
    return total
