"""Lists of dicts and of objects that stand in objects and dicts: networks of layers, systems of bodies, logs."""

from dataclasses import dataclass, field

import numpy as np

from . import program, values


@dataclass
class Layer:
    weights: np.ndarray
    bias: np.ndarray

    def __call__(self, h):
        return np.tanh(self.weights @ h + self.bias)


class Network:
    def __init__(self, theta, sizes):
        self.layers = []
        start = 0
        for n, m in zip(sizes[:-1], sizes[1:]):
            weights = theta[start : start + n * m].reshape(m, n)
            start += n * m
            self.layers.append(Layer(weights, theta[start : start + m]))
            start += m

    def forward(self, h):
        for layer in self.layers:
            h = layer(h)
        return h

    def penalty(self):
        return sum(np.sum(layer.weights**2) for layer in self.layers)


class Body:
    def __init__(self, mass, x, v=0.0):
        self.mass = mass
        self.x = x
        self.v = v

    def kick(self, force, dt):
        self.v = self.v + force / self.mass * dt

    def drift(self, dt):
        self.x = self.x + self.v * dt

    def energy(self):
        return 0.5 * self.mass * self.v**2


class System:
    def __init__(self, stiffness=1.0):
        self.bodies = []
        self.stiffness = stiffness
        self.time = 0.0

    def add(self, mass, x, v=0.0):
        self.bodies.append(Body(mass, x, v))
        return self

    def force_on(self, body):
        return -self.stiffness * body.x

    def step(self, dt):
        for body in self.bodies:
            body.kick(self.force_on(body), dt)
        for body in self.bodies:
            body.drift(dt)
        self.time += dt

    def coupled(self, dt):
        bodies = self.bodies
        for i in range(len(bodies)):
            for j in range(i + 1, len(bodies)):
                a, b = bodies[i], bodies[j]
                pull = self.stiffness * (b.x - a.x)
                a.v += dt * pull / a.mass
                b.v -= dt * pull / b.mass
        for body in bodies:
            body.drift(dt)

    @property
    def center(self):
        total = sum(b.mass for b in self.bodies)
        return sum(b.mass * b.x for b in self.bodies) / total

    def energy(self):
        return sum(b.energy() for b in self.bodies)

    def keep_those_left_of(self, wall):
        self.bodies = [b for b in self.bodies if b.x < wall]


class Log:
    def __init__(self):
        self.rows = []
        self.count = 0

    def note(self, t, value):
        self.rows.append({"t": t, "value": value})
        self.count += 1

    def mean(self):
        return sum(row["value"] for row in self.rows) / self.count


@dataclass
class Model:
    scale: float
    layers: list = field(default_factory=list)

    def with_layer(self, weights, bias):
        self.layers.append(Layer(weights, bias))
        return self


def moved(state, dt):
    for body in state["bodies"]:
        body["x"] += dt * body["v"]
        body["v"] -= dt * np.sin(body["x"])
    state["t"] += dt


@program(args=lambda: (0.4 * values(1, 13),), variants=[lambda: (0.2 * values(2, 13),)])
def layers_of_a_network(theta):
    network = Network(theta, (2, 3, 1))
    error = 0.0
    for h in (np.array([0.3, -0.2]), np.array([1.0, 0.5])):
        error += np.sum((network.forward(h) - 0.1) ** 2)
    return error + 0.01 * network.penalty()


@program(args=lambda: (values(3, 3), 0.1), wrt=(0, 1), variants=[lambda: (values(4, 1), 0.2)])
def bodies_of_a_system(x, dt):
    system = System(1.5)
    for k, place in enumerate(x):
        system.add(1.0 + k, place)
    for _ in range(3):
        system.step(dt)
    return system.energy() + system.center * system.time


@program(args=lambda: (values(5, 3), 0.7), wrt=(0, 1))
def bodies_that_pull_each_other(x, stiffness):
    system = System(stiffness).add(1.0, x[0]).add(2.0, x[1]).add(0.5, x[2], 0.3)
    for _ in range(3):
        system.coupled(0.1)
    return system.energy()


@program(args=lambda: (values(6, 3),), variants=[lambda: (values(7, 2),)])
def log_in_an_object(x):
    log = Log()
    y = x[0]
    for k in range(4):
        y = np.sin(y) * x[1] + 0.1 * k
        log.note(0.5 * k, y * y)
    last = log.rows[-1]
    return log.mean() + last["t"] * last["value"]


@program(args=lambda: (values(8, 3), 0.1), wrt=(0, 1), variants=[lambda: (values(9, 2), 0.3)])
def bodies_in_a_dict(x, dt):
    state = {"bodies": [], "t": 0.0}
    for place in x:
        state["bodies"].append({"x": place, "v": 0.3 * place})
    for _ in range(3):
        moved(state, dt)
    return sum(body["x"] * body["v"] for body in state["bodies"]) + state["t"]


@program(args=lambda: (np.array([0.3, 1.2, 0.8]),), variants=[lambda: (np.array([2.0, 0.1]),)])
def those_that_stay(x):
    system = System()
    for place in x:
        system.add(1.0, place, place**2)
    system.keep_those_left_of(1.0)
    system.add(2.0, x[0], 0.5)
    system.step(0.2)
    return system.energy() * len(system.bodies)


@program(args=lambda: (values(10, 3),))
def layers_of_a_dataclass(x):
    model = Model(x[2])
    model.with_layer(x[0] * np.eye(2), x[:2]).with_layer(
        np.ones((2, 2)) * x[1], np.array([x[0], 0.1])
    )
    h = np.array([0.1, 0.2])
    for layer in model.layers:
        h = layer(h)
    return np.sum(h) * model.scale


@program(args=lambda: (values(11, 3),))
def one_system_beside_another(x):
    left, right = System(), System(2.0)
    for k, place in enumerate(x):
        if k % 2:
            left.bodies.append(Body(1.0, place, x[0]))
        else:
            right.add(1.5, place**2)
    right.bodies[0].v = left.bodies[0].x
    for a, b in zip(left.bodies, right.bodies):
        a.x, b.x = b.x, a.x
    left.step(0.1)
    right.step(0.2)
    return left.energy() - right.energy() * left.center


@program(args=lambda: (values(12, 3),))
def an_element_that_is_replaced(x):
    system = System()
    for place in x:
        system.add(1.0, place)
    system.bodies[1] = Body(2.0, x[0] * x[2], x[1])
    first = system.bodies[0]
    first.v = first.x * 3
    system.bodies[-1].kick(x[0], 0.5)
    return system.energy() + first.x


@dataclass
class Bond:
    coupon: float
    years: int
    weight: float = 1.0

    def price(self, rate):
        price = 1.0 / (1 + rate) ** self.years
        for t in range(1, self.years + 1):
            price += self.coupon / (1 + rate) ** t
        return price


class Portfolio:
    def __init__(self):
        self.bonds = []

    def add(self, bond):
        self.bonds.append(bond)

    def value(self, rate):
        return sum(b.weight * b.price(rate) for b in self.bonds)


class Surface:
    def __init__(self, radius, thickness, index):
        self.curvature = 1.0 / radius
        self.thickness = thickness
        self.index = index


class Lens:
    def __init__(self, surfaces):
        self.surfaces = surfaces
        self.count = len(surfaces)

    def traced(self, height, angle):
        index = 1.0
        for s in self.surfaces:
            angle = (index * angle - height * (s.index - index) * s.curvature) / s.index
            height = height + angle * s.thickness
            index = s.index
        return height, angle


@program(args=lambda: (np.array([0.05, 0.03, 0.04]),))
def bonds_of_a_portfolio(x):
    portfolio = Portfolio()
    portfolio.add(Bond(x[0], 3))
    portfolio.add(Bond(x[1], 5, 2.0))
    return portfolio.value(x[2])


@program(args=lambda: (np.array([3.0, 9.0, 0.5]),))
def surfaces_of_a_lens(x):
    rows = [(x[0], x[2], 1.5), (-x[1], 2.0, 1.0)]
    lens = Lens([Surface(*row) for row in rows])
    height, angle = lens.traced(1.0, 0.0)
    return height**2 + angle * lens.count


@program(args=lambda: (0.4 * values(13, 13), values(14, 4)), wrt=(0, 1))
def errors_of_a_network(theta, targets):
    network = Network(theta, (2, 3, 1))
    inputs = np.array([[0.3, -0.2], [1.0, 0.5], [0.1, 0.0], [-0.7, 0.4]])
    return sum((network.forward(h)[0] - t) ** 2 for h, t in zip(inputs, targets)) / len(targets)


class Bead:
    def __init__(self, x, m=1.0):
        self.x = x
        self.m = m


def beads_of(x):
    return [Bead(v, 1.0 + 0.5 * k) for k, v in enumerate(x)]


@program(args=lambda: (values(81, 3),), variants=[lambda: (values(82, 4),)])
def counted_from_the_end_before_more_come(x):
    beads = beads_of(x)
    k = len(beads) - len(x) - 1
    last = beads[k]
    beads.append(Bead(x[0] * 7))
    last.x *= 2
    return last.x**2 + sum(b.x * b.m for b in beads)


@program(args=lambda: (values(83, 3),))
def the_same_from_either_end(x):
    beads = beads_of(x)
    total = 0.0
    for k in range(-3, 3):
        one = beads[k]
        for j, other in enumerate(beads):
            if one is not other:
                total += one.x * other.x * j
                other.x += one.m * x[0]
    return total


@program(args=lambda: (values(84, 3),), variants=[lambda: (values(85, 1),)])
def back_by_as_many(x):
    beads = beads_of(x)
    total = 0.0
    for back in range(len(beads)):
        one = beads[-back]
        total += one.x**2 * back + one.m * one.x
        beads[back].x += one.x
    return total
