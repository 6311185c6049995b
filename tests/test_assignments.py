"""Assignments of rows to columns, scipy.optimize.linear_sum_assignment: places, which carry no derivative."""

from __future__ import annotations

import numpy as np
from every_mode import each_right
from scipy.optimize import linear_sum_assignment, rosen

X, X_DOT = np.array([0.7, -0.4, 1.9, 0.2]), np.array([0.3, -1.0, 0.4, 2.0])
GOALS = np.array([0.3, 2.1, -0.9])


def matched_at_least_cost(x):
    cost = (x[:, None] - GOALS) ** 2
    rows, columns = linear_sum_assignment(cost)
    return np.sum(cost[rows, columns]) + np.sum(x[rows] * np.arange(3))


def matched_one_by_one(x):
    cost = np.outer(x, np.sin(x))
    places = linear_sum_assignment(cost, maximize=True)
    total = np.sum(cost[places] ** 2)
    for i, j in zip(*places):
        total += x[i] * x[j] ** 2
    return total * rosen(x[:3])


test_every_mode = each_right([matched_at_least_cost, matched_one_by_one], X, X_DOT)
