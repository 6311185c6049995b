"""Calls that change lists: on lines of their own, in choices and comprehensions that are such lines, and in values."""

from __future__ import annotations

import numpy as np
from every_mode import Function, each_refused, each_right, kept_in, refused_in

FUNCTIONS: list[Function] = []
REFUSED: list[tuple[Function, str]] = []
kept, refused = kept_in(FUNCTIONS), refused_in(REFUSED)
X, X_DOT = np.array([1.3, 0.7, 2.1]), np.array([0.3, -0.7, 1.1])


@kept
def a_comprehension_for_its_effect(x):
    ys = []
    [ys.append(v * v) for v in x if v > 0]
    return ys[0] * ys[1] * ys[2]


@kept
def variables_of_such_a_comprehension(x):
    v, ys = 3.0, []
    [ys.extend([v * u, u]) for v in x for u in x[:2]]
    return v * ys[0] * ys[-2] * len(ys)


@kept
def a_choice_for_its_effect(x):
    ys, zs = [], [x[0]]
    for v in x:
        ys.append(v * v) if v > 1 else zs.append(v)
        ys.append(v) if v > 2 else None
    return sum(ys) * sum(zs)


@kept
def a_test_for_the_effect_behind_it(x):
    ys = []
    for v in x:
        v > 1 and v < 3 and ys.append(v)
        v > 1 or ys.append(v**3)
    return sum(y * y for y in ys)


@kept
def values_taken_out_in_a_test(x):
    ys = [x[0], x[1]]
    if ys.pop() > 0:
        return ys[0] * len(ys) * x[2]
    return x[1]


@kept
def lists_of_numbers_change_anywhere(x):
    seen, places, s = set(), [0, 1, 2, 1], 1.0
    for k in [0, 1, 0, 2, 1]:
        if k in seen or seen.add(k):
            continue
        s = s * x[k] * x[places.pop()]
    return s


def doubled(a):
    a[0] = a[0] * 2 + a[-1]
    return 1.0


def put(ys, v):
    ys.append(v)
    return len(ys)


def checked(v):
    if v < 1:
        raise ValueError("low")
    return v


@kept
def a_comprehension_of_a_helper(x):
    y = x * 1
    [doubled(y) for _ in range(3)]
    {doubled(y) for _ in range(2)}
    return np.sum(x * y)


@kept
def helpers_of_which_not_all_are_called(x, verbose=False):
    y = x * 1
    doubled(y) or doubled(y)
    doubled(y) < 0 and doubled(y)
    doubled(y) if doubled(y) else doubled(x)
    doubled(y) > doubled(y) > doubled(y)
    verbose and doubled(y)
    verbose or checked(y[0])
    return np.sum(x * y)


@kept
def helpers_that_would_raise(x, strict=False):
    strict and checked(x[1])
    checked(x[1]) if strict else None
    x[0] < 0.5 and checked(x[1])
    strict and print("value", checked(x[1]))
    [checked(v) for v in x if v > 1]
    return x[0] ** 2 * x[1]


@kept
def lists_that_helpers_grow(x, verbose=False):
    ys = [x[0] * 1]
    verbose and put(ys, x[1])
    put(ys, x[0]) or put(ys, x[1])
    [put(ys, v * v) for v in x if v > 1]
    list(map(lambda v: put(ys, v), x))
    seen = {put(ys, v * v) for v in x}
    return sum(ys) * len(ys) * len(seen)


@kept
def sets_of_what_a_closure_gives(x):
    z = x[0]

    def grown():
        nonlocal z
        z = z * 2 + x[1]
        return 1

    {grown() for _ in range(3)}
    sizes = {grown() + k for k in range(2)}
    (grown(), grown() + grown())
    -grown()
    return z * len(sizes)


@kept
def in_blocks_of_all_kinds(x, n=3):
    y = x * 1
    for k in range(n):
        k > 1 and doubled(y)
        try:
            k or doubled(y)
        finally:
            doubled(y) if k == 0 else None
    with np.errstate(all="ignore"):
        n > 3 or [doubled(y) for _ in range(2)]

    def inside(v):
        v > 9 and doubled(y)
        v < 9 and doubled(y)
        return v

    inside(y[0])
    return np.sum(y * y)


@kept
def in_a_test(x):
    ys = [x[0]]
    if ys.append(x[1]) is None:
        return ys[0] * ys[1]
    return x[0]


@kept
def in_the_test_of_a_loop(x):
    ys = []
    while ys.append(x[0]) is None and len(ys) < 3:
        pass
    return ys[0] * ys[1] * ys[2]


@kept
def in_a_value(x):
    ys = [x[0], x[1], x[2]]
    done = ys.reverse() is None
    return ys[0] ** 2 * ys[1] * done


@kept
def in_a_comprehension_with_a_name(x):
    ys = []
    _ = [ys.append(v * v) for v in x]
    return ys[0] * ys[1]


@kept
def beside_another_value(x):
    ys = []
    _, b = ys.append(x[0]), x[1]
    return b * ys[0]


CHANGED_FIRST = "may change what it is added to"


@refused(CHANGED_FIRST)
def a_method_changes_what_is_updated(x):
    y = x * 1
    y[0] += y.fill(4.0) or 1.0
    return np.sum(y)


@refused(CHANGED_FIRST)
def an_item_is_taken_from_what_is_updated(x):
    ys = [x[1] * 1, x[0] * 2, x[0]]
    ys[0] *= ys.pop(0)
    return ys[0] + ys[1] * 2


@refused(CHANGED_FIRST)
def an_entry_is_taken_from_what_is_updated(x):
    d = {"a": x[0] * 1}
    d["a"] += d.pop("a")
    return d["a"]


@refused(CHANGED_FIRST)
def a_function_writes_to_what_is_updated(x):
    y = x * 1
    y[0] += np.add(y, x, out=y)[0]
    return np.sum(y)


@refused(CHANGED_FIRST)
def the_place_of_an_update_is_asked_of_what_changes(x):
    ys = [x[1] * 1, x[0] * 1]
    ys[len(ys) - 1] += put(ys, x[1])
    return ys[0] + ys[1] * 2


@kept
def another_list_gives_what_is_added(x):
    y, stack = x * 1, [x[0], x[1]]
    y[0] += stack.pop()
    y[1] *= stack.pop() * len(stack)
    return np.sum(y * x)


test_in_every_mode = each_right(FUNCTIONS, X, X_DOT)


test_refused = each_refused(REFUSED, X)
