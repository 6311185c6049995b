"""Dicts whose keys are computed while the function runs: each is right in every mode, or refused, as marked."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np
import pytest
from corpus import values
from lessons import Lesson, Lessons, check_lesson

from tangentish import NotDifferentiable, grad, hvp

lesson = Lessons()

WORDS = ["a", "b", "a", "c", "b", "a"]
MIXED = [1, 1, True, 2, 0, False]  # three keys


def v(n: int) -> tuple[Any, ...]:
    return (values(1, n),)


@lesson("memo", lambda: (0.7, 6), lambda: (0.7, 2))
def recurrence(x, n):
    memo = {}
    memo[0] = 1.0
    memo[1] = x
    for k in range(2, n):
        memo[k] = x * memo[k - 1] + memo[k - 2] * memo[k - 1]
    return memo[n - 1]


@lesson("memo", lambda: (values(1, 3), 3), lambda: (values(1, 3), 1))
def grid(x, n):
    d = {}
    for i in range(n):
        for j in range(n):
            if i == 0 or j == 0:
                d[i, j] = x[i] * x[j]
            else:
                d[(i, j)] = d[i - 1, j] + np.sin(d[i, j - 1]) * x[j]
    return d[n - 1, n - 1]


@lesson("memo", lambda: (values(1, 6), [3, 1, 3, 3, 2, 1]))
def computed_once(x, keys):
    memo = {}
    total = 0.0
    for i, k in enumerate(keys):
        if k not in memo:
            memo[k] = np.sin(x[i]) * x[k]
        total += memo[k] * x[i]
    return total * len(memo)


@lesson("memo", lambda: (values(1, 6), WORDS), lambda: (values(1, 6), []))
def early(x, keys):
    seen = {}
    for i, k in enumerate(keys):
        if k in seen:
            return seen[k] * x[i]
        seen[k] = x[i] ** 2
    return x[0]


@lesson("overwritten", lambda: (values(1, 6), WORDS), lambda: (values(1, 6), MIXED))
def multiplied(x, keys):
    d = {}
    for i, k in enumerate(keys):
        if k in d:
            d[k] = d[k] * x[i]
        else:
            d[k] = x[i]
    return d[keys[0]] * d[keys[4]] * len(d)


@lesson("overwritten", lambda: (values(1, 6), WORDS), lambda: (values(1, 6), MIXED))
def read_before_and_after(x, keys):
    d = {}
    total = 0.0
    for k in keys:
        d[k] = 2.0
    for i, k in enumerate(keys):
        total += d[k] * x[i]
        d[k] = np.sin(x[i]) * d[k]
        total += d[k] * d[keys[0]]
        d[k] = 3.0
        d[k] = d[k] * x[i]
    return total


@lesson("overwritten", lambda: (values(1, 4), 1), lambda: (values(1, 4), 0))
def with_known_keys_too(x, k):
    d = {0: x[0], 1: x[1] * x[2]}
    y = d[k] ** 2
    d[k] = x[3] * d[1 - k]
    z = d[0] * d[1]
    d[k + 1] = y
    return z * d[1] + y


@lesson("accumulated", lambda: (values(1, 6), WORDS), lambda: (values(1, 6), MIXED))
def totals(x, names):
    totals = {}
    for name in names:
        totals[name] = 0.0
    for i, name in enumerate(names):
        totals[name] += x[i] ** 2
        totals[name] *= x[i]
    return totals[names[0]] * totals[names[4]]


@lesson("accumulated", lambda: (values(1, 6), WORDS), lambda: (values(1, 6), MIXED))
def integers_first(x, names):
    totals = {}
    for i, name in enumerate(names):
        if name not in totals:
            totals[name] = 0
        totals[name] += x[i] ** 2
    return totals[names[0]] * totals[names[4]]


@lesson("floats are keys", lambda: (0.7,))
def keyed_by_what_varies(x):
    memo = {}
    memo[x] = x**2
    memo[2 * x] = x**3
    y = x
    return memo[y] * memo[x + x]


@lesson("floats are keys", lambda: (values(1, 4),), may_refuse=True)
def keys_that_vary(x):
    d = {}
    for i in range(3):
        d[x[i]] = x[i + 1]
    y = 0.0
    for k, v in d.items():
        y = y + k * v
    return y


@lesson("floats are keys", lambda: (values(1, 4),), may_refuse=True)
def keys_that_vary_in_a_list(x):
    d = {v: v * v for v in x}
    return sum(list(d)) + sum([k for k in sorted(d)])


@lesson("floats are keys", lambda: (values(1, 4),), may_refuse=True)
def keys_that_vary_in_a_call(x):
    def store(d, k):
        d[k] = k * 2

    d = {}
    for v in x:
        store(d, v)
    return sum(k for k in d)


@lesson("floats are keys", lambda: (values(1, 4),), may_refuse=True)
def keys_that_vary_of_others(x):
    d = {}
    d.update(zip(x, x))
    e = {1.0: x[0]}
    e.update(d)
    y = 1.0
    for k in e:
        y = y * k
    return y


@lesson("keys are read again", lambda: (values(1, 4),))
def keys_change(x):
    d = {}
    k = 0
    for i in range(len(x)):
        d[k] = x[i] * x[0]
        k = k + i + 1
    k = 0
    total = 0.0
    for i in range(len(x)):
        total += d[k] ** 2
        k = k + i + 1
    return total


@lesson("keys are read again", lambda: (values(1, 4),))
def keys_in_a_list_that_changes(x):
    names = ["a", "b"]
    d = {}
    for i in range(len(x)):
        d[names[-1]] = x[i] ** 2
        names.append(names[-1] + "c")
    y = d[names[2]] * d["b"]
    names.clear()
    return y


@lesson("keys are read again", lambda: (values(1, 4),))
def texts(x):
    d = {}
    for i in range(len(x)):
        d[f"w{i}"] = x[i] ** 2
    total = 0.0
    for i in range(1, len(x)):
        total += d[f"w{i}"] * d["w" + str(i - 1)]
    return total


@lesson("arrays", lambda: (values(1, 4), WORDS), lambda: (values(1, 4), MIXED))
def rows(x, keys):
    d = {}
    for i, k in enumerate(keys):
        d[k] = x * i
    return np.sum(d[keys[0]] * d[keys[4]])


@lesson("arrays", lambda: (values(1, 4), WORDS), may_refuse=True)
def aliases(x, keys):
    d = {}
    for i, k in enumerate(keys):
        row = x * i
        d[k] = row
        row += 1
        row *= x
    return np.sum(d[keys[0]] * d[keys[4]])


@lesson("arrays", lambda: (values(1, 4), WORDS), may_refuse=True)
def one_under_two_keys(x, keys):
    d = {}
    row = x * 2
    for k in keys:
        d[k] = row
    d[keys[0]] *= x
    return np.sum(d[keys[1]] * d[keys[0]])


@lesson("arrays", lambda: (values(1, 4), WORDS), may_refuse=True)
def in_place(x, keys):
    d = {}
    for i, k in enumerate(keys):
        if k in d:
            d[k] += x * i
            d[k][0] = x[1] * d[k][2]
        else:
            d[k] = x**2
    return np.sum(d[keys[0]] * d[keys[4]])


@lesson("arrays", lambda: (values(1, 4), WORDS), may_refuse=True)
def read_then_changed(x, keys):
    d = {}
    for k in keys:
        d[k] = x**2
    row = d[keys[0]]
    row *= x
    total = np.sum(row)
    d[keys[0]] = row * 2
    row += 1
    return total * np.sum(d[keys[0]] * d[keys[1]]) + np.sum(row)


@lesson("arrays", lambda: (values(1, 4), 1))
def written_to_by_a_call(x, k):
    d = {}
    d[k] = x * 2
    y = np.sum(x[0] ** 2 * d[k])
    _set_first(d[k])
    return y + np.sum(d[k] * x[1])


@lesson("arrays", lambda: (values(1, 4), 1))
def replaced_and_written_to_by_a_call(x, k):
    d = {}
    d[k] = x * 2
    y = np.sum(x[0] ** 2 * d[k])
    _tripled(d, k)
    return y + np.sum(d[k] * x[1])


def _set_first(a):
    a[0] = 11.0


def _tripled(d, k):
    d[k] = d[k] * 3
    _set_first(d[k])


@lesson("mixed", lambda: (values(1, 4), WORDS), may_refuse=True)
def numbers_and_arrays(x, keys):
    d = {}
    for k in keys:
        d[k] = x[0]
        d[k + "s"] = x * 2
    return d["a"] * np.sum(d["as"])


@lesson("two forms", lambda: (values(1, 4), 1.0), lambda: (values(1, 4), -1.0), may_refuse=True)
def on_one_path(x, c):
    d = {}
    if c > 0:
        for i in range(len(x)):
            d[i] = x[i] ** 2
    else:
        d[1] = x[2]
    return d[1] * x[0]


@lesson("two forms", lambda: (values(1, 4), 1), lambda: (values(1, 4), 0), may_refuse=True)
def one_of_two(x, c):
    if c:
        d = {0: x[0], 1: x[1]}
    else:
        d = {0: x[1]}
    d[c] = d[0] * x[2]
    return d[c] * x[0]


@lesson("second names", lambda: (values(1, 4), 1), may_refuse=True)
def second_name(x, k):
    d = {}
    d[k] = x[0]
    e = d
    e[k] = x[1]
    return d[k] ** 2


@lesson("asked", lambda: (values(1, 6), WORDS))
def lengths(x, keys):
    d = {}
    total = 0.0
    for i, k in enumerate(keys):
        n = len(d)
        total += n * x[i] ** 2
        d[k] = x[i] * len(d)
        total += d[k] * len(d)
    return total


@lesson("asked", lambda: (values(1, 6), WORDS))
def asked_late(x, keys):
    d = {}
    total = 1.0
    for i, k in enumerate(keys):
        if keys[0] in d and "c" not in d:
            total = total * x[i]
        d[k] = total
        if len(d) == 2:
            total = total + d[k] * x[0]
    return total


@lesson("zero trips", lambda: (values(1, 4), []), lambda: (values(1, 4), [1, 1]))
def zero_trips(x, keys):
    d = {}
    d["start"] = x[0] ** 2
    for k in keys:
        d[k] = d["start"] * x[k]
        d["start"] = d[k] * x[1]
    return d["start"] * x[2]


@lesson("made on every trip", lambda: (values(1, 4), [2, 1, 2]))
def made_anew(x, keys):
    total = 0.0
    for i in range(len(x)):
        d = {}
        for k in keys:
            d[k] = x[i] * x[k] * (d[2] if 2 in d else 1.0)
        total += d[1] * d[2]
    return total


@lesson("comes from a call", lambda: (values(1, 4), [2, 1, 2]))
def made_by_a_call(x, keys):
    d = _made(x, keys)
    return d[1] * d[2]


def _made(x, keys):
    d = {}
    for k in keys:
        d[k] = x[k] ** 2
    return d


@lesson("given to a call", lambda: (values(1, 4), [2, 1, 2]))
def given_to_a_call(x, keys):
    d = {}
    for k in keys:
        d[k] = x[k] ** 2
    return _product(d, keys)


def _product(d, keys):
    y = 1.0
    for k in keys:
        y = y * d[k]
    return y


@lesson("given to a call", lambda: (0.7, 7))
def recursion(x, n):
    return _step(x, n, {})


def _step(x, n, memo):
    if n in memo:
        return memo[n]
    if n < 2:
        return x
    memo[n] = np.sin(x) * _step(x, n - 1, memo) + x * _step(x, n - 2, memo)
    return memo[n]


def _multiplied(d, k):
    y = 1.0
    for v in d.values():
        y = y * v
    d[k] = d[k] * y
    return y


def _multiplied_twice(d, k):
    a = _multiplied(d, k)
    d["b"] = d["b"] * 2.0 + a
    d["q"] = a * d["b"]
    return a * d["b"]


def _weighed(d):
    y = 0.0
    for v in d.values():
        y = y * 0.5 + v * v
    return y


def _taken(d, k):
    v = d.pop(k)
    return v * len(d)


@lesson("given to a call", lambda: (values(1, 6), WORDS))
def changed_by_calls(x, keys):
    d = {}
    for i, k in enumerate(keys):
        d[k] = x[i]
    a = _multiplied_twice(d, "a")
    d["b"] = d["b"] * x[0]
    return a * sum(d.values()) * _multiplied(d, "b")


@lesson("given to a call", lambda: (values(1, 6), WORDS))
def order_that_calls_see(x, keys):
    d = {}
    for i, k in enumerate(keys):
        d[k] = d.get(k, 0.0) + x[i] ** 2
    a = _weighed(d)
    b = d.pop("a")
    c = _weighed(d)
    d["a"] = b * x[0]
    e = _taken(d, "b")
    return a * c * _weighed(d) * e


@lesson("given to a call", lambda: (values(1, 4), 5))
def recursion_that_changes(x, n):
    memo = {}

    def go(k):
        if k < 2:
            return x[k]
        if k in memo:
            return memo[k] * x[0]
        y = go(k - 1) ** 2 * x[1] + go(k - 2) ** 2
        memo[k] = y * y + (memo[k - 1] ** 3 if k - 1 in memo else 0.0)
        memo[k] = memo[k] * x[k % 3] * 0.1
        y = y * memo.pop(k)
        memo[k] = y * 0.1 + sum(memo.values())
        return memo[k] ** 2 * 0.1

    a = go(n)
    memo["a"] = a
    return _weighed(memo) + go(n) * memo.pop(3)


@lesson("given to a call", lambda: (values(1, 6), WORDS))
def changed_inside(x, keys):
    d = {}

    def use(k):
        d[k] = d.get(k, 1.0) * x[1]
        z = d[k] ** 2
        d[k] = d[k] ** 2 * x[2]
        return z * d[k]

    y = 1.0
    for i, k in enumerate(keys):
        y = y + use(k) * d[k] * x[i]
        d[k + "z"] = y
        if i == 3:
            d.clear()
    return y * sum(d.values())


def _put(d, k, v):
    d[k] = v
    return d


@lesson("comes from a call", lambda: (values(1, 6), WORDS), may_refuse=True)
def the_same_comes_back(x, keys):
    d = {}
    for i, k in enumerate(keys):
        d = _put(d, k, x[i] ** 2)
    e = _put(d, "z", x[0])
    e["z"] = e["z"] * 2
    return d["z"] * e["a"] * d["a"]


@lesson("given to a call", lambda: (values(1, 6), WORDS), may_refuse=True)
def under_two_parameters(x, keys):
    d = {}
    for i, k in enumerate(keys):
        d[k] = x[i]

    def both(a, b):
        a["z"] = b["a"] * 2
        return b["z"]

    return both(d, d) * d["a"]


@lesson("get", lambda: (values(1, 6), WORDS), lambda: (values(1, 6), MIXED))
def accumulated_by_get(x, keys):
    d = {}
    for i, k in enumerate(keys):
        d[k] = d.get(k, 0.0) + x[i] ** 2
    return d[keys[0]] * d[keys[4]]


@lesson("get", lambda: (values(1, 6), WORDS), lambda: (values(1, 6), MIXED))
def defaults_that_vary(x, keys):
    d = {}
    for i, k in enumerate(keys):
        d[k] = x[i] * d.get(k, x[0]) + d.get("z", np.sin(x[1]))
    return d[keys[0]] * d.get(keys[4])


@lesson("get", lambda: (values(1, 6), WORDS))
def asked_for_none(x, keys):
    d = {}
    total = 0.0
    for i, k in enumerate(keys):
        v = d.get(k)
        if v is None:
            v = x[i] ** 2
            d[k] = v
        total += v * x[0]
    return total


@lesson("get", lambda: (values(1, 6), WORDS))
def set_by_default(x, keys):
    d = {}
    for i, k in enumerate(keys):
        d[k] = x[i] * d.setdefault(k, x[0])
        d.setdefault(k + "z", x[1])
    return d[keys[0]] * d["cz"]


@lesson("get", lambda: (values(1, 6), WORDS))
def of_floats(x, keys):
    d = collections.defaultdict(float)
    for i, k in enumerate(keys):
        d[k] += x[i] ** 2
    return d[keys[0]] * d["b"] + len(d)


@lesson("get", lambda: (values(1, 6), WORDS))
def under_chosen_keys(x, keys):
    d = collections.defaultdict(float)
    for k, v in zip(keys, x):
        d["big" if v > 0.5 else k.upper()] += v**2
    return d["big"] * d["B"] + d["A"] ** 2


@lesson("run over", lambda: (values(1, 6), WORDS), lambda: (values(1, 6), MIXED))
def run_over_keys(x, keys):
    d = {}
    for i, k in enumerate(keys):
        d[k] = x[i] ** 2
    y = 1.0
    for k in d:
        y = y * d[k] + x[0]
    return y


@lesson("run over", lambda: (values(1, 6), WORDS), lambda: (values(1, 6), MIXED))
def run_over_items(x, keys):
    d = {}
    for i, k in enumerate(keys):
        d[k] = x[i] ** 2
    y = 1.0
    for _k, v in d.items():
        y = y * v + x[0]
    for w in d.values():
        y = y * w + x[0]
    return y + sum(d.values())


@lesson("run over", lambda: (values(1, 6), WORDS), lambda: (values(1, 6), MIXED))
def keys_in_order(x, keys):
    d = {}
    for i, k in enumerate(keys):
        d[k] = x[i] ** 2
    y = 1.0
    for k in sorted(d):
        y = y * d[k] + x[0]
    for k in list(d):
        d[k] = d[k] * y
        d[k] = np.sin(d[k])
    return d[keys[0]] * d[keys[4]] + y


@lesson("run over", lambda: (values(1, 6), WORDS))
def keys_while_there_are_more(x, keys):
    d = {}
    for i, k in enumerate(keys):
        d[k] = x[i] ** 2
    y = 1.0
    for n in range(2):
        for k in list(d):
            d[k + "z"] = d[k] * x[n] * y
            y = y + d[k + "z"] * d[k]
    names = sorted(d)
    for k in names:
        d[k + "y"] = d[k] * y
    names.append("b")
    return y * sum([d[k] for k in list(d)]) * d[names[-1]]


@lesson("run over", lambda: (values(1, 6), WORDS), lambda: (values(1, 6), []))
def summed(x, keys):
    d = {}
    for i, k in enumerate(keys):
        d[k] = d.get(k, 0.0) + x[i] ** 2
    total = sum([d[k] ** 2 for k in sorted(d)])
    return total * x[1] + len(list(d))


@lesson("taken out", lambda: (values(1, 6), WORDS))
def taken_out(x, keys):
    d = {}
    y = 1.0
    for i, k in enumerate(keys):
        if k in d:
            y = y * d.pop(k) + x[i]
        else:
            d[k] = x[i] ** 2
    return y


@lesson("taken out", lambda: (values(1, 6), WORDS))
def deleted(x, keys):
    d = {}
    y = 1.0
    for i, k in enumerate(keys):
        if k in d:
            y = y * d[k] + x[i]
            del d[k]
        d[k + "x"] = x[i] ** 2
        d[k] = x[i] ** 2
    d.clear()
    d[1] = y
    return d[1]


@lesson("updated", lambda: (values(1, 6), WORDS))
def updated_by_others(x, keys):
    d = {}
    e = {"a": x[0]}
    for i, k in enumerate(keys):
        e[k] = x[i] ** 2
    d.update(e)
    d.update(zip(keys, x))
    d["b"] = d["b"] * x[2]
    d |= e
    d.update({keys[0]: d["b"] * x[1], "a": d["a"] * d["b"]}, z=x[3])
    return d["a"] * d["b"] + sum(d.values()) * x[1]


@lesson("comprehended", lambda: (values(1, 6), WORDS))
def comprehended(x, keys):
    d = {k: x[i] ** 2 for i, k in enumerate(keys)}
    return d[keys[0]] * d["b"]


@lesson("comprehended", lambda: (values(1, 6), WORDS), lambda: (values(1, 6), MIXED))
def shares(x, keys):
    d = {k: x[i] ** 2 for i, k in enumerate(keys) if k != "b"}
    total = sum(d.values())
    p = {k: v / total for k, v in d.items()}
    return sum(v * np.log(v) for v in p.values()) + sum(
        {k: v * x[0] for k, v in p.items()}.values()
    )


@lesson("comprehended", lambda: (values(1, 6), WORDS))
def pairs_comprehended(x, keys):
    d = {(a, b): x[i] * x[j] for i, a in enumerate(keys) for j, b in enumerate(keys) if a <= b}
    return d["a", "b"] * sum(v for k, v in d.items() if k[0] == "a")


@lesson("comprehended", lambda: (values(1, 6), WORDS))
def displayed(x, keys):
    d = {keys[0]: x[0], keys[1]: x[1] ** 2, keys[2]: x[2]}
    return d["a"] * d["b"] + sum({keys[3]: x[3], keys[4]: d["a"]}.values())


@lesson("made by functions", lambda: (values(1, 6), WORDS))
def of_pairs(x, keys):
    d = dict(zip(keys, x))
    e = dict(d)
    for k, v in d.items():
        e[k] = v * e["a"]
    return sum(d.values()) * e["b"]


@lesson("made by functions", lambda: (values(1, 6), WORDS))
def of_zeros(x, keys):
    d = dict.fromkeys(keys, 0.0)
    e = {k: 1.0 for k in keys}
    f = dict()
    for i, k in enumerate(keys):
        d[k] += x[i] ** 2
        e[k] *= x[i]
        f[k] = d[k] * e[k]
    return d["a"] * d["b"] + f["c"] * f["a"] * len(e)


@lesson("made by functions", lambda: (values(1, 6), WORDS), lambda: (values(1, 6), MIXED))
def with_defaults(x, keys):
    d = collections.defaultdict(lambda: 1.0)
    n = collections.Counter()
    for i, k in enumerate(keys):
        d[k] *= x[i] + d[str(k) + "x"]
        n[k] += x[i]
        y = d[k] + n["none"]
    return d["a"] * d["b"] + sum(d.values()) * y * len(d) + n["a"] * len(n)


@lesson("made by functions", lambda: (values(1, 6), WORDS))
def of_lists(x, keys):
    d = collections.defaultdict(list)
    for i, k in enumerate(keys):
        d[k].append(x[i])
    return sum(d["a"])


@lesson("a string that is an argument", lambda: (values(1, 6), "b"))
def under_a_flag(x, name):
    d = {}
    d[name] = x[0]
    d["z"] = x[1] * d[name]
    return sum(d.values())


@lesson("exceptions", lambda: (values(1, 6), WORDS))
def after_try(x, keys):
    d = {}
    for i, k in enumerate(keys):
        try:
            v = d[k]
        except KeyError:
            v = x[i]
            d[k] = v * x[0]
        d[k] = d[k] * v
    return d[keys[0]]


@lesson("exceptions", lambda: (values(1, 6), WORDS), may_refuse=True)
def early_body(x, keys):
    d = {}
    y = x[0]
    for i, k in enumerate(keys):
        try:
            d[k] = x[i] ** 2
            y = y * d[keys[i + 1]]
        except (KeyError, IndexError):
            y = y + d[k]
    return y


@lesson("arrays", lambda: (values(1, 6), WORDS), may_refuse=True)
def view_rows(x, keys):
    m = np.outer(x, x)
    d = {}
    for i, k in enumerate(keys):
        d[k] = m[i]
    m[0] = 0.0
    return np.sum(d[keys[0]] * d[keys[1]])


@lesson("arrays", lambda: (values(1, 6), WORDS))
def view_rows_ok(x, keys):
    m = np.outer(x, x)
    d = {}
    for i, k in enumerate(keys):
        d[k] = m[i]
    return np.sum(d[keys[0]] * d[keys[1]])


@lesson("arrays", lambda: (values(1, 6), WORDS))
def same_array(x, keys):
    row = x * 2
    d = {}
    for k in keys:
        d[k] = row
    return np.sum(d["a"] * d["b"]) * row[0]


@lesson("arrays", lambda: (values(1, 6), WORDS), may_refuse=True)
def stored_arg(x, keys):
    d = {}
    for k in keys:
        d[k] = x
    y = d["a"]
    x[0] = 3.0
    return np.sum(d["b"] * y)


@lesson("stores", lambda: (values(1, 6), WORDS))
def tuple_target(x, keys):
    d = {}
    for i, k in enumerate(keys):
        d[k], d["z"] = x[i] ** 2, x[0]
    d["a"], d["b"] = d["b"], d["a"]
    return d["a"] ** 2 * d["b"] * d["z"]


@lesson("stores", lambda: (values(1, 6), WORDS))
def chained(x, keys):
    d = {}
    for i, k in enumerate(keys):
        d[k] = y = x[i] ** 2
    return d["a"] * y


@lesson("stores", lambda: (values(1, 6), WORDS))
def augmented(x, keys):
    d = {}
    for i, k in enumerate(keys):
        d[k] = d.get(k, 1.0) * x[i]
        d[k] -= x[0]
        d[k] /= x[1]
        d[k] **= 2
    return d["a"]


@lesson("stores", lambda: (values(1, 6), WORDS))
def accumulate_self(x, keys):
    d = {}
    for i, k in enumerate(keys):
        d[k] = d.get(k, 0.0) + d.get(keys[0], 0.5) * x[i]
    return d["a"] * d["b"]


@lesson("stores", lambda: (values(1, 6), WORDS))
def add_cross(x, keys):
    d = {}
    for k in keys:
        d[k] = 1.0
    for i, k in enumerate(keys):
        d[k] = d[k] + np.sin(d[keys[0]]) * x[i]
        d[k] = x[i] + d[k]
    return d["a"] * d["b"]


@lesson("places apart", lambda: (values(1, 5), 4))
def neg_keys(x, n):
    d = {}
    for i in range(n):
        d[-i] = x[i]
    d[-1] = d[-1] * d[0]
    for i in range(1, n):
        d[i] = d[i - 1] * d[-i] * x[0]
    return d[n - 1]


@lesson("places apart", lambda: (values(1, 5), 4))
def shifted(x, n):
    d = {}
    for i in range(n + 1):
        d[i] = x[0] * (i + 1)
    for i in range(n):
        d[i] = d[i + 1] * d[i]
    for i in range(n - 1, -1, -1):
        d[i + 1] = d[i] ** 2
    return d[0] + d[1] * d[n]


@lesson("places apart", lambda: (values(1, 5), 4))
def whiles(x, n):
    d = {}
    k = n
    while k > 0:
        d[k] = x[k % 3] * (d[k + 1] if k + 1 in d else 1.0)
        k -= 1
    return d[1] * d[n]


@lesson("places apart", lambda: (values(1, 5), 4))
def comp_key(x, n):
    d = {}
    for i in range(n):
        for j in range(i + 1):
            d[i, j] = x[i] * x[j] + (d[j, j] if (j, j) in d else 0.0)
    return sum([d[i, j] for i in range(n) for j in range(i + 1)])


@lesson("made anew", lambda: (values(1, 6), WORDS))
def rebound(x, keys):
    d = {}
    total = 0.0
    for i, k in enumerate(keys):
        if k == "c":
            d = {}
        d[k] = d.get(k, 0.0) + x[i] ** 2
        total += d[k] * len(d)
    return total


@lesson("ways out", lambda: (values(1, 6), WORDS))
def flags(x, keys):
    d = {}
    for i, k in enumerate(keys):
        if i == 3:
            break
        if k == "b":
            continue
        d[k] = x[i]
    return d["a"] ** 2


@lesson("asked", lambda: (values(1, 6), WORDS))
def in_or(x, keys):
    d = {}
    y = 1.0
    for i, k in enumerate(keys):
        if i > 0 and d.get(k, x[0]) > 0.5:
            y = y * d.get(k, x[0])
        d[k] = x[i]
    return y


@lesson("asked", lambda: (values(1, 6), WORDS))
def ternary(x, keys):
    d = {}
    for i, k in enumerate(keys):
        d[k] = d[k] * x[i] if k in d else x[i]
    return d["a"] * (d["q"] if "q" in d else d["b"])


@pytest.mark.parametrize("case", lesson.cases)
def test_computed_keys(case: Lesson) -> None:
    check_lesson(case)


SECOND_ORDER_REFUSED = {
    "of_lists",
    "of_pairs",
    "written_to_by_a_call",
    "replaced_and_written_to_by_a_call",
    "with_defaults",
    "rows",
    "lengths",
    "same_array",
    "flags",
    "in_or",
}


@pytest.mark.parametrize("case", lesson.cases)
def test_second_derivatives(case: Lesson) -> None:
    x, *rest = case.args()
    v = np.cos(np.arange(np.size(x)) + 1.0) if np.ndim(x) else 1.0
    gradient = grad(case.function)
    try:
        found = hvp(case.function)(x, v, *rest)
    except NotDifferentiable:
        assert case.may_refuse or case.function.__name__ in SECOND_ORDER_REFUSED
        return
    slope = (gradient(x + 1e-6 * v, *rest) - gradient(x - 1e-6 * v, *rest)) / 2e-6
    np.testing.assert_allclose(found, slope, rtol=1e-5, atol=1e-5)
