"""Objects that are made, and lists and dicts of them, asked as a whole: their attributes have names of their own.

What stands for such an object in the text is its class, and a list is written down anew where it is read, so that what
asks these themselves is refused.
"""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, check_refused, kept_in, named, refused_in

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
X, X_DOT = np.array([0.7, 1.4]), np.array([1.0, -2.0])
OBJECTS = "of objects is asked here as a whole"
WHICH = "is the same one as another"


@dataclass
class Dot:
    v: float
    w: float = 0.0

    limit = 1.0

    def square(self):
        return self.v * self.v


class Sensor:
    def __init__(self, v):
        self.v = v

    def __bool__(self):
        return bool(self.v > 1)


class Box:
    def __init__(self, parts):
        self.parts = parts


@refused(OBJECTS)
def is_in(x):
    dots = [Dot(x[0]), Dot(x[1])]
    return dots[0].v * (2 if Dot(x[0]) in dots else 5)


@refused(OBJECTS)
def is_not_in(x):
    dots = [Dot(x[0]), Dot(x[1])]
    return dots[0].v * (2 if Dot(x[0]) not in dots else 5)


@refused(OBJECTS)
def counted(x):
    dots = [Dot(x[0]), Dot(x[1])]
    return dots[0].v * (1 + dots.count(Dot(x[0])))


@refused(OBJECTS)
def place(x):
    dots = [Dot(x[0]), Dot(x[1])]
    return dots[0].v * (1 + dots.index(Dot(x[1])))


@refused(OBJECTS)
def all_true(x):
    sensors = [Sensor(x[0]), Sensor(x[1])]
    return sensors[0].v * (2 if all(sensors) else 5)


@refused(OBJECTS)
def any_true(x):
    sensors = [Sensor(x[0]), Sensor(x[0] / 2)]
    return sensors[0].v * (2 if any(sensors) else 5)


@refused(OBJECTS)
def equal_lists(x):
    dots = [Dot(x[0]), Dot(x[1])]
    return dots[0].v * (2 if dots == [Dot(x[0]), Dot(x[1])] else 3)


@refused(OBJECTS)
def equal_dicts(x):
    dots = {"a": Dot(x[0])}
    return dots["a"].v * (2 if dots == {"a": Dot(x[0])} else 3)


@refused(OBJECTS)
def in_values(x):
    dots = {"a": Dot(x[0])}
    return dots["a"].v * (2 if Dot(x[0]) in dots.values() else 3)


@refused(OBJECTS)
def in_tuples(x):
    dots = (Dot(x[0]), Dot(x[1]))
    return dots[0].v * (2 if Dot(x[0]) in dots else 3)


@refused(OBJECTS)
def in_pairs(x):
    pairs = [(1, Dot(x[0]))]
    return pairs[0][1].v * (2 if (1, Dot(x[0])) in pairs else 3)


@refused(OBJECTS)
def as_text(x):
    dots = [Dot(x[0]), Dot(x[1])]
    return dots[0].v * len(str(dots))


@refused(OBJECTS)
def printed(x):
    dots = [Dot(x[0]), Dot(x[1])]
    print(dots)
    return dots[0].v


@refused(OBJECTS)
def in_a_text_of_what_an_object_holds(x):
    box = Box([Dot(x[0]), Dot(x[1])])
    return box.parts[0].v * len(f"{box.parts}")


@refused(OBJECTS)
def text_of_a_choice(x):
    box, other = Box([Dot(x[0]), Dot(x[1])]), Box([Dot(x[1]), Dot(x[0])])
    chosen = box.parts if x[0] > 0 else other.parts
    return box.parts[0].v * len(str(chosen))


@refused(OBJECTS)
def or_default(x):
    dots = [Dot(x[0]), Dot(x[1])]
    return (dots or [Dot(1.0)])[0].v


@refused(WHICH)
def same_list(x):
    dots = [Dot(x[0])]
    others = dots
    return dots[0].v * (2 if others is dots else 3)


@refused(WHICH)
def not_the_same_list(x):
    dots = [Dot(x[0])]
    others = dots
    return dots[0].v * (2 if others is not dots else 3)


@refused(WHICH)
def shared_part(x):
    old = {"p": {"q": x[0]}}
    new = dict(old)
    return (2 if old["p"] is new["p"] else 3) * new["p"]["q"]


@refused(WHICH)
def by_function(x):
    rows = [[x[0]], [x[1]]]
    others = rows
    return rows[0][0] * (2 if operator.is_(rows, others) else 3)


@refused(WHICH)
def by_number(x):
    rows = [[x[0]], [x[1]]]
    others = rows
    return rows[0][0] * (2 if id(rows) == id(others) else 3)


@refused("used as a whole")
def length_of_an_object(x):
    sensor = Sensor(x[0])
    try:
        k = len(sensor)
    except TypeError:
        k = 7
    return sensor.v * k


@refused("arithmetic with a list or tuple")
def sum_of_objects_that_have_none(x):
    sensor = Sensor(x[0])
    try:
        k = len(sensor + sensor)
    except TypeError:
        k = 7
    return sensor.v * k


@refused("arithmetic with a list or tuple")
def sum_of_dicts(x):
    values = {"a": x[0]}
    try:
        k = len(values + values)
    except TypeError:
        k = 7
    return values["a"] * k


@refused("it is not known how to copy this")
def rows_that_are_lists_of_their_entries(x):
    rows = [{"a": v, "b": 2.0} for v in x]
    kept = copy.deepcopy(rows)
    for row in rows:
        row["a"] = row["a"] * 2
    return kept[0]["a"] * rows[1]["a"]


@kept_in(RIGHT)
def copied_list(x):
    dots = [Dot(x[0] * i) for i in range(3)]
    return dots[1].v * len(copy.copy(dots))


@kept_in(RIGHT)
def sum_of_copied_list(x):
    dots = [Dot(x[0] * i) for i in range(3)]
    return sum(dot.v for dot in copy.copy(dots))


@kept_in(RIGHT)
def asked_of_attributes(x):
    dots = [Dot(x[0]), Dot(x[1])]
    found = any(dot.v == x[0] for dot in dots)
    return dots[0].v * (2 if found else 5) * dots[1].square() * len(dots)


@kept_in(RIGHT)
def asked_whether_there_are_any(x):
    dots = [Dot(x[0]), Dot(x[1])]
    if not dots:
        raise ValueError("none")
    assert dots
    while dots and dots[0].v > 100:
        x = 2 * x
    return dots[0].v * dots[1].v * (2 if bool(dots) else 3)


@kept_in(RIGHT)
def asked_for_keys(x):
    dots = {"a": Dot(x[0]), "b": Dot(x[1])}
    k = ("a" in dots) + (2 if dots.get("z") is None else 3) + (5 if dots.get("a") is None else 7)
    return sum(dots[key].square() for key in dots) * k


@kept_in(RIGHT)
def asked_for_none(x):
    dot = Dot(x[0]) if x[0] > 0 else None
    dots = {"a": Dot(x[1])}
    if dot is not None and dots is not None:
        return dot.square() * dots["a"].v * dot.limit
    return x[0]


@kept_in(RIGHT)
def asked_for_classes(x):
    shapes = [Dot(x[0]), Sensor(x[1])]
    total = 0.0
    for shape in shapes:
        total += shape.square() if isinstance(shape, Dot) else shape.v**3
    return total * (2 if type(shapes[0]) is Dot else 3)


@kept_in(RIGHT)
def default_of_a_name(x):
    def total(dots=None):
        dots = dots or [Dot(1.0)]
        return sum(dot.square() for dot in dots)

    return total([Dot(x[0]), Dot(x[1])]) + x[0] * x[1] * total()


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_what_is_followed_is_right(function):
    check_along(function, X, X_DOT)


@pytest.mark.parametrize(("function", "reason"), REFUSED, ids=lambda v: getattr(v, "__name__", ""))
def test_what_would_see_the_class_is_refused(function, reason):
    check_refused(function, reason, X)


class Ball:
    def __init__(self, radius):
        self.radius = radius

    @property
    def radius(self):
        return self._radius

    @radius.setter
    def radius(self, value):
        self._radius = value

    def outside(self, x):
        y = x * 2.0
        y[x <= self.radius] = 0.0
        return np.sum(y)


def test_properties_in_the_index_of_a_store_are_refused() -> None:
    def f(x):
        return Ball(x[0] * 1.5).outside(x)

    check_refused(f, "'self' is used as a whole", np.array([1.0, 2.0]))
