"""Arrays and lists without a derivative that a call changes where no line of the function shows it.

What was computed with them before has the gradient of what they were then, or is refused; never that of what they became.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numeric import numeric_gradient

from tangentish import NotDifferentiable, grad, jvp


class Holder:
    def __init__(self, array):
        self.array = array

    def grow(self):
        self.array += 1.0

    def grow_by_another(self):
        self.add(self.array)

    def add(self, array):
        array += 1.0


class Deep:
    def __init__(self, holder):
        self.holder = holder

    def grow(self):
        self.holder.grow()


def bump(array):
    array += 1.0


def bump_entry(d):
    d["a"] += 1.0


def bump_attribute(holder):
    holder.array += 1.0


# ------------------------------------------------------------------------------- followed


def by_a_helper(x, h):
    a = h.array
    y = x * x * a
    bump(a)
    return np.sum(y)


def of_an_object_by_a_helper(x, h):
    a = h.array
    y = x * x * a
    bump(h.array)
    return np.sum(y) * h.array[0]


def by_a_function_inside(x, h):
    a = np.ones(3)
    y = x * x * a

    def g():
        a[0] += 1.0

    g()
    return np.sum(y * a)


def attribute_updated(x, h):
    a = h.array
    y = x * x * a
    h.array += 1.0
    return np.sum(y * h.array)


def attribute_stored_into(x, h):
    a = h.array
    y = x * x * a
    h.array[:] = 3.0
    return np.sum(y * h.array)


def object_made_inside(x, h):
    a = np.ones(3)
    q = Holder(a)
    y = x * x * a
    q.grow()
    return np.sum(y * a)


def by_a_generator(x, h):
    a = np.array([3.0, 1.0, 2.0])
    y = x * x * a
    np.random.default_rng(0).shuffle(a)
    return np.sum(y * a)


def by_a_loop_over_a_list(x, h):
    rows = [np.ones(3), np.ones(3)]
    y = x * x * rows[0]
    for v in rows:
        v += 1.0
    return np.sum(y * rows[1])


def indices_by_a_function_inside(x, h):
    i = np.array([0, 1, 2])
    y = x[i] * x

    def turn():
        i[:] = i[::-1].copy()

    turn()
    return np.sum(y * x[i])


def item_of_a_list_by_a_function_inside(x, h):
    a = [1.0, 2.0, 3.0]
    y = x[0] * x[0] * a[0]

    def g():
        a[0] = 7.0

    g()
    return y * a[0]


def by_a_view(x, h):
    w = np.ones(3)
    v = w[:2]
    y = x[:2] * x[:2] * v
    bump(w)
    return np.sum(y * v)


# -------------------------------------------------------------------------------- refused


def by_a_method(x, h):
    a = h.array
    y = x * x * a
    h.grow()
    return np.sum(y)


def by_a_method_without_a_name(x, h):
    y = x * x * h.array
    h.grow()
    return np.sum(y)


def by_two_methods(x, h):
    a = h.array
    y = x * x * a
    h.grow_by_another()
    return np.sum(y)


def by_a_helper_given_the_object(x, h):
    a = h.array
    y = x * x * a
    bump_attribute(h)
    return np.sum(y)


def by_a_helper_given_a_dict(x, h):
    d = {"a": h.array}
    y = x * x * d["a"]
    bump_entry(d)
    return np.sum(y)


def dict_by_a_function_inside(x, h):
    d = {"a": np.ones(3)}
    y = x * x * d["a"]

    def g():
        d["a"] += 1.0

    g()
    return np.sum(y)


def by_an_object_that_holds_it(x, h):
    a = h.array
    y = x * x * a
    q = Deep(h)
    q.grow()
    return np.sum(y)


def list_by_a_function_inside(x, h):
    a = [1.0, 2.0, 3.0]
    y = x * x * np.array(a)

    def g():
        a[0] = 7.0

    g()
    return np.sum(y) * a[0]


def by_a_comprehension(x, h):
    a = np.array([3.0, 1.0, 2.0])
    y = x * x * a
    [bump(v) for v in [a]]
    return np.sum(y)


def by_a_method_in_a_loop(x, h):
    y = x * x * h.array
    for _ in range(2):
        h.grow()
        y = y * h.array
    return np.sum(y)


def by_a_buffer(x, h):
    a = h.array
    v = memoryview(a)
    y = x * x * a
    v[0] = 9.0
    return np.sum(y)


def by_an_iterator(x, h):
    elements = np.nditer(h.array, op_flags=["readwrite"])
    y = x * x * h.array
    for v in elements:
        v[...] = 2.0
    return np.sum(y)


def item_of_a_list_updated(x, h):
    rows = [np.ones(3), h.array * 2]
    y = x * x * rows[0]
    rows[0] += rows[1]
    return np.sum(y)


def entry_of_a_dict_updated(x, h):
    d = {"a": h.array}
    y = x * x * d["a"]
    d["a"] += 1.0
    return np.sum(y)


def item_chosen_by_an_index_updated(x, h):
    rows, k = [np.ones(3), np.ones(3)], int(h.array[0])
    y = x * x * rows[k]
    rows[k] *= 3.0
    return np.sum(y)


def items_updated_in_a_loop(x, h):
    h = [h.array, np.ones(3)]
    first, y = h[0], x * h[0]
    for k in range(3):
        h[k % 2] += 1.0
        y = y + x * x * h[0] * first
    h[0] = np.zeros(3)
    return np.sum(y * first)


def items_of_several_lists_updated(x, h):
    rows = [[h.array], [np.ones(3)]]
    s = 0.0
    for _ in range(3):
        s += np.sum(x * rows[0][0])
        rows[0][0] += 1.0
        rows[1][0] *= rows[0][0]
        s += np.sum(x * rows[1][0]) ** 2
    return s


def item_of_an_attribute_updated(x, h):
    h.rows = [h.array]
    y = x * x * h.rows[0]
    h.rows[0] += 1.0
    return np.sum(y)


FOLLOWED = [
    by_a_helper, of_an_object_by_a_helper, by_a_function_inside, attribute_updated, attribute_stored_into,
    object_made_inside, by_a_generator, by_a_loop_over_a_list, indices_by_a_function_inside, by_a_view,
    list_by_a_function_inside, item_of_a_list_by_a_function_inside, by_a_comprehension,
    by_a_method, by_a_method_without_a_name, by_two_methods, by_a_helper_given_the_object, by_a_method_in_a_loop,
    by_a_helper_given_a_dict, by_an_object_that_holds_it, entry_of_a_dict_updated,
    item_of_a_list_updated, item_chosen_by_an_index_updated, items_updated_in_a_loop, items_of_several_lists_updated,
]  # fmt: skip
REFUSED = [
    dict_by_a_function_inside, by_a_buffer, by_an_iterator, item_of_an_attribute_updated,
]  # fmt: skip

X = np.array([1.0, 2.0, 3.0])
V = np.array([0.3, 0.5, -0.2])


def holder() -> Holder:
    return Holder(np.array([1.0, 1.5, 2.0]))


@pytest.mark.parametrize("f", FOLLOWED, ids=lambda f: f.__name__)
def test_what_was_there_is_taken_back(f: Any) -> None:
    right = numeric_gradient(lambda x: f(x, holder()), (X,), 0, 1.0)
    given = holder()
    np.testing.assert_allclose(grad(f)(X, given), right, rtol=1e-6)
    np.testing.assert_array_equal(given.array, holder().array)
    np.testing.assert_allclose(jvp(f, (X, holder()), (V, None))[1], right @ V, rtol=1e-6)


@pytest.mark.parametrize("f", REFUSED, ids=lambda f: f.__name__)
def test_what_is_not_seen_is_refused(f: Any) -> None:
    with pytest.raises(NotDifferentiable, match="inside of another container") as error:
        grad(f)(X, holder())
    assert error.value.text is not None
    assert any(
        word in error.value.text
        for word in ("grow", "bump", "g()", "Deep(", "memoryview", "nditer", "rows[", "d[")
    )


def counted(x, h, log):
    y = x * x * h.array
    log.add(log.array)
    return np.sum(y)


def test_stores_through_flat() -> None:
    def f(x):
        m = np.zeros((3, 3))
        y = m @ x
        m.flat[::4] = 2.0
        return np.sum((m @ x) ** 2) + np.sum(y)

    np.testing.assert_allclose(grad(f)(X), 8 * X)


def test_what_no_derivative_reads_may_change() -> None:
    log = holder()
    gradient = grad(counted)(X, holder(), log)
    np.testing.assert_allclose(gradient, 2 * X * holder().array)


@pytest.mark.parametrize("part", ["real", "imag"])
def test_stores_through_parts_of_arrays_are_refused(part: str) -> None:
    def real(x):
        z = np.zeros(3, complex)
        z.real[:] = 2.0
        return np.sum(z.real * x * x)

    def imag(x):
        z = np.zeros(3, complex)
        z.imag[:] = 2.0
        return np.sum(z.imag * x * x)

    f = {"real": real, "imag": imag}[part]
    with pytest.raises(NotDifferentiable, match=rf"stores through \.{part}") as error:
        grad(f)(X)
    assert error.value.text is not None and f".{part}[" in error.value.text
