"""Objects outside are known again by their form: what their kind depends on is part of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tangentish import grad
from tangentish.kinds.objects_outside import object_outside
from tangentish.kinds.objects_remembered import object_remembered


class Layer:
    def __init__(self, size: int) -> None:
        self.w = np.ones(size)


class Model:
    rate = 1.0

    def __init__(self) -> None:
        self.a, self.n, self.name, self.none = 2.0, 3, "text", None
        self.w = np.ones((2, 3))
        self.layers = [Layer(3), Layer(3)]
        self.first = Layer(2)
        self.options = {"k": 1.0, "places": [1, 2]}
        self.pair = (1.0, [2])

    def pay(self, x: Any) -> Any:
        return x * x * self.a * self.first.w[0]


MODEL = Model()


def test_the_kind_is_the_same_one_whatever_numbers_it_holds() -> None:
    model = Model()
    before = object_remembered(model)
    model.a, model.n, model.name, model.w = 5.0, 7, "other", np.zeros((2, 3))
    model.options["k"] = 3.0
    assert object_remembered(model) is before
    assert object_remembered(Model()) is before


@pytest.mark.parametrize(
    "change",
    [
        lambda m: setattr(m, "a", 1),
        lambda m: setattr(m, "a", "text"),
        lambda m: setattr(m, "w", np.ones((1, 3))),
        lambda m: setattr(m, "w", np.ones((2, 3), dtype=int)),
        lambda m: m.w.resize((1, 6), refcheck=False),
        lambda m: setattr(m, "more", 1.0),
        lambda m: delattr(m, "a"),
        lambda m: setattr(m.first, "w", 1.0),
        lambda m: setattr(m.layers[1], "w", np.ones((1, 1))),
        lambda m: m.layers.append(2.0),
        lambda m: m.options["places"].append(1.0),
        lambda m: m.options.clear(),
        lambda m: m.pair[1].append("text"),
        lambda m: setattr(m, "function", np.sin),
        lambda m: setattr(m, "pay", 1.0),
    ],
)
def test_another_form_is_looked_at_anew(change: Callable[[Model], None]) -> None:
    model = Model()
    assert object_remembered(model) == object_outside(model)
    change(model)
    assert object_remembered(model) == object_outside(model)


@pytest.mark.parametrize("cls", [Model, Layer])
@pytest.mark.parametrize(("name", "member"), [("w", property(lambda _: 1.0)), ("__getattr__", len)])
def test_a_class_may_change(
    cls: type, name: str, member: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Model()
    before = object_remembered(model)
    monkeypatch.setattr(cls, name, member, raising=False)
    assert object_remembered(model) == object_outside(model) != before


def test_gradients_are_of_what_is_there() -> None:
    def f(x: Any) -> Any:
        return MODEL.pay(x)

    derivative = grad(f)
    for a in (2.0, 3.0, 4, np.float64(1.5), np.array(2.5)):
        MODEL.a = a  # type: ignore[assignment]
        for w in (1.0, 2.0):
            MODEL.first.w = np.full(3, w)
            assert derivative(3.0) == pytest.approx(6.0 * float(a) * w)
