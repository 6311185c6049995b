"""Dicts of defaults that classes hold, `{**self.defaults, **given}`, and what becomes attributes by them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, kept_in, named

from tangentish import grad

RIGHT: list[Callable[..., Any]] = []
P, P_DOT = np.array([0.7, 0.4, 0.9]), np.array([1.0, -2.0, 0.5])
SHARED = {"a": 1.5, "b": 2.0}


class Model:
    defaults = {"a": 1.0, "b": 2.0}

    def __init__(self, **given):
        for key, value in {**self.defaults, **given}.items():
            setattr(self, key, value)

    def value(self, x):
        return np.sum(self.a * np.exp(-self.b * x))


class Other(Model):
    defaults = {"a": 3.0, "b": 2.0, "c": 1.5}


class OfItsOwn(Model):
    def __init__(self, **given):
        self.defaults = {"a": 5.0, "b": 1.0}
        super().__init__(**given)


class OfTheModule(Model):
    def __init__(self, **given):
        for key, value in {**SHARED, **given}.items():
            setattr(self, key, value)


class InADict:
    defaults = {"a": 1.0, "b": 2.0}

    def __init__(self, **given):
        self.p = dict(self.defaults)
        self.p.update(given)

    def value(self, x):
        return np.sum(self.p["a"] * np.exp(-self.p["b"] * x))


class Stored(InADict):
    defaults = {"a": 1.0, "b": 2.0}

    def __init__(self, **given):
        self.defaults["a"] = 7.0
        self.p = {**self.defaults, **given}


class Computed(InADict):
    @property
    def defaults(self):
        return {"a": 4.0, "b": 2.0}


@kept_in(RIGHT)
def defaults_of_the_class(p):
    return Model(b=p[0]).value(p[1]) * Model(a=p[2], b=p[0] ** 2).value(p[1])


@kept_in(RIGHT)
def defaults_of_a_class_below(p):
    model = Other(b=p[0])
    return model.value(p[1:]) * model.c


@kept_in(RIGHT)
def defaults_of_the_object(p):
    return OfItsOwn(b=p[0]).value(p[1:])


@kept_in(RIGHT)
def defaults_of_the_module(p):
    return OfTheModule(b=p[0]).value(p[1:])


@kept_in(RIGHT)
def defaults_in_a_dict(p):
    return InADict(b=p[0]).value(p[1:]) * Computed(a=p[2]).value(p[1])


@kept_in(RIGHT)
def defaults_that_are_stored_to(p):
    return Stored(b=p[0]).value(p[1:])


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_defaults(function):
    check_along(function, P, P_DOT)


def test_other_defaults_later(monkeypatch):
    """What a class holds is read at every call."""

    def decayed(b):
        return Model(b=b).value(1.0)

    gradient = grad(decayed)
    before = gradient(0.5)
    monkeypatch.setattr(Model, "defaults", {"a": 3.0, "b": 2.0})
    assert gradient(0.5) == pytest.approx(3 * before)
    monkeypatch.setattr(Model, "defaults", {"a": np.array([1.0, 2.0]), "b": 2.0})
    assert gradient(0.5) == pytest.approx(3 * before)
