"""Dicts in lists are given to functions: each is made for that line, and what the function stores to it is put back."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np
import pytest
from every_mode import each_refused, each_right, kept_in, refused_in

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
followed = kept_in(FUNCTIONS)
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)

P, P_DOT = np.array([0.7, 1.3, 0.4]), np.array([1.0, -2.0, 0.5])


def made(p):
    return [{"f": p[i], "c": p[i] * 2, "n": 1.5} for i in range(3)]


def total(d):
    return sum(d.values())


def weighted(d):
    result = 0.0
    for key, value in d.items():
        result += value * len(key)
    for key in d:
        result = result + d[key] ** 2
    return result


def moved(d, h):
    d["f"] = d["f"] + h * d["c"]


def scaled(d, s):
    d["f"] *= s
    d["c"] = d["c"] * s
    return d["f"]


def brought_nearer(a, b):
    a["f"] = a["f"] + b["f"]


def with_another_entry(d):
    d["g"] = d["f"] * 2


def itself(d):
    return d


@followed
def read(p):
    ds = made(p)
    return sum(total(d) ** 2 for d in ds) * weighted(ds[1])


@followed
def changed(p):
    ds = made(p)
    for d in ds:
        moved(d, 0.5)
    result = 0.0
    for k in [2, 0, 1, 2]:
        result += scaled(ds[k], p[0]) ** 2
    return result + sum(d["f"] * d["c"] for d in ds)


@followed
def several(p):
    ds = [{"f": v, "c": 2 * v} for v in p]
    es = [{"f": v * v, "c": 3.0} for v in p]
    for d, e in zip(ds, es):
        brought_nearer(d, e)
    for i in range(3):
        for j in range(i + 1, 3):
            brought_nearer(ds[i], ds[j])
    return sum(d["f"] ** 2 for d in ds)


@followed
def those_before(p):
    ds = made(p)
    for a, b in zip(ds, ds[1:]):
        b["f"] = b["f"] + total(a)
    result = 0.0
    for i, d in enumerate(ds):
        d["f"] = d["f"] ** 2
        result += total(d) * total(ds[i - 1])
        d["c"] = result
    return result + ds[1]["c"]


@followed
def in_order(p):
    ds = made(p)
    best = max(ds, key=lambda d: d["f"])
    moved(best, 1.0)
    ds = sorted(ds, key=total)
    ds.sort(key=total, reverse=True)
    return total(ds[0]) * ds[2]["f"] + weighted(ds[1])


@followed
def others(p):
    ds = made(p)
    for d in ds:
        for e in ds:
            if e is d:
                continue
            d["c"] = d["c"] + e["f"] * p[1]
    return sum(d["c"] ** 2 for d in ds)


@followed
def second_names(p):
    ds = made(p)
    e = ds[1]
    moved(e, 2.0)
    moved(ds[1], 1.0)
    for d in ds:
        r = d
        moved(r, 1.0)
    return e["f"] * ds[1]["f"] + sum(map(total, ds))


@followed
def taken_out(p):
    ds = made(p)
    while len(ds) > 1:
        d = ds.pop(0)
        moved(d, p[0])
        ds[0]["f"] = ds[0]["f"] + total(d)
    return ds[0]["f"]


@followed
def exchanged(p):
    ds = made(p)
    ds[0], ds[1] = ds[1], ds[0]
    moved(ds[0], 1.0)
    return total(ds[0]) * ds[1]["f"]


@followed
def functions_inside(p):
    ds = made(p)

    def combined(d):
        return d["f"] * p[0] + d["c"]

    def again(d, n):
        return d["f"] if n == 0 else again(d, n - 1) * d["c"]

    def parts(d):
        yield d["f"]
        yield d["c"] ** 2

    result = sum(map(combined, ds)) + sum(again(d, 2) for d in ds)
    return result + sum(sum(parts(d)) for d in ds) + reduce(lambda s, d: s + d["f"], ds, 0.0)


@followed
def dicts_in_dicts(p):
    ds = [{"pos": {"x": p[i], "y": 1.0}, "m": p[i] ** 2} for i in range(3)]

    def push(d):
        d["pos"]["x"] += d["m"]

    def energy(d):
        return d["pos"]["x"] * d["m"] + d["pos"]["y"]

    for d in ds:
        push(d)
    return sum(energy(d) for d in ds)


@followed
def arrays(p):
    ds = [{"x": p * i, "v": p**2} for i in range(1, 4)]

    def step(d, h):
        d["x"] += h * d["v"]

    for _ in range(3):
        for d in ds:
            step(d, 0.1)
    return sum(np.sum(d["x"] ** 2) + d["v"] @ d["x"] for d in ds)


class World:
    def __init__(self, p):
        self.parts = made(p)

    def step(self):
        for d in self.parts:
            moved(d, 0.3)


@followed
def held_by_an_object(p):
    world = World(p)
    world.step()
    world.step()
    return sum(total(d) ** 2 for d in world.parts)


@refused("an element of a list is kept under another name or given back")
def given_back(p):
    ds = made(p)
    for d in ds:
        e = itself(d)
        e["f"] = e["f"] * 3
    return sum(d["f"] ** 2 for d in ds)


@followed
def gets_another_entry(p):
    ds = made(p)
    for d in ds:
        with_another_entry(d)
    return sum(d["g"] ** 2 for d in ds)


@refused("this changes a dict or an object that has another name")
def the_same_twice(p):
    ds = made(p)
    for k in [0, 1]:
        brought_nearer(ds[k], ds[1])
    return sum(d["f"] ** 2 for d in ds)


@followed
def copied(p):
    ds = made(p)
    result = 0.0
    for d in ds:
        e = {**d, "f": 3.0 * d["f"]}
        result += e["f"] * d["f"]
    return result


@followed
def asked_with_a_default(p):
    ds = made(p)
    return sum(d.get("f", 0.0) ** 2 for d in ds)


def projected(x, camera):
    return x * camera["f"] + camera["c"]


def misfit(cameras, observations):
    result = 0.0
    for k, x, seen in observations:
        result += (projected(x, cameras[k]) - seen) ** 2
    return result


@pytest.mark.parametrize("first", [0, -2])
def test_given_dicts_at_places_that_are_given(first: int) -> None:
    cameras = [{"f": 1.0, "c": 2.0}, {"f": 2.0, "c": 3.0}]
    seen = [(first, 1.0, 0.5), (1, 2.0, 1.0), (0, 3.0, 1.0)]
    assert grad(misfit)(cameras, seen) == [{"f": 29.0, "c": 13.0}, {"f": 24.0, "c": 12.0}]
    assert grad(misfit)(cameras, []) == [{"f": 0.0, "c": 0.0}, {"f": 0.0, "c": 0.0}]


test_right = each_right(FUNCTIONS, P, P_DOT)
test_refused = each_refused(REFUSED, P)
