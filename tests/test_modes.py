"""Training mode: `is_training()` in plain calls, in derivatives, in what they call."""

from __future__ import annotations

import pickle
import threading
import types
from typing import Any

import numpy as np
import pytest

import tangentish
from tangentish import (
    NotDifferentiable,
    adjoint,
    check_grad,
    differentiate,
    grad,
    hessian,
    hvp,
    is_training,
    jacobian,
    jvp,
    value_and_grad,
    vjp,
)
from tangentish.export import Request, exported

X = np.array([1.0, 2.0, 3.0])
MASK = np.array([1.0, 0.0, 1.0])


def dropout(x, rate=0.5):
    if not is_training():
        return x
    return x * MASK / (1 - rate)


def net(x):
    return np.sum(dropout(x) ** 2)


ON, OFF = np.array([8.0, 0.0, 24.0]), 2 * X


def test_plain_calls() -> None:
    assert is_training() is False
    assert net(X) == 14.0
    with is_training(True):
        assert is_training() is True
        assert net(X) == 40.0
        with is_training(False):
            assert net(X) == 14.0
        assert is_training() is True
    assert is_training() is False
    with pytest.raises(ZeroDivisionError), is_training(True):
        1 / 0
    assert is_training() is False


def test_derivatives_are_taken_in_training_mode_unless_asked_otherwise() -> None:
    np.testing.assert_array_equal(grad(net)(X), ON)
    np.testing.assert_array_equal(grad(net, training=False)(X), OFF)
    assert value_and_grad(net)(X)[0] == 40.0
    assert value_and_grad(net, training=False)(X)[0] == 14.0
    with is_training(False):
        np.testing.assert_array_equal(grad(net)(X), ON)
    assert is_training() is False


def test_every_operator_takes_the_option() -> None:
    np.testing.assert_array_equal(np.diag(hessian(net)(X)), [8.0, 0.0, 8.0])
    np.testing.assert_array_equal(np.diag(hessian(net, training=False)(X)), [2.0, 2.0, 2.0])
    np.testing.assert_array_equal(hvp(net, training=False)(X, X), 2 * X)
    np.testing.assert_array_equal(jacobian(dropout, training=False)(X), np.eye(3))
    np.testing.assert_array_equal(jacobian(dropout)(X), np.diag(2 * MASK))
    assert jvp(net, (X,), (X,))[1] == ON @ X
    assert jvp(net, (X,), (X,), training=False)[1] == OFF @ X
    np.testing.assert_array_equal(grad(grad(net, training=False))(X), [2.0, 2.0, 2.0])
    np.testing.assert_array_equal(grad(grad(net), training=False)(X), [2.0, 2.0, 2.0])


def test_the_decorator_takes_the_option() -> None:
    loss = differentiate(training=False)(net)
    assert loss(X) == 14.0
    np.testing.assert_array_equal(loss.grad(X), OFF)
    np.testing.assert_array_equal(loss.vjp(X)[1](1.0)[0], OFF)
    np.testing.assert_array_equal(vjp(loss, X)[1](1.0)[0], OFF)
    np.testing.assert_array_equal(grad(loss)(X), OFF)
    np.testing.assert_array_equal(grad(loss, training=True)(X), ON)
    assert loss.jvp((X,), (X,))[0] == 14.0
    assert check_grad(loss, X).agrees
    assert check_grad(net, X).agrees
    again = pickle.loads(pickle.dumps(grad(net, training=False)))
    np.testing.assert_array_equal(again(X), OFF)


def test_methods_keep_the_mode() -> None:
    class Model:
        @differentiate(training=False)
        def loss(self, x):
            return net(x)

    np.testing.assert_array_equal(Model().loss.grad(X), OFF)
    np.testing.assert_array_equal(grad(Model().loss)(X), OFF)
    np.testing.assert_array_equal(grad(Model().loss, training=True)(X), ON)


def test_it_is_no_keyword_of_the_call() -> None:
    def scaled(x, training=3.0):
        return np.sum(x) * training

    np.testing.assert_array_equal(grad(scaled)(X, training=2.0), [2.0, 2.0, 2.0])
    with pytest.raises(TypeError, match="training"):
        grad(net)(X, training=False)


def test_the_source_shows_which_was_taken() -> None:
    on, off = grad(net).source(X), grad(net, training=False).source(X)
    assert "MASK" in on and "MASK" not in off
    assert "is_training" not in on and "is_training" not in off

    def chosen(x, rate):
        y = x * MASK if is_training() and rate > 0 else x
        return y * (2.0 if not tangentish.is_training() else 3.0)

    source = grad(chosen).source(X, 0.5)
    assert "if rate > 0:" in source and "training" not in source.replace("# y = ", "").split("#")[0]
    np.testing.assert_array_equal(grad(chosen)(X, 0.5), 3 * MASK)
    np.testing.assert_array_equal(grad(chosen, training=False)(X, 0.5), [2.0, 2.0, 2.0])


# ------------------------------------------------------------------------------ what is called


def factor():
    return 3.0 if is_training() else 1.0


def by_default(scale=factor):
    return scale()


class Scale:
    def factor(self):
        return factor()


SCALE = Scale()
TABLE = {"factor": factor}


def helper(x):
    return np.sum(x) * factor()


def helper_by_default(x):
    return np.sum(x) * by_default()


def by_method(x):
    return np.sum(x) * SCALE.factor()


def from_a_table(x):
    return np.sum(x) * TABLE["factor"]()


def mapped(x):
    found = [*map(lambda f: f(), [factor, factor])]
    return np.sum(x) * found[1]


def renamed(x):
    ask = is_training
    return np.sum(x) * (3.0 if ask() else 1.0)


def nested(x):
    def inner(z):
        return z * (3.0 if is_training() else 1.0)

    return np.sum(inner(x))


def of_lambda(x):
    inner = lambda z: z * 3.0 if is_training() else z
    return np.sum(inner(x))


def vectorised(x):
    weight = np.vectorize(lambda _: factor())(np.ones(3))
    return np.sum(x * weight)


def looped(x):
    n = 0
    while n < 3 and (is_training() or n < 1):
        n += 1
    return np.sum(x) * n


CALLERS = [
    helper,
    helper_by_default,
    by_method,
    from_a_table,
    mapped,
    renamed,
    nested,
    of_lambda,
    vectorised,
    looped,
]


@pytest.mark.parametrize("f", CALLERS, ids=lambda f: f.__name__)
def test_it_reaches_whatever_is_called(f: Any) -> None:
    assert f(X) == 6.0
    np.testing.assert_array_equal(grad(f)(X), [3.0, 3.0, 3.0])
    np.testing.assert_array_equal(grad(f, training=False)(X), [1.0, 1.0, 1.0])
    with is_training(True):
        assert value_and_grad(f)(X)[0] == f(X)
        np.testing.assert_array_equal(grad(f, training=False)(X), [1.0, 1.0, 1.0])
    np.testing.assert_array_equal(vjp(f, X)[1](1.0)[0], [3.0, 3.0, 3.0])
    assert jvp(f, (X,), (X,)) == (18.0, 18.0)
    assert jvp(f, (X,), (X,), training=False) == (6.0, 6.0)
    assert check_grad(f, X).agrees


def test_it_reaches_rules_of_ones_own() -> None:
    def f(x):
        return x * factor()

    @adjoint(f)
    def f_adjoint(dy, y, x):
        return dy * factor()

    def loss(x):
        return np.sum(f(x))

    np.testing.assert_array_equal(grad(loss)(X), [3.0, 3.0, 3.0])
    np.testing.assert_array_equal(grad(loss, training=False)(X), [1.0, 1.0, 1.0])
    np.testing.assert_array_equal(vjp(loss, X)[1](1.0)[0], [3.0, 3.0, 3.0])


@pytest.mark.parametrize("f", [helper, nested], ids=lambda f: f.__name__)
def test_an_exported_gradient_is_that_of_training_mode(f: Any) -> None:
    module: Any = types.ModuleType("exported")
    exec(exported(Request(f, (X,), 0, [])), vars(module))
    same = np.testing.assert_array_equal
    same(getattr(module, f"{f.__name__}_grad")(X), [3.0, 3.0, 3.0])
    assert getattr(module, f"{f.__name__}_value_and_grad")(X)[0] == 18.0


def attribute(x):
    return np.sum(x) * asked_by_attribute()


def asked_by_attribute():
    return 3.0 if tangentish.is_training() else 1.0


def test_an_exported_helper_asks_by_attribute() -> None:
    module: Any = types.ModuleType("exported")
    exec(exported(Request(attribute, (X,), 0, [])), vars(module))
    np.testing.assert_array_equal(module.attribute_grad(X), [3.0, 3.0, 3.0])


def test_threads_have_modes_of_their_own() -> None:
    seen: list[bool] = []
    with is_training(True):
        thread = threading.Thread(target=lambda: seen.append(is_training()))
        thread.start()
        thread.join()
    assert seen == [False]


def test_the_mode_is_not_changed_inside() -> None:
    def f(x):
        with is_training(False):
            y = dropout(x)
        return np.sum(y)

    with pytest.raises(NotDifferentiable, match="the mode of a derivative is an option of it") as e:
        grad(f)(X)
    assert e.value.text is not None and "is_training(False)" in e.value.text


def test_arguments_in_the_place_of_the_mode() -> None:
    """Who knows another library may give the arguments at once."""
    x = np.array([0.5, 2.0])
    with pytest.raises(TypeError, match=r"not a value of type ndarray: .* hvp\(f\)\(x, v\)"):
        hvp(lambda t: np.sum(t**3), 0, x)  # type: ignore[arg-type]
