"""Branches whose way is known by what is given, where a name has another form on the other way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from numeric import assert_close, numeric_gradient

from tangentish import NotDifferentiable, grad, hvp, jvp, vjp

SHIFT = [0.5, -0.2]


def as_array(v):
    if isinstance(v, (list, tuple)):
        v = np.array(v)
    return v


def as_vector(v):
    if isinstance(v, (int, float)):
        v = [v]
    if isinstance(v, (list, tuple)):
        v = np.asarray(v, dtype=float)
    elif v.ndim == 2:
        v = v.ravel()
    return v


def of_itself(q):
    if isinstance(q, (list, tuple)):
        q = np.array(q)
    return np.sum(q**3)


def by_a_helper(q):
    q = as_array(q)
    return np.sum(np.sin(q) * as_array(SHIFT))


def by_several_forms(q):
    return np.sum(as_vector(q) ** 2) * 0.5


def in_a_loop(q):
    total = 0.0
    for k in range(3):
        v = as_array(q)
        total = total + np.sum(v * v) * k
    return total


def under_two_tests(q, scale=None):
    if scale is not None:
        q = q * scale
    elif isinstance(q, (list, tuple)):
        q = [2.0 * v for v in q]
    if isinstance(q, (list, tuple)):
        q = np.array(q)
    return q @ q


def wrapped_for_one_way(q, ways="array"):
    if ways == "list":
        q = [v * 2 for v in q]
    else:
        q = np.cos(q)
    return sum(q) if ways == "list" else np.sum(q)


def by_its_type(q):
    if type(q) in [list, tuple]:
        q = np.array(q)
    return np.sum(q**3)


def by_types_in_a_helper(q):
    def plain(v):
        if type(v) is list or type(v) is tuple:
            v = np.array(v)
        return v

    if type(q) is not np.ndarray:
        q = np.asarray(q)
    return np.sum(plain([q[0] * q[1], q[0]]) * plain((q[1], 2.0)) * plain(q))


FUNCTIONS = [
    of_itself,
    by_a_helper,
    by_several_forms,
    in_a_loop,
    under_two_tests,
    by_its_type,
    by_types_in_a_helper,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("make", [list, tuple, np.array], ids=["list", "tuple", "array"])
def test_lists_tuples_and_arrays(function: Callable[..., Any], make: Callable[..., Any]) -> None:
    x = np.array([0.7, -0.4])
    truth = numeric_gradient(lambda z: function(make(z.tolist())), (x,), 0, 1.0)
    gradient = grad(function)(make(x.tolist()))
    assert type(gradient) is type(make(x.tolist()))
    assert_close(np.array(gradient), truth, function.__name__)
    x_dot = np.array([0.3, 0.9])
    tangent = jvp(function, (make(x.tolist()),), (make(x_dot.tolist()),))[1]
    assert_close(tangent, truth @ x_dot, function.__name__)
    if make is np.array:
        slope = numeric_gradient(lambda z: np.array(grad(function)(z)) @ x_dot, (x,), 0, 1.0)
        assert_close(hvp(function)(x, x_dot), slope, function.__name__)


def test_numbers_and_matrices() -> None:
    assert_close(grad(by_several_forms)(0.7), np.float64(0.7), "number")
    x = np.array([[0.3, 0.4], [0.1, -0.2]])
    assert_close(grad(by_several_forms)(x), x, "matrix")


def test_words_that_are_given() -> None:
    x = np.array([0.7, -0.4])
    assert_close(grad(wrapped_for_one_way)(x), -np.sin(x), "array")
    assert_close(np.array(grad(wrapped_for_one_way)(x, "list")), np.full(2, 2.0), "list")


class Pair(NamedTuple):
    a: float
    b: float


def by_type_of_a_tuple(v):
    return v[0] * (2.0 if type(v) is tuple else 3.0)


def test_a_special_case_of_a_tuple_is_of_another_type() -> None:
    assert grad(by_type_of_a_tuple)((0.7, 0.2)) == (2.0, 0.0)
    assert grad(by_type_of_a_tuple)([0.7, 0.2]) == [3.0, 0.0]
    assert grad(by_type_of_a_tuple)(Pair(0.7, 0.2)) == Pair(3.0, 0.0)
    assert (
        grad(lambda x: by_type_of_a_tuple((x, 1.0)) + by_type_of_a_tuple(Pair(x, 1.0)))(0.7) == 5.0
    )
    with pytest.raises(NotDifferentiable):
        grad(lambda x: by_type_of_a_tuple(np.linalg.slogdet(x)))(np.eye(2))


class Switch:
    def __init__(self):
        self.on = True


class Model:
    def __init__(self):
        self.switch = Switch()


def turned_off(model, q):
    """The switch has another value where it is asked than where it is made, by a name of two forms."""
    v = q
    if not isinstance(q, list):
        v = model.switch
        v.on = False
    if model.switch.on:
        q = 3 * np.array(q)
    return np.sum(q * q)


def test_what_changes_before_it_is_asked() -> None:
    x = np.array([0.7, -0.4])
    for make, factor in ((np.array, 2.0), (list, 18.0)):
        gradient = vjp(lambda z: turned_off(Model(), z), make(x.tolist()))[1](1.0)[0]
        assert_close(np.array(gradient), factor * x, "turned off")


def solved_by_what_it_needs(q, top=None):
    if isinstance(q, (list, tuple)):
        q = np.array(q)
    if top is not None:
        seen = []

        def step(p):
            seen[:] = [p * top]
            return p * 2.0

        return np.sum(step(q) * seen[0])

    def step(p):
        return p * p

    return np.sum(step(q))


def bound_where_it_is_called(q, top=None):
    if isinstance(q, (list, tuple)):
        q = np.array(q)
    if top is not None:
        k = q[0] * top

    def scaled(p):
        return p * k

    return np.sum(scaled(q) if top is not None else q**3)


def bound_where_it_is_read(q, top=None):
    if isinstance(q, (list, tuple)):
        q = np.array(q)
    if top is not None:
        k = q[0] * top

    def scaled(p):
        return p * k if top is not None else p**2

    return np.sum(scaled(q) * q)


def bound_nowhere(q, top=None):
    if isinstance(q, (list, tuple)):
        q = np.array(q)
    if top is not None:
        k = q[0] * top

    def scaled(p):
        return p * k

    return np.sum(scaled(q))


@pytest.mark.parametrize("top", [None, 2.0])
@pytest.mark.parametrize("make", [np.array, np.ndarray.tolist], ids=["array", "list"])
@pytest.mark.parametrize(
    "function", [solved_by_what_it_needs, bound_where_it_is_called, bound_where_it_is_read]
)
def test_functions_inside_that_read_what_is_bound_on_another_way(
    function: Callable[..., Any], make: Callable[..., Any], top: float | None
) -> None:
    x = np.array([0.7, -0.4])
    numeric = numeric_gradient(lambda z: function(z, top), (x,), 0, 1.0)
    assert_close(np.array(grad(function)(make(x), top)), numeric, function.__name__)
    tangent = jvp(function, (make(x), top), (make(np.array([0.3, 0.8])), None))[1]
    assert_close(tangent, numeric @ np.array([0.3, 0.8]), function.__name__)


def test_functions_inside_that_read_what_nothing_binds() -> None:
    with pytest.raises(NameError):
        bound_nowhere([0.7, -0.4])
    with pytest.raises((NotDifferentiable, NameError)):
        grad(bound_nowhere)([0.7, -0.4])


def mixed(q):
    if q[0] > 0:
        q = [q[0], q[1] * 2]
    return q[0] * q[1]


def test_ways_that_are_not_known_are_refused() -> None:
    with pytest.raises(NotDifferentiable, match="on one path and a single value on another"):
        grad(mixed)(np.array([0.7, -0.4]))
