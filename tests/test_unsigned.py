"""Booleans have no negative, and that of an unsigned integer is another number: a minus never moves onto them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from lessons import Lesson, Lessons, check_lesson

lesson = Lessons()

COUNTS = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 10]], np.uint8)
MASK = np.array([[1, 0, 1], [1, 1, 0], [0, 0, 1]], bool)


def counts() -> tuple[Any, ...]:
    return np.array([0.3, 0.4, 0.7]), COUNTS.copy()


def mask() -> tuple[Any, ...]:
    return np.array([0.3, 0.4, 0.7]), MASK.copy()


@lesson(
    "shifts",
    lambda: (np.array([0.3, 0.4, 0.7]), np.uint8(1)),
    lambda: (np.array([0.3, 0.4, 0.7]), True),
)
def rolled(b, k):
    return np.sum(np.roll(b, k) * b**2)


@lesson("products", counts, mask)
def rest_of_each(b, k):
    return np.sum(k * (1 - b))


@lesson("products", counts, mask)
def residual(b, k):
    return np.sum((1 - k @ b) ** 2) + np.sum(np.outer(k[0], 2 - b) ** 2)


@lesson("products", counts, mask)
def taken_off_in_place(b, k):
    y = b * 2
    y -= k @ b
    y[:2] -= k[0, :2] * b[1:]
    return np.sum(y * y)


@lesson("products", counts, mask)
def taken_off_in_a_loop(b, k):
    s = 0.0
    for i in range(3):
        s -= k[i] @ b * b[i]
    return s * s


@lesson("products", counts, mask)
def minus_of_a_product(b, k):
    return np.sum(-(k * b) / b[0])


@lesson("products", lambda: (0.3, np.float64(2.0)), lambda: (0.3, np.array([0.5, 2.0])))
def rest_where_large(h, x):
    large = x > 1
    return large * (1 - h)


@lesson("products", counts)
def with_a_minus_of_the_users(b, k):
    return np.sum(np.where(b > 0.5, -k * b, k * b))


@pytest.mark.parametrize("case", lesson.cases)
def test_lessons(case: Lesson) -> None:
    check_lesson(case)
