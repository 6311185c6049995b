"""Rules of one's own in every mode: in gradients, tangents, second derivatives, and in gradients that are taken inside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numeric import assert_close, numeric_gradient
from scipy import special
from test_refusals import function_of

from tangentish import adjoint, check_adjoint, grad, hvp, jvp, vjp

Function = Callable[..., Any]

X, W = np.array([0.3, 0.7, -1.1]), np.array([1.2, -0.4, 0.8])
V = np.array([1.0, -0.5, 0.3])

# ------------------------------------------------------------------------------ functions and their rules


def turned(x, w):
    return np.sin(x * w), np.cos(x * w)


def turned_saving(x, w):
    s, c = np.sin(x * w), np.cos(x * w)
    return (s, c), {"s": s, "c": c}


@adjoint(turned, forward=turned_saving)
def turned_adjoint(dy, y, saved, x, w):
    ds, dc = dy
    d = ds * saved["c"] - dc * saved["s"]
    return d * w, d * x


def with_a_count(x, w):
    return x * w, len(x), np.sum(x)


def with_a_count_saving(x, w):
    return (x * w, len(x), np.sum(x)), None


@adjoint(with_a_count, forward=with_a_count_saving)
def with_a_count_adjoint(dy, y, saved, x, w):
    return dy[0] * w + dy[2], dy[0] * x


def product(x, w):
    return x * w


@adjoint(product)
def product_adjoint(dy, y, *args):
    return [dy * args[1], dy * args[0]]


def squares(*xs):
    return sum(x**2 for x in xs)


@adjoint(squares)
def squares_adjoint(dy, y, *xs):
    return tuple(2 * dy * x for x in xs)


def cubes(*xs):
    return sum(np.sum(x**3) for x in xs)


@adjoint(cubes)
def cubes_adjoint(dy, y, *xs):
    gradients = []
    for x in xs:
        gradients.append(3 * dy * x**2)
    return gradients


def square(x):
    return x * x


@adjoint(square)
def square_adjoint(dy, y, x):
    return 2 * dy * x


@adjoint(special.sici)  # a function without source
def sici_adjoint(dy, y, x):
    return dy[0] * np.sin(x) / x + dy[1] * np.cos(x) / x


# ------------------------------------------------------------------------------ what is differentiated


def of_turned(x, w):
    s, c = turned(x, w)
    return np.sum(s * c * x)


def of_one_of_turned(x, w):
    return np.sum(turned(x, w)[1] ** 2)


def of_a_pair(x, w):
    pair = turned(x, w)
    return np.sum(pair[0] * w) + pair[1][0] ** 2


def of_a_count(x, w):
    y, n, total = with_a_count(x, w)
    return np.sum(y**2) * n + total**2


def of_product(x, w):
    return np.sum(product(x, w) ** 2)


def of_squares(x, w):
    return np.sum(squares(x, w) ** 2)


def of_lists_of_other_lengths(x, w):
    return cubes(x, w[:2]) ** 2


def of_square(x, w):
    return np.sum(square(x * w) * x)


def of_sici(x, w):
    s, c = special.sici(x + 2)
    return np.sum(s * c * w) + special.sici(x[1] + 1)[1] ** 2


FUNCTIONS = [
    of_sici,
    of_turned, of_one_of_turned, of_a_pair, of_a_count, of_product, of_squares, of_lists_of_other_lengths,
    of_square,
]  # fmt: skip


def inside(f: Function) -> Function:
    text = "def f(x, w):\n    dx, dw = g(x, w)\n    return np.sum(dx * w) + np.sum(dw**2)\n"
    return function_of(text, g=grad(f, wrt=("x", "w")))


@pytest.mark.parametrize("f", FUNCTIONS)
@pytest.mark.parametrize("wrt", [0, 1])
def test_gradients_tangents_and_second_derivatives(f: Function, wrt: int) -> None:
    gradient = grad(f, wrt=wrt)
    numeric = numeric_gradient(f, (X, W), wrt, 1.0)
    assert_close(gradient(X, W), numeric, f.__name__)
    moving = [None, None]
    moving[wrt] = V
    assert_close(jvp(f, (X, W), tuple(moving))[1], np.sum(numeric * V), f.__name__)

    def slope(x, w):
        return np.sum(gradient(x, w) * V)

    second = numeric_gradient(slope, (X, W), wrt, 1.0)
    assert_close(hvp(f, wrt=wrt)(X, V, W) if wrt == 0 else grad(slope, wrt=1)(X, W), second, "")


@pytest.mark.parametrize("f", FUNCTIONS)
def test_gradients_inside_of_a_function(f: Function) -> None:
    outer = inside(f)
    for wrt in (0, 1):
        numeric = numeric_gradient(outer, (X, W), wrt, 1.0)
        assert_close(grad(outer, wrt=wrt)(X, W), numeric, f.__name__)
        moving = (V, None) if wrt == 0 else (None, V)
        assert_close(jvp(outer, (X, W), moving)[1], np.sum(numeric * V), f.__name__)


@pytest.mark.parametrize("f", [turned, with_a_count, product, squares, cubes, square, special.sici])
def test_the_rules_hold(f: Function) -> None:
    args = (X**2,) if f in (square, special.sici) else (X, W)
    assert check_adjoint(f, *args).agrees


def test_several_results_are_taken_with_what_was_saved() -> None:
    assert "= turned_saving(x, w)\n" in grad(of_turned).source(X, W)
    _, pull = vjp(turned, X, W)
    ones, zeros = np.ones_like(X), np.zeros_like(X)
    assert_close(pull((ones, zeros))[0], np.cos(X * W) * W, "")
    assert_close(pull((zeros, ones))[1], -np.sin(X * W) * X, "")


@pytest.mark.parametrize(
    ("returned", "error", "said"),
    [
        ("None, dy * a", TypeError, "is None, though a derivative is wanted"),
        ("np.sum(dy) * b[0], dy * a", ValueError, r"has the shape \(\), its argument has \(3,\)"),
        (
            "[dy * v for v in (a, b, a)]",
            (TypeError, ValueError),
            "a rule gives 2 gradients, .* not 3|too many values to unpack",
        ),
    ],
)
def test_what_rules_give_is_looked_at_inside_of_a_function_too(
    returned: str, error: Any, said: str
) -> None:
    f = function_of("def f(a, b):\n    return a * b\n")
    adjoint(f)(function_of(f"def f(dy, y, a, b):\n    return {returned}\n"))
    loss = function_of("def f(a, b):\n    return np.sum(g(a, b) ** 2)\n", g=f)
    outer = function_of("def f(a, b):\n    return np.sum(g(a, b))\n", g=grad(loss))
    for gradient in (grad(loss), grad(outer)):
        with pytest.raises(error, match=said):
            gradient(X, W)


# ------------------------------------------------------------------------------ functions without source


def without_source(text: str) -> Function:
    """The function `f` of a text that nobody can read again, as one of a compiled package."""
    names: dict[str, Any] = {"np": np}
    exec(text, names)
    return names["f"]


waves = without_source("def f(x):\n    return np.sin(x), np.cos(x)\n")
summary = without_source("def f(x, w):\n    return x * w, float(np.sum(x)), len(x)\n")


@adjoint(waves)
def waves_adjoint(dy, y, x):
    return dy[0] * y[1] - dy[1] * y[0]


@adjoint(summary)
def summary_adjoint(dy, y, x, w):
    return dy[0] * w + dy[1], dy[0] * x


def of_waves(x, w):
    s, c = waves(x * w)
    return np.sum(s * c**2)


def of_one_wave(x, w):
    [s, _] = waves(x)
    return np.sum(s * w)


def of_waves_by_name(x, w):
    both = waves(x)
    s, c = both
    return np.sum(s * c**2 * w)


def of_summary(x, w):
    scaled, total, n = summary(x, w)
    if n > 1:
        scaled = scaled * total
    return np.sum(scaled**2) / n + total


def of_summary_again(x, w):
    for _ in range(3):
        x, total, n = summary(x, w)
        x = x + total / n
    return np.sum(x * w) * total


UNREAD = [
    of_waves, of_one_wave, of_waves_by_name, of_summary, of_summary_again,
]  # fmt: skip


@pytest.mark.parametrize("f", UNREAD)
def test_several_results_of_functions_without_source(f: Function) -> None:
    for wrt in (0, 1):
        numeric = numeric_gradient(f, (X, W), wrt, 1.0)
        assert_close(grad(f, wrt=wrt)(X, W), numeric, f.__name__)
        moving = (V, None) if wrt == 0 else (None, V)
        value, tangent = jvp(f, (X, W), moving)
        assert_close(value, f(X, W), f.__name__)
        assert_close(tangent, np.sum(numeric * V), f.__name__)
        assert grad(f, wrt=wrt)(X.astype("f4"), W.astype("f4")).dtype == np.dtype("f4")


@pytest.mark.parametrize("f", [of_waves, of_one_wave])
def test_second_derivatives_of_functions_without_source(f: Function) -> None:
    def along(x):
        return grad(f)(x, W) @ V

    assert_close(hvp(f)(X, V, W), numeric_gradient(along, (X,), 0, 1.0), f.__name__)


def test_a_compiled_function_is_read() -> None:
    numba = pytest.importorskip("numba")

    @numba.njit
    def rates(x, w):
        return np.array([x[1] * w, -x[0]])

    @adjoint(rates)
    def rates_adjoint(dy, y, x, w):
        return np.array([-dy[1], dy[0] * w]), dy[0] * x[1]

    def f(x, w):
        a, b = rates(x, w)
        return a * b

    x = np.array([0.3, 0.7])
    assert_close(grad(f)(x, 2.0), numeric_gradient(f, (x, 2.0), 0, 1.0), "")


def test_a_result_that_is_a_view_of_what_does_not_move() -> None:
    f = function_of("def f(x, w):\n    return x[::2], w[::2]\n")
    rule = "def f(dy, y, x, w):\n    dx, dw = 0 * x, 0 * w\n    dx[::2], dw[::2] = dy\n    return dx, dw\n"
    adjoint(f)(function_of(rule))
    loss = function_of("def f(x, w):\n    a, b = g(x, w)\n    return np.sum(a * b)\n", g=f)
    assert_close(grad(loss)(X, W), W * [1, 0, 1], "")
    assert_close(jvp(loss, (X, W), (V, None))[1], np.sum((V * W)[::2]), "")


def cubed_product(x, y):
    return x * y**3


@adjoint(cubed_product)
def cubed_product_adjoint(dz, z, x, y):
    gradients = []
    for factor in (y**3, 3 * x * y**2)[: 2 if np.sum(x) < 100 else 1]:
        gradients.append(dz * factor)
    return gradients


def test_gradients_in_a_list_that_a_rule_fills() -> None:
    def inner(x):
        return np.sum(cubed_product(x, 2 * x) * x)

    def outer(x):
        return np.sum(grad(inner)(x) ** 2)

    assert_close(grad(outer)(X), numeric_gradient(outer, [X], 0, 1.0), "second order")
    with pytest.raises(ValueError, match="not enough values to unpack"):
        grad(outer)(X + 100)
