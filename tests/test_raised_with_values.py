"""Exceptions that are raised with what varies, and leave the function: they show what they are given, and no more."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from tangentish import NotDifferentiable, grad, hvp, jvp
from tests.numeric import assert_close, numeric_gradient

X = np.array([0.7, 0.4, 0.9])
V = np.array([0.3, -0.2, 0.5])


class Negative(Exception):
    pass


class Writing(Exception):
    def __init__(self, v):
        v[0] = 9.0


def with_a_number(x):
    if x[0] > 0:
        return x[0] ** 2 * x[1]
    raise ValueError("negative", x[0])


def with_a_tuple(x):
    s = 0.0
    for kind, v in [("lens", x[0]), ("space", x[1])]:
        if kind == "lens":
            s += v**2
        elif kind == "space":
            s += v * x[2]
        else:
            raise ValueError((kind, v))
    return s


def of_a_case(x):
    for element in [("lens", x[0]), ("space", x[1])]:
        match element:
            case ("lens", f):
                y = 1 / f
            case ("space", v):
                y = y * v
            case _:
                raise ValueError(element)
    return y


def with_what_was_computed(x):
    y = x * 2.0
    for _ in range(2):
        y *= x
        if np.sum(y) < 0:
            raise Negative(y)
    return np.sum(y)


class Beyond(Exception):
    """An exception that keeps what it is given in attributes of its own."""

    def __init__(self, value, limit):
        super().__init__(f"{value} beyond {limit}")
        self.value = value
        self.limit = limit


class FarBeyond(Beyond):
    """Made by the class above before it keeps something itself."""

    def __init__(self, value, limit, steps=None):
        super().__init__(value, limit)
        self.steps = steps


class Spring:
    def __init__(self, stiffness):
        self.stiffness = stiffness
        self.length = 0.0

    def pull(self, force):
        self.length = self.length + force / self.stiffness
        if self.length < 0:
            raise Negative("length", self.length)
        return self.length


def of_a_class_of_its_own(x):
    y = x * abs(x[0])
    if np.sum(y**3) < 0:
        raise Beyond(y, limit=x[1])
    return np.sum(y**3)


def checked(v, low):
    if v < low:
        raise Beyond(v, low)
    return v * v


def of_a_class_with_one_above(x):
    y = x * abs(x[0])
    if np.sum(y**3) < 0:
        raise FarBeyond(x[0], limit=x[1], steps=x[2])
    return np.sum(y**3)


def in_a_helper(x):
    return checked(x[0], -0.5) * x[1] + checked(x[1] * x[2], 0.0)


def in_a_method(x):
    spring = Spring(x[0] ** 2)
    return spring.pull(x[1]) * spring.pull(x[2])


def near_root(a, trips):
    x = a
    for _ in range(trips):
        x = x - (x * x - a) / (2 * x)
        if abs(x * x - a) < 1e-9 * a:
            return x
    raise Negative("not found", x)


def another_way_where_it_fails(x):
    try:
        r = near_root(x[0], 2)
    except Negative:
        r = near_root(x[0], 30)
    return r * x[1]


def another_place_where_it_fails(x):
    r = x[0] * 2
    for trips, v in enumerate(x, 3):
        try:
            r = r + near_root(v, trips) * x[1]
            break
        except:  # noqa: E722
            continue
    return r**2


def in_spite_of_it(x):
    y = x**2
    try:
        y = y * near_root(x[0], 30)
    finally:
        y = y * x[1]
    return np.sum(y)


class Broken(Exception):
    def __init__(self, part, text):
        super().__init__(text)
        self.part = part


class Rope:
    def __init__(self, spring, loads):
        self.spring = spring
        self.loads = loads
        self.name = "rope"

    def hang(self):
        for load in self.loads:
            self.spring.length = self.spring.length + load / self.spring.stiffness
        if self.spring.length < 0:
            raise Broken(self, f"too short: {self!r}")
        return self.spring.length

    def __repr__(self):
        return f"{self.name} of {self.spring.length}"


def with_an_object(x):
    rope = Rope(Spring(abs(x[0]) * x[1] ** 2), [x[1], x[2]])
    return rope.hang() * x[0]


WAYS = [
    with_an_object,
    with_a_number, with_a_tuple, of_a_case, with_what_was_computed, of_a_class_of_its_own, in_a_helper, in_a_method,
    of_a_class_with_one_above, another_way_where_it_fails, another_place_where_it_fails, in_spite_of_it,
]  # fmt: skip


@pytest.mark.parametrize("function", WAYS)
def test_the_other_ways_are_differentiated(function):
    gradient = grad(function)
    expected = numeric_gradient(function, [X.copy()], 0, 1.0)
    assert_close(gradient(X.copy()), expected, "gradient")
    second = numeric_gradient(lambda x: V @ gradient(x), [X.copy()], 0, 1.0)
    assert_close(hvp(function)(X.copy(), V), second, "second derivative")
    assert_close(jvp(function, (X.copy(),), (V,))[1], V @ expected, "tangent")


RAISING = [
    with_a_number, with_what_was_computed, of_a_class_of_its_own, of_a_class_with_one_above, in_a_helper, in_a_method,
]  # fmt: skip


@pytest.mark.parametrize("function", RAISING)
def test_they_are_raised_with_what_the_function_gives_them(function):
    calls = [grad(function), lambda x: hvp(function)(x, V), lambda x: jvp(function, (x,), (V,))]
    with pytest.raises((ValueError, Negative, Beyond)) as expected:
        function(-X)
    for call in calls:
        with pytest.raises(type(expected.value)) as found:
            call(-X)
        np.testing.assert_equal(found.value.args, expected.value.args)
        np.testing.assert_equal(vars(found.value), vars(expected.value))


def test_objects_are_put_together_for_them():
    calls = [with_an_object, grad(with_an_object), lambda x: hvp(with_an_object)(x, V)]
    found = []
    for call in calls:
        with pytest.raises(Broken) as error:
            call(-X)
        part = error.value.part
        assert type(part) is Rope
        assert type(part.spring) is Spring
        found.append((str(error.value), vars(part) | {"spring": vars(part.spring)}))
    np.testing.assert_equal(found, [found[0]] * 3)


def caught_here(x):
    y = x * 2
    try:
        if x[0] > 0:
            raise Negative(y)
    except Negative as e:
        e.args[0][1] = 3.0
    return np.sum(y**2)


def negative_within(x):
    if x[0] > 0:
        raise Negative("positive", x[0] * x[1])
    return x[1]


def caught_by_the_caller(x):
    try:
        return negative_within(x)
    except Negative as e:
        return x[2] ** 2 * e.args[1]


def written_when_made(x):
    y = x * 2
    if x[0] < 0:
        raise Writing(y)
    return np.sum(y)


def by_another(x):
    return negative_within(x) * 2.0


def caught_further_out(x):
    try:
        y = by_another(x)
    except Negative as e:
        y = x[2] ** 2 * e.args[1]
    return y


def looked_up(x):
    y = x * 2
    try:
        raise ValueError(y)
    except ValueError:
        y = sys.exc_info()[1].args[0]
    return np.sum(y**2)


def raised_again(x):
    try:
        negative_within(x)
    except Negative:
        try:
            raise
        except Negative as e:
            y = x[2] * e.args[1]
    return y


class Scaling:
    def __enter__(self):
        return self

    def __exit__(self, cls, error, traceback):
        return cls is Negative


def swallowed(x):
    with Scaling():
        return by_another(x)
    return x[2]


def taken_back(x):
    try:
        return by_another(x)
    finally:
        return x[2]


def object_caught_here(x):
    spring = Spring(x[0])
    try:
        spring.length = x[1] * 2.0
        if spring.length > 0:
            raise Broken(spring, "too long")
    except Broken as e:
        return e.part.length * x[0]
    return x[1]


@pytest.mark.parametrize("function", [caught_here, object_caught_here, written_when_made])
def test_those_that_are_caught_are_refused(function):
    with pytest.raises(NotDifferentiable, match="no derivative rule"):
        grad(function)(X.copy())


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (looked_up, "may read any variable"),
        (raised_again, "may look at it"),
    ],
)
def test_those_that_may_be_looked_up_are_refused(function, why):
    with pytest.raises(NotDifferentiable, match=why):
        grad(function)(X.copy())


@pytest.mark.parametrize(
    "function", [caught_by_the_caller, caught_further_out, swallowed, taken_back]
)
def test_those_that_callers_may_catch_are_refused(function):
    with pytest.raises(NotDifferentiable, match="may look at it|may suppress|finally"):
        grad(function)(X.copy())
