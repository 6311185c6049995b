"""Arrays, slices and lists of places that dicts and objects outside hold: what kind they are of is looked up at every call."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from every_mode import Function, each_refused, each_right, kept_in, refused_in

from tangentish import grad

FUNCTIONS: list[Function] = []
kept = kept_in(FUNCTIONS)
REFUSED: list[tuple[Function, str]] = []
refused = refused_in(REFUSED)
X, X_DOT = np.array([1.3, 0.7, 2.1, 0.4]), np.array([0.3, -0.7, 1.1, 0.2])


class Model:
    def __init__(self, y: Any, groups: Any) -> None:
        self.y, self.groups = y, groups
        self.first, self.listed = slice(0, 2), [0, 2, 2]
        self.rows = {"a": np.array([1, 3, 3]), "b": np.array([0])}
        self.pair = (np.array([0, 1, 1]), np.array([2, 3, 3]))

    def __call__(self, a: Any) -> Any:
        return np.sum((self.y - a[self.groups]) ** 2)

    def cut(self, a: Any) -> Any:
        return np.sum(a[self.first] ** 3) + np.sum(a[self.listed] ** 2)

    def tables(self, a: Any) -> Any:
        s = np.sum(np.outer(a, np.sin(a))[self.pair] ** 2)
        for key in ("a", "b", "a"):
            s = s + np.sum(a[self.rows[key]] ** 3)
        return s

    def refreshed(self, a: Any) -> Any:
        self.y[0] += 1.0
        s = np.sum(np.sin(a) * self.y)
        self.y[0] -= 1.0
        return s


@dataclass
class Config:
    places: np.ndarray
    mask: np.ndarray
    more: dict[str, Any] = field(default_factory=lambda: {"rows": np.array([3, 3, 0])})


class Turned:
    """What an object holds under a name, as a complex number."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        return np.exp(1j * vars(instance)[self.name])

    def __set__(self, instance: Any, value: Any) -> None:
        vars(instance)[self.name] = value


class Signal:
    phase = Turned()

    def __init__(self, phase: Any) -> None:
        self.phase = phase

    def power(self, x: Any) -> Any:
        return np.sum((self.phase * x).imag ** 2)


SIGNAL = Signal(np.array([0.1, 0.2, 0.3, 0.4]))
MODEL = Model(np.array([1.0, 2.0, 3.0, 4.0]), np.array([0, 1, 1, 3]))
LATER = Model(np.array([1.0, 2.0, 3.0, 4.0]), np.array([0, 1, 1, 3]))
CFG = Config(np.array([0, 2, 2]), np.array([True, False, True, True]))
LAYOUT: dict[str, Any] = {
    "obs": np.array([0, 2]),
    "pos": slice(0, 2),
    "vel": slice(2, 3),
    "twice": [1, 1, 3],
}
PAULI = {"X": np.array([[0, 1], [1, 0]], dtype=complex), "Z": np.diag([1.0 + 0j, -1.0])}
TABLES = {"at": np.array([0.0, 1.0, 3.0]), "v": np.array([-0.5, 0.4, 1.3])}
WORK = {"w": np.array([1.0, 2.0, 3.0, 4.0]), "other": np.ones(4)}
SPACE = SimpleNamespace(grid=(np.array([0, 1]), np.array([1, 1])))


@kept
def of_an_object_that_is_called(x):
    return MODEL(x) * x[0] + MODEL.cut(x) * MODEL.tables(x)


@kept
def of_a_dict(x):
    s = np.sum(x[LAYOUT["obs"]] ** 2) + np.sum(x[LAYOUT["twice"]] ** 2)
    return s + np.sum(x[LAYOUT["pos"]] ** 2) * x[LAYOUT["vel"]][0]


@kept
def of_a_config(x):
    return np.sum(x[CFG.places] ** 2) * np.sum(x[CFG.mask]) + np.prod(x[CFG.more["rows"]])


@kept
def of_a_pair(x):
    M = np.outer(x, np.sin(x))
    return np.sum(M[SPACE.grid[0], SPACE.grid[1]] ** 2)


@kept
def stored_by_places(x):
    y = np.zeros(4)
    y[LAYOUT["obs"]] = x[:2] ** 2
    y[LAYOUT["vel"]] = x[3]
    y[CFG.mask] *= x[1]
    return np.sum(y**2)


@kept
def complex_matrices(x):
    psi = np.array([1.0, 0.0], dtype=complex)
    for k in range(4):
        psi = (np.cos(x[k]) * np.eye(2) - 1j * np.sin(x[k]) * PAULI["X"]) @ psi
    rho = np.outer(psi, psi.conj())
    rho = rho - 0.05j * (PAULI["Z"] @ rho - rho @ PAULI["X"])
    return np.vdot(psi, PAULI["Z"] @ psi).real + rho[0, 1].imag * x[0]


@kept
def chosen_matrices(x):
    psi = np.array([1.0, 0.5], dtype=complex) * x[0]
    for name in ("X", "Z", "X"):
        psi = PAULI[name] @ psi * x[1]
    return np.abs(psi[0]) ** 2 * x[2]


@kept
def in_tables(x):
    s = 0.0
    for k in range(4):
        s = s * 0.5 + np.interp(x[k], TABLES["at"], TABLES["v"]) * x[0]
    return s


@kept
def written_to_here(x):
    s = np.sum(x**2 * WORK["w"])
    WORK["w"][0] = 7.0
    s = s * np.sum(x * WORK["w"])
    WORK["w"][0] = 1.0
    return s * x[0]


@kept
def written_to_under_a_name(x):
    w = WORK["w"]
    s = np.sum(x**2 * w)
    w[0] = 7.0
    s = s * np.sum(x * WORK["w"])
    w[0] = 1.0
    return s * x[0]


@refused("the gradient reads what this changes as it was before")
def written_to_by_a_method(x):
    return LATER.refreshed(x) * np.sum(x**2) + LATER(x)


def bump(w: Any) -> None:
    w[1] += 1.0


@kept
def written_to_by_a_helper(x):
    s = np.sum(x**2 * WORK["w"])
    bump(WORK["w"])
    s = s * np.sum(np.sin(x) * WORK["w"])
    WORK["w"][1] -= 1.0
    return s * x[0]


@kept
def exchanged(x):
    s = np.sum(x**2 * WORK["w"])
    WORK["w"], WORK["other"] = WORK["other"], WORK["w"]
    s = s * np.sum(x * WORK["w"])
    WORK["w"], WORK["other"] = WORK["other"], WORK["w"]
    return s * x[0]


@kept
def started_from(x):
    y = WORK["w"].copy()
    z = WORK["w"]
    y[1:] = y[1:] * x[1:]
    z = z * x
    return np.sum(y**2) + np.sum(z**3)


test_every_mode = each_right(FUNCTIONS, X, X_DOT)
test_refused = each_refused(REFUSED, X)


def test_what_a_descriptor_gives() -> None:
    def power(x: Any) -> Any:
        return SIGNAL.power(x)

    with pytest.raises(TypeError, match="known beforehand"):
        grad(power)(X)


def test_text() -> None:
    text = grad(in_tables).source(X)
    assert "plain(" not in text and "unbroadcast" not in text
    assert "integer(" not in grad(of_a_config).source(X)


def test_of_another_kind_at_a_later_call() -> None:
    def taken(x: Any) -> Any:
        return np.sum(x[LAYOUT["obs"]] ** 2)

    def grouped(x: Any) -> Any:
        return LATER(x)

    derivative, model = grad(taken), grad(grouped)
    assert np.allclose(derivative(X), [2.6, 0, 4.2, 0])
    model(X)
    try:
        for places in (np.array([3, 3]), [3, 3], np.array([[3], [3]])):
            LAYOUT["obs"] = LATER.groups = places
            assert np.allclose(derivative(X), [0, 0, 0, 1.6])
        LAYOUT["obs"] = np.array([True, False, False, False])
        assert np.allclose(derivative(X), [2.6, 0, 0, 0])
        LAYOUT["obs"] = slice(1, None)
        assert np.allclose(derivative(X), [0, *2 * X[1:]])
        LAYOUT["obs"] = 1
        assert np.allclose(derivative(X), [0, 1.4, 0, 0])
        LAYOUT["obs"] = "obs"
        with pytest.raises(TypeError, match="an index"):
            derivative(X)
        LATER.groups, LATER.y = np.array([2, 2]), np.array([0.0, 1.0])
        assert np.allclose(model(X), [0, 0, 4 * X[2] - 2, 0])
    finally:
        LAYOUT["obs"] = np.array([0, 2])
        LATER.y, LATER.groups = np.array([1.0, 2.0, 3.0, 4.0]), np.array([0, 1, 1, 3])
