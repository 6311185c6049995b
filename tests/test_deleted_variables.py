"""`del c` of a variable that a function inside reads: who calls it then is refused, for Python raises there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
right, refused = kept_in(RIGHT), refused_in(REFUSED)
X, X_DOT = np.array([0.7, 0.4, 1.3]), np.array([0.3, -0.2, 0.5])

DELETED = "'c', which this function reads, may have been deleted here"


@refused(DELETED)
def called_after(x):
    c = x[0] * 2

    def g(v):
        return v * c  # noqa: F821

    y = g(x[1])
    del c
    return y + g(x[2])


@refused(DELETED)
def handed_on_after(x):
    c = 2.0
    g = lambda v: v * c
    if x[0] > 0:
        del c
    return sum(map(g, x))


@right
def bound_again(x):
    c = x[0] * 2

    def g(v):
        return v * c  # noqa: F821

    y = g(x[1])
    del c
    c = x[1]
    return y + g(x[2])


@right
def deleted_with_the_function(x):
    s = 0.0
    for v in x:
        c = v * 2
        g = lambda u: u * c  # noqa: F821
        s = s + g(x[0])
        del c, g
    return s


test_right = each_right(RIGHT, X, X_DOT)
test_refused = each_refused(REFUSED, X)
