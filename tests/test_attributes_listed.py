"""What vars() and dataclasses.asdict() give of an object that varies: its attributes one by one, right in every mode."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import pytest
from every_mode import check_refused, each_right, kept_in
from numeric import assert_close, numeric_gradient

from tangentish import grad

RIGHT: list[Callable[..., Any]] = []
X, X_DOT = np.array([0.7, 1.3]), np.array([1.0, -2.0])


class Model:
    def __init__(self, w, b):
        self.w = w
        self.b = b
        self.name = "model"

    def total(self, x):
        s = 0.0
        for name, v in vars(self).items():
            if isinstance(v, (float, np.floating)):
                s += v * x[0] * len(name)
            elif isinstance(v, np.ndarray):
                s += v @ x
        return s


@dataclass
class Settings:
    w: np.ndarray
    b: float
    name: str = "settings"
    tags: list[int] = field(default_factory=list)
    options: dict[str, float] = field(default_factory=dict)


@kept_in(RIGHT)
def by_a_method(x):
    m = Model(x * 2, x[0] * x[1])
    m.b = m.b**2
    return m.total(x) * len([name for name in vars(m).keys()])


@kept_in(RIGHT)
def attribute_that_comes_later(x):
    m = Model(x * 2, x[0])
    s = sum(np.sum(v) for v in vars(m).values() if not isinstance(v, str))
    m.late = x[1]
    return s * sum(np.sum(v) for v in vars(m).values() if not isinstance(v, str))


@kept_in(RIGHT)
def dict_with_containers(x):
    p = Settings(x**2, x[0], tags=[1], options={"k": 2.0})
    d = asdict(p)
    d["tags"].append(2)
    d["w"][0] = 3.0
    return d["w"] @ p.w * d["b"] * len(d["tags"]) * (len(p.tags) + d["options"]["k"])


test_right = each_right(RIGHT, X, X_DOT)


def of_given(p, x):
    d = asdict(p)
    return sum(np.sum(v**2) for k, v in d.items() if k in ("w", "b")) * len(d["name"]) * x[0]


def test_a_given_dataclass() -> None:
    def call(w: np.ndarray) -> Any:
        return of_given(Settings(w, 0.5, tags=[1]), X)

    got = grad(of_given)(Settings(X, 0.5, tags=[1]), X)
    assert_close(got.w, numeric_gradient(call, (X,), 0, 1.0), "w")
    assert got.tags is None


def kept(x):
    m = Model(x, x[0])
    held = vars(m)
    held["b"] = x[1]
    return m.b * x[0]


def handed_on(x):
    m = Model(x, x[0])
    return len(sorted(vars(m))) * m.b + len(list(vars(m)))


@pytest.mark.parametrize("function", [kept, handed_on])
def test_what_keeps_the_attributes_is_refused(function: Callable[..., Any]) -> None:
    check_refused(function, "vars may read any variable", X)
