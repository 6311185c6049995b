"""The corpus is sound: a program that fails later fails because of the library."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from corpus import FAMILIES, PROGRAMS, Arguments, Program
from numeric import STEP, assert_close, copy_arguments, final_value, numeric_gradient, random_head

CASES = [
    pytest.param(program, args, id=program.name + (f"-{k}" if k else ""))
    for program in PROGRAMS.values()
    for k, args in enumerate(program.cases)
]
each_program = pytest.mark.parametrize("program", PROGRAMS.values(), ids=list(PROGRAMS))

BEYOND = (  # what is not supported yet
    ast.ClassDef,
    ast.Await,
)


def leaves(x: Any) -> list:
    return [leaf for part in x for leaf in leaves(part)] if isinstance(x, (tuple, list)) else [x]


def body(function: Callable) -> list[ast.stmt]:
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    return tree.body


def test_there_are_enough_in_every_family() -> None:
    assert len(PROGRAMS) >= 170
    for family in FAMILIES:
        assert sum(program.family == family for program in PROGRAMS.values()) >= 8, family
    assert 2 * sum(bool(program.variants) for program in PROGRAMS.values()) >= len(PROGRAMS)


def test_no_two_have_the_same_body() -> None:
    bodies: dict[str, str] = {}
    for program in PROGRAMS.values():
        text = "\n".join(ast.dump(statement) for statement in body(program.function))
        assert text not in bodies, f"{program.name} is {bodies.get(text)}"
        bodies[text] = program.name


@each_program
def test_stays_within_the_language(program: Program) -> None:
    for statement in body(program.function):
        for node in ast.walk(statement):
            assert not isinstance(node, BEYOND), ast.unparse(node)


def assert_arguments_are_fresh_and_deterministic(program: Program, args: Arguments) -> None:
    one, other = args(), args()
    assert len(one) == len(other)
    for a, b in zip(leaves(one), leaves(other), strict=True):
        assert type(a) is type(b)
        np.testing.assert_array_equal(a, b)
        if isinstance(a, np.ndarray):
            assert a.dtype == b.dtype and a.strides == b.strides
            assert a.size == 0 or not np.shares_memory(a, b)
    for i in program.wrt:
        for leaf in leaves(one[i]):
            assert np.asarray(leaf).dtype.kind == "f", f"argument {i} is not a float"


def assert_runs_twice_alike_and_is_finite(program: Program, args: Arguments) -> None:
    one = final_value(program.function, args(), program.written)
    other = final_value(program.function, args(), program.written)
    assert leaves(one), "no value: nothing returned, nothing written"
    for a, b in zip(leaves(one), leaves(other), strict=True):
        np.testing.assert_array_equal(a, b)
        assert np.asarray(a).dtype.kind == "f", "the value is not a float"
        assert np.all(np.isfinite(a))


def assert_the_copy_of_the_arguments_is_faithful(program: Program, args: Arguments) -> None:
    original = args()
    copied = copy_arguments(original)
    for a, b in zip(leaves(original), leaves(copied), strict=True):
        np.testing.assert_array_equal(a, b)
        if isinstance(a, np.ndarray):
            assert a.strides == b.strides or a.size == 0
            assert a.size == 0 or not np.shares_memory(a, b)
    value = final_value(program.function, original, program.written)
    again = final_value(program.function, copied, program.written)
    for a, b in zip(leaves(value), leaves(again), strict=True):
        np.testing.assert_array_equal(a, b)


def assert_is_smooth_at_its_arguments(program: Program, args: Arguments) -> None:
    value = final_value(program.function, copy_arguments(args()), program.written)
    head = random_head(value, seed=len(program.name))
    largest = 0.0
    for i in program.wrt:
        wide, narrow = (
            numeric_gradient(program.function, args(), i, head, step=s, written=program.written)
            for s in (STEP, STEP / 3)
        )
        for leaf in leaves(wide):
            assert np.all(np.isfinite(leaf))
            largest = max(largest, float(np.max(np.abs(leaf), initial=0.0)))
        assert_close(narrow, wide, f"{program.name}, argument {i}, a third of the step")
    assert largest > 0 or args is not program.args, "nothing depends on any argument"


@pytest.mark.parametrize(("program", "args"), CASES)
def test_a_case_is_sound(program: Program, args: Arguments) -> None:
    """All in one test: with one for each, more time went into the tests than into what they do."""
    assert_arguments_are_fresh_and_deterministic(program, args)
    assert_runs_twice_alike_and_is_finite(program, args)
    assert_the_copy_of_the_arguments_is_faithful(program, args)
    assert_is_smooth_at_its_arguments(program, args)


def test_numeric_gradient_of_known_functions() -> None:
    x = np.array([0.5, -1.5])
    head = np.array([2.0, -1.0])
    assert_close(numeric_gradient(lambda x: x**3, (x,), 0, head), 3 * head * x**2, "cube")
    assert_close(numeric_gradient(lambda x, y: x * y, (2.0, 3.0), 1, 1.0), 2.0, "product")
    assert_close(
        numeric_gradient(lambda x: x, (x.astype(np.float32),), 0, x), x, "identity in float32"
    )
    assert_close(numeric_gradient(lambda p: p[0] * p[1], ((2.0, 3.0),), 0, 1.0), (3.0, 2.0), "pair")


def test_numeric_gradient_of_a_procedure() -> None:
    def double(x: np.ndarray, y: np.ndarray) -> None:
        y[:] = 2 * x + y

    x, y = np.ones(2), np.arange(2.0)
    head = np.array([3.0, -1.0])
    assert_close(numeric_gradient(double, (x, y), 0, head), 2 * head, "dx")
    assert_close(numeric_gradient(double, (x, y), 1, head), head, "dy")
    assert y.tolist() == [0.0, 1.0]


def test_copies_keep_what_is_shared() -> None:
    base = np.arange(12.0).reshape(3, 4)
    one, other, whole = copy_arguments((base[1:, ::2], base.T, base))
    one[0, 0] = 99.0
    assert other[0, 1] == whole[1, 0] == 99.0
    assert base[1, 0] == 4.0


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        (np.ones(3), np.ones(2)),
        (None, 1.0),
        (np.array([1.0, np.nan]), np.ones(2)),
        (1.0 + 1e-5, 1.0),
        ((1.0,), (1.0, 2.0)),
    ],
)
def test_assert_close_notices(actual: Any, expected: Any) -> None:
    with pytest.raises(AssertionError):
        assert_close(actual, expected, "x")
