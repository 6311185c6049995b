"""Layouts that stand outside: lists, tuples and dicts of names, shapes and places, by which arrays are taken apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from every_mode import each_refused, each_right, kept_in, refused_in
from numeric import numeric_gradient

from tangentish import grad, vjp

Function = Callable[..., Any]
RIGHT: list[Function] = []
REFUSED: list[tuple[Function, str]] = []
X = np.array([0.7, 0.4, 0.9, 0.55, -0.3, 0.2, 1.1, -0.8])
X_DOT = np.array([0.3, -0.2, 0.5, 0.1, 0.4, -0.6, 0.2, 0.7])
DATA = np.linspace(-1, 1, 12).reshape(4, 3)

SPEC = [("W", (2, 3)), ("b", (2,))]
TUPLES = (("W", (2, 3)), ("b", (2,)))
SHAPES = {"W": (2, 3), "b": (2,)}
SIZES = {"W": 6, "b": 2}
NAMES = ["W", "b"]
PLACES = [("W", 0, 6), ("b", 6, 8)]
SIGNS = [("W", -1, 2.5, True), ("b", 1, -0.5, False)]
NESTED = [["W", [2, 3]], ["b", [2]]]
CHANGED = [("W", 6), ("b", 2)]


def unflatten(v):
    out, i = {}, 0
    for name, shape in SPEC:
        n = int(np.prod(shape))
        out[name] = v[i : i + n].reshape(shape)
        i += n
    return out


def flatten(p):
    return np.concatenate([p[name].ravel() for name, _ in SPEC])


@kept_in(RIGHT)
def by_a_helper(v):
    p = unflatten(v)
    return np.sum(np.tanh(DATA @ p["W"].T + p["b"]) ** 2)


@kept_in(RIGHT)
def there_and_back(v):
    return np.sum(flatten(unflatten(v)) ** 2 * np.arange(8.0))


@kept_in(RIGHT)
def by_tuples(v):
    out, i = {}, 0
    for name, shape in TUPLES:
        n = int(np.prod(shape))
        out[name] = v[i : i + n].reshape(shape) ** 2
        i += n
    return np.sum(out["W"] @ np.ones(3) * out["b"])


@kept_in(RIGHT)
def by_a_dict(v):
    out, i = {}, 0
    for name, shape in SHAPES.items():
        n = int(np.prod(shape))
        out[name] = v[i : i + n].reshape(shape) ** 2
        i += n
    total = 0.0
    for name in SHAPES:
        total = total + np.sum(out[name] ** 2) * len(name)
    return total + np.sum(out["b"])


@kept_in(RIGHT)
def by_sizes_and_places(v):
    sizes = SIZES
    out, i = {}, 0
    for k, (name, n) in enumerate(sizes.items()):
        out[name] = v[i : i + n] * (k + 1)
        i += n
    for k, name in enumerate(NAMES):
        out[name] = out[name] ** 2 + k
    return np.sum(out["W"]) * np.sum(out["b"] ** 3)


@kept_in(RIGHT)
def in_a_comprehension(v):
    p = {name: v[a:b] for name, a, b in PLACES}
    return np.sum(p["W"] ** 2) * np.sum(p["b"])


@kept_in(RIGHT)
def of_numbers_of_each_sort(v):
    p = {}
    for name, sign, scale, twice in SIGNS:
        p[name] = sign * scale * (v[:6] if twice else v[6:]) ** 2
    return np.sum(p["W"]) * np.sum(p["b"])


@kept_in(RIGHT)
def written_down_twice(v):
    total = 0.0
    for power in range(1, 3):
        p = {}
        for name, a, b in PLACES:
            p[name] = v[a:b] ** power
        total += np.sum(p["W"]) * np.sum(p["b"])
    return total


@kept_in(RIGHT)
def numbers_by_computed_keys(v):
    p = {}
    for k, name in enumerate(NAMES):
        p[name] = v[k] ** 2
    return p["W"] * p["b"] ** 2


@refused_in(REFUSED)("whose keys are computed")
def of_lists_in_lists(v):
    out, i = {}, 0
    for name, shape in NESTED:
        n = int(np.prod(shape))
        out[name] = v[i : i + n].reshape(shape)
        i += n
    return np.sum(out["W"]) * np.sum(out["b"])


@refused_in(REFUSED)("whose keys are computed")
def that_the_function_changes(v):
    CHANGED.append(("c", 0))
    out, i = {}, 0
    for name, n in CHANGED:
        out[name] = v[i : i + n]
        i += n
    CHANGED.pop()
    return np.sum(out["W"]) * np.sum(out["b"])


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)


def of_what_stands_there(v):
    out, i = {}, 0
    for name, n in CHANGED:
        out[name] = v[i : i + n] ** 2
        i += n
    return np.sum(out["W"]) * np.sum(out["b"])


@pytest.fixture
def _kept() -> Iterator[None]:
    before = [*CHANGED]
    yield
    CHANGED[:] = before


@pytest.mark.usefixtures("_kept")
def test_another_layout() -> None:
    derivative = grad(of_what_stands_there)
    for layout in ([("W", 6), ("b", 2)], [("b", 3), ("W", 5)], [("W", 1), ("c", 4), ("b", True)]):
        CHANGED[:] = layout
        expected = numeric_gradient(of_what_stands_there, [X], 0, 1.0)
        np.testing.assert_allclose(derivative(X), expected, rtol=1e-5, atol=1e-7)


def test_a_dict_of_parameters_that_is_given() -> None:
    def penalty(p):
        total = 0.0
        for name, shape in SPEC:
            total += np.sum(p[name].reshape(shape) ** 2) / len(shape)
        return total

    p = {"W": X[:6].reshape(2, 3), "b": X[6:]}
    found = grad(penalty)(p)
    np.testing.assert_allclose(found["W"], p["W"])
    np.testing.assert_allclose(found["b"], 2 * p["b"])
    np.testing.assert_allclose(grad(lambda q: np.sum(flatten(q) ** 2))(p)["W"], 2 * p["W"])


def test_entries_by_default_are_no_layout() -> None:
    def f(x, s):
        for k in range(1, 4):
            counts = {}
            counts.setdefault(0, s)
            s = [key for key in sorted(counts)]
            s = s if k == 1 else None
        return 0.6 * x

    _, pullback = vjp(f, np.array([0.3, 0.7]), -0.5)
    np.testing.assert_allclose(pullback(np.ones(2))[0], [0.6, 0.6])
