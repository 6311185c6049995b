"""A function that a registry chooses is given options that not all of them take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from every_mode import each_right, kept_in
from numeric import assert_close, numeric_gradient

from tangentish import grad

RIGHT: list[Callable[..., Any]] = []
X, X_DOT = np.array([1.7, -0.4, 0.9]), np.array([1.0, -2.0, 0.5])


def huber(r, d=1.0):
    return np.where(np.abs(r) <= d, 0.5 * r**2, d * (np.abs(r) - 0.5 * d))


def cauchy(r, c=2.0, weight=1.0):
    return weight * c**2 / 2 * np.log1p((r / c) ** 2)


def squared(r):
    return r * r


LOSSES = {"huber": huber, "cauchy": cauchy, "squared": squared}


@dataclass
class Config:
    loss: str
    kwargs: dict = field(default_factory=dict)


def loss(x, config):
    chosen = LOSSES[config.loss]
    return np.sum(chosen(x * x[0], **config.kwargs))


@kept_in(RIGHT)
def options_written_out(x):
    name = "cauchy" if x[0] > 0 else "huber"
    return np.sum(LOSSES[name](x, c=x[1]) * LOSSES["huber" if x[0] > 1 else name](x, d=0.7))


@kept_in(RIGHT)
def one_that_would_not_fit_is_not_called(x):
    total = 0.0
    for name in ("huber", "cauchy", "squared"):
        fn = LOSSES[name]
        total += np.sum(fn(x, 0.3) if name != "squared" else fn(x))
    return total


@kept_in(RIGHT)
def one_that_does_not_fit_is_caught(x):
    total = 0.0
    for name in ("squared", "huber"):
        try:
            y = LOSSES[name](x, d=0.5)
        except TypeError:
            y = LOSSES[name](x)
        total += np.sum(y) * x[1]
    return total


test_right = each_right(RIGHT, X, X_DOT)


@pytest.mark.parametrize(
    "config",
    [
        Config("huber", {"d": 0.5}),
        Config("cauchy", {"c": 3.0}),
        Config("cauchy", {"c": 3.0, "weight": 2.0}),
        Config("squared"),
    ],
    ids=str,
)
def test_of_a_config(config: Config) -> None:
    numeric: Any = numeric_gradient(lambda x: loss(x, config), (X,), 0, 1.0)
    assert_close(grad(loss)(X, config), numeric, str(config))


def test_one_that_does_not_fit_raises() -> None:
    gradient = grad(loss)
    gradient(X, Config("cauchy", {"c": 3.0}))
    with pytest.raises(TypeError, match="can't take these arguments"):
        gradient(X, Config("huber", {"c": 3.0}))
