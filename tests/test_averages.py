"""Means and spreads of Python's statistics, of lists that lines fill, of arrays and of numbers that are written down."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in

from tangentish import grad

RIGHT: list[Callable[..., Any]] = []
keep = kept_in(RIGHT)
X, X_DOT = np.array([0.7, -0.4, 1.3, 0.9]), np.array([1.0, -2.0, 0.5, 0.3])


@keep
def means(x):
    squares = []
    for v in x:
        squares.append(v * v)
    return statistics.mean(squares) * statistics.fmean([x[0], x[1] * x[2], 2.0])


@keep
def mean_by_weights(x):
    return statistics.fmean([x[0], x[1] ** 2], [0.3, 0.9]) + statistics.fmean(
        [1.0, 3.0], [x[2], x[3]]
    )


@keep
def spreads(x):
    return statistics.stdev(x) * statistics.pstdev([x[0], x[1] * x[2], 2.0])


@keep
def squared_spreads(x):
    values = [v * x[0] for v in x]
    return statistics.variance(values) + statistics.pvariance(values, x[1])


test_right = each_right(RIGHT, X, X_DOT)


@pytest.mark.parametrize("average", [statistics.mean, statistics.fmean, statistics.pvariance])
def test_of_nothing(average: Callable[..., float]) -> None:
    with pytest.raises(statistics.StatisticsError, match=average.__name__):
        grad(lambda x: average([v for v in x if v > 5]))(X)
