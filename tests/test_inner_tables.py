"""A dict that stands in a dict or an object, asked by computed keys: by a name that it has before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

from tangentish import grad

Function = Callable[..., Any]
RIGHT: list[Function] = []
REFUSED: list[tuple[Function, str]] = []
X, X_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([0.3, -0.2, 0.5, 0.1])
SEEN = [("a", 1.0), ("b", 2.0), ("a", 0.5)]
KEYS = ["a", "b"]


def params_of(x):
    return {
        "cams": {"a": np.array([x[0], x[1]]), "b": np.array([x[2], x[3] * x[0]])},
        "points": {"a": x[1], "b": x[2] * 2},
        "f": x[0],
    }


def cost(params, seen):
    s = 0.0
    for cam, u in seen:
        c = params["cams"][cam]
        s += (params["f"] * c[0] * c[1] - u) ** 2
    return s


def scaled(c, u):
    c[0] = c[0] * u
    return c[1]


class Rig:
    def __init__(self, x):
        self.points = {"a": x[0], "b": x[1]}
        self.k = x[2]

    def cost(self, seen):
        return sum((self.k * self.points[c] - u) ** 2 for c, u in seen)

    def bump(self):
        self.points["a"] = self.points["a"] * self.k
        return self.k

    @property
    def bumped(self):
        self.points["b"] = self.points["b"] * self.k
        return self.k


@kept_in(RIGHT)
def given_to_a_function(x):
    return cost(params_of(x), SEEN) * Rig(x).cost(SEEN)


@kept_in(RIGHT)
def in_the_function(x):
    params = params_of(x)
    s = sum(params["points"][c] * u for c, u in SEEN)
    s += sum(params["points"].get(c, x[0]) * u for c, u in [*SEEN, ("z", 1.0)])
    return s * sum(params["points"][c] if c in params["points"] else x[3] for c in ("a", "z"))


@kept_in(RIGHT)
def on_some_ways(x):
    params, s, k, n = params_of(x), x[0], "a", 0
    for c, u in SEEN:
        if u > 0.7:
            s += params["points"][c] * params["cams"][c] @ params["cams"][c]
        else:
            s *= params["points"][c]
    while n < 3:
        s = s * params["points"][k]
        k = SEEN[n][0]
        n += 1
    for c, _ in SEEN[3:]:
        s += params["points"][c]
    return s


@kept_in(RIGHT)
def deeper(x):
    model = {"m": {"words": {"a": x[0], "b": x[1]}}}
    row = np.array([model["m"]["words"][k] for k in KEYS])
    return row @ row * sum(model["m"]["words"][KEYS[k % 2]] * x[k] for k in range(3))


@kept_in(RIGHT)
def changed_between(x):
    params, s = {"m": {"a": x[1], "b": x[2] * 2}}, 0.0
    for _ in range(2):
        for c, u in SEEN:
            s += params["m"][c] * u
            params["m"]["b"] = params["m"]["b"] * 1.5
        params["m"]["a"] = params["m"]["a"] * 1.5
    return s


@kept_in(RIGHT)
def changed_by_another_name(x):
    points = {"a": x[0], "b": x[1]}
    params, s = {"points": points, "f": x[2]}, 0.0
    for c, _ in SEEN:
        s += params["points"][c] * params["f"]
        points["a"] = points["b"] * 2.0
    again = params_of(x)
    other = again
    for c, _ in SEEN:
        s += again["points"][c]
        other["points"]["a"] = other["points"]["b"] * 2.0
    return s


@kept_in(RIGHT)
def changed_by_a_method(x):
    rig, s = Rig(x), 0.0
    for c, _ in SEEN:
        s += rig.points[c]
        s += rig.bump()
    rigs = [rig]
    for c, _ in SEEN:
        s += rig.points[c]
        for each in rigs:
            each.bump()
    return s


@kept_in(RIGHT)
def written_into(x):
    params, s = params_of(x), 0.0
    for c, u in SEEN:
        s += params["cams"][c][0] * u
        params["cams"]["a"][0] *= 2
    for c, _ in SEEN:
        s += scaled(params["cams"][c], x[1]) * params["cams"]["a"][0]
    return s


@refused_in(REFUSED)("it is not known which key this is")
def changed_in_the_line(x):
    rig, s = Rig(x), 0.0
    for c, _ in SEEN:
        s += rig.bump() * rig.points[c]
    return s


@refused_in(REFUSED)("it is not known which key this is")
def changed_by_a_property(x):
    rig, s = Rig(x), 0.0
    for c, _ in SEEN:
        s += rig.points[c] * rig.bumped
    return s


@refused_in(REFUSED)("may share memory and one of them is written to")
def written_into_by_another_name(x):
    params, s = params_of(x), 0.0
    w = params["cams"]["a"]
    for c, _ in SEEN:
        s += params["cams"][c][0] * params["f"]
        w[0] *= 2
    return s


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)


def test_given_as_arguments() -> None:
    params = {"cams": {"a": np.array([1.0, 2.0]), "b": np.array([0.5, 1.0])}, "f": 2.0}
    seen = [("a", 1.0), ("b", 2.0)]
    gradient = grad(cost)(params, seen)
    np.testing.assert_allclose(gradient["cams"]["a"], [24.0, 12.0])
    np.testing.assert_allclose(gradient["cams"]["b"], [-4.0, -2.0])
    np.testing.assert_allclose(gradient["f"], 11.0)
    source = grad(cost).source(params, seen)
    assert (
        '    cams = {"a": params["cams"]["a"], "b": params["cams"]["b"]}\n    for cam, u' in source
    )
