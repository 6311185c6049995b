"""The gradient raises when f does, and what f does; nothing is left half done."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from contract import check_gradients, same
from numeric import copy_arguments

from tangentish import NotDifferentiable, grad, jvp, value_and_grad, vjp

Function = Callable[..., Any]
CASES: list[Any] = []
X = (1.0, 2.0, 3.0)


def raising(*cases: tuple[Any, ...]) -> Callable[[Function], Function]:
    """Register the function below: it raises for some of these arguments."""

    def register(function: Function) -> Function:
        for k, args in enumerate(cases):
            CASES.append(pytest.param(function, args, id=f"{function.__name__}-{k}"))
        return function

    return register


def arguments(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of one call: a tuple of floats is an array."""
    return tuple(np.array(a, dtype=float) if isinstance(a, tuple) else a for a in args)


@pytest.mark.parametrize(("function", "args"), CASES)
def test_exceptions(function: Function, args: tuple[Any, ...]) -> None:
    try:
        function(*arguments(args))
    except Exception as error:
        wanted = error
    else:
        check_gradients(function, *arguments(args))
        return
    for operator in (grad, value_and_grad, lambda f: lambda *a: vjp(f, *a)):
        given = arguments(args)
        before = copy_arguments(given)
        with pytest.raises(type(wanted)) as caught:
            operator(function)(*given)
        assert type(caught.value) is type(wanted)
        assert str(caught.value) == str(wanted)
        assert same(given, before)


# ------------------------------------------------------------------- names that have no value yet


@raising((X,), ((),))
def last_of_a_loop(x):
    for i in range(len(x)):
        y = x[i] * 2
    return y


@raising((X, 0.0), (X, 1.5), (X, 5.0))
def carried_by_a_loop(x, c):
    s = 0.0
    for i in range(len(x)):
        if x[i] > c:
            t = x[i] ** 2
        s += t * x[i]
    return s


@raising((X, 0.0), (X, 1.5), (X, 5.0))
def updated_in_a_loop(x, c):
    s = 0.0
    for i in range(len(x)):
        if x[i] > c:
            t = x[i] ** 2
        t *= x[i]
        s += t**2
    return s


@raising((X, -1), (X, 0), (X, 5))
def array_updated_in_a_loop(x, c):
    s = 0.0
    for i in range(3):
        if i > c:
            t = x * (i + 1)
        t *= x
        s += np.sum(t**2)
    return s


def _helper(x, c):
    if c > 0:
        y = x * 2
    z = 1.0
    if c < 1:
        z = y * x
    return z * x


@raising((2.0, -1.0), (2.0, 0.5), (2.0, 2.0))
def in_a_helper(x, c):
    return _helper(x, c) ** 2


@raising((X, 0), (X, 1), (X, 9))
def read_on_some_trips_only(x, c):
    s = 0.0
    for i in range(len(x)):
        s += t * x[i] if i > 1 else x[i]  # noqa: F821
        if i == c:
            t = x[i] ** 2
    return s


@raising((X, 0), (X, 5))
def read_in_the_test_of_a_loop(x, c):
    s = 0.0
    i = 0
    while i < 3 and (i < 1 or t > 0):  # noqa: F821
        if i == c:
            t = x[i] ** 2
        s += x[i] ** 2 * (t if i > 0 else 1.0)
        i += 1
    return s


@raising((X, 0.0), (X, 9.0))
def that_may_be_none(x, c):
    s = 0.0
    for i in range(3):
        if x[i] > c:
            k = None if i == 1 else 2
        s += x[i] ** (3 if k is None else k)
        x[i] = s
    return s


@raising((X,), ((1.0,),))
def after_two_loops(x):
    s = 0.0
    for i in range(len(x)):
        for j in range(i):
            t = x[j]
            s += t**2
    return s * t


# --------------------------------------------------------- keys and attributes that are not there


@raising((X, 0), (X, 3), (X, -4), ((), 0))
def place_of_the_result(x, k):
    y = np.cumsum(x)
    return y[k] * 2


@raising((X, 0), (X, 3), (X, -4))
def place_that_no_gradient_has(x, k):
    y = np.floor(x[k] + 0.5) + x[0]
    return y * 2


@raising((X,), ((1.0,),), ((),))
def literal_that_no_gradient_has(x):
    return np.sign(x[1]) + x[0]


@raising((X, 1), (X, 3))
def place_without_use_in_a_branch(x, k):
    y = x[k] * 0.5
    if x[0] > 2:
        return y
    return np.sum(x)


@raising((X, [0, 2]), (X, [1, 3]), (X, [-4]))
def places_of_the_result(x, places):
    return np.sum((x * 2)[places] ** 2)


@raising((X, 2, 2), (X, 3, 0), (X, 0, 3))
def place_in_a_table(x, i, j):
    table = np.outer(x, x)
    total = 0.0
    for k in range(2):
        total += table[i, j] * table[k, i]
    return total


@raising((X, True, 1), (X, True, 3), (X, False, 3))
def place_on_one_way(x, flag, k):
    total = 0.0
    if flag:
        total += x[k] * 2
    return total + x[1]


@raising((X, 1.0), (X, None), (X, True))
def place_of_another_kind(x, k):
    return np.sum(x[k] * 2)


class Thing:
    def __init__(self, value):
        self.value = value


def _squared_if(v, c):
    if c < 0:
        raise ValueError("first")
    return v * v


@raising((2.0, 1), (2.0, 0), (2.0, -1))
def key_after_a_call(x, c):
    d = {"a": x}
    if c == 0:
        return d["a"] ** 2
    return _squared_if(x, c) + d["b"]


@raising((2.0, 0), (2.0, 2))
def key_in_a_loop(x, n):
    d = {"a": x, 1: x}
    for _ in range(n):
        x = x * d[("a", 1)]
    return x * d["a"]


@raising((2.0, 0), (2.0, 1), (2.0, 2))
def key_updated(x, n):
    d = {"a": x}
    try:
        d["b"] += x
    except KeyError as error:
        x = x * len(error.args[0])
    if n == 1:
        d["c"] *= x
    elif n == 2:
        x = x * d[0]
    return x * d["a"]


@raising((2.0,))
def key_caught(x):
    d, y = {"a": x}, 0.0
    for key in ("a", "b"):
        try:
            y = y + d[key]
        except KeyError:
            y = y * 2
        finally:
            x = x * 3
    return y * x


@raising((2.0, 0), (2.0, 1))
def attribute_of_an_object(x, n):
    thing = Thing(x)
    if n:
        return thing.values
    return thing.value**2


def _first_of_many(x: Any) -> Any:
    unused = x[7]  # noqa: F841
    return np.sum(x**2)


def _from_the_end(x: Any) -> Any:
    y = 2 * x
    unused = y[-5] * 3  # noqa: F841
    return np.sum(x)


def _constant_element(x: Any, data: Any) -> Any:
    return np.sum(x + data[7])


def _in_one_branch(x: Any, c: Any) -> Any:
    t = x[7]
    y = 0.0
    if c:
        y = t * 2
    return y + x[0]


def _of_a_list(x: Any) -> Any:
    items = [v * 2 for v in x]
    unused = items[7]  # noqa: F841
    return np.sum(x)


def _of_a_matrix(x: Any) -> Any:
    column = x[:, 7]  # noqa: F841
    return np.sum(x)


def _unpacked(x: Any) -> Any:
    a, b = x
    return a + b


def _unpacked_rows(x: Any) -> Any:
    a, b = x
    a[0] = b[1] * 2
    return np.sum(x)


def _key(x: Any, options: Any) -> Any:
    unused = options["b"]  # noqa: F841
    return np.sum(x)


def _key_in_a_comprehension(x: Any, options: Any) -> Any:
    return sum([v + options["b"] for v in x])  # the slope of a sum needs none of its elements


def _attribute(x: Any, thing: Any) -> Any:
    unused = thing.missing  # noqa: F841
    return np.sum(x)


def _conversion(x: Any, text: Any) -> Any:
    unused = int(text)  # noqa: F841
    return np.sum(x)


def _axis(x: Any) -> Any:
    unused = np.sum(x, axis=2)  # noqa: F841
    return np.sum(x)


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (_first_of_many, (np.ones(3),)),
        (_first_of_many, (np.ones(0),)),
        (_from_the_end, (np.ones(3),)),
        (_constant_element, (np.ones(3), np.ones(2))),
        (_in_one_branch, (np.ones(3), 0)),
        (_of_a_list, (np.ones(3),)),
        (_of_a_matrix, (np.ones((2, 2)),)),
        (_unpacked, (np.ones(3),)),
        (_unpacked, (np.ones(1),)),
        (_unpacked_rows, (np.ones((3, 3)),)),
        (_key, (np.ones(3), {"a": 1})),
        (_key_in_a_comprehension, (np.ones(3), {"a": 1})),
        (_attribute, (np.ones(3), object())),
        (_conversion, (np.ones(3), "one")),
        (_axis, (np.ones(3),)),
    ],
)
def test_lines_that_nobody_needs_still_raise(function: Any, args: Any) -> None:
    with pytest.raises(Exception) as expected:  # noqa: B017
        function(*args)
    for derivative in (grad, value_and_grad):
        with pytest.raises(type(expected.value)):
            derivative(function)(*args)
    with pytest.raises(type(expected.value)):
        vjp(function, *args)


def logarithm(x):
    return math.log(x)


def logarithms_added(x):
    total = 0.0
    total += math.log(x)
    return total


def logarithm_of_itself(x):
    x = math.log2(x) * 2.0
    return x


def logarithm_stored(x):
    ys = [0.0]
    ys[0] = math.log1p(x - 1.0)
    return ys[0]


def at_a_pole(x):
    return math.atanh(1.0 - x) + math.log10(x)


def divided(x):
    return 1.0 / x + x ** (-1)


@pytest.mark.parametrize(
    "f",
    [logarithm, logarithms_added, logarithm_of_itself, logarithm_stored, at_a_pole, divided],
)
def test_forward_mode_raises_what_the_function_raises(f: Any) -> None:
    """The value comes before its tangent, which may fail where it does, and in another way."""
    with pytest.raises((ValueError, ZeroDivisionError)) as expected:
        f(0.0)
    with pytest.raises(expected.type) as found:
        jvp(f, (0.0,), (1.0,))
    assert str(found.value) == str(expected.value)
    assert jvp(f, (0.5,), (1.0,))[0] == f(0.5)
    assert jvp(f, (0.5,), (1.0,))[1] == pytest.approx(grad(f)(0.5), rel=1e-13)


# ------------------------------------------------------------------- lists that are made in a try


@raising((X, 2), (X, 0))
def shares_or_nothing(x, n):
    values = [float(v) for v in x]
    try:
        inverse = 1 / n
        return sum([inverse * v * v for v in values])
    except ZeroDivisionError:
        return sum([3.0 * v for v in values])


@raising(((0.7, 1.3), [2.0, 3.0]), ((0.7, 1.3), [1.0, 0.0]), ((0.7, 1.3), [5.0, 2.0]))
def divided_as_far_as_it_goes(x, d):
    total = 0.0
    for k in range(3):
        try:
            y = [float(v) / (w - k) for v, w in zip(x, d)]
        except ZeroDivisionError:
            y = [v * 3 * total for v in x]
        total = total + y[0] * y[1] + x[0]
    return total


def test_lists_that_a_handler_made_on_the_trip_before() -> None:
    def kept(x, d):
        total, y = 0.0, [x[0], x[1]]
        for k in range(3):
            try:
                y[0] = x[1] * total
                y.append(x[0] / float(d - k))
            except ZeroDivisionError:
                y = [v * 3 for v in x]
            total = total + y[0] * y[1]
        return total

    with pytest.raises(NotDifferentiable, match="'y' changes before something else in this try"):
        grad(kept)(np.array([0.7, 1.3]), 1.0)
