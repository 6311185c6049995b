"""What the same test selects twice is selected once, by the last of the lines."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

from tangentish import grad

FUNCTIONS = []
right = kept_in(FUNCTIONS)
X = np.array([0.7, -0.4, 0.9, -2.5])
ALONG = np.array([0.3, -0.7, 0.5, 0.2])


@right
def huber(x):
    a = np.abs(x)
    return np.sum(np.where(a <= 0.5, 0.5 * x**2, 0.5 * (a - 0.25)))


@right
def scores_under_a_mask(x):
    s = np.outer(x, x) / np.sqrt(len(x))
    s = np.where(np.tri(4) > 0, s, -1e9)
    w = np.exp(s - s.max(axis=1, keepdims=True))
    w = w / np.sum(w, axis=1, keepdims=True)
    return np.sum(w @ x)


@right
def of_what_is_infinite_elsewhere(x):
    mask = x > 0
    y = np.where(mask, x, 1.0) ** 2
    y = np.where(mask, y, 2 / np.where(mask, 1.0, x * 0.0 + 1.0))
    return np.sum(np.where(mask, np.log(np.where(mask, y, 1.0)), -y))


@right
def under_tests_that_change(x):
    mask = x > 0
    y = np.where(mask, x * 2, x)
    mask = mask & (x < 0.8)
    y = np.where(mask, y * y, 0)
    mask[0] = False
    return np.sum(np.where(mask, y / x, y * x))


@pytest.mark.parametrize("f", FUNCTIONS, ids=named)
def test_gradients(f) -> None:
    check_along(f, X, ALONG)


@pytest.mark.parametrize(("f", "line"), [
    (huber, "np.where(mask, dy * x, da * np.sign(x))"), (scores_under_a_mask, "np.where(mask, ds / t, 0)"),
    (of_what_is_infinite_elsewhere, "np.where(mask, dy / t_3, -dy)"),
])  # fmt: skip
def test_one_selection(f, line) -> None:
    assert line in grad(f).source(X)


def test_nothing_is_selected_before() -> None:
    assert grad(huber).source(X).count("np.where") == 2  # with that of the comment
