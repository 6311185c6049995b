"""Every program of the corpus, in every mode, against numeric derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from corpus import PROGRAMS, Program
from numeric import assert_close, copy_arguments, final_value, numeric_gradient, random_head

from tangentish import NotDifferentiable, grad, value_and_grad, vjp

CASES = [
    pytest.param(program, k, id=f"{name}-{k}")
    for name, program in PROGRAMS.items()
    for k in range(len(program.cases))
    if k not in program.refused
]
REFUSED = [
    pytest.param(program, k, id=f"{name}-{k}")
    for name, program in PROGRAMS.items()
    for k in program.refused
]


def same(a: Any, b: Any) -> bool:
    if isinstance(a, tuple):
        return isinstance(b, tuple) and len(a) == len(b) and all(map(same, a, b))
    if not isinstance(a, (np.ndarray, np.generic, float)):
        return bool(a == b)
    return np.array_equal(a, b, equal_nan=True) and np.shape(a) == np.shape(b)


@pytest.mark.parametrize(("program", "case"), CASES)
def test_pullback(program: Program, case: int) -> None:
    args = program.cases[case]()
    before = copy_arguments(args)
    value, pullback = vjp(program.function, *args)
    expected = final_value(program.function, program.cases[case](), program.written)
    assert same(value, expected)
    head = random_head(expected, seed=case)
    for _ in range(2):
        gradients = pullback(head)
        for position in program.wrt:
            truth = numeric_gradient(
                program.function, program.cases[case](), position, head, written=program.written
            )
            actual = gradients[position]
            assert_close(
                actual, truth, f"{program.name}[{position}]", np.asarray(args[position]).dtype
            )
    assert same(args, before)


@pytest.mark.parametrize(("program", "case"), CASES)
def test_gradient(program: Program, case: int) -> None:
    args = program.cases[case]()
    before = copy_arguments(args)
    expected = final_value(program.function, program.cases[case](), program.written)
    if isinstance(expected, tuple):
        with pytest.raises(TypeError, match="vjp"):
            grad(program.function, wrt=program.wrt)(*args)
        return
    head = np.ones_like(expected)
    value, gradients = value_and_grad(program.function, wrt=program.wrt)(*args)
    assert same(value, expected)
    assert same(args, before)
    for position, actual in zip(program.wrt, gradients, strict=True):
        truth = numeric_gradient(
            program.function, program.cases[case](), position, head, written=program.written
        )
        argument = args[position]
        assert_close(actual, truth, f"{program.name}[{position}]", np.asarray(argument).dtype)
        if isinstance(argument, np.ndarray):
            assert actual.dtype == argument.dtype
            assert not np.shares_memory(actual, argument)
    assert same(tuple(grad(program.function, wrt=program.wrt)(*args)), tuple(gradients))


@pytest.mark.parametrize(("program", "case"), REFUSED)
def test_refused(program: Program, case: int) -> None:
    with pytest.raises(NotDifferentiable, match="may share memory"):
        vjp(program.function, *program.cases[case]())
