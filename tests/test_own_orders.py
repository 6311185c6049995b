"""Objects put in order, or chosen, by what their class compares: `@dataclass(order=True)`, or a `__lt__` of fields."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from every_mode import Function, check_along, check_refused, kept_in, named, refused_in
from numeric import assert_close

from tangentish import grad

RIGHT: list[Function] = []
REFUSED: list[tuple[Function, str]] = []
right, refused = kept_in(RIGHT), refused_in(REFUSED)
X, X_DOT = np.array([2.0, 0.7, 1.3]), np.array([0.3, -0.2, 0.5])


@dataclass(order=True)
class Job:
    due: float
    time: float = field(compare=False)


@dataclass(order=True)
class Both:
    due: float
    time: float


class Own:
    def __init__(self, due, time):
        self.due, self.time = due, time

    def __lt__(self, other):
        return self.due < other.due


class Pair(Own):
    def __lt__(self, other):
        return (self.due, self.time) < (other.due, other.time)


class Later(Own):
    def __lt__(self, other):
        return self.due > other.due


class Changed(Own):
    pass


def late(jobs):
    t = total = 0.0
    for job in jobs:
        t += job.time
        total += t * job.due + t**2
    return total


def made(cls, x):
    return [cls(v * w, v) for v, w in zip(x, (1.0, 2.0, 0.2), strict=True)]


@right
def from_a_generator(x):
    return late(sorted(Job(v * w, v) for v, w in zip(x, (1.0, 2.0, 0.2), strict=True)))


@right
def in_place(x):
    jobs = made(Job, x)
    jobs.sort()
    return late(jobs)


@right
def in_reverse(x):
    jobs = [Both(v * 2.0, v**2) for v in x]
    jobs.sort(reverse=True)
    return late(jobs) + jobs[0].time


@right
def equal_first_fields(x):
    return late(sorted(Both(1.0, v**2) for v in x))


@right
def first_and_last(x):
    jobs = [Job(v, v**2) for v in x]
    return min(jobs).time * 3.0 + max(jobs).due


@right
def own_order(x):
    jobs = [Own(v * 2.0, v**2) for v in x]
    least = min(jobs).time
    return late(sorted(jobs)) * least


@right
def own_order_of_two_fields(x):
    jobs = [Pair(1.0, v**2) for v in x]
    jobs.sort()
    return late(jobs) * jobs[-1].time


@refused("used as a whole")
def the_other_way_round(x):
    return late(sorted([Later(v, v**2) for v in x]))


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_every_mode_gives_the_derivative(function):
    check_along(function, X, X_DOT)


@pytest.mark.parametrize(("function", "reason"), REFUSED, ids=[named(f) for f, _ in REFUSED])
def test_an_order_of_another_kind_is_refused(function, reason):
    check_refused(function, reason, X)


def test_an_order_that_changes_is_asked_again(monkeypatch):
    def first(x):
        return min([Changed(v, -v * w) for v, w in zip(x, (1.0, 2.0, 3.0), strict=True)]).time

    gradient = grad(first)
    assert_close(gradient(X), np.array([0.0, -2.0, 0.0]), "least")
    monkeypatch.setattr(Own, "__lt__", lambda self, other: self.time < other.time)
    assert_close(gradient(X), np.array([0.0, 0.0, -3.0]), "least")
