"""Lines that no call reaches for these kinds decide nothing: what they would raise is raised where they are run."""

from __future__ import annotations

import numpy as np
import pytest
from lessons import Lesson, Lessons, check_lesson

lesson = Lessons()


@lesson("axes of a number", lambda: (1.3, "whole"))
def mean_of_rows_or_whole(x, what):
    x = np.asarray(x) * 2.0
    if what == "mean":
        x = np.atleast_2d(x.sum(axis=1)) ** 2
    return np.sum(x * x)


@lesson("what does not broadcast", lambda: (np.array([0.4, 0.9]), False), lambda: (0.7, False))
def added_to_a_number(x, widen):
    f = 1.5 * np.sum(x)
    if widen:
        g = np.float64(2.0) * np.sum(x)
        g += np.outer(x, x)
        f = np.sum(g)
    return f * f


@lesson("sums of a number", lambda: (0.7,), lambda: (np.array([0.7, 0.2]),))
def running_sums(x):
    sums = np.asarray(x).cumsum(-1)
    return np.sum(sums * np.cumprod(x))


@lesson("handlers of what can't raise", lambda: (np.array([0.7, 0.2]), 1.3))
def kept_by_a_function(x, scale):
    try:
        power = 2.0
    except ValueError:
        scale = x[0]
    else:
        power += 1.0

    def grow(by):
        nonlocal scale
        scale = scale * by

    grow(x[1])
    return np.sum(x) * scale * power


@pytest.mark.parametrize("case", lesson.cases)
def test_lessons(case: Lesson) -> None:
    check_lesson(case)
