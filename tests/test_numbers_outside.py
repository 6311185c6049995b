"""Numbers that dicts and objects outside hold: their types are looked up at every call, and the way back reads them again."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from every_mode import Function, each_right, kept_in

from tangentish import grad

FUNCTIONS: list[Function] = []
kept = kept_in(FUNCTIONS)
X, X_DOT = np.array([1.3, 0.7, 2.1, 0.4]), np.array([0.3, -0.7, 1.1, 0.2])


@dataclass
class Settings:
    dt: float = 0.1
    k: float = 2.0
    n: int = 3
    more: dict[str, Any] = field(default_factory=lambda: {"c": 0.3})


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self) -> None:
        self.a, self.b = 2.0, 3


class Base:
    g = 9.81


class Below(Base):
    def __init__(self) -> None:
        self.h = 2

    @property
    def p(self) -> float:
        return self.h * 1.5


class Asked:
    def __getattr__(self, name: str) -> float:
        return 2.5


settings, slotted, below, asked = Settings(), Slotted(), Below(), Asked()
space = SimpleNamespace(w=0.5, i=2)
P: dict[str, Any] = {"k": 2.0, "dt": 0.1, "n": 3, "deep": {"a": 0.7, "o": Settings()}}
SPECS = [{"k": 1.0, "p": 2}, {"k": 0.5, "p": 3}]
OBJECTS = [Settings(0.2, 1.0), Settings(0.3, 2)]
WEIGHTS = [1.0, 2.0, 3.0]


def oscillator(x: Any) -> Any:
    v = 0.0 * x
    for _ in range(P["n"]):
        v = v - settings.dt * P["k"] * x
        x = x + settings.dt * v
    return np.sum(x)


def test_text() -> None:
    text = grad(oscillator).source(X)
    assert "plain(" not in text and "kept(" not in text and "tape" not in text
    assert text.count("settings.dt") == 6  # two in comments
    assert "unbroadcast" not in text


def test_another_type_at_a_later_call() -> None:
    derivative = grad(oscillator)
    expected = derivative(X)
    P["k"] = np.full(4, 2.0)
    assert np.allclose(derivative(X), expected)
    P["k"] = 2
    assert np.allclose(derivative(X), expected)
    P["k"] = 2j
    with pytest.raises(TypeError):
        derivative(X)
    P["k"] = 2.0
    assert np.allclose(derivative(X), expected)
    del settings.dt  # the class has another
    assert np.allclose(derivative(X), expected)


def test_lists_are_run_over_again() -> None:
    def weighted(x: Any) -> Any:
        s = x[0]
        for w in WEIGHTS:
            s = s * w
        for o, v in zip(OBJECTS, x):
            s = s * o.k + np.sin(v)
        return s

    text = grad(weighted).source(X)
    assert "for w in reversed(WEIGHTS):" in text
    assert "for o, i in reversed(list(zip(OBJECTS, range(len(x))))):" in text
    assert "tape" not in text


@kept
def held_by_objects(x):
    s = 0.0
    for v in x:
        s = s * settings.dt + v * settings.more["c"] * P["deep"]["a"] * P["deep"]["o"].k
    return s


@kept
def of_every_sort(x):
    s = np.sum(x * slotted.a) ** slotted.b + below.g * np.sum(x**below.h) + below.p * x[0]
    return s + asked.q * x[1] ** 2 + space.w * x[2] ** space.i


@kept
def run_over(x):
    s = 0.0
    for spec in SPECS:
        s = s + np.sum(x ** spec["p"]) * spec["k"]
    for o in OBJECTS:
        s = s * o.k + np.sum(np.cos(x)) * o.dt
    for j in range(2):
        s = s + x[j] * s * SPECS[j]["k"]
    return s


@kept
def no_trips(x):
    s = x[0]
    for _ in range(settings.n - 3):
        s = s * s * settings.dt * P["k"]
    return s * settings.k + x[1] * P["n"]


@kept
def changed_here(x):
    P["k"] = 2.0
    s = 0.0
    for i in range(3):
        s = s + np.sin(x[i]) * P["k"]
        P["k"] *= 1.1
    P["k"] = 2.0
    return s


def bump() -> None:
    P["k"] += 3.0


@kept
def changed_by_a_function(x):
    P["k"] = 2.0
    s = 0.0
    for i in range(3):
        s = s + np.sin(x[i]) * P["k"]
        bump()
    P["k"] = 2.0
    return s


def scaled(x: Any) -> Any:
    return x * P["k"]


@kept
def changed_around_a_helper(x):
    P["k"] = 2.0
    s = x[0]
    for _ in range(3):
        s = scaled(s) * s
        P["k"] += 0.5
    P["k"] = 2.0
    return s


def set_g(cls: Any, g: float) -> None:
    cls.g = g


@kept
def set_in_the_class(x):
    s = 0.0
    for i in range(3):
        s = s + np.sin(x[i]) * below.g
        set_g(Base, 9.0 + i)
    set_g(Base, 9.81)
    return s


def with_other_name(x: Any, q: Any) -> Any:
    s = 0.0
    for i in range(3):
        s = s + np.sin(x[i]) * P["k"]
        q["k"] = q["k"] * 1.5
    q["k"] = 2.0
    return s


@kept
def changed_by_another_name(x):
    return with_other_name(x, P)


def by_weights(s: Any) -> Any:
    for w in WEIGHTS:
        s = s * w * 0.3 * s
    return s


@kept
def list_that_grows(x):
    s = x[0]
    for i in range(2):
        s = by_weights(s)
        WEIGHTS.append(0.5 * i)
    del WEIGHTS[-2:]
    return s


@kept
def list_left_early(x):
    s = x[0]
    for j, o in enumerate(OBJECTS):
        s = s * s * o.k + x[j] * o.dt
    for o in OBJECTS:
        if o.k > 1.5:
            break
        s = s * s * o.k
    return s


TURNED = SimpleNamespace(turn=1j, z=0.5 + 0.2j)


@kept
def complex_numbers(x):
    s = np.sum(np.angle(x + TURNED.turn))
    for i in range(3):
        s = s + np.real(TURNED.z**2 * x[i] * TURNED.turn) * (x[i] * TURNED.z).imag
    return s


test_every_mode = each_right(FUNCTIONS, X, X_DOT)
