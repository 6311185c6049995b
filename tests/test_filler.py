"""Gradients that go into given arrays: the same numbers, in these very arrays, and nothing allocated for them."""

from __future__ import annotations

import copy
import tracemalloc
from typing import Any

import numpy as np
import pytest
from corpus import PROGRAMS, Program
from numeric import copy_arguments, final_value
from structured_programs import CASES as STRUCTURED

from tangentish import differentiate, grad

CASES = [
    pytest.param(program, k, id=f"{name}-{k}")
    for name, program in PROGRAMS.items()
    for k in range(len(program.cases))
    if k not in program.refused
]


def mapped(change: Any, g: Any) -> Any:
    """The structure of a gradient with each of its arrays and floats changed."""
    if isinstance(g, dict):
        return {key: mapped(change, value) for key, value in g.items()}
    if isinstance(g, tuple) and hasattr(g, "_fields"):
        return type(g)(*(mapped(change, value) for value in g))
    if isinstance(g, (tuple, list)):
        return type(g)(mapped(change, value) for value in g)
    if isinstance(g, (float, np.floating, np.ndarray)):
        return change(g)
    if hasattr(g, "__dict__"):
        new = copy.copy(g)
        for key, value in vars(g).items():
            object.__setattr__(new, key, mapped(change, value))
        return new
    return g


def arrays_of(g: Any) -> list[np.ndarray]:
    found: list[np.ndarray] = []
    mapped(lambda x: found.append(np.asarray(x)), g)
    return found


def buffers_like(g: Any, seed: int) -> Any:
    generator = np.random.default_rng(seed)
    return mapped(lambda x: generator.normal(size=np.shape(x)).astype(np.asarray(x).dtype), g)


def assert_fills(function: Any, wrt: Any, arguments: Any) -> None:
    gradient = grad(function, wrt=wrt)
    expected = gradient(*arguments())
    buffers = buffers_like(expected, 3)
    held = arrays_of(buffers)
    args = arguments()
    result = gradient.into(buffers)(*args)
    assert result is buffers
    assert all(a is b for a, b in zip(arrays_of(result), held, strict=True))
    compare(result, expected)
    before = copy.deepcopy(arrays_of(buffers))
    gradient.add_to(buffers)(*arguments())
    for now, was, one in zip(arrays_of(buffers), before, arrays_of(expected), strict=True):
        close(now, was + one)


def compare(result: Any, expected: Any) -> None:
    for mine, other in zip(arrays_of(result), arrays_of(expected), strict=True):
        assert mine.shape == other.shape
        close(mine, other)


def close(mine: np.ndarray, other: np.ndarray) -> None:
    narrow = mine.dtype in (np.float32, np.float16)
    np.testing.assert_allclose(
        mine, other, rtol=1e-4 if narrow else 1e-9, atol=1e-4 if narrow else 1e-9
    )


@pytest.mark.parametrize(("program", "case"), CASES)
def test_every_program_fills_arrays(program: Program, case: int) -> None:
    expected = final_value(program.function, program.cases[case](), program.written)
    if isinstance(expected, (tuple, list)):
        return
    args = program.cases[case]()
    before = copy_arguments(args)
    assert_fills(program.function, program.wrt, lambda: args)
    for a, b in zip(args, before, strict=True):
        if isinstance(a, np.ndarray):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("name", STRUCTURED)
def test_structures_fill_structures(name: str) -> None:
    function, args, *wrt = STRUCTURED[name]
    assert_fills(function, wrt[0] if wrt else 0, lambda: args)


# ------------------------------------------------------------------------------------- allocation


def product(w, x):
    return np.sum(w * x)


def affine(w, x, y):
    return np.sum((x @ w - y) ** 2)


def element_by_element(w):
    total = 0.0
    for i in range(3):
        total += w[i] ** 2
    return total


def peak(call: Any, *args: Any) -> int:
    call(*args)
    tracemalloc.start()
    call(*args)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


N = 100_000


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (product, (np.ones(N), np.ones(N))),
        (affine, (np.ones((N // 10, 10)), np.ones((4, N // 10)), np.ones((4, 10)))),
        (element_by_element, (np.ones(N),)),
    ],
)
def test_nothing_is_allocated_for_the_result(function: Any, args: Any) -> None:
    gradient = grad(function)
    buffer = np.zeros_like(args[0])
    fresh, filled = peak(gradient, *args), peak(gradient.into(buffer), *args)
    assert filled <= fresh - 0.9 * buffer.nbytes
    assert peak(gradient.add_to(buffer), *args) <= fresh + 10_000


def test_adding_element_by_element_allocates_nothing() -> None:
    buffer = np.zeros(N)
    assert peak(grad(element_by_element).add_to(buffer), np.ones(N)) < 10_000


# ----------------------------------------------------------------------------------------- refusals


def f(w, x):
    return np.sum(w * x)


W = np.ones(3)


def of_global(w):
    return np.sum(w * W)


@pytest.mark.parametrize(
    ("buffer", "error", "message"),
    [
        (np.zeros(2), ValueError, r"the buffer for w has shape \(2,\), and the gradient \(3,\)"),
        (np.zeros(3, np.float32), TypeError, "the buffer for w has dtype float32"),
        (np.zeros(3, int), TypeError, "the buffer for w has dtype int64"),
        ([0.0, 0.0, 0.0], TypeError, "the buffer for w must be a numpy.ndarray, not list"),
        (None, TypeError, "the buffer for w must be a numpy.ndarray, not NoneType"),
    ],
)
def test_buffers_that_do_not_fit(buffer: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        grad(f).into(buffer)(np.ones(3), np.ones(3))


def test_a_read_only_buffer() -> None:
    buffer = np.zeros(3)
    buffer.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        grad(f).into(buffer)(np.ones(3), np.ones(3))


def test_a_buffer_that_is_an_argument() -> None:
    w, x = np.ones(3), np.ones(6)
    with pytest.raises(ValueError, match="shares memory with the argument w"):
        grad(f).into(w)(w, np.ones(3))
    with pytest.raises(ValueError, match="shares memory with the argument x"):
        grad(f).into(x[1:4])(w, x[:3])
    grad(f).into(x[3:])(w, x[:3])
    np.testing.assert_array_equal(x, 1.0)


def test_a_buffer_that_is_a_global_array() -> None:
    with pytest.raises(ValueError, match="shares memory with 'W'"):
        grad(of_global).into(W)(np.ones(3))


def test_two_buffers_that_share_memory() -> None:
    both = np.zeros(4)
    with pytest.raises(ValueError, match="two buffers share memory"):
        grad(f, wrt=(0, 1)).into((both[:3], both[1:]))(np.ones(3), np.ones(3))


def test_the_number_of_buffers() -> None:
    with pytest.raises(TypeError, match="takes a tuple of 2 buffers"):
        grad(f, wrt=(0, 1)).into(np.zeros(3))


def test_a_structure_that_differs() -> None:
    def loss(p):
        return np.sum(p["w"] ** 2) * p["b"]

    with pytest.raises(TypeError, match="the buffers for p must have its structure"):
        grad(loss).into({"w": np.zeros(3)})({"w": np.ones(3), "b": 2.0})


def test_only_gradients_fill_arrays() -> None:
    from tangentish import value_and_grad

    with pytest.raises(TypeError, match="only gradients"):
        value_and_grad(f).into(np.zeros(3))


def test_local_variables_have_no_buffers() -> None:
    def g(x):
        u = x * 2
        return np.sum(u**2)

    with pytest.raises(TypeError, match="local variables"):
        grad(g, wrt="u").into(np.zeros(3))


# ------------------------------------------------------------------------------------------ methods


class Model:
    def __init__(self, x: np.ndarray) -> None:
        self.x = x

    @differentiate
    def loss(self, w: np.ndarray) -> Any:
        return np.sum(w * self.x) ** 2


def test_methods() -> None:
    model, buffer = Model(np.arange(3.0)), np.zeros(3)
    assert model.loss.grad.into(buffer)(np.ones(3)) is buffer
    np.testing.assert_allclose(buffer, 6 * np.arange(3.0))
    model.loss.grad.add_to(buffer)(np.ones(3))
    np.testing.assert_allclose(buffer, 12 * np.arange(3.0))


def test_strided_and_transposed_buffers() -> None:
    w, x = np.ones((3, 4)), np.arange(12.0).reshape(3, 4)
    for buffer in (np.zeros((4, 3)).T, np.zeros((3, 8))[:, ::2], np.zeros((3, 4))[::-1]):
        grad(f).into(buffer)(w, x)
        np.testing.assert_array_equal(buffer, x)


def test_the_text() -> None:
    text = grad(f).into(np.zeros(3)).source(np.ones(3), np.ones(3))
    assert "np.multiply(dy, x, out=dw)" in text
    assert "dw += dy * x" in grad(f).add_to(np.zeros(3)).source(np.ones(3), np.ones(3))


@pytest.mark.parametrize(
    "buffer",
    [
        np.lib.stride_tricks.as_strided(np.zeros(1), (3,), (0,)),
        np.lib.stride_tricks.as_strided(np.zeros(4), (3, 2), (8, 8)),
    ],
)
def test_a_buffer_that_shares_memory_with_itself(buffer):
    with pytest.raises(ValueError, match="has elements that share memory with each other"):
        grad(lambda x: np.sum(x * x)).into(buffer)(np.ones(buffer.shape))


@pytest.mark.parametrize("buffer", [np.zeros(6)[::-2], np.zeros((2, 3)).T, np.zeros((1, 3))])
def test_buffers_in_other_layouts(buffer):
    x = np.arange(buffer.size, dtype=float).reshape(buffer.shape)
    grad(lambda x: np.sum(x * x)).into(buffer)(x)
    np.testing.assert_array_equal(buffer, 2 * x)
