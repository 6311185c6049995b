"""Helpers that give a tuple, a dict or an object on some ways, and None on others; names that hold one of both."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, each_refused, kept_in, named, refused_in

from tangentish import grad, jvp

FUNCTIONS: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
X = np.array([0.7, 0.4, 0.9, 0.55])
right, refused = kept_in(FUNCTIONS), refused_in(REFUSED)


def _hit(x):
    if x[0] < 0.5:
        return None
    return x[0] * 2, x[1] ** 2


def _hit_with_arrays(x):
    if x[0] < 0.5:
        return
    return x * 2, x[1] ** 2, np.outer(x, x)


def _hit_and_more(x):
    hit = _hit(x)
    return hit, x[3]


def _shaded(hit, w):
    if hit is None:
        return w**3
    return hit[0] * w


def _of_a_dict(x, c):
    return {"t": x[0] * c, "p": x * 2} if x[0] * c > 0.5 else None


def _handed_on(x, c):
    return _of_a_dict(x, c)


def _first_above(x):
    for v in x:
        if v > 0.6:
            return v, v**2


def _roots(a, b, c):
    d = b * b - 4 * a * c
    if d < 0:
        return None
    root = np.sqrt(d)
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


class Interval:
    def __init__(self, lo, hi):
        self.lo, self.hi = lo, hi

    def size(self):
        return self.hi - self.lo

    def grow(self, k):
        self.hi = self.hi * k


def _overlap(a, b):
    lo, hi = max(a.lo, b.lo), min(a.hi, b.hi)
    return Interval(lo, hi) if lo <= hi else None


Point = namedtuple("Point", "t y")


def _point(x):
    return None if x[0] < 0.5 else Point(x[0], y=x[1])


class Sphere:
    def __init__(self, center, radius):
        self.center, self.radius = center, radius

    def hit(self, start, way):
        between = start - self.center
        ts = _roots(way @ way, 2 * between @ way, between @ between - self.radius**2)
        if ts is None:
            return None
        p = start + ts[0] * way
        return ts[0], p, (p - self.center) / self.radius


def _nearest(spheres, start, way):
    best = None
    for sphere in spheres:
        hit = sphere.hit(start, way)
        if hit is not None and (best is None or hit[0] < best[0]):
            best = hit
    return best


@right
def asked_before_it_is_taken_apart(x):
    hit = _hit(x)
    if hit is None:
        return x[1]
    t, y = hit
    return t * y


@right
def passed_over_in_a_loop(x):
    total = 0.0
    for k in range(4):
        hit = _hit(x * (0.3 + 0.3 * k))
        if hit is None:
            continue
        t, y = hit
        total += t * y
    return total


@right
def arrays_asked_whether_they_are_there(x):
    total = 0.0
    for k in range(4):
        hit = _hit_with_arrays(x * (0.3 + 0.3 * k))
        if hit:
            t, y, z = hit
            total += np.sum(t) * y * np.sum(z**2)
    return total


@right
def the_best_of_several(x):
    best = None
    for k in range(4):
        hit = _hit_with_arrays(x * (0.3 + 0.3 * k))
        if hit is not None and (best is None or hit[1] > best[1]):
            best = hit
    if best is None:
        return x[0]
    return np.sum(best[0]) * best[1] * np.sum(best[2] ** 2)


@right
def rays_and_spheres(x):
    spheres = [
        Sphere(np.array([x[0], 0.1, 4.0 + x[1]]), 1.0),
        Sphere(np.array([0.2, x[2], 3.0]), 0.5 + x[3]),
    ]
    total = 0.0
    for i in range(3):
        hit = _nearest(spheres, np.zeros(3), np.array([0.4 * i, 0.3, 1.0]))
        if hit is None:
            continue
        t, p, normal = hit
        total += t * p[0] + normal @ p
    return total


@right
def objects_or_none(x):
    total = 0.0
    for k in range(3):
        found = _overlap(Interval(x[1], x[0]), Interval(x[3] * k, x[2] * k))
        if found is not None:
            found.grow(1 + x[1])
            total += found.size() ** 2 * x[3]
    return total


@right
def the_best_of_several_objects(x):
    best = None
    for k in range(4):
        found = _overlap(Interval(x[1] * k * 0.1, x[0]), Interval(x[3] * 0.2, x[2]))
        if found is None:
            continue
        if best is None or found.size() < best.size():
            best = found
    return x[0] if best is None else best.size() ** 2


@right
def dicts_handed_on(x):
    total = 0.0
    for k in range(4):
        found, scale = _handed_on(x, 0.3 + 0.3 * k), 2.0
        if found is not None:
            total += found["t"] ** 2 * np.sum(found["p"] ** 3) * scale
    return total


@right
def named_tuples_or_none(x):
    total = 0.0
    for k in range(4):
        p = _point(x * (0.3 + 0.3 * k))
        total += p.t * p.y if p is not None else x[3] ** 2
    return total


@right
def falls_off_its_end(x):
    a, b = _first_above(x), _first_above(x[::-1])
    if not a or not b:
        return x[0]
    return a[0] * b[1]


@right
def among_other_results(x):
    hit, w = _hit_and_more(x)
    none, v = _hit_and_more(x * 0.5)
    if hit is not None and none is None:
        return hit[0] * hit[1] * w * v
    return w


@right
def handed_to_another_function(x):
    total = 0.0
    for k in range(4):
        hit = _hit(x * (0.3 + 0.3 * k))
        total += _shaded(hit, x[3]) + _shaded(_hit(x * (0.2 + 0.3 * k)), x[2])
    return total


@right
def the_one_before(x):
    total, before = 0.0, None
    for k in range(5):
        hit = _hit(x * (0.9 - 0.15 * k))
        if before is not None and hit is not None:
            total += hit[0] * before[1]
        elif before is not None:
            total += before[0] ** 2
        before = hit
    return total


@right
def as_long_as_there_is_one(x):
    total, k, hit = 0.0, 0, _hit(x)
    while hit is not None:
        total += hit[0] * hit[1]
        k += 1
        hit = _hit(x * (1 - 0.1 * k))
    return total


@right
def in_place_of_none(x):
    hit = _hit(x * 0.5)
    t, y = hit if hit else (x[2], x[3])
    return t * y


@right
def none_whatever_was_found(x):
    hit = _hit(x)
    if x[0] > 0.2:
        hit = None
    return x[3] ** 2 if hit == None else hit[0]  # noqa: E711


class _Layer:
    def __init__(self, w):
        self.w, self.cache = w, None

    def forward(self, h):
        self.cache = h
        return np.tanh(self.w * h)


@right
def arrays_kept_by_objects_in_a_list(x):
    layers = []
    for i in range(3):
        layers.append(_Layer(x[i : i + 2].copy()))
    h = x[2:]
    for layer in layers:
        h = layer.forward(h)
    return np.sum(h)


@refused("may be None")
def seen_by_others(x):
    hit = _hit(x)
    shown = f"{hit}"
    return x[3] if hit is None else hit[0] * len(shown)


@refused("may be None")
def caught_when_it_is_taken_apart(x):
    total = 0.0
    for k in range(4):
        hit = _hit(x * (0.3 + 0.3 * k))
        try:
            total += hit[0]
        except TypeError:
            total += x[3] ** 2
    return total


@refused("may be None")
def of_which_any_is_true(x):
    hit, other = _hit(x), _hit(x * 0.5)
    return x[3] if any([hit, other]) else x[2]


@refused("may be None")
def kept_in_a_list(x):
    hits = []
    for k in range(4):
        hits.append(_hit(x * (0.3 + 0.3 * k)))
    return sum(hit[0] for hit in hits if hit is not None)


@pytest.mark.parametrize("scale", [1.0, 0.6, 2.0])
@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_right(function: Callable[..., Any], scale: float) -> None:
    check_along(function, X * scale, np.array([0.3, -0.2, 0.5, 0.1]))


test_refused = each_refused(REFUSED, X)


def test_an_element_is_asked() -> None:
    text = grad(asked_before_it_is_taken_apart).source(X)
    assert "if hit_0 is None:" in text
    assert "y_0, y_1 = None, None" in text


def _with_what_was_before(x):
    old = None
    if x[0] > 0.5:
        old = x
        x = x**2
    return x * 2, old


def test_the_tangent_of_a_result_that_is_none() -> None:
    along = np.array([0.3, -0.7, 0.5, 0.2])
    _, (y_dot, old_dot) = jvp(_with_what_was_before, (X * 0.5,), (along,))
    assert np.allclose(y_dot, 2 * along)
    assert old_dot is None
    _, (y_dot, old_dot) = jvp(_with_what_was_before, (X,), (along,))
    assert np.allclose(y_dot, 4 * X * along)
    assert np.allclose(old_dot, along)
