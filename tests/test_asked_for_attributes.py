"""Attributes that a method gives, and other questions that change what they are asked of: right, or refused.

What stands outside is put back before each call, and not in the functions: no line of these shows that it changes.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along_after, check_refused, kept_in, named, refused_in

from tangentish import grad

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
X, X_DOT = np.array([0.7, 0.4]), np.array([1.0, -2.0])

CALLS = "which changes something"


class Asked:
    """Whatever it is asked, its array is another one afterwards."""

    def __init__(self):
        self.v = np.full(2, 2.0)
        self.count = 0

    def ask(self):
        self.v *= 1.5
        self.count += 1
        return float(self.count)

    @property
    def p(self):
        return self.ask()

    @functools.cached_property
    def once(self):
        return self.ask()

    @property
    def lazy(self):
        if self.made is None:
            self.made = 2.0 * self.v
        return self.made

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self.ask()

    def __iter__(self):
        for _ in range(2):
            yield self.ask()

    def __iadd__(self, other):
        self.v += other
        return self

    def __enter__(self):
        self.ask()

    def __exit__(self, *error):
        self.ask()

    def __format__(self, spec):
        return str(self.ask())

    def __lt__(self, other):
        return self.ask() > 0

    def __eq__(self, other):
        return self.ask() > 0

    __hash__ = None

    def __index__(self):
        return int(self.ask())


class Changing:
    def __get__(self, instance, owner):
        return O.ask()


class Described:
    d = Changing()


class Meta(type):
    def __getitem__(cls, key):
        return O.ask()

    def __len__(cls):
        return int(O.ask())


class OfMeta(metaclass=Meta):
    pass


class Generic:
    def __class_getitem__(cls, key):
        return O.ask()


class Holder:
    pass


O = Asked()
DESCRIBED, HOLDER = Described(), Holder()
P_OF = operator.attrgetter("p")


def by_asking(item):
    return O.ask()


def reset():
    vars(O).pop("once", None)
    O.v, O.count, O.made = np.full(2, 2.0), 0, None
    HOLDER.o = O


# -- attributes


@kept_in(RIGHT)
def by_a_property(x):
    y = np.sum(x * O.v) ** 2
    k = O.p
    return k * y * np.sum(x * O.v)


@kept_in(RIGHT)
def by_a_cached_property(x):
    y = np.sum(x * O.v) ** 2
    k = O.once
    return k * y * np.sum(x * O.v) * O.once


@kept_in(RIGHT)
def by_getattr(x):
    y = np.sum(x * O.v) ** 2
    k = O.missing
    return k * y * np.sum(x * O.v)


@kept_in(RIGHT)
def by_a_descriptor(x):
    y = np.sum(x * O.v) ** 2
    k = DESCRIBED.d
    return k * y * np.sum(x * O.v)


@kept_in(RIGHT)
def of_an_object_in_an_object(x):
    y = np.sum(x * HOLDER.o.v) ** 2
    k = HOLDER.o.p
    return k * y * np.sum(x * O.v)


@kept_in(RIGHT)
def by_functions(x):
    y = np.sum(x * O.v) ** 2
    y = y * getattr(O, "p") * (2.0 if hasattr(O, "p") else 1.0)  # noqa: B009
    y = y * P_OF(O) * operator.attrgetter("p")(O)
    return np.sum(x * O.v) * y


@kept_in(RIGHT)
def within_a_line(x):
    return x[0] * O.p * np.sum(x * O.v) * O.p


@kept_in(RIGHT)
def as_indices(x):
    return np.sum(x * O.v) * x[int(O.p) % 2] * x[int(O.p) % 2]


@kept_in(RIGHT)
def in_a_loop(x):
    s = 0.0
    for v in x:
        s += v * O.p * np.sum(x * O.v)
        if O.p > 3:
            s += x[1] ** 2 * O.p
    return s


@kept_in(RIGHT)
def in_a_comprehension(x):
    values = [O.p * v for v in x]
    return values[0] * values[1] * O.p


@kept_in(RIGHT)
def without_use(x):
    y = np.sum(x * O.v) ** 2
    O.p  # noqa: B018
    return np.sum(x * O.v) * y


@kept_in(RIGHT)
def by_a_name(x):
    o = O if x[0] > 0 else HOLDER
    y = np.sum(x * o.v) ** 2
    k = o.p
    return np.sum(x * o.v) * y * k


@kept_in(RIGHT)
def made_when_asked(x):
    return np.sum(x * O.lazy) ** 2 + np.sum(x * O.v) * np.sum(O.lazy * x)


# -- other questions


@kept_in(RIGHT)
def run_over(x):
    y = np.sum(x * O.v) ** 2
    for w in O:
        y = y * w
    return y * np.sum(x * O.v)


@kept_in(RIGHT)
def entered(x):
    y = np.sum(x * O.v) ** 2
    with O:
        y = y * np.sum(x * O.v)
    return y * np.sum(x * O.v)


@kept_in(RIGHT)
def as_a_text(x):
    y = np.sum(x * O.v) ** 2
    k = len(f"{O}")
    return y * k * np.sum(x * O.v)


@kept_in(RIGHT)
def put_in_order(x):
    y = np.sum(x * O.v) ** 2
    k = sorted([O, O])
    return y * len(k) * np.sum(x * O.v)


@kept_in(RIGHT)
def looked_for(x):
    y = np.sum(x * O.v) ** 2
    k = [1.0, 2.0].index(O)
    return y * (k + 1) * np.sum(x * O.v)


@kept_in(RIGHT)
def as_a_size(x):
    y = np.sum(x * O.v) ** 2
    k = np.zeros(O).size
    return y * k * np.sum(x * O.v)


@kept_in(RIGHT)
def compared_by_a_key(x):
    y = np.sum(x * O.v) ** 2
    k = max([1, 2], key=by_asking)
    return y * k * np.sum(x * O.v)


@refused(CALLS)
def among_others(x):
    y = np.sum(x * O.v) ** 2
    k = 3 in [O]
    return y * k * np.sum(x * O.v)


@refused(CALLS)
def added_to(x):
    global O
    y = np.sum(x * O.v) ** 2
    O += 1.0
    return y * np.sum(x * O.v)


@refused(CALLS)
def item_of_a_class(x):
    y = np.sum(x * O.v) ** 2
    k = OfMeta[3]
    return k * y * np.sum(x * O.v)


@refused(CALLS)
def length_of_a_class(x):
    y = np.sum(x * O.v) ** 2
    k = len(OfMeta)
    return k * y * np.sum(x * O.v)


@refused(CALLS)
def generic(x):
    y = np.sum(x * O.v) ** 2
    k = Generic[3]
    return k * y * np.sum(x * O.v)


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_right(function: Callable[..., Any]) -> None:
    check_along_after(reset, function, X, X_DOT)


@pytest.mark.parametrize(("function", "reason"), REFUSED, ids=map(named, next(zip(*REFUSED))))
def test_refused(function: Callable[..., Any], reason: str) -> None:
    reset()
    check_refused(function, reason, X)


class Plain:
    def __init__(self):
        self.v = np.full(2, 2.0)

    @property
    def twice(self):
        return 2.0 * self.v


PLAIN = Plain()


def read_twice(x):
    return np.sum(x * PLAIN.v) ** 2 * np.sum(x * PLAIN.twice)


def test_what_is_only_read_is_not_copied() -> None:
    assert "kept" not in grad(read_twice).source(X)
