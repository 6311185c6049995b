"""The gradients that an expert would write: ours are as short, and equal in numbers.

The texts below are the yardstick: generated source must not have more statements, and must define
the same function.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from contract import check_gradients
from corpus import values

from tangentish import grad, value_and_grad, vjp

D2L = [(1.0, 1024.0), (-1.0, 102400.0), (0.3, 4096.0), (-2.5, 51200.0)]


def neuron(w, x):
    z = w[0] * x[0] + w[1] * x[1] + w[2]
    return 1 / (1 + np.exp(-z))


NEURON = """
def neuron_grad(w, x, dy=1.0):
    z = w[0] * x[0] + w[1] * x[1] + w[2]
    t = np.exp(-z)
    y = 1 / (1 + t)

    # return 1 / (1 + np.exp(-z))
    dz = dy * y ** 2 * t
    # z = w[0] * x[0] + w[1] * x[1] + w[2]
    dw = np.zeros_like(w)
    dx = np.zeros_like(x)
    dw[0] += dz * x[0]
    dx[0] += dz * w[0]
    dw[1] += dz * x[1]
    dx[1] += dz * w[1]
    dw[2] += dz
    return dw, dx
"""


def rnn(w, x, n):
    for i in range(n):
        x = np.tanh(w @ x)
    return np.sum(x**2)


RNN = """
def rnn_grad(w, x, n, dy=1.0):
    x_tape = []
    for i in range(n):
        x_tape.append(x)
        x = np.tanh(w @ x)

    # return np.sum(x**2)
    dx = dy * 2 * x
    dw = np.zeros_like(w)
    for i in range(n - 1, -1, -1):
        # x = np.tanh(w @ x)
        dt = dx * (1 - x ** 2)
        x = x_tape.pop()
        dw += np.outer(dt, x)
        dx = w.T @ dt
    return dw, dx
"""


def settle(a):
    b = a * 2
    while np.linalg.norm(b) < 1000:
        b = b * 2
    if b.sum() > 0:
        c = b
    else:
        c = 100 * b
    return c


SETTLE = """
def settle_grad(a, dc=1.0):
    b = a * 2
    trips = 0
    while np.linalg.norm(b) < 1000:
        b = b * 2
        trips += 1
    positive = b.sum() > 0

    if positive:
        # c = b
        db = dc
    else:
        # c = 100 * b
        db = 100 * dc
    for _ in range(trips):
        # b = b * 2
        db = db * 2
    # b = a * 2
    return db * 2
"""

# For an array, the head gradient is made in the shape of the result.
SETTLE_ARRAY = """
def settle_grad(a, dc=None):
    b = a * 2
    trips = 0
    while np.linalg.norm(b) < 1000:
        b = b * 2
        trips += 1
    positive = b.sum() > 0

    if dc is None:
        dc = np.ones_like(b)
    if positive:
        # c = b
        db = dc
    else:
        # c = 100 * b
        db = 100 * dc
    for _ in range(trips):
        # b = b * 2
        db = db * 2
    # b = a * 2
    return db * 2
"""


def jacobi(steps, A, B):
    for t in range(1, steps):
        B[1:-1] = (A[:-2] + A[1:-1] + A[2:]) / 3
        A[1:-1] = (B[:-2] + B[1:-1] + B[2:]) / 3
    return np.sum(A**2)


JACOBI = """
def jacobi_grad(steps, A, B, dy=1.0):
    A, B = A.copy(), B.copy()
    for t in range(1, steps):
        B[1:-1] = (A[:-2] + A[1:-1] + A[2:]) / 3
        A[1:-1] = (B[:-2] + B[1:-1] + B[2:]) / 3

    # return np.sum(A**2)
    dA = dy * 2 * A
    dB = np.zeros_like(B)
    for t in range(steps - 1, 0, -1):
        # A[1:-1] = (B[:-2] + B[1:-1] + B[2:]) / 3
        g = dA[1:-1] / 3
        dA[1:-1] = 0
        dB[:-2] += g
        dB[1:-1] += g
        dB[2:] += g
        # B[1:-1] = (A[:-2] + A[1:-1] + A[2:]) / 3
        g = dB[1:-1] / 3
        dB[1:-1] = 0
        dA[:-2] += g
        dA[1:-1] += g
        dA[2:] += g
    return dA, dB
"""


def settle_arguments() -> tuple[Any, ...]:
    return (np.array([0.3, -2.5, 1.7]),)


CASES: dict[str, tuple[Callable[..., Any], str, Any, Callable[[], tuple[Any, ...]]]] = {
    "neuron": (neuron, NEURON, (0, 1), lambda: (values(1, 3), values(2, 2))),
    "rnn": (rnn, RNN, (0, 1), lambda: (values(3, 3, 3), values(4, 3), 4)),
    "rnn without a trip": (rnn, RNN, (0, 1), lambda: (values(3, 3, 3), values(4, 3), 0)),
    "settle, a numpy scalar": (settle, SETTLE, 0, lambda: (np.float64(-0.7),)),
    "settle, an array": (settle, SETTLE_ARRAY, 0, settle_arguments),
    "settle, minus an array": (settle, SETTLE_ARRAY, 0, lambda: (-settle_arguments()[0] - 2,)),
    "jacobi": (jacobi, JACOBI, (1, 2), lambda: (4, values(5, 7), values(6, 7))),
    "jacobi without a step": (jacobi, JACOBI, (1, 2), lambda: (1, values(5, 7), values(6, 7))),
}
PARAMETERS = [pytest.param(*case, id=name) for name, case in CASES.items()]


def statements(text: str) -> list[str]:
    """The statements of a text, one line for each, the bodies of compound ones apart."""
    found = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]
    return [ast.unparse(node).partition("\n")[0] for node in found]


def comments(text: str) -> list[str]:
    lines = [line.strip() for line in text.splitlines()]
    return [line for line in lines if line.startswith("#")]


def executed(text: str) -> Callable[..., Any]:
    namespace: dict[str, Any] = {"np": np}
    exec(text, namespace)
    (function,) = (v for k, v in namespace.items() if k.endswith("_grad"))
    return function


def apart(args: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(a.copy() if isinstance(a, np.ndarray) else a for a in args)


@pytest.mark.parametrize(("function", "target", "wrt", "args"), PARAMETERS)
def test_as_short_as_by_hand(
    function: Callable[..., Any], target: str, wrt: Any, args: Callable[[], tuple[Any, ...]]
) -> None:
    text = grad(function, wrt=wrt).source(*args())
    ours, theirs = statements(text), statements(target)
    assert len(ours) <= len(theirs), f"{len(ours)} statements, by hand {len(theirs)}:\n{text}"


@pytest.mark.parametrize(("function", "target", "wrt", "args"), PARAMETERS)
def test_comments_are_the_users_lines(
    function: Callable[..., Any], target: str, wrt: Any, args: Callable[[], tuple[Any, ...]]
) -> None:
    text = grad(function, wrt=wrt).source(*args())
    assert comments(text) == comments(target)
    assert inspect.signature(executed(text)) == inspect.signature(executed(target))


@pytest.mark.parametrize(("function", "target", "wrt", "args"), PARAMETERS)
def test_the_same_numbers_as_by_hand(
    function: Callable[..., Any], target: str, wrt: Any, args: Callable[[], tuple[Any, ...]]
) -> None:
    by_hand = executed(target)(*apart(args()))
    ours = grad(function, wrt=wrt)(*args())
    if isinstance(wrt, int):
        by_hand, ours = (by_hand,), (ours,)
    for one, other in zip(ours, by_hand, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-13, atol=1e-15)
        assert np.shape(one) == np.shape(other)


@pytest.mark.parametrize(("function", "target", "wrt", "args"), PARAMETERS)
def test_contract(
    function: Callable[..., Any], target: str, wrt: Any, args: Callable[[], tuple[Any, ...]]
) -> None:
    check_gradients(function, *args())


def test_the_text_names_things_as_by_hand() -> None:
    text = grad(rnn, wrt=(0, 1)).source(*CASES["rnn"][3]())
    assert text.startswith("def rnn_grad(w, x, n, dy=1.0):\n")
    for line in ("x_tape = []", "x_tape.append(x)", "x = x_tape.pop()", "return dw, dx"):
        assert line in text
    text = grad(settle).source(np.float64(1.0))
    for line in ("trips = 0", "trips += 1", "positive = b.sum() > 0", "if positive:"):
        assert line in text
    text = grad(jacobi, wrt=(1, 2)).source(*CASES["jacobi"][3]())
    assert "A, B = A.copy(), B.copy()" in text
    assert "tape" not in text


def test_neuron() -> None:
    w, x = np.array([2.0, -3.0, -3.0]), np.array([-1.0, -2.0])
    value, (dw, dx) = value_and_grad(neuron, wrt=(0, 1))(w, x)
    assert value == pytest.approx(0.7310585786300049, rel=1e-15)
    right = [-0.19661193324148185, -0.3932238664829637, 0.19661193324148185]
    np.testing.assert_allclose(dw, right, rtol=1e-14)
    np.testing.assert_allclose(dx, [0.3932238664829637, -0.5898357997244456], rtol=1e-14)


@pytest.mark.parametrize(("a", "slope"), D2L)
@pytest.mark.parametrize("kind", [np.float64, np.float32, lambda a: np.array([a])])
def test_settle(kind: Callable[[float], Any], a: float, slope: float) -> None:
    x = kind(a)
    gradient = grad(settle)(x)
    assert gradient == slope
    assert np.asarray(gradient).dtype == x.dtype
    assert np.shape(gradient) == np.shape(x)
    value, pullback = vjp(settle, x)
    assert value == a * slope or x.dtype == np.float32
    assert pullback(value)[0] == value * slope or x.dtype == np.float32


def test_settle_for_an_array() -> None:
    np.testing.assert_array_equal(grad(settle)(np.ones(3)), [1024.0, 1024.0, 1024.0])
    np.testing.assert_array_equal(vjp(settle, np.ones(3))[1](np.arange(3.0)), [np.arange(3) * 1024])
