"""Dicts that stand outside of the function and go into others: their keys and kinds are looked up at every call."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tangentish import NotDifferentiable, grad, jvp, value_and_grad

SETTINGS: dict[str, object] = {}
MANY = {f"k{n}": float(n) for n in range(100)}
NAMES = {(0, 1): 2.0}
shelf = types.ModuleType("shelf")


def scaled(x):
    settings = {**SETTINGS, "scale": x}
    return settings["scale"] * settings["power"]


@pytest.fixture(autouse=True)
def fresh() -> None:
    SETTINGS.clear()
    SETTINGS.update(power=2.0, scale=1.0)


def test_values_are_read_at_every_call() -> None:
    derivative = grad(scaled)
    assert derivative(3.0) == 2.0
    SETTINGS["power"] = 5.0
    assert derivative(3.0) == 5.0
    assert SETTINGS == {"power": 5.0, "scale": 1.0}


def test_keys_that_come_and_go() -> None:
    derivative = grad(scaled)
    assert derivative(3.0) == 2.0
    SETTINGS["other"] = "text"
    assert derivative(3.0) == 2.0
    del SETTINGS["power"]
    with pytest.raises(KeyError, match="power"):
        scaled(3.0)
    with pytest.raises((KeyError, NotDifferentiable)):
        derivative(3.0)


def test_a_number_that_becomes_an_array() -> None:
    def summed(x):
        settings = dict(SETTINGS)
        settings["scale"] = x * x
        return np.sum(settings["scale"] * settings["power"])

    derivative = grad(summed)
    assert derivative(3.0) == 12.0
    SETTINGS["power"] = np.array([1.0, 2.0, 3.0])
    assert derivative(3.0) == 36.0
    np.testing.assert_allclose(jvp(summed, (3.0,), (1.0,))[1], 36.0)


def test_the_dict_itself_is_replaced() -> None:
    def captured(x):
        settings = held.copy()
        settings["a"] *= x
        return settings["a"] * settings["b"]

    held = {"a": 2.0, "b": 3.0}
    derivative = value_and_grad(captured)
    assert derivative(2.0) == (12.0, 6.0)
    held = {"b": 7.0, "a": 1.0, "c": 0.0}
    assert derivative(2.0) == (14.0, 7.0)


def test_of_a_module() -> None:
    def of_a_module(x):
        settings = shelf.settings | {"a": x}
        return settings["a"] * settings["b"]

    shelf.settings = {"a": 1.0, "b": 3.0}
    derivative = grad(of_a_module)
    assert derivative(2.0) == 3.0
    shelf.settings = {"b": 4.0}
    assert derivative(2.0) == 4.0


def test_that_changes_as_the_function_runs() -> None:
    def changing(x):
        SETTINGS["power"] = 3.0
        settings = {**SETTINGS, "scale": x}
        return settings["scale"] * settings["power"]

    assert changing(2.0) == 6.0
    SETTINGS["power"] = 2.0
    try:
        assert grad(changing)(2.0) == 3.0
    except NotDifferentiable:
        assert SETTINGS["power"] == 2.0


@pytest.mark.parametrize("held", [MANY, NAMES])
def test_that_is_not_looked_into(held: dict[object, float]) -> None:
    def merged(x):
        settings = {**held, "scale": x}
        return settings["scale"] * 2

    with pytest.raises(NotDifferentiable, match="keys that are known"):
        grad(merged)(2.0)


def test_an_array_outside_is_not_written_to() -> None:
    def stored(x):
        settings = dict(SETTINGS)
        settings["power"][0] = x
        return np.sum(settings["power"]) * x

    SETTINGS["power"] = np.ones(2)
    with pytest.raises(NotDifferentiable):
        grad(stored)(2.0)
    np.testing.assert_array_equal(SETTINGS["power"], np.ones(2))


ROWS = [(1, 0.5), (2.0, 0.25), (True, 1.5)]
NAMED = [("a", 0.5), ("b", 0.25)]


def of_rows_of_several_forms(x):
    total = 0.0
    for k, weight in ROWS:
        total = total + weight * x[0] ** k
    return total


def of_named_rows(x):
    total = 0.0
    for name, weight in NAMED:
        total = total + (weight * x[0] if name == "a" else weight * x[0] ** 2)
    return total


@pytest.mark.parametrize("f", [of_rows_of_several_forms, of_named_rows])
def test_rows_of_several_forms(f: Callable[..., Any]) -> None:
    x, step = np.array([0.7]), np.array([1e-6])
    slope = (f(x + step) - f(x - step)) / 2e-6
    np.testing.assert_allclose(grad(f)(x), [slope], 1e-6)


def area(a, b, c=1.0):
    return np.sum(a * b) * c


GIVEN: list[Any] = [2.0, np.ones(3), 3.0]
PLACES = {"first": 0, "second": 1, "last": 2}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_one_of_the_elements_of_a_list_is_given_anew(place: int) -> None:
    given: list[Any] = [2.0, np.arange(3.0), 3.0]

    def one(v):
        return area(*given[:place], v, *given[place + 1 :])

    expected = [9.0, np.full(3, 6.0), 6.0][place]
    np.testing.assert_array_equal(grad(one)(given[place]), expected)


def test_how_long_a_list_is_and_what_it_holds_is_looked_up() -> None:
    given: list[Any] = [np.ones(3), 3.0]

    def later(v):
        return area(v, *given[0:])

    derivative = grad(later)
    assert derivative(2.0) == 9.0
    given[0] = 2.0
    assert derivative(2.0) == 6.0
    del given[1]
    assert derivative(2.0) == 2.0


def test_a_number_outside_says_which_element() -> None:
    given: list[Any] = [2.0, 5.0, 3.0]
    place = 0

    def one(v):
        return area(*given[:place], v, *given[place + 1 :])

    derivative = grad(one)
    assert derivative(2.0) == 15.0
    place = 1
    assert derivative(5.0) == 6.0
    place = 2
    assert derivative(3.0) == 10.0


def test_a_display_with_the_elements_of_a_list() -> None:
    def one(v):
        parts = [*GIVEN[:1], v * v, *GIVEN[2:]]
        return area(*parts)

    x = np.array([1.0, 2.0, -1.0])
    np.testing.assert_allclose(grad(one)(x), 12 * x)
    np.testing.assert_allclose(grad(lambda v: np.sum(grad(one)(v) ** 2))(x), 288 * x)


def test_arrays_of_a_list_outside_are_not_written_to() -> None:
    def scaled_in_place(a, b, c):
        b *= a
        return np.sum(b) * c

    def one(v):
        return scaled_in_place(v, *GIVEN[1:])

    with pytest.raises(NotDifferentiable, match="written"):
        grad(one)(2.0)
    np.testing.assert_array_equal(GIVEN[1], np.ones(3))


def test_a_text_outside_says_which_keyword() -> None:
    options = {"b": 4.0, "c": 3.0}

    def about(name: str) -> Callable[[float], Any]:
        return lambda v: area(2.0, **{**options, name: v * v})

    assert grad(about("b"))(4.0) == 2 * 3 * 2 * 4
    assert grad(about("c"))(3.0) == 2 * 4 * 2 * 3
    assert options == {"b": 4.0, "c": 3.0}
