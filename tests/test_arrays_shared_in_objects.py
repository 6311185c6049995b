"""Arrays that stand twice in what is given: an attribute that is bound anew writes to none of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import named
from numeric import assert_close, numeric_gradient

from tangentish import grad, hvp, jvp


class Points:
    def __init__(self):
        self.weights = np.array([0.5, 1.0, 2.0])


class Filter:
    def __init__(self):
        self.points = Points()
        self.weights = self.points.weights
        self.x = np.ones(3)

    def update(self, z):
        self.x = self.x * self.weights * z


def by_a_method(u, z):
    u.update(z)
    return np.sum(u.x**2)


def what_is_bound_is_written_to(u, z):
    u.x = u.x * z
    u.x[0] = z
    return np.sum(u.x * u.points.weights) * z


def one_of_both_is_bound(u, z):
    u.x = u.weights
    u.weights = u.weights * z
    return np.sum(u.x * u.weights * u.points.weights)


def of_a_dict(d, z):
    d["a"] = d["a"] * z
    return np.sum(d["b"] * d["a"])


def written_under_the_other_name(u, z):
    u.x = u.weights
    u.x[0] = z
    return np.sum(u.x * u.points.weights) * z


def written_before_it_is_bound(u, z):
    w = u.weights
    u.x = u.x * z
    w *= z
    return np.sum(u.x * u.points.weights)


def dict_of_one_array() -> dict[str, Any]:
    a = np.array([1.0, 2.0, 3.0])
    return {"a": a, "b": a[:]}


RIGHT = [
    (by_a_method, Filter),
    (what_is_bound_is_written_to, Filter),
    (one_of_both_is_bound, Filter),
    (of_a_dict, dict_of_one_array),
]


@pytest.mark.parametrize(("function", "made"), RIGHT, ids=lambda f: named(f))
def test_right(function: Callable[..., Any], made: Callable[[], Any]) -> None:
    def slope(z: Any) -> Any:
        return grad(function, wrt="z")(made(), z)

    numeric = numeric_gradient(lambda z: function(made(), z), (2.0,), 0, 1.0)
    assert_close(slope(2.0), numeric, function.__name__)
    assert_close(jvp(function, (made(), 2.0), (None, 1.0))[1], numeric, function.__name__)
    curved = numeric_gradient(slope, (2.0,), 0, 1.0)
    assert_close(hvp(function, wrt="z")(made(), 1.0, 2.0), curved, function.__name__)


@pytest.mark.parametrize(
    "function", [written_under_the_other_name, written_before_it_is_bound], ids=named
)
def test_what_is_written_to_is_not_shared(function: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match="share memory"):
        grad(function, wrt="z")(Filter(), 2.0)


def test_one_object_under_two_names() -> None:
    def f(u, v, z):
        u.x = u.x * z
        return np.sum(u.x * v.x)

    u, v = Filter(), Filter()
    with pytest.raises(ValueError, match="share memory"):
        grad(f, wrt="z")(u, u, 2.0)
    v.x = u.x
    assert grad(f, wrt="z")(u, v, 2.0) == 3.0


class Node:
    def __init__(self, x, parent=None):
        self.x, self.parent, self.kids = x, parent, []


def family():
    root = Node(np.array([1.0, 2.0]))
    root.kids.append(Node(np.array([3.0, 4.0]), root))
    return root


def test_objects_that_hold_themselves() -> None:
    def read(z, root):
        return np.sum(z * root.kids[0].x * root.kids[0].parent.x)

    def bound(z, root):
        root.x = root.x * z
        return np.sum(root.kids[0].parent.x)

    def written(z, root):
        root.kids[0].parent.x[0] = z[0]
        return np.sum(root.x * z)

    z = np.array([0.7, 1.3])
    np.testing.assert_allclose(grad(read)(z, family()), [3.0, 8.0])
    for function in (bound, written):
        with pytest.raises(ValueError, match="or one holds itself"):
            grad(function)(z, family())
        with pytest.raises(ValueError, match="or one holds itself"):
            jvp(function, (z, family()), (z, None))
