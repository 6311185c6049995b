"""What `np.r_` and `np.c_` make of what carries no derivative: how many axes it has is known, and need not be asked."""

from __future__ import annotations

import collections

import numpy as np
from every_mode import Function, each_right, kept_in

from tangentish import grad

FUNCTIONS: list[Function] = []
kept = kept_in(FUNCTIONS)
X, X_DOT = np.array([1.3, 0.7, 2.1]), np.array([0.3, -0.7, 1.1])
CUTS, SINGLE, COUNTS = np.array([1.0, 2.0]), np.array([0.5, 2.5], np.float32), np.array([2, 1])


@kept
def cumulated(x):
    edges = np.r_[0, CUTS, np.inf]
    s = 0.0
    for k in range(len(x)):
        if 2.5 > edges[k]:
            s += np.exp(x[k]) * (min(2.5, edges[k + 1]) - edges[k])
    return s


@kept
def written_to(x):
    w = np.r_[1.0, CUTS]
    s = np.sum(w * x**2)
    w[0] = 3.0
    w[1:] += 1.0
    return s * np.sum(w * x)


@kept
def stored_to(x):
    y = np.r_[0.0, CUTS]
    y[1] = x[0]
    y[2] *= x[1]
    return np.sum(y**2)


@kept
def of_several_types(x):
    a, b, c = np.r_[1, SINGLE], np.r_[COUNTS, 1.5], np.r_[1j, CUTS]
    return (
        np.sum(a * x**2) + np.sum(b * x) * np.sum((c * x).imag) + np.sum(x[np.r_[0, COUNTS]] ** 3)
    )


@kept
def of_slices_and_texts(x):
    places, row = np.r_[0:2, 2], np.r_["0", CUTS, 1.0]
    return np.sum(x[places] ** 2) + np.sum(np.asarray(row).ravel() * x)


@kept
def columns(x):
    design = np.c_[np.ones(3), COUNTS[[0, 1, 0]], np.eye(3)[:, 1:], np.c_[CUTS, SINGLE][[0, 1, 1]]]
    totals = collections.defaultdict(float)
    for name, v in zip("aba", np.exp(design[:, 1:4] @ x) * design[0, 4:].sum()):
        totals[name] += v**2
    return max(totals.values()) * np.sum(np.c_[1.0, 2.0] * x[0])


test_every_mode = each_right(FUNCTIONS, X, X_DOT)


def test_text() -> None:
    text = grad(cumulated).source(X)
    assert "unbroadcast" not in text and "plain(" not in text and "kept(" not in text
