"""Dicts of a given list that get a key in a loop, where the list gets another dict: a clear refusal, and no exception."""

from __future__ import annotations

from typing import Any

import pytest

from tangentish import NotDifferentiable, grad


def doubled(rows):
    for r in rows:
        r["z"] = r["x"] * 2
    return sum(r["x"] * r["z"] for r in rows)


def one_more(rows):
    for r in rows:
        r["z"] = r["x"] * 2
    rows.append({"x": 1.0, "z": 2.0})
    return sum(r["x"] * r["z"] for r in rows)


def given() -> list[dict[str, Any]]:
    return [{"x": 0.1}, {"x": 0.4}]


def test_a_new_key() -> None:
    assert grad(doubled)(given()) == [{"x": 0.4}, {"x": 1.6}]


def test_a_new_key_and_a_new_dict() -> None:
    with pytest.raises(NotDifferentiable, match="this dict has no key 'z' here"):
        grad(one_more)(given())
