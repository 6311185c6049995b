"""The axis of a reduction as a parameter: gradients have the shapes of what they belong to."""

from __future__ import annotations

import numpy as np
import pytest
from lessons import Lesson, Lessons, check_lesson

lesson = Lessons()

X = np.array([[0.9, 0.6, 0.5], [1.1, -0.7, 0.3]])


def rows():
    return X.copy(), 0


def columns():
    return X.copy(), -1


def column():
    return X[:, :1].copy(), 1


def line():
    return X[0].copy(), 0


def whole():
    return X.copy(), None


@lesson("of a copy", rows, columns, column, line, whole)
def sum_of_a_copy(x, axis):
    z = x.copy()
    return np.sum(z, axis=axis)


@lesson("of a second name", rows, columns, column, line, whole)
def bias(x, axis=0):
    x = np.asanyarray(x)
    return np.mean(x - 2.0, axis=axis)


@lesson("of twice the array", rows, columns, column, line, whole)
def sum_of_multiples(x, axis):
    z = x * 3
    w = z + 1.0
    return w.sum(axis=axis) * 2


@lesson("with axes kept", rows, columns, column, line, whole)
def centred(x, axis):
    z = np.asarray(x)
    return np.sum((z - np.mean(z, axis=axis, keepdims=True)) ** 3, axis=axis)


@lesson("of what needs all of it", rows, columns, column, whole)
def sums_of_a_product(x, axis):
    z = x @ x.T
    return np.sum(z, axis=axis, keepdims=True) ** 2 + np.mean(
        x.T.reshape(x.shape) @ x.T, axis=axis, keepdims=True
    )


@lesson("of extremes", rows, columns, column, line, whole)
def spread_of(x, axis):
    z = x * 1.0
    return np.max(z, axis=axis) - np.min(z, axis=axis) + np.std(z, axis=axis)


@lesson("of sums that run on", rows, columns, column, line)
def run_on(x, axis):
    z = np.array(x)
    return np.cumsum(z, axis=axis).sum(axis) * np.linalg.norm(z, axis=axis)


@pytest.mark.parametrize("case", lesson.cases)
def test_lessons(case: Lesson) -> None:
    check_lesson(case)
