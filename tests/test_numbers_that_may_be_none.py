"""Numbers and arrays that are None on some ways: None among indices is an axis of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.special
from every_mode import check_along, each_refused, kept_in, named, refused_in
from numeric import assert_close, numeric_gradient

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
X = np.array([0.7, 0.4, 0.9, 0.55])
right, refused = kept_in(FUNCTIONS), refused_in(REFUSED)


@right
def stored_by_it(x):
    y = x * 1.0
    if x[0] < 0.5:
        i = None
    else:
        i = 1
    y[i] = y[i] * y[i]
    return np.sum(y * y * x)


@right
def updated_by_it(x):
    y = x * 1.0
    i = None if x[0] < 0.5 else 1
    y[i] *= x[0]
    return np.sum(y * y)


@right
def beside_another(x):
    y = np.outer(x, x)
    i = None if x[0] < 0.5 else 1
    y[i, 1] = x[2] ** 2
    return np.sum(y * y)


@right
def read_by_it(x):
    y = x * x
    i = None if x[0] < 0.5 else 1
    t = y[i] + y[i]
    return np.sum(t @ x) if x[0] < 0.5 else t * x[0]


@right
def places_or_none(x):
    y = x * 1.0
    i = None if x[0] < 0.5 else np.array([0, 0, 2])
    y[i] = x[1] * 2
    return np.sum(y**2) * x[0]


@right
def a_mask_or_none(x):
    y = x * 1.0
    y[None if x[0] < 0.5 else x > 0.6] = x[1] * 2
    return np.sum(y**2) * x[0]


@right
def of_what_does_not_vary(x):
    c = np.arange(4.0)
    i = None if x[0] < 0.5 else 1
    return np.sum(c[i] * x**2)


def _sum_at(y, i):
    return np.sum(y[i] ** 2)


@right
def given_to_a_helper(x):
    return _sum_at(x * x, None if x[0] < 0.5 else 1)


@right
def run_over(x):
    total = 0.0
    for i in (None, 0, 2):
        y = x * x
        y[i] = 2 * y[i]
        total += np.sum(y**2)
    return total


@right
def asked_in_loops(x):
    last, total = None, 0.0
    for k in range(4):
        if last is not None and x[last] > 0.5:
            total += x[last] * x[k]
        last = None if x[k] > 0.85 else k
    return total


@right
def asked_by_leaving(x):
    y, i = x * 1.0, None
    for k in range(4):
        if x[k] > 0.6:
            i = k
            break
    if i is None:
        return np.sum(y**2)
    y[i] = y[i] ** 2 * x[3]
    return np.sum(y)


@right
def asked_where_it_is_chosen(x):
    i = None if x[0] < 0.5 else 1
    return np.sum(x**2) if i is None else x[i] ** 3


@right
def arrays_or_none(x):
    w = None
    for k in range(4):
        if w is not None:
            w = w * x[k]
            if np.sum(w) > 0.5:
                w = None
        else:
            w = x * x[k]
    if w is None or w[0] > 0.1:
        return np.sum(x**2)
    w *= x
    return np.sum(w)


@right
def compared_with_it(x):
    i = None if x[0] < 0.5 else 1
    y = x if i != 1 else x * x
    return x[0] ** 2 if i == 1 else np.sum(x * y)


@right
def axes_or_none(x):
    m = np.outer(x, x * x)
    a = None if x[0] < 0.5 else 0
    means, spread = np.mean(m, axis=a), np.std(m, axis=a, keepdims=True)
    return np.sum(means**2) + np.sum(spread * m) + np.sum(m.max(axis=a) * np.sum(m, a))


@right
def axes_of_other_functions(x):
    m = np.outer(x, x * x)
    a = None if x[0] < 0.5 else 1
    turned = np.flip(m, axis=a) * m + np.roll(m, 1, axis=a) * m
    return (
        np.sum(turned) + np.sum(np.median(m, axis=a) ** 2) + np.sum(np.take(m, [0, 2], axis=a) ** 2)
    )


@right
def axes_of_sums_so_far(x):
    m = np.outer(x, x * x)
    a = None if x[0] < 0.5 else 0
    return np.sum(np.cumsum(m, axis=a) ** 2) + np.sum(np.cumprod(m, axis=a) ** 2)


@right
def asked_before_they_are_weights(x):
    w = None if x[0] < 0.5 else x * 2
    if w is None:
        return np.average(x**2)
    return np.average(x**2, weights=w)


@right
def asked_before_they_are_limits(x):
    low = None
    for k in range(4):
        low = x[k] * 0.8 if low is None or x[k] < 0.5 else low
    return np.sum(np.clip(x, low, 1.5) ** 2 if low is not None else x)


@right
def products_with_what_is_never_none_there(x):
    found, n = x[0] > 0.5, None
    if found:
        n = x * 2
    return n @ x if found else np.sum(x**3)


@refused("may be None")
def weights(x):
    return np.average(x**2, weights=None if x[0] < 0.5 else np.ones(4) * 2)


@refused("may be None")
def places(x):
    t = None if x[0] < 0.5 else np.array([0.0, 1.0, 3.0, 4.0])
    return np.trapezoid(x**2, t)


@refused("may be None")
def limits(x):
    low, high = (None, 2.0) if x[0] < 0.5 else (1.0, None)
    return np.sum(np.clip(x, low, high) ** 2)


@refused("may be None")
def limits_of_a_method(x):
    low = None if x[0] < 0.5 else x[1]
    return np.sum(x.clip(low, 2.0) ** 2)


@refused("may be None")
def factors(x):
    b = None if x[0] < 0.5 else np.array([1.0, 2.0, 3.0, 4.0])
    return scipy.special.logsumexp(x, b=b)


@pytest.mark.parametrize("scale", [1.0, 0.6, 2.0])
@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_right(function: Callable[..., Any], scale: float) -> None:
    check_along(function, X * scale, np.array([0.3, -0.2, 0.5, 0.1]))


test_refused = each_refused(REFUSED, X)


def _weighted(x, even):
    return np.average(x**2, weights=None if even else np.arange(4.0))


@pytest.mark.parametrize("even", [True, False])
def test_flags_tell_whether_it_is_none(even: bool) -> None:
    numeric = numeric_gradient(_weighted, (X, even), 0, 1.0)
    assert_close(grad(_weighted)(X, even), numeric, "weighted")


def _asked(x, whole):
    i = None if whole else 1
    if i is None:
        return np.sum(x)
    return np.sum(x[i] * x)


def test_what_was_asked_is_a_number() -> None:
    """The text does not ask again how many axes there are."""
    text = grad(_asked).source(X, False)
    assert "dx[i] += np.sum(dy * x)" in text
