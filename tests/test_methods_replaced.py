"""Objects of the module that get another function under the name of a method while a function runs."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import check_refused
from numeric import assert_close, numeric_gradient

from tangentish import NotDifferentiable, grad, jvp

X = np.array([0.7, 1.3])


class Law:
    def __init__(self):
        self.k, self.calls = 2.0, []

    def value(self, x):
        return np.sum(x * self.k)

    def squared(self, x):
        self.calls.append(len(x))
        return np.sum(x**2)


LAW = Law()


def _cubes(x):
    return np.sum(x**3)


def _replace(law):
    law.value = _cubes


def replaced(x):
    _replace(LAW)
    return LAW.value(x)


def logged(x):
    LAW.calls.append(1)
    return LAW.squared(x) * LAW.k


def test_what_the_method_is_shows_only_when_it_runs() -> None:
    reason = "may get another function under the name of its method value"
    check_refused(replaced, reason, X)
    with pytest.raises(NotDifferentiable, match=reason):
        jvp(replaced, (X,), (np.ones(2),))


def test_others_stay_what_they_are() -> None:
    numeric = numeric_gradient(logged, (X,), 0, 1.0)
    assert_close(grad(logged)(X), numeric, "logged")
    assert_close(jvp(logged, (X,), (X,))[1], numeric @ X, "logged")
