"""Lists of dicts and of objects that grow, and whose elements are changed."""

from dataclasses import dataclass

import numpy as np

from . import program, values


@dataclass
class Mover:
    x: float
    v: float = 1.0
    label: str = "mover"
    height = 2.0

    def step(self, dt):
        self.x = self.x + self.v * dt

    def energy(self):
        return 0.5 * self.v**2 + self.x * self.height

    @property
    def speed(self):
        return self.v**2

    def pulled(self, other, k):
        self.v += k * (other.x - self.x)


class Planet:
    def __init__(self, position, mass):
        self.position = np.array(position, dtype=float)
        self.velocity = np.zeros(2)
        self.mass = mass

    def kick(self, force, dt):
        self.velocity += force / self.mass * dt

    def drift(self, dt):
        self.position = self.position + self.velocity * dt


def advanced(movers, dt):
    for mover in movers:
        mover.step(dt)


def energy_of(movers):
    total = 0.0
    for mover in movers:
        total += mover.energy() * mover.x
    return total


def movers_at(x):
    return [Mover(v, v**2) for v in x]


@program(args=lambda: (values(1, 3),), variants=[lambda: (-values(2, 3),)])
def history_in_dicts(x):
    history = []
    y = x[0]
    for k in range(4):
        y = y * x[1] + np.sin(x[2] * k)
        history.append({"step": k, "y": y, "rate": y * 0.1})
    late = sum(row["rate"] for row in history if row["step"] > 1)
    return late + history[-1]["y"] * history[0]["rate"] + len(history)


@program(args=lambda: (values(3, 3),), variants=[lambda: (values(4, 2),), lambda: (values(5, 0),)])
def objects_in_a_comprehension(x):
    movers = [Mover(v, 2 * v) for v in x]
    total = 1.0
    for k, mover in enumerate(movers):
        mover.x += 0.1 * mover.v * k
        total += mover.x**2
    return total


@program(args=lambda: (values(6, 4),), variants=[lambda: (values(7, 2),)])
def methods_that_change_elements(x):
    movers = []
    for v in x:
        movers.append(Mover(v))
    for _ in range(2):
        for mover in movers:
            mover.step(0.1)
            mover.v *= 0.9
    return sum(mover.energy() * mover.speed for mover in movers)


@program(args=lambda: (values(8, 3),), variants=[lambda: (values(9, 4),)])
def every_pair_but_itself(x):
    movers = [Mover(v, 0.1 * v) for v in x]
    for one in movers:
        for other in movers:
            if one is not other:
                one.pulled(other, 0.1)
    return sum(mover.speed * mover.x for mover in movers)


@program(args=lambda: (values(10, 3),))
def pairs_by_indices(x):
    movers = [Mover(v, 0.1 * v) for v in x]
    for i in range(len(movers)):
        for j in range(i + 1, len(movers)):
            d = movers[j].x - movers[i].x
            movers[i].v += d * 0.1
            movers[j].v -= d * 0.1
            movers[j].pulled(movers[i], 0.2)
    return sum(mover.v**2 for mover in movers)


@program(args=lambda: (values(11, 3), 0.1), wrt=(0, 1))
def planets(x, dt):
    bodies = []
    for v in x:
        bodies.append(Planet([v, v**2], 1.0 + v**2))
    for _ in range(2):
        for body in bodies:
            force = np.zeros(2)
            for other in bodies:
                if other is body:
                    continue
                d = other.position - body.position
                force += other.mass * d / (d @ d + 0.1) ** 1.5
            body.kick(force, dt)
        for body in bodies:
            body.drift(dt)
    return sum(0.5 * b.mass * (b.velocity @ b.velocity) for b in bodies) + bodies[0].position[0]


@program(args=lambda: (values(12, 3), 0.3), wrt=(0, 1), variants=[lambda: (values(13, 1), 0.2)])
def lists_of_objects_given_to_functions(x, dt):
    movers = movers_at(x)
    advanced(movers, dt)
    before = energy_of(movers)
    advanced(movers, x[0])
    return before + energy_of(movers)


@program(args=lambda: (np.array([0.3, 1.2, 0.8, 0.4]),), variants=[lambda: (np.array([0.1]),)])
def survivors_go_on(x):
    movers = [Mover(v) for v in x]
    for _ in range(3):
        movers = [mover for mover in movers if mover.x > 0.25]
        for mover in movers:
            mover.x *= 0.9
    return sum(mover.x for mover in movers) + x[0]


@program(args=lambda: (values(14, 3),))
def new_lists_of_new_objects(x):
    movers = [Mover(v) for v in x]
    for _ in range(2):
        moved = []
        for mover in movers:
            moved.append(Mover(mover.x * x[0], mover.v + mover.x))
        movers = moved
    return sum(mover.x * mover.v for mover in movers)


@program(args=lambda: (values(15, 3), values(16, 3)), wrt=(0, 1))
def elements_beside_an_array(x, w):
    movers = [Mover(v, v * v) for v in x]
    total = 0.0
    for mover, a in zip(movers, w):
        mover.x *= a
        total += mover.x * mover.v
    for mover in reversed(movers):
        total = total * mover.x
    return total + sum(mover.v * a for mover, a in zip(movers, w))


@program(args=lambda: (values(17, 3),), variants=[lambda: (values(18, 2),)])
def arrays_in_rows(x):
    rows = [{"a": np.outer(x, x) * k, "k": k} for k in range(3)]
    for row in rows:
        row["a"][0] *= 2.0
        row["a"] += 1.0
    return sum(np.sum(row["a"] ** 2) * row["k"] for row in rows)


@program(args=lambda: (np.array([0.3, 0.7, 1.1]),), variants=[lambda: (np.array([1.5, 0.2, 0.1]),)])
def one_of_the_elements(x):
    movers = [Mover(v, v * v) for v in x]
    movers[1] = Mover(x[0], x[2])
    last = movers[-1]
    last.x = last.x * 3
    for mover in movers:
        if mover.x > 1.0:
            return mover.v * 3 + last.x
        mover.x = mover.x * 2
    return movers[0].x * movers[2].x


@program(args=lambda: (values(19, 3),))
def closures_over_lists_of_objects(x):
    movers = [Mover(v, v * v) for v in x]

    def kick(by):
        for mover in movers:
            mover.v += by

    kick(x[0])
    total = 0.0
    for mover in movers:
        kick(0.1)
        total += mover.v * mover.x
    return total


@program(args=lambda: (values(19, 3),))
def sums_over_objects_beside_others(x):
    movers = [Mover(x.copy()), Mover(x + 0.5, x[0])]
    found = {"first": movers[0].v, "all": sum(mover.v for mover in movers)}
    both = Mover(x[1], sum(mover.v for mover in movers))
    movers[-1].x = movers[-1].x * found["all"]
    return sum(np.sum(mover.x) * mover.v for mover in movers) * both.v


@program(args=lambda: (values(20, 3),))
def constants_of_objects(x):
    movers = [Mover(x), Mover(x, 4.0)]
    return np.sum(x) * sum(mover.v for mover in movers) * max([mover.v for mover in movers])
