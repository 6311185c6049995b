"""A text that would read a value which nothing binds is refused, rather than raising a NameError when it runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numeric import assert_close

from tangentish import NotDifferentiable, grad, vjp

X = np.array([1.0, 2.0])


class Net:
    def __init__(self):
        self.state = dict(mean=0.0)
        self.model = dict(gain=1.0)

    def forward(self, x):
        self.state["mean"] = np.mean(x)
        return self.model["gain"] * x


def loss(x, gain):
    net = Net()
    net.model = {"gain": gain}
    return np.sum(net.forward(x))


def test_a_dict_that_does_not_vary_here_and_is_told_apart_elsewhere() -> None:
    with pytest.raises(NotDifferentiable, match="nothing stands for 'net_model'") as error:
        grad(loss)(X, 3.0)
    assert error.value.refusals[0].node is not None


def test_with_respect_to_both() -> None:
    gradients: Any = grad(loss, wrt=(0, 1))(X, 3.0)
    assert_close(gradients[0], np.array([3.0, 3.0]), "x")
    assert_close(gradients[1], 3.0, "gain")


def chosen(one, other, s):
    return one if s > 0.3 else other


def in_one_line_with_another(x):
    d = {0: 2.0, 1: 3.0}
    a, t = x[0] * 2, chosen(dict(d), d, x[0])
    t[0] = a
    return t[0] * t[1]


def test_what_is_saved_though_nothing_binds_it() -> None:
    with pytest.raises(NotDifferentiable, match="nothing stands for 't_1'"):
        vjp(in_one_line_with_another, X)
