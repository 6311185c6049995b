"""Dicts that a helper fills, or hands on, before anything in them varies.

Their tangents are zeros then, under all keys that are there; and it is their values that have names, not their keys.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

RIGHT: list[Callable[..., Any]] = []


class Bank:
    def __init__(self, rate):
        self.rate = rate
        self.accounts = {}

    def deposit(self, who, v):
        self.accounts[who] = self.accounts.get(who, 0.0) + v

    def year(self):
        for k in self.accounts:
            self.accounts[k] *= 1 + self.rate


def put(d, who, v):
    d[who] = d.get(who, 0.0) + v


@kept_in(RIGHT)
def in_an_object(x):
    bank = Bank(x[0] * x[1])
    for k, v in enumerate([1.0, 2.0, 3.0]):
        bank.deposit("ab"[k % 2], v)
    bank.year()
    return bank.accounts["a"] * bank.accounts["b"]


@kept_in(RIGHT)
def taken_out_between(x):
    d = {}
    for k, v in enumerate([1.0, 2.0, 3.0]):
        put(d, "abc"[k], v)
    put(d, "d", d.pop("c"))
    rate = x[0] * x[1]
    for k in d:
        d[k] *= 1 + rate
    return sum(d.values()) * d["a"]


def fill(d, keys):
    for k in keys:
        d[k] = np.ones(2)


@kept_in(RIGHT)
def of_arrays(x):
    d = {}
    fill(d, "abc")
    for k in d:
        d[k] = d[k] * (1 + x[0])
    return np.sum(d["a"] * d["b"]) * x[1]


def at_rest():
    return {0: 2.0, 1: 3.0}


def given_back_by_a_loop(d, n):
    for k in range(n):
        if k == 2:
            return d
    raise ValueError


@kept_in(RIGHT)
def handed_on(x):
    d = given_back_by_a_loop(at_rest(), 4)
    d[0] = x[0] * 3
    return d[0] * d[1] * x[1]


def one_of_two(d, e, s):
    return d if s > 0.3 else e


@kept_in(RIGHT)
def chosen_by_what_varies(x):
    d = one_of_two(at_rest(), at_rest(), x[0])
    d[0] = x[1]
    return d[0] * d[1] * x[0]


X, X_DOT = np.array([0.4, 0.9]), np.array([0.3, -1.2])
test_in_every_mode = each_right(RIGHT, X, X_DOT)
