"""Dicts in dicts, lists and tuples that are printed, compared or looked through as a whole, by what they hold."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from every_mode import Function, check_along, kept_in, named

from tangentish import grad

RIGHT: list[Function] = []
right = kept_in(RIGHT)
X, X_DOT = np.array([0.7, 1.3]), np.array([0.3, -0.2])


@right
def compared(x):
    a = {"p": {"q": x[0], "r": [x[1], 1.0]}}
    b = copy.deepcopy(a)
    same = a == b
    b["p"]["r"][0] *= 2.0
    return (2 if same else 3) * x[0] * b["p"]["r"][0] + (2 if a == b else 3) * a["p"]["r"][0]


@right
def compared_with_another(x):
    a = {"p": {"q": x[0]}}
    b = {"p": {"q": x[0] * 1.0}}
    return (2 if a == b else 3) * x[1] + a["p"]["q"] ** 2


@right
def as_text(x):
    a = {"p": {"q": x[0]}, "n": 3}
    return len(str(a).split(",")) * a["p"]["q"] ** 2 * x[1]


@right
def looked_for(x):
    a = [{"q": x[0]}, {"q": 2.0 * x[1]}]
    return (2 if {"q": x[0]} in a else 3) * a[0]["q"] ** 2 * a[1]["q"]


@right
def in_a_tuple(x):
    a = ({"q": {"r": x[0]}}, 2.0)
    return (2 if a == ({"q": {"r": x[0]}}, 2.0) else 3) * a[0]["q"]["r"] ** 2 * x[1]


@pytest.mark.parametrize("function", RIGHT, ids=named)
def test_every_mode_gives_the_derivative(function):
    check_along(function, X, X_DOT)


def test_what_is_printed_is_what_the_function_prints(capsys):
    def printed(x):
        a = {"p": {"q": x, "r": [x, 1.0]}, "n": 3}
        print(a, [a["p"]])
        return a["p"]["q"] ** 2

    printed(0.7)
    expected = capsys.readouterr().out
    assert grad(printed)(0.7) == pytest.approx(1.4)
    assert capsys.readouterr().out == expected
