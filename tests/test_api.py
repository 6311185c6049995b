"""The public functions: what they take, how they bind, what they refuse and say."""

from __future__ import annotations

import collections
import copy
import functools
import inspect
import pickle
import sys
from typing import Any

import cloudpickle
import numpy as np
import pytest

import tangentish
from tangentish import differentiate, grad, value_and_grad, vjp


@differentiate
def loss(w, b=2.0, *, scale=1.0):
    """The loss of w."""
    return np.sum(w**2) * b * scale


def plain(w, x, n):
    return np.sum(w * x) * n


def two(w):
    return np.sum(w**2), w * 2


def shift(x, y):
    x[0] = y[1] * x[1]
    x[1] = x[0] * 2.0
    return np.sum(x * y)


class Model:
    rate = 3.0

    def __init__(self, scale):
        self.scale = scale

    @differentiate
    def loss(self, x, y=1.0):
        return np.sum(x**2) * y

    @differentiate(wrt=("y", "x"))
    def named(self, x, y):
        return np.sum(x**2) * y

    @differentiate(wrt=1)
    def second(self, x, y):
        return np.sum(x**2) * y

    @differentiate
    @staticmethod
    def inner_static(x):
        return x**2

    @staticmethod
    @differentiate
    def outer_static(x):
        return x**2

    @differentiate
    @classmethod
    def inner_class(cls, x):
        return x**2 * 3.0

    @classmethod
    @differentiate
    def outer_class(cls, x):
        return x**2 * 3.0

    def plain(self, x, y):
        return np.sum(x**2) * y


W = np.array([1.0, 2.0, 3.0])


# ------------------------------------------------------------------------------ the decorator


def test_the_function_stays_what_it_was():
    assert loss(W) == 28.0
    assert loss(W, 3.0, scale=2.0) == 84.0
    assert loss.__name__ == "loss"
    assert loss.__doc__ == "The loss of w."
    assert loss.__module__ == __name__
    assert list(inspect.signature(loss).parameters) == ["w", "b", "scale"]
    assert inspect.signature(loss.grad) == inspect.signature(loss)


def test_gradients():
    np.testing.assert_array_equal(loss.grad(W), 4 * W)
    np.testing.assert_array_equal(loss.grad(W, b=1.0), 2 * W)
    np.testing.assert_array_equal(loss.grad(w=W, scale=3.0), 12 * W)
    value, gradient = loss.value_and_grad(W, 3.0)
    assert value == loss(W, 3.0)
    np.testing.assert_array_equal(gradient, 6 * W)
    value, pullback = loss.vjp(W, 3.0)
    assert value == loss(W, 3.0)
    for _ in range(2):
        dw, db, dscale = pullback(2.0)
        np.testing.assert_array_equal(dw, 12 * W)
        assert (db, dscale) == (28.0, 84.0)


def test_operators_on_undecorated_functions():
    x = np.array([2.0, 0.0, 1.0])
    np.testing.assert_array_equal(grad(plain)(W, x, 2), 2 * x)
    np.testing.assert_array_equal(grad(plain, wrt="x")(W, x, 2), 2 * W)
    dx, dw = grad(plain, wrt=("x", 0))(W, x, 2)
    np.testing.assert_array_equal(dx, 2 * W)
    np.testing.assert_array_equal(dw, 2 * x)
    assert value_and_grad(plain)(W, x, 2)[0] == plain(W, x, 2)
    assert vjp(plain, W, x, 2)[1](1.0)[2] is None
    assert grad(lambda x: x * x)(3.0) == 6.0
    assert isinstance(grad(plain, wrt=(0,))(W, x, 2), tuple)


def test_options_of_the_decorator():
    @differentiate(wrt=("w", "x"))
    def f(w, x):
        return np.sum(w * x)

    dw, dx = f.grad(W, W + 1)
    np.testing.assert_array_equal(dw, W + 1)
    np.testing.assert_array_equal(dx, W)

    @differentiate(has_aux=True)
    def g(w):
        return np.sum(w**2), w * 3

    gradient, aux = g.grad(W)
    np.testing.assert_array_equal(gradient, 2 * W)
    np.testing.assert_array_equal(aux, 3 * W)
    (value, aux), gradient = g.value_and_grad(W)
    assert value == 14.0
    np.testing.assert_array_equal(aux, 3 * W)
    np.testing.assert_array_equal(gradient, 2 * W)


def test_the_same_request_gives_the_same_object():
    assert grad(plain) is grad(plain, wrt="w")
    assert grad(plain) is not grad(plain, wrt=("w",))
    assert loss.grad is loss.grad
    assert grad(loss) is loss.grad


def test_attributes_of_the_function_do_not_hide_the_derivatives():
    def f(x):
        return x * x

    f.grad = "something else"
    assert differentiate(f).grad(3.0) == 6.0


def test_array_outputs_count_as_their_sum():
    np.testing.assert_array_equal(grad(lambda x: x * x)(W), 2 * W)


# ----------------------------------------------------------------------------------- methods


def test_methods_bind():
    m = Model(2.0)
    assert m.loss(W) == 14.0
    np.testing.assert_array_equal(m.loss.grad(W), 2 * W)
    np.testing.assert_array_equal(m.loss.value_and_grad(W, y=2.0)[1], 4 * W)
    dx, dy = m.loss.vjp(W, 2.0)[1](1.0)
    np.testing.assert_array_equal(dx, 4 * W)
    assert dy == 14.0
    np.testing.assert_array_equal(Model.loss.grad(m, W), 2 * W)
    dy, dx = m.named.grad(W, 2.0)
    assert dy == 14.0
    np.testing.assert_array_equal(dx, 4 * W)
    assert m.second.grad(W, 2.0) == 14.0
    assert Model.second.grad(m, W, 2.0) == 14.0
    np.testing.assert_array_equal(grad(m.loss)(W), 2 * W)
    np.testing.assert_array_equal(grad(m.plain)(W, 3.0), 6 * W)
    assert grad(m.plain, wrt=1)(W, 3.0) == 14.0
    assert grad(Model.plain, wrt="y")(m, W, 3.0) == 14.0
    assert m.loss == m.loss
    assert "x" in m.loss.grad.source(W)


@pytest.mark.parametrize("name", ["inner_static", "outer_static"])
def test_static_methods(name):
    for owner in (Model, Model(1.0)):
        assert getattr(owner, name)(2.0) == 4.0
        assert getattr(owner, name).grad(2.0) == 4.0


def test_class_methods():
    for owner in (Model, Model(1.0)):
        assert owner.inner_class(2.0) == 12.0
        assert owner.inner_class.grad(2.0) == 12.0
        assert owner.outer_class(2.0) == 12.0
        assert grad(owner.outer_class)(2.0) == 12.0


def test_class_method_around_the_decorator():
    if sys.version_info < (3, 13):
        assert Model.outer_class.grad(2.0) == 12.0
    else:
        with pytest.raises(TypeError, match="write @differentiate above @classmethod"):
            _ = Model.outer_class.grad


# ------------------------------------------------------------------------------------- pickles


@pytest.mark.parametrize("pickler", [pickle, cloudpickle])
def test_pickles_by_reference(pickler):
    assert pickle.loads(pickler.dumps(loss)) is loss
    assert pickle.loads(pickler.dumps(loss.grad)) is loss.grad
    assert pickle.loads(pickler.dumps(grad(plain))) is grad(plain)
    assert pickle.loads(pickler.dumps(Model.loss)) is Model.loss
    np.testing.assert_array_equal(pickle.loads(pickler.dumps(Model(1.0).loss))(W), 14.0)


def test_copies_are_the_thing_itself():
    assert copy.deepcopy(loss) is loss
    assert copy.copy(loss) is loss


# ---------------------------------------------------------------------------------- bad input


def text_of(call):
    with pytest.raises(Exception) as caught:
        call()
    return type(caught.value), str(caught.value)


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [
        ((), {}),
        ((W, 1.0, 2.0), {}),
        ((W,), {"q": 1}),
        ((W,), {"w": W}),
        ((), {"b": 1.0}),
    ],
)
def test_wrong_arguments_are_the_functions_own_errors(args, kwargs):
    expected = text_of(lambda: loss(*args, **kwargs))
    assert expected[0] is TypeError
    for derivative in (loss.grad, loss.value_and_grad, loss.vjp):
        assert text_of(lambda d=derivative: d(*args, **kwargs)) == expected


def test_wrong_arguments_of_methods():
    m = Model(1.0)
    assert text_of(lambda: m.loss.grad()) == text_of(lambda: m.loss())


@pytest.mark.parametrize(
    ("wrt", "error", "says"),
    [
        (3, ValueError, "out of range"),
        (-1, ValueError, "out of range"),
        ("z", ValueError, "no parameter 'z'; its parameters are w, x, n"),
        ((), ValueError, "names no parameter"),
        (("w", 0), ValueError, "'w' of plain() twice"),
        (1.0, TypeError, "wrt takes an index, a name or a tuple"),
        (True, TypeError, "wrt takes an index, a name or a tuple"),
        ([0], TypeError, "wrt takes an index, a name or a tuple"),
        (None, TypeError, "wrt takes an index, a name or a tuple"),
    ],
)
def test_bad_wrt(wrt, error, says):
    for operator in (grad, value_and_grad):
        with pytest.raises(error) as caught:
            operator(plain, wrt=wrt)
        assert says in str(caught.value)
    with pytest.raises(error):
        differentiate(wrt=wrt)(plain)


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (np.arange(3), "array of dtype int64; a gradient needs floats: pass w.astype(float)"),
        (np.array([True, False]), "array of dtype bool"),
        (np.array([1.0, None]), "array of dtype object"),
        (np.array(["a"]), "array of dtype <U1"),
        (np.array([1j]), "are not supported: pass real and imaginary parts as floats"),
        (1j, "are not supported: pass real and imaginary parts as floats"),
        (3, "the int 3; pass a float: float(w)"),
        (True, "the bool True"),
        (np.int32(3), "number of dtype int32"),
        ("abc", "a str"),
        (None, "None"),
        ([1], "a list without floats"),
        ({"a": "b"}, "a dict without floats"),
        (collections.defaultdict(float, a=1.0), "pass dict(w)"),
        (collections.OrderedDict(a=1), "a OrderedDict without floats"),
        (collections.ChainMap({"a": 1.0}), "a collections.ChainMap"),
        (np.ones((1, 1)).view(np.matrix), "numpy.matrix"),
        (np.ma.masked_array([1.0]), "MaskedArray"),
    ],
)
def test_arguments_without_a_derivative(value, says):
    for derivative in (loss.grad, loss.value_and_grad):
        with pytest.raises(TypeError) as caught:
            derivative(value)
        assert "argument 'w' of loss()" in str(caught.value)
        assert says in str(caught.value)


def test_nothing_to_differentiate_in_vjp():
    with pytest.raises(TypeError, match="carries a derivative"):
        vjp(plain, np.arange(3), np.arange(3), 2)
    with pytest.raises(TypeError, match="argument 'x' of plain"):
        vjp(plain, W, np.ma.masked_array([1.0]), 2)


@pytest.mark.parametrize(
    ("f", "says"),
    [
        (np.sin, "sin is not written in Python"),
        (len, "len is not written in Python"),
        (Model, "Model is a class"),
        (functools.partial(np.power, W), "holds no function written in Python"),
        (3, "only functions can be differentiated, not 3 (int)"),
        (loss.vjp, "only functions and gradients"),
        (loss.value_and_grad, "only functions and gradients"),
    ],
)
def test_what_is_no_function(f: Any, says: str):
    for operator in (grad, value_and_grad, vjp, differentiate, tangentish.check_grad):
        with pytest.raises(TypeError) as caught:
            operator(f)
        assert says in str(caught.value)


def test_arguments_that_share_memory():
    x = np.array([1.0, 2.0, 3.0, 4.0])
    for a, b in ((x, x), (x[:2], x[1:3]), (x, x[::-1])):
        with pytest.raises(ValueError, match=r"'x' and 'y' of shift\(\) share memory"):
            grad(shift)(a, b)
        with pytest.raises(ValueError, match="pass copies"):
            vjp(shift, a, y=b)
    grad(shift)(x[::2], x[1::2])
    assert grad(shift)(x.copy(), x).shape == x.shape
    np.testing.assert_array_equal(grad(plain)(W, W, 1), W)  # nothing is written to
    np.testing.assert_array_equal(x, [1.0, 2.0, 3.0, 4.0])


@pytest.mark.parametrize("operator", [grad, value_and_grad])
def test_outputs_without_a_gradient(operator):
    with pytest.raises(TypeError) as caught:
        operator(two)(W)
    assert "vjp" in str(caught.value)
    assert "has_aux=True" in str(caught.value)
    for f in (lambda x: None, lambda x: 3, lambda x: x > 1.0, lambda x: 1j, lambda x: int(x)):
        with pytest.raises(TypeError):
            operator(f)(2.0)


def test_head_gradients():
    _, pullback = vjp(lambda x: x * 2.0, W)
    np.testing.assert_array_equal(pullback(W)[0], 2 * W)
    np.testing.assert_array_equal(pullback(np.arange(3))[0], [0.0, 2.0, 4.0])
    with pytest.raises(ValueError, match=r"\(2,\).*\(3,\)"):
        pullback(np.ones(2))
    with pytest.raises(ValueError, match=r"shape \(\).*\(3,\)"):
        pullback(1.0)
    with pytest.raises(TypeError, match="complex"):
        pullback(W * 1j)
    with pytest.raises(TypeError, match="list"):
        pullback([1.0, 2.0, 3.0])

    _, pullback = vjp(lambda x: x * 2.0, 3.0)
    assert pullback(1.0) == pullback(1) == pullback(np.array(1.0)) == (2.0,)
    with pytest.raises(ValueError, match=r"\(3,\)"):
        pullback(W)
    for wrong in (None, "a", 1j, True):
        with pytest.raises(TypeError):
            pullback(wrong)


def test_head_gradients_of_several_outputs():
    value, pullback = vjp(two, W)
    assert isinstance(value, tuple)
    np.testing.assert_array_equal(pullback((1.0, W))[0], 4 * W)
    np.testing.assert_array_equal(pullback((1.0, None))[0], 2 * W)
    with pytest.raises(TypeError, match="2 outputs"):
        pullback(1.0)
    with pytest.raises(ValueError, match="2 outputs"):
        pullback((1.0,))
    with pytest.raises(ValueError, match="shape"):
        pullback((1.0, 1.0))


def test_head_gradients_keep_float32():
    w = W.astype(np.float32)
    _, pullback = vjp(lambda x: x * x, w)
    assert pullback(np.ones(3))[0].dtype == np.float32


# ------------------------------------------------------------------------------------- source


def test_source():
    text = loss.grad.source(W)
    assert text.startswith("def ")
    assert text == loss.grad.source(np.ones(7))
    compile(text, "source", "exec")


def test_source_without_arguments():
    def typed(x: float, n: int = 2):
        return x * n

    assert grad(typed).source() == grad(typed).source(1.0, 2)
    with pytest.raises(TypeError) as caught:
        grad(plain).source()
    assert "do not tell those of: w, x, n" in str(caught.value)


# ------------------------------------------------------------------------ callables of other kinds


def weighted(w, x, scale=2.0):
    return np.sum((w * x) ** 2) * scale


def doubled(f):
    @functools.wraps(f)
    def wrapper(*args, **options):
        return f(*args, **options) * 2

    return wrapper


@doubled
def decorated(w, scale=2.0):
    """The sum of squares, scaled."""
    return np.sum(w**2) * scale


class Squares:
    def of(self, w):
        return np.sum(w**2)

    @classmethod
    def of_class(cls, w):
        return np.sum(w**2)


def test_partial():
    w, x = np.array([1.0, 2.0]), np.array([0.5, 1.0])
    f = functools.partial(weighted, x=x, scale=3.0)
    np.testing.assert_allclose(grad(f)(w), 6 * w * x**2)
    np.testing.assert_allclose(grad(f)(w, scale=1.0), 2 * w * x**2)
    np.testing.assert_allclose(grad(f, wrt="x")(w), 6 * w**2 * x)
    np.testing.assert_allclose(grad(functools.partial(weighted, w))(x), 4 * w**2 * x)
    np.testing.assert_allclose(grad(functools.partial(f, scale=0.5))(w), w * x**2)
    assert grad(f) is grad(f)
    tangentish.check_grad(f, w)


def test_partial_of_a_method():
    w = np.array([1.0, 2.0])
    np.testing.assert_allclose(grad(functools.partial(Squares().of))(w), 2 * w)
    np.testing.assert_allclose(grad(Squares.of_class)(w), 2 * w)


def test_wrapper_that_hides_a_signature():
    w = np.array([1.0, 2.0])
    np.testing.assert_allclose(grad(decorated)(w), 8 * w)
    np.testing.assert_allclose(grad(decorated, wrt="scale")(w, 3.0), 10.0)
    np.testing.assert_allclose(differentiate(wrt=1)(decorated).grad(w, scale=3.0), 10.0)
    value, gradient = value_and_grad(decorated)(w)
    assert value == decorated(w)
    np.testing.assert_allclose(gradient, 8 * w)


def test_closures_are_told_apart():
    def scaled(c):
        return lambda w: np.sum(w**2) * c

    w = np.array([1.0, 2.0])
    two, three = scaled(2.0), scaled(3.0)
    np.testing.assert_allclose(grad(two)(w), 4 * w)
    np.testing.assert_allclose(grad(three)(w), 6 * w)


def test_functions_as_arguments_belong_to_the_key():
    def applied(f, x):
        return f(x) * x

    slope = grad(applied, wrt=1)
    assert slope(np.square, 3.0) == 27.0
    assert slope(lambda t: t, 3.0) == 6.0
    for c in (1.0, 2.0):
        assert slope(lambda t: c * t, 3.0) == 6.0 * c  # noqa: B023


def test_starred_parameters_of_the_function_itself():
    def f(x, *rest, scale=1.0, **options):
        return x * rest[0] * scale * options.get("factor", 2.0)

    assert grad(f)(2.0, 3.0) == 6.0
    assert grad(f)(2.0, 3.0, scale=2.0, factor=1.0) == 6.0
    assert value_and_grad(f)(2.0, 3.0) == (12.0, 6.0)
    assert grad(f, wrt="rest")(2.0, 3.0, 4.0) == (4.0, 0.0)
    assert grad(f, wrt=(0, "options"))(2.0, 3.0, factor=5.0) == (15.0, {"factor": 6.0})
    assert vjp(f, 2.0, 3.0)[1](1.0)[:2] == (6.0, (4.0,))
    assert tangentish.jvp(f, (2.0, 3.0), (1.0, None)) == (12.0, 6.0)
    with pytest.raises(TypeError, match="takes are not supported yet"):
        tangentish.jvp(f, (2.0, 3.0), (1.0, 1.0))


def test_an_output_that_is_an_integer_on_one_way_only() -> None:
    def bounds(x):
        if x < 0.0:
            return 0, np.zeros(2, int), x * 2
        return x * x, np.array([x, x]), x * 3

    value, pullback = vjp(bounds, -1.5)
    assert value[0] == 0
    assert pullback((None, None, 1.0)) == (2.0,)
