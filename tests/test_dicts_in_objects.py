"""Dicts whose keys are computed, held by objects and by other dicts."""

from __future__ import annotations

import copy
import inspect
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, each_right_at_first, kept_in, refused_in

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
followed = kept_in(FUNCTIONS)
FIRST: list[Callable[..., Any]] = []
first_order = kept_in(FIRST)
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)

NAMES = ["a", "b", "c"]
WHOLE = "used here as a whole"


class Totals:
    def __init__(self):
        self.t = {}

    def put(self, name, v):
        self.t[name] = v

    def squares(self):
        total = 0.0
        for _, v in self.t.items():
            total += v * v
        return total

    def scaled(self, c):
        for name in self.t:
            self.t[name] *= c

    def taken(self, name):
        return self.t.pop(name)

    def cleared(self):
        self.t = {}

    def best(self):
        return max(self.t, key=self.t.get)

    def listed(self):
        return list(self.t.values())


class Learner:
    def __init__(self, rate):
        self.rate = rate
        self.q = {}

    def value(self, s, a):
        return self.q.get((s, a), 0.0)

    def learn(self, s, a, reward, after):
        old = self.value(s, a)
        best = max([self.value(after, b) for b in "lr"])
        self.q[s, a] = old + self.rate * (reward + 0.9 * best - old)


class Bank:
    def __init__(self, names):
        self.balance = {name: 0.0 for name in names}
        self.log = []

    def pay(self, source, target, v):
        self.balance[source] -= v
        self.balance[target] += v
        self.log.append(v)


class Sums:
    def __init__(self):
        self.total = defaultdict(float)

    def add(self, name, v):
        self.total[name] += v


class Table:
    def __init__(self, rate, names):
        self.rate = rate
        self.names = names
        self.q = {}
        for s in range(3):
            for a in names:
                self.q[s, a] = 0.0

    def best(self, s):
        return max(self.q[s, a] for a in self.names)

    def learn(self, s, a, reward, after):
        self.q[s, a] += self.rate * (reward + 0.9 * self.best(after) - self.q[s, a])


@dataclass
class Tally:
    rate: float
    totals: dict = field(default_factory=lambda: defaultdict(float))

    def add(self, name, v):
        self.totals[name] += self.rate * v


STEPS = [(0, "l", 1), (1, "r", 2), (0, "l", 1), (0, "r", 2)]


def filled(x):
    m = Totals()
    for i, name in enumerate(NAMES):
        m.put(name, x[i])
    return m


def put_into(d, name, v):
    d[name] += v


@followed
def sum_of_squares(x):
    return filled(x).squares() if x[0] > 5 else filled(x * x[3]).squares()


@followed
def stored_from_outside(x):
    m = Totals()
    for i, name in enumerate(NAMES):
        m.t[name] = x[i] * x[3]
    return m.t["a"] * m.t["b"] ** 2


@followed
def scaled_twice(x):
    m = filled(x)
    m.scaled(x[3])
    m.scaled(x[3])
    return m.squares() * len(m.t)


@followed
def taken_out(x):
    m = filled(x)
    v = m.taken("a")
    for name in list(m.t):
        if name != "b":
            del m.t[name]
    return v * m.squares()


@followed
def the_best(x):
    m = filled(x)
    return m.t[m.best()] ** 2 * sum(m.listed())


@followed
def new_on_each_trip(x):
    total = 0.0
    for r in range(3):
        m = Totals()
        for i, name in enumerate(NAMES[:r]):
            m.put(name, x[i] * r)
        total += m.squares() * x[3]
    return total


@first_order
def made_anew_in_the_object(x):
    m = filled(x)
    total = m.squares()
    m.t = {}
    m.put("z", x[3])
    return total * m.squares() * (2 if "a" in m.t else 3)


@followed
def two_objects(x):
    m, n = Totals(), Totals()
    for i, name in enumerate(NAMES):
        if x[i] > 0.5:
            m.put(name, x[i])
        else:
            n.put(name, x[i] ** 2)
    return m.squares() * 2 + n.squares()


@followed
def methods(x):
    m = filled(x)
    m.t.setdefault("a", 5.0)
    m.t.setdefault("q", x[3])
    m.t.update(b=x[3] ** 2)
    v = m.t.pop("b", None)
    return m.squares() * v


@followed
def arrays_in_it(x):
    m = Totals()
    for i, name in enumerate(NAMES):
        m.t[name] = x[:2] * x[i]
    m.t["a"][0] = x[3]
    m.t["b"] += 1.0
    return sum(np.sum(v * v) for v in m.t.values())


@followed
def stored_to_while_it_is_run_over(x):
    m = filled(x)
    total = 0.0
    for name, v in m.t.items():
        m.t[name] = v * 2
        total += v * m.t["a"]
    return total


@followed
def learns(x):
    learner = Learner(x[0])
    for s, a, after in STEPS:
        learner.learn(s, a, x[1] + x[2], after)
    return sum(v * v for v in learner.q.values())


@followed
def a_function_inside(x):
    m = filled(x)

    def put(v):
        m.put("a", v)
        return m.squares()

    return put(x[3]) + put(x[2])


@followed
def two_in_a_dict(x):
    d = {"mu": {}, "sigma": {}}
    for i, name in enumerate(NAMES):
        d["mu"][name] = x[i]
        d["sigma"][name] = x[i] ** 2
    total = 0.0
    for name in NAMES:
        d["mu"][name] += d["sigma"][name]
        total += d["mu"][name] * x[3]
    return total


@followed
def a_default_in_a_function(x):
    d = defaultdict(float)
    for i, name in enumerate("abab"):
        put_into(d, name, x[i] ** 2)
    return d["a"] * d["b"]


@followed
def a_default_that_has_something(x):
    d = defaultdict(float)
    d["c"] = x[3]
    for i, name in enumerate("abab"):
        put_into(d, name, x[i] ** 2)
    return d["a"] * d["b"] * d["c"]


@followed
def a_factory(x):
    t = Tally(x[0])
    for i, name in enumerate("abab"):
        t.add(name, x[i] ** 2)
    return t.totals["a"] * t.totals["b"]


@first_order
def payments(x):
    bank = Bank(NAMES)
    for source, target, i in [("a", "b", 0), ("b", "c", 1), ("a", "c", 3)]:
        bank.pay(source, target, x[i] * x[2])
    return bank.balance["a"] * bank.balance["b"] + sum(bank.log)


@first_order
def two_banks(x):
    one, other = Bank(NAMES), Bank(NAMES)
    for source, target, i in [("a", "b", 0), ("b", "c", 1), ("a", "c", 3)]:
        one.pay(source, target, x[i])
        other.pay(target, source, x[i] ** 2)
    return one.balance["a"] * other.balance["b"]


@first_order
def counted(x):
    sums = Sums()
    for i, name in enumerate("abab"):
        sums.add(name, x[i] ** 2)
    return sums.total["a"] * sums.total["b"]


@first_order
def a_table(x):
    table = Table(x[0], "lr")
    for s, a, after in STEPS:
        table.learn(s, a, x[1] + x[2], after)
    return table.q[1, "r"] ** 2 + table.best(0)


@first_order
def cleared_by_a_method(x):
    m = Totals()
    total = 0.0
    for r in range(3):
        for i, name in enumerate(NAMES):
            m.put(name, x[i] * r)
        total += m.squares() * m.t["a"]
        m.cleared()
    return total


@first_order
def made_anew_of_itself(x):
    d = {"n": 0, "v": {}}
    for i, name in enumerate(NAMES):
        d["v"][name] = x[i]
        d["n"] += 1
    d["v"] = {name: v * 2 for name, v in d["v"].items()}
    return sum(v * v for v in d["v"].values()) / d["n"]


@refused(WHOLE)
def a_second_name(x):
    m = filled(x)
    t = m.t
    t["a"] = x[3]
    return m.squares()


@refused(WHOLE)
def in_another_object(x):
    m, n = filled(x), Totals()
    n.t = m.t
    n.t["a"] = x[3]
    return m.squares()


@refused(WHOLE)
def a_copy_that_shares_it(x):
    m = filled(x)
    n = copy.copy(m)
    n.put("a", x[3])
    return m.squares()


@refused(WHOLE)
def a_dict_that_shares_it(x):
    d = {"w": {}, "c": 1.0}
    for i, name in enumerate(NAMES):
        d["w"][name] = x[i]
    e = {**d}
    e["w"]["a"] = x[3]
    return sum(d["w"].values())


@refused(WHOLE)
def made_before(x):
    w = {name: x[0] for name in NAMES}
    m = Totals()
    m.t = w
    m.put("a", x[3])
    return sum(w.values())


X = np.array([0.7, 0.4, 0.9, 0.55])
X_DOT = np.array([0.3, -0.2, 0.5, 0.1])


test_dicts_in_objects_in_every_mode = each_right(FUNCTIONS, X, X_DOT)
test_dicts_in_objects = each_right_at_first(FIRST, X, X_DOT)
test_what_shares_such_a_dict_is_refused = each_refused(REFUSED, X)


def test_the_text_has_a_dict_for_each() -> None:
    text = grad(two_in_a_dict).source(X)
    assert text.strip() == inspect.cleandoc(
        """
        def two_in_a_dict_grad(x, dtotal=1.0):
            t_tape = []
            d_mu, d_sigma = {}, {}
            for i, name in enumerate(NAMES):
                d_mu[name] = x[i]
                d_sigma[name] = x[i] ** 2
            for name in NAMES:
                d_mu[name] += d_sigma[name]
                t = d_mu[name]
                t_tape.append(t)

            dd_mu = dict.fromkeys(d_mu, 0.0)
            dd_sigma = dict.fromkeys(d_sigma, 0.0)
            dx = np.zeros_like(x)
            for name in reversed(NAMES):
                t = t_tape.pop()
                # total += d["mu"][name] * x[3]
                dd_mu[name] += dtotal * x[3]
                dx[3] += dtotal * t
                # d["mu"][name] += d["sigma"][name]
                dd_sigma[name] += dd_mu[name]
            for i, name in reversed(list(enumerate(NAMES))):
                # d["sigma"][name] = x[i] ** 2
                dx[i] += dd_sigma[name] * 2 * x[i]
                dd_sigma[name] = 0.0
                # d["mu"][name] = x[i]
                dx[i] += dd_mu[name]
                dd_mu[name] = 0.0
            return dx
        """
    )
