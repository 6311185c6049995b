"""Named tuples in lists: their fields are read in tests and in keys of `sorted`, `min` and `max`, too."""

from __future__ import annotations

import operator
from collections import namedtuple
from typing import NamedTuple

import numpy as np
from every_mode import Function, each_refused, each_right, kept_in, refused_in

from tangentish import grad

RIGHT: list[Function] = []
REFUSED: list[tuple[Function, str]] = []
right, refused = kept_in(RIGHT), refused_in(REFUSED)
X, X_DOT = np.array([0.7, 0.4, 0.9, 0.55]), np.array([0.3, -0.2, 0.5, 0.1])

Edge = namedtuple("Edge", "u v w")


class Hit(NamedTuple):
    t: float
    name: str

    @property
    def far(self):
        return self.t * 2


@right
def sorted_by_a_field(x):
    edges = [Edge(0, 1, x[0]), Edge(1, 2, x[1])]
    t = 0.0
    for e in sorted(edges, key=lambda e: e.w):
        t = t * 0.5 + e.w
    return t


@right
def sorted_in_place(x):
    edges = [Edge(0, 1, v) for v in x]
    edges.sort(key=lambda e: e.w)
    return edges[0].w * edges[-1].w


@right
def nearest_and_farthest(x):
    hits = []
    for v in x:
        if v > 0.5:
            hits.append(Hit(v * v, "a"))
    nearest = min(hits, key=lambda h: h.t)
    return nearest.t + max(hits, key=operator.attrgetter("t")).t ** 2


@right
def by_a_property(x):
    hits = [Hit(v * v, "a") for v in x]
    return min(hits, key=lambda h: h.far).t


@right
def several_keys_in_reverse(x):
    edges = [Edge(i, 1, v) for i, v in enumerate(x)]
    t = 0.0
    for e in sorted(edges, key=lambda e: (-e.w, e.u), reverse=True):
        t = t * 0.5 + e.w**2
    return t


@right
def places_by_a_field(x):
    es = [Edge(0, 1, x[0]), Edge(1, 2, x[1])]
    i = max(range(2), key=lambda k: es[k].w)
    t = es[i].w ** 2
    for k in sorted(range(len(es)), key=lambda k: es[k].w):
        t = t * 0.5 + es[k].w
    return t


@right
def inside_of_tuples(x):
    es = [(v * x[0], Edge(i, 1, v)) for i, v in enumerate(x)]
    return max(es, key=lambda p: p[1].w)[1].w * x[1]


@right
def key_of_what_varies(x):
    es = [Edge(0, 1, x[0]), Edge(1, 2, x[1])]
    best = max(es, key=lambda e: e.w * x[2])
    return best.w * best.u + best.w


@right
def the_same_place_again(x):
    es = [Edge(0, 1, v) for v in x]
    for _ in range(2):
        es.sort(key=lambda e: e.w)
        es[0] = Edge(5, 5, es[0].w * x[1] + es[-1].w)
    return es[0].w + es[1].w * es[2].w


@right
def constants(x):
    es = [Edge(0, 1, 2.0), Edge(1, 1, 0.3)]
    s = x[0]
    for i in range(2):
        if es[i].w > 0.5:
            s = s * es[i].w * x[1]
    return s * min(es, key=lambda e: e.w).w


@right
def read_in_tests(x):
    edges = [Edge(0, 1, v) for v in x]
    s = x[0]
    for i in range(3):
        if edges[i].w > 0.5:
            s = s * edges[i].w
    n = len([e for e in edges if e.w > 0.5]) + sum([e.w > 0.8 for e in edges])
    k = np.argmax([e.w for e in edges])
    return s * n * x[k] * edges[k].w


@right
def asked_what_they_are(x):
    es = [Edge(0, 1, v) for v in x]
    s = x[0]
    for i in range(3):
        if type(es[i]) is Edge and hasattr(es[i], "w") and isinstance(es[i], Edge):
            s = s * es[i].w
        if type(es[i]) is tuple or getattr(es[i], "w") > 0.8:
            s = s * 2
    return s


@refused("make what it goes over a list, and give that a name")
def a_list_without_a_name(x):
    return min([Edge(0, 1, x[0]), Edge(1, 2, x[1])], key=lambda e: e.w).w


def nearest(edges):
    return min(edges, key=lambda e: e.w)


@refused("the attribute .w is not supported here")
def by_a_helper(x):
    edges = [Edge(0, 1, v) for v in x]
    return nearest(edges).w ** 2


test_right = each_right(RIGHT, X, X_DOT)


test_refused = each_refused(REFUSED, X)


def test_none() -> None:
    def f(x):
        es = [Edge(0, 1, v) for v in x]
        es.sort(key=lambda e: e.w)
        return sum([e.w for e in es]) + 1.0

    assert grad(f)(np.zeros(0)).shape == (0,)


def test_equal_keys_keep_their_order() -> None:
    def f(x):
        es = [Edge(i, 1, v) for i, v in enumerate(x)]
        first = max(es, key=lambda e: e.w)
        es.sort(key=lambda e: e.w, reverse=True)
        return first.w * 3 + es[0].w

    assert grad(f)(np.array([1.0, 1.0, 0.5])).tolist() == [4.0, 0.0, 0.0]
