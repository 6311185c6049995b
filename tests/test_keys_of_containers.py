"""Calls with lists, tuples and dicts are found again by their forms: equal keys are of equal kinds."""

from __future__ import annotations

import random
from enum import Enum, IntEnum
from typing import Any

import numpy as np
import pytest

from tangentish import grad
from tangentish.kinds.exact_keys import exact_key
from tangentish.kinds.kinds_of_values import kind_of, signature_of


class Kind(Enum):
    CALL = 1
    PUT = "put"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Sided(Enum):
    LEFT = (1.0,)

    def __init__(self, weight: float) -> None:
        self.weight = weight


LEAVES = [
    Kind.CALL, Kind.PUT, Level.LOW, Level.HIGH, Sided.LEFT, 0.5, 1.5, 1, 2, True, "text", None, 1j, np.float32(2), np.ones(2), np.ones(3), np.ones((3, 2)).T, np.ones(3, int),
]  # fmt: skip


def structure(rng: random.Random, depth: int) -> Any:
    kind, n = rng.randrange(4 if depth else 1), rng.randrange(4)
    if kind == 0:
        return rng.choice(LEAVES)
    alike = structure(rng, depth - 1)
    items = [alike if rng.random() < 0.7 else structure(rng, depth - 1) for _ in range(n)]
    if kind == 3:
        return dict(zip("abc", items, strict=False))
    return items if kind == 1 else tuple(items)


@pytest.mark.parametrize("seed", range(5))
def test_equal_keys_are_of_equal_kinds(seed: int) -> None:
    rng, by_key = random.Random(seed), {}
    for _ in range(2000):
        args = (structure(rng, 3),)
        key = exact_key(args)
        if key is not None:
            assert by_key.setdefault(key, signature_of(args, two=True)) == signature_of(
                args, two=True
            ), args
    assert len(by_key) > 100


def weighed(x: Any, terms: Any) -> Any:
    return sum(c * x**k for c, k in terms)


def test_rows_of_other_types_are_found_apart() -> None:
    d = grad(weighed)
    for terms in ([(2.0, 3)], [(2.0, 3.5)], [(2, 3), (1.0, 2)], [[2.0, 3]], ((2.0, 3),), []):
        for _ in range(2):
            assert np.isclose(d(1.5, terms), sum(c * k * 1.5 ** (k - 1) for c, k in terms))


TERMS: Any = [(2.0, 3), (1.0, 2)]


def test_rows_outside_may_be_exchanged() -> None:
    def outside(x: Any) -> Any:
        return sum(c * x**k for c, k in TERMS)

    d, rows = grad(outside), list(TERMS)
    try:
        for new in ((3.0, 2), (3, 2), (np.ones(2).sum(), 2.5), (3.0, 1)):
            TERMS[1] = new
            assert np.isclose(d(1.5), sum(c * k * 1.5 ** (k - 1) for c, k in TERMS))
        assert kind_of(dict(enumerate(TERMS))) != kind_of(TERMS)
    finally:
        TERMS[:] = rows


def test_members_of_enums_are_told_apart() -> None:
    def booked(x: Any, positions: Any) -> Any:
        return sum(p["n"] * (x if p["kind"] is Kind.CALL else -(x**2)) for p in positions)

    d = grad(booked)
    for kinds in ((Kind.CALL, Kind.PUT), (Kind.PUT, Kind.PUT), (Kind.PUT, Kind.CALL)):
        positions = [{"n": 2.0 + k, "kind": kind} for k, kind in enumerate(kinds)]
        assert exact_key((positions,)) is not None
        expected = sum(p["n"] * (1 if p["kind"] is Kind.CALL else -3.0) for p in positions)  # type: ignore[operator]
        assert np.isclose(d(1.5, positions), expected)
    assert exact_key(([{"kind": Sided.LEFT}],)) is not None
