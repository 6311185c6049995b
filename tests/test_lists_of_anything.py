"""list(nodes) and sorted(nodes) as indices, of sets and of what else nothing is known: they are lists of places."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

from tangentish import grad

EDGES = [(0, 1), (1, 2), (2, 3), (3, 0)]
SETS = collections.defaultdict(set, {0: {1, 3}, 1: {0, 2}, 2: {1, 3}, 3: {0, 2}})
LISTS = {k: sorted(v) for k, v in SETS.items()}
X = np.array([0.3, 0.8, 1.1, 0.6])
ALONG = np.array([0.3, -1.0, 0.4, 0.5])
RIGHT: list[Callable[..., Any]] = []
right = kept_in(RIGHT)


def made_in_the_function(x, edges):
    z = x.copy()
    nbr = collections.defaultdict(set)
    for a, b in edges:
        nbr[a].add(b)
        nbr[b].add(a)
    for v in range(len(z)):
        z[v] = z[sorted(nbr[v])].mean(axis=0)
    for v in range(len(z)):
        places = list(nbr[v])
        z[v] *= np.sum(z[places] ** 2)
    return np.sum(z**2)


@right
def read(x, nbr):
    s = 0.0
    for v in range(len(x)):
        s += x[sorted(nbr[v])].mean() ** 2 * x[v] + np.sum(x[list(nbr[v])] ** 3)
    return s


@right
def stored_to(x, nbr):
    y = x.copy()
    y[sorted(nbr[0])] = 2 * x[sorted(nbr[1])]
    y[list(nbr[2])] *= x[0]
    y[list(nbr[3])] += x[1]
    return np.sum(y**2)


@right
def also_otherwise(x, nbr):
    s = 0.0
    for v in range(len(x)):
        places = sorted(nbr[v], reverse=True)
        s += np.sum(x[places] ** 2) * len(places) + x[places[0]]
        for j in places:
            s += x[j] ** 3
    return s


@right
def keys(x, nbr):
    return np.sum(x[list(nbr)] ** 2) + np.sum(x[sorted(nbr)] ** 3 * np.array([1.0, 2.0, 3.0, 4.0]))


def over(x, places):
    return np.sum(x[places] ** 2)


@right
def handed_on(x, nbr):
    return sum(over(x, sorted(nbr[v])) * (v + 1) for v in range(4)) + over(x, list(nbr[0]))


@right
def of_a_grid(x, nbr):
    g = np.outer(x, x)
    return np.sum(g[sorted(nbr[0]), 1] ** 2) + np.sum(g[2, list(nbr[1])] ** 3)


@right
def none_at_all(x, nbr):
    return np.sum(x[sorted(nbr[0])] ** 2) + np.sum(x[list(set())]) + np.sum(x[sorted(set())])


@pytest.mark.parametrize("nbr", [SETS, LISTS], ids=["sets", "lists"])
@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_places(function, nbr):
    def of_one(x):
        return function(x, nbr)

    check_along(of_one, X, ALONG)


def test_made_in_the_function():
    check_along(lambda x: made_in_the_function(x, EDGES), X, ALONG)


def test_no_places():
    def first(x, nbr):
        return np.sum(x[sorted(nbr[0])])

    with pytest.raises(TypeError, match="has to hold integers"):
        grad(first)(X, [{True, False}])
