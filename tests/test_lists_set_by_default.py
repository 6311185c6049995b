"""`d.setdefault("k", []).append(v)` of a dict whose keys are known, also of one that an object holds."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, check_along, each_refused, kept_in, named, refused_in

functions: list[Function] = []
program = kept_in(functions)
refusals: list[tuple[Function, str]] = []
refused = refused_in(refusals)


class Graph:
    def __init__(self):
        self.after = {}

    def add(self, a, b, weight):
        self.after.setdefault(a, []).append((b, weight))


class Places:
    def __init__(self, edges):
        self.after = {}
        for a, b in edges:
            self.after.setdefault(a, []).append(b)


@program
def of_a_dict(x):
    d = {}
    d.setdefault("a", []).append(x[0])
    d.setdefault("a", []).append(x[1])
    return sum(v**2 for v in d["a"])


@program
def of_an_object(x):
    g = Graph()
    g.add("a", "b", x[0])
    g.add("a", "c", x[1])
    return sum(w**2 for _, w in g.after["a"])


@program
def places_of_an_object(x):
    g = Places([(0, 1), (1, 2)])
    s = 0.0
    for i, js in g.after.items():
        for j in js:
            s += x[i] * x[j] ** 2
    return s


@program
def all_methods(x):
    d = {"a": [x[2]]}
    d.setdefault("a", [x[2]]).append(x[0])
    d.setdefault("b", [x[2]]).extend([x[1], x[0]])
    d.setdefault("b", []).insert(0, x[2])
    d.setdefault("a", []).sort()
    return sum((k + 1) * v**2 for k, v in enumerate(d["a"] + d["b"]))


@program
def of_a_list_with_a_name(x):
    d = {}
    base = [x[0]]
    d.setdefault("a", base).append(x[1])
    base.append(x[2])
    return sum((k + 1) * v**2 for k, v in enumerate(d["a"])) * base[1]


@refused("what is put into this list changes something itself")
def with_another_entry(x):
    d = {}
    d.setdefault("a", []).append(x[0] + d.setdefault("c", x[2]))
    return d["a"][0] * d["c"]


@pytest.mark.parametrize("function", functions, ids=named)
def test_set_by_default(function: Function) -> None:
    x_dot = np.array([0.3, -1.1, 0.7])
    for x in (np.array([0.6, 0.4, 0.9]), np.array([-0.6, 0.4, 1.3])):
        check_along(function, x, x_dot)


test_refused = each_refused(refusals, np.array([0.6, 0.4, 0.9]))
