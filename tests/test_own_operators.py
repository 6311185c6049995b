"""Named tuples whose class defines operators, order, truth or iteration: its methods are called, or it is refused."""

from __future__ import annotations

import operator
from collections import namedtuple
from typing import NamedTuple

import numpy as np
from every_mode import Function, each_refused, each_right, kept_in, refused_in

RIGHT: list[Function] = []
REFUSED: list[tuple[Function, str]] = []
right, refused = kept_in(RIGHT), refused_in(REFUSED)
X, X_DOT = np.array([0.7, 1.3]), np.array([0.3, -0.2])


class V(NamedTuple):
    x: float
    y: float

    def __add__(self, o):
        return V(self.x + o.x, self.y + o.y)

    def __sub__(self, o):
        return V(self.x - o[0], self.y - o[1])

    def __mul__(self, k):
        return V(self.x * k, self.y * k)

    def __rmul__(self, k):
        return self * k

    def __radd__(self, o):
        return self if o == 0 else V(o[0] + self.x, o[1] + self.y)

    def __matmul__(self, o):
        return self.x * o.x + self.y * o.y

    def __neg__(self):
        return V(-self.x, -self.y)

    def __and__(self, o):
        return self.x * o.y - self.y * o.x


class Task(NamedTuple):
    name: float
    prio: float

    def __lt__(self, o):
        return self.prio > o.prio

    def __gt__(self, o):
        return self.prio < o.prio

    def __eq__(self, o):
        return False

    def __bool__(self):
        return bool(self.prio > 1.0)

    def __contains__(self, v):
        return self.name <= v <= self.prio


class Flipped(NamedTuple):
    x: float
    y: float

    def __iter__(self):
        return iter((self.y, self.x))


class Counted(NamedTuple):
    x: float
    y: float

    def __len__(self):
        return 0


class Shifted(NamedTuple):
    x: float
    y: float

    def __getitem__(self, i):
        return 2.0 * self.x


class Growing(NamedTuple):
    x: float

    def __iadd__(self, o):
        return Growing(self.x * o)


class Turned(NamedTuple):
    x: float
    y: float

    def __abs__(self):
        return self.x**2

    def __round__(self):
        return self.y * 3


class Backwards(NamedTuple):
    x: float
    y: float

    def __reversed__(self):
        return [self.x, 2.0]


Plain = namedtuple("Plain", "x y")
ORIGIN = V(0.5, 0.25)


@right
def added(a):
    w = V(a[0], a[1]) + V(a[1], a[0] ** 2)
    return w[0] * w[1]


@right
def scaled(a):
    w = V(a[0], a[1]) * 2 + 3.0 * V(a[1], a[0])
    return w.x * w.y


@right
def scaled_by_an_element(a):
    w = V(a[0], a[1]) * a[1]
    return w.x * w.y


@right
def minus_a_plain_one(a):
    w = V(a[0], a[1]) - (1.0, a[0])
    return w.x * w.y


@right
def one_of_the_module(a):
    w = V(a[0], a[1]) + ORIGIN
    return w.x * w.y


@right
def by_other_operators(a):
    v, w = V(a[0], a[1]), V(a[1], a[0] ** 2)
    return (v @ w) * (-v).x + (v & w)


@right
def added_in_a_loop(a):
    s = V(0.0, 1.0)
    for k in range(3):
        s += V(a[0], a[1]) * (k + 1)
    return s.x * s.y


@right
def in_a_list(a):
    vs = [V(v, v * v) for v in a]
    s = V(0.0, 0.0)
    for v in vs:
        s = s + v * v.x
    return s.x * s.y


@right
def no_trip(a):
    s = V(a[0], a[1])
    for _ in range(0):
        s = s + s
    return s.x * s.y


@right
def through_a_function(a):
    def moved(v, by):
        return v + by

    w = moved(V(a[0], a[1]), V(a[1], 1.0))
    return w.x * w.y


@right
def constants(a):
    w = V(1.0, 2.0) + V(3.0, 4.0)
    return a[0] * w.x + a[1] * w[1] + len(w)


@right
def not_equal_by_the_tuple(a):
    v, w = Task(a[0], a[1]), Task(a[0], a[1])
    return a[0] if v != w else a[1] ** 2


@right
def equal(a):
    v = Task(a[0], a[1])
    return v.name if v == v else v.prio**2


@right
def order(a):
    v, w = Task(a[0], a[0]), Task(a[1], a[1])
    if w < v:
        return v.name**2
    return 3 * w.name


@right
def truth(a):
    v, w = Task(a[0], a[1]), Task(a[1], a[0])
    s = v.name**2 if v else v.prio
    if not w:
        s = s * w.name
    return s


@right
def truth_in_a_loop(a):
    v, s = Task(a[0], 2.5), 0.0
    while v:
        s = s + v.name**2
        v = Task(v.name * a[1], v.prio - 1.0)
    return s


@right
def inside(a):
    b = Task(a[0], a[1])
    s = b.name * 2 if 1.0 in b else b.prio * 3
    return s * b.name if 5.0 not in b else s


@right
def only_its_fields(a):
    v = Task(a[0], a[1])
    name, prio = v
    return name * prio + v[0] + v.prio


@refused("Task defines __lt__ itself")
def in_order(a):
    return sorted([Task(a[0], a[0]), Task(a[1], a[1])])[0].name ** 2


@refused("Task defines __lt__ itself")
def in_order_of_pairs(a):
    return min((Task(v, v), v) for v in a)[1] ** 2


@refused("Task defines __gt__ itself")
def largest(a):
    return max(Task(a[0], a[0]), Task(a[1], a[1])).name ** 2


@right
def smallest_by_a_key(a):
    tasks = [Task(v, v) for v in a]
    return min(tasks, key=lambda t: t.prio).name ** 2


@refused("Task defines __gt__ itself")
def largest_by_itself(a):
    tasks = [Task(v, v) for v in a]
    return max(tasks, key=lambda t: t).name ** 2


@refused("Task defines __lt__ itself")
def in_order_of_a_part(a):
    pairs = [(Task(v, v), v) for v in a]
    return sorted(pairs, key=lambda p: p[0])[0][1] ** 2


@refused("Task defines __bool__ itself")
def one_or_the_other(a):
    v = Task(a[0], a[1]) or Task(a[1], a[0])
    return v.name


@refused("Flipped defines __iter__ itself")
def unpacked(a):
    x, y = Flipped(a[0], a[1])
    return x + 3 * y


@refused("Counted defines __len__ itself")
def counted(a):
    return a[0] if Counted(a[0], a[1]) else a[1]


@refused("Shifted defines __getitem__ itself")
def by_an_index(a):
    return Shifted(a[0], a[1])[1]


@right
def constants_are_asked_as_they_are(a):
    x, y = Flipped(2.0, 3.0)
    return a[0] * x + a[1] ** 2 * y * Shifted(2.0, 3.0)[1]


@refused("Growing defines __iadd__ itself")
def in_place(a):
    v = Growing(a[0])
    v += a[1]
    return v.x


@refused("V defines __radd__ itself")
def after_a_plain_one(a):
    w = (a[1], a[0]) + V(a[0], a[1])
    return w[0] * w[1]


@refused("V defines __rmul__ itself")
def after_a_number_of_numpy(a):
    return (a[0] * V(a[0], a[1]))[0]


@right
def plain_ones_are_joined(a):
    w = Plain(a[0], a[1]) + Plain(a[1], 2.0)
    return w[0] * w[2] + len(w)


@refused("operator.add")
def by_a_function(a):
    w = operator.add(V(a[0], a[1]), V(a[1], a[0]))
    return w[0] * w[1]


@right
def by_abs_and_float(a):
    v = Turned(a[0], a[1])
    return abs(v) * round(v)


@refused("a chain of comparisons")
def chained(a):
    v, w = Task(a[0], a[0]), Task(a[1], a[1])
    return a[0] if w < v < Task(0.0, 0.0) else a[1]


@refused("Task defines __eq__ itself")
def equal_pairs(a):
    v, w = Task(a[0], a[1]), Task(a[1], a[0])
    return a[0] if (v, 1) == (w, 1) else a[1]


@refused("Task defines __eq__ itself")
def one_of_a_list(a):
    v, w = Task(a[0], a[1]), Task(a[1], a[0])
    return a[0] if v in [w] else a[1]


@refused("Task defines __eq__ itself")
def place_in_a_list(a):
    tasks = [Task(v, v) for v in a]
    return tasks[tasks.index(tasks[1])].name ** 2


@right
def key_of_a_dict_of_such(a):
    tasks = {"a": Task(a[0], a[1])}
    return tasks["a"].name ** 2 if "a" in tasks else a[1]


@right
def truth_of_what_may_be_none(a):
    best = None
    for v in a:
        task = Task(v, v)
        if not best:
            best = task
    return best.name**2


@refused("Backwards defines __reversed__ itself")
def backwards(a):
    s = a[0]
    for c in reversed(Backwards(a[0], a[1])):
        s = s * c
    return s


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)
