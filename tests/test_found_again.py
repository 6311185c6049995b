"""Calls with objects, members of an Enum and tuples with names are found again by keys, which cost little to make."""

from __future__ import annotations

import enum
import time
from collections import namedtuple
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tangentish import grad
from tangentish.kinds.exact_keys import exact_key
from tangentish.kinds.kinds_of_values import signature_of


class Side(enum.Enum):
    LONG = 1
    SHORT = -1


class Planet(enum.Enum):
    EARTH = (5.9, np.ones(2))

    def __init__(self, mass, axis):
        self.mass, self.axis = mass, axis


@dataclass
class Item:
    price: Any
    side: Any = Side.LONG


Pair = namedtuple("Pair", "a b")


def made() -> list[tuple[Any, ...]]:
    """Arguments of which most are of other kinds than those beside them."""
    return [
        ([Item(1.0), Item(2.0)],),
        ([Item(1.0), Item(2)],),
        ([Item(1.0), Item(np.float32(2))],),
        ([Item(1.0, None), Item(2.0, None)],),
        (Item([Item(1.0)]),),
        (Item(np.ones(3)), Item(np.ones(3))),
        (Item(np.ones(3)), Item(np.ones(4))),
        ([{"side": Side.LONG, "q": 1.0}, {"side": Side.SHORT, "q": 2.0}],),
        ([{"side": Side.LONG, "q": 1.0}, {"side": 1.0, "q": 2.0}],),
        ([{"side": Planet.EARTH}],),
        ([Pair(1.0, 2.0), Pair(1.0, 3.0)],),
        ([(1.0, 2.0), (1.0, 3.0)],),
        (Pair(Item(1.0), [2.0]),),
        (Item(Item),),
        (Item(Pair),),
        ([[1.0, 2.0], [1.0, 3.0]],),
        ([Item(1.0), Item([2.0])],),
        ([Side.LONG, Side.SHORT],),
        (Side.LONG,),
        (Planet.EARTH,),
        (1.0, "long"),
        (1.0, "short"),
        (1.0, True),
        (1.0, False),
        (1.0, 1),
        (1.0, 0),
    ]


def test_equal_keys_mean_equal_signatures() -> None:
    ones, others = made(), made()
    for one, other in zip(ones, others, strict=True):
        assert exact_key(one) is not None
        assert exact_key(one) == exact_key(other)
    for one in ones:
        for other in others:
            if exact_key(one) == exact_key(other):
                assert signature_of(one, two=True) == signature_of(other, two=True)


def test_what_changes_the_kind_changes_the_key() -> None:
    one, other = Item(1.0), Item(1.0)
    assert exact_key((one,)) == exact_key((other,))
    other.more = 1.0  # type: ignore[attr-defined]
    assert exact_key((one,)) != exact_key((other,))
    ring: list[Any] = []
    ring.append(Item(ring))
    assert exact_key((ring,)) is None


def test_classes_that_change() -> None:
    class Box:
        def __init__(self, x):
            self.x = x

    assert exact_key((Box(1.0),)) is not None
    Box.__getattr__ = lambda self, name: 1.0  # type: ignore[attr-defined]
    assert exact_key((Box(1.0),)) is None


def test_what_lies_deep_is_told() -> None:
    def house(inner: Any) -> Any:
        return Item({"walls": (20.0, Item([Item(inner), Item(0.1)]))})

    assert exact_key((house(1.0),)) == exact_key((house(2.0),)) is not None
    assert exact_key((house(1.0),)) != exact_key((house(1),))
    assert exact_key((house(1.0),)) != exact_key((house(np.ones(2)),))


def test_flags_and_texts_are_told() -> None:
    assert exact_key((1.0, True)) not in (exact_key((1.0, False)), exact_key((1.0, 1)))
    assert exact_key((1.0, "a")) not in (exact_key((1.0, "b")), exact_key((1.0, np.str_("a"))))
    assert exact_key((1.0, 1000 * "a")) is None


def total(items, scale):
    t = 0.0
    for item in items:
        t += scale * item.side.value * item.price**2
    return t


def test_the_gradient_is_of_what_is_given_each_time() -> None:
    gradient = grad(total, wrt="scale")
    for price in (1.0, np.float32(3.0), 2):
        for side in (Side.LONG, Side.SHORT):
            items = [Item(price, side), Item(2.0)]
            assert gradient(items, 1.5) == pytest.approx(side.value * float(price) ** 2 + 4.0)


def test_it_costs_little() -> None:
    """Two microseconds an element on the reference machine; the test allows for slow and busy ones."""
    items = [{"q": 1.0, "k": 100.0, "side": Side.LONG} for _ in range(200)]

    def cost() -> float:
        start = time.perf_counter()
        exact_key((items,))
        return time.perf_counter() - start

    assert min(cost() for _ in range(20)) < 200 * 12e-6
