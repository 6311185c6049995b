"""Modules whose own `__getattr__` changes an array, and classes that are made by a call and run hooks: refused."""

from __future__ import annotations

import sys
import types
from typing import Any

import numpy as np
import pytest
from every_mode import each_refused, each_right, kept_in, refused_in
from test_classes_made_in_helpers import FACTORS, Base, Named

functions: list[Any] = []
refusals: list[tuple[Any, str]] = []
program = kept_in(functions)
refused = refused_in(refusals)

X, X_DOT = np.array([0.7, 0.4]), np.array([0.3, -0.5])
HOOKS = "runs hooks"
ANSWERS = "the __getattr__ of the module"


def _counted(name):
    FACTORS[0] += 1
    return 2.0


def _constant(name):
    if name == "scale":
        return 2.0
    raise AttributeError(f"there is no {name}")


counting = types.ModuleType("tangentish_counting")
counting.__getattr__ = _counted  # type: ignore[method-assign]
lazy = types.ModuleType("tangentish_lazy")
lazy.__getattr__ = _constant  # type: ignore[method-assign]


@pytest.fixture(autouse=True)
def _as_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (counting, lazy):
        monkeypatch.setitem(sys.modules, module.__name__, module)


@refused(ANSWERS)
def asked_by_its_name(x):
    return np.sum(x * FACTORS) ** 2 * counting.scale


@refused(ANSWERS)
def asked_by_getattr(x):
    return np.sum(x * FACTORS) ** 2 * getattr(counting, "scale")  # noqa: B009


@refused(ANSWERS)
def asked_by_an_import(x):
    from tangentish_counting import scale  # noqa: PLC0415

    return np.sum(x * FACTORS) ** 2 * scale


@program
def asked_of_one_that_only_answers(x):
    return np.sum(x**2) * lazy.scale


@refused(HOOKS)
def made_of_a_base(x):
    y = np.sum(x * FACTORS) ** 2
    type("Made", (Base,), {})
    return y


@refused(HOOKS)
def made_with_a_member(x):
    y = np.sum(x * FACTORS) ** 2
    type("Made", (), {"member": Named()})
    return y


@refused(HOOKS)
def made_by_types(x):
    y = np.sum(x * FACTORS) ** 2
    types.new_class("Made", (Base,))
    return y


@program
def made_of_nothing(x):
    return np.sum(x**2) * type("Made", (), {"scale": 2.0}).scale


test_right = each_right(functions, X, X_DOT)
test_refused = each_refused(refusals, X)
