"""What classes say: operators of their own, questions about objects, methods that other methods call."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import program, values


class Vector:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return self + (-other)

    def __mul__(self, k):
        return Vector(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    def __getitem__(self, i):
        return self.x if i == 0 else self.y

    def __len__(self):
        return 2

    def __abs__(self):
        return np.sqrt(self @ self)

    def __lt__(self, other):
        return np.sum(self @ self) < np.sum(other @ other)


@program(args=lambda: (0.7,), variants=[lambda: (values(1, 3),), lambda: (np.float32(0.7),)])
def operators_of_a_class(x):
    a, b = Vector(x, 1.0), Vector(2.0, x * x)
    c = a + b * 2.0 - 3.0 * a
    if a < b:
        c = c + a
    return np.sum(c @ a + abs(c) + (-c)[0] * len(c))


@program(args=lambda: (0.7, 3), variants=[lambda: (values(2, 2), 2)], wrt=(0,))
def operators_that_update(x, n):
    position, velocity = Vector(x, 1.0), Vector(1.0, x * x)
    for _ in range(n):
        velocity = velocity - position * 0.1
        position += velocity * 0.1
    return np.sum(position @ position)


class Gain:
    """Operators of an object that carries no derivative itself, but meets what does."""

    def __init__(self, k):
        self.k = k

    def __eq__(self, other):
        return np.array_equal(self.k, other.k)

    def __call__(self, x):
        return self * x

    def __mul__(self, x):
        return self.k * x

    def __rmul__(self, x):
        return x * x * self.k

    def __rsub__(self, x):
        return self.k * (x - 1.0)

    def __matmul__(self, x):
        return np.sum(self.k * x * x)

    def __getitem__(self, x):
        return np.exp(self.k * x)


@program(args=lambda: (Gain(3.0), 0.7), wrt=(1,), variants=[lambda: (Gain(values(1, 3)), 0.7)])
def operators_of_an_object_that_stays(gain, x):
    y = gain * x + x * gain
    return np.sum(y - gain[x] + gain(x)) + gain @ x + np.sum((x - gain) ** 2)


class Body:
    def __init__(self, position, velocity):
        self.position = position
        self.velocity = velocity

    def step(self, dt):
        self.velocity = self.velocity - self.position * dt
        self.position += self.velocity * dt


@program(args=lambda: (0.7,), variants=[lambda: (values(3, 2),)])
def objects_that_hold_objects_anew(x):
    body = Body(Vector(x, 1.0), Vector(1.0, x))
    d = {"far": body.position}
    for _ in range(3):
        body.step(0.1)
        body.position = body.position + body.velocity
        d["far"] = d["far"] + body.position
    return np.sum(body.position @ d["far"])


@dataclass(frozen=True)
class Dual:
    value: Any
    slope: Any = 0.0

    def __add__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value + other.value, self.slope + other.slope)

    __radd__ = __add__

    def __mul__(self, other):
        if not isinstance(other, Dual):
            other = Dual(other)
        slope = self.value * other.slope + self.slope * other.value
        return Dual(self.value * other.value, slope)

    __rmul__ = __mul__


@program(args=lambda: (0.7,))
def dual_numbers(x):
    d = Dual(x, 1.0)
    e = 2.0 * d * d + d * 3.0 + 1.0
    return e.value * e.slope


class Shape(ABC):
    sides = 4

    @abstractmethod
    def area(self): ...


class Circle(Shape):
    sides = 0

    def __init__(self, radius):
        self.radius = radius

    def area(self):
        return np.pi * self.radius**2


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side**2


def circumference(shape):
    if isinstance(shape, Circle):
        return 2 * np.pi * shape.radius
    elif isinstance(shape, (Square, Shape)):
        return 4 * shape.side
    raise TypeError(shape)


@program(args=lambda: (0.7,), variants=[lambda: (values(4, 3),)])
def isinstance_of_objects(x):
    total = circumference(Circle(x)) * circumference(Square(x * x))
    for shape in (Square(x), Circle(2 * x)):
        if isinstance(shape, Circle) and hasattr(shape, "radius"):
            total = total + shape.radius
        total = total * shape.area() + shape.sides
    return np.sum(total)


@program(args=lambda: (0.7,), variants=[lambda: (values(5, 3),)])
def getattr_of_objects(x):
    circle, total = Circle(x), 0.0
    for name in ("radius", "side", "sides"):
        total = total + getattr(circle, name, 3.0) * x
    if not hasattr(circle, "side"):
        total = total * getattr(circle, "radius")
    return np.sum(total)


def summed_squares(tree):
    if isinstance(tree, dict):
        return sum(summed_squares(branch) for branch in tree.values())
    if isinstance(tree, (list, tuple)):
        return sum([summed_squares(branch) for branch in tree])
    return np.sum(tree**2)


@program(args=lambda: (0.7,), variants=[lambda: (values(6, 3),)])
def trees_of_containers(x):
    return summed_squares({"a": x, "b": [x, x * x], "c": {"d": (x, np.sin(x))}})


@program(args=lambda: (0.7,), variants=[lambda: (values(7, 3),)])
def isinstance_of_numbers(x):
    if isinstance(x, np.ndarray):
        return np.sum(x**3)
    if isinstance(x, (list, dict)):
        return 0.0
    return x * x if isinstance(x, float) else x


class Stack:
    def __init__(self, scale=1.0):
        self.scale = scale
        self.items = []

    def push(self, v):
        self.items.append(v)
        return self

    def times(self, k):
        self.scale = self.scale * k
        return self

    def total(self):
        return self.scale * sum(self.items)


@program(args=lambda: (0.7,), variants=[lambda: (values(8, 3),)])
def methods_that_return_self(x):
    stack = Stack(x).push(np.sum(x)).times(2.0).push(x * x)
    other = Stack().push(x).push(1.0)
    other.push(stack.push(x).scale).times(x)
    stack.times(other.scale)
    for k in range(2):
        stack.push(x * k).times(0.5)
    return np.sum(stack.total() * other.times(3.0).total())


def noted(d, v):
    d["sum"] = d["sum"] + v
    return d


@program(args=lambda: (0.7, 3), variants=[lambda: (values(9, 2), 2)], wrt=(0,))
def functions_that_return_what_they_change(x, n):
    d = {"sum": x}
    for k in range(n):
        d = noted(d, x * x * k)
    return np.sum(noted(d, x)["sum"] * d["sum"])


class Tracker:
    def __init__(self):
        self.seen, self.count = [], 0

    def __call__(self, v):
        self.seen.append(v)
        self.count += 1
        return self.seen[-1] * self.seen[0]


@program(args=lambda: (values(10, 3),), variants=[lambda: (values(11, 1),)])
def lists_that_objects_make(x):
    tracker, total = Tracker(), 0.0
    for v in x:
        total += tracker(v)
    other = Tracker()
    other.seen.append(total)
    return total * tracker.count + sum(tracker.seen) * other.seen[0]


@program(args=lambda: (0.7,), variants=[lambda: (values(12, 2),)])
def objects_that_change_names(x):
    a, b = Vector(x, 1.0), Vector(x * x, 2.0)
    a, b = b, a
    a.x = 5 * x * a.x
    c = a
    c.y = c.y * x
    return np.sum(c @ b + c.x)


@dataclass
class Beam:
    width: Any
    height: Any = 2.0
    sides: Any = field(init=False, default=4.0)
    notes: list = field(default_factory=list)

    def __post_init__(self):
        if np.ndim(self.width) > 3:
            raise ValueError("too many axes")
        self.height = self.height * self.sides
        self.area = self.width * self.height
        self.notes.append(self.area)

    def total(self):
        return self.area + sum(self.notes) * self.height


@dataclass
class Column(Beam):
    load: Any = 3.0

    def __post_init__(self):
        super().__post_init__()
        self.stress = self.load / self.area


def made_beam(x):
    return Beam(x, x)


@program(args=lambda: (0.7,), variants=[lambda: (values(13, 3),)])
def dataclasses_that_settle_themselves(x):
    beam, column = Beam(x), Column(x * x, load=x)
    beam.notes.append(x * beam.area)
    beams = [made_beam(x), beam]
    return np.sum(beam.total() * column.stress + sum([b.total() for b in beams]))


class Probe:
    def __init__(self, celsius):
        self._celsius = celsius
        self.seen = []

    @property
    def fahrenheit(self):
        return self._celsius * 1.8 + 32

    @fahrenheit.setter
    def fahrenheit(self, v):
        if np.any(v > 1e6):
            raise ValueError("too hot")
        self._celsius = (v - 32) / 1.8
        self.seen.append(v)


def warmed(probe, k):
    probe.fahrenheit = probe.fahrenheit * k


@program(args=lambda: (0.7,), variants=[lambda: (values(14, 3),)])
def properties_that_are_set(x):
    probe, other = Probe(x), Probe(1.0)
    for _ in range(2):
        probe.fahrenheit = probe.fahrenheit * x
    other.fahrenheit = probe._celsius * x
    warmed(other, 0.5)
    setattr(probe, "_celsius", probe._celsius * other.fahrenheit)
    return np.sum(probe.fahrenheit * other._celsius + sum(probe.seen))


class LateAverage:
    def __init__(self):
        self.state = None

    def step(self, v):
        self.state = v if self.state is None else 0.5 * v + 0.5 * self.state
        return self.state


def averaged(average, x):
    s = 0.0
    for v in x:
        s += average.step(v) * v
    return s


@program(args=lambda: (values(61, 4),), variants=[lambda: (values(61, 0),)])
def state_that_is_none_at_first(x):
    average = LateAverage()
    return averaged(average, x) * averaged(average, x * x)


class Tally:
    def __init__(self, total):
        self.total = total
        self.count = 0

    def __iadd__(self, v):
        self.total = self.total + v
        self.count += 1
        return self

    def __imul__(self, v):
        return Tally(self.total * v)


@program(args=lambda: (values(62, 4),), variants=[lambda: (values(62, 0),)])
def objects_change_by_operators(x):
    sums = Tally(2.0)
    for v in x:
        sums += v * v
    kept = Tally(np.sum(x))
    kept *= sums.total
    kept += 1.0
    return kept.total * sums.total * (kept.count + sums.count)


class Bent:
    def __init__(self, weight, offset):
        self.weight = weight
        self.offset = offset

    def __call__(self, x):
        return np.tanh(self.weight * x + self.offset)

    def shrink(self, factor):
        self.weight = self.weight * factor


class Chain:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def shrink(self, factor):
        for layer in self.layers:
            layer.shrink(factor)

    def penalty(self):
        return sum(np.sum(layer.weight**2) for layer in self.layers)


@program(args=lambda: (0.7, values(2, 3)), wrt=(0, 1))
def objects_that_an_object_is_given(w, x):
    net = Chain([Bent(w, 0.5), Bent(w * w, x[0])])
    net.shrink(0.8)
    return np.sum(net(x)) + net.penalty()


@program(args=lambda: (0.7, values(2, 3)), wrt=(0, 1))
def objects_in_given_objects(w, x):
    return np.sum(Chain([Bent(w, 0.5), Chain([Bent(x, 0.1)])])(x))


class Part:
    """No __init__ of its own: that of `object` stands behind it."""

    def area(self):
        raise NotImplementedError

    @property
    def doubled(self):
        return 2 * self.area()

    @staticmethod
    def half(x):
        return x / 2


class Disc(Part):
    def __init__(self, radius):
        super().__init__()
        self.radius = radius

    def area(self):
        return 3.0 * self.radius**2

    @property
    def doubled(self):
        return super().doubled + super().half(self.radius)


class Thickened(Disc):
    def __init__(self, thickness, *args, **options):
        super(Thickened, self).__init__(*args, **options)
        self.thickness = thickness

    def area(self):
        return super().area() * self.thickness


class Named:
    def __init__(self, *args, name="part", **options):
        super().__init__(*args, **options)
        self.name = name


class NamedDisc(Named, Thickened):
    pass


@program(args=lambda: (values(1, 3),))
def what_super_gives(x):
    disc, thick = Disc(x[0]), Thickened(x[1], radius=x[0])
    named = NamedDisc(x[2], x[1], name="third")
    return disc.doubled * thick.area() + thick.doubled * named.area() + named.doubled


class Bump:
    def __init__(self, width):
        self.width = width
        self.height = np.array([1.0, 0.5, 2.0])

    def __call__(self, x):
        return self.height * np.exp(-((x / self.width) ** 2))

    def area(self, x):
        return np.sum(self(x)) * self.width


bump = Bump(1.3)


@program(args=lambda: (values(61, 3),))
def objects_of_the_module_that_are_called(x):
    kernel = bump
    y = [np.sum(bump(v * x)) for v in x]
    return sum(map(np.sum, y)) * bump.area(x) + kernel(x) @ x


class Spectrum:
    kind = np.float64

    class Peak:
        share = 0.5

        def __init__(self, height, width):
            self.height = height
            self.width = width

        def area(self):
            return self.share * np.sum(self.height * self.width)

    def __init__(self, counts):
        self.counts = np.asarray(counts, dtype=self.kind)

    def peak(self, width):
        return self.Peak(self.counts**2, width)


class WideSpectrum(Spectrum):
    class Peak(Spectrum.Peak):
        share = 2.0


@program(args=lambda: (values(3, 4),), variants=[lambda: (values(3, 2, 3),)])
def classes_that_classes_hold(x):
    return Spectrum(x).peak(np.sin(x)).area() * WideSpectrum(x * 2).peak(x).area()


class Vessel:
    density = 1.5

    def __init__(self, radius):
        self.radius = radius

    @staticmethod
    def outflow(height):
        return np.sqrt(2 * 9.81 * height)

    def area(self):
        return np.pi * self.radius**2

    def drained(self, height, dt):
        self.radius = self.radius * self.outflow(height * dt)
        return self.density * self.area() * self.outflow(2.0)


class Funnel(Vessel):
    @staticmethod
    def outflow(height):
        return height**2


@program(args=lambda: (1.3, 0.7), wrt=(0, 1))
def static_methods_of_objects_made_here(radius, height):
    vessel, funnel = Vessel(radius), Funnel(height)
    total = vessel.drained(height, 0.5) * funnel.outflow(radius)
    return total + funnel.drained(radius, 0.2) * vessel.outflow(3.0)


class _Remembering:
    def __init__(self, weights, shift):
        self.weights = weights
        self.shift = shift
        self.outputs = []

    def __call__(self, x):
        y = np.tanh(self.weights * x + self.shift)
        self.outputs.append(y)
        return y


def _after_a_sum_of_nothing(x):
    layer = _Remembering(x * x[1], x[1])
    before = (
        sum(y for y in layer.outputs) + layer.weights[0]
    )  # 0 + a number: of which type is not known
    after = np.sum(layer(np.array([0.3, 1.1, 0.7, 1.9]))) + layer.shift
    return after + before


@program(args=lambda: (values(3, 4),))
def sum_of_nothing_in_a_helper(x):
    return _after_a_sum_of_nothing(x)
