"""A list in a dict that is copied, or in what a call gives, varies later: right, or refused where nothing tells."""

import contextlib
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

FUNCTIONS: list[Any] = []
REFUSED: list[tuple[Any, str]] = []
X = np.array([0.7, 1.3, 0.4])
X_DOT = np.array([0.2, -0.3, 0.9])
refused = refused_in(REFUSED)


@kept_in(FUNCTIONS)
def in_a_list_of_values(x):
    w = [1.0, 2.0]
    d = {"a": w}
    s = list(d.values())
    w[1] = x[1]
    return x[0] * s[0][1]


@kept_in(FUNCTIONS)
def in_a_tuple_of_pairs(x):
    w = [1.0, 2.0]
    d = {"a": w, "b": 3.0}
    s = tuple(d.items())
    w.append(x[1] * x[2])
    return x[0] * s[0][1][2]


@kept_in(FUNCTIONS)
def in_starred_values(x):
    w = [1.0, 2.0]
    d = {"a": w}
    s = [*d.values()]
    if x[0] > 0:
        w[1] = x[1]
    return x[0] * s[0][1]


@kept_in(FUNCTIONS)
def in_a_starred_dict(x):
    w = [1.0, 2.0]
    d = {"a": w}
    s = {**d}
    w[1] *= x[1]
    return x[0] * s["a"][1]


@kept_in(FUNCTIONS)
def in_a_dict_of_the_same_entries(x):
    w = [1.0, 2.0]
    d = {"a": w}
    s = {k: v for k, v in d.items()}
    w[1] = x[1]
    return x[0] * s["a"][1]


@refused("what varies is stored to a part of 's'")
def in_a_dict_of_two_lists(x):
    w = [1.0, 2.0]
    s = dict(zip("ab", [w, [3.0]], strict=True))
    w[1] = x[1]
    return x[0] * s["a"][1]


@refused("what varies is stored to a part of 's'")
def given_by_a_manager(x):
    w = [1.0, 2.0]
    with contextlib.nullcontext(w) as s:
        w[1] = x[1]
    return x[0] * s[1]


@refused("what varies is stored to a part of 's'")
def an_array_given_by_a_manager(x):
    w = np.array([1.0, 2.0])
    with contextlib.nullcontext(w) as s:
        w[1:] = x[1]
    return x[0] * s[1]


test_held_by_copies = each_right(FUNCTIONS, X, X_DOT)


test_held_where_nothing_tells = each_refused(REFUSED, X)
