"""Lists that get what a helper gives, which makes lists of its own: `pay.append(welfare(values))`; or what one puts into them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import check_refused, each_right, kept_in
from numeric import assert_close, numeric_gradient

from tangentish import grad, jvp

FUNCTIONS: list[Callable[..., Any]] = []
followed = kept_in(FUNCTIONS)
P, P_DOT = np.array([0.7, -0.4, 0.9]), np.array([1.0, -2.0, 0.5])
RATES = [0.3, 0.2]


def weighted(rates, values):
    return sum(c * v for c, v in zip(rates, values))


def with_one_more(values, rates):
    rates.append(0.5)
    return sum(c * v for c, v in zip(rates, values))


class Box:
    def __init__(self):
        self.items = [1.0]


def put_into(box, v):
    box.items.append(2.0)
    return v * len(box.items)


@followed
def by_a_helper(x):
    pay = []
    for v in x:
        pay.append(weighted([0.3, 0.2], x) - v)
    return sum(p**2 for p in pay)


@followed
def by_what_is_captured(x):
    rates = [0.3, 0.2]

    def welfare(values):
        return sum(rates[k] * values[k] for k in range(2))

    pay = []
    for v in x:
        pay.append(welfare(x) * v)
    return sum(p**2 for p in pay)


@followed
def helper_that_lengthens_a_list(x):
    rates, pay = [0.3], []
    for v in x:
        pay.append(with_one_more(x, rates) * v)
        pay.append(v * sum(rates))
    return sum(p**2 for p in pay)


@followed
def helper_that_lengthens_what_an_object_holds(x):
    box, pay = Box(), []
    for v in x:
        pay.append(put_into(box, v))
        pay.append(v * sum(box.items))
    return sum(p**2 for p in pay)


@followed
def list_under_two_names(x):
    rates = [1.0]
    other, pay = rates, []

    def grown(v):
        found = [a * v for a in other]
        found.append(v)
        other.append(2.0)
        return sum(found)

    for v in x:
        pay.append(grown(v))
        pay.append(v * sum(rates))
    return sum(p**2 for p in pay)


def put(values, v):
    values.append(v)


@followed
def constants_beside_what_varies(x):
    tables = []
    tables.append({"a": []})
    put(tables[0]["a"], 3.0)
    tables[0]["a"].append(x[1])
    put(tables[0]["a"], 2.0)
    first, second, third = tables[0]["a"]
    return first * second**2 * x[0] + third * x[2]


@followed
def constants_in_one_of_several_lists(x):
    tables = [{"a": []} for _ in range(2)]
    for k in range(2):
        put(tables[k]["a"], 3.0)
    tables[1]["a"].append(x[1])
    return tables[1]["a"][0] * tables[1]["a"][1] ** 2 * x[0]


test_right = each_right(FUNCTIONS, P, P_DOT)


def over_an_argument(x, rates):
    pay = []
    for v in x:
        pay.append(weighted(rates, x) - v)
    return sum(p**2 for p in pay)


def set_to(values, k, v):
    values[k] = v


LOG: list[float] = []


def noted(rates, v):
    LOG.append(1.0)
    LOG.pop()
    return sum(c * v for c in rates)


@followed
def beside_a_list_outside(x):
    kept = []
    for v in x:
        kept.append(noted([0.3, 0.2], v))
    return sum(k**2 for k in kept)


@followed
def a_number_first(x):
    """Nothing varies in the first call; what it does to the list is followed all the same."""
    values = [1.0]
    put(values, 3.0)
    put(values, x[0])
    return sum(values) * values[-1] * x[1]


def by_what_calls_it_back(x):
    seen = []

    def note(u, n):
        seen.append(n * np.sum(u * u))

    def stepped(report):
        u = np.ones(3)
        report(u, 1)
        for n in range(2):
            u[n] = x[n] * u[n + 1]
            report(u, n)

    stepped(note)
    return sum(seen) * x[2]


@followed
def on_one_way_and_on_the_other(x):
    values = []
    for k in range(4):
        if k % 2:
            put(values, float(k))
        else:
            put(values, x[0] * k)
    return sum(a * b for a, b in zip(values, values[1:])) * x[2]


@followed
def stored_to_by_it_and_here(x):
    values, rows = [1.0, 2.0, 3.0], [[1.0, 2.0], [3.0]]
    other = values
    set_to(values, 1, 5.0)
    put(rows[0], 4.0)
    first = other[1]
    other[1] = x[0]
    put(rows[0], x[1])
    return first * sum(values) * values[1] + sum(rows[0]) * rows[0][-1] * sum(rows[1])


def captured_argument(x, rates):
    def welfare(values):
        return sum(c * v for c, v in zip(rates, values))

    pay = []
    for k in range(len(x)):
        pay.append(welfare(x) - x[k])
    return sum(p**2 for p in pay)


def test_rates_are_an_argument():
    for function in (over_an_argument, captured_argument):
        for rates in (RATES, [0.5], []):
            numeric = numeric_gradient(function, (P, rates), 0, 1.0)
            assert_close(grad(function)(P.copy(), rates), numeric, function.__name__)


def test_what_calls_it_back_is_given_nothing_that_varies_first():
    numeric = numeric_gradient(by_what_calls_it_back, (P,), 0, 1.0)
    assert_close(grad(by_what_calls_it_back)(P.copy()), numeric, "grad")
    assert_close(jvp(by_what_calls_it_back, (P,), (P_DOT,))[1], numeric @ P_DOT, "jvp")


def last_again(rows):
    rows.append(rows[-1])


def into_first(rows, v):
    rows[0][0] += v[1]
    return rows[0]


def into_an_array_of_a_list_at_rest(x):
    rows = [np.ones(2), np.ones(2)]
    last_again(rows)
    return np.sum(into_first(rows, x) * x)


def test_what_such_a_list_holds_is_not_written_to_by_others():
    check_refused(
        into_an_array_of_a_list_at_rest, "may stand in the list more than once", np.ones(2)
    )
