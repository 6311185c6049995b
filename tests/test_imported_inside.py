"""Tools of the standard library that a function imports itself: right in every mode, as those of its module."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

RIGHT: list[Callable[..., Any]] = []
X, X_DOT = np.array([0.7, 1.3, -0.4, 2.1]), np.array([1.0, -2.0, 0.5, 0.3])


@kept_in(RIGHT)
def a_deque(x):
    from collections import deque

    last = deque(maxlen=2)
    s = 0.0
    for v in x:
        last.append(v)
        s += sum(last) / len(last) * v
    return s


@kept_in(RIGHT)
def an_ordered_dict(x):
    from collections import OrderedDict

    d = OrderedDict()
    d["a"] = x[0]
    d["b"] = x[1] * x[2]
    return sum(d.values()) * x[3]


@kept_in(RIGHT)
def a_reduction(x):
    import functools as tools
    from functools import reduce as folded

    return folded(lambda a, b: a * b + 1.0, x) + tools.reduce(lambda a, b: a + b * b, x)


@kept_in(RIGHT)
def a_vectorized_function(x):
    from numpy import vectorize

    return np.sum(vectorize(lambda v: v * v if v > 0 else -v)(x))


def combined(a, b):
    return a * b


@kept_in(RIGHT)
def a_variable_with_the_name_of_one(x):
    def by(reduce):
        return reduce(x[0], x[1]) + x[2]

    return by(combined) + reduce(combined, x)


@kept_in(RIGHT)
def a_variable_that_takes_its_place(x):
    deque = [x[0], x[1]]
    deque.append(x[2])
    return sum(v * v for v in deque)


test_right = each_right(RIGHT, X, X_DOT)
