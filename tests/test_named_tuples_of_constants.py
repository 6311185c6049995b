"""Named tuples of constants are those of their class where more than their items is asked, though they are told apart."""

from __future__ import annotations

from collections import namedtuple
from typing import NamedTuple

import numpy as np
import pytest
from every_mode import Function, check_along, check_refused, kept_in, named, refused_in

from tangentish import grad

RIGHT: list[Function] = []
REFUSED: list[tuple[Function, str]] = []
right, refused = kept_in(RIGHT), refused_in(REFUSED)
X, X_DOT = np.array([0.7, 0.4, 0.9]), np.array([0.3, -0.2, 0.5])

Pair = namedtuple("Pair", "a b")


class Span(NamedTuple):
    u: float
    v: float = 2.0

    def count(self, k):
        return self.u + k

    def index(self, k):
        return self.v * k

    @property
    def area(self):
        return self.u * self.v

    def total(self):
        return self.u + self.v

    def moved(self, d):
        return Span(self.u + d, self.v)


class ByFirst(NamedTuple):
    u: float
    v: float = 2.0

    def __eq__(self, other):
        return self.u == other.u

    def __hash__(self):
        return hash(self.u)


class Longer(namedtuple("Longer", "u v")):
    def count(self, k):
        return self.u * k


class Weighted(NamedTuple):
    span: Span
    w: float

    def index(self, k):
        return self.span.count(k) * self.w


class Outer:
    class Inner(NamedTuple):
        u: float

        def count(self, k):
            return self.u + k


def area_of(n):
    try:
        return n.area * n.count(1.0)
    except (AttributeError, ValueError):
        return 100.0


def of_pair(n):
    try:
        return n.a * n.b
    except (AttributeError, ValueError):
        return 100.0


@right
def a_property(x):
    n = Span(3.0)
    return x[0] * n.area + x[1] * n.total()


@right
def methods_that_tuples_have(x):
    n = Span(3.0)
    return x[0] ** 2 * n.count(2.0) + x[1] * n.index(2.0)


@right
def a_method_that_is_added(x):
    n = Longer(3.0, 2.0)
    return x[0] ** 2 * n.count(2.0)


@right
def the_text_of_one(x):
    n = Pair(3.0, 2.0)
    return x[0] * x[1] if repr(n).startswith("Pair") else x[0]


@right
def given_to_what_is_not_known(x):
    n, p = Span(3.0), Pair(2.0, 5.0)
    return x[0] ** 2 * area_of(n) + x[1] * of_pair(p)


@right
def in_a_list(x):
    spans = [Span(float(i)) for i in range(3)]
    return x[0] * sum(n.count(1.0) for n in spans) + x[1] * sum(n.total() for n in spans)


@right
def in_an_empty_list(x):
    spans = [Span(float(i)) for i in range(0)]
    return x[0] * sum(n.count(1.0) for n in spans) + x[1] ** 2


@right
def run_over(x):
    return sum(n.area * x[0] for n in [Span(3.0), Span(4.0)])


@right
def among_others_that_vary(x):
    spans = [Span(3.0)]
    spans.append(Span(x[0]))
    total = 0.0
    for n in spans:
        total = total + n.count(2.0) * x[1]
    return total


@right
def in_a_dict(x):
    spans = {"a": Span(1.0), "b": Span(2.0)}
    return x[0] * spans["a"].count(1.0) + sum(n.index(2.0) for n in spans.values()) * x[1]


@right
def as_a_default(x):
    def scaled(t, n=Span(3.0)):
        return n.count(1.0) * t

    return scaled(x[0]) + scaled(x[1] ** 2)


@right
def as_keys(x):
    known = {ByFirst(3.0, 1.0): 1.0}
    return x[0] * x[1] if ByFirst(3.0, 7.0) in known else x[0]


@right
def in_another(x):
    n, m = Weighted(Span(3.0), 2.0), Weighted(Span(1.0), x[2])
    return x[0] * n.index(2.0) + m.index(1.0) * m.span.count(1.0)


@right
def by_another_name_on_a_branch(x):
    n = Span(3.0)
    k = n if x[0] > 0 else Span(1.0)
    return x[0] * k.count(2.0) + n.index(1.0) * x[1]


@right
def made_anew_in_a_loop(x):
    n, total = Span(1.0), 0.0
    for v in x:
        total = total + n.count(1.0) * v**2
        n = n.moved(1.0)
    return total


@right
def that_varies_from_the_second_trip(x):
    n, total = Span(1.0), 0.0
    for v in x:
        total = total + n.count(1.0) * v
        n = Span(n.u * v)
    return total


@right
def in_a_test(x):
    n = Span(1.0)
    total = x[0]
    while n.count(0.0) < 4:
        total = total * x[1]
        n = Span(n.u + 1)
    return total


@refused("its class has no name here")
def of_a_class_without_a_name(x):
    n = Outer.Inner(3.0)
    return x[0] * n.count(2.0)


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_right_in_every_mode(function):
    check_along(function, X, X_DOT)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case[0].__name__)
def test_refused(case):
    check_refused(*case, X)


def test_plain_tuples_are_left_where_only_items_are_read():
    def summed(x):
        n = Pair(3.0, 2.0)
        return np.sum(np.array(n)) * x[0] + n.a * x[1]

    assert "Pair(n" not in grad(summed).source(X).split("# return")[0]
