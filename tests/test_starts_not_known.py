"""Reductions that start from a number of which nothing is known: what they give has the shape that it has without one."""

from __future__ import annotations

import json

import numpy as np
from every_mode import Function, each_right, kept_in

functions: list[Function] = []
program = kept_in(functions)

X, X_DOT = np.array([0.72, 1.32, 0.41]), np.array([0.3, -0.7, 1.1])


def read(text):
    return json.loads(text)


@program
def of_a_list(x):
    start = read("3")
    return np.sum([x[0], x[1]], initial=start) * np.prod([x[0], x[2]], initial=start)


@program
def of_an_axis(x):
    return np.sum(np.outer(x, x), axis=0, initial=read("0.5"))[1] ** 2


@program
def greatest(x):
    return np.max([x[0], x[1]], initial=read("1")) ** 2


test_right = each_right(functions, X, X_DOT)
