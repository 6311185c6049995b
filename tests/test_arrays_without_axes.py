"""Numbers and arrays without axes: which of them NumPy gives decides whether `b = a; a -= v` changes `b`, too.

Forward mode has it the other way round: the tangent of a number must be one, or it is written to under another name.
"""

from __future__ import annotations

import linecache
from typing import Any

import numpy as np
import pytest
from lessons import Lesson, Lessons, check_lesson
from numeric import numeric_gradient

from tangentish import grad, hvp, jvp, vjp

lesson = Lessons()


def number() -> tuple[Any, ...]:
    return np.array([0.4, 0.7, -0.3]), np.float64(0.6)


def without_axes() -> tuple[Any, ...]:
    return np.array([0.4, 0.7, -0.3]), np.array(0.6)


def narrow() -> tuple[Any, ...]:
    return np.array([0.4, 0.7, -0.3], np.float32), np.float32(0.6)


@lesson("numbers", number, without_axes, narrow)
def copy_of_a_number(x, z):
    s = x[1].copy()
    before = s
    s -= z * x[0]
    return s * before * z


@lesson("numbers", number, without_axes, narrow)
def product_with_one(x, z):
    s = z * 1.0
    before = s
    s -= z * x[0]
    s += before
    return s * before * np.sum(x)


@lesson("numbers", number, without_axes)
def conjugate(x, z):
    s = np.conj(z)
    before = s
    s += x[1] * x[0]
    return s * before


@lesson("numbers", number, without_axes)
def rounded_and_added(x, z):
    s = np.round(z) + z
    before = s
    s *= x[1]
    s -= x[0] * z
    return s * before


@lesson("numbers", number, without_axes)
def broadcast_and_added(x, z):
    s = np.broadcast_to(z, ()) + 0.0
    before = s
    s += x[1] * x[0]
    return s * before


@lesson("numbers", number, narrow)
def reshaped_number(x, z):
    s = np.reshape(x[1], ())
    before = s
    s -= z * x[0]
    return s * before


@lesson("numbers", number, without_axes)
def one_or_the_other_times_one(x, z):
    a = z if np.sum(x) > 0 else x[0]
    s = a * 1.0
    before = s
    for k in range(2):
        s += x[k] * 0.3
    return s * before * a


@lesson("arrays", number, without_axes, narrow)
def expanded(x, z):
    a = np.expand_dims(x[1], 0)
    b = a
    a *= np.sum(x) * z
    return np.sum(a * b) + np.sum(b)


@lesson("arrays", number, without_axes, narrow)
def expanded_list(x, z):
    a = np.expand_dims([x[1], x[2]], 0)
    b = a
    a[0] *= np.sum(x) * z
    return np.sum(a * b) + np.sum(b)


@lesson("arrays", number, without_axes)
def transposed_list(x, z):
    a = np.transpose([[x[1], x[2]], [x[0], z * x[0]]])
    b = a
    a[0] *= np.sum(x) * z
    return np.sum(a * b[0])


@lesson("arrays", number, narrow)
def chosen(x, z):
    pairs = []
    pairs.append((x[1], 0.5))
    s = sum(e for e, w in pairs)
    a = np.where(s > 0.1, s, x[2])
    b = a
    a *= np.sum(x) * z
    t = a, b * x[1]
    return sum(e for e in t)


@lesson("arrays", number, narrow)
def chosen_and_joined(x, z):
    a = np.where(x[0] > 0.1, x[1], x[2])
    a *= np.sum(x) * z
    return sum([a, x[1]])


@lesson("arrays", number, without_axes)
def in_columns(x, z):
    a = np.asfortranarray(z)
    b = a
    a = a * x[1]
    return np.sum(a * b)


@lesson("arrays", number)
def sorted_number(x, z):
    a = np.sort(z, axis=None)
    b = a
    a *= np.sum(x)
    return np.sum(a * b)


@lesson("arrays", number, without_axes, narrow, lambda: (np.array([0.4, 0.7, -0.3]), 0.6))
def given_as_it_came(x, z):
    s = z * 1.0
    t = 0.0
    for i in range(3):
        a = np.atleast_1d(s)
        b = a * x
        t = t + np.sum(b) * np.sum(a)
        s = s + np.sum(b)
    return np.atleast_1d(s)


def test_a_head_gradient_is_left_as_it_was() -> None:
    """The gradient of a number was a view of that of the array made of it, and more was added to it."""

    def summed(z: float) -> Any:
        s = np.expand_dims(z, 0)
        for _ in range(2):
            z = z + np.sum(np.atleast_1d(z))
            s = s * z
        return np.atleast_1d(z)

    _, pullback = vjp(summed, 0.6)
    head = np.array([2.0])
    assert pullback(head) == pullback(head)
    assert head == 2.0


def test_methods_of_numbers_of_numpy() -> None:
    """In forward mode they are functions, for a tangent may be a number of Python: x.reshape(1, 1) has its shape in one."""

    def reshaped(z):
        return np.sum(
            z.reshape(1, 1) ** 2 * np.ones(3) + z.reshape(-1, 1, order="F") * z.reshape((1,))
        )

    z = np.float64(0.7)
    assert jvp(reshaped, (z,), (z,))[1] == pytest.approx(12 * z * z)
    assert hvp(reshaped)(z, z) == pytest.approx(12 * z)
    assert grad(reshaped)(z) == pytest.approx(12 * z)


@lesson("arrays", number, without_axes)
def where_of_what_may_be_either(x, z):
    held = [z]
    held[0] = np.where(x[1] > 0.4, x[1], x[2])
    s = np.where(x[1] > 0.4, held[0], x[0])
    before = s
    s *= x[2]
    return s + before


MAKERS = """
    np.ascontiguousarray(z) np.asfortranarray(z) np.ravel(z) np.reshape(z,1) np.atleast_1d(z) np.expand_dims(z,0)
    np.sort(z,axis=None) np.array(z,ndmin=1) np.tile(z,2) np.repeat(z,2) np.full(3,z) np.cumsum(z) np.linspace(z,1.0,3)
    np.diagflat(z) np.resize(z,(2,)) np.insert(np.ones(2),0,z) np.roll(z,1) np.take(z,0) np.squeeze(z) np.copy(z)
""".split()


@pytest.mark.parametrize("maker", MAKERS)
def test_numbers_for_numbers_and_arrays_for_arrays(maker: str) -> None:
    text = f"def f(z):\n    a = {maker}\n    return np.sum(a * a)\n"
    filename = f"<made by {maker}>"
    linecache.cache[filename] = len(text), None, text.splitlines(True), filename
    names: dict[str, Any] = {"np": np}
    exec(compile(text, filename, "exec"), names)
    for z in (0.6, np.float64(0.6), np.float32(0.6), np.array(0.6)):
        gradient = grad(names["f"])(z)
        assert isinstance(gradient, np.ndarray) == isinstance(z, np.ndarray)
        assert np.asarray(gradient).dtype == np.asarray(z).dtype
        slope = (names["f"](0.6 + 1e-6) - names["f"](0.6 - 1e-6)) / 2e-6
        np.testing.assert_allclose(gradient, slope, rtol=1e-6)


@pytest.mark.parametrize("one", lesson.cases)
def test_lesson(one: Lesson) -> None:
    check_lesson(one)


class Remembering:
    def __init__(self, weights: Any, shift: Any) -> None:
        self.weights = weights
        self.shift = shift
        self.outputs: list[Any] = []

    def __call__(self, x: Any) -> Any:
        y = np.tanh(self.weights * x + self.shift)
        self.outputs.append(y)
        return y


def after_a_sum_of_nothing(x):
    layer = Remembering(x * x[1], x[1])
    before = sum(y for y in layer.outputs) + layer.weights[0]
    after = np.sum(layer(np.array([0.3, 1.1, 0.7]))) + layer.shift
    return after + before


def test_heads_of_results_of_which_it_is_not_known_whether_they_are_arrays() -> None:
    """A zero that is handed on for one of two results is not added to in place."""
    x, v = np.array([0.7, -1.3, 0.4]), np.array([0.3, 0.9, -0.4])
    gradient, h = grad(after_a_sum_of_nothing), 1e-6
    wanted = (gradient(x + h * v) - gradient(x - h * v)) / (2 * h)
    np.testing.assert_allclose(hvp(lambda x: after_a_sum_of_nothing(x))(x, v), wanted, rtol=1e-5)


def updated_twice(x, y, chosen):
    s = x[0]
    if chosen:
        s = np.where(x[1] > 0, x[2], x[0])
    s += 0.5
    s *= y.sum()
    s -= y[0] * s
    return s


def updated_under_two_names(x, y, chosen):
    s = np.asarray(x[0]) if chosen else x[0]
    s += 0.5
    t = s
    s *= y[0]
    return s * t


def updated_in_a_loop(x, y, chosen):
    s = np.where(x[1] > 0, x[2], x[0]) if chosen else 0.3
    for v in y:
        s *= v
        s += x[1]
    return s * s


@pytest.mark.parametrize("function", [updated_twice, updated_under_two_names, updated_in_a_loop])
@pytest.mark.parametrize("chosen", [True, False])
def test_what_may_be_an_array_of_no_axes_may_be_one_after_an_update(
    function: Any, chosen: bool
) -> None:
    x, y = np.array([-0.845, 0.713, -0.947]), np.array([-0.351, -0.425, 1.003])
    _, pullback = vjp(function, x, y, chosen)
    for _ in range(2):
        for k, got in enumerate(pullback(1.0)[:2]):
            right = numeric_gradient(function, (x, y, chosen), k, 1.0)
            np.testing.assert_allclose(got, right, rtol=1e-5, atol=1e-8)
    right = numeric_gradient(function, (x, y, chosen), 1, 1.0)
    np.testing.assert_allclose(grad(function, wrt=1)(x, y, chosen), right, rtol=1e-5, atol=1e-8)
