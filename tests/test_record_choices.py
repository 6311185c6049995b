"""Elements of lists that are chosen: by loops, by keys, in order; a name for one is its index."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along, each_refused, kept_in, named, refused_in
from numeric import assert_close

from tangentish import vjp

RIGHT: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
refused = refused_in(REFUSED)
X, X_DOT = np.array([0.3, 0.7, 1.1]), np.array([1.0, -2.0, 0.5])

KEPT = "an element of a list is kept under another name"
WHOLE = "a list of dicts or objects is used as a whole"


class P:
    def __init__(self, x, v):
        self.x = x
        self.v = v

    def energy(self):
        return self.v**2 + self.x

    def doubled(self):
        self.v = self.v * 2
        return self.v


def of(x):
    return [P(v, v**2) for v in x]


def sum_of(ps):
    return sum(p.x * p.v**2 for p in ps)


def doubled(p):
    p.v = p.v * 2
    return p.x


# ---- by a loop


@kept_in(RIGHT)
def from_none_on(x):
    ps = of(x)
    best = None
    for p in ps:
        if best is None or p.energy() > best.energy():
            best = p
    best.v = best.v * best.x
    return sum_of(ps) + best.energy()


@kept_in(RIGHT)
def it_and_the_others(x):
    ps = of(x)
    best = ps[-1]
    for p in ps:
        best = p if p.x < best.x else best
    for p in ps:
        if p is not best:
            p.v += best.x
    return sum_of(ps) + sum(p.x for p in ps if p is not best)


@kept_in(RIGHT)
def two_that_change_places(x):
    ps = of(x)
    a, b, least = ps[0], ps[1], 5.0
    for p in ps:
        a, b = b, a
        if p.x < least:
            b, least = p, p.x
        a.v = a.v * 1.5
    if a is not b:
        a.x, b.x = b.x, a.x
    return sum_of(ps) + a.v * least


@kept_in(RIGHT)
def the_one_before(x):
    ps = of(x)
    before = None
    for p in ps:
        if before is not None:
            p.v += before.v * p.x
        before = p
    before.x = before.x * 3
    return sum_of(ps)


@kept_in(RIGHT)
def while_it_grows(x):
    ps = of(x)
    last = first = ps[0]
    while len(ps) < 6:
        ps.append(P(last.x * 0.9, first.v))
        last = ps[-1]
        last.doubled()
    first.x = first.x * 2
    return sum_of(ps) + last.v


@kept_in(RIGHT)
def none_of_them(x):
    ps = of(x)
    best = None
    for p in ps:
        if p.x > 50:
            best = p
    return x[0] if best is None else best.x


@kept_in(RIGHT)
def left_by_break(x):
    ps = of(x)
    for _k, p in enumerate(ps):
        if p.x > 0.5:
            break
    p.doubled()
    return sum_of(ps) + p.v


@kept_in(RIGHT)
def of_rows(x):
    rows = [{"c": v, "d": v * v} for v in x]
    far = rows[0]
    for row in rows:
        if row["c"] > far["c"]:
            far = row
    far["d"] = far["d"] * 2
    return sum(row["d"] * row["c"] for row in rows)


@kept_in(RIGHT)
def changed_in_a_loop_over_all(x):
    ps = of(x)
    one = ps[1]
    total = 0.0
    for p in ps:
        doubled(one)
        total += p.v
    return total


@kept_in(RIGHT)
def out_of_range(x):
    ps = of(x)
    p = ps[0]
    try:
        for k in range(5):
            p = ps[k]
        p = ps[7]
    except IndexError:
        return x[0] * 2 * p.x
    return x[1]


@refused(KEPT)
def given_away_though_it_may_be_none(x):
    ps = of(x)
    best = None
    for p in ps:
        if p.x > 50:
            best = p
    return doubled(best)


@refused(KEPT)
def of_a_list_that_is_made_on_every_trip(x):
    best = None
    for k in range(3):
        ps = of(x * k)
        for p in ps:
            if best is None or p.x > best.x:
                best = p
    return best.x


@refused(WHOLE)
def left_over_from_a_list_that_is_made_on_every_trip(x):
    total = 0.0
    for k in range(3):
        ps = of(x * k)
        for p, _ in zip(ps, () if k else x):
            total += p.v
        total += p.x
    return total


@refused(KEPT)
def kept_by_another(x):
    ps = of(x)
    best = P(x[0], x[1])
    for p in ps:
        best.x = p
    p.x = p.x * 2
    return best.x.x


@refused(KEPT)
def kept_by_a_function(x):
    ps = of(x)
    best = None
    for p in ps:
        best = p

    def now():
        return best.x

    p.x = p.x * 2
    return now()


@refused(WHOLE)
def of_one_list_or_another(x):
    ps, qs = of(x), of(x * 2)
    best = ps[0]
    for p, q in zip(ps, qs):
        best = p if p.x > best.x else q
    best.x = best.x * 2
    return sum_of(ps) + sum_of(qs)


@kept_in(RIGHT)
def the_first_that(x):
    ps = of(x)
    most = max(p.x for p in ps)
    first = next(p for p in ps if p.x == most)
    first.x += 1.0
    return sum(p.x * p.v for p in ps) + first.v


# ---- by a key


@kept_in(RIGHT)
def the_least_and_the_most(x):
    ps = of(x)
    least, most = min(ps, key=lambda p: p.x), max(ps, key=lambda p: p.energy())
    least.v = least.v * 3
    most.x = most.x * least.v
    return sum_of(ps) + max(ps, key=lambda p: -p.x).v


@kept_in(RIGHT)
def in_order(x):
    ps = of(x)
    total = 0.0
    for k, p in enumerate(sorted(ps, key=lambda p: (-p.v, p.x))):
        p.v = p.v * k + total
        total += p.x
    for p in sorted(ps, key=P.energy, reverse=True):
        total = total * p.x + p.v
    return total + sum(k * p.v for k, p in enumerate(sorted(ps, key=lambda p: p.x)))


@kept_in(RIGHT)
def by_a_key_that_changes_them(x):
    ps = of(x)
    best = max(ps, key=lambda p: p.doubled())
    best.x = best.x * 2
    return sum_of(ps)


# ---- in order, and parts


class Crowd:
    def __init__(self, x):
        self.ps = of(x)

    def order(self):
        self.ps.sort(key=lambda p: p.energy(), reverse=True)


def put_in_order(ps):
    ps.sort(key=lambda p: p.x)


@kept_in(RIGHT)
def sorted_in_place(x):
    crowd = Crowd(x)
    rows = [{"c": v, "d": v * x[0]} for v in x]
    for _ in range(2):
        crowd.order()
        crowd.ps[0].x = crowd.ps[0].x * -4
    put_in_order(crowd.ps)
    rows.sort(key=lambda row: -row["d"])
    return sum(k * p.x * p.v for k, p in enumerate(crowd.ps)) + rows[0]["c"] * rows[1]["d"]


@kept_in(RIGHT)
def sorted_under_its_name(x):
    ps = sorted(of(x), key=lambda p: p.v)
    for p in ps[:2]:
        p.x = p.x * 2
    ps = sorted(ps, key=lambda p: -p.energy())
    return sum(k * p.x * p.v for k, p in enumerate(ps))


@kept_in(RIGHT)
def other_parts(x):
    ps = of(x)
    total = 0.0
    for i, p in enumerate(ps):
        for q in ps[i + 1 :]:
            q.v -= p.x
            total += q.v * p.v
    for p in ps[::-1]:
        p.v = p.v * total + ps[1].x
    return sum_of(ps) + sum(p.x for p in ps[:2])


@refused("a call puts another one in the place of an element that may have a name")
def put_in_order_by_a_call(x):
    ps = of(x)
    p = ps[0]
    put_in_order(ps)
    return ps[0].x * p.v


@refused("a call puts another one in the place of an element that may have a name")
def put_in_order_by_a_function_inside(x):
    ps = of(x)

    def order():
        put_in_order(ps)

    best = ps[1]
    order()
    return ps[0].x * best.v


@refused(KEPT)
def put_in_order_while_one_has_a_name(x):
    ps = of(x)
    p = ps[0]
    ps.sort(key=lambda p: -p.x)
    return ps[0].x * p.v


@refused("this may stand elsewhere, too")
def two_lists_in_two_orders(x):
    ps = of(x)
    qs = sorted(ps, key=lambda p: p.x)
    qs[0].x = qs[0].x * 2
    return sum_of(ps) + qs[0].x


@pytest.mark.parametrize("function", RIGHT, ids=named)
@pytest.mark.parametrize("x", [X, X[::-1].copy()])
def test_right(function: Callable[..., Any], x: np.ndarray) -> None:
    value, pullback = vjp(function, x)
    assert value == function(x)
    assert_close(pullback(2.0)[0], 2 * check_along(function, x, X_DOT), named(function))


test_refused = each_refused(REFUSED, X)
