"""Tuples, dicts and objects that a conditional expression chooses, one of which carries no derivative, or is None."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

FUNCTIONS: list[Callable[..., Any]] = []
chosen = kept_in(FUNCTIONS)


class Point(NamedTuple):
    u: Any
    v: Any


@dataclass
class Pair:
    u: Any
    v: Any


@chosen
def constants_otherwise(x):
    hit = (x[0], x[1]) if x[0] > 0.8 else (2.0, 3.0)
    return hit[0] * hit[1] * x[2]


@chosen
def constants_first(x):
    hit = (2.0, 3.0) if x[0] > 0.8 else (x[0], x[1])
    return hit[0] * hit[1] * x[2]


@chosen
def in_a_loop(x):
    total = 0.0
    for i in range(3):
        a = (x[i], x[i] * x[i + 1]) if x[i] > 0.8 else (0.5, 2.0)
        total += a[0] * a[1] + a[1] * x[i]
    return total


@chosen
def three_ways(x):
    total = 0.0
    for v in x:
        pair = (v, v * v) if v > 1 else (0.5, v) if v > 0.8 else (0.1, 0.2)
        total += pair[0] * pair[1] ** 2 * v
    return total


@chosen
def numbers_or_none(x):
    total = 0.0
    for i in range(4):
        hit = (x[i], x[i] * x[i + 1]) if x[i] > 0.8 else (None, None)
        if hit[0] is None:
            total += x[i] ** 3
        else:
            total += hit[0] * hit[1]
    return total


@chosen
def nested(x):
    t = ((x[0], 2.0), x[1]) if x[2] > 0.8 else ((1.0, x[3]), 0.5)
    return t[0][0] * t[0][1] * t[1] * x[2]


@chosen
def dicts(x):
    total = 0.0
    for v in x:
        d = {"u": v, "v": v * v} if v > 0.8 else {"u": 0.3, "v": 0.4}
        total += d["u"] * d["v"] * v
    return total


@chosen
def named_tuples(x):
    total = 0.0
    for v in x:
        p = Point(v, v * v) if v > 0.8 else Point(0.3, 0.4)
        total += p.u * p.v * v
    return total


@chosen
def objects(x):
    total = 0.0
    for v in x:
        p = Pair(v, v * v) if v > 0.8 else Pair(0.3, 0.4)
        total += p.u * p.v * v
    return total


def of_choice(v):
    return (v, v * v) if v > 0.8 else (0.3, 0.4)


@chosen
def given_by_helpers(x):
    total = 0.0
    for v in x:
        a, b = of_choice(v)
        c = of_choice(v * 1.2)
        total += a * b * v + c[0] * c[1]
    return total


@chosen
def given_to_calls(x):
    total = 0.0
    for v in x:
        total += np.hypot(*((v, v * v) if v > 0.8 else (0.3, 0.4))) * v
        for w in (v, v * v) if v > 1 else (0.3, 0.4):
            total += w * v
    return total


@chosen
def lists(x):
    total = 0.0
    for v in x:
        xs = [v, v * v] if v > 0.8 else [0.3, 0.4]
        ys = [v, v * v] if v > 0.8 else []
        total += xs[0] * xs[1] * v + sum(ys)
    return total


@chosen
def taken_apart_by_stars(x):
    total = 0.0
    for v in x:
        a, b, c = *((v, v * v) if v > 0.8 else (0.3, 0.4)), 2.0
        total += a * b * c + product(*((v, v * v) if v > 1 else (0.3, 0.4)), c=v)
        total += product(**({"a": v, "b": v * v} if v > 0.8 else {"a": 0.3, "b": 0.4}), c=v)
        total += ((v, v * v) if v > 0.8 else (0.3, 0.4))[1] * v
        total += (Pair(v, v * v) if v > 0.8 else Pair(0.3, 0.4)).u * v
    return total


def product(a, b, c=1.0):
    return a * b * c


@chosen
def either_of_two(x):
    total = 0.0
    for v in x:
        few = [v, v**2] if v > 1 else []
        total += (few or [v, 2.0])[0] * v + sum(few or [0.5, v]) * v
    return total


# -- tuples that may be None instead


@chosen
def first_of_all(x):
    hit = None
    for k, r in enumerate(x):
        d = r * (k - 2.2) ** 2 + 0.3
        if hit is None or d < hit[0]:
            hit = (d, r)
    return hit[0] * hit[1] ** 2


@chosen
def left_at_the_first(x):
    hit = None
    for k, r in enumerate(x):
        d = r * (k - 2.2) ** 2 + 0.3
        if d < 0.5:
            hit = (d, r)
            break
    if hit is None:
        return x[0]
    d, r = hit
    return d * r**2


@chosen
def none_found(x):
    hit = None
    for i in range(4):
        if x[i] > 10.8:
            hit = x[i], x[i + 1]
    if hit is not None:
        return hit[0] * hit[1]
    return x[2] * x[3]


@chosen
def arrays_and_places(x):
    total = 0.0
    for i in range(3):
        best, hit = np.inf, None
        for k, r in enumerate(x):
            d = r * (k - 2.2) ** 2 + 0.3
            if d < min(best, i / 2):
                best, hit = d, (k, x * r, r)
        if hit is not None:
            k, c, r = hit
            total += best * np.sum(c) * k * r + hit[2]
    return total


@chosen
def chosen_or_none(x):
    total = 0.0
    for i in range(4):
        hit = (x[i], x[i] * x[i + 1]) if x[i] > 0.8 else None
        if hit is None:
            total += x[i] ** 3
        else:
            total += hit[0] * hit[-1]
    return total


@chosen
def asked_whether_true(x):
    hit, k = None, 0
    while not hit and k < 5:
        if x[k] > 1.2:
            hit = (x[k], x[k - 1])
        k += 1
    scale = hit[1] if hit else 1.0
    if hit and hit[0] > 0.1:
        return hit[0] * hit[1] * scale
    return x[2] * x[3] * scale


# -- arguments that may be None in one call, and never are in another


def twice_or_by(a, b=None):
    if b is None:
        b = a * 2
    return a * b


@chosen
def calls_with_and_without(x):
    total = twice_or_by(x[1], x[2]) + twice_or_by(x[0])
    return total * twice_or_by(x[3], x[4] if x[4] > 1 else None) + twice_or_by(x[4])


@chosen
def calls_with_and_without_arrays(x):
    kept = x * 2 if x[0] > 0.8 else None
    return np.sum(twice_or_by(x, x[::-1]) * twice_or_by(x, kept))


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
@pytest.mark.parametrize("scale", [1.0, 0.4, 2.0])
def test_chosen_displays(function: Callable[..., Any], scale: float) -> None:
    x = np.array([0.9, 1.3, 0.71, 1.1, 0.6]) * scale
    check_along(function, x, np.array([0.3, -0.2, 0.5, 0.1, -0.4]))
