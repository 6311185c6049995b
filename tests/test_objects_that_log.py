"""Objects that are given and put what they compute into a list of their own, which may be empty before."""

import copy
from typing import Any

import pytest
from every_mode import kept_in, named

from tangentish import NotDifferentiable, grad, jvp


class A:
    def __init__(self, k=2.0, h=None):
        self.k, self.h = k, [] if h is None else h

    def m(self, x):
        v = self.k * x**2
        self.h.append(v)
        return v

    def size(self):
        return len(self.h)

    def last(self):
        return self.h[-1] if self.h else 1.0

    def reset(self):
        self.h = []

    def clear(self):
        self.h.clear()


class B(A):
    def total(self):
        return sum(self.h)

    def m(self, x):
        return super().m(x) * 2


FUNCTIONS: list[Any] = []


@kept_in(FUNCTIONS)
def alias(o, x):
    p = o
    p.m(x)
    o.m(x * 2)
    return p.h[0] * o.h[1] * o.k


@kept_in(FUNCTIONS)
def size(o, x):
    o.m(x)
    o.m(x)
    return o.size() * o.last() * x


@kept_in(FUNCTIONS)
def cleared(o, x):
    o.m(x)
    y = o.last()
    o.clear()
    o.m(x**2)
    return y * o.last() * len(o.h)


@kept_in(FUNCTIONS)
def reset(o, x):
    o.m(x)
    y = o.last()
    o.reset()
    o.m(x**2)
    return y * o.last() * len(o.h)


@kept_in(FUNCTIONS)
def local(o, x):
    b = B(o.k * x)
    b.m(x)
    b.m(o.k)
    return b.total() * b.h[0] + o.last()


@kept_in(FUNCTIONS)
def copied(o, x):
    o.m(x)
    q = copy.copy(o)
    q.m(x * 3)
    return o.last() * q.last() * len(o.h)


@kept_in(FUNCTIONS)
def deep(o, x):
    o.m(x)
    q = copy.deepcopy(o)
    q.m(x * 3)
    return o.last() * q.last() * len(o.h)


@kept_in(FUNCTIONS)
def branch(o, x):
    if x > 2:
        o.m(x)
    else:
        o.m(x**3)
    if not o.h:
        return x
    return o.last() * o.k


@kept_in(FUNCTIONS)
def whileloop(o, x):
    y = x
    while len(o.h) < 4:
        y = y + o.m(y) / 10
    return y * o.h[1]


@kept_in(FUNCTIONS)
def in_list(o, x):
    os = [o, A(x)]
    for q in os:
        q.m(x)
    return sum(q.last() for q in os) * o.k


@kept_in(FUNCTIONS)
def printed(o, x):
    o.m(x)
    str(o.k)
    return o.m(x) * isinstance(o, A)


@kept_in(FUNCTIONS)
def attr_changed(o, x):
    for i in range(2):
        o.k = o.k * o.m(x)
    return o.k * o.h[0]


@kept_in(FUNCTIONS)
def slice_(o, x):
    for i in range(3):
        o.m(x + i)
    return sum(o.h[1:]) * o.h[-2]


@kept_in(FUNCTIONS)
def popped(o, x):
    for i in range(3):
        o.m(x + i)
    v = o.h.pop()
    return v * o.last()


@kept_in(FUNCTIONS)
def inner(o, x):
    def f(z):
        return o.m(z) * z

    return f(x) * f(x + 1) + len(o.h)


@kept_in(FUNCTIONS)
def mixed(o, x):
    o.h.append(1)
    o.m(x)
    return o.h[0] * o.h[1] * o.k


@kept_in(FUNCTIONS)
def returned_none(o, x):
    h = o.h
    h.append(x * o.k)
    o.m(x)
    return h[1] * o.h[0]


@kept_in(FUNCTIONS)
def double(o, x):
    return o.m(x) * A.m(o, x + 1)


X, K = 2.5, 1.3


def slope(f: Any, at: float) -> float:
    return float((f(at + 1e-6) - f(at - 1e-6)) / 2e-6)


@pytest.mark.parametrize(("cls", "held"), [(A, None), (B, [1.5])], ids=["empty", "full"])
@pytest.mark.parametrize("function", FUNCTIONS, ids=named)
def test_objects_that_log(function: Any, cls: Any, held: Any) -> None:
    def made(k: float = K) -> Any:
        return cls(k, None if held is None else list(held))

    along_x = slope(lambda x: function(made(), x), X)
    model = made()
    assert grad(function, wrt=1)(model, X) == pytest.approx(along_x, rel=1e-5)
    gradient = grad(function)(model, X)
    assert (model.k, model.h) == (K, held or [])
    assert gradient.k == pytest.approx(slope(lambda k: function(made(k), X), K), rel=1e-5)
    assert jvp(function, (made(), X), (None, 1.0))[1] == pytest.approx(along_x, rel=1e-5)
    second = slope(lambda x: grad(function, wrt=1)(made(), x), X)
    assert grad(grad(function, wrt=1), wrt=1)(made(), X) == pytest.approx(second, rel=1e-4)


def test_a_list_under_two_names_is_refused() -> None:
    def shared(o, x):
        other = A(x, o.h)
        o.m(x)
        other.m(x + 1)
        return o.h[0] * other.h[1]

    with pytest.raises(NotDifferentiable, match="may share memory"):
        grad(shared, wrt=1)(A(K), X)
