"""What the founding documents ask for, number by number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tangentish import (
    NotDifferentiable,
    adjoint,
    check_adjoint,
    check_grad,
    grad,
    is_training,
    stop_gradient,
    value_and_grad,
    vjp,
)

same = np.testing.assert_array_equal
close = np.testing.assert_allclose

# ------------------------------------------- 1. a derivative of one's own (an issue of MXNet)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


@adjoint(sigmoid)
def sigmoid_adjoint(dy, y, x):
    return dy * y * (1 - y)


def squared(x):
    y = sigmoid(x)
    z = y * y
    return z


def test_the_sigmoid_of_the_issue() -> None:
    x = np.array([1.0, 2.0, 3.0])
    close(grad(squared)(x), [0.28746968, 0.18495609, 0.08606823], rtol=0, atol=5e-9)
    narrow = grad(squared)(x.astype(np.float32))
    assert narrow.dtype == np.float32
    close(narrow, [0.28746966, 0.18495613, 0.08606823], rtol=0, atol=1e-7)
    assert "sigmoid_adjoint(" in grad(squared).source(x)
    assert check_adjoint(sigmoid, x).agrees


def test_a_rule_that_forgets_dy_is_caught_when_it_is_registered() -> None:
    def forgetful(x):
        return 1 / (1 + np.exp(-x))

    with pytest.raises(NotDifferentiable, match="never reads 'dy'"):

        @adjoint(forgetful)
        def rule(dy, y, x):
            return y * (1 - y)


def test_a_rule_that_is_right_for_a_head_of_ones_is_caught_by_a_random_one() -> None:
    def forgetful(x):
        return 1 / (1 + np.exp(-x))

    @adjoint(forgetful)
    def rule(dy, y, x):
        return dy**0 * y * (1 - y)

    x = np.array([1.0, 2.0, 3.0])
    close(grad(forgetful)(x), grad(sigmoid)(x))
    with pytest.raises(AssertionError):
        check_adjoint(forgetful, x)
    with pytest.raises(AssertionError):
        check_grad(forgetful, x)


# ------------------------------------------- 2. the chain rule on a neuron (CS231n)


def neuron(w, x):
    z = w[0] * x[0] + w[1] * x[1] + w[2]
    return 1 / (1 + np.exp(-z))


def test_the_neuron() -> None:
    w, x = np.array([2.0, -3.0, -3.0]), np.array([-1.0, -2.0])
    value, (dw, dx) = value_and_grad(neuron, wrt=("w", "x"))(w, x)
    assert value == neuron(w, x)
    close(value, 0.7310585786300049, rtol=1e-15)
    close(dw, [-0.19661193324148185, -0.3932238664829637, 0.19661193324148185], rtol=1e-14)
    close(dx, [0.3932238664829637, -0.5898357997244456], rtol=1e-14)


def test_the_neuron_from_lists() -> None:
    gradients = grad(neuron, wrt=("w", "x"))([2.0, -3.0, -3.0], [-1.0, -2.0])
    close(gradients[0], [-0.19661193324148185, -0.3932238664829637, 0.19661193324148185])
    close(gradients[1], [0.3932238664829637, -0.5898357997244456])


def layers(W, b, W1, b1, x):
    return sigmoid(W1 @ sigmoid(W @ x + b) + b1)


def test_two_layers() -> None:
    rng = np.random.default_rng(0)
    W, b, W1, b1 = (rng.normal(size=n) for n in ((4, 3), 4, (2, 4), 2))
    assert check_grad(layers, W, b, W1, b1, rng.normal(size=3)).agrees


# ------------------------------------------- 3. functions with forward and backward (minitorch)


def times_five(x):
    return x * 5


def times(x, y):
    return x * y


def plus_twice(x, y):
    return x + 2 * y


def square(x):
    return x**2


def composed(x, y):
    return square(plus_twice(times_five(x), times(x, y)))


def test_functions_of_one_and_two_arguments() -> None:
    assert grad(times_five)(3.0) == 5.0
    assert grad(times, wrt=(0, 1))(3.0, 4.0) == (4.0, 3.0)
    assert grad(plus_twice, wrt=(0, 1))(3.0, 4.0) == (1.0, 2.0)
    assert grad(square)(3.0) == 6.0
    inner = 5 * 3.0 + 2 * 3.0 * 4.0
    assert grad(composed, wrt=(0, 1))(3.0, 4.0) == (2 * inner * (5 + 8.0), 2 * inner * 6.0)
    assert grad(lambda x: square(times_five(x)))(3.0) == 150.0


def test_only_what_the_way_back_reads_is_saved() -> None:
    def linear(x):
        return plus_twice(times_five(x), x)

    text = grad(linear).source(2.0)
    assert "def times_five_forward(x):\n    return x * 5\n" in text
    assert "def times_five_adjoint(dy):" in text
    kept = vjp(square, 3.0)
    assert kept[0] == 9.0 and kept[1](1.0) == (6.0,)


# ------------------------------------------- 4. automatic differentiation (D2L 2.5, MXNet)

X = np.arange(4.0)


def test_the_first_gradients() -> None:
    def twice_the_dot(x):
        return 2 * np.dot(x, x)

    same(grad(twice_the_dot)(X), [0.0, 4.0, 8.0, 12.0])
    same(grad(twice_the_dot)(X), 4 * X)
    same(grad(lambda x: x.sum())(X), np.ones(4))


def test_a_vector_output_has_the_gradient_of_its_sum() -> None:
    def y(x):
        return x * x

    same(grad(y)(X), 2 * X)
    same(grad(lambda x: np.sum(x * x))(X), 2 * X)


def test_detached() -> None:
    def cut(x):
        u = stop_gradient(x * x)
        z = u * x
        return z

    def whole(x):
        y = x * x
        return y

    same(grad(cut)(X), X * X)
    same(grad(whole)(X), 2 * X)


def test_the_gradient_is_cut_at_an_intermediate_value() -> None:
    def f(x, y):
        u = x * y
        z = 5 * u - x
        return z

    same(grad(f, wrt=("x", "u", "y"))(1.0, 2.0), [-1.0, 5.0, 0.0])


def settle(a):
    b = a * 2
    while np.linalg.norm(b) < 1000:
        b = b * 2
    if b.sum() > 0:
        c = b
    else:
        c = 100 * b
    return c


SETTLED = {1.0: 1024.0, -1.0: 102400.0, 0.3: 4096.0, -2.5: 51200.0}


@pytest.mark.parametrize(("a", "slope"), SETTLED.items())
def test_control_flow(a: float, slope: float) -> None:
    number = np.float64(a)
    assert grad(settle)(number) == slope
    assert grad(settle)(number) == settle(number) / number


def test_control_flow_on_vectors_and_matrices() -> None:
    same(grad(settle)(np.ones(3)), np.full(3, 1024.0))
    for a in (np.array([0.3, -1.0, 2.0]), np.array([[1.0, -3.0], [0.5, 0.25]]), -np.ones((2, 2))):
        slope = settle(a) / a
        close(grad(settle)(a), slope)
        assert np.ptp(slope) == 0.0


def test_head_gradients() -> None:
    def y(x):
        return x * x

    head = np.array([1.0, 0.0, -2.0, 3.0])
    value, pull = vjp(y, X)
    same(value, X * X)
    same(pull(head)[0], 2 * X * head)
    same(pull(np.ones(4))[0], 2 * X)
    same(pull(head)[0], 2 * X * head)
    with pytest.raises(ValueError, match="shape"):
        pull(np.ones(3))
    with pytest.raises((TypeError, ValueError)):
        pull(1.0)


def test_head_gradients_of_several_outputs() -> None:
    def both(x, w):
        return x * w, np.sum(x)

    w = X + 1
    _, pull = vjp(both, X, w)
    for _ in range(2):
        dx, dw = pull((np.ones(4), 2.0))
        same(dx, w + 2)
        same(dw, X)
    dx, dw = pull((np.zeros(4), 1.0))
    same(dx, np.ones(4))
    same(dw, np.zeros(4))
    with pytest.raises((TypeError, ValueError)):
        pull((np.ones(4),))
    with pytest.raises((TypeError, ValueError)):
        pull((np.ones(3), 1.0))


def test_training_mode_and_prediction_mode() -> None:
    seen: list[bool] = []

    def f(x):
        seen.append(is_training())
        return np.sum(x * x) if is_training() else np.sum(x)

    assert f(X) == 6.0
    same(grad(f)(X), 2 * X)
    same(grad(f, training=False)(X), np.ones(4))
    with is_training(True):
        assert f(X) == 14.0
    assert seen == [False, True, False, True]


# ------------------------------------------- the six exercises


def test_exercise_1_a_second_derivative_costs_more() -> None:
    def f(x):
        return np.sum(np.sin(x) * x)

    first, second = grad(f).source(X), grad(grad(f)).source(X)
    assert first.count("np.") < second.count("np.")
    close(grad(grad(f))(X), 2 * np.cos(X) - X * np.sin(X))


def test_exercise_2_backward_twice() -> None:
    value, pull = vjp(lambda x: 2 * np.dot(x, x), X)
    assert value == 28.0
    same(pull(1.0)[0], 4 * X)
    same(pull(1.0)[0], 4 * X)


def test_exercise_3_control_flow_on_a_vector_or_matrix() -> None:
    rng = np.random.default_rng(1)
    for shape in ((3,), (2, 3)):
        assert check_grad(settle, rng.normal(size=shape)).agrees


def test_exercise_4_control_flow_of_ones_own() -> None:
    def newton(a):
        x = a
        while np.abs(x * x - a) > 1e-12 * a:
            x = (x + a / x) / 2
        return x

    close(grad(newton)(2.0), 0.5 / np.sqrt(2.0))


def test_exercise_5_the_derivative_of_the_sine() -> None:
    x = np.linspace(-3, 3, 7)
    close(grad(np_sin)(x), np.cos(x))


def np_sin(x):
    return np.sin(x)


def test_exercise_6_the_second_price_auction() -> None:
    def price(bids: Any) -> Any:
        return np.sort(bids)[-2]

    same(grad(price)(np.array([3.0, 7.0, 5.0, 1.0])), [0.0, 0.0, 1.0, 0.0])

    def by_loop(bids: Any) -> Any:
        first = second = -np.inf
        for bid in bids:
            if bid > first:
                first, second = bid, first
            elif bid > second:
                second = bid
        return second

    same(grad(by_loop)(np.array([3.0, 7.0, 5.0, 1.0])), [0.0, 0.0, 1.0, 0.0])
