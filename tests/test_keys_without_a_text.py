"""Keys of dicts that Python has no text for: refused where the generated text would have to say them."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
import pytest

from tangentish import NotDifferentiable, grad

X = np.array([0.3, 0.7])


class Op(enum.Enum):
    ADD = "+"
    MUL = "*"


def summed(x, d):
    return sum(v * x[0] for v in d.values())


def asked(x, d):
    s = 1.0
    for k in d:
        s = s * d[k] * x[0] if k is Op.ADD else s + d[k] * x[1]
    return s


@pytest.mark.parametrize("function", [summed, asked])
@pytest.mark.parametrize("keys", [tuple(Op), (int, float), ((1, Op.ADD), (2, Op.MUL))])
def test_refused(function: Any, keys: Any) -> None:
    with pytest.raises(NotDifferentiable, match="which no text can say"):
        grad(function, wrt=1)(X, dict.fromkeys(keys, 2.0))


@pytest.mark.parametrize("keys", [("a", "b"), (1, -2), ((1, "a"), (2, None)), (..., b"b")])
def test_keys_that_are_said(keys: Any) -> None:
    found = grad(summed, wrt=1)(X, dict.fromkeys(keys, 2.0))
    assert found == dict.fromkeys(keys, X[0])
