"""Arrays inside of arguments that carry no derivative, written to with differentiated values under other names.

The container is told apart from the beginning then: the truth is numeric, and what was given stays as it was.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numeric import numeric_gradient

from tangentish import grad, jvp


class Buffers:
    def __init__(self) -> None:
        self.b = np.array([1.0, 2.0])


def _scale(a, s):
    a *= s


def _scale_entry(p, s):
    v = p["b"]
    v *= s
    return v


def by_name(p, s):
    v = p["b"]
    v *= s
    return np.sum(p["b"] ** 2)


def by_slice(p, s):
    v = p["b"][1:]
    v[...] = s
    p["c"] = s
    return np.sum(p["b"] ** 2)


def by_helper(p, s):
    w = p["b"]
    _scale(p["b"], s)
    return np.sum(w**2)


def by_helper_of_the_dict(p, s):
    r = _scale_entry(p, s)
    return np.sum(p["b"] ** 2) + r[0]


def deeper(p, s):
    v = p["d"]["b"]
    for k in range(2):
        v[k] *= s
    return np.sum(p["d"]["b"] ** 2)


def by_out(p, s):
    np.multiply(p["b"], s, out=p["b"])
    return np.sum(p["b"] ** 2)


def by_a_function_inside(p, s):
    def put(k):
        w = p["b"]
        w[k] = s * k

    put(0)
    put(1)
    return np.sum(p["b"] ** 2) * s


def of_an_object(o, s):
    v = o.b
    v *= s
    return np.sum(o.b**2)


def unpacked(pair, s):
    v, w = pair
    v *= s
    w[0] = v[1]
    return np.sum(pair[0] ** 2) + pair[1][0]


def buffers_in_turn(pair, s):
    now = 0
    for _ in range(3):
        a, b = pair[now], pair[1 - now]
        b[:] = a * s
        now = 1 - now
    return np.sum(pair[0]) + np.sum(pair[1] ** 2)


def _array():
    return np.array([1.0, 2.0])


ENTRY = {"b": _array(), "c": np.array(1.0)}


@pytest.mark.parametrize(
    ("function", "container"),
    [
        (by_name, ENTRY),
        (by_slice, ENTRY),
        (by_helper, ENTRY),
        (by_helper_of_the_dict, ENTRY),
        (deeper, {"d": ENTRY}),
        (by_out, ENTRY),
        (by_a_function_inside, ENTRY),
        (of_an_object, Buffers()),
        (unpacked, [_array(), _array()]),
        (unpacked, (_array(), _array())),
        (buffers_in_turn, [_array(), _array()]),
    ],
)
def test_written_under_another_name(function: Callable[..., Any], container: Any) -> None:
    given = copy.deepcopy(container)
    right = numeric_gradient(lambda s: function(copy.deepcopy(container), s), (2.0,), 0, 1.0)
    np.testing.assert_allclose(grad(function, wrt="s")(given, 2.0), right, rtol=1e-8)
    _, tangent = jvp(function, (given, 2.0), (None, 1.0))
    np.testing.assert_allclose(tangent, right, rtol=1e-8)
    np.testing.assert_equal(_held(given), _held(container))


def _held(container: Any) -> Any:
    return vars(container) if isinstance(container, Buffers) else container
