"""`mats[name].E` and `mats[name]["E"]`, by a computed name: entries of the objects and dicts in a dict that is given."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from tangentish import NotDifferentiable, grad, hvp, jvp

Function = Callable[..., Any]

PARTS = [("steel", 1.0), ("alu", 2.0), ("steel", 3.0)]


class Material:
    def __init__(self, modulus, density, exponent=2, sort="metal"):
        self.modulus = modulus
        self.density = density
        self.exponent = exponent
        self.sort = sort

    def stretched(self, t):
        return self.modulus * t


class Pair(NamedTuple):
    modulus: float
    density: float


def objects() -> dict[str, Any]:
    return {"steel": Material(2.0, 1.0), "alu": Material(0.7, 3.0, 3)}


def pairs() -> dict[str, Any]:
    return {"steel": Pair(2.0, 1.0), "alu": Pair(0.7, 3.0)}


def in_a_sum(mats, parts):
    return sum(mats[name].modulus ** 2 * v for name, v in parts)


def two_attributes(mats, parts):
    s = 0.0
    for name, v in parts:
        s = s * mats[name].modulus + mats[name].density ** 2 * mats["alu"].modulus * v
    return s


def with_integers_and_texts(mats, parts):
    s = 0.0
    for name, v in parts:
        if name in mats and len(mats) > 1 and mats[name].sort == "metal":
            s += mats[name].modulus ** mats[name].exponent * v
    return s


def of_nothing(mats, parts):
    s = mats["steel"].density ** 2
    for name, v in parts[:0]:
        s += mats[name].modulus * v
    return s


def elements_of_dicts(mats, parts):
    return sum(mats[name]["modulus"] ** 2 * v for name, v in parts)


def changed(mats, parts):
    mats["steel"].modulus = mats["alu"].modulus * 3
    return sum(mats[name].modulus ** 2 * v for name, v in parts)


def changed_as_elements(mats, parts):
    for m in mats.values():
        m.modulus *= 2
    return sum(mats[name].modulus ** 2 * v for name, v in parts)


def by_a_method(mats, parts):
    return sum(mats[name].stretched(v) ** 2 for name, v in parts)


def field(m: Any, name: str) -> Any:
    return m[name] if isinstance(m, dict) else getattr(m, name)


def moved(mats: dict[str, Any], step: float, way: dict[str, tuple[float, float]]) -> dict[str, Any]:
    found = {}
    for key, m in mats.items():
        by = {n: field(m, n) + step * d for n, d in zip(Pair._fields, way[key], strict=True)}
        if isinstance(m, Pair):
            found[key] = Pair(**by)
        elif isinstance(m, dict):
            found[key] = {**m, **by}
        else:
            found[key] = copy.copy(m)
            vars(found[key]).update(by)
    return found


CASES: list[tuple[Function, Callable[[], dict[str, Any]]]] = [
    (in_a_sum, objects),
    (two_attributes, objects),
    (with_integers_and_texts, objects),
    (of_nothing, objects),
    (in_a_sum, pairs),
    (two_attributes, pairs),
    (elements_of_dicts, lambda: {k: vars(m) for k, m in objects().items()}),
]


@pytest.mark.parametrize(("function", "given"), CASES)
def test_entries_of_elements(function: Function, given: Callable[[], dict[str, Any]]) -> None:
    way = {"steel": (0.3, -0.4), "alu": (0.7, 0.2)}
    mats, e = given(), 1e-5
    starts = {k: [field(m, n) for n in Pair._fields] for k, m in mats.items()}
    velocity = moved(mats, 1.0, {k: tuple(np.subtract(way[k], starts[k])) for k in mats})

    def along(step: float) -> float:
        return float(function(moved(mats, step, way), PARTS))

    def slopes(step: float) -> np.ndarray:
        found = grad(function)(moved(mats, step, way), PARTS)
        return np.array([field(found[k], n) for k in mats for n in Pair._fields])

    d = np.array([part for key in mats for part in way[key]])
    assert slopes(0.0) @ d == pytest.approx((along(e) - along(-e)) / (2 * e), rel=1e-6)
    _, tangent = jvp(function, (mats, PARTS), (velocity, None))
    assert tangent == pytest.approx(slopes(0.0) @ d)
    bent = hvp(function)(mats, velocity, PARTS)
    found = [field(bent[k], n) for k in mats for n in Pair._fields]
    assert found == pytest.approx((slopes(e) - slopes(-e)) / (2 * e), rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("function", [changed, changed_as_elements, by_a_method])
def test_refused(function: Function) -> None:
    with pytest.raises(NotDifferentiable, match="it is not known which key this is"):
        grad(function)(objects(), PARTS)


def test_the_dict_of_entries_reads_as_written() -> None:
    source = grad(in_a_sum).source(objects(), PARTS)
    assert (
        '    mats_modulus = {"steel": mats["steel"].modulus, "alu": mats["alu"].modulus}\n'
        in source
    )
