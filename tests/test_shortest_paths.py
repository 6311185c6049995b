"""Searches over graphs: distances in a dict beside a set of what was visited, and places that are chosen by them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, each_right_at_first, kept_in

FUNCTIONS: list[Callable[..., Any]] = []
AT_FIRST: list[Callable[..., Any]] = []
followed, at_first = kept_in(FUNCTIONS), kept_in(AT_FIRST)

GRAPH = {"a": [("b", 0), ("c", 2)], "b": [("c", 1), ("d", 3)], "c": [("d", 3)], "d": []}


@followed
def nearest_of_the_others(x):
    dist = {v: float("inf") for v in GRAPH}
    dist["a"] = 0.0
    visited = set()
    while len(visited) < len(GRAPH):
        u = min((v for v in GRAPH if v not in visited), key=lambda v: dist[v])
        visited.add(u)
        for v, i in GRAPH[u]:
            if dist[u] + x[i] < dist[v]:
                dist[v] = dist[u] + x[i]
    return dist["d"] ** 2


@followed
def nearest_by_get(x):
    dist = {v: 1e9 for v in GRAPH}
    dist["a"] = x[0] * x[1]
    left = set(GRAPH)
    while left:
        u = min(left, key=dist.get)
        left.remove(u)
        for v, i in GRAPH[u]:
            dist[v] = min(dist[v], dist[u] + x[i] ** 2)
    return dist["d"] * dist["c"]


@followed
def nearest_of_a_list(x):
    dist = {v: 1e9 for v in GRAPH}
    dist["a"] = 0.0
    queue = list(GRAPH)
    while queue:
        u = min(queue, key=lambda v: dist[v])
        queue.remove(u)
        for v, i in GRAPH[u]:
            dist[v] = min(dist[v], dist[u] + x[i] ** 2)
    return dist["d"] * dist["c"]


@followed
def products_on_the_way(x):
    weight = {"a": x[0]}
    visited, at = set(), "a"
    while GRAPH[at]:
        visited.add(at)
        for v, i in GRAPH[at]:
            if v not in visited:
                weight[v] = weight[at] * x[i]
        at = max((v for v, _ in GRAPH[at]), key=weight.get)
        visited.add(at)
    return weight[at] * weight["b"]


@followed
def others_in_order(x):
    d = {}
    for i, name in enumerate("abcd"):
        d[name] = x[i]
    total = 0.0
    for name in sorted(["c", "a", "b"], key=d.get, reverse=True):
        total = total * x[3] + d[name]
    return total * d[max("bd", key=d.get)]


@followed
def stored_under_pairs(x):
    table = {}
    done = set()
    for k in (0, 1, 0):
        for v in GRAPH:
            if (k, v) not in done:
                done.add((k, v))
                table[k, v] = x[k] * len(GRAPH[v])
            table[k, v] *= x[3]
    return table[0, "a"] * table[1, "b"]


@at_first
def nearest_of_those_in_reach(x):
    """The list begins with numbers only, and is sorted before anything that varies is put into it."""
    dist = {v: float("inf") for v in GRAPH}
    dist["a"] = 0.0
    reached = [(0.0, "a")]
    while reached:
        reached.sort()
        d, u = reached.pop(0)
        if d > dist[u]:
            continue
        for v, i in GRAPH[u]:
            far = d + x[i] ** 2
            if far < dist[v]:
                dist[v] = far
                reached.append((far, v))
    return dist["d"] * dist["b"]


X, X_DOT = np.array([1.3, 0.71, 0.43, 1.17]), np.array([0.3, -0.5, 0.8, 0.2])
test_right = each_right(FUNCTIONS, X, X_DOT)
test_at_first = each_right_at_first(AT_FIRST, X, X_DOT)
