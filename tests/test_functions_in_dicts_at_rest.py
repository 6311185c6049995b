"""Functions in dicts and lists of the module, called with constants: what they give is known to be a number."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tangentish import grad, hvp, jvp

X = np.array([0.7, 1.3, 0.4])
CALLS: list[float] = []


def glass(wavelength: float) -> float:
    return 1.45 + 0.003 / wavelength**2


def counted(wavelength: float) -> float:
    CALLS.append(wavelength)
    return 2.0 + wavelength


INDEX = {"glass": glass, "air": lambda wavelength: 1.0 + 0 * wavelength}
COUNTED = {"glass": glass, "counted": counted}
VECTORS = {"glass": glass, "all": lambda wavelength: np.array([wavelength, 1.0, 2.0])}
STEPS = [glass, math.sqrt]


def by_name(x: Any) -> Any:
    merit = 0.0
    for wavelength in (0.4, 0.5):
        delta = INDEX["glass"](wavelength) * x[0] / wavelength
        merit += np.cos(delta) ** 2 * x[1]
    return merit


def each(x: Any) -> Any:
    total = x[0]
    for f in INDEX.values():
        total = total * f(0.5) + x[1] ** 2
    for name in INDEX:
        total = total * np.sin(x[2] * INDEX[name](wavelength=0.4))
    return total


def seen_from_outside(x: Any) -> Any:
    return np.sum(x**2) * COUNTED["counted"](0.5)


def an_array(x: Any) -> Any:
    return np.sum(VECTORS["all"](0.5) * x**3)


def of_a_library(x: Any) -> Any:
    return STEPS[1](4.0) * x[0] ** 2 * STEPS[0](2.0)


@pytest.mark.parametrize(
    "f", [by_name, each, seen_from_outside, an_array, of_a_library], ids=lambda f: f.__name__
)
def test_every_mode(f: Any) -> None:
    v, steps = np.array([0.3, -0.8, 0.5]), 1e-5 * np.eye(3)
    found = grad(f)(X)
    np.testing.assert_allclose(
        found, [(f(X + s) - f(X - s)) / 2e-5 for s in steps], rtol=1e-6, atol=1e-8
    )
    np.testing.assert_allclose(jvp(f, (X,), (v,))[1], found @ v)
    bent = [(grad(f)(X + s) @ v - grad(f)(X - s) @ v) / 2e-5 for s in steps]
    np.testing.assert_allclose(hvp(f)(X, v), bent, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("f", [by_name, each], ids=lambda f: f.__name__)
def test_the_text_does_not_ask(f: Any) -> None:
    text = grad(f).source(X)
    assert [word for word in ("plain(", "unbroadcast", "is None", "np.copy") if word in text] == []


def test_functions_are_called_as_often_as_before() -> None:
    CALLS.clear()
    grad(seen_from_outside)(X)
    assert CALLS == [0.5]


def test_another_function_in_the_dict() -> None:
    d = grad(by_name)
    first = d(X)
    try:
        INDEX["glass"] = lambda wavelength: np.array([2.0])[0] * wavelength
        assert not np.allclose(d(X), first)
        INDEX["glass"] = lambda wavelength: np.array([2.0, 3.0])[:1] * wavelength  # type: ignore[assignment,return-value]
        steps = 1e-5 * np.eye(3)
        by_differences = [np.sum(by_name(X + s) - by_name(X - s)) / 2e-5 for s in steps]
        np.testing.assert_allclose(grad(lambda x: np.sum(by_name(x)))(X), by_differences, atol=1e-7)
    finally:
        INDEX["glass"] = glass
    np.testing.assert_array_equal(d(X), first)
