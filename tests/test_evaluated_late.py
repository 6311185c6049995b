"""What Python evaluates late, in turn, or in the order in which it is written: it is right here, or refused.

Generators make their items one by one, keyword arguments are evaluated as they are written, `map` calls the function that it
was given. Whoever makes a list, binds arguments to parameters, or looks a name up again, must not be seen to.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
X, X_DOT = np.array([0.7, 1.3, -0.4, 2.1]), np.array([1.0, -2.0, 0.5, 0.3])

STOPS = "this stops at the first item that decides"
BETWEEN = "making these items changes something"
MOVED = "this call changes something, and other things are evaluated"
ANEW = "the loop binds the function anew"
LOOP = "the loop may change what this generator reads"
ITSELF = "what a dict is updated with reads the dict"
KEPT_DEQUE = "it is not known that 'q' is a list here"
UPDATED = "what is added here may change what it is added to"
NEXT = "next can't be differentiated"
SETATTR = "no derivative rule for setattr"
N = 0.0


def tick(v):
    global N
    N = N + 1.0
    return v * N


def sq(v):
    return v * v


def cu(v):
    return v * v * v


class Act:
    def __init__(self, a):
        self.a = a

    def f(self, v):
        return self.a * v * v


class Holder:
    def __init__(self):
        self.fn = sq


class C:
    def __init__(self, n):
        self.n = n

    def step(self, a):
        self.n = self.n * a
        return a


@dataclass
class D:
    a: float
    b: float


class Pair(NamedTuple):
    a: float
    b: float


class Two:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def m(self, u, w):
        return self.a * u + self.b * w * w


@dataclass
class S:
    n: float
    m: float = 2.0

    def step(self, a):
        self.n = self.n * a
        return a


def scaled(o, y):
    for v in y:
        yield v * o.k


def squares(y):
    for v in y:
        yield v * v


class P:
    def __init__(self, k):
        self.k = k

    @property
    def tick(self):
        self.k = self.k * 2.0
        return 1.0


class Held:
    def __init__(self, x):
        self.x = x


class Quiet:
    def __init__(self, k):
        self.k = k

    @property
    def double(self):
        return self.k * 2.0


def parabola(a, v, k=1.0):
    return a * v * v + k


def halves(w):
    for k in range(2):
        yield w[2 * k : 2 * k + 2]


@kept_in(RIGHT)
def generator_beside_einsum(x):
    h = np.ones((2, 2))
    for w in halves(x):
        h = np.tanh(np.einsum("ij,j->ij", h, w))
    return np.sum(h)


@kept_in(RIGHT)
def mapped_partials(x):
    a, b = x[0], x[1]
    total = sum(map(functools.partial(parabola, a), x))
    total += sum(map(functools.partial(parabola, a, k=b), [1.0, 2.0]))
    for v, w in zip(x, map(functools.partial(parabola, b), x)):
        total += v * w
    first, second = map(functools.partial(parabola, k=a), x[:2], [b, 3.0])
    return total * first + second


@refused(ANEW)
def mapped_partial_whose_argument_the_loop_binds(x):
    a, total = x[0], 0.0
    for w in map(functools.partial(parabola, a), x):
        total += w
        a = total
    return total


@kept_in(RIGHT)
def kw_dataclass(x):
    o = C(x[0])
    d = D(b=o.step(x[1]), a=o.n)
    return d.a * d.a + d.b


@kept_in(RIGHT)
def kw_init(x):
    o = C(x[0])
    d = Two(b=o.step(x[1]), a=o.n)
    return d.a * d.a + d.b


@kept_in(RIGHT)
def kw_method(x):
    o = C(x[0])
    return Two(x[2], x[3]).m(w=o.step(x[1]), u=o.n)


@kept_in(RIGHT)
def kw_lambda(x):
    o = C(x[0])
    h = lambda a, b: a * a + b
    return h(b=o.step(x[1]), a=o.n)


@kept_in(RIGHT)
def kw_nonlocal(x):
    n = 1.0

    def f(a):
        nonlocal n
        n = n * a
        return a

    def g(a, b, c):
        return a * b + c

    return g(c=n, a=f(x[1]), b=n)


@kept_in(RIGHT)
def reduce_lazy(x):
    c = 1.0

    def step(a, b):
        nonlocal c
        c = c * 0.5
        return a + b

    return reduce(step, (c * v for v in x), 0.0)


@kept_in(RIGHT)
def reduce_map(x):
    o = C(1.0)
    return reduce(lambda a, b: a + b * o.n, map(o.step, x), 0.0)


@kept_in(RIGHT)
def pw_late(x):
    c = x[0]

    def f(v):
        nonlocal c
        c = 5.0
        return v * v

    return np.sum(np.piecewise(x, [x < 1, x >= 1], [f, 2 * c]))


@kept_in(RIGHT)
def pw_test_changed(x):
    m = x > 0.5

    def f(v):
        m[2] = True
        return v * v

    return np.sum(np.piecewise(x, [m], [f, lambda v: v**3]))


@kept_in(RIGHT)
def kw_namedtuple(x):
    o = C(x[0])
    d = Pair(b=o.step(x[1]), a=o.n)
    return d.a * d.a + d.b


@kept_in(RIGHT)
def kw_replace(x):
    o = C(x[0])
    e = D(x[2], x[3])
    d = dataclasses.replace(e, b=o.step(x[1]), a=o.n)
    return d.a * d.a + d.b


@kept_in(RIGHT)
def replace_reads_after(x):
    e = S(x[2], x[3])
    d = dataclasses.replace(e, m=e.step(x[1]))
    return d.n * d.n + d.m


@kept_in(RIGHT)
def kw_in_an_expression(x):
    o = C(x[0])
    return o.n * Two(b=o.step(x[1]), a=o.n).m(w=o.step(x[2]), u=o.n) + o.n


@kept_in(RIGHT)
def kw_in_a_list(x):
    o = C(x[0])
    xs = [D(b=o.step(v), a=o.n) for v in x]
    return sum(d.a * d.a + d.b for d in xs)


@kept_in(RIGHT)
def kw_of_a_partial(x):
    o = C(x[0])
    h = functools.partial(lambda a, b, c: a * a + b * c, c=o.step(x[2]), b=o.n)
    return h(a=o.step(x[3])) + o.n


@kept_in(RIGHT)
def kw_only_and_captured(x):
    n = x[0]

    def f(a):
        nonlocal n
        n = n * a
        return a

    def g(*, p=2.0, q, r):
        return p * q + r * r * n

    return g(r=f(x[1]), p=n, q=f(x[2]))


@kept_in(RIGHT)
def kw_in_a_dict(x):
    o = C(x[0])

    def g(**kw):
        return kw["a"] * kw["a"] + kw["b"]

    return g(b=o.step(x[1]), a=o.n)


@kept_in(RIGHT)
def kw_of_a_list(x):
    xs = [x[0], x[1], x[2]]
    d = D(b=xs.pop(), a=xs[-1])
    return d.a * d.a + d.b


@kept_in(RIGHT)
def kw_of_an_array(x):
    y = x * 1.0

    def bump():
        y[0] = y[0] * 3
        return y[1]

    d = D(b=bump(), a=y[0])
    return d.a * d.a + d.b


@kept_in(RIGHT)
def kw_of_an_array_itself(x):
    y = x * 1.0

    def bump():
        y[0] = y[0] * 3
        return y[1]

    d = D(b=y, a=bump())
    return d.a * d.a + d.b[0]


@kept_in(RIGHT)
def kw_returned(x):
    o = C(x[0])

    def mk():
        return D(b=o.step(x[1]), a=o.n)

    return mk().a * mk().b


@kept_in(RIGHT)
def kw_of_attributes(x):
    class_ = Two
    t = Two(x[0], x[1])
    o = C(x[2])
    return t.m(w=o.step(t.a), u=o.n * t.b)


@kept_in(RIGHT)
def kw_named(x):
    d = D(b=(s := x[0] * 2), a=s * x[1])
    return d.a * d.a + d.b


@kept_in(RIGHT)
def kw_named_for_a_lambda(x):
    h = lambda a, b: a * a + b
    return h(b=(s := x[0] * 2), a=s * x[1])


@kept_in(RIGHT)
def asked_of_what_changes_nothing(x):
    r = any(sq(v) > 1 for v in x)
    return sum(cu(v) for v in map(sq, x)) * (2 if r else 3) + sum(
        v for v in itertools.takewhile(lambda u: u > 0, x)
    )


@kept_in(RIGHT)
def an_item_that_is_counted_and_summed(x):
    seen = []

    def f(v):
        seen.append(v)
        return v * v

    return sum(f(v) for v in x) * len(seen) + max(f(v) for v in x)


@kept_in(RIGHT)
def a_property_that_only_reads(x):
    o = Quiet(2.0)
    s = 0.0
    for v in squares(x):
        s = s + v * o.double
    return s


@kept_in(RIGHT)
def along_with_what_changes_nothing(x):
    s = 0.0
    for a, b in zip((cu(t) for t in x), x[:2]):
        s = s + a * b
    return s + reduce(lambda a, b: a * b, (sq(v) for v in x))


@kept_in(RIGHT)
def a_deque_of_no_length(x, n=None):
    q = deque(maxlen=n)
    for v in x:
        q.append(v * v)
    return sum(q)


@kept_in(RIGHT)
def pieces_by_numbers(x, m=np.array([0, 1, 1, 0])):
    return np.sum(np.piecewise(x, [m, 1 - m], [lambda v: v * v, lambda v: 3 * v]))


@kept_in(RIGHT)
def pieces_by_floats(x, m=np.array([0.0, 1.0, 1.0, 0.0])):
    return np.sum(np.piecewise(x, [m], [lambda v: v * v, lambda v: 3 * v]))


@kept_in(RIGHT)
def set_by_name(x):
    a = Held(x[0])
    setattr(a, "x", sq(x[1]))
    return a.x * x[2]


@kept_in(RIGHT)
def the_first_or_another(x):
    xs = [x[0], x[1], x[2]]
    return next((v * v for v in xs if v > 9), xs.pop(0)) + sum(xs)


@refused(STOPS)
def any_short(x):
    seen = []

    def f(v):
        seen.append(v)
        return v > 1

    r = any(f(v) for v in x)
    return sum(seen) * (2 if r else 3)


@refused(STOPS)
def all_map(x):
    seen = []

    def f(v):
        seen.append(v)
        return v > 0

    r = all(map(f, x))
    return sum(seen) * (2 if r else 3)


@refused(STOPS)
def in_gen(x):
    seen = []

    def f(v):
        seen.append(v)
        return v > 1

    r = True in (f(v) for v in x)
    return sum(seen) * (2 if r else 3)


@refused(STOPS)
def any_global(x):
    r = any(tick(v) > 2.0 for v in x)
    return x[0] * N * (2 if r else 1)


@refused(BETWEEN)
def map_of_map(x):
    seen = []

    def f(v):
        seen.append(v)
        return v

    return sum(map(lambda a: a * len(seen), map(f, x)))


@refused(BETWEEN)
def comp_over_gen(x):
    seen = []

    def f(v):
        seen.append(v)
        return v

    return sum([a * len(seen) for a in (f(v) for v in x)])


@refused(BETWEEN)
def comp_over_zip(x):
    seen = []

    def f(v):
        seen.append(v)
        return v

    return sum([a * sum(seen) for a, b in zip(map(f, x), x)])


@refused(BETWEEN)
def islice_gen(x):
    seen = []

    def f(v):
        seen.append(v)
        return v

    return sum(itertools.islice((f(v) for v in x), 2)) * sum(seen)


@refused(BETWEEN)
def takewhile_eager(x):
    seen = []

    def ok(v):
        seen.append(v)
        return v > 0

    s = 0.0
    for v in itertools.takewhile(ok, x):
        s = s + v * len(seen)
    return s


@refused(BETWEEN)
def accumulate_left(x):
    seen = []

    def f(a, b):
        seen.append(b)
        return a * b

    s = 0.0
    for v in itertools.accumulate(x, f):
        s = s + v
        break
    return s + sum(seen)


@refused(ANEW)
def map_rebound(x):
    f = sq
    s = 0.0
    for v in map(f, x):
        s = s + v
        f = cu
    return s


@refused(ANEW)
def map_method_rebound(x):
    o = Act(2.0)
    s = 0.0
    for v in map(o.f, x):
        s = s + v
        o = Act(5.0)
    return s


@refused(ANEW)
def map_attr(x):
    h = Holder()
    s = 0.0
    for v in map(h.fn, x):
        s = s + v
        h.fn = cu
    return s


@refused(ANEW)
def filter_rebound(x):
    f = lambda v: v > 0
    s = 0.0
    for v in filter(f, x):
        s = s + v * v
        f = lambda v: v < 0
    return s


@refused(ANEW)
def starmap_rebound(x):
    f = lambda a, b: a * b
    s = 0.0
    for v in itertools.starmap(f, zip(x, x)):
        s = s + v
        f = lambda a, b: a + b
    return s


@refused(MOVED)
def zip_last(x):
    seen = []

    def push(t):
        seen.append(t * t)
        return t

    s = 0.0
    for a, b in zip((push(t) for t in x), x[:2]):
        s = s + a * b
    return s + sum(seen)


@refused(MOVED)
def zip_order(x):
    y = x * 1.0

    def f(k):
        y[k] = y[k] * y[k]
        return 1.0

    s = 0.0
    for a, b in zip((f(k) for k in range(4)), y):
        s = s + a * b
    return s


@refused(MOVED)
def reduce_written(x):
    xs = [x[0], x[1], x[2]]

    def step(a, b):
        xs[2] = a * b
        return a + b

    return reduce(step, xs)


@refused(KEPT_DEQUE)
def deque_comp(x):
    q = deque(maxlen=2)
    [q.append(v * v) for v in x]
    return sum(q)


@refused(KEPT_DEQUE)
def deque_and(x):
    q = deque(maxlen=2)
    for v in x:
        v > -10 and q.append(v * v)
    return sum(q)


@refused(KEPT_DEQUE)
def deque_assigned(x):
    q = deque(maxlen=2)
    for v in x:
        r = q.append(v * v)
    return sum(q)


@refused(UPDATED)
def pw_update(x):
    y = x * 1.0

    def f(v):
        y[0] = 5.0
        return v * v

    y[0] += np.sum(np.piecewise(x, [x > 0], [f, 1.0]))
    return np.sum(y)


@refused(LOOP)
def gen_property(x):
    o = P(1.0)
    s = 0.0
    for v in scaled(o, x):
        s = s + v * o.tick
    return s


@refused(LOOP)
def gen_out(x):
    y = x * 1.0
    s = 0.0
    for v in squares(y):
        s = s + v
        np.multiply(y, 2.0, y)
    return s


@refused(ITSELF)
def update_lazy(x):
    d = {}
    d["a"] = x[0]
    d.update((k, d["a"] * 2) for k in ("a", "b"))
    return d["a"] + d["b"]


@refused(ITSELF)
def update_chain(x):
    d = {0: 1.0}
    d.update((k + 1, d[k] * x[k]) for k in range(4))
    return d[4] + d[2]


@refused(NEXT)
def next_order(x):
    xs = [x[0], x[1], x[2]]
    y = next((v * v for v in list(xs)), xs.pop(0))
    return y + sum(xs)


@kept_in(RIGHT)
def setattr_order(x):
    a = Held(x[0])
    b = Held(x[1])
    c = a
    setattr(c, "x", (c := b).x * 2)
    return a.x * 2 + b.x * 3


def halved(p, v):
    p[0] = p[0] * 0.5 * v
    return p[0]


@refused(STOPS)
def asked_of_what_writes_to_an_array(x):
    p = x * 1.0
    if any(halved(p, v) < 1 for v in x):
        return np.sum(p * p)
    return p[1]


@refused("this may change 'a'")
def asked_by_a_function_that_binds(x):
    a = 1.0

    def step(k):
        nonlocal a
        a = a * x[0]
        return a * k

    if any(step(k) > 9 for k in range(3)):
        return a * x[1]
    return a


@kept_in(RIGHT)
def reduced_by_a_function_that_binds(x):
    s = 1.0

    def near(v):
        nonlocal s
        s = s * v
        return v * 0.5

    return functools.reduce(lambda a, b: a * near(b), x) * s


@refused("an assignment expression here")
def counted_by_a_function_inside(x):
    if (asked := 0) is None:
        raise ValueError

    def rate(y):
        nonlocal asked
        asked += 1
        return y * x

    return np.sum(rate(x)) * asked


test_right = each_right(RIGHT, X, X_DOT)


test_refused = each_refused(REFUSED, X)
