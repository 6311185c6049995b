"""Arguments of a subclass of str, `class Mode(str, Enum)`: each text has its own gradient, also inside of others."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
import pytest
from numeric import assert_close

from tangentish import grad


class Mode(str, enum.Enum):
    A = "a"
    B = "b"


class Word(str):
    pass


class Holder:
    def __init__(self, k):
        self.k = k


def alone(x, k):
    return x @ x if k == "a" else np.sum(x) ** 2


def of_an_attribute(x, o):
    return alone(x, o.k)


def of_an_item(x, row):
    return alone(x, row[0])


@pytest.mark.parametrize(
    "texts", [(Mode.A, Mode.B), (Mode.B, Mode.A), (Word("q"), Word("a")), (Word("a"), "q", Mode.A)]
)
@pytest.mark.parametrize(
    ("function", "held"),
    [
        (alone, lambda k: k),
        (of_an_attribute, Holder),
        (of_an_item, lambda k: (k,)),
        (of_an_item, lambda k: [k]),
    ],
)
def test_each_text_has_its_gradient(function: Any, held: Any, texts: Any) -> None:
    x = np.array([0.3, 0.7])
    gradient = grad(function)
    for text in (*texts, *texts):
        right = 2 * x if text == "a" else np.full(2, 2.0)
        assert_close(gradient(x, held(text)), right, str(text))
