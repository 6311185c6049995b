"""Lines that raise, and whose value nobody reads: what catches the exception is reached all the same."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import check_along
from test_refusals import function_of

X, X_DOT = np.array([0.7, 1.3, -0.4, 2.1]), np.array([1.0, -2.0, 0.5, 0.3])

LINES = """
(a, b) = (1, 2, 3)
(a, *b, c) = (1,)
(a, (b, c)) = (1, (2, 3, 4))
(a, b) = (1, *PAIR)
a, b = NONE
not_defined_anywhere
q = not_defined_anywhere
q = [not_defined_anywhere, 1]
for q in 3: pass
for q in NONE: pass
for a, b in [(1, 2), (1, 2, 3)]: pass
for a, b in PAIR: pass
q = [a for a, b in PAIR]
if x: pass
q = x and 1
q = np.not_there
q = 1 < "a"
(a, *b, c) = (1, 2)
a, b = s, 1
for a, b in [(1, 2)]: pass
for q in PAIR: pass
"""
"""Lines, the last four of which do not raise."""

TEXT = """
def f(x):
    s = x[0] * x[1]
    try:
        {line}
        s = s * x[2]
    except (ValueError, TypeError, NameError, AttributeError):
        s = s + x[2] ** 2
    return s * x[3]
"""


@pytest.mark.parametrize("line", LINES.strip().splitlines())
def test_caught(line: str) -> None:
    check_along(function_of(TEXT.format(line=line), PAIR=[1, 2], NONE=None), X, X_DOT)


def helper_that_only_raises(x):
    s = x[0]

    def half(v):
        raise ValueError
        return v / 2

    try:
        s = half(s)
    except ValueError:
        s = s + x[2] ** 2
    return s * x[3]


def test_a_helper_that_only_raises() -> None:
    check_along(helper_that_only_raises, X, X_DOT)
