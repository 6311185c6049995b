"""Functions as values where Python's rules are subtle: each is right in every mode, or refused, as marked."""

from __future__ import annotations

import functools
import itertools
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from contract import check_gradients
from corpus import values

from tangentish import NotDifferentiable, differentiate, grad, hvp, jvp, value_and_grad

Function = Callable[..., Any]
RIGHT: list[Any] = []
REFUSED: list[Any] = []


def right(function: Function) -> Function:
    RIGHT.append(pytest.param(function, id=function.__name__))
    return function


def refused(says: str) -> Callable[[Function], Function]:
    def register(function: Function) -> Function:
        REFUSED.append(pytest.param(function, says, id=function.__name__))
        return function

    return register


def make(a):
    def scaled(x):
        return x * a

    return scaled


def applied(f, x):
    return f(x) * 2


# ------------------------------------------------------------------- what is captured, and when


@right
def a_list_of_constants_takes_the_place_of_none(x):
    order = None

    def start():
        nonlocal order
        order = [1, 0, 1]

    start()
    total = 1.0
    parts = [x, x * x]
    for k in range(3):
        total = total * np.sum(parts[order[k]])
        order[k] = 1
    return total


@right
def defined_in_a_try(x):
    total = 0.0
    try:

        def add():
            nonlocal total
            total = total + x * x

    except ValueError:
        total = x
    add()
    return total + x


@right
def default_holds_the_old_array(x):
    y = np.zeros(2)

    def put(v, out=y):
        out[0] = v

    y = y + 1.0
    put(x)
    return np.sum(y) * x


@right
def default_is_shared_by_calls(x):
    def put(v, out=np.zeros(2)):
        out[0] += v
        return out[0]

    return put(x) + put(x)


@right
def rebound_while_a_loop_runs(x):
    w = x

    def square():
        return w * w

    y = 0.0
    for _ in range(3):
        y = y + square()
        w = w * 2
    return y + square()


@right
def name_defined_twice(x):
    def g(t):
        return t * x

    h = g

    def g(t):  # noqa: F811
        return h(t) + 1

    return g(x)


@right
def lambda_that_calls_its_predecessor(x):
    f = lambda t: t * x  # noqa: E731
    before = f
    f = lambda t: before(t) * t  # noqa: E731
    return f(x)


def lambda_that_calls_itself_by_a_rebound_name(x):
    f = lambda t: t * x  # noqa: E731
    for _ in range(2):
        before = f
        f = lambda t: before(t) * x  # noqa: E731, B023
    return f(x)


@refused("not known which function")
def default_of_an_earlier_trip(x):
    kept = None
    y = 0.0
    for i in range(len(x)):
        g = lambda t, k=x * i: t * k  # noqa: E731
        if kept is None:
            kept = g
        y = y + g(x)
    return y + kept(x)


@refused("a lambda is not supported yet")
def of_a_comprehension_beside_others(x):
    scales = [lambda t, i=i: t * x * i for i in range(1, 3)]
    return functools.reduce(lambda h, k: lambda t: h(k(t)), scales)(x)


@right
def captured_later_than_the_choice(x):
    if x > 1:
        g = lambda: w  # noqa: E731
    else:
        g = lambda: 2 * w  # noqa: E731
    w = x * 2
    return g() * x


@right
def tuple_that_is_rebound(x):
    t = (x, x * 2)

    def product():
        return t[0] * t[1]

    first = product()
    t = (t[1], t[0] ** 2)
    return first * product()


@right
def function_within_a_function_captures_from_both(x):
    w = x * 3

    def g(t):
        h = lambda u: u * w + t  # noqa: E731
        return h(t) * h(2.0)

    w = w + 1
    return g(x)


# --------------------------------------------------------------------------------------- memory


@refused("two arguments share memory")
def writes_to_one_of_two_captured_views(x):
    y = np.array([x, x * 2])
    backwards = y[::-1]

    def add():
        y[0] += backwards[0]

    add()
    return np.sum(backwards * y)


@right
def reads_before_and_after_a_write(x):
    y = np.array([x, 1.0])

    def first(a):
        return a[0]

    z = first(y)
    y[0] = 5.0
    return z * first(y)


@right
def view_that_is_captured(x):
    y = np.array([x, x * 2, 1.0])
    tail = y[1:]

    def total():
        return np.sum(tail**2)

    y[1] = x**2
    return total() * y[1]


@right
def writes_to_a_captured_row(x):
    table = np.zeros((2, 3))

    def fill(i, v):
        table[i] = v * x

    for i in range(2):
        fill(i, np.arange(3.0) + x)
    return np.sum(table**2)


@right
def list_that_a_function_appends_to(x):
    items = []

    def add(v):
        items.append(v)

    add(x)
    add(x * 2)
    return items[0] * items[1]


def put(items, v):
    items.append(v)


@right
def list_that_a_function_of_the_module_appends_to(x):
    items = [1.0]
    put(items, x)
    put(items, x * 2)
    return items[1] * items[2]


# ------------------------------------------------------------------------------------ out of sight


@right
def function_made_elsewhere(x):
    return make(x)(x)


@right
def function_made_elsewhere_of_a_constant(x):
    return make(3.0)(x)


@right
def function_in_a_dict(x):
    table = {"a": lambda: w}
    w = x * 2
    return table["a"]() * x


@refused("")
def function_handed_to_a_library(x):
    return x * list(itertools.accumulate([1.0, 2.0], lambda a, b: a * b * x))[1]


@right
def function_that_chooses(x):
    return x * max([1.0, 2.0], key=lambda t: t * x)


@right
def function_for_what_carries_no_derivative(x):
    order = sorted(range(3), key=lambda i: -i)
    return x * order[0]


# --------------------------------------------------------------------------------- names, nothing else


@right
def names_that_hide_others(x):
    def np_(t):
        return t * np.pi

    def sin(t):
        return t * 2

    return np_(x) * np.sin(sin(x))


@right
def one_name_inside_and_outside(x):
    dx = x * 2

    def dy(dx, saved):
        y = dx * saved
        return y * x

    return dy(dx, x) * dx


@right
def lambdas_on_one_line(x):
    f, g = (lambda t: t * x), (lambda t: t + x)
    return f(x) * g(x) * (lambda t: t**2)(x) * (lambda t: t**3)(x)


@right
def kinds_that_differ_by_call(x):
    total = lambda t: np.sum(t) * x  # noqa: E731
    return total(np.array([x, x])) + total(x)


@right
def stars_of_all_sorts(x):
    def g(a, *rest, b=2.0, **options):
        first, *others = rest
        return a * first * b * others[0] * options["c"]

    more = (x, x * 2)
    return g(x, *more, c=3.0) + g(*more, 1.0, b=x, c=x)


@right
def store_into_options(x):
    def g(t, **options):
        options["k"] = t * 2
        return t * options["k"]

    return g(x, k=3.0)


@right
def store_into_a_copy_of_options(x):
    def g(t, **options):
        options = dict(options)
        options["k"] = options["k"] * t
        return t * options["k"] + sum(options.values())

    return g(x, k=3.0, m=x * x)


@right
def options_that_are_changed_without_a_derivative(x):
    def g(t, **options):
        options["n"] = 3
        return t ** options["n"]

    return g(x, n=2)


@right
def set_on_each_trip_and_again_before_it_is_captured(x):
    for k in range(3):
        g = np.sin(x) + k
        x = x * g
    g = 0.5

    def kept(p):
        return g * p

    return kept(x)


@right
def arrays_set_on_each_trip_and_again_before_one_is_captured(x):
    s = x
    for k in range(3):
        a = np.zeros(3)
        a[k] = s * x
        a *= x
        s = s + np.sum(a * a)
    a = np.ones(2)
    return s * np.sum((lambda p: a * p)(x))


@right
def set_on_one_way_of_each_trip_and_again_before_it_is_captured(x):
    for i in range(2):
        for k in range(3):
            if k > i:
                g = x * 0.5
            else:
                g = np.cos(x)
            x = x * g
        g = 0.25 * x
        x = x + (lambda p: p * g)(x)
    return x


# ------------------------------------------------------------------------------------------ the tests


def function_applied(function, v):
    return function(v)


def scaled_with_options(x, inner, options=None):
    if options is None:
        options = {}
    if isinstance(inner, np.ndarray):
        inner = np.sin

    def outer(v):
        return inner(v, **options)

    return x * function_applied(outer, 1.5)


@refused("may be changed by what is called")
def a_captured_dict_with_a_value_of_its_own(x):
    return scaled_with_options(
        x, lambda v, k, c: v * k * c[0], {"k": 0.2, "c": np.array([1.0, 2.0])}
    )


@pytest.mark.parametrize("function", RIGHT)
@pytest.mark.parametrize("x", [1.3, np.float64(0.7)], ids=["float", "numpy"])
def test_right(function: Function, x: Any) -> None:
    check_gradients(function, x)


@pytest.mark.parametrize(("function", "says"), REFUSED)
def test_refused(function: Function, says: str) -> None:
    with pytest.raises(NotDifferentiable) as caught:
        grad(function)(1.3)
    assert says in caught.value.msg
    assert caught.value.lineno


def scaled_by(f, x):
    return f(x) * x


def test_functions_of_modules_are_looked_up_at_each_call() -> None:
    module = types.ModuleType("helpers_of_the_user")
    module.f = lambda t: t**2  # type: ignore[attr-defined]
    module.scale = 2.0  # type: ignore[attr-defined]

    def loss(x):
        return module.f(x) * module.scale

    slope = grad(loss)
    assert slope(3.0) == 12.0
    module.f = lambda t: t**3  # type: ignore[attr-defined]
    assert slope(3.0) == 54.0
    module.scale = 1.0  # type: ignore[attr-defined]
    assert slope(3.0) == 27.0


def test_methods_of_classes_are_looked_up_at_each_call() -> None:
    class Model:
        power = 2.0

        @staticmethod
        def square(x):
            return x**2

        @classmethod
        def raised(cls, x):
            return x**cls.power

    def loss(x):
        return Model.square(x) + Model.raised(x)

    slope = grad(loss)
    assert slope(3.0) == 12.0
    assert slope(3.0) == 12.0
    Model.square = staticmethod(lambda x: x)  # type: ignore[method-assign, assignment]
    Model.power = 1.0
    assert slope(3.0) == 2.0


def test_what_a_captured_function_captures_is_read_at_each_call() -> None:
    factor = 2.0
    helper = lambda t: t * factor  # noqa: E731

    def loss(x):
        inner = lambda t: helper(t) * x  # noqa: E731
        return inner(x)

    slope = grad(loss)
    assert slope(3.0) == 12.0
    factor = 3.0
    assert slope(3.0) == 18.0
    helper = lambda t: t**2 * factor  # noqa: E731
    assert slope(3.0) == 81.0


def test_a_partial_in_a_global_is_followed() -> None:
    power = functools.partial(pow_of, exponent=3.0)

    def loss(x):
        return applied(power, x) + power(x, exponent=2.0)

    assert grad(loss)(2.0) == 2 * 12.0 + 4.0


def pow_of(base, exponent=2.0):
    return base**exponent


def test_arguments_stay_as_they_were() -> None:
    x = values(1, 3)
    before = x.copy()

    def double(y):
        def put(i):
            y[i] *= 2

        for i in range(len(y)):
            put(i)
        return np.sum(y**2)

    value, gradient = value_and_grad(double)(x)
    np.testing.assert_array_equal(x, before)
    np.testing.assert_allclose(gradient, 8 * x)
    assert value == np.sum((2 * x) ** 2)


def test_float32_stays() -> None:
    def loss(x):
        f = lambda t: t * t  # noqa: E731
        return np.sum(f(x) * f(2 * x))

    x = values(1, 3, dtype=np.float32)
    assert grad(loss)(x).dtype == np.float32


def test_a_lambda_that_calls_itself_without_end() -> None:
    """The function itself ends in a RecursionError; so does its gradient, or it is refused."""
    with pytest.raises(RecursionError):
        lambda_that_calls_itself_by_a_rebound_name(2.0)
    with pytest.raises((RecursionError, NotDifferentiable)):
        grad(lambda_that_calls_itself_by_a_rebound_name)(2.0)


seen: Any = 0.5
last: Any = None


def adds_to_what_was_seen(x: Any) -> Any:
    global seen, last
    seen = seen * x[0] + np.sum(x)
    last = x * seen
    if x[1] < 0:
        raise ValueError("half way")
    return seen * x[1]


@pytest.mark.parametrize("start", [0.5, 2, np.float64(1.5)])
def test_what_a_global_held_before_is_a_constant(start: Any) -> None:
    global seen
    x = np.array([1.5, 2.0])
    for _ in range(2):
        seen = start
        gradient = grad(adds_to_what_was_seen)(x)
        assert seen == start * 1.5 + 3.5
        np.testing.assert_array_equal(last, x * seen)
        np.testing.assert_allclose(gradient, [(start + 1) * 2.0, 2.0 + seen])
    seen = start
    _, slope = jvp(adds_to_what_was_seen, (x,), (np.array([1.0, -1.0]),))
    np.testing.assert_allclose(slope, (start + 1) * 2.0 - 2.0 - seen)
    seen = start
    second = hvp(adds_to_what_was_seen)(x, np.array([1.0, 0.0]))
    np.testing.assert_allclose(second, [0.0, start + 1])
    assert seen == start * 1.5 + 3.5


def test_a_global_holds_what_it_was_given_before_an_exception() -> None:
    global seen
    seen = 0.5
    x = np.array([1.5, -2.0])
    with pytest.raises(ValueError, match="half way"):
        grad(adds_to_what_was_seen)(x)
    assert seen == 0.25
    np.testing.assert_array_equal(last, x * 0.25)


def one_after_the_other(functions: list[Function], x: Any) -> Any:
    for f in functions:
        x = f(x)
    return x


def scaled_sines(x, c):  # type: ignore[no-untyped-def]
    both = [np.sin, lambda t: t * c]
    return np.sum(one_after_the_other(both, x))


def test_text_does_not_depend_on_what_was_derived_before() -> None:
    x = np.array([1.5, -2.0])
    decorated = differentiate(scaled_sines)
    for text in (decorated.grad.source(x, 2.0), decorated.jvp.source(x, 2.0)):
        assert "function_0 = lambda t: t * c" in text
