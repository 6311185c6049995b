"""Queues and stacks of objects: taken out, exchanged, turned round, joined, by methods too."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

from tangentish import grad

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
Q, Q_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([1.0, -2.0, 0.5, 0.3])


class Dot:
    def __init__(self, x, v):
        self.x, self.v = (x, v)


class Inner:
    def __init__(self, v):
        self.pos = Dot(v, v * v)
        self.w = v


@dataclass
class Customer:
    arrival: float
    service: float
    start: float = 0.0

    def wait(self):
        return self.start - self.arrival


class Sim:
    def __init__(self, m):
        self.queue = [Dot(v, v * v) for v in m]
        self.done = []
        self.t = 0.0

    def next(self):
        p = self.queue.pop(0)
        p.x += self.t
        self.t += p.v
        self.done.append(p)

    def run(self):
        while self.queue:
            self.next()
            if self.t > 1 and len(self.queue) > 1:
                del self.queue[-1]

    def run2(self):
        while self.queue:
            p = self.take()
            self.t += p.x * p.v

    def take(self):
        return self.queue.pop()


class World:
    def __init__(self, m):
        self.ps = [Dot(v, v * v) for v in m]
        self.best = 0.0

    def swap(self, i, j):
        self.ps[i], self.ps[j] = (self.ps[j], self.ps[i])

    def drop(self):
        self.ps = self.ps[1:]

    def sort(self):
        n = len(self.ps)
        for i in range(n):
            for j in range(n - 1 - i):
                if self.ps[j].x > self.ps[j + 1].x:
                    self.swap(j, j + 1)

    def add(self, v):
        self.ps.append(Dot(v, v))
        if len(self.ps) > 4:
            self.ps.pop(0)


class Growing:
    def __init__(self, m):
        self.ps = [Dot(v, v * v) for v in m]

    def grow(self):
        new = [Dot(0.5 * p.x, p.v) for p in self.ps if p.x > 0.5]
        self.ps += new

    def grow2(self):
        self.ps.extend([Dot(0.5 * p.x, p.v) for p in self.ps if p.x > 0.5])


def drop_first(ps):
    ps.pop(0)


def swap(ps):
    ps[0], ps[1] = (ps[1], ps[0])


def turn(ps):
    ps.reverse()


def delete_first(ps):
    del ps[0]


def weighed(p, w):
    return p.x * w + p.v


@kept_in(RIGHT)
def first_in_first_out(m):
    ps = [Dot(v, v * v) for v in m]
    s = 0.0
    while ps:
        p = ps.pop(0)
        s += p.x * p.v * (1 + s)
    return s


@kept_in(RIGHT)
def last_in_first_out(m):
    ps = [Dot(v, v * v) for v in m]
    s = 0.0
    while len(ps) > 0:
        p = ps.pop()
        s += p.x * p.v * (1 + s)
    return s


@kept_in(RIGHT)
def deleted(m):
    ps = [Dot(v, v * v) for v in m]
    del ps[0]
    return sum((p.x * p.v for p in ps))


@kept_in(RIGHT)
def without_the_first(m):
    ps = [Dot(v, v * v) for v in m]
    ps = ps[1:]
    return sum((k * p.x * p.v for k, p in enumerate(ps)))


@kept_in(RIGHT)
def reversed_in_place(m):
    ps = [Dot(v, v * v) for v in m]
    ps.reverse()
    return sum((k * p.x * p.v for k, p in enumerate(ps)))


@kept_in(RIGHT)
def cleared(m):
    ps = [Dot(v, v * v) for v in m]
    ps.clear()
    ps.append(Dot(m[0], m[1]))
    return sum((p.x * p.v for k, p in enumerate(ps)))


@kept_in(RIGHT)
def exchanged(m):
    ps = [Dot(v, v * v) for v in m]
    ps[0], ps[1] = (ps[1], ps[0])
    return sum((k * p.x * p.v for k, p in enumerate(ps)))


@kept_in(RIGHT)
def asked_in_an_expression(m):
    ps = [Dot(v, v * v) for v in m]
    p = ps[0]
    return p.x if ps else 0.0


@kept_in(RIGHT)
def asked_beside_another_test(m):
    ps = [Dot(v, v * v) for v in m]
    s = 0.0
    while ps and s < 1:
        p = ps.pop()
        s += p.x
    return s + (ps[-1].x if ps else 0.0)


@kept_in(RIGHT)
def backwards(m):
    ps = [Dot(v, v * v) for v in m]
    ps = ps[::-1]
    return sum((k * p.x * p.v for k, p in enumerate(ps)))


@kept_in(RIGHT)
def reversed_copy(m):
    ps = [Dot(v, v * v) for v in m]
    ps = list(reversed(ps))
    return sum((k * p.x * p.v for k, p in enumerate(ps)))


@kept_in(RIGHT)
def a_deque_that_grows(m):
    q = deque()
    for v in m:
        q.append(Dot(v, v * v))
    s = 0.0
    while q:
        p = q.popleft()
        s += p.x * p.v
        if s < 1:
            q.append(Dot(s, s))
    return s


@kept_in(RIGHT)
def a_deque_of_objects(m):
    q = deque([Dot(v, v * v) for v in m])
    s = 0.0
    while q:
        p = q.popleft()
        s += p.x * p.v
    return s


@kept_in(RIGHT)
def two_deques_in_one_line(m):
    fast, slow = (deque(maxlen=3), deque(maxlen=7))
    s = 0.0
    for p in m:
        fast.append(p)
        slow.append(p)
        s += sum(fast) / len(fast) * sum(slow)
    return s


@kept_in(RIGHT)
def a_deque_of_two(m):
    q = deque(maxlen=2)
    for v in m:
        q.append(Dot(v, v * v))
    return sum((p.x * p.v for p in q))


@kept_in(RIGHT)
def exchanged_after_a_loop(m):
    ps = [Dot(v, v * v) for v in m]
    s = 0.0
    for p in ps:
        s += p.x
        p.x += s
    ps[0], ps[2] = (ps[2], ps[0])
    return s * ps[0].x * ps[0].v


@kept_in(RIGHT)
def by_functions(m):
    ps = [Dot(v, v * v) for v in m]
    drop_first(ps)
    swap(ps)
    turn(ps)
    delete_first(ps)
    return ps[0].x * ps[1].v ** 2


@kept_in(RIGHT)
def by_methods(m):
    s = Sim(m)
    s.run()
    return sum((p.x * p.v for p in s.done)) + s.t


@kept_in(RIGHT)
def given_back_by_a_method(m):
    s = Sim(m)
    s.run2()
    return s.t


@kept_in(RIGHT)
def bubble_sort(m):
    ps = [Dot(v, v * v) for v in m]
    n = len(ps)
    for i in range(n):
        for j in range(n - 1 - i):
            if ps[j].x > ps[j + 1].x:
                ps[j], ps[j + 1] = (ps[j + 1], ps[j])
    return sum((k * p.x * p.v for k, p in enumerate(ps)))


@kept_in(RIGHT)
def joined_two_by_two(m):
    ps = [Dot(v, v * v) for v in m]
    e = 0.0
    while len(ps) > 1:
        a = ps.pop()
        b = ps.pop()
        ps.append(Dot(a.x + 0.5 * b.x, a.v * b.v))
    return ps[0].x * ps[0].v


@kept_in(RIGHT)
def put_back(m):
    ps = [Dot(v, v * v) for v in m]
    p = ps.pop()
    ps.append(p)
    p.x += 1.0
    return ps[-1].x * p.v + ps[0].x


@kept_in(RIGHT)
def of_objects_in_objects(m):
    ps = [Inner(v) for v in m]
    s = 0.0
    while ps:
        p = ps.pop(0)
        p.pos.x += s
        s += p.pos.x * p.w * p.pos.v
    return s


@kept_in(RIGHT)
def of_dicts(m):
    ps = [{"x": v, "v": v * v} for v in m]
    s = 0.0
    while ps:
        p = ps.pop(0)
        p["x"] += s
        s += p["x"] * p["v"]
    return s


@kept_in(RIGHT)
def customers_in_a_deque(svc):
    queue = deque((Customer(0.5 * k, s) for k, s in enumerate(svc)))
    clock, w = (0.0, 0.0)
    while queue:
        c = queue.popleft()
        c.start = max(clock, c.arrival)
        clock = c.start + c.service
        w += c.wait() ** 2
    return clock + w


@kept_in(RIGHT)
def customers_served(svc):
    queue = [Customer(0.5 * k, s) for k, s in enumerate(svc)]
    clock = 0.0
    done = []
    while len(queue) > 0:
        c = queue.pop(0)
        c.start = max(clock, c.arrival)
        clock = c.start + c.service
        done.append(c)
    return clock + sum((c.start for c in done))


@kept_in(RIGHT)
def depth_first(m):
    stack = [Dot(m[0], 1.0)]
    s = 0.0
    while stack:
        p = stack.pop()
        s += p.x * p.v
        if p.v < 3:
            stack.append(Dot(p.x * m[1], p.v + 1))
            stack.append(Dot(p.x * m[2], p.v + 1))
    return s


@kept_in(RIGHT)
def asked_at_once(m):
    ps = [Dot(v, v * v) for v in m]
    s = ps.pop().x * 2
    return s + ps[-1].v


@kept_in(RIGHT)
def turned(m):
    ps = [Dot(v, v * v) for v in m]
    ps.append(ps.pop(0))
    return sum((k * p.x * p.v for k, p in enumerate(ps)))


@kept_in(RIGHT)
def by_an_index(m):
    ps = [Dot(v, v * v) for v in m]
    i = 1
    p = ps.pop(i)
    i = 0
    q = ps.pop(i + 1)
    return p.x * q.v


@kept_in(RIGHT)
def shorter_on_each_trip(m):
    ps = [Dot(v, v * v) for v in m]
    for k in range(3):
        ps = ps[1:]
        if not ps:
            break
        ps[0].x += m[0]
    return ps[0].x


@kept_in(RIGHT)
def sorted_by_a_method(m):
    w = World(m)
    w.sort()
    return sum((k * p.x * p.v for k, p in enumerate(w.ps)))


@kept_in(RIGHT)
def dropped_by_a_method(m):
    w = World(m)
    w.drop()
    w.drop()
    return w.ps[0].v + w.ps[1].x ** 2


@kept_in(RIGHT)
def a_window(m):
    w = World(m)
    for v in m:
        w.add(v * w.ps[0].x)
    return w.ps[0].v + w.ps[1].x ** 2


@kept_in(RIGHT)
def between_loops(m):
    w = World(m)
    s = 0.0
    for k, p in enumerate(w.ps):
        s += k * p.x * p.v**2
    w.swap(0, 1)
    for k, p in enumerate(w.ps):
        s += k * p.x * p.v
    return s


@kept_in(RIGHT)
def after_the_greatest(m):
    ps = [Dot(v, v * v) for v in m]
    best = max(ps, key=lambda p: p.x)
    s = best.v
    ps.reverse()
    return s * ps[0].v


@kept_in(RIGHT)
def two_taken_out(m):
    ps = [Dot(v, v * v) for v in m]
    a = ps.pop(-2)
    b = ps.pop(0)
    a.x += b.x
    b.v *= 2
    ps.append(a)
    ps.append(b)
    return sum((k * p.x * p.v for k, p in enumerate(ps)))


@kept_in(RIGHT)
def left_early(m):
    ps = [Dot(v, v * v) for v in m]
    s = 0.0
    while ps:
        p = ps.pop()
        if p.x < 0.5:
            continue
        if s > 1:
            break
        s += p.x * p.v
        if len(ps) == 1:
            ps.append(Dot(s, 0.3))
    return s


@kept_in(RIGHT)
def of_none_at_first(m):
    ps = []
    s = 0.0
    while ps:
        p = ps.pop()
        s += p.x
    for v in m:
        ps.append(Dot(v, s))
    q = ps.pop()
    return q.x**2 + len(ps)


@kept_in(RIGHT)
def by_a_function_inside(m):
    ps = [Dot(v, v * v) for v in m]

    def nxt():
        return ps.pop()

    p = nxt()
    return p.x * ps[-1].v


@kept_in(RIGHT)
def at_one_end_or_the_other(m):
    ps = [Dot(v, v * v) for v in m]
    if m[0] > 0.5:
        p = ps.pop()
    else:
        p = ps.pop(0)
    return p.x * ps[-1].x


@kept_in(RIGHT)
def the_one_before(m):
    ps = [Dot(v, v * v) for v in m]
    p = None
    while ps:
        q = ps.pop()
        if p is not None:
            q.x += p.x
        p = q
    return p.x


@kept_in(RIGHT)
def listed(m):
    ps = list((Dot(v, v * v) for v in m))
    return sum((k * p.x * p.v for k, p in enumerate(ps)))


@kept_in(RIGHT)
def three_in_one_line(m):
    ps = [Dot(v, v * v) for v in m]
    return ps.pop().x * ps.pop().v ** 2 * ps.pop(0).x


@kept_in(RIGHT)
def read_before_it_goes(m):
    ps = [Dot(v, v * v) for v in m]
    s = 0.0
    for k in range(3):
        s += ps[0].v * ps.pop(0).x
    return s


@kept_in(RIGHT)
def round_robin(m):
    ps = [Dot(v, v * v) for v in m]
    s = 0.0
    for k in range(6):
        ps.append(ps.pop(0))
        ps[0].x *= 1.1
        s += ps[-1].x * ps[0].v
    return s


@kept_in(RIGHT)
def given_to_a_function(m):
    ps = [Dot(v, v * v) for v in m]
    s = 0.0
    while ps:
        s += weighed(ps.pop(), s)
    return s


@kept_in(RIGHT)
def extended_by_another_list(m):
    ps = [Dot(v, v * v) for v in m]
    qs = [Dot(2 * v, v) for v in m]
    ps.extend(qs)
    return sum((k * p.x * p.v for k, p in enumerate(ps)))


@kept_in(RIGHT)
def extended_by_operator(m):
    ps = [Dot(v, v * v) for v in m]
    ps += [Dot(2 * v, v) for v in m]
    return sum((k * p.x * p.v for k, p in enumerate(ps)))


@kept_in(RIGHT)
def extended_by_two(m):
    ps = [Dot(v, v * v) for v in m]
    ps.extend([Dot(m[0], m[1]), Dot(m[2], 1.0)])
    return sum((k * p.x * p.v for k, p in enumerate(ps)))


@kept_in(RIGHT)
def grown_by_a_method(m):
    w = Growing(m)
    w.grow()
    w.grow()
    return sum((k * p.x * p.v for k, p in enumerate(w.ps)))


@kept_in(RIGHT)
def grown_by_extend(m):
    w = Growing(m)
    w.grow2()
    w.grow2()
    return sum((k * p.x * p.v for k, p in enumerate(w.ps)))


@kept_in(RIGHT)
def branches(m):
    stack = [Dot(m[0], 1.0)]
    s = 0.0
    while stack:
        p = stack.pop()
        s += p.x
        if p.v < 3:
            stack.extend([Dot(p.x * m[1], p.v + 1), Dot(p.x * m[2], p.v + 1)])
    return s


@refused("an element of a list is kept under another name")
def a_name_and_pop(m):
    ps = [Dot(v, v * v) for v in m]
    p = ps[0]
    q = ps.pop(0)
    return p.x * q.v + ps[0].x ** 3


@refused("used as a whole here: loop over it, or index it")
def in_a_loop_over_it(m):
    ps = [Dot(v, v * v) for v in m]
    s = 0.0
    for p in ps:
        s += p.x
        ps.pop()
    return s


@refused("a call puts another one in the place of an element that may have a name")
def a_name_and_a_function(m):
    ps = [Dot(v, v * v) for v in m]
    p = ps[1]
    drop_first(ps)
    return p.x * p.v + ps[0].x


@refused("a call puts another one in the place of an element that may have a name")
def a_name_and_an_exchange(m):
    ps = [Dot(v, v * v) for v in m]
    p = ps[1]
    swap(ps)
    return p.x * p.v + ps[0].x ** 3


@refused("a call puts another one in the place of an element that may have a name")
def a_name_and_reverse(m):
    ps = [Dot(v, v * v) for v in m]
    p = ps[1]
    turn(ps)
    return p.x * p.v + ps[0].x ** 3


@refused("a call puts another one in the place of an element that may have a name")
def a_name_and_del(m):
    ps = [Dot(v, v * v) for v in m]
    p = ps[1]
    delete_first(ps)
    return p.x * p.v + ps[0].x ** 3


@refused("a call puts another one in the place of an element that may have a name")
def a_name_and_a_method(m):
    s = Sim(m)
    p = s.queue[0]
    s.next()
    return p.x * s.queue[0].x


@refused("an element of a list is kept under another name")
def put_in_and_moved(m):
    ps = [Dot(v, v * v) for v in m]
    p = ps.pop()
    ps.append(p)
    ps.pop(0)
    p.x += 1.0
    return ps[-1].x * p.v + ps[0].x


@refused("this may stand elsewhere, too, in a list that is read later")
def two_lists_of_the_same(m):
    ps = [Dot(v, v * v) for v in m]
    qs = ps[1:]
    qs[0].x += 1
    return ps[1].x * qs[0].v


@refused("a call puts another list in the place of one whose elements have names")
def a_name_and_another_list(m):
    w = World(m)
    p = w.ps[0]
    w.drop()
    return p.x * p.v + w.ps[0].x


@refused("grows while a loop runs over it")
def grown_in_a_loop_over_it(m):
    w = World(m)
    for p in w.ps:
        w.add(p.x)
    return w.ps[0].v + w.ps[1].x ** 2


@refused("a call puts another one in the place of an element that may have a name")
def exchanged_in_a_loop_over_it(m):
    w = World(m)
    s = 0.0
    for p in w.ps:
        w.swap(0, 1)
        s += p.x * p.v**2
    return s


@refused("an element of a list is kept under another name")
def names_and_an_exchange(m):
    ps = [Dot(v, v * v) for v in m]
    s = 0.0
    for i in range(3):
        p, q = (ps[i], ps[i + 1])
        ps[i], ps[i + 1] = (ps[i + 1], ps[i])
        s += p.x * q.v**2
    return s + ps[-1].x


@refused("an element of a list is kept under another name")
def the_greatest_and_pop(m):
    ps = [Dot(v, v * v) for v in m]
    best = None
    s = 0.0
    for p in ps:
        if best is None or p.x > best.x:
            best = p
    ps.pop(0)
    return best.x * ps[0].v


@refused("this may stand elsewhere, too")
def put_in_twice(m):
    ps = [Dot(v, v * v) for v in m]
    a = ps.pop()
    ps.append(a)
    ps.append(a)
    ps[-1].x += 1
    return ps[-2].x * ps[-1].x


@refused("this may stand elsewhere, too, in a list that is read later")
def of_a_list_read_later(m):
    ps = [Dot(v, v * v) for v in m]
    qs = [Dot(2 * v, v) for v in m]
    ps.extend(qs)
    qs[0].x += 1
    return sum((k * p.x * p.v for k, p in enumerate(ps)))


@refused("used as a whole here")
def extended_by_itself(m):
    ps = [Dot(v, v * v) for v in m]
    ps.extend(ps)
    return sum((k * p.x * p.v for k, p in enumerate(ps)))


test_right = each_right(RIGHT, Q, Q_DOT)


test_refused = each_refused(REFUSED, Q)


def test_text() -> None:
    text = grad(first_in_first_out).source(Q)
    assert "while ps_x:" in text
    assert "ps_x.pop(0)" in text
