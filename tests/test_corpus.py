"""Every program of the corpus, in every mode, against numeric derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from corpus import PROGRAMS, Program
from numeric import assert_close, copy_arguments, final_value, numeric_gradient, random_head

from tangentish import NotDifferentiable, grad, hvp, jvp, value_and_grad, vjp

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
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
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
    (kept,) = copy_arguments((head,))
    truths = {
        k: numeric_gradient(
            program.function, program.cases[case](), k, head, written=program.written
        )
        for k in program.wrt
    }
    for _ in range(2):
        gradients = pullback(head)
        assert same(head, kept)
        for k, truth in truths.items():
            assert_close(gradients[k], truth, f"{program.name}[{k}]", np.asarray(args[k]).dtype)
    assert same(args, before)


@pytest.mark.parametrize(("program", "case"), CASES)
def test_gradient(program: Program, case: int) -> None:
    args = program.cases[case]()
    before = copy_arguments(args)
    expected = final_value(program.function, program.cases[case](), program.written)
    if isinstance(expected, (tuple, list)):
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
    if case == 0:  # it has the text of the other, but for the value
        assert same(tuple(grad(program.function, wrt=program.wrt)(*args)), tuple(gradients))


@pytest.mark.parametrize(("program", "case"), CASES)
def test_tangent(program: Program, case: int) -> None:
    """The value is the function's; the tangent is the transpose of the pullback, and of its type."""
    args = program.cases[case]()
    before = copy_arguments(args)
    tangents = random_tangents(program, args, seed=case)
    kept = copy_arguments(tangents)
    expected = final_value(program.function, program.cases[case](), program.written)
    value, tangent = jvp(program.function, args, tangents)
    assert same(value, expected)
    assert same(args, before)
    assert same(tangents, kept)
    assert_tangent_of(tangent, expected, tangents)
    if has_floats(expected):
        head = random_head(expected, seed=case + 1)
        gradients = vjp(program.function, *program.cases[case]())[1](head)
        back = sum(np.sum(np.multiply(gradients[k], tangents[k], dtype=float)) for k in program.wrt)
        terms = np.abs(np.concatenate([np.ravel(products) for products in weighed(head, tangent)]))
        narrow = any(np.asarray(args[k]).dtype == np.float32 for k in program.wrt)
        scale = max(float(np.sum(terms)), 1e-3)
        assert inner(head, tangent) == pytest.approx(back, abs=(1e-4 if narrow else 1e-9) * scale)


@pytest.mark.parametrize(("program", "case"), CASES)
def test_second_order(program: Program, case: int) -> None:
    """The Hessian times v, weighed by u, is how v * gradient changes along u, and symmetric."""
    args = program.cases[case]()
    expected = final_value(program.function, program.cases[case](), program.written)
    if isinstance(expected, (tuple, list)):
        return
    v, u = (
        tuple(t for t in random_tangents(program, args, seed) if t is not None)
        for seed in (case, case + 7)
    )
    product = hvp(program.function, wrt=program.wrt)
    first, *rest = args
    try:
        along_v, along_u = (product(first, w, *rest) for w in (v, u))
    except NotDifferentiable as error:
        assert program.name in WITHOUT_SECOND_ORDER, error
        return
    assert program.name not in WITHOUT_SECOND_ORDER
    assert same(args, program.cases[case]())
    narrow = any(np.asarray(args[k]).dtype == np.float32 for k in program.wrt)
    mine, other, right = (
        inner(u, along_v),
        inner(v, along_u),
        change_of_gradient(program, case, v, u),
    )
    scale = max(
        abs(np.nan_to_num(right)), float(np.sum(np.abs(np.concatenate(ravelled(u, along_v))))), 1e-2
    )
    if np.isfinite(right):
        assert mine == pytest.approx(right, abs=(5e-3 if narrow else 1e-6) * scale)
    assert mine == pytest.approx(other, abs=(5e-3 if narrow else 1e-9) * scale)


WITHOUT_SECOND_ORDER = {
    "sums_of_groups",  # its tangents are a dict of lists that carries no derivative
    "covariance_by_weights",  # what its weights add to the curvature
    "hinge_over_a_range",  # the slope of its integrand jumps
    "hermitian",  # the singular vectors of a complex matrix
}


def ravelled(u: Any, along: Any) -> list[Any]:
    return [np.ravel(products) for products in weighed(u, along)]


def change_of_gradient(program: Program, case: int, v: Any, u: Any) -> float:
    """How v * gradient changes along u, by differences of the generated gradient."""
    gradient = grad(program.function, wrt=program.wrt)

    def slope(step: float) -> float:
        args = list(copy_arguments(program.cases[case](), promote=True))
        for k, direction in zip(program.wrt, u, strict=True):
            moved = args[k] + step * np.asarray(direction, dtype=float)[()]
            args[k] = np.asarray(moved) if isinstance(args[k], np.ndarray) else moved
        return inner(v, gradient(*args))

    h = 2e-3
    coarse, middle, fine = ((slope(s) - slope(-s)) / (2 * s) for s in (h, h / 2, h / 4))
    if abs(coarse - fine) > 0.1 * (abs(fine) + 1e-2):
        return float("nan")  # a jump nearby
    return (16 * (4 * fine - middle) - (4 * middle - coarse)) / 45


def random_tangents(program: Program, args: tuple[Any, ...], seed: int) -> tuple[Any, ...]:
    heads = random_head(tuple(args[k] for k in program.wrt), seed)
    given = dict(zip(program.wrt, heads, strict=True))
    return tuple(given.get(k) for k in range(len(args)))


def has_floats(value: Any) -> bool:
    parts = value if isinstance(value, (tuple, list)) else (value,)
    return all(np.asarray(part).dtype.kind == "f" for part in parts)


def weighed(head: Any, tangent: Any) -> list[Any]:
    pairs = (
        zip(head, tangent, strict=True) if isinstance(head, (tuple, list)) else [(head, tangent)]
    )
    return [np.multiply(a, b, dtype=float) for a, b in pairs]


def inner(head: Any, tangent: Any) -> float:
    return float(sum(np.sum(products) for products in weighed(head, tangent)))


def assert_tangent_of(tangent: Any, value: Any, given: Any) -> None:
    """A tangent has the structure, shapes and dtypes of its value, and memory of its own."""
    if isinstance(value, (tuple, list)):
        for one, part in zip(tangent, value, strict=True):
            assert_tangent_of(one, part, given)
        return
    if np.asarray(value).dtype.kind != "f":
        assert tangent is None
        return
    assert np.shape(tangent) == np.shape(value)
    if isinstance(value, np.ndarray):
        assert tangent.dtype == value.dtype
        assert not any(np.shares_memory(tangent, t) for t in given if isinstance(t, np.ndarray))


@pytest.mark.parametrize(("program", "case"), REFUSED)
def test_refused(program: Program, case: int) -> None:
    with pytest.raises(NotDifferentiable, match="may share memory"):
        vjp(program.function, *program.cases[case]())
