"""Tables of functions in the module: rows of them are unpacked and indexed, and `.get` gives one or the default."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in
from numeric import assert_close, numeric_gradient

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
followed = kept_in(FUNCTIONS)
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)

P, P_DOT = np.array([0.7, 0.4, 0.9]), np.array([1.0, -2.0, 0.5])


def square(v):
    return v * v


def softplus(v):
    return np.log1p(np.exp(v))


FAMILIES = {
    "poisson": (np.exp, lambda mu: mu),
    "identity": (square, lambda mu: mu * 0 + 1),
    "soft": (softplus, square),
}
STEPS = [(square, 0.5), (np.tanh, 2.0), (np.sin, -1.0)]
NAMED = [("square", np.sin), ("soft", softplus)]
NORMS = {"one": lambda v: np.abs(v).sum(), "two": lambda v: np.sqrt((v**2).sum())}
UNEVEN = {"a": (np.exp, np.exp), "b": (np.sin,)}


@followed
def unpacked(x):
    total = 0.0
    for family in ("poisson", "soft", "identity", "soft"):
        inverse, variance = FAMILIES[family]
        mu = inverse(0.5 * x)
        total += np.sum(mu**2 / variance(mu))
    return total


@followed
def indexed(x):
    return np.sum(FAMILIES["soft"][0](x) * FAMILIES["poisson"][1](x))


@followed
def steps(x):
    for step, weight in STEPS:
        x = x + weight * step(x)
    return np.sum(x)


@followed
def steps_by_place(x):
    for k in range(len(STEPS)):
        step, weight = STEPS[k]
        x = weight * step(x)
    return np.sum(x)


@followed
def rows_with_texts(x):
    total = 0.0
    for name, f in NAMED:
        total += len(name) * np.sum(f(x))
    return total


@followed
def values_run_over(x):
    return sum(np.sum(inverse(x)) for inverse, _ in FAMILIES.values())


@followed
def by_get(x):
    total = 0.0
    for name in ("one", "other", "two"):
        norm = NORMS.get(name, square)
        total += np.sum(x**3) / np.sum(norm(x))
    return total


@followed
def by_get_of_the_dict_itself(x):
    norm = NORMS.get("three", NORMS["two"])
    return norm(x) * x[0]


@refused("it is not known what 'f' is")
def of_uneven_rows(x):
    f, *_ = UNEVEN["b"]
    return np.sum(f(x))


test_right = each_right(FUNCTIONS, P, P_DOT)
test_refused = each_refused(REFUSED, P)


def deviance(b, x, family):
    inverse, variance = FAMILIES[family]
    mu = inverse(b * x)
    return np.sum(mu**2 / variance(mu))


def over_norm(x, options):
    norm = NORMS.get(options["norm"], NORMS["one"])
    return np.sum(x**3) / norm(x)


def test_which_one_is_an_argument():
    gradient = grad(deviance)
    for family in FAMILIES:
        numeric = numeric_gradient(deviance, (0.5, P, family), 0, 1.0)
        assert_close(gradient(0.5, P, family), numeric, family)


def test_which_one_an_option_says():
    gradient = grad(over_norm)
    for name in ("one", "two", "other"):
        numeric = numeric_gradient(over_norm, (P, {"norm": name}), 0, 1.0)
        assert_close(gradient(P, {"norm": name}), numeric, name)


def test_row_that_is_exchanged():
    gradient = grad(deviance)
    gradient(0.5, P, "poisson")
    before = FAMILIES["poisson"]
    FAMILIES["poisson"] = (np.cos, square)
    try:
        numeric = numeric_gradient(deviance, (0.5, P, "poisson"), 0, 1.0)
        assert_close(gradient(0.5, P, "poisson"), numeric, "exchanged")
    finally:
        FAMILIES["poisson"] = before
