"""Operands of which nothing is known beforehand: numbers and plain arrays, or a TypeError where they meet what varies."""

from __future__ import annotations

import enum
import json
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse
from every_mode import Function, each_refused, each_right, kept_in, named, refused_in

from tangentish import NotDifferentiable, grad, hvp, jvp

RIGHT: list[Function] = []
ODD: list[Function] = []
REFUSED: list[tuple[Function, str]] = []
right, odd, refused = kept_in(RIGHT), kept_in(ODD), refused_in(REFUSED)


class Vector:
    __array_ufunc__ = None

    def __init__(self, values):
        self.values = values

    def __rmul__(self, other):
        return float(np.sum(self.values * other) ** 2)

    def __radd__(self, other):
        return other * 2


class Squared(np.ndarray):
    def __rmul__(self, other):
        return np.asarray(other) ** 2


class Speed(enum.IntEnum):
    SLOW = 2


class Held:
    def __init__(self, **held):
        self.__dict__.update(held)


HELD = Held(
    matrix=np.matrix([[1.0, 2.0], [3.0, 4.0]]),
    vector=Vector(np.ones(2)),
    squared=np.ones(2).view(Squared),
    masked=np.ma.masked_array([1.0, 2.0], [True, False]),
    fraction=Fraction(1, 2),
    sparse=scipy.sparse.csr_matrix(np.eye(2)),
    turn=1j,
    turns=np.array([1j, 2.0]),
    objects=np.array([1.0, 2.0], object),
    weight=1.5,
    count=3,
    flag=True,
    speed=Speed.SLOW,
    array=np.array([2.0, 3.0]),
    table=np.array([[2, 3], [4, 5]]),
    single=np.float32(0.5),
    pair=(2.0, 3.0),
    numbers=[2.0, 3.0],
)


def get(name):
    return vars(HELD)[name]


def read(text):
    return json.loads(text)


@right
def numbers(x):
    return np.sum(x * HELD.weight - HELD.count) ** 2 / get("speed") + x[0] ** 2 * HELD.flag


@right
def arrays(x):
    return np.sum(HELD.table @ x * get("array")) * x[0] / HELD.single


@right
def lists(x):
    y = np.maximum(x, read("[0.5, 0.5]")) + np.power(x, get("numbers")) + x**HELD.pair
    return np.outer(y, HELD.numbers).sum() + x @ read("[2, 3]") * np.dot(get("numbers"), x)


@right
def parts_of_displays(x):
    t = np.sum([x[0] * HELD.weight, HELD.weight]) * np.linalg.norm([x[1] ** 2, HELD.count])
    return t + np.cumsum([x[0], get("weight")])[1] * x[1]


@right
def one_name_in_a_loop(x):
    k, s = HELD.weight, 0.0
    for i in range(2):
        s += x[i] ** 2 * k
        s *= k
    return s * len(get("numbers")) + len(HELD.numbers + [1.0])


@right
def chosen_by_what_it_is(x):
    k = read('"text"')
    return np.sum(x**2 * k) if not isinstance(k, str) else np.sum(x**3)


@right
def in_a_try_for_others(x):
    try:
        y = x**2 * get("nothing")
    except KeyError:
        y = x**2 * get("weight")
    return np.sum(y)


@right
def computed_with_before_and_plain(x):
    k = get("weight") * 2 + HELD.array
    s = 0.0
    for i in range(2):
        s += k[i]
    return np.sum(x**2 * k) * s


@odd
def a_matrix(x):
    return np.sum(x * get("matrix"))


@odd
def a_matrix_of_an_object(x):
    return np.sum(x * HELD.matrix)


@odd
def multiplies_by_itself(x):
    return x * get("vector")


@odd
def adds_by_itself(x):
    return float((x + HELD.vector).sum())


@odd
def a_subclass(x):
    return np.sum(x * HELD.squared)


@odd
def masked(x):
    return np.sum(x * HELD.masked)


@odd
def a_fraction(x):
    return x[0] * HELD.fraction


@odd
def sparse(x):
    return np.sum((HELD.sparse @ x) ** 2)


@odd
def imaginary_part(x):
    return np.sum((x * get("turn")).imag)


@right
def imaginary_part_of_a_product(x):
    return np.dot(x, HELD.turns).imag


@odd
def angles(x):
    return np.sum(np.angle(x + get("turn")))


@right
def summed_up(x):
    s = 0.0
    for i in range(2):
        s = s + x[i] * HELD.turns[i]
    return s.imag


@odd
def objects(x):
    return np.sum(x * HELD.objects)


@odd
def computed_with_before(x):
    k = get("matrix") * 2
    return np.sum(x * k)


@odd
def read_by_nothing_after(x):
    y = x[0] + HELD.vector
    return y * x[1]


def by(x, k):
    return x * k


def by_what_is_held(x, k):
    return by(x, k) * HELD.array


def by_what_is_got(x, k):
    return by(x, k) * get("array")


@odd
def handed_to_a_helper(x):
    return np.sum(by(x, get("matrix")))


@refused("this `try` might catch what is raised")
def in_a_try(x):
    try:
        return np.sum(x * HELD.matrix)
    except Exception:
        return np.sum(x)


@refused("this `try` might catch what is raised")
def by_a_helper_in_a_try(x):
    try:
        y = by(x, get("matrix"))
    except (ValueError, TypeError):
        y = x
    return np.sum(y)


test_numbers_and_plain_arrays = each_right(RIGHT, np.array([0.7, 0.4]), np.array([0.3, -0.2]))


@pytest.mark.parametrize("function", ODD, ids=named)
def test_anything_else_raises(function: Function) -> None:
    """When it runs, or before where the object that holds it tells what it is."""
    x = np.array([0.7, 0.4])
    for call in (
        grad(function),
        lambda x: jvp(function, (x,), (x,)),
        lambda x: hvp(function)(x, x),
    ):
        with pytest.raises(
            (TypeError, NotDifferentiable),
            match="known beforehand|only numbers and plain arrays may",
        ):
            call(x)


test_refused_in_a_try = each_refused(REFUSED, np.array([0.7, 0.4]))


def test_what_is_known_is_not_asked() -> None:
    x = np.ones(2)
    assert "plain(" in grad(by_what_is_got).source(x, HELD.array)
    assert "plain(" not in grad(by_what_is_held).source(x, HELD.array)
    assert "plain(" not in grad(by).source(x, HELD.array)


def some():
    yield 1.0
    yield 2.0


def test_compiled() -> None:
    pytest.importorskip("numba")

    def f(x):
        s = 0.0
        for k in some():
            s += x[0] ** 2 * k
        return s

    x = np.array([0.6, 0.4])
    assert grad(f, compile="numba")(x) == pytest.approx(grad(f)(x))
