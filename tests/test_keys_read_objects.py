"""Keys, and what `map` and `filter` are given, that read what is taken apart: right in every mode, or refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_refused, each_right, kept_in, named, refused_in

FUNCTIONS: list[Callable[..., Any]] = []
REFUSED: list[tuple[Callable[..., Any], str]] = []
keep, refused = kept_in(FUNCTIONS), refused_in(REFUSED)

PRICES = {1: 1.0, 0: 5.0, 2: 2.0}


class Site:
    def __init__(self, x=None, c=None):
        self.x = x
        self.c = c

    def nearest(self):
        near = sorted(self.x, key=lambda v: (v - self.c) ** 2)
        return near[0] * near[1] * self.c

    def farthest(self):
        return max(self.x, key=lambda v: (v - self.c) ** 2) * self.c


@keep
def by_a_number_of_the_object(x):
    return Site(x, 0.3).nearest()


@keep
def by_what_varies_in_the_object(x):
    return Site(x, x[1]).nearest() + Site(x * 2.0, x[0]).farthest()


@keep
def by_an_entry(x):
    d = {"c": x[1], "q": x * 2.0}
    far = sorted(d["q"], key=lambda v: -v * d["c"], reverse=True)
    return sum(v * w for v, w in zip(far, [1.0, 2.0, 3.0], strict=True))


@keep
def by_an_item_of_a_tuple(x):
    t = (x[1], 2.0)
    return max(x, key=lambda v: abs(v - t[0]) * t[1]) * x[1]


@keep
def of_what_is_made_in_the_call(x):
    s = Site(c=x[1])
    far = sorted([v * s.c for v in x], key=lambda v: abs(v - s.c - 0.1), reverse=True)
    return far[0] * far[1] * 2.0 + far[-1]


@keep
def of_a_part_while_the_object_changes(x):
    s, total = Site(c=x[1]), 0.0
    for i in range(2):
        total += max(x[i:], key=lambda v: (v - s.c) ** 2) * s.c
        s.c = s.c + total
    return total


def highest(f, xs):
    k = max(range(len(xs)), key=lambda i: f(xs[i]))
    return xs[k]


@keep
def by_a_function_that_a_helper_is_given(x):
    t, s = (x[1], 2.0), Site(c=x[2])
    first = highest(lambda v: (v - t[0]) ** 2, x) * t[0]
    return first + highest(lambda v: (v - s.c) ** 2, x * 2.0) * s.c


@keep
def mapped_and_filtered(x):
    s, d = Site(c=x[1]), {"c": x[2]}
    total = sum(map(lambda v: v * s.c, x)) + sum(filter(lambda v: v * s.c > 0.0, x))
    return total + sum(list(filter(lambda v: v * d["c"] > 0.0, x))) * d["c"]


@keep
def mapped_in_a_test(x):
    t = (x[1], 2.0)
    early = [v for v in range(3) if any(map(lambda j: x[j] * t[0] > 0.3, range(v)))]
    return x[0] * t[1] + len(early) * x[2] ** 2


@keep
def mapped_by_what_two_give(x):
    s = Site(c=x[1])
    return sum(map(lambda v, w: v * w * s.c, x, x[::-1]))


@refused("a key that reads what is taken apart")
def of_what_has_no_name(x):
    s = Site(c=x[1])
    return max(x[0], x[2], key=lambda v: abs(v - s.c)) * x[1]


@refused("a key that reads what is taken apart")
def of_a_dict_outside(x):
    s = Site(c=x[1])
    k = max(PRICES, key=lambda k: PRICES[k] * s.c)
    return PRICES[k] * x[0] * s.c


@refused("a key that reads what is taken apart")
def of_what_is_run_over_once(x):
    s = Site(c=x[1])
    return x[min(reversed(range(3)), key=lambda k: x[k] * s.c)]


@refused("whose parts have names of their own here")
def by_a_key_that_counts(x):
    s, asked = Site(c=x[1]), [0]

    def key(v):
        asked[0] += 1
        return (v - s.c) ** 2

    return max(x, key=key) * s.c * asked[0]


X = np.array([0.7, 1.35, -0.4])
test_right = each_right(FUNCTIONS, X, np.array([0.5, -1.0, 0.25]))


@pytest.mark.parametrize(
    ("function", "reason"), REFUSED, ids=lambda v: named(v) if callable(v) else ""
)
def test_refused(function: Callable[..., Any], reason: str) -> None:
    check_refused(function, reason, X)
