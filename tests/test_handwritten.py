"""Generated gradients against those that an expert writes by hand: as right, and about as short."""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any

import numpy as np
import pytest
from handwritten import EXAMPLES, Example
from numeric import assert_close, numeric_gradient

from tangentish import grad

ALL = [pytest.param(example, id=name) for name, example in EXAMPLES.items()]
IN_SUM, FOR_ANY = 1.15, 1.5
"""Statements generated for each one by hand."""


def as_tuple(gradients: Any, example: Example) -> tuple[Any, ...]:
    return (gradients,) if isinstance(example.wrt, int) else gradients


def by_hand(example: Example) -> int:
    return statements(textwrap.dedent(inspect.getsource(example.by_hand)))


def generated(example: Example) -> int:
    return statements(grad(example.function, wrt=example.wrt).source(*example.args()))


def statements(text: str) -> int:
    return sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(text)))


@pytest.mark.parametrize("example", ALL)
def test_right(example: Example) -> None:
    """Numeric derivatives for the one by hand; nearly the same numbers for the one generated."""
    args = example.args()
    theirs = as_tuple(example.by_hand(*args), example)
    head = np.ones_like(example.function(*example.args()))[()]
    for k, gradient in zip(example.positions, theirs, strict=True):
        truth = numeric_gradient(example.function, example.args(), k, head)
        assert_close(gradient, truth, f"{example.name}[{k}]")
    ours = as_tuple(grad(example.function, wrt=example.wrt)(*args), example)
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
    for mine, fresh in zip(args, example.args(), strict=True):
        np.testing.assert_array_equal(mine, fresh)


@pytest.mark.parametrize("example", ALL)
def test_no_example_is_much_longer(example: Example) -> None:
    assert generated(example) <= FOR_ANY * by_hand(example)


def test_about_as_short_in_sum() -> None:
    ours, theirs = (sum(map(count, EXAMPLES.values())) for count in (generated, by_hand))
    assert ours <= IN_SUM * theirs
