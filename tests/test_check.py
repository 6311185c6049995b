"""`check_grad`: it finds wrong gradients, and only those."""

from __future__ import annotations

import numpy as np
import pytest

from tangentish import check, check_grad, differentiate
from tangentish.copies import copy_arguments


def smooth(w, x, n):
    return np.sum(np.tanh(w @ x) * n)


def mutate(x, y):
    x[0] = y[0] * y[1]
    x[1] *= y[1]


def vector(w):
    return np.exp(w) * 2.0


def pair(w):
    return np.sum(w**2), w * 2


W = np.array([[0.3, -0.2], [1.0, 0.4], [0.5, 0.1]])
X = np.array([0.7, -1.3])


def test_report():
    report = check_grad(smooth, W, X, 2)
    assert report.agrees
    assert [argument.name for argument in report.arguments] == ["w", "x"]
    assert all(argument.max_rel < 1e-8 for argument in report.arguments)
    assert "gradient of smooth() agrees with numeric derivatives" in str(report)
    assert "w            (3, 2)" in str(report)


def test_wrt():
    assert [a.name for a in check_grad(smooth, W, X, 2, wrt="x").arguments] == ["x"]
    with pytest.raises(TypeError, match="argument 'n'"):
        check_grad(smooth, W, X, 2, wrt="n")
    with pytest.raises(ValueError, match="no parameter 'q'"):
        check_grad(smooth, W, X, 2, wrt="q")


def test_procedures_vectors_and_several_outputs():
    x, y = np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0])
    assert check_grad(mutate, x, y).agrees
    np.testing.assert_array_equal(x, [1.0, 2.0, 3.0])
    assert check_grad(vector, y / 10).agrees
    assert check_grad(pair, y).agrees
    assert check_grad(vector, 0.5).agrees


def test_float32():
    report = check_grad(vector, np.array([0.5, -0.25], np.float32))
    assert report.agrees
    assert report.arguments[0].max_abs < 1e-2


def test_methods_and_decorated_functions():
    class Model:
        @differentiate
        def loss(self, x):
            return np.sum(x**2)

    report = check_grad(Model().loss, X)
    assert [argument.name for argument in report.arguments] == ["x"]
    assert check_grad(differentiate(vector), X).agrees


def test_wrong_number_of_arguments():
    with pytest.raises(TypeError, match=r"missing 1 required positional argument: 'n'"):
        check_grad(smooth, W, X)


def with_wrong_pullback(monkeypatch, spoil):
    real = check._Probe.gradients
    monkeypatch.setattr(
        check._Probe, "gradients", lambda self, rng: tuple(map(spoil, real(self, rng)))
    )


def test_a_wrong_element_is_named(monkeypatch):
    def spoil(gradient):
        if isinstance(gradient, np.ndarray) and gradient.shape == W.shape:
            gradient[2, 1] += 1e-3
        return gradient

    with_wrong_pullback(monkeypatch, spoil)
    with pytest.raises(AssertionError) as caught:
        check_grad(smooth, W, X, 2)
    text = str(caught.value)
    assert "the derivative with respect to w[2, 1] is" in text
    assert "DISAGREES" in text
    assert "BAD w" in text
    assert "ok  x" in text


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_what_is_not_finite_is_wrong(monkeypatch, wrong):
    with_wrong_pullback(monkeypatch, lambda g: g if g is None else g * wrong)
    with pytest.raises(AssertionError):
        check_grad(smooth, W, X, 2)


def test_a_kink_nearby_is_no_mismatch():
    def kinked(x):
        return np.sum(np.abs(x))

    assert check_grad(kinked, np.array([1e-4, -2e-4, 1.0])).agrees


def test_arguments_that_share_memory_count_apart():
    def product(x, y):
        return np.sum(x * y)

    assert check_grad(product, X, X).agrees


def test_empty_arguments():
    def total(x, y):
        return np.sum(x) + y

    assert check_grad(total, np.zeros(0), 1.0).agrees


def test_copies_keep_strides_and_sharing():
    base = np.arange(12.0).reshape(3, 4)
    args = (base, base[::-1, 1:], base.T, {"a": base[0]}, np.arange(3.0), base[:, ::2].copy("F"))
    copies = copy_arguments(args)
    for original, copied in zip(args, copies, strict=True):
        if isinstance(original, dict):
            original, copied = original["a"], copied["a"]
        np.testing.assert_array_equal(original, copied)
        assert original.strides == copied.strides
        assert not np.may_share_memory(original, copied)
    copies[0][0, 0] = 100.0
    assert copies[2][0, 0] == copies[3]["a"][0] == 100.0
    assert copies[1][2, 0] == 1.0
    assert base[0, 0] == 0.0
