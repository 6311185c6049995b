"""Entries of dicts that are looked up by computed keys, and may not be there; what is counted and then divided by."""

from __future__ import annotations

import json

import numpy as np
import pytest
from every_mode import Function, check_along, each_refused, kept_in, named, refused_in

from tangentish import grad, hvp

functions: list[Function] = []
program = kept_in(functions)
refusals: list[tuple[Function, str]] = []
refused = refused_in(refusals)

TEXT = "R1 1.0\nR2 2.0"


def squared(d, key):
    return d.get(key, 2.0) ** 2


def looked_up(values):
    s = 0.0
    for name in "ab":
        s += values.get(name, 2.0) ** 2
    for name in "bc":
        s = s * values.get(name, 1.0) - values.get(name, 3.0)
    return s


@program
def numbers_in_a_text(x):
    values = {"R1": x[0], "R3": x[1]}
    s = 0.0
    for line in TEXT.splitlines():
        name, v = line.split()
        s += values.get(name, float(v)) ** 2
    return s


@program
def counted_and_divided(x):
    counts = {}
    for c in "abca":
        counts[c] = counts.get(c, 0) + 1
    logits = {c: n / x[0] for c, n in counts.items()}
    return sum(v**2 for v in logits.values()) * x[1]


@program
def places_in_a_comprehension(x):
    place = {c: i for i, c in enumerate("abc")}
    squares = {c: x[i] ** 2 for c, i in place.items()}
    return sum(squares[c] * x[place[c]] for c in "bacc")


@refused("what stands for an entry that is not there")
def an_unknown_default(x):
    values = {c: v for c, v in zip("abc", x)}  # noqa: B905, C416
    s = 0.0
    for c in json.loads('["a", "z"]'):
        s += values.get(c, json.loads("3.0")) ** 2
    return s


@pytest.mark.parametrize("function", functions, ids=named)
def test_looked_up(function: Function) -> None:
    x_dot = np.array([0.3, -1.1, 0.7])
    for x in (np.array([0.6, 0.4, 0.9]), np.array([-0.6, 0.4, 1.3])):
        check_along(function, x, x_dot)


test_refused = each_refused(refusals, np.array([0.6, 0.4, 0.9]))


def test_a_gradient_has_the_keys_of_the_argument() -> None:
    """Those that are not there got entries of their own in it."""
    assert grad(looked_up)({"a": 1.0}) == {"a": 2.0}
    assert hvp(looked_up)({"a": 1.0}, {"a": 3.0}) == {"a": 6.0}
    assert grad(looked_up)({"a": 1.0, "b": 3.0, "c": 2.0}) == {"a": 12.0, "b": 54.0, "c": 26.0}

    def by_a_function(values, keys):
        return squared(values, keys[0]) * squared(values, keys[1])

    assert grad(by_a_function)({"a": 3.0}, "az") == {"a": 24.0}
    assert grad(by_a_function)({"a": 3.0}, "zz") == {"a": 0.0}
