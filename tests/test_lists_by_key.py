"""Lists under keys that are computed, and other names for them: each is right in every mode, or refused, as marked."""

from __future__ import annotations

import collections
import linecache
from typing import Any

import numpy as np
import pytest
from corpus import values
from lessons import Lesson, Lessons, check_lesson

from tangentish import NotDifferentiable, grad, vjp

lesson = Lessons()

WORDS = ("a", "b", "a", "c")


def given() -> tuple[Any, ...]:
    return values(1, 4), WORDS


def nothing() -> tuple[Any, ...]:
    return values(1, 4), ()


def _groups(x, keys):
    groups = collections.defaultdict(list)
    for k, v in zip(keys, x):
        groups[k].append(v)
    return groups


@lesson("made by a call", given, nothing)
def made_by_a_call(x, keys):
    groups = _groups(x, keys)
    return x[0] ** 2 + sum(sum(members) ** 2 for members in groups.values())


@lesson("a list under two keys", given, may_refuse=True)
def under_two_keys(x, keys):
    groups, members = {}, []
    for k in keys:
        groups[k] = members
    for k, v in zip(keys, x):
        groups[k].append(v)
    return sum(sum(members) ** 2 for members in groups.values())


@lesson("a list under two keys", given, may_refuse=True)
def swapped(x, keys):
    groups = {k: [] for k in keys}
    for k, v in zip(keys, x):
        groups[k].append(v)
    groups["a"], groups["b"] = groups["b"], groups["a"]
    groups["a"].append(x[2])
    return sum(groups["a"]) ** 2 * groups["b"][0]


@lesson("arrays that change", given, may_refuse=True)
def written_to_later(x, keys):
    groups = collections.defaultdict(list)
    for k, v in zip(keys, x):
        row = v * np.ones(2)
        groups[k].append(row)
        row *= 2
    return sum(np.sum(np.array(rows) ** 2) for rows in groups.values())


@lesson("second names", given)
def named_on_each_trip(x, keys):
    groups = {}
    for k, v in zip(keys, x):
        members = groups.setdefault(k, [])
        members.append(v)
    return sum(sum(members) ** 2 for members in groups.values())


@lesson("second names", given, may_refuse=True)
def named_then_replaced(x, keys):
    groups = {k: [] for k in keys}
    k = keys[0]
    members = groups[k]
    groups[k] = [x[0]]
    members.append(x[1])
    return sum(members) ** 2 * groups[k][0]


@lesson("second names", given, may_refuse=True)
def named_then_taken_out(x, keys):
    groups = {k: [x[0]] for k in keys}
    members = groups["a"]
    del groups["a"]
    groups["a"] = [x[2]]
    members.append(x[1])
    return sum(members) ** 2 * groups["a"][0]


@lesson("second names", given, may_refuse=True)
def named_under_another_key(x, keys):
    groups = {k: [] for k in keys}
    k = keys[0]
    members = groups[k]
    k = keys[1]
    members.append(x[1])
    groups[k].append(x[2])
    return sum(members) ** 2 * sum(groups[k])


@lesson("in another list", given, may_refuse=True)
def in_another_list(x, keys):
    groups = _groups(x, keys)
    rows = []
    for k in groups:
        rows.append(groups[k])
    groups["a"].append(x[3] ** 2)
    return sum(rows[0]) ** 2 + sum(groups["b"])


@lesson("in another dict", given, may_refuse=True)
def in_another_dict(x, keys):
    groups = _groups(x, keys)
    same = dict(groups)
    same["a"].append(x[1])
    return sum(sum(members) ** 2 for members in groups.values()) + sum(same["a"])


@lesson("taken out", given)
def taken_out_and_begun_anew(x, keys):
    groups = collections.defaultdict(list)
    for k, v in zip(keys, x):
        groups[k].append(v * v)
        if len(groups[k]) > 1:
            del groups[k]
            groups[k].append(v)
    return sum(sum(members) ** 2 for members in groups.values())


@lesson("taken out", given)
def cleared(x, keys):
    groups = collections.defaultdict(list)
    y = 0.0
    for k, v in zip(keys, x):
        groups[k].append(v)
        if len(groups) > 1:
            y += sum(groups[k]) ** 2
            groups.clear()
    return y + sum(groups["c"])


@lesson("asked for what is not there", given)
def asked_for_what_is_not_there(x, keys):
    groups = collections.defaultdict(list)
    for k, v in zip(keys, x):
        groups[k].append(v)
    y = sum(groups["a"]) * sum(groups["b"]) + sum(groups["z"])
    return y + len(groups) * x[0]


@lesson("defaults that hold something", given)
def begun_with_something(x, keys):
    groups = {}
    for k, v in zip(keys, x):
        if v > 0:
            groups.setdefault(k, []).append(v)
        else:
            groups.setdefault(k, [x[0]]).append(v * v)
    return sum(members[-1] * members[0] for members in groups.values())


@lesson("changed by a call", given, may_refuse=True)
def changed_by_a_call(x, keys):
    groups = {}
    for k, v in zip(keys, x):
        _put(groups, k, v)
    return sum(sum(members) ** 2 for members in groups.values())


def _put(groups, k, v):
    groups.setdefault(k, []).append(v)


@lesson("changed by a call", given)
def added_to_by_a_call(x, keys):
    groups = {k: [x[0] * 2] for k in keys}
    y = 0.0
    for k, v in zip(keys, x):
        y += groups[k][-1] ** 2 * groups[k][0]
        _added(groups[k], v)
    return y + sum(sum(members) ** 2 for members in groups.values())


def _added(members, v):
    members.append(v)
    members[0] = members[0] * v


@lesson("changed by a call", given)
def rows_written_to_by_a_call(x, keys):
    groups = {k: [x * 2] for k in keys}
    y = 0.0
    for k, v in zip(keys, x):
        y += np.sum(groups[k][-1] ** 2 * groups[k][0])
        groups[k].append(groups[k][-1] * v)
        _set_first(groups[k][-1])
        _set_first(groups[k][0])
    return y + sum(np.sum(np.array(rows) ** 2) for rows in groups.values())


def _set_first(row):
    row[0] = 11.0


@lesson("what carries no derivative", given)
def arrays_that_carry_none(x, keys):
    weights = {}
    for k in keys:
        weights[k] = [np.arange(4.0)]
    y = np.sum(x[0] ** 2 * weights["a"][0])
    weights["a"][0][0] = 3
    weights["a"][0] *= 2
    return y + np.sum(weights["a"][0] * x)


@lesson("numbers and lists", given, may_refuse=True)
def numbers_and_lists(x, keys):
    groups = {}
    for k, v in zip(keys, x):
        groups[k] = v
    groups["z"] = []
    groups["z"].append(x[0])
    return groups["a"] * groups["z"][0]


@pytest.mark.parametrize("case", lesson.cases)
def test_right_or_refused(case: Lesson) -> None:
    check_lesson(case)


def test_groups_are_handed_out():
    def squares(x, keys):
        groups = {}
        for k, v in zip(keys, x):
            groups.setdefault(k, []).append(v * v)
        return groups

    x, keys = given()
    groups, pullback = vjp(squares, x, keys)
    assert groups == squares(x, keys)
    (dx, _) = pullback({"a": [1.0, 2.0], "c": [3.0]})
    np.testing.assert_allclose(dx, 2 * x * np.array([1.0, 0.0, 2.0, 3.0]))


@pytest.mark.parametrize("line", ["groups[k] = groups.get(k, []) + [v]"])
def test_what_is_refused_says_where(line):
    names: dict[str, Any] = {"collections": collections}
    text = (
        f"def f(x, keys):\n    groups = collections.defaultdict(list)\n    for k, v in zip(keys, x):\n        {line}\n"
        "    return sum(sum(members) ** 2 for members in groups.values())\n"
    )
    name = f"<{line}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    exec(compile(text, name, "exec"), names)  # noqa: S102
    with pytest.raises(NotDifferentiable) as caught:
        grad(names["f"])(*given())
    assert caught.value.lineno == 4
