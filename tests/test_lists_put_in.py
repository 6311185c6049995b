"""Lists that are put into another one and then begun anew: right where nobody else has them, or refused."""

from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

FUNCTIONS: list[Any] = []
REFUSED: list[tuple[Any, str]] = []
X = np.array([0.7, 1.3, 0.4, -0.6, 0.9, 1.1])
X_DOT = np.array([0.2, -0.3, 0.9, 0.4, 0.1, -0.5])
refused = refused_in(REFUSED)


@kept_in(FUNCTIONS)
def segments(x):
    parts, current = [], []
    for v in x:
        if current and abs(v - current[-1]) > 0.8:
            parts.append(current)
            current = []
        current.append(v)
    parts.append(current)
    return sum(sum(part) ** 2 for part in parts)


@refused("may share memory")
def leak_alias(x):
    parts, current = [], []
    last = current
    for v in x:
        current.append(v)
        if len(current) > 1:
            parts.append(current)
            current = []
        last.append(v * 2)
    return sum(sum(s) ** 2 for s in parts)


@refused("may share memory")
def append_again(x):
    parts, current = [], []
    for v in x:
        parts.append(current)
        current.append(v)
    return sum(sum(s) ** 2 for s in parts)


@refused("may share memory")
def changed_after(x):
    parts, current = [], []
    for v in x:
        current.append(v)
        if len(current) > 2:
            parts.append(current)
            current = []
    parts.append(current)
    current.append(x[0])
    return sum(sum(s) ** 2 for s in parts)


@kept_in(FUNCTIONS)
def begun_with(x):
    parts, current = [], [x[0]]
    for v in x[1:]:
        if v < current[-1]:
            parts.append(current)
            current = [v]
        else:
            current.append(v)
    if current:
        parts.append(current)
    return sum(sum(s) ** 2 for s in parts)


@kept_in(FUNCTIONS)
def two_lists(x):
    out, a, b = [], [], []
    for v in x:
        a.append(v)
        b.append(v * v)
        if v > 1:
            out.append(a)
            a = []
            out.append(b)
            b = []
    return sum(sum(s) ** 2 * len(s) for s in out)


@kept_in(FUNCTIONS)
def last_one_in_a_branch(x):
    current = []
    batches = []
    for k in range(len(x)):
        current.append(x[k])
        if len(current) == 4:
            batches.append(current)
            current = []
    if len(current) > 0:
        batches.append(current)
    return sum(np.prod(np.array(b)) for b in batches)


@kept_in(FUNCTIONS)
def read_after_the_loop(x):
    current = []
    batches = []
    for v in x:
        current.append(v)
        if len(current) == 4:
            batches.append(current)
            current = []
    return sum(np.prod(np.array(b)) for b in batches) * sum(current)


@kept_in(FUNCTIONS)
def extended(x):
    current = []
    batches = []
    for v in x:
        current += [v, v * 2]
        if len(current) >= 4:
            batches.append(current)
            current = []
    return sum(b[0] * b[1] ** 2 for b in batches)


@refused("may share memory")
def by_a_closure(x):
    current = []
    batches = []

    def put(v):
        current.append(v)

    for v in x:
        put(v)
    batches.append(current)
    put(x[0])
    return sum(sum(b) ** 2 for b in batches)


@kept_in(FUNCTIONS)
def while_loop(x):
    i, rows, row = 0, [], []
    while i < len(x):
        row.append(x[i])
        i += 1
        if i % 2 == 0:
            rows.append(row)
            row = []
    return np.sum(np.array(rows) @ np.array([1.0, 2.0])) ** 2


@kept_in(FUNCTIONS)
def asked_for_identity(x):
    current = []
    batches = []
    for v in x:
        current.append(v)
        if len(current) == 3:
            batches.append(current)
            current = []
    batches.append(current)
    return sum(sum(b) * (2 if b is batches[-1] else 1) for b in batches)


@kept_in(FUNCTIONS)
def no_trips(x):
    current = []
    batches = []
    for v in x[:0]:
        current.append(v)
        batches.append(current)
        current = []
    batches.append(current)
    return x[0] ** 2 + len(batches)


@kept_in(FUNCTIONS)
def generator(x):
    current = []
    batches = []
    y = 0.0
    for v in x:
        current.append(v)
        y = y + sum(w * w for w in current) + max(current)
        if len(current) == 3:
            batches.append(current)
            current = []
    return sum(sum(b) ** 2 for b in batches) + y


@kept_in(FUNCTIONS)
def in_a_try(x):
    current = []
    batches = []
    for v in x:
        current.append(v)
        try:
            if len(current) == 3:
                batches.append(current)
                current = []
        finally:
            pass
    batches.append(current)
    return sum(sum(b) ** 2 for b in batches)


@kept_in(FUNCTIONS)
def rows_of_tuples(x):
    current = []
    batches = []
    for k, v in enumerate(x):
        current.append((v, k))
        if len(current) == 3:
            batches.append(current)
            current = []
    batches.append(current)
    return sum(sum(v * k for v, k in b) ** 2 for b in batches)


@kept_in(FUNCTIONS)
def nested(x):
    current = []
    batches = []
    outer = []
    for k, v in enumerate(x):
        current.append(v)
        if len(current) == 2:
            batches.append(current)
            current = []
        if len(batches) == 2:
            outer.append(batches)
            batches = []
    return sum(sum(sum(b) ** 2 for b in bs) for bs in outer)


test_lists_put_in = each_right(FUNCTIONS, X, X_DOT)


test_lists_that_others_have = each_refused(REFUSED, X)
