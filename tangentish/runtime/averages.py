"""Means and spreads of Python's statistics, of lists and arrays of floats: written in Python."""

from __future__ import annotations

import math
from statistics import StatisticsError
from typing import Any

Values = Any


def mean(data: Values) -> Any:
    """`statistics.mean`, which may differ from this in the last digit."""
    if len(data) < 1:
        raise StatisticsError("mean requires at least one data point")
    return math.fsum(data) / len(data)


def fmean(data: Values, weights: Any = None) -> Any:
    """`statistics.fmean`."""
    if weights is None:
        if len(data) < 1:
            raise StatisticsError("fmean requires at least one data point")
        return math.fsum(data) / len(data)
    if len(data) != len(weights):
        raise StatisticsError("data and weights must be the same length")
    total = math.fsum(weights)
    if not total:
        raise StatisticsError("sum of weights must be non-zero")
    return math.fsum([v * w for v, w in zip(data, weights, strict=True)]) / total


def variance(data: Values, xbar: Any = None) -> Any:
    """`statistics.variance`."""
    if len(data) < 2:
        raise StatisticsError("variance requires at least two data points")
    middle = math.fsum(data) / len(data) if xbar is None else xbar
    return math.fsum([(v - middle) ** 2 for v in data]) / (len(data) - 1)


def pvariance(data: Values, mu: Any = None) -> Any:
    """`statistics.pvariance`."""
    if len(data) < 1:
        raise StatisticsError("pvariance requires at least one data point")
    middle = math.fsum(data) / len(data) if mu is None else mu
    return math.fsum([(v - middle) ** 2 for v in data]) / len(data)


def stdev(data: Values, xbar: Any = None) -> Any:
    """`statistics.stdev`."""
    return math.sqrt(variance(data, xbar))


def pstdev(data: Values, mu: Any = None) -> Any:
    """`statistics.pstdev`."""
    return math.sqrt(pvariance(data, mu))
