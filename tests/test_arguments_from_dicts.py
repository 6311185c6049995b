"""`f(q, **link)` of dicts that stand outside: their keys are looked up, and are the same at every call, or all anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_refused, each_right, kept_in, refused_in
from numeric import assert_close, numeric_gradient

from tangentish import NotDifferentiable, grad

Function = Callable[..., Any]
RIGHT: list[Function] = []
REFUSED: list[tuple[Function, str]] = []
X, X_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([0.3, -0.2, 0.5, 0.1])

LINK = {"d": 0.3, "a": 0.1}
LINKS = [{"d": 0.3, "a": 0.1}, {"d": 0.1, "a": 0.5}]
OTHERS = [{"a": 0.3}, {"a": 0.1}]
MIXED = [{"d": 0.3}, {"d": 0.1, "a": 0.5}]
NAMED = {"one": {"d": 0.3, "a": 0.1}, "two": {"d": 0.2, "a": 0.5}}
IN_TIME = [(0.1, {"d": 1.0, "a": 2.0}), (0.2, {"d": 2.0, "a": 2.5})]
ARRAYS = [{"m": np.ones((2, 2)), "v": np.arange(2.0)}, {"m": np.eye(2) * 3, "v": np.ones(2)}]
JOINTS = [{"name": "one", "kind": "turns", "a": 0.2}, {"name": "two", "kind": "slides", "a": 0.5}]


class Settings:
    LINK = {"d": 0.3, "a": 0.4}


class Spring:
    def __init__(self, d, a=1.0):
        self.d = d
        self.a = a

    def energy(self, x):
        return self.d * x**2 * self.a


def dh(th, d=1.0, a=0.2):
    return np.array([a * np.cos(th), a * np.sin(th) + d * th])


def joint(q, name, kind, a):
    return q * a if kind == "turns" else q**2 * a


def moved(x, m, v):
    return np.sum((m @ x + v) ** 2)


def by_name(th, **k):
    return np.cos(th) * k["d"] + k["a"] * th


@kept_in(RIGHT)
def of_one_dict(q):
    return np.sum(dh(q[0], **LINK) * dh(q[1], **LINKS[-1]) * dh(q[2], **NAMED["two"])) + np.sum(
        dh(q[0], **Settings.LINK)
    )


@kept_in(RIGHT)
def of_each_in_a_loop(q):
    s = np.zeros(2)
    for qi, link in zip(q, LINKS):
        s = s + dh(qi, **link) * link["a"]
    for i in range(3):
        s = s * dh(q[i], **LINKS[i % 2])
    return np.sum(s)


@kept_in(RIGHT)
def of_each_in_a_comprehension(q):
    s = sum(by_name(qi, **link) for qi, link in zip(q, LINKS))
    s += sum(np.sum(dh(q[i], **link)) for i, link in enumerate(reversed(LINKS[1:])))
    return s * sum(np.sum(dh(q[0], **NAMED[name])) for name in ("one", "two"))


@kept_in(RIGHT)
def of_views_and_pairs(q):
    s = sum(np.sum(dh(q[0], **link)) for link in NAMED.values())
    for k, (name, link) in enumerate(NAMED.items()):
        s += k * len(name) * np.sum(dh(q[k], **link))
    for t, link in IN_TIME:
        s += np.sum(dh(q[0] * t, **link))
    return s


@kept_in(RIGHT)
def of_texts_and_arrays(q):
    return sum(joint(v, **k) for v, k in zip(q, JOINTS)) + sum(moved(q[:2], **k) for k in ARRAYS)


@kept_in(RIGHT)
def of_objects(q):
    springs = [Spring(**link) for link in LINKS]
    others = [Spring(q[3], **link) for link in OTHERS]
    s = sum(spring.energy(v) for spring, v in zip(springs, q))
    return s + sum(spring.energy(v) for spring, v in zip(others, q))


@kept_in(RIGHT)
def with_entries_that_vary(q):
    s = 0.0
    for link in LINKS:
        options = {**link, "d": q[1]}
        s += np.sum(dh(q[0], **options)) * link["a"]
    copied = LINKS[1].copy()
    copied["a"] = q[2]
    return s + np.sum(dh(q[0], **copied))


@kept_in(RIGHT)
def under_a_name_bound_anew(q):
    s = 0.0
    for link in LINKS:
        link = {"a": q[1]}
        s += np.sum(dh(q[0], **link))
    return s


@kept_in(RIGHT)
def of_the_last_one(q):
    for link in LINKS:
        pass
    return np.sum(dh(q[0], **link))


@refused_in(REFUSED)("which arguments ** gives is not known")
def of_different_keys(q):
    return sum(np.sum(dh(q[0], **link)) for link in MIXED)


@refused_in(REFUSED)("which arguments ** gives is not known")
def one_or_another(q):
    link = LINKS[0]
    if q[0] > 0:
        link = OTHERS[0]
    return np.sum(dh(q[0], **link))


@refused_in(REFUSED)("which arguments ** gives is not known")
def changed_on_the_way(q):
    s = 0.0
    for link in LINKS:
        link["a"] = link["a"] * 1.0
        s += np.sum(dh(q[0], **link))
    return s


@refused_in(REFUSED)("this gives d twice")
def given_twice(q):
    return np.sum(dh(q[0], d=2.0, **LINK))


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)


CHANGING = [{"d": 0.3, "a": 0.1}, {"d": 0.1, "a": 0.5}]


def of_what_changes(q):
    return sum(np.sum(dh(q, **link)) for link in CHANGING)


def test_what_changes_between_calls() -> None:
    slope = grad(of_what_changes)

    def check() -> None:
        assert_close(slope(0.5), numeric_gradient(of_what_changes, (0.5,), 0, 1.0), "changed")

    check()
    CHANGING[0]["a"] = 7.0
    check()
    CHANGING.append({"d": 1.0, "a": 2.0})
    check()
    for link in CHANGING:
        del link["d"]
    check()
    CHANGING[0]["d"] = 2.0
    with pytest.raises(NotDifferentiable):
        slope(0.5)


def test_text() -> None:
    source = grad(of_each_in_a_comprehension).source(X)
    assert '{"d": link["d"], "a": link["a"]}' in source
