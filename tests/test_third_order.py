"""Third derivatives, each time in reverse: through loops, stores, tapes, lists, objects and calls of helpers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from corpus import PROGRAMS

from tangentish import NotDifferentiable, grad, hvp, jvp

Function = Callable[[Any], Any]

X = np.array([0.62, 0.41, 0.83])
ALONG = np.array([0.3, -0.7, 0.5])


def store_in_loop(x):
    y = x * 1.0
    for i in range(1, len(y)):
        y[i] += y[i - 1] ** 2 * x[i]
        y[0] *= y[i]
    return np.sum(y**2)


def while_loop(x):
    s, n = x[0], 0
    while n < 4:
        s = np.sin(s) * x[1] + s * s
        n += 1
    return s * x[2]


def newton(x):
    y = 1.0
    for _ in range(20):
        new = y - (y**3 - x[0] * y - x[1] ** 2 - 2) / (3 * y**2 - x[0])
        if abs(new - y) < 1e-13:
            break
        y = new
    return y * x[2]


def helper_that_stores(x):
    def put(a, b):
        a[0] = a[1] * b
        return np.sum(a**2)

    y = x**2
    s = put(y, x[0])
    return s * y[0]


class Particle:
    def __init__(self, q: Any, v: Any) -> None:
        self.q, self.v = q, v

    def step(self, dt: Any) -> None:
        self.v = self.v - self.q**3 * dt
        self.q = self.q + self.v * dt


def stepped_object(x):
    p = Particle(x[0], x[1])
    for _ in range(3):
        p.step(x[2])
    return p.q**2 + p.v


def list_of_numbers(x):
    hs = []
    for v in x:
        hs.append(v * v * x[0])
    return np.sum(np.array(hs) ** 2)


def list_updated(x):
    xs = list(x)
    for i in range(1, 3):
        xs[i] = xs[i] * xs[i - 1] ** 2
    return xs[-1] * xs[0]


def dict_by_number(x):
    d = {}
    for i in range(3):
        d[i] = x[i] ** 2 * x[0]
    return sum(v**2 for v in d.values())


def stack_of_numbers(x):
    q, s = [x[0]], 0.0
    while q:
        v = q.pop()
        s += v**3
        if v > 0.3:
            q.append(v * 0.6 * x[1])
            q.append(v * x[2] * 0.5)
    return s


def pairs_with_continue(x):
    s = 0.0
    for a, b in zip(x, x[1:], strict=False):
        if a > b:
            s += a**3 * b
        else:
            s += b**2 * a
            continue
        s *= a
    return s**2


def view_of_what_is_restored(x):
    y = x * x
    v, s = y[:2], 0.0
    for i in range(2):
        s += np.sum(v**3) * y[2]
        y[i] = y[i] * x[i] ** 2
    return s


def view_backwards(x):
    y = x * x
    v = y[::-1]
    y[0] *= y[1]
    s = np.sum(v**3 * x)
    y[1] *= y[2] * v[0]
    s *= np.sum(v**2)
    return s


def closure(x):
    a = x[0] ** 2

    def cube(t):
        return a * t**3

    return cube(x[1]) + cube(x[2]) * a


def product_of_listed(x):
    return sum([v**3 * x[0] for v in x]) * np.prod([np.sin(v) for v in x])


def product_beside_zero(x):
    return np.prod(x - x[1]) + np.prod(np.outer(x, x - X[0]), axis=0) @ x


def product_in_python(x):
    return math.prod(np.sin(v) for v in x) ** 2


def solved(x):
    return (
        np.linalg.det(np.outer(x, x) + np.diag(x**2 + 1))
        * x
        @ np.linalg.solve(np.outer(x, x) + np.eye(3), x)
    )


def gathered(x):
    return np.sum(x[[0, 1, 1, 2]] ** 3 * x[[2, 2, 0, 0]])


def squares(x):
    return np.sin(x) ** 2


def helper_whose_array_is_updated(x):
    b = squares(x)
    total = 0.0
    for i in range(len(b)):
        total += b[-i] ** 2
        b[i] += b[-i]
    return total


def listed_squares(x):
    return [v * v for v in x]


def helper_whose_list_is_updated(x):
    b = listed_squares(x)
    b.append(x[0] * b[1])
    for i in range(3):
        b[i] += b[-1 - i] * x[i]
    return sum(v**2 for v in b)


def halves_updated_by_each_other(x):
    y = np.concatenate([x, x * x[::-1]])
    n = len(y) // 2
    y[:n] *= y[n:]
    y[n:] *= y[:n]
    return np.sum(y**2)


def cube(y):
    return y**3


def last_doubled(y):
    y[-1] *= 2


def written_after_a_helper_got_it(x):
    y = x * 2
    z = cube(y)
    last_doubled(y)
    y[0] = x[1]
    return np.sum(z) * np.sum(y**2)


def written_after_each_call(x):
    y, total = x * 2, 0.0
    for i in range(2):
        total += np.sum(cube(y))
        y[i] = y[i] ** 2 * x[i]
    return total * y[0]


def square_first(y):
    y[0] *= y[1]
    y[1] *= y[0]
    return y, y[:2]


def given_back_and_written(x):
    y, v = square_first(x * x)
    y[0] *= x[2]
    return np.sum(v**2) * np.sum(y)


def views_updated_by_a_helper(x):
    def push(u, c):
        u[1:] += c * u[:-1]

    b = np.concatenate([x, x * x])
    a = np.outer(x, x)
    push(b[::2], x[0])
    push(a[:, 1], x[1])
    return np.sum(b**3) + np.sum(a**2)


FUNCTIONS: list[Function] = [
    store_in_loop, while_loop, newton, helper_that_stores, stepped_object, list_of_numbers, list_updated,
    dict_by_number, stack_of_numbers, pairs_with_continue, view_of_what_is_restored, view_backwards, closure,
    product_of_listed, product_beside_zero, product_in_python, solved, gathered,
    helper_whose_array_is_updated, helper_whose_list_is_updated, halves_updated_by_each_other,
    written_after_a_helper_got_it, given_back_and_written, views_updated_by_a_helper,
]  # fmt: skip


def third_difference(f: Function, x: Any, along: Any) -> float:
    """The third derivative of the plain function along a direction: central differences, extrapolated twice."""

    def central(h: float) -> float:
        at = [f(x + k * h * along) for k in (2, 1, -1, -2)]
        return float(at[0] - 2 * at[1] + 2 * at[2] - at[3]) / (2 * h**3)

    first = [central(h) for h in (0.04, 0.02, 0.01)]
    second = [(4 * fine - coarse) / 3 for coarse, fine in zip(first, first[1:], strict=False)]
    return (16 * second[1] - second[0]) / 15


def derivative_along(f: Function) -> Function:
    gradient = grad(f)

    def along(x):
        return np.sum(gradient(x) * ALONG)

    return along


WRITTEN_ON_THE_WAY_BACK = [halves_updated_by_each_other]
"""Whose gradients change in place what the second gradient keeps."""


@pytest.mark.parametrize("f", WRITTEN_ON_THE_WAY_BACK, ids=lambda f: f.__name__)
def test_what_the_gradient_writes_to_is_refused_three_times_in_reverse(f: Function) -> None:
    third = derivative_along(derivative_along(derivative_along(f)))
    with pytest.raises(NotDifferentiable, match="take one of them in forward mode"):
        third(X)


@pytest.mark.parametrize(
    "f", [f for f in FUNCTIONS if f not in WRITTEN_ON_THE_WAY_BACK], ids=lambda f: f.__name__
)
def test_three_times_in_reverse(f: Function) -> None:
    third = derivative_along(derivative_along(derivative_along(f)))
    assert np.isclose(third(X), third_difference(f, X, ALONG), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_reverse_over_products_with_the_hessian(f: Function) -> None:
    def second(x):
        return np.sum(hvp(f)(x, ALONG) * ALONG)

    assert np.isclose(grad(second)(X) @ ALONG, third_difference(f, X, ALONG), rtol=1e-5, atol=1e-7)


def states_joined(x):
    hs = [x * 0.5]
    for _ in range(3):
        hs.append(np.tanh(hs[-1] * x))
    return np.sum(np.array(hs) ** 2 * x)


def scaled_rows(x):
    rows = []
    for i in range(3):
        rows.append(np.sin(x * x[i]))
    return np.linalg.norm(np.stack(rows) @ x)


@pytest.mark.parametrize("f", [states_joined, scaled_rows], ids=lambda f: f.__name__)
def test_gradients_of_gradients_of_arrays_in_a_list(f: Function) -> None:
    h = 1e-4
    at = [f(X + k * h * ALONG) for k in (1, 0, -1)]
    second = derivative_along(derivative_along(f))
    assert np.isclose(second(X), (at[0] - 2 * at[1] + at[2]) / h**2, rtol=1e-5)


def forward_first(f: Function) -> Function:
    def along(x):
        return jvp(f, (x,), (ALONG,))[1]

    return derivative_along(derivative_along(along))


WRITTEN_LATER = [
    written_after_a_helper_got_it,
    given_back_and_written,
    halves_updated_by_each_other,
]


def elements_one_by_one(x):
    return np.sum(np.array([v * x[0] for v in np.sin(x)]) ** 2)


@pytest.mark.parametrize("f", WRITTEN_LATER, ids=lambda f: f.__name__)
def test_reverse_over_reverse_over_forward(f: Function) -> None:
    assert np.isclose(forward_first(f)(X), third_difference(f, X, ALONG), rtol=1e-5, atol=1e-7)


def test_twice_in_reverse_what_is_written_after_each_call() -> None:
    f, h = written_after_each_call, 1e-4
    at = [f(X + k * h * ALONG) for k in (1, 0, -1)]
    second = derivative_along(derivative_along(f))
    assert np.isclose(second(X), (at[0] - 2 * at[1] + at[2]) / h**2, rtol=1e-5)


def test_parts_that_helpers_got_and_wrote_to_are_refused_thrice() -> None:
    third = derivative_along(derivative_along(derivative_along(written_after_each_call)))
    with pytest.raises(NotDifferentiable, match="take one of them in forward mode"):
        third(X)


def mean_and_spread(x):
    m = np.mean(x)
    return m, np.sum((x - m) ** 3)


def parts_of_helpers_run_over(x):
    s = 0.0
    for k in range(2):
        for v in mean_and_spread(x[k:]):
            s += v**3
    return s


def view_that_moves(x):
    y, low = np.concatenate([x * 1.5, x**2]), 0
    window = y[:2]
    while low < 3:
        window *= y[low + 2]
        low += 1
        window = y[low : low + 2]
    window[0] = y[4]
    return np.sum(y**2)


STATE = PROGRAMS["state_that_is_none_at_first"].function
FORWARD = [parts_of_helpers_run_over, view_that_moves, STATE, elements_one_by_one]


@pytest.mark.parametrize("f", FORWARD, ids=lambda f: f.__name__)
def test_forward_over_products_with_the_hessian(f: Function) -> None:
    _, third = jvp(lambda x: hvp(f)(x, ALONG), (X,), (ALONG,))
    assert np.isclose(third @ ALONG, third_difference(f, X, ALONG), rtol=1e-5, atol=1e-7)
