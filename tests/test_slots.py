"""Objects whose class has __slots__ are arguments as others are: gradients with respect to their float fields."""

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tangentish import grad, hvp, jvp


class Mineral:
    __slots__ = ("K", "__scale", "mu", "name")  # `name` is never set

    def __init__(self, K, mu):
        self.K, self.mu = K, mu
        self.__scale = 2.0

    def scaled(self):
        return self.__scale * self.K


class Porous(Mineral):
    __slots__ = ("w",)

    def __init__(self, K, mu):
        super().__init__(K, mu)
        self.w = 3.0


class WithDict(Mineral):
    def __init__(self, K, mu):
        super().__init__(K, mu)
        self.extra, self.n = np.array([1.0, 2.0]), 3


@dataclass(slots=True)
class Rock:
    K: float
    mu: float
    n: int = 3


@dataclass(slots=True, frozen=True)
class Frozen:
    K: float
    mu: float


def voigt(m, f):
    return f * m.K**2 + (1 - f) * m.mu * m.K


def scaled(m, f):
    return m.scaled() ** 2 * m.mu * f


def porous(m, f):
    return voigt(m, f) * m.w


def with_dict(m, f):
    return voigt(m, f) * np.sum(m.extra**m.n)


def changed(m, f):
    m.K = m.K * f
    m.mu += m.K
    return m.mu * m.K


CASES = [
    (voigt, Rock(2.0, 1.0)),
    (voigt, Mineral(2.0, 1.0)),
    (voigt, Frozen(2.0, 1.0)),
    (scaled, Mineral(2.0, 1.0)),
    (porous, Porous(2.0, 1.0)),
    (with_dict, WithDict(2.0, 1.0)),
    (changed, Rock(2.0, 1.0)),
    (changed, Mineral(2.0, 1.0)),
]


def moved(m: Any, direction: Any, step: float) -> Any:
    new = copy.deepcopy(m)
    for name in ("K", "mu"):
        object.__setattr__(new, name, getattr(m, name) + step * getattr(direction, name))
    return new


def still(m: Any, K: float, mu: float) -> Any:
    """A direction in which K and mu move, and nothing else."""
    new = copy.deepcopy(grad(voigt)(m, 0.0))
    object.__setattr__(new, "K", K)
    object.__setattr__(new, "mu", mu)
    return new


@pytest.mark.parametrize(("f", "m"), CASES)
def test_objects_with_slots(f: Any, m: Any) -> None:
    before, v = f(copy.deepcopy(m), 0.3), still(m, 0.7, -0.4)
    gradient = grad(f)(m, 0.3)
    assert type(gradient) is type(m)
    for name, unit in (("K", still(m, 1.0, 0.0)), ("mu", still(m, 0.0, 1.0))):
        truth = (f(moved(m, unit, 1e-6), 0.3) - f(moved(m, unit, -1e-6), 0.3)) / 2e-6
        assert getattr(gradient, name) == pytest.approx(truth, rel=1e-6)
        second = [getattr(grad(f)(moved(m, v, h), 0.3), name) for h in (1e-6, -1e-6)]
        slope = (second[0] - second[1]) / 2e-6
        assert getattr(hvp(f)(m, v, 0.3), name) == pytest.approx(slope, rel=1e-6)
    along = (f(moved(m, v, 1e-6), 0.3) - f(moved(m, v, -1e-6), 0.3)) / 2e-6
    value, tangent = jvp(f, (m, 0.3), (v, 0.0))
    assert tangent == pytest.approx(along, rel=1e-6)
    assert value == before == f(copy.deepcopy(m), 0.3)  # and the argument is what it was


def total(ms, f):
    return sum(voigt(m, f) for m in ms)


def test_lists_of_objects_with_slots() -> None:
    first, second = grad(total)([Rock(2.0, 1.0), Rock(1.0, 3.0)], 0.3)
    assert (first, second) == (Rock(1.9, 1.4, None), Rock(pytest.approx(2.7), 0.7, None))  # type: ignore[arg-type]


def test_objects_with_other_slots_filled_are_of_another_kind() -> None:
    m = Mineral(2.0, 1.0)
    gradient = grad(voigt)
    assert not hasattr(gradient(m, 0.3), "name")
    m.name = "quartz"
    assert gradient(m, 0.3).name is None
    m.K = 2
    m.mu = np.float32(1.0)
    assert gradient(m, 0.3).mu == pytest.approx(1.4)
    assert gradient(m, 0.3).K is None


def test_objects_with_slots_without_floats() -> None:
    with pytest.raises(TypeError, match="Rock"):
        grad(voigt)(Rock(2, 1), 0.3)
