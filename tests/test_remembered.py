"""Containers outside are looked into once: again only where they hold something else, or what may change itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tangentish import grad
from tangentish.kinds.kinds_of_values import kind_of
from tangentish.kinds.remembered import Remembered

TABLE: dict[str, Any] = {}


@pytest.mark.parametrize(
    "held",
    [
        {},
        {"a": 1.0, "b": "text", "c": None},
        [1, 2.0, True],
        {"a": (1.0, 2), "b": (3.0, "text")},
        [[1.0, 2.0], [], [3.0]],
        [{"a": [1.0]}, (2.0, [3]), None],
    ],
)
def test_the_very_same_is_not_looked_into_again(held: Any) -> None:
    found: Remembered[str] = Remembered()
    items = list(held.values() if isinstance(held, dict) else held)
    found.keep(held, items, "found")
    assert found.of(held, list(items)) == "found"
    assert found.of(held, [*items, 1.0]) is None
    assert found.of(held, [object(), *items[1:]]) is None


@pytest.mark.parametrize(
    "inner", [[np.ones(2)], {"a": len}, (1.0, [object()]), np.ones(2), Remembered(), len]
)
def test_what_may_change_itself_is_not_kept(inner: Any) -> None:
    found: Remembered[str] = Remembered()
    found.keep([inner], [inner], "found")
    assert found.of([inner], [inner]) is None


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: rows[0].append(3.0),
        lambda rows: rows[0].__setitem__(1, 2),
        lambda rows: rows[0].append(rows[1].pop()),
        lambda rows: rows[2].update(a=1),
        lambda rows: rows[2].__setitem__("b", rows[2].pop("a")),
        lambda rows: rows[3][1].clear(),
        lambda rows: rows[3][1][0].append(1.0),
    ],
)
def test_what_lists_in_lists_hold_is_compared(change: Any) -> None:
    held: list[Any] = [[1.0, 2.0], [3.0], {"a": 1.0}, (1.0, [[]])]
    found: Remembered[str] = Remembered()
    found.keep(held, list(held), "found")
    assert found.of(held, list(held)) == "found"
    change(held)
    assert found.of(held, list(held)) is None


def test_a_list_that_holds_itself_is_not_kept() -> None:
    held: list[Any] = [None]
    held += [held] * 100
    found: Remembered[str] = Remembered()
    found.keep(held, list(held), "found")
    assert found.of(held, list(held)) is None


def test_many_rows_are_remembered_as_one() -> None:
    tables = [[[float(k), 1.0] for k in range(200)] for _ in range(3)]
    before = [kind_of(table) for table in tables]
    assert all(kind_of(table) is kind for table, kind in zip(tables, before, strict=True))
    tables[0][7][1] = "text"  # type: ignore[call-overload]
    assert kind_of(tables[0]) != before[0]


def test_a_list_is_of_another_kind_once_it_holds_something_else() -> None:
    held: list[Any] = [1.0, 2.0]
    before = kind_of(held)
    assert kind_of(held) is before
    held[1] = "text"
    assert kind_of(held) != before
    held[1] = 3.0
    assert kind_of(held) == before


def test_gradients_are_of_what_is_there() -> None:
    def f(x, name):
        a, b = {**TABLE, "z": (x, x)}[name]
        return a * x * x + b * x

    derivative = grad(f)
    for row in ((5.0, 0.5), (5.0, 2), (np.array(4.0), 1.0), (True, 1.5)):
        TABLE["y"] = row
        for _ in range(2):
            assert derivative(2.0, "y") == pytest.approx(4 * float(row[0]) + float(row[1]))
            assert derivative(2.0, "z") == pytest.approx(16.0)
