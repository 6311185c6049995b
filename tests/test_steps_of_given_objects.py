"""Objects that are given, whose methods write to their arrays, or bind their attributes on one way only, again and again."""

from __future__ import annotations

import copy
from collections.abc import Callable

import numpy as np
import pytest
from every_mode import kept_in, named
from numeric import assert_close, numeric_gradient

from tangentish import grad, hvp, jvp

P = np.array([1.3, 0.5, 0.9, -0.4])
P_DOT = np.array([0.4, -0.7, 0.3, 1.1])

FUNCTIONS: list[Callable[[Wave], float]] = []
function = kept_in(FUNCTIONS)


class Wave:
    def __init__(self, p: np.ndarray) -> None:
        self.speed, self.u = p[0], p[1:].copy()
        self.steps, self.energies = 0, []

    def step(self, dt: float) -> None:
        self.u[1:] += dt * self.speed * (self.u[:-1] - self.u[1:])
        self.steps += 1

    def close(self) -> None:
        self.u[0] = self.u[-1]

    def limit(self) -> None:
        if self.u[1] > 0.8:
            self.u *= self.speed

    def slow_down(self) -> None:
        if self.speed > 1:
            self.speed = self.speed / 2

    def normalise(self) -> None:
        size = np.sqrt(self.u @ self.u)
        if size > 0:
            self.u = self.u / size

    def energy(self) -> float:
        return 0.5 * np.sum(self.u**2)

    def keep(self) -> None:
        self.energies.append(self.energy())

    @property
    def axis(self) -> np.ndarray:
        self.normalise()
        return self.u


@function
def one_after_the_other(wave):
    wave.step(0.1)
    wave.close()
    wave.step(0.2)
    return wave.energy()


@function
def in_a_loop(wave):
    for k in range(3):
        wave.step(0.1 * (k + 1))
        if wave.u[1] > 0.4:
            wave.close()
        wave.keep()
    return sum(wave.energies) + wave.steps * wave.u[1]


@function
def until_it_has_gone(wave):
    while wave.energy() > 0.1 and wave.steps < 5:
        wave.step(0.5)
        wave.u *= 0.7
    return wave.energy() * wave.speed


@function
def on_one_way(wave):
    wave.limit()
    wave.slow_down()
    wave.limit()
    return wave.energy() * wave.speed


@function
def beside_a_view(wave):
    u = wave.u
    wave.step(0.1)
    u[0] += wave.speed
    wave.step(0.1)
    return u @ wave.u


@function
def beside_a_copy(wave):
    other = copy.deepcopy(wave)
    other.step(0.3)
    other.step(0.1)
    wave.step(0.1)
    wave.close()
    return other.energy() - 2 * wave.energy()


def _scale(wave, factor):
    wave.u *= factor
    return wave.u[0]


@function
def by_helpers(wave):
    s = 0.0
    for factor in (1.5, 0.5):
        s += _scale(wave, factor) * wave.speed
        wave.step(factor)
    return s


@function
def bound_anew_between(wave):
    wave.step(0.1)
    wave.u = wave.u * wave.speed
    wave.step(0.1)
    return wave.energy()


@function
def asked_for_its_axis(wave):
    return wave.axis[0] * 2 + wave.axis[1] * wave.speed


@pytest.mark.parametrize("f", FUNCTIONS, ids=named)
@pytest.mark.parametrize("p", [P, -P, 0.5 * P], ids=["P", "-P", "P/2"])
def test_every_mode(f: Callable[[Wave], float], p: np.ndarray) -> None:
    def flat(p: np.ndarray) -> float:
        return f(Wave(p))

    def gradient(p: np.ndarray) -> np.ndarray:
        d = grad(f)(Wave(p))
        return np.array([d.speed, *d.u])

    expected = numeric_gradient(flat, (p,), 0, 1.0)
    wave = Wave(p)
    assert_close(np.array([grad(f)(wave).speed, *grad(f)(wave).u]), expected, f.__name__)
    assert np.array_equal(wave.u, p[1:]) and wave.speed == p[0] and wave.steps == 0
    assert_close(grad(flat)(p), expected, f.__name__)
    assert_close(jvp(f, (Wave(p),), (Wave(P_DOT),))[1], expected @ P_DOT, f.__name__)
    second = hvp(f)(Wave(p), Wave(P_DOT))
    slope = numeric_gradient(lambda q: gradient(q) @ P_DOT, (p,), 0, 1.0)
    assert_close(np.array([second.speed, *second.u]), slope, f.__name__)
