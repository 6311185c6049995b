"""Statements whose parts change what other parts read: each is evaluated when Python evaluates it, or refused."""

from __future__ import annotations

import functools
import linecache
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tangentish import NotDifferentiable, jvp, value_and_grad

PROGRAM = """
class C:
    def __init__(self, a): self.a = a
    def grow(self):
        self.a = self.a * 1.3 + 0.1
        return self.a * 3
class O:
    def __init__(self, a, b):
        self.a = a
        self.b = b
        self.c = C(a * b)
        self.l = [a, b]
    def grow(self):
        self.a = self.a * 1.3 + 0.1
        return self.a * 2
    @property
    def p(self):
        self.a = self.a * 0.9
        return self.a * 2
    def step(self):
        self.a = self.a * 2
        self.b = 0.4 * self.a
        return O(self.a + 1, self.b)
    def two(self):
        self.a = self.a * 2
        return O(self.a + 1, self.b), self.a
    def two2(self):
        self.a = self.a * 2
        return self.a + 1, self.a
    def two3(self):
        self.a = self.a * 2
        return self.a, self.a + 3
    def both2(self):
        self.a, self.b = self.b * 2, self.a + 0.5
        return self.a + self.b, self.a * self.b
    def deep(self):
        self.c.a = self.c.a * 2
        self.a = self.a * 0.3
        return self.c.a + self.a + 1
    def renew(self):
        self.c.a = self.c.a * 2
        return C(self.c.a + 1)
    def __call__(self, v):
        self.a = self.a * v
        return self.a + 3
    def __add__(self, v):
        self.a = self.a * 0.5
        return self.a + v
    def __getitem__(self, k):
        self.a = self.a * 0.5
        return self.a + k + 1.5
    def __iadd__(self, v):
        self.a = self.a * 0.5 + v
        return O(self.a * 2, self.b)
    def __enter__(self):
        self.a = self.a * 0.5
        return self.a + 4
    def __exit__(self, *e): return None
    def tup(self):
        self.a = self.a * 0.5
        return self.a + 4, self.a * self.b
    def takes(self):
        self.l[0] = self.l[0] * 0.5
        return self.l[0] + self.l[1]
    def newl(self):
        self.l[0] = self.l[0] * 0.5
        return [self.l[0] * 3, self.l[1]]
    def rec(self, n):
        self.a = self.a * 0.5 + 0.1
        return self.a if n == 0 else self.rec(n - 1) + self.a
def bump(x):
    x[0] += 0.3
    return x[0]
def turn(x, s):
    x[1] = x[1] * s
    return x[2] + s
def take(l):
    return l.pop() * 1.1
def put(d):
    d["a"] = d["a"] * 0.7
    return d["a"]
def g(x):
    return turn(x, 0.5) * 2
def step(o):
    o.a = o.a * 3
    return O(o.a + o.b, o.a)
def both(o):
    o.a = o.a * 3
    return o.a, O(o.a + o.b, o.a)
def stepd(d):
    d["a"] = d["a"] * 2
    return {"a": d["a"] + 1, "b": d["b"] * d["a"]}
def stepa(d):
    d["a"] = d["a"] * 2
    return d["a"] * d["b"]
def takel(l):
    l[0] = l[0] * 1.1
    return l[0] * 1.1
def f(x):
    l=[x[0],x[1],x[2], x[1], x[0]]
    d={"a":x[0],"b":x[1]}
    x = x*1.0
    y = 0.0
    o = O(x[2], x[0])
    s = x[0]
    t = 0.2
    def near(v):
        nonlocal s
        s = s * 0.5 + v
        return s * 3
    def near2(v):
        nonlocal s
        s = s * 0.5 + v
        return s * 3, s + 1
    def near3(u, v):
        nonlocal s
        s = s * 0.5 + v
        return s * u
    %s
    return np.sum(x*x)*2+sum(l)*y+sum(l)+sum(d.values())+o.a*s+t*o.a+o.c.a+(o.b+sum(o.l) if isinstance(o, O) else 0.0)
"""

STATEMENTS = [
    "x[int((x[0] if l.pop() > 0.5 else l.pop())*0)] = 1.0",
    "k = int((x[0] if l.pop() > 0.5 else l.pop())*0); x[k] = 1.0",
    "y = (x[0] if l.pop() > 0.5 else l.pop())",
    "y = (x[0] if x[1] > 0.5 else l.pop())",
    "x[0 if x[1] > 0.5 else int(l.pop())] = 1.0",
    "x[int(x[1] > 0.5 or l.pop())] = 1.0",
    "y = np.sum(x[int((x[0] if x[1] > 0.5 else l.pop())*0)])",
    "x[int((x[0] if x[1] > 0.5 else l.pop())*0)] += 1.0",
    "x[int((x[0] if x[1] > 0.5 else bump(x))*0)] = 1.0",
    "if (1 if x[1] > 0.5 else l.pop()) > 0: y = x[0]",
    "y = x[1] * int(0 if x[1] > 0.5 else l.pop())",
    "y = x[1] * int(x[1] > 0.5 and x[0] > 0.9 and l.pop() > 0)",
    "y = x[1] * (x[1] > 0.5 or l.pop() > 0)",
    "for k in range(int(1 if x[1] > 0.5 else l.pop())): y += x[0]",
    "y = x[int(0 if x[1] > 0.5 else l.pop()):].sum()",
    "y = max(x[0], x[1] if x[1] > 0.5 else l.pop())",
    "y = f'{0 if x[1] > 0.5 else l.pop()}' and x[0]",
    "y = [x[0], x[1] if x[1] > 0.5 else l.pop()][0]",
    "y = x[0] if len(l) > 2 else l.pop()",
    "assert x[1] > 0.5 or l.pop() > 0",
    "while x[1] > 0.5 and l.pop() > 0.6: y += x[1]",
    "y = x[0] if 0.1 < x[1] < 0.2 < l.pop() else x[2]",
    "y = x[0] * (0.9 < x[1] < l.pop())",
    "y = sum(l.pop() for _ in range(2)) if x[1] < 0.5 else x[0]",
    "x[int(len([l.pop() for _ in range(2)]) if x[1] < 0.5 else 0)] = 1.0",
    "x[int(d.pop('a') if x[1] < 0.5 else 0)] = 1.0",
    "x[0 if x[1] > 0.5 else int(near(x[0])*0)] = 1.0",
    "x[int((x[0] if x[1] > 0.5 else near(x[0]))*0)] = 1.0",
    "x[int((x[0] if x[1] > 0.5 else o.grow())*0)] = 1.0",
    "x[int(x[1] > 0.5 or near(x[0]) > 0)] = 1.0",
    "x[int(x[1] > 0.5 or o.grow() > 0)] = 1.0",
    "y = x[0] * int(x[1] > 0.5 or o.p > 0)",
    "y = x[0] * int(x[1] > 0.5 or near(x[0]) > 0)",
    "y = x[0] * int(0 if x[1] > 0.5 else o.p)",
    "k = 0 if x[1] > 0.5 else int(o.grow()); y = x[k]",
    "k = 0 if x[1] > 0.5 else int(l.pop()); y = x[k]",
    "k = x[1] > 0.5 or l.pop() > 3; y = x[int(k)]",
    "k = x[1] > 0.5 or (l.pop() > 3 and l.pop() > 2); y = x[int(k)]",
    "x[1] += np.array([turn(x, 0.5), x[0]]) @ np.array([1.0, 2.0])",
    "x[1] += x[0] if turn(x, 0.5) > 0.5 else x[2]",
    "x[1] += (x[0] if turn(x, 0.5) > 0.5 else x[2])*2",
    "x[1] += sum([turn(x, 0.5), x[0]])",
    "x[1] += np.sin(turn(x, 0.5))",
    "x[1] += turn(x, s)",
    "x[1] += turn(x, near(s))",
    "y = sum([bump(x) for _ in range(2)]) * np.sum(x) * d.pop('c', x[0])",
    "y = sum([bump(x) for _ in range(2)]) * np.sum(x)",
    "y = sum([bump(x) for _ in range(2)]) * x[0]",
    "y = x[0] * sum([bump(x) for _ in range(2)])",
    "y = x.sum() * d.pop('c', bump(x))",
    "y = bump(x) * np.sum(x) * d.pop('c', x[0])",
    "y = np.sum(x) * d.pop('c', x[0])",
    "s = bump(x) * np.sum(x); y = y*s",
    "y, s = near((x[0] - near(o.a))), max(near(o.grow()), turn(x, sum(l)))",
    "y, s = near(x[0]), near(s)",
    "y, s = near(x[0]), x[1]",
    "y, s = near(x[0]), max(near(x[1]), x[2])",
    "y = x[1] * o.p; o.a = o.p",
    "o.a = o.p",
    "o.a += o.p",
    "o.a *= o.grow()",
    "s += near(x[1])",
    "s = near(x[1]) + s",
    "s = s + near(x[1])",
    "l[0] += l.pop() + l[0]",
    "l[0] += take(l)",
    "l[-1] += take(l)",
    "x[l.pop() > 9] += l.pop()",
    "d['a'] += put(d)",
    "d['a'] = d['a'] + put(d)",
    "d['a'] = put(d) + d['a']",
    "x[1] -= (x[0] if x[2] > 0.5 else turn(x, 0.5))",
    "x[1] -= (x[0] if x[2] > 0.6 else turn(x, 0.5))",
    "x[1:] += turn(x, 0.5)",
    "x[1:] += (x[0] if x[2] > 0.6 else turn(x, 0.5))",
    "x += turn(x, 0.5)",
    "x[[1,2]] += turn(x, 0.5)",
    "x[1] += max(turn(x, 0.5), x[1])",
    "x[1] += turn(x, 0.5) or x[1]",
    "x[1] += [turn(x, 0.5) for _ in range(2)][1]",
    "x[1] += sum(turn(x, 0.5) for _ in range(2))",
    "x[1] += (lambda v: turn(x, v))(0.5)",
    "x[1] += np.array([turn(x, 0.5)]).sum()",
    "x[1] += float(turn(x, 0.5))",
    "x[1] += {'a': turn(x, 0.5)}['a']",
    "x[1] += (turn(x, 0.5), 1.0)[0]",
    "x[1] += g(x)",
    "o = o.step()",
    "o = step(o)",
    "d = stepd(d)",
    "d['a'] = stepa(d)",
    "t, o = both(o)",
    "o, t = o.two()",
    "o.a, t = o.two2()",
    "t, o.a = o.two3()",
    "o.a = o.b = o.grow()",
    "s = near(x[0])",
    "s, t = near2(x[0])",
    "t, s = near2(x[0])",
    "o.a, o.b = o.both2()",
    "o.b, o.a = o.both2()",
    "o.c.a = o.c.grow()",
    "o.c.a = o.deep()",
    "o.a = o.deep()",
    "o.c = o.renew()",
    "o.c = O(o.grow(), 1.0); o.a = o.c.grow()",
    "o.a = max(o.grow(), 0.1)",
    "o.a = o.grow() if x[1] > 0.5 else 0.0",
    "o.a = -o.grow()",
    "o.a = [o.grow(), 1.0][0]",
    "for o.a in [o.grow(), o.grow()]: y += o.a",
    "o.a = o(0.5)",
    "o.a = o + 1.0",
    "o.a = o[0]",
    "o += 1.0",
    "o.a = len(l) * o.grow()",
    "o.a += o.grow()",
    "with o as o.a: y += o.a",
    "q = [o.grow(), o.a]; o.a = q[0]*q[1]",
    "o.a = getattr(o, 'p')",
    "o.a = O.grow(o)",
    "o.a = (lambda: o.grow())()",
    "o.a = functools.partial(O.grow, o)()",
    "o.a = sum(o.grow() for _ in range(2))",
    "l[0] = takel(l)",
    "l[-1] = l.pop()*2",
    "x[0] = bump(x)",
    "l[0], x[0] = takel(l), bump(x)",
    "d['z'] = d.pop('a')",
    "d['a'] = d.pop('a')*2",
    "o.a = o.tup()[0]",
    "o.a, o.b = o.tup()",
    "(o.a, t), o.b = o.tup(), 1.0",
    "o.l[0] = o.takes()",
    "o.l = o.newl()",
    "o.l.append(o.takes())",
    "o.l.extend([o.takes(), o.grow()])",
    "o.a = o.rec(2)",
    "o.a = np.sin(o.grow())",
    "y = s + near(x[0]) * (z := x[1])",
    "y = s * (z := near(x[0]))",
    "s += (z := near(x[0]))",
    "y += (y := x[0])",
    "x[1] += (z := turn(x, 0.5))",
    "y += (z := turn(x, 0.5))",
    "y = x[1] * turn(x, 0.5) * (z := x[1])",
    "o.a += (z := o.grow())",
    "y = o.a * (z := o.grow())",
    "y = l[-1] * (z := l.pop())",
    "y = sum([s, near(x[0]), (z := s)])",
    "x[0] += functools.reduce(lambda a, b: a*b, x)",
    "y = s + functools.reduce(lambda a, b: a*near(b), x)",
    "y = x[0] + functools.reduce(lambda a, b: a*bump(x), x, 1.0)",
    "x[0] += functools.reduce(lambda a, b: a*bump(x), x, 1.0)",
    "y = s + functools.reduce(near3, x)",
    "y = [s, functools.reduce(near3, x), s][0]",
    "s += functools.reduce(near3, x)",
    "y = sum(v for v in l[1:]) + next(v for v in l if v > 0.3) * l.pop()",
    "y = l.pop() + next(v for v in l[::-1] if v > 0.3)",
    "y = s + next(near(v) for v in l)",
    "y = x[0] * (0.9 < x[1] < o.p)",
    "o.a += o.p * functools.reduce(lambda a, b: a * b, x)",
    "l[1:3] = [takel(l), l[0]]",
    "l[1:] = l[0], takel(l), l[0]",
    "x[int(0.9 < x[1] < l.pop())] = 0.3",
    "y = x[0] * (0.2 < o.a < near(x[2]))",
    "if 0.9 < x[1] < l.pop(): y = x[0]",
    "while 0.1 < x[1] < l.pop(): y += x[0]",
    "y = x[0] * (0.1 < near(x[0]) < near(x[1]))",
    "y = max(x[0] if 0.9 < x[1] < bump(x) else x[1], x[2])",
    "l[0], l[1] = l[1], takel(l)",
    "d['a'], d['b'] = d['b'], stepa(d)",
    "x[int(o.p * 0)] = o.a",
    "y = sum([x[1], o.p]) if x[0] > o.p else o.p",
    "y = x[0] * (near(x[0]) < near(x[1]) < near(x[2]))",
    "y = x[0] * (s < near(x[0]) < s + 2)",
    "y = x[0] * (x[0] < bump(x) < x[0] + 1 < bump(x) + 1 < x[0] + 3)",
    "y = x[0] * (o.a < o.grow() < o.a * 3 < o.grow() + o.a)",
    "y = x[0] * (l[-1] < l.pop() + 1 < l.pop() + 2)",
    "y = x[0] * (0.9 < l.pop() < near(x[0]) < l.pop())",
]


def program(statement: str) -> Callable[[Any], Any]:
    text = PROGRAM % statement
    filename = f"<order of {statement}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace: dict[str, Any] = {"np": np, "functools": functools, "__name__": filename}
    exec(compile(text, filename, "exec", dont_inherit=True), namespace)
    function: Callable[[Any], Any] = namespace["f"]
    return function


X = np.array([0.31, 0.72, 0.53])
REFUSED = {
    "x[int(o.p * 0)] = o.a",
    "y = sum([x[1], o.p]) if x[0] > o.p else o.p",
    "o.a += o.p * functools.reduce(lambda a, b: a * b, x)",
    "x[int((x[0] if x[1] > 0.5 else l.pop())*0)] += 1.0",
    "t, o = both(o)",
    "o, t = o.two()",
    "x[l.pop() > 9] += l.pop()",
    "for o.a in [o.grow(), o.grow()]: y += o.a",
    "o += 1.0",
    "o.c = o.renew()",
    "with o as o.a: y += o.a",
    "o.a = functools.partial(O.grow, o)()",
    "o.l[0] = o.takes()",
    "o.l = o.newl()",
    "o.l.append(o.takes())",
    "s += (z := near(x[0]))",
    "o.l.extend([o.takes(), o.grow()])",
    "o.a = o.rec(2)",
    "y += (y := x[0])",
    "x[1] += (z := turn(x, 0.5))",
    "o.a += (z := o.grow())",
    "x[0] += functools.reduce(lambda a, b: a*bump(x), x, 1.0)",
    "s += functools.reduce(near3, x)",
}


@pytest.mark.parametrize("statement", STATEMENTS)
def test_derivatives_are_right_or_refused(statement: str) -> None:
    function = program(statement)
    try:
        value, gradient = value_and_grad(function)(X)
        _, tangent = jvp(function, (X,), (np.ones(3),))
    except NotDifferentiable:
        assert statement in REFUSED
        return
    step = 1e-6 * np.eye(3)
    expected = [(function(X + h) - function(X - h)) / 2e-6 for h in step]
    assert value == pytest.approx(function(X.copy()))
    np.testing.assert_allclose(gradient, expected, rtol=1e-5, atol=1e-6)
    assert tangent == pytest.approx(sum(expected), rel=1e-5, abs=1e-6)
