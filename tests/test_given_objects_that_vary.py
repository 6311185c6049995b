"""Lists of objects that are arguments without a derivative, and get an object that varies, are refused."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tangentish import NotDifferentiable, grad, value_and_grad


def appended(x, objects):
    objects.append(types.SimpleNamespace(v=x[0]))
    return sum([e.v**2 for e in objects])


def stored(x, objects):
    objects[0] = types.SimpleNamespace(v=x[0])
    return sum([e.v**2 for e in objects])


def taken_out(x, objects):
    e = objects.pop()
    e.v = x[0]
    return sum([e.v**2 for e in objects]) * e.v


@pytest.mark.parametrize("f", [appended, stored, taken_out])
def test_refused(f: Callable[..., Any]) -> None:
    x = np.array([0.7, 0.4])
    objects = [types.SimpleNamespace(v=0.5), types.SimpleNamespace(v=1.5)]
    with pytest.raises(NotDifferentiable, match="'objects'"):
        grad(f)(x, objects)
    with pytest.raises(NotDifferentiable, match="'objects'"):
        value_and_grad(f)(x, objects)
