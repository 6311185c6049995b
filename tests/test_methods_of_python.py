"""What Python asks of a class: __iter__, __contains__, __bool__, __len__, __float__ and __eq__ of the user's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

from tangentish import NotDifferentiable, grad

RIGHT: list[Callable[..., Any]] = []
P, P_DOT = np.array([0.7, 0.4, 0.9]), np.array([1.0, -2.0, 0.5])


class Bag:
    def __init__(self, items):
        self.items = list(items)

    def __iter__(self):
        return iter(self.items)

    def __len__(self):
        return len(self.items)

    def __contains__(self, value):
        return value in self.items

    def __float__(self):
        return float(sum(self.items))

    def pop(self):
        return self.items.pop()


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __iter__(self):
        yield self.x
        yield self.y

    def __bool__(self):
        return bool(self.x > 0.5)

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y


class Plain:
    def __init__(self, x):
        self.x = x


class Counted:
    """An iterator, which is not followed."""

    def __init__(self, x):
        self.x, self.n = x, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == len(self.x):
            raise StopIteration
        self.n += 1
        return self.x[self.n - 1]


def product(a, b):
    return a * b


@kept_in(RIGHT)
def run_over(p):
    bag, s = Bag(p), 0.0
    for v in bag:
        for k, w in enumerate(bag):
            s += v * w * k
    return s


@kept_in(RIGHT)
def run_over_beside_another(p):
    return sum(u * v for u, v in zip(Bag(p), Point(p[0], p[1]), strict=False))


@kept_in(RIGHT)
def taken_at_once(p):
    bag = Bag(p)
    return sum(bag) * max(bag) + np.sum(np.array(list(bag)) ** 2) + sorted(bag)[0]


@kept_in(RIGHT)
def taken_apart(p):
    a, b = Point(p[0], p[1])
    [c, *rest] = Bag(p)
    return a * b + c * rest[1] + product(*Point(p[1], p[2])) + [*Point(p[0], 1.0), 2.0][0]


@kept_in(RIGHT)
def asked_for_its_truth(p):
    s, stack = 1.0, Bag(p)
    while stack:
        s = s * stack.pop() + 1.0
    if not stack and Point(p[0], 0.0):
        s *= p[0]
    return s * (p[1] if Point(p[1], 0.0) else p[2]) * (2.0 if Plain(p[0]) else 1.0)


@kept_in(RIGHT)
def asked_what_it_holds(p):
    bag = Bag(p)
    return (p[0] if p[1] in bag else p[1]) * (p[2] if 5.0 not in bag else 0.0)


@kept_in(RIGHT)
def compared(p):
    a, b, c = Point(p[0], p[1]), Point(p[0], p[1]), Point(p[1], p[1])
    return (a.x if a == b else p[2]) * (a.y if a != c else p[2]) * (a.x if a == c else p[2])


@kept_in(RIGHT)
def made_a_number(p):
    return float(Bag(p)) * int(Point(p[0], 2.0).y)


class Labelled(Bag):
    label = "bag"


@kept_in(RIGHT)
def inherited(p):
    bag = Labelled(p)
    s = sum(bag) * max(bag) + [*bag][0]
    for v in bag:
        s += v * v
    return s * len(bag)


@pytest.mark.parametrize("f", RIGHT, ids=named)
def test_right_in_every_mode(f):
    check_along(f, P, P_DOT)


def grown_while_run_over(p):
    bag = Bag(p)
    s = 0.0
    for v in bag:
        s += v
        if len(bag.items) < 5:
            bag.items.append(v * 2)
    return s


def an_iterator(p):
    return sum(v * v for v in Counted(p))


def an_iterator_of_its_own(p):
    items = Bag(p).__iter__()
    return sum(items) + sum(items)


@pytest.mark.parametrize("f", [grown_while_run_over, an_iterator, an_iterator_of_its_own])
def test_refused(f):
    with pytest.raises(NotDifferentiable):
        grad(f)(P)
