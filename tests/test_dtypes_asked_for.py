"""A dtype that a call asks for decides whether its result carries a derivative, also where it is known late."""

from __future__ import annotations

import numpy as np
import pytest
from lessons import Lesson, Lessons, check_lesson

from tangentish import jvp, vjp

lesson = Lessons()

X = np.array([1.5, 2.6, 3.7])


def _listed(v, whole, dtype=np.float64):
    asked = dtype
    if whole:
        asked = None
    return np.array([v], dtype=asked)


@lesson("of a value whose dtype is not known", lambda: (0.8, False), lambda: (-1.3, True))
def turns_taken_off(v, whole):
    angle = _listed(v, whole)
    turns = angle / np.pi
    if isinstance(turns, np.ndarray):
        turns = turns.astype(int)
    else:
        turns = np.fix(turns).astype(int)
    return np.sum((angle - turns * 0.5) ** 2)


@lesson("chosen by a flag", lambda: (X.copy(), "whole"), lambda: (X.copy(), "any"))
def astype_by_a_flag(x, kind):
    dtype = int if kind == "whole" else float
    return np.sum(x.astype(dtype) * x)


@lesson("looked up", lambda: (X.copy(), "i"), lambda: (X.copy(), "f"))
def array_by_a_table(x, kind):
    dtype = {"i": np.int64, "f": np.float64}[kind]
    return np.sum(np.array(x, dtype=dtype) * x + np.asarray(x, dtype) ** 2)


@lesson("of a list", lambda: (1.6, 2.7, "i"), lambda: (1.6, 2.7, "f"))
def list_by_a_table(a, b, kind):
    dtype = {"i": np.int64, "f": np.float64}[kind]
    both = np.array([a, b * a], dtype=dtype)
    return np.sum(both * a)


@lesson("an array that stays one", lambda: (X.copy(), "i"), lambda: (X.copy(), "f"))
def vectors_by_a_table(x, kind):
    dtype = {"i": np.int64, "f": np.float64}[kind]
    grown = []
    for k in range(3):
        grown.append(x[k] * x[0])
    both = np.array([x[0] * x[1], 2.0, x[2]], dtype=dtype) * np.asarray(grown, dtype=dtype)
    return np.linalg.norm(both * x) + np.sum(np.concatenate((grown, x), dtype=float)[:3] * both)


@lesson("of a sum", lambda: (X.copy(), "i"), lambda: (X.copy(), "f"))
def sum_by_a_table(x, kind):
    dtype = {"i": np.int64, "f": np.float64}[kind]
    return np.sum(x, dtype=dtype) * x[0] + np.sum(np.cumsum(x, dtype=dtype) * x)


def _as_floats(image, dtype):
    """As libraries do, for whatever type they get."""
    wanted = np.dtype(dtype)
    if image.dtype.kind == "f":
        if wanted.kind == "f":
            return image.astype(wanted.type)
        image = np.multiply(image, 255.0, dtype=wanted.type)
        np.rint(image, out=image)
    return image


@lesson("by what a type of NumPy is made of", lambda: (X.copy(),))
def converted_by_sort(x):
    return np.sum(_as_floats(x, np.float64) * x)


@pytest.mark.parametrize("case", lesson.cases)
def test_lessons(case: Lesson) -> None:
    check_lesson(case)


@pytest.mark.parametrize("function", [vectors_by_a_table, list_by_a_table])
@pytest.mark.parametrize("kind", ["i", "f"])
def test_tangents(function, kind: str) -> None:
    """The tangent of what is made of a list has the elements' tangents side by side, or is zero."""
    args = (X, kind) if function is vectors_by_a_table else (1.6, 2.7, kind)
    tangents = (X - 2.0, None) if function is vectors_by_a_table else (1.0, 0.5, None)
    gradients = vjp(function, *args)[1](1.0)
    slope = sum(np.sum(g * t) for g, t in zip(gradients, tangents, strict=True) if t is not None)
    np.testing.assert_allclose(jvp(function, args, tangents)[1], slope, rtol=1e-9)
