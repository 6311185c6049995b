"""Objects made on the way: classes, dataclasses and named tuples; attributes set, methods that set them."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from . import program, values


class Particle:
    drag = 0.5

    def __init__(self, position, velocity=1.0):
        self.position = position
        self.velocity = velocity
        self.steps = 0

    def move(self, dt):
        self.position = self.position + dt * self.velocity
        self.velocity = self.velocity - dt * (self.position + self.drag * self.velocity)
        self.steps += 1

    def energy(self):
        return np.sum(self.position**2 + self.velocity**2) / self.steps


@program(args=lambda: (0.7, 1.3), variants=[lambda: (values(1, 3), values(2, 3))])
def particle_in_a_loop(x, v):
    particle = Particle(x, v)
    for _ in range(3):
        particle.move(0.1)
    return particle.energy()


@program(args=lambda: (0.7,), variants=[lambda: (np.float32(0.7),), lambda: (values(3, 2),)])
def attributes_of_attributes(x):
    p = Particle(x)
    p.trace = {"first": p.position * 2}
    p.trace["first"] = p.trace["first"] * p.velocity
    p.trace["second"] = np.sin(p.position)
    p.velocity = p.trace["first"] + p.trace["second"]
    return np.sum(p.velocity * p.position)


@program(args=lambda: (values(4, 3),), variants=[lambda: (values(4, 1),)])
def array_in_an_object(x):
    p = Particle(x * 2, np.zeros(len(x)))
    for i in range(len(x)):
        p.velocity[i] = p.position[i] ** 2
        p.position[i] *= p.velocity[i]
    p.velocity += p.position
    p.velocity *= 2.0
    return np.sum(p.velocity) * p.position[0]


@program(args=lambda: (0.7, 2.0), variants=[lambda: (0.7, -2.0), lambda: (values(5, 2), 1.0)])
def attribute_set_in_a_branch(x, c):
    p = Particle(x)
    if c > 0:
        p.position = p.position * x
        p.move(0.5)
    else:
        p.velocity = x * c
    return np.sum(p.position * p.velocity)


class Accumulator:
    def __init__(self):
        self.total = 0.0
        self.count = 0

    def add(self, v):
        self.total += v
        self.count += 1
        return self

    def __call__(self, v):
        self.total = self.total * 0.5 + v
        return self.total

    @property
    def mean(self):
        return self.total / self.count


@program(args=lambda: (values(6, 4),), variants=[lambda: (values(6, 1),)])
def accumulated(x):
    acc = Accumulator()
    for v in x:
        acc.add(v**2)
    return acc.mean


@program(args=lambda: (values(7, 3),), variants=[lambda: (values(7, 0),)])
def object_that_is_called(x):
    smooth = Accumulator()
    y = 1.0
    for v in x:
        y = y + smooth(v) * v
    return y


class Decaying(Accumulator):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def add(self, v):
        self.total = self.total * self.rate
        super().add(v)


@program(args=lambda: (values(8, 3), 0.9), variants=[lambda: (values(8, 0), 0.9)])
def inherited_methods_that_set(x, rate):
    acc = Decaying(rate)
    for v in x:
        acc.add(v)
    return acc.total * acc.rate


@dataclass
class State:
    x: Any
    v: Any
    k: float = 2.0

    def kinetic(self):
        return np.sum(self.v**2) / 2


def _euler(state, dt):
    return State(state.x + dt * state.v, state.v - dt * state.k * state.x, state.k)


@program(args=lambda: (0.3, 1.2), variants=[lambda: (values(9, 2), values(10, 2))])
def state_from_a_helper(x, v):
    state = State(x, v)
    for _ in range(3):
        state = _euler(state, 0.1)
    return state.kinetic() + np.sum(state.x) * state.k


@program(args=lambda: (0.3, 1.2), variants=[lambda: (values(9, 2), values(10, 2))])
def state_updated_in_place(x, v):
    state = State(x=x, v=v, k=3.0)
    for _ in range(3):
        state.x, state.v = state.x + 0.1 * state.v, state.v - 0.1 * state.k * state.x
        state.k *= 1.1
    return state.kinetic() + np.sum(state.x)


class Fit(NamedTuple):
    slope: Any
    offset: Any = 0.5


def _line(x, y):
    slope = np.sum(x * y) / np.sum(x * x)
    return Fit(slope, np.mean(y) - slope * np.mean(x))


@program(
    args=lambda: (values(11, 4), values(12, 4)), variants=[lambda: (values(11, 1), values(12, 1))]
)
def named_tuple_from_a_helper(x, y):
    fit = _line(x, y)
    other = Fit(fit.slope * 2)
    slope, offset = fit
    return np.sum((slope * x + fit.offset - y) ** 2) + other.slope * other[1] + offset


def _reset(state, to):
    state.x = to * 2
    state.k = 1.0


@program(args=lambda: (0.3, 1.2), variants=[lambda: (values(9, 2), values(10, 2))])
def helper_that_sets_attributes(x, v):
    state = State(x, v)
    y = np.sum(state.x) * state.k
    _reset(state, v)
    return y + np.sum(state.x * state.v) * state.k


def _summary(x):
    return {"mean": np.mean(x), "parts": (x * 2, [np.sum(x), x[0]])}


@program(args=lambda: (values(13, 3),), variants=[lambda: (values(13, 1),)])
def dict_from_a_helper(x):
    s = _summary(x)
    twice, rest = _summary(s["parts"][0])["parts"]
    return s["mean"] * s["parts"][1][0] + np.sum(twice) + rest[1]


def _scale(d, by):
    d["a"] = d["a"] * by
    d["n"] += 1
    return d["n"]


@program(args=lambda: (0.7, 1.3), variants=[lambda: (values(1, 3), 1.3)])
def dict_changed_by_a_helper(x, c):
    d = {"a": x, "n": 0}
    for _ in range(2):
        n = _scale(d, c * x)
    return np.sum(d["a"]) * d["n"] * n


class Scale:
    def __init__(self, by):
        self.by = by

    def __call__(self, x):
        return x * self.by


class Squash:
    def __call__(self, x):
        return np.tanh(x)


@program(args=lambda: (values(14, 3),), variants=[lambda: (values(14, 1),)])
def objects_of_several_classes(x):
    y = x
    for layer in [Scale(x), Squash(), Scale(x * x)]:
        y = layer(y)
    return np.sum(y)


@program(args=lambda: (values(15, 3),), variants=[lambda: (values(15, 1),)])
def objects_of_a_list_written_to(x):
    p, q = Particle(x[0], 0.5), Particle(x[-1] * 2)
    total = 0.0
    for k, particle in enumerate((p, q)):
        total = total + (k + 1) * np.sum(particle.position * particle.velocity)
    p.move(0.1)
    return total * p.energy() + q.position


class Body:
    def __init__(self, position, velocity=1.0):
        self.position = position
        self.velocity = velocity

    def move(self, dt):
        self.position = self.position + dt * self.velocity


@program(args=lambda: (values(16, 2),), variants=[lambda: (values(17, 2),)])
def bodies_that_move_in_every_step(x):
    bodies = [Body(x[0]), Body(x[1], 2.0)]
    for _ in range(3):
        for body in bodies:
            body.velocity = body.velocity - 0.1 * body.position
            body.move(0.1)
    return bodies[0].position * bodies[1].velocity


class Linear:
    slope = 0.5

    def __init__(self, weight, offset):
        self.weight = weight
        self.offset = offset

    def __call__(self, x):
        return np.tanh(self.weight * x + self.slope * self.offset)


class Network:
    def __init__(self, w, v):
        self.first = Linear(w, 0.1)
        self.second = Linear(v, w)
        self.layers = [self.first, self.second]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


@program(args=lambda: (values(18, 3),), variants=[lambda: (values(19, 1),)])
def network_of_objects(x):
    network = Network(x, x * x)
    return np.sum(network(x) * network.second.weight)


class Node:
    def __init__(self, value, following=None):
        self.value = value
        self.following = following


@program(args=lambda: (0.7,), variants=[lambda: (np.float32(0.7),), lambda: (values(20, 2),)])
def chain_of_objects(x):
    chain = Node(x, Node(np.sin(x), Node(x * 3)))
    last = Node(x)
    last.following = Node(chain.following.value * x)
    last.following.value = last.following.value * 2
    return np.sum(chain.following.following.value * last.following.value + chain.value)


class Gauge:
    level = 2.0

    def __init__(self, value):
        self.value = value

    def raised(self, by):
        self.value = self.value * by
        return self.value


@program(args=lambda: (values(21, 3),), variants=[lambda: (values(22, 2),)])
def attributes_in_tests_of_expressions(x):
    gauge = Gauge(x)
    gauge.level = 1
    options = {"at": 1, "x": x}
    y = x[0] if gauge.level < 1.5 else x[1]
    y += sum([v * v for v in x if v < gauge.level])
    z = np.zeros(len(x))
    np.put(z, [options["at"], 0], options["x"][0] * 2)
    return y * (z[gauge.level] if options["at"] == 1 else z[0])


@program(args=lambda: (0.7,), variants=[lambda: (np.float32(0.7),)])
def read_before_a_call_that_sets(x):
    gauge, d = Gauge(x), {"a": x}
    y = gauge.value + gauge.raised(x) * gauge.value
    parts = [gauge.value, gauge.raised(y), (gauge.value, 1.0)]
    z = d["a"] * 3 + _scaled(d, x) * d["a"]
    return z * _weighed(gauge, gauge.raised(2.0), gauge.value) + parts[0] * parts[1] * parts[2][0]


def _scaled(d, by):
    d["a"] = d["a"] * by
    return d["a"]


def _weighed(gauge, by, value):
    return gauge.value * by + value


class Holder:
    def __init__(self, held):
        self.held = held


@program(args=lambda: (values(23, 2),), variants=[lambda: (values(24, 3),)])
def list_of_an_object_replaced(x):
    holder = Holder([x[0], x[1]])
    before = holder.held
    before[0] = x[1] ** 2
    holder.held = [x[0] * 3, x[0], x[1]]
    d = {"held": [x[0], x[1]]}
    y = d["held"][1]
    d["held"] = [x[0], y * x[1], x[1]]
    return before[0] * holder.held[0] * d["held"][1]


def _pair(v):
    return {"both": (v, 1.0), "scale": 2.0}


@program(args=lambda: (0.7, 1), variants=[lambda: (0.7, -1), lambda: (values(25, 2), 1)])
def containers_with_and_without_a_derivative(x, c):
    state = {"pair": (1.0, 2.0), "x": x}
    holder = Holder({"a": 1.0, "b": 2.0})
    state["more"] = _pair(3.0)
    for _ in range(2):
        state["pair"] = (x * state["pair"][0], x * x)
    if c > 0:
        holder.held = {"a": x, "b": state["pair"][1]}
        state["more"] = {"both": (x, x), "scale": x * x}
    more = state["more"]
    total = holder.held["a"] * holder.held["b"] + state["pair"][0] * state["x"]
    return np.sum(total * more["both"][0] * more["scale"] + more["both"][1])


class Counter:
    def __init__(self):
        self.n = 1
        self.total = 0.0
        self.by_name = {"a": 1}

    def count(self):
        self.n += 1
        self.by_name["a"] += 2

    def counted(self, k):
        self.n = self.n + k
        return self.n

    def add(self, v):
        self.total = self.total + v


@program(args=lambda: (0.7,), variants=[lambda: (values(26, 2),)])
def counter_without_a_derivative(x):
    counter = Counter()
    y = x * counter.n + x
    for _ in range(2):
        counter.count()
        y = y * y * counter.n
        if counter.n > 2:
            y = y * counter.by_name["a"]
    while counter.n < 5:
        counter.count()
    return np.sum(y * counter.counted(2)) + np.sum(x) * counter.counted(1)


class Noise:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.draws = 0

    def __call__(self, shape):
        self.draws += 1
        return self.rng.normal(size=shape)


@program(args=lambda: (values(28, 3), 5), variants=[lambda: (values(29, 2, 2), 7)])
def noise_from_an_object(x, seed):
    noise = Noise(seed)
    y = 0.0
    for _ in range(2):
        y = y + np.sum(x**2 * noise(x.shape)) * noise.draws
    return y


class Slotted:
    __slots__ = ("scale", "value")

    def __init__(self, value):
        self.value = value
        self.scale = 2.0

    def grow(self, by):
        self.value = self.value * by
        self.scale = self.scale * 1.5


@dataclass(slots=True)
class SlottedPair:
    first: Any
    second: Any = 2.0


@program(args=lambda: (0.7,), variants=[lambda: (values(32, 3),)])
def objects_with_slots(x):
    slotted, pair = Slotted(x), SlottedPair(x * x)
    for _ in range(2):
        slotted.grow(x)
    pair.second = pair.second * slotted.value
    return np.sum(slotted.value * slotted.scale * pair.first * pair.second)


@dataclass
class Recorded:
    value: Any
    history: list = field(default_factory=list)
    options: dict = field(default_factory=dict)

    def step(self, by):
        self.value = self.value * by
        self.history.append(self.value)


@program(
    args=lambda: (values(33, 3),), variants=[lambda: (values(34, 1),), lambda: (values(35, 0),)]
)
def history_in_an_object(x):
    recorded = Recorded(2.0 * np.sum(x))
    other = Recorded(np.sum(x))
    seen = recorded.history
    for v in x:
        recorded.step(v + 1.0)
    recorded.history.append(np.sum(x))
    recorded.history[0] = seen[0] * recorded.value
    recorded.options["k"] = np.sum(x * x)
    return sum(recorded.history) * recorded.options["k"] + len(other.history)


@program(args=lambda: (values(36, 3),), variants=[lambda: (values(37, 2),)])
def lists_of_objects_and_dicts_changed(x):
    holder = Holder([x[0], x[1]])
    d = {"found": []}
    holder.held.append(x[0] ** 3)
    holder.held[0] = x[1] * 5
    holder.held += [x[1]]
    for v in x:
        d["found"].append(v * v)
    d["found"][1] *= x[0]
    holder.held = [holder.held[2], x[0] * 3]
    holder.held.append(x[0])
    return sum(holder.held) * d["found"][1] * holder.held[2]


class Namespace:
    pass


@program(args=lambda: (values(38, 3),), variants=[lambda: (values(38, 0),), lambda: (0.7,)])
def an_object_of_an_empty_class(x):
    made = Namespace()
    made.flat = x * 2
    made.flat = made.flat * x
    made.total = np.sum(made.flat)
    return made.total * np.sum(made.flat)


class Drifter:
    def __init__(self, position, velocity):
        self.position = position
        self.velocity = velocity

    def kick(self, acceleration):
        self.velocity = self.velocity + acceleration

    def drift(self, dt):
        self.position = self.position + dt * self.velocity


def body_at_rest(position, kick):
    body = Drifter(position, 0.0)
    body.kick(kick)
    return body


@program(args=lambda: (values(39, 3),), variants=[lambda: (values(40, 0),), lambda: (0.7,)])
def an_object_made_of_constants_elsewhere(x):
    body = body_at_rest(0.3, 0.2)
    return np.sum(x * body.velocity) + body.position


@program(args=lambda: (values(41, 3), 3), variants=[lambda: (values(42, 2), 0)])
def an_object_made_of_constants_that_moves(x, n):
    body = body_at_rest(0.3, 0.2)
    other = body_at_rest(x[0], 0.4)
    for k in range(n):
        body.kick(x[1] * body.position - other.velocity)
        body.drift(0.1 * (k + 1))
        other.drift(body.velocity)
    body.position = body.position + x[0]
    return body.position * body.velocity + other.position


@program(args=lambda: (values(43, 3),), variants=[lambda: (-values(44, 3),), lambda: (0.7,)])
def an_object_made_of_constants_on_one_path(x):
    if np.sum(x) > 0.0:
        body = body_at_rest(0.3, 0.2)
    else:
        body = body_at_rest(np.sum(x), 0.2)
    s = 0.0
    for k in range(2):
        fresh = body_at_rest(0.1 * k, 0.5)
        s += np.sum(x) * fresh.velocity
        fresh.kick(np.sum(x))
        s += fresh.velocity**2
    return s * body.velocity * np.sum(x * body.position)


class Order:
    def __init__(self, sign, quantity):
        self.sign = sign
        self.quantity = quantity


class Account:
    def __init__(self, cash):
        self.cash = cash
        self.held = 0.0

    def execute(self, order, price):
        self.cash = self.cash - order.sign * order.quantity * price
        self.held = self.held + order.sign * order.quantity
        return order.quantity * price


def pays(account, order):
    account.cash = account.cash - 0.01 * order.quantity**2


@program(args=lambda: (values(45, 4), 0.7), variants=[lambda: (values(46, 1), 0.7)], wrt=(0, 1))
def objects_made_for_methods_that_change_others(prices, quantity):
    account = Account(10.0)
    turnover = 0.0
    for k, price in enumerate(prices):
        turnover += account.held * account.execute(Order(1 - k % 2 * 2, quantity * (k + 1)), price)
        pays(account, Order(1, price))
    return account.cash + account.held * prices[-1] + turnover


class Knot:
    def __init__(self, mass, place):
        self.mass = mass
        self.place = place


class Spring:
    """It holds what it hangs on."""

    def __init__(self, one, other, stiffness):
        self.one = one
        self.other = other
        self.stiffness = stiffness

    def energy(self):
        return 0.5 * self.stiffness * (self.one.place - self.other.place) ** 2 * self.one.mass


@program(args=lambda: (values(11, 3),))
def objects_in_objects_made_several_on_a_line(x):
    a, b, c = Knot(1.0, x[0]), Knot(2.0, x[1]), Knot(3.0, x[2])
    springs = [Spring(a, b, 2.0), Spring(b, c, x[0])]
    return sum(s.energy() for s in springs) * b.place
