"""A name that stands for one of the objects that were given, and then for another: the closest hit, the best candidate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import kept_in, named
from numeric import assert_close, numeric_gradient

from tangentish import grad, jvp


class Sphere:
    def __init__(self, centre, radius):
        self.centre, self.radius = centre, radius

    def hit(self, o):
        return o @ self.centre - self.radius


FUNCTIONS: list[Callable[..., Any]] = []
RAY = np.array([1.0, 0.5])


def spheres_at(x):
    return [Sphere(x[:2] * 1, x[2]), Sphere(x[2:4] * 1, x[4]), Sphere(x[3:] * 1, x[0])]


@kept_in(FUNCTIONS)
def closest(scene):
    best, found = 1e9, None
    for s in scene:
        t = s.hit(RAY)
        if t < best:
            best, found = t, s
    if found is None:
        return 0.0
    return best * found.radius


@kept_in(FUNCTIONS)
def closest_by_index(scene):
    best, found = 1e9, None
    for i, s in enumerate(scene):
        t = s.hit(RAY)
        if t < best:
            best, found = t, i
    if found is None:
        return 0.0
    return best * scene[found].radius


@kept_in(FUNCTIONS)
def for_each_of_several_rays(scene):
    total = 0.0
    for k in range(1, 4):
        total += seen_along(scene, RAY * k)
    return total


def seen_along(scene, ray):
    best, found = 1e9, None
    for s in scene:
        t = s.hit(ray)
        if t < best:
            best = t
            found = s
    return 0.0 if found is None else best * found.radius


@kept_in(FUNCTIONS)
def nothing_in_reach(scene):
    best, found = -1e9, None
    for s in scene:
        if s.hit(RAY) < best:
            best, found = s.hit(RAY), s
    return scene[0].radius if found is None else found.radius


@kept_in(FUNCTIONS)
def chosen_first_and_then_another(scene):
    best = scene[0]
    for s in scene:
        if s.radius > best.radius:
            best = s
    return best.radius * best.hit(RAY)


@kept_in(FUNCTIONS)
def stored_to_where_it_was_found(scene):
    found = None
    for s in scene:
        if found is None or s.radius > found.radius:
            found = s
    if found is not None:
        found.radius = found.radius * 2
    return sum(s.radius * s.hit(RAY) for s in scene)


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_one_of_the_objects_given(function: Callable[..., Any]) -> None:
    x, v = np.array([0.7, 0.4, 0.9, 0.55, 1.2]), np.array([0.3, -1.0, 0.5, 0.2, 0.7])

    def parts(spheres: Any) -> np.ndarray:
        return np.concatenate([[*s.centre, s.radius] for s in spheres])

    def at(z: np.ndarray) -> Any:
        ends = np.split(z, 3)
        return function([Sphere(e[:2], e[2]) for e in ends])

    z, v_z = parts(spheres_at(x)), parts(spheres_at(v))
    numeric = numeric_gradient(at, (z,), 0, 1.0)
    assert_close(parts(grad(function)(spheres_at(x))), numeric, function.__name__)
    slope = jvp(function, (spheres_at(x),), (spheres_at(v),))[1]
    assert_close(slope, numeric @ v_z, function.__name__)
