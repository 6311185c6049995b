"""Arrays beside others whose length is a number: those of arguments are as long, or have one element."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from every_mode import Function, kept_in, named
from numeric import assert_close, numeric_gradient

from tangentish import grad

FUNCTIONS: list[Function] = []
kept = kept_in(FUNCTIONS)


@kept
def potential(psi, dx):
    x = (np.arange(6) - 3) * dx
    return np.sum(psi * x**2 * psi)


@kept
def waves(psi, dx):
    x = np.arange(6) * dx
    return np.sum(psi * np.sin(x) + dx)


@kept
def weighted(psi, w):
    return np.sum(psi * np.ones(6) * w)


PSI = np.array([0.9, 1.3, 0.7, 1.1, 0.6, 1.5])
SHAPES = [PSI, PSI.astype(np.float32), PSI[:1], PSI[:, None], np.array([PSI, 2 * PSI])]


@pytest.mark.parametrize("psi", SHAPES, ids=lambda psi: f"{psi.shape} {psi.dtype}")
@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_right(function: Function, psi: Any) -> None:
    gradients = grad(function, wrt=(0, 1))(psi, 0.3)
    assert gradients[0].dtype == psi.dtype
    args = psi.astype(float), 0.3
    for k, gradient in enumerate(gradients):
        assert np.shape(gradient) == np.shape(args[k])
        wanted = numeric_gradient(function, args, k, 1.0)
        assert_close(gradient, wanted, function.__name__, psi.dtype)


@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_not_spread_over_what_has_that_shape(function: Function) -> None:
    assert "full" not in grad(function, wrt=(0, 1)).source(PSI, 0.3)


def test_another_length_raises_as_in_the_function() -> None:
    with pytest.raises(ValueError, match="broadcast"):
        grad(waves)(PSI[:4], 0.3)
