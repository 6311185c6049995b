"""A function that stays in the text reads what it captures, or is refused: it found nothing, or a global of that name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along

from tangentish import NotDifferentiable, grad, hvp, jvp


class Point:
    def __init__(self, a: Any, b: Any) -> None:
        self.a = a
        self.b = b


class Scaled:
    a = 77.0  # what is read where only the class is left

    def __init__(self, a: Any, b: Any) -> None:
        self.a = a
        self.b = [b, a]


# what the functions below would read if their own variables of these names were gone
ps = [Point(5.0, 0.0), Point(1.0, 0.0), Point(3.0, 0.0)]
p = Point(np.array([5.0, 1.0, 3.0]), 0.0)


def of_objects(x: Any) -> Any:
    ps = [Point(v, v * v) for v in x]
    return ps[min(range(3), key=lambda j: ps[j].a)].b


def of_dicts(x: Any) -> Any:
    ps = [{"a": v, "b": v * v} for v in x]
    return ps[max(range(3), key=lambda j: ps[j]["a"])]["b"]


def of_an_object(x: Any) -> Any:
    p = Point(x * 1.0, x * x)
    return p.b[min(range(3), key=lambda j: p.a[j])]


def of_a_dict(x: Any) -> Any:
    p = {"a": x * 1.0, "b": x * x}
    return p["b"][min(range(3), key=lambda j: p["a"][j])]


def in_place(x: Any) -> Any:
    ps = [Point(v, v * v) for v in x]
    order = list(range(3))
    order.sort(key=lambda j: ps[j].a)
    return ps[order[0]].b


def by_a_function(x: Any) -> Any:
    ps = [Point(v, v * v) for v in x]

    def key(j: int) -> Any:
        return ps[j].a

    return ps[min(range(len(x)), key=key)].b


def through_another(x: Any) -> Any:
    ps = [Point(v, v * v) for v in x]

    def cost(j: int) -> Any:
        return ps[j].a

    return ps[min(range(len(x)), key=lambda j: 2 * cost(j))].b


FOLLOWED = [
    of_objects,
    of_dicts,
    of_an_object,
    of_a_dict,
]  # a place is looked for in lines of its own
CONTAINERS = [in_place, by_a_function, through_another]


@pytest.mark.parametrize("f", FOLLOWED, ids=lambda f: f.__name__)
def test_places_by_what_is_taken_apart(f: Callable[[Any], Any]) -> None:
    check_along(f, np.array([1.2, 1.7, 0.9]), np.array([0.3, -0.5, 0.8]))


@pytest.mark.parametrize("f", CONTAINERS, ids=lambda f: f.__name__)
def test_what_is_taken_apart_is_refused(f: Callable[[Any], Any]) -> None:
    x = np.array([1.2, 1.7, 0.9])
    for take in (lambda: grad(f)(x), lambda: jvp(f, (x,), (x,))):
        with pytest.raises(NotDifferentiable, match="make what it needs of 'p"):
            take()


def in_a_test(x: Any) -> Any:
    p = Scaled(0.3, x[0])

    def scale(v: Any) -> Any:
        return p.a

    y = x[0] * x[0] if scale(1.0) < 0.5 else x[1]
    return y * p.b[0]


def in_a_loop(x: Any) -> Any:
    p = Scaled(0.3, x[0])

    def scale(v: Any) -> Any:
        return p.a

    k = 0
    while k < scale(1.0) * 10:
        k += 1
    return x[0] * p.b[0] * k


def in_a_comprehension(x: Any) -> Any:
    p = Scaled(0.3, x[0])
    scales = [(lambda v: p.a * v)(k) for k in range(3)]
    return x[1] * p.b[0] * scales[2]


def in_an_assertion(x: Any) -> Any:
    p = Scaled(0.3, x[0])

    def scale(v: Any) -> Any:
        return p.a

    assert scale(1.0) < 1.0
    return x[1] * p.b[0]


def by_another_call(x: Any) -> Any:
    p = Scaled(0.3, x[0])

    def scale(v: Any) -> Any:
        return p.a

    def twice(v: Any) -> Any:
        return 2 * scale(v)

    scales = [twice(k) for k in range(3)]
    return x[1] * p.b[0] * scales[2]


def of_what_varies(x: Any) -> Any:
    p = Scaled(x[1] * 0.5, x[0])

    def scale(v: Any) -> Any:
        return p.a

    return sum([v * scale(p.a) for v in p.b])


def handed_on(x: Any) -> Any:
    p = Scaled(x[1] * 0.5, x)

    def scale(v: Any) -> Any:
        return p.a * v

    def called_with(f: Callable[[Any], Any], v: Any) -> Any:
        return f(v)

    return sum([called_with(scale, p.a) * v[0] for v in p.b[:1]])


def test_a_call_in_a_test_gets_a_line_before() -> None:
    x = np.array([1.2, 1.7, 0.9])
    step = np.array([1e-6, 0.0, 0.0])
    slope = (in_a_test(x + step) - in_a_test(x - step)) / 2e-6
    assert np.allclose(grad(in_a_test)(x), [slope, 0.0, 0.0])
    assert np.isclose(jvp(in_a_test, (x,), (x,))[1], slope * x[0])


CALLED = [
    in_a_loop, in_a_comprehension, in_an_assertion, by_another_call, of_what_varies, handed_on,
]  # fmt: skip


@pytest.mark.parametrize("f", CALLED, ids=lambda f: f.__name__)
def test_a_call_that_stays_in_the_text_is_refused(f: Callable[[Any], Any]) -> None:
    x = np.array([1.2, 1.7, 0.9])
    for take in (lambda: grad(f)(x), lambda: jvp(f, (x,), (x,)), lambda: hvp(f)(x, x)):
        with pytest.raises(NotDifferentiable, match="this calls a function that reads 'p'"):
            take()


def on_lines_of_their_own(x: Any) -> Any:
    p = Scaled(0.3, x[0])

    def scale(v: Any) -> Any:
        return p.a

    low = scale(1.0) < 0.5
    y = x[0] * x[0] if low else x[1]
    scales = []
    for k in range(3):
        scales.append(scale(k))
    return y * p.b[0] * scales[2]


def of_numbers(x: Any) -> Any:
    ps = [v * v for v in x]
    return ps[min(range(3), key=lambda j: ps[j])]


def of_tuples(x: Any) -> Any:
    ps = [(v, v * v) for v in x]
    return ps[min(range(3), key=lambda j: ps[j][0])][1]


def called(x: Any) -> Any:
    ps = [Point(v, v * v) for v in x]

    def cost(j: int) -> Any:
        return ps[j].a * ps[j].b

    total = 0.0
    for j in range(3):
        total += cost(j)
    return total


@pytest.mark.parametrize(
    "f", [of_numbers, of_tuples, called, on_lines_of_their_own], ids=lambda f: f.__name__
)
def test_what_is_still_there_is_read(f: Callable[[Any], Any]) -> None:
    x = np.array([1.2, 1.7, 0.9])
    steps = 1e-6 * np.eye(3)
    numeric = [(f(x + step) - f(x - step)) / 2e-6 for step in steps]
    np.testing.assert_allclose(grad(f)(x), numeric, atol=1e-6)
    np.testing.assert_allclose(jvp(f, (x,), (x,))[1], numeric @ x, atol=1e-6)
