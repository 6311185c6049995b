"""Objects of classes that store what they are given: made where they stand, as dataclasses are; others by a call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

from tangentish import grad

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
keep = kept_in(RIGHT)
refused = refused_in(REFUSED)
X, X_DOT = np.array([0.3, 0.7, 1.1, 0.9]), np.array([1.0, -2.0, 0.5, 0.4])


class Held:
    def __init__(self, a):
        self.a = a

    def drop_first(self):
        self.a[0] = 0.0
        self.a *= 2


class Counted:
    made = 0

    def __init__(self, x, y=2.0, *, k=-1):
        """What is stored beside the arguments is the same in every object."""
        self.x, self.y = x, y
        self.k = k
        self.log = []
        self.of = {}
        self.n: int = 0

    def go(self, v):
        self.log.append(v * self.x)
        self.n += 1
        self.of["a"] = v
        return sum(self.log) * self.y * self.k * self.of["a"] * self.n


class Private:
    def __init__(self, x):
        self.__x = x

    def squared(self):
        return self.__x**2


class SpecialPrivate(Private):
    pass


class Swapped:
    def __init__(self, a, b):
        self.a, self.b = b, a


class Twice:
    def __init__(self, a):
        self.a = self.b = a


class Doubling:
    """A store to v does more than bind it."""

    def __init__(self, v):
        self.v = v

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, v):
        self._v = v * 2


class Slots:
    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a = a
        self.b = b


@keep
def of_defaults_and_keywords(x):
    a, b = Counted(x[0]), Counted(x[1], k=3, y=x[2])
    return a.go(x[2]) + a.go(x[1]) * b.go(x[3]) + Counted.made


@keep
def of_private_names(x):
    return Private(x[0]).squared() * SpecialPrivate(x[2]).squared()


@keep
def of_slots(x):
    s = Slots(x[0], b=x[1])
    s.a = s.a * s.b
    return s.a * s.b + Swapped(x[0], x[1]).a * x[3] + Twice(x[2]).b


@keep
def of_a_property(x):
    return Doubling(x[0]).v * x[1]


@keep
def an_array_that_two_objects_hold(x):
    v = x * 2
    a = Held(v)
    b = Held(a.a)
    a.drop_first()
    return np.sum(b.a * v * a.a)


@keep
def an_object_that_an_object_holds(x):
    a = Held(Held(x * 2))
    a.a.drop_first()
    return np.sum(a.a.a * x)


@keep
def a_list_that_an_object_holds(x):
    a = Held([x[0], x[1]])
    a.a.append(x[2])
    return a.a[0] * a.a[2]


@keep
def anew_on_every_trip(x):
    a, total = Held(x[0]), 0.0
    while a.a < 3:
        a = Held(a.a * 2 * x[1] + 1)
        b = Counted(a.a, x[0])
        total += b.go(x[1]) * b.go(x[3])
    return total * a.a


@keep
def a_function_that_an_object_holds(x):
    a = Held(lambda v: v * x[0])
    return a.a(x[1])


@refused("has another name")
def one_of_two_objects(x):
    a, b = Held(x[0]), Held(x[1])
    if x[0] > 0.1:
        b = a
    b.a = b.a * x[2]
    return a.a * b.a


# -- dataclasses


@dataclass
class Length:
    value: float

    def __lt__(self, other):
        return self.value < other.value

    def __add__(self, other):
        if not isinstance(other, Length):
            return NotImplemented
        return Length(self.value + other.value)


class Width(Length):
    pass


class Bare:
    def __call__(self, x):
        return np.tanh(x)


@dataclass
class Dense:
    w: float
    b: float

    def __call__(self, x):
        return x * self.w + self.b


@keep
def operands_that_are_made_where_they_stand(x):
    total = Length(x[0]) + Length(x[1] * x[2])
    return total.value * x[3] if Length(x[0]) < Length(x[1]) else x[0]


@keep
def operands_of_a_special_case(x):
    return (Length(x[0]) + Width(x[1] ** 2)).value * (Width(x[2]) + Length(x[3])).value


@keep
def objects_of_a_list_in_another(x):
    """In forward mode the class of an element had no name: a NameError."""
    first = [Dense(x[0], x[1]), Bare()]
    layers = first + [Dense(x[1], x[2])]
    for layer in layers[::-1] + list(first):
        x = layer(x)
    return np.sum(x * layers[2].w)


@dataclass
class Base:
    a: float
    b: object = 2.0

    def area(self):
        return self.a**2 * self.b


class Plain(Base):
    def area(self):
        return super().area() * self.a


class OtherDefault(Base):
    b = 5.0


class PostInitThatNobodyCalls(Base):
    def __post_init__(self):
        self.a = self.a * 3


@keep
def of_an_inherited_init(x):
    return Plain(x[0]).area() + Plain(x[1], x[2]).area()


@refused("the source of Base.__init__")
def of_an_inherited_init_and_another_default(x):
    return OtherDefault(x[0]).area()


@refused("the source of Base.__init__")
def of_an_inherited_init_without_the_post_init(x):
    return PostInitThatNobodyCalls(x[0]).area()


test_right = each_right(RIGHT, X, X_DOT)


test_refused = each_refused(REFUSED, X)


def test_no_function_makes_what_is_stored_as_given() -> None:
    text = grad(of_slots).source(X)
    assert "Slots_forward" not in text
    assert "s_a, s_b = x[0], x[1]" in text


def test_init_is_another_later() -> None:
    class Point:
        def __init__(self, x):
            self.x = x

    def other(self, x):
        self.x = 3 * x

    def f(v):
        return Point(v).x ** 2

    gradient = grad(f)
    assert gradient(2.0) == 4.0
    Point.__init__ = other  # type: ignore[method-assign]
    assert gradient(2.0) == 36.0
