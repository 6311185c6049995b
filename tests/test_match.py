"""`match` whose patterns have parts: sequences, dicts, classes, guards and names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from every_mode import Function, each_refused, each_right, kept_in, refused_in

FUNCTIONS: list[Function] = []
REFUSED: list[tuple[Function, str]] = []
kept, refused = kept_in(FUNCTIONS), refused_in(REFUSED)
X, X_DOT = np.array([1.3, 0.7, 2.1]), np.array([0.3, -0.7, 1.1])


@dataclass
class Point:
    x: Any
    y: Any = 2.0


class Box:
    __match_args__ = ("v",)

    def __init__(self, v: Any) -> None:
        self.v = v


@kept
def names_stay_where_a_guard_fails(x):
    u = 1.0
    match (x[0], x[1]):
        case (u, v) if v > 100:
            return u
        case _:
            pass
    return u * x[2] ** 2


@kept
def arrays_and_texts_are_no_sequences(x):
    match "ab":
        case [_, _]:
            return x[0]
        case str(s):
            k = len(s)
    match x:
        case [u, _, _]:
            return u
        case _:
            return k * x[0] * x[1] * x[2]


@kept
def parts_of_parts(x):
    match {"p": Point(x[0], x[1]), "s": [x[2], 3.0]}:
        case {"p": Point(x=a, y=b), "s": [c, d]}:
            return a * b**2 * c * d


@kept
def stars(x):
    match (x[0], x[1], x[2], x[0] * x[1]):
        case (a, *mid, b):
            return sum(mid) * a * b**2 * len(mid)


@kept
def classes_and_missing_attributes(x):
    s = 0.0
    for o in [Point(x[0], x[1]), Box(x[2])]:
        match o:
            case Box(w=w):
                s += 100.0 * w
            case Point(a, 2.0):
                s += 10.0 * a
            case Point(a, b):
                s += a * b**2
            case Box(v):
                s += v**3
    return s


@kept
def tags_in_a_loop(x):
    s = 0.0
    for step in [("add", x[0]), ("mul", x[1]), ("add", x[2])]:
        match step:
            case ("add" | "plus", v):
                s = s + v**2
            case ("mul", v):
                s = s * v
    return s


def value(tree, names):
    match tree:
        case ("+", a, b):
            return value(a, names) + value(b, names)
        case ("*", a, b):
            return value(a, names) * value(b, names)
        case str():
            return names[tree]
        case float():
            return tree


TREE = ("+", ("*", "a", "b"), ("*", 2.0, ("*", "a", "a")))


@kept
def trees_of_tuples(x):
    return value(TREE, {"a": x[0], "b": x[1]}) * x[2]


@kept
def the_subject_is_a_name(x):
    p = (x[0], x[1] * x[2])
    match p:
        case (a, b) if a > b:
            return a
        case (a, b):
            return a * b**2 + p[0]


@kept
def a_guard_rebinds_the_subject(x):
    v = x[0]
    match v:
        case float() if (v := x[1]) > 100:
            return v
        case _:
            return v * x[2]


@kept
def options_by_name(x):
    options = {"kind": "ridge", "weight": x[2]}
    match options:
        case {"kind": "lasso", "weight": w}:
            return np.sum(np.abs(x)) * w
        case {"kind": "ridge", "weight": w}:
            return np.sum(x**2) * w


@kept
def lengths_in_a_shape(x):
    match x.shape:
        case (n,):
            return np.sum(x**2) / n
        case (m, n):
            return np.sum(x) / m / n


@kept
def a_guard_that_appends(x):
    t = [x[0], x[1]]
    match t:
        case [a, b] if t.append(x[2]) is not None:
            return a * b
        case [a, b, c]:
            return a * b * c**2


@refused("what is left of a dict gets no name yet")
def the_rest_of_a_dict(x):
    match {"a": x[0], "b": x[1]}:
        case {"a": a, **rest}:
            return a * rest["b"]


@refused("alternatives that give names are not supported yet")
def alternatives_with_names(x):
    match (x[0], 1):
        case (v, 1) | (v, 2):
            return v


test_in_every_mode = each_right(FUNCTIONS, X, X_DOT)


test_refused = each_refused(REFUSED, X)
