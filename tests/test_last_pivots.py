"""The factors of a matrix whose last pivot alone is 0 have derivatives: nothing is divided by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg
from every_mode import each_right, kept_in

pytestmark = pytest.mark.filterwarnings("ignore:Diagonal number:scipy.linalg.LinAlgWarning")

FUNCTIONS: list[Callable[..., Any]] = []
right = kept_in(FUNCTIONS)

RATES = np.array([2.0, 1.0, 1.0, 0.5, 2.0, 2.0])
RATES_DOT = np.array([0.3, -0.2, 0.5, 0.1, -0.4, 0.2])
WEIGHTS = np.array([[0.4, -1.2, 0.7], [1.1, 0.3, -0.5], [-0.8, 0.9, 0.6]])
SHORT = np.array(
    [[4.0, 2.0, 3.0], [2.0, 5.0, 1.0], [3.0, 3.5, 2.0]]
)  # 2 * the last row: the sum of the others


def chain(rates):
    q = np.zeros((3, 3))
    q[~np.eye(3, dtype=bool)] = rates
    return q - np.diag(q.sum(axis=1))


@right
def stationary(rates):
    lu, _ = scipy.linalg.lu_factor(chain(rates).T)
    r = np.append(scipy.linalg.solve_triangular(lu[:-1, :-1], -lu[:-1, -1]), 1.0)
    return r @ np.array([1.0, 2.0, 4.0]) / r.sum()


@right
def packed(rates):
    both, _ = scipy.linalg.lu_factor(SHORT * rates[:3])
    return np.sum(WEIGHTS * both**3)


@right
def apart(rates):
    _, low, up = scipy.linalg.lu(
        SHORT * rates[:3, np.newaxis] + np.outer(rates[3:], SHORT[0]) * 0.1
    )
    return np.sum(WEIGHTS * low**2) + np.sum(WEIGHTS * up**3)


@right
def tall(rates):
    _, low, up = scipy.linalg.lu(chain(rates)[:, :2])
    return np.sum(low**2) + np.sum(up**3)


@right
def wide(rates):
    _, low, up = scipy.linalg.lu(chain(rates)[:2])
    return np.sum(low**2) + np.sum(up**3)


test_right = each_right(FUNCTIONS, RATES, RATES_DOT)
