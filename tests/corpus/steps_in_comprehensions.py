"""Comprehensions whose calls change what is outside of them."""

import numpy as np

from . import program, values


class Integrator:
    """An exponential moving sum: each step changes it."""

    def __init__(self, keep):
        self.keep = keep
        self.total = 0.0

    def step(self, v):
        self.total = self.keep * self.total + v * v
        return self.total


@program(
    args=lambda: (values(1, 4),),
    variants=[lambda: (values(1, 1),), lambda: (values(1, 3, dtype=np.float32),)],
)
def steps_of_an_object(x):
    integrator = Integrator(0.5)
    r = [integrator.step(v) for v in x]
    return sum(r) * integrator.total


@program(args=lambda: (values(2, 4), 0.3), wrt=(0, 1), variants=[lambda: (values(2, 0), 0.3)])
def steps_of_an_object_that_keeps_its_argument(x, keep):
    integrator = Integrator(keep)
    y = np.array([integrator.step(v) for v in x if v > 0])
    return 0.5 * np.sum(y * y) + integrator.total * keep


@program(args=lambda: (values(3, 3),), variants=[lambda: (values(3, 2),)])
def steps_in_rows(x):
    integrator = Integrator(0.9)
    rows = [[integrator.step(v * w) for v in x] for w in x]
    for w in x:
        rows.append([integrator.step(v + w) for v in x])
    return rows[1][0] * rows[-1][1] + integrator.total


@program(args=lambda: (values(4, 4),), variants=[lambda: (values(4, 1),)])
def steps_in_a_sum(x):
    integrator = Integrator(0.7)
    y = x[0] * sum(integrator.step(v) for v in x)
    y += max(integrator.step(v * 2) for v in x)
    return y * integrator.total


@program(args=lambda: (values(5, 4),), variants=[lambda: (values(5, 2),)])
def until_steps_are_enough(x):
    integrator = Integrator(0.8)
    n = 1
    while sum([integrator.step(v) for v in x]) < 9.0 and n < 5:
        n += 1
    if sum([integrator.step(v) for v in x]) > 2.0:
        return integrator.total * n
    return integrator.total


@program(args=lambda: (values(6, 4),), variants=[lambda: (values(6, 1),), lambda: (values(6, 0),)])
def a_variable_around_steps(x):
    total = 1.0

    def add(v):
        nonlocal total
        total = total * 0.5 + v * v
        return total

    r = [add(v) + w for v, w in zip(x, x[::-1])]
    return np.sum(np.array(r) ** 2) * total


@program(args=lambda: (values(7, 3),))
def steps_that_are_unpacked(x):
    integrator = Integrator(0.6)
    first, *others = [integrator.step(v) for v in x]
    s = first * others[-1]
    for u in [integrator.step(v) for v in others]:
        s += u * integrator.total
    return s


@program(args=lambda: (values(8, 3),), variants=[lambda: (values(8, 1),)])
def an_array_around_is_bumped(x):
    y = x.copy()

    def bump(v):
        y[0] += v
        return y[0] * v

    return np.sum(y * sum([bump(v) for v in x]))
