"""Functions of the user's that write to what they are given, called where a value is only asked for: tests, loops, ..."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numeric import assert_close, numeric_gradient

from tangentish import NotDifferentiable, grad, jvp
from tangentish.analysis import extract
from tangentish.calling.dispatch import forget_generated


def adv(x, p):
    p[0] = p[0] * x[1] + 0.1 * x[2]
    return bool(p[0] < 9)


def idx(x, p):
    p[0] = p[0] * x[1] + 0.1 * x[2]
    return 1 if p[0] < 4 else 0


def cnt(x, p):
    p[0] = p[0] * x[1]
    return 2 if p[0] < 9 else 1


F: list[Callable[..., Any]] = []


def program(f):
    F.append(f)
    return f


@program
def and_not(x):
    p = np.ones(1) * x[0]
    y = 0.0
    for k in range(3):
        if k > 0 and (not adv(x, p)):
            y = y + p[0]
        elif adv(x, p) or k == 1:
            y = y + p[0] * p[0]
        else:
            y = y * p[0]
    return y


@program
def compare(x):
    p = np.ones(1) * x[0]
    y = 0.0
    k = 0
    while k < 3 and cnt(x, p) > 0:
        k += 1
        if k == 2:
            continue
        y = y + p[0] * p[0]
    else:
        y = y + p[0]
    return y


@program
def for_iter(x):
    p = np.ones(1) * x[0]
    y = p[0] * x[0]
    for k in range(cnt(x, p)):
        y = y + p[0] * p[0] * x[k]
        p[0] = p[0] * x[k]
    return y


@program
def asserted(x):
    p = np.ones(1) * x[0]
    y = 0.0
    for k in range(3):
        y = y + p[0] * x[k]
        assert cnt(x, p) > 0
        y = y + p[0] * p[0]
    return y


@program
def printed(x):
    p = np.ones(1) * x[0]
    y = 0.0
    for k in range(3):
        y = y + p[0] * x[k]
        str(cnt(x, p))
        y = y + p[0] * p[0]
    return y


@program
def fstring(x):
    p = np.ones(1) * x[0]
    y = 0.0
    s = ""
    for k in range(3):
        y = y + p[0] * x[k]
        s = f"{s}{cnt(x, p)}"
        y = y + p[0] * p[0]
    return y


@program
def comprehension(x):
    p = np.ones(1) * x[0]
    y = p[0] * x[0]
    c = [k for k in range(3) if adv(x, p)]
    y = y + p[0] * p[0] * len(c)
    return y


@program
def anyall(x):
    p = np.ones(1) * x[0]
    y = p[0] * x[0]
    if any([cnt(x, p) > 5 for k in range(3)]):
        y = y * 2
    y = y + p[0] * p[0]
    return y


@program
def store_index(x):
    p = np.ones(1) * x[0]
    y = x * 1.0
    for k in range(2):
        y[idx(x, p)] = y[idx(x, p)] * p[0] + x[k]
    return np.sum(y) * p[0]


@program
def aug(x):
    p = np.ones(1) * x[0]
    n = 0
    y = 0.0
    for k in range(2):
        y = y + p[0] * x[k]
        n += cnt(x, p)
        y = y + n * p[0]
    return y


@program
def slicing(x):
    p = np.ones(1) * x[0]
    y = np.sum(x[idx(x, p) :] * p[0])
    return y + np.sum(x[: idx(x, p) + 1] * p[0])


@program
def intcast(x):
    p = np.ones(1) * x[0]
    y = p[0]
    n = int(cnt(x, p))
    return y * p[0] * n + x[n - 1]


@program
def managed(x):
    p = np.ones(1) * x[0]
    y = p[0] * x[0]
    with np.errstate(all="ignore" if adv(x, p) else "warn"):
        y = y + p[0] * p[0]
    return y


@program
def ternary(x):
    p = np.ones(1) * x[0]
    y = 0.0
    for k in range(3):
        y = y * p[0] + (p[0] if adv(x, p) else x[0] * p[0])
    return y


@program
def lam(x):
    p = np.ones(1) * x[0]
    y = 0.0
    step = lambda: adv(x, p)
    while step():
        y = y + p[0] * x[0]
    return y


@program
def nested_fn(x):
    p = np.ones(1) * x[0]
    y = 0.0

    def step():
        p[0] = p[0] * x[1]
        return p[0] < 9

    while step():
        y = y + p[0] * p[0]
    return y


class S:
    def __init__(self, v):
        self.v = v
        self.k = 0

    def step(self, x):
        self.v = self.v * x[1]
        self.k += 1
        return self.v < 9 and self.k < 5


@program
def method(x):
    s = S(x[0])
    y = 0.0
    while s.step(x):
        y = y + s.v * s.v * s.k
    return y


@program
def method2(x):
    s = S(x[0])
    y = 0.0
    for i in range(4):
        if not s.step(x) or i == 2:
            break
        y = y + s.v * s.v * s.k
    return y * s.v


@program
def walrus(x):
    p = np.ones(1) * x[0]
    y = 0.0
    while (n := cnt(x, p)) > 1:
        y = y + p[0] * n
    return y


@program
def chained(x):
    p = np.ones(1) * x[0]
    y = 0.0
    if 0 < cnt(x, p) <= cnt(x, p):
        y = p[0] * p[0]
    return y


@program
def early(x):
    p = np.ones(1) * x[0]
    y = 0.0
    for k in range(9):
        if not adv(x, p):
            return y * p[0]
        y = y + p[0] * p[0]
    return y


@program
def dictget(x):
    p = np.ones(1) * x[0]
    y = p[0]
    d = {1: "a", 2: "b"}
    name = d[cnt(x, p)]
    return y * p[0] + (x[0] if name == "b" else x[1])


@program
def listlit(x):
    p = np.ones(1) * x[0]
    y = p[0]
    c = [cnt(x, p), cnt(x, p)]
    return y * p[0] * c[0]


@program
def lst(x):
    p = [x[0]]
    y = 0.0

    def push(x, p):
        p.append(p[-1] * x[1])
        return len(p) < 4

    while push(x, p):
        y = y + p[-1] * p[-1]
    return y + p[-2]


@program
def outer_iter(x):
    p = np.ones(1) * x[0]
    y = p[0]
    for a, b in zip([cnt(x, p)] * 2, [1, 2]):
        y = y + p[0] * a * b
    return y


@program
def matmul_in_place(x):
    A = np.outer(x, x) + np.eye(3)
    y = 0.0

    def normalise(A, x):
        A /= x[0] + 1.0
        return np.max(np.abs(A)) > 0.4

    k = 0
    while normalise(A, x):
        y = y + np.sum(A * A)
        k += 1
    return y + A[0, 1]


class Counter:
    def __init__(self, v):
        self.v = v
        self.n = 0

    @property
    def more(self):
        self.n += 1
        self.v = self.v * 1.5
        return self.n < 4

    def __lt__(self, other):
        self.v = self.v * 2
        return True


@program
def property_that_counts(x):
    counter = Counter(x[0])
    y = 0.0
    while counter.more:
        y = y + counter.v * x[1]
    return y


@program
def comparison_that_counts(x):
    counter = Counter(x[0])
    y = 0.0
    if counter < 3:
        y = counter.v
    return y * x[1]


@program
def texts_of_what_binds(x):
    c, n = x[0], 0

    def tick():
        nonlocal c, n
        n, c = n + 1, c * x[1]
        return n

    y = c
    label = f"{tick()} of {tick():>{tick()}}, {x[0] < 0 and tick()}"
    return y * c * x[n - 1] * len(label)


@pytest.mark.parametrize("f", F, ids=lambda f: f.__name__)
def test_what_is_written_counts(f: Callable[..., Any]) -> None:
    x, x_dot = np.array([1.3, 1.7, 0.6]), np.array([0.3, 0.2, 0.5])
    expected = numeric_gradient(f, (x,), 0, 1.0)
    assert_close(grad(f)(x), expected, f.__name__)
    if f is not asserted:  # forward mode does not follow it yet, and says so
        assert_close(jvp(f, (x,), (x_dot,))[1], expected @ x_dot, f.__name__)


def test_a_call_that_got_no_line_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever form a line has: what a call writes inside of it is not lost without a word."""
    monkeypatch.setattr(extract._Extract, "written_first", lambda self, statement: None)
    forget_generated()
    for f in (for_iter, managed):
        with pytest.raises(NotDifferentiable, match="writes to what it is given"):
            grad(f)(np.array([1.3, 1.7, 0.5]))
    forget_generated()
