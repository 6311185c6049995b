"""Arrays of arguments in which a list or a dict was changed before: they are copied, or refused, and the caller's stay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tangentish import NotDifferentiable, grad, jvp

X = np.array([1.5, 2.0, 3.0])
REASONS = (
    "inside of another container",
    "what becomes of this method is not known",
    "under keys that are computed",
)


class Model:
    def __init__(self) -> None:
        self.w, self.log, self.notes = np.ones(3), [], {}

    def note(self, v):
        self.log.append(v)

    def double(self):
        self.w *= 2.0

    def fill(self):
        self.w.fill(2.0)

    def fill_under_a_name(self):
        fill = self.w.fill
        fill(2.0)

    def double_by_a_name(self):
        double = self.double
        double()

    def change(self, by):
        by(self.w)

    def note_all(self, v):
        self.note(v)
        self.notes["k"] = v


def noted_by_a_method(x, m):
    m.note(1.0)
    m.w *= 2.0
    return x[0] * m.w[0]


def a_name_from_before(x, m):
    w = m.w
    m.note(1.0)
    w *= 2.0
    return x[0] * w[0]


def a_second_method(x, m):
    m.note(1.0)
    m.double()
    return x[0] * m.w[0]


def a_method_of_the_array(x, m):
    m.note(1.0)
    m.fill()
    return x[0] * m.w[0]


def a_method_of_the_array_under_a_name(x, m):
    m.note(1.0)
    m.fill_under_a_name()
    return x[0] * m.w[0]


def a_method_of_its_own_under_a_name(x, m):
    m.note(1.0)
    m.double_by_a_name()
    return x[0] * m.w[0]


def doubled(w):
    w *= 2.0


def a_function_that_is_given(x, m):
    m.note(1.0)
    m.change(doubled)
    return x[0] * m.w[0]


def many_notes(x, m):
    for _ in range(3):
        m.note(1.0)
        m.note_all(2.0)
    m.double()
    return x[0] * m.w[0]


def a_part_of_it(x, m):
    w = m.w[:1]
    m.note(1.0)
    w += 1.0
    return x[0] * m.w[0]


def noted_in_a_dict(x, m):
    m.notes.update(k=1)
    m.w[0] = 2.0
    return x[0] * m.w[0]


def an_entry_of_a_dict(x, d):
    d.update(n=1)
    d["w"] *= 2
    return x[0] * d["w"][0]


@pytest.mark.parametrize(
    ("function", "made"),
    [
        (noted_by_a_method, Model),
        (a_name_from_before, Model),
        (a_second_method, Model),
        (a_method_of_the_array, Model),
        (a_method_of_the_array_under_a_name, Model),
        (a_method_of_its_own_under_a_name, Model),
        (a_function_that_is_given, Model),
        (many_notes, Model),
        (a_part_of_it, Model),
        (noted_in_a_dict, Model),
        (an_entry_of_a_dict, lambda: {"w": np.ones(3), "n": 0}),
    ],
)
def test_arrays_of_the_caller_stay(function: Callable[..., Any], made: Callable[[], Any]) -> None:
    for derivative in (
        lambda given: grad(function)(X, given),
        lambda given: jvp(function, (X, given), (np.array([1.0, 0.0, 0.0]), None))[1],
    ):
        given = made()
        try:
            assert np.sum(derivative(given)) == 2.0
        except NotDifferentiable as error:
            assert any(reason in str(error) for reason in REASONS)
        held = given["w"] if isinstance(given, dict) else given.w
        np.testing.assert_array_equal(held, np.ones(3))
