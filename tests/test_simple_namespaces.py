"""Objects of types.SimpleNamespace: made in the function, or given, they hold what varies as other objects do."""

from __future__ import annotations

import types
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

from tangentish import grad

RIGHT: list[Callable[..., Any]] = []
P, P_DOT = np.array([0.7, 0.4, 0.9]), np.array([1.0, -2.0, 0.5])


def use(c, x):
    return c.a * x + c.b


def made(p):
    return SimpleNamespace(u=p[0] * p[1], v={"w": p[2]})


@kept_in(RIGHT)
def read(p):
    cfg = SimpleNamespace(a=p[0], b=p[1])
    return cfg.a * np.exp(cfg.b)


@kept_in(RIGHT)
def stored_to_in_a_loop(p):
    s = types.SimpleNamespace(x=p * 1.0, n=0, log=[])
    for v in p:
        s.x = s.x * v
        s.log.append(s.x[0])
        s.n += 1
    return np.sum(s.x) * s.n + sum(s.log)


@kept_in(RIGHT)
def handed_to_functions(p):
    c = SimpleNamespace(b=p[0], a=p[1])
    c.a *= 2
    return use(c, p[2]) + use(SimpleNamespace(a=1.0, b=p[0]), p[1])


@kept_in(RIGHT)
def given_by_a_function(p):
    m = made(p)
    m.extra = m.u * 2
    return m.extra * m.v["w"]


@kept_in(RIGHT)
def in_a_list(p):
    cs = [SimpleNamespace(x=v, k=2.0) for v in p]
    for c in cs:
        c.x *= c.k
    return sum(c.x**2 for c in cs)


@kept_in(RIGHT)
def made_of_a_dict(p):
    c = SimpleNamespace(**{"a": p[0], "b": p[1]})
    return c.a * c.b


test_right = each_right(RIGHT, P, P_DOT)


def test_gradient_of_one_that_is_given() -> None:
    def f(cfg, x):
        return np.sum(cfg.k * x**2) * cfg.m["a"] + cfg.n

    cfg, x = SimpleNamespace(k=2.0, n=3, m={"a": 1.5, "b": np.ones(2)}), np.array([1.0, 2.0])
    gradient = grad(f)(cfg, x)
    assert type(gradient) is SimpleNamespace
    assert (gradient.k, gradient.n, gradient.m["a"]) == (7.5, None, 10.0)
    np.testing.assert_array_equal(gradient.m["b"], np.zeros(2))
    assert (cfg.k, cfg.n, cfg.m["a"]) == (2.0, 3, 1.5)
