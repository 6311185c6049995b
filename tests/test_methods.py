"""Published numerical methods, differentiated as they stand, against numeric derivatives.

A program that is refused says so in its file; when it no longer is, the test tells.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from contract import same
from methods import METHODS, Method
from numeric import assert_close, final_value, numeric_gradient, random_head

from tangentish import NotDifferentiable, grad, jvp, value_and_grad, vjp

ACCEPTED = [m for m in METHODS.values() if m.refused is None]
ALL = [pytest.param(m, id=m.name) for m in ACCEPTED]
REFUSED = [pytest.param(m, id=m.name) for m in METHODS.values() if m.refused is not None]


def assert_unchanged(args: tuple[Any, ...], method: Method) -> None:
    """The arguments are what they were, but for a generator, which moves on."""
    for mine, fresh in zip(args, method.args(), strict=True):
        if not isinstance(mine, np.random.Generator):
            assert same(mine, fresh)


@pytest.mark.parametrize("method", ALL)
def test_pullback(method: Method) -> None:
    """The value to the bit; gradients, twice, as numeric derivatives have them."""
    args = method.args()
    value, pullback = vjp(method.function, *args)
    expected = final_value(method.function, method.args())
    assert same(value, expected)
    head = random_head(expected)
    gradients = pullback(head), pullback(head)
    for k in method.wrt:
        truth = numeric_gradient(method.function, method.args(), k, head, step=method.step)
        for given in gradients:
            assert_close(given[k], truth, f"{method.name}[{k}]")
    assert_unchanged(args, method)


@pytest.mark.parametrize("method", ALL)
def test_gradient(method: Method) -> None:
    """The joint form agrees with the pullback."""
    expected = final_value(method.function, method.args())
    if isinstance(expected, tuple):
        with pytest.raises(TypeError, match="vjp"):
            grad(method.function, wrt=method.wrt)(*method.args())
        return
    args = method.args()
    value, gradients = value_and_grad(method.function, wrt=method.wrt)(*args)
    assert same(value, expected)
    assert_unchanged(args, method)
    pulled = vjp(method.function, *method.args())[1](np.ones_like(expected)[()])
    for k, given in zip(method.wrt, gradients, strict=True):
        assert_close(given, pulled[k], f"{method.name}[{k}]")


@pytest.mark.parametrize("method", ALL)
def test_tangent(method: Method) -> None:
    """Forward mode, where it takes the program, is the transpose of the pullback."""
    args = method.args()
    directions = random_head(tuple(args[k] for k in method.wrt), seed=5)
    given = dict(zip(method.wrt, directions, strict=True))
    tangents = tuple(given.get(k) for k in range(len(args)))
    try:
        value, tangent = jvp(method.function, args, tangents)
    except NotDifferentiable as error:
        pytest.skip(error.msg)
    expected = final_value(method.function, method.args())
    assert same(value, expected)
    assert_unchanged(args, method)
    head = random_head(expected)
    pulled = vjp(method.function, *method.args())[1](head)
    assert inner(head, tangent) == pytest.approx(
        sum(inner(given[k], pulled[k]) for k in method.wrt), rel=1e-9
    )


def inner(head: Any, value: Any) -> float:
    if isinstance(value, (tuple, list)):
        return sum(inner(g, part) for g, part in zip(head, value, strict=True))
    return float(np.sum(np.multiply(head, value)))


@pytest.mark.parametrize("method", REFUSED)
def test_refused(method: Method) -> None:
    """Refused before anything runs, with the reason, by a message that names a line of the file."""
    with pytest.raises((NotDifferentiable, TypeError), match=method.refused) as caught:
        grad(method.function, wrt=method.wrt)(*method.args())
    if isinstance(caught.value, NotDifferentiable):
        assert caught.value.filename == method.function.__code__.co_filename
