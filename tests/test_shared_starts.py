"""Terms of a gradient that begin with the same name are one product, also beside others and behind divisions."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import check_along

from tangentish import grad

X = np.array([0.7, 0.4, 0.9, 0.55])
Y = np.array([1.0, 0.0, 1.0, 1.0])
ALONG = np.array([0.3, -0.7, 0.5, 0.2])


def cross_entropy(x):
    return -np.mean(Y * np.log(x) + (1 - Y) * np.log(1 - x))


def counts(x):
    m = np.exp(x)
    return np.sum(m - Y * x)


def between_pixels(x):
    u, v = x[:2], x[2:]
    y = (1 - u) * v * np.sin(v) + u * v * np.cos(v) + (1 - u) * v**2
    return np.sum(y**2)


def added_and_taken_off_again(x):
    b = np.sin(x)
    d = b * np.cos(x)
    c = b[1:] ** 2
    t = d + b
    u = t + b
    return np.sum((u - b) ** 2) + np.sum(c)


SHOWN = [
    (cross_entropy, "* (Y / x - t / t_1)"),
    (counts, "dy * (m - Y)"),
    (between_pixels, "np.sin(v)"),
    (added_and_taken_off_again, "db[1:] +="),  # db is not dy, which is read again
]


@pytest.mark.parametrize("function, words", SHOWN, ids=lambda part: getattr(part, "__name__", ""))
def test_one_product(function, words):
    check_along(function, X, ALONG)
    assert words in grad(function).source(X)
