"""Objects put in order, and the first of them by a key: in the middle of a line, and by their places."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
right, refused = kept_in(RIGHT), refused_in(REFUSED)
X, X_DOT = np.array([0.5, 0.7]), np.array([0.3, -0.4])


@dataclass
class Job:
    due: float
    p: float


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def distance(self, other):
        return np.hypot(self.x - other.x, self.y - other.y)


class Shop:
    def __init__(self, x):
        self.jobs = made(x)
        self.levels = [x[0], x[1], x[0] * x[1]]
        self.weights = np.array([1.0, 3.0, 2.0])

    def cut(self):
        self.jobs = sorted(self.jobs, key=lambda j: j.due)[:2]
        return late(self.jobs)

    def first(self):
        i = min(range(len(self.jobs)), key=lambda i: self.jobs[i].due)
        return self.jobs[i].p * i

    def step(self):
        i = max(range(len(self.levels)), key=lambda i: self.levels[i])
        self.levels[i] *= 0.5
        return self.levels[i] * max(range(3), key=lambda i: self.weights[i])


def made(x):
    return [Job(d * x[0], d * d * x[1]) for d in (3.0, 1.0, 2.0)]


def late(jobs):
    t = total = 0.0
    for j in jobs:
        t += j.p
        total += max(t - j.due, 0.0)
    return total


@right
def given_to_a_function(x):
    jobs = made(x)
    return late(sorted(jobs, key=lambda j: j.due)) * x[0]


@right
def the_first_few(x):
    jobs = made(x)
    others = made(x * 2)
    jobs = sorted(jobs, key=lambda j: j.due)[:2]
    worst = sorted(others, key=lambda j: j.due, reverse=True)[0]
    return late(jobs) * worst.p


@right
def run_over_with_places(x):
    jobs = made(x)
    s = 0.0
    for k, j in enumerate(sorted(jobs, key=lambda j: -j.due)[1:]):
        s += j.p * j.due * (k + 1)
    return s


@right
def from_a_generator(x):
    jobs = sorted((Job(d * x[0], d * d * x[1]) for d in (3.0, 1.0, 2.0)), key=lambda j: j.due)
    top = max((Job(d * x[0], d * x[1]) for d in (3.0, 1.0, 2.0)), key=lambda j: j.due)
    return late(jobs) * top.p


@right
def the_place_of_the_largest(x):
    jobs = made(x)
    for _ in range(3):
        i = max(range(len(jobs)), key=lambda j: jobs[j].due)
        jobs[i].due *= 0.5
        jobs[i].p *= x[0]
    nearest = jobs[min(range(len(jobs)), key=lambda j: abs(jobs[j].due - 0.6))]
    return sum(j.p for j in jobs) * nearest.p


@right
def places_in_order(x):
    jobs = made(x)
    t = 0.0
    for i in sorted(range(len(jobs)), key=lambda j: jobs[j].due if j else 0.0, reverse=True):
        t = t * 2 + jobs[i].p * t + jobs[i].due
    return t


@right
def places_in_a_list(x):
    points = [Point(x[0] * k, x[1] - k) for k in range(4)]
    places = [0, 2, 3]
    i = max(places, key=lambda j: points[j].y)
    places.remove(i)
    for j in sorted(places, key=lambda j: -points[j].y):
        points[j].y *= points[places[0]].y
    k = min(range(1, len(points)), key=lambda j: points[j].y)
    return points[i].y + 2 * points[places[1]].y * points[k].x


@right
def by_a_method_of_the_element(x):
    points = [Point(x[0] * k, x[1] - k) for k in range(4)]
    centre = Point(x[0], x[1])
    i = min(range(len(points)), key=lambda j: points[j].distance(centre))
    return points[i].y * points[i].x + points[3].distance(centre)


@right
def in_methods(x):
    shop, other = Shop(x), Shop(x * 2)
    return shop.cut() + other.first() * shop.step() + shop.step() * x[1]


@refused("this may stand elsewhere, too")
def changed_under_the_other_order(x):
    jobs = made(x)
    best = sorted(jobs, key=lambda j: j.due)[0]
    best.p *= x[0]
    return jobs[1].p + jobs[0].p


@refused("this may stand elsewhere, too")
def changed_by_what_gets_the_other_order(x):
    def tripled(jobs):
        jobs[0].p *= 3
        return jobs[0].p

    jobs = made(x)
    first = tripled(sorted(jobs, key=lambda j: j.due))
    return jobs[1].p * first


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)
