"""Objects that hand on what a module has, as a switch between modules of one interface does: `anp.sum`."""

from __future__ import annotations

import math
import types
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

from tangentish import grad

functions: list[Any] = []
refusals: list[tuple[Any, str]] = []
program = kept_in(functions)
refused = refused_in(refusals)

X, X_DOT = np.array([0.7, 0.4]), np.array([0.3, -0.5])
COUNTS = np.array([1.0, 2.0])
MODULES = {"numpy": np, "other": types.SimpleNamespace(sum=lambda x: np.prod(x), sin=np.cos)}
active = "numpy"


class Backend:
    """The module that is active."""

    def __getattr__(self, name: str) -> Any:
        return getattr(MODULES[active], name)

    def __dir__(self) -> list[str]:
        return dir(MODULES[active])


class Same(Backend):
    pass


class Counting:
    def __getattr__(self, name: str) -> Any:
        COUNTS[0] += 1
        return getattr(np, name)


class Indexed(Backend):
    def __getitem__(self, k):
        COUNTS[1] += k
        return 2.0


class Shim:
    """A module that is kept, and may be exchanged."""

    def __init__(self, source: Any) -> None:
        self.source = source

    def __getattr__(self, name: str) -> Any:
        return getattr(self.source, name)


anp: Any = Backend()
kept: Any = Shim(np)
same: Any = Same()
counting: Any = Counting()
indexed: Any = Indexed()


def helper(x, lib):
    return lib.cumsum(x) * lib.pi


@program
def functions_of_numpy(x):
    y = anp.column_stack([x, anp.sin(x)])
    return anp.sum(y[:, 0] * y[:, 1] ** 2) + same.exp(x[0])


@program
def members_of_modules_inside(x):
    return anp.linalg.norm(x) * anp.pi


@program
def given_to_a_helper(x):
    return np.sum(helper(x, anp) ** 2)


@program
def under_another_name(x):
    lib = anp
    return lib.sum(lib.tanh(x))


@program
def around_it(x):
    lib: Any = Same()

    def inner(y):
        return anp.sum(anp.sqrt(y))

    return inner(x) * (3.0 if isinstance(lib, Backend) else 2.0)


@program
def asked_by_getattr(x):
    return np.sum(getattr(anp, "sin")(x)) * (2.0 if hasattr(anp, "cos") else 3.0)  # noqa: B009


@program
def of_a_module_that_is_kept(x):
    y = kept.sin(x[kept.newaxis] * x[:, kept.newaxis])
    return kept.sum(y) * kept.pi + kept.linalg.norm(x)


@refused("stores to attributes of this are not supported")
def exchanged_inside(x):
    kept.source = np
    return kept.sum(x)


@refused("may change what the function reads")
def changes_where_asked(x):
    return counting.sum(x * COUNTS) * COUNTS[0]


@refused("it is not known what")
def that_does_more(x):
    return indexed.sum(x) * indexed[1]


test_right = each_right(functions, X, X_DOT)
test_refused = each_refused(refusals, X)


def product(x):
    return anp.sum(anp.sin(x))


def shimmed(x):
    return kept.sum(kept.sin(x))


def test_another_module_is_kept() -> None:
    derivative = grad(shimmed)
    np.testing.assert_allclose(derivative(X), np.cos(X))
    kept.source = types.ModuleType("other")
    vars(kept.source).update(sum=np.sum, sin=np.cos)
    try:
        np.testing.assert_allclose(derivative(X), -np.sin(X))
    finally:
        kept.source = np


def test_another_module_is_active() -> None:
    global active
    derivative = grad(product)
    first = derivative(X)
    active = "other"
    try:
        second = derivative(X)
    finally:
        active = "numpy"
    np.testing.assert_allclose(first, np.cos(X))
    other = [-math.sin(0.7) * math.cos(0.4), -math.cos(0.7) * math.sin(0.4)]
    np.testing.assert_allclose(second, other)
    np.testing.assert_allclose(derivative(X), np.cos(X))
