"""Lists and dicts without a derivative that change after they were read: right, or refused, in every combination.

Each program reads a container, changes it, and returns what it computed before; `again` does both twice. The truth is
numeric.
"""

import collections
import copy
import itertools
import linecache
import math
from typing import Any

import numpy as np
import pytest
from every_mode import check_along

from tangentish import NotDifferentiable, grad, jvp, value_and_grad, vjp

HEAD = """
import collections, heapq, random
import numpy as np

class Box:
    pass

def change_list(xs):
    xs[0] = 3
    xs.pop()

def change_deeper(xs):
    change_list(xs)

def change_array(a):
    a[0] = 11.0

def change_dict(d):
    d["a"] = 0
    d["c"] = 3

def read_at(s, x, o, k):
    return s * x[o[k]] * (o[k] + 2) + 1

def scaled(s, x, o, k):
    return s * x[0] * (o[k] + 2)
"""

LISTS = {
    "display": "o = [0, 1, 2]",
    "range": "o = list(range(3))",
    "argument": "pass",
    "attribute": "b = Box(); b.o = [0, 1, 2]; o = b.o",
    "array": "o = np.array([0, 1, 2]).tolist()",
}
LIST_READS = {
    "run over": "for i in o: s = s * x[i] * (i + 2) + 1",
    "items": "for k in range(len(o)): s = s * x[o[k]] * (o[k] + 2) + 1",
    "as an array": "s = s * np.sum(np.array(o) * x[0]) * x[1]",
    "length": "s = s * x[0] ** len(o) + 1",
    "membership": "s = s * (x[0] * x[1] if 2 in o else x[2]) * x[1]",
    "part": "for i in o[1:]: s = s * x[i] + 1",
    "helper": "s = read_at(s, x, o, 0)",
}
LIST_CHANGES = [
    "o[0] = 3",
    "del o[0]",
    "del o[1:]",
    "o.pop()",
    "o.clear()",
    "o.append(3)",
    "o += [3]",
    "o *= 2",
    "o[1:] = []",
    "o.sort(reverse=True)",
    "change_list(o)",
    "change_deeper(o)",
    "p = o; del p[0]",
    "q = {'z': o}; q['z'].pop()",
    "f_ = lambda: o.pop(); f_()",
    "pop = o.pop; pop()",
    "random.Random(0).shuffle(o)",
    "heapq.heappop(o)",
    "e = Box(); e.q = o; e.q[0] = 3",
    "list.append(o, 3)",
]
DICTS = {
    "display": "o = {'a': 1, 'b': 2}",
    "argument": "pass",
    "nested": "c = {'o': {'a': 1, 'b': 2}}; o = c['o']",
    "counter": "o = collections.defaultdict(int); o['a'] = 1; o['b'] = 2",
}
DICT_READS = {
    "keys": "for k in o: s = s * x[o[k]] + 1",
    "items": "for k, v in o.items(): s = s * x[v] * v + 1",
    "entries": "s = s * x[o['a']] * x[o['b']] * o['b']",
    "length": "s = s * x[0] ** len(o) + 1",
    "membership": "s = s * (x[0] * x[1] if 'c' in o else x[2]) * x[1]",
    "helper": "s = read_at(s, x, o, 'a')",
    "number": "s = scaled(s, x, o, 'a')",
}
DICT_CHANGES = [
    "o['a'] = 0",
    "o['c'] = 3",
    "del o['a']",
    "o.pop('a')",
    "o.clear()",
    "o.update(a=3)",
    "o |= {'a': 3}",
    "o.setdefault('z', 3)",
    "o['a'] += 1",
    "change_dict(o)",
    "e = [o]; e[0]['a'] = 0",
    "for k_ in list(o): o[k_] = 0",
]
# Arrays without a derivative that a container holds: how it is made, and how they are found in it.
ARRAYS = {
    "display": ("o = {'a': np.arange(3.0)}", "o['a']"),
    "a known key": ("o = {}; o['a'] = np.arange(3.0)", "o['a']"),
    "a computed key": ("o = {}; o[len(x) % 2] = np.arange(3.0)", "o[len(x) % 2]"),
    "a default": ("o = collections.defaultdict(lambda: np.arange(3.0))", "o[len(x)]"),
    "a list": ("o = [np.arange(3.0)]", "o[0]"),
    "a list that grows": ("o = []; o.append(np.arange(3.0))", "o[-1]"),
    "a list in a dict": ("o = {}; o[len(x)] = [np.arange(3.0)]", "o[len(x)][0]"),
    "a dict in a dict": (
        "o = {}; o[len(x)] = {}; o[len(x)]['w'] = np.arange(3.0)",
        "o[len(x)]['w']",
    ),
    "a tuple in a dict": ("o = {}; o[len(x)] = (np.arange(3.0),)", "o[len(x)][0]"),
    "an attribute": ("o = Box(); o.w = np.arange(3.0)", "o.w"),
    "a row": ("o = {}; o[len(x)] = np.arange(6.0).reshape(2, 3)", "o[len(x)][1]"),
    "a name": ("p = {}; p[len(x)] = np.arange(3.0); o = p[len(x)]", "o"),
    "a text for a key": ("o = {}; o[str(len(x))] = np.arange(3.0)", "o['5']"),
    "rows by name": ("o = {k: [np.arange(3.0)] for k in 'ab'}", "o['a'][0]"),
}
ARRAY_READS = {
    "product": "s = s + np.sum(x[0] ** 2 * A)",
    "function": "s = s + np.sum(np.sin(x[1] * A))",
    "elements": "s = s * x[0] + x[1] ** 2 * A[2] * A[0]",
    "inner product": "s = s + np.dot(A, A) * x[2] ** 2",
}
ARRAY_CHANGES = [
    "A[0] = 5.0",
    "A *= 2",
    "A[1:] += 3.0",
    "A[:] = 0.0",
    "A.fill(2.0)",
    "A[::-1].sort()",
    "np.add(A, 1.0, out=A)",
    "np.copyto(A, 7.0)",
    "np.add.at(A, [0, 0], 1.0)",
    "b_ = A; b_[0] = 9.0",
    "A[0], A[1] = A[1], 7.0",
    "change_array(A)",
]
X = np.array([0.7, 1.3, -0.6, 0.4, 0.9])


def program(make: str, read: str, change: str, again: bool, given: bool) -> Any:
    lines = [read, change] if not again else ["for n in range(2):", *indented(read), *once(change)]
    body = "\n    ".join([make, "s = 1.0", *lines, "return s"])
    text = f"{HEAD}\ndef f(x{', o' * given}):\n    {body}\n"
    name = f"<containers {make} {read} {change} {again}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace: dict[str, Any] = {}
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]


def indented(line: str) -> list[str]:
    return [f"    {line}"]


def once(change: str) -> list[str]:
    return ["    if n == 0:", f"        {change}"]


def check(f: Any, given: tuple[Any, ...]) -> str:
    """'right' or 'refused'; an assertion fails for what is wrong."""

    def plain(x: Any) -> Any:
        return f(x, *copy.deepcopy(given))

    try:
        value = plain(X)
    except (IndexError, KeyError, AttributeError, TypeError):
        return "no program"
    steps = 1e-6 * np.eye(5)
    truth = np.array([(plain(X + e) - plain(X - e)) / 2e-6 for e in steps])
    found = "right"
    try:
        result, gradient = value_and_grad(f)(X.copy(), *copy.deepcopy(given))
        assert result == pytest.approx(value)
        np.testing.assert_allclose(gradient, truth, rtol=1e-5, atol=1e-6)
    except NotDifferentiable:
        found = "refused"
    try:
        _, moved = jvp(f, (X.copy(), *copy.deepcopy(given)), (np.ones(5), *[None] * len(given)))
        assert moved == pytest.approx(truth.sum(), rel=1e-5, abs=1e-6)
    except NotDifferentiable:
        found = "refused"
    return found


@pytest.mark.parametrize("again", [False, True], ids=["once", "again"])
@pytest.mark.parametrize("change", LIST_CHANGES)
def test_lists(change: str, again: bool) -> None:
    found = [
        check(
            program(make, read, change, again, given=kind == "argument"),
            ([0, 1, 2],) * (kind == "argument"),
        )
        for (kind, make), read in itertools.product(LISTS.items(), LIST_READS.values())
    ]
    assert "right" in found


@pytest.mark.parametrize("change", LIST_CHANGES)
def test_lists_that_a_loop_changes_before_and_between(change: str) -> None:
    """All changes before the first read, or reads before and between them."""
    kinds = (("display", False), ("argument", True))
    for (kind, given), read in itertools.product(kinds, LIST_READS.values()):
        make, loop = LISTS[kind], f"for n in range(2):\n        {change}"
        between = f"{make}\n    s = 1.0\n    {read}"
        for before in (make, between):
            check(program(before, loop, read, False, given), ([0, 1, 2],) * given)


@pytest.mark.parametrize("again", [False, True], ids=["once", "again"])
@pytest.mark.parametrize("change", DICT_CHANGES)
def test_dicts(change: str, again: bool) -> None:
    given = ({"a": 1, "b": 2},)
    found = [
        check(
            program(make, read, change, again, given=kind == "argument"),
            given * (kind == "argument"),
        )
        for (kind, make), read in itertools.product(DICTS.items(), DICT_READS.values())
    ]
    assert "right" in found


@pytest.mark.parametrize("again", [False, True], ids=["once", "again"])
@pytest.mark.parametrize("change", ARRAY_CHANGES)
def test_arrays_in_containers(change: str, again: bool) -> None:
    found = [
        check(program(make, read.replace("A", a), change.replace("A", a), again, given=False), ())
        for (make, a), read in itertools.product(ARRAYS.values(), ARRAY_READS.values())
    ]
    assert "right" in found


def test_the_refusal_stands_at_the_change() -> None:
    change = "random.Random(0).shuffle(o)"
    f = program(LISTS["range"], LIST_READS["items"], change, again=False, given=False)
    with pytest.raises(NotDifferentiable, match="the gradient reads what this changes") as error:
        value_and_grad(f)(X)
    assert error.value.text is not None
    assert error.value.text.strip() == change


@pytest.mark.parametrize("change", ["del o[0]", "o.pop(0)", "o[0] = 3", "o.append(3)"])
def test_a_list_of_the_function_itself_is_put_back(change: str) -> None:
    for read in LIST_READS.values():
        for again in (False, True):
            assert check(program("o = [0, 1, 2]", read, change, again, False), ()) == "right"


def groups(x, pairs):
    by_key = collections.defaultdict(list)
    for key, k in pairs:
        by_key[key].append((k, k % 2))
    loss = 0.0
    for key in range(3):
        places = [k for k, _ in by_key[key]]
        if not places:
            continue
        odd = np.array([b for _, b in by_key[key]])
        loss += np.sum(x[places] ** 2 * (odd + 1.0)) ** 2
    return loss


def neighbours(x, pairs):
    edges = {i: [] for i in range(3)}
    for k, (a, b) in enumerate(pairs):
        edges[a].append((b % 3, k))
    dist = [math.inf] * 3
    dist[0] = x[4]
    for u in range(3):
        for v, k in edges[u]:
            if dist[u] * x[k] < dist[v]:
                dist[v] = dist[u] * x[k]
    return sum(d for d in dist if d < 100.0) ** 2


def buckets_by_setdefault(x, pairs):
    found = {}
    if len(pairs) > 1:
        for key, k in pairs:
            found.setdefault(key, []).append(k)
    total = 1.0
    for key, places in found.items():
        total = total * sum(x[k] for k in places) + x[key]
    return total**2


def more_between(x, pairs):
    by_key = collections.defaultdict(list)
    total = 1.0
    for key, k in pairs:
        by_key[key].append(k)
        total = total * np.sum(x[by_key[key]]) + x[key]
    return total**2


def more_after(x, pairs):
    by_key = collections.defaultdict(list)
    for key, k in pairs:
        by_key[key].append(k)
    total = 1.0
    for key in range(3):
        total = total * np.sum(x[by_key[key]] ** 2) + x[key]
    for key, k in pairs:
        by_key[key].append(k)
    return total**2 * len(by_key[0])


@pytest.mark.parametrize("f", [groups, neighbours, buckets_by_setdefault])
@pytest.mark.parametrize("pairs", [[(0, 1), (0, 2), (2, 0), (1, 3)], [(0, 4)], []])
def test_what_loops_group_before_it_is_read(f: Any, pairs: Any) -> None:
    x_dot = np.array([0.3, -0.2, 0.5, 0.1, 0.7])
    check_along(lambda x: f(x, pairs), X, x_dot)


@pytest.mark.parametrize("f", [more_between, more_after])
def test_what_loops_group_while_it_is_read(f: Any) -> None:
    assert check(f, ([(0, 1), (0, 2), (2, 0), (1, 3)],)) == "right"


class Net:
    def __init__(self) -> None:
        self.w = np.array([1.0, 2.0, 3.0])
        self.k = 2.0
        self.places = [0, 1, 2]
        self.inner = Box(3.0)


class Box:
    __slots__ = ("value",)

    def __init__(self, value: float) -> None:
        self.value = value


def weighted(x, net):
    return np.sum(x**2 * net.w) * net.k * net.inner.value


def along(x, places):
    s = 1.0
    for i in places:
        s = s * x[i] + 1
    return s


def test_a_pullback_keeps_what_objects_held() -> None:
    x, net = X[:3].copy(), Net()
    _, pullback = vjp(weighted, x, net)
    before = pullback(1.0)[0]
    np.testing.assert_allclose(before, 2 * x * net.w * 6.0)
    net.w *= 5
    net.k, net.inner.value = 7.0, 11.0
    np.testing.assert_array_equal(pullback(1.0)[0], before)
    net.w = np.zeros(3)
    np.testing.assert_array_equal(pullback(1.0)[0], before)


def changed_under_a_name(x, net):
    z = np.sum(x) ** 2 * net.k * net.places[1]
    places = net.places
    places[1] = 7
    return z**2 * net.k * net.places[1] * np.sum(x)


def changed_in_a_display(x, net):
    z = np.sum(x) ** 2 * net.k * net.places[1]
    [net.k, net.places[1]] = 4.0, 5
    return z**2 * net.k * net.places[1] * np.sum(x)


@pytest.mark.parametrize("f", [changed_under_a_name, changed_in_a_display])
def test_a_pullback_puts_lists_of_objects_back_each_time(f: Any) -> None:
    """The list under its own name, and that of the object, are one list."""
    x = X[:3]
    truth = [(f(x + e, Net()) - f(x - e, Net())) / 2e-6 for e in 1e-6 * np.eye(3)]
    _, pullback = vjp(f, x, Net())
    for _ in range(3):
        np.testing.assert_allclose(pullback(1.0)[0], truth, rtol=1e-6)


def changed_after_a_helper_kept_it(x, net):
    y = weighted(x, net)
    net.places[0] = 2
    z = along(x, net.places)
    net.places.reverse()
    return y * z


def given_to_a_helper_and_changed(x):
    order, total = [0, 1, 2], 0.0
    for k in range(3):
        total = total + along(x, order)
        order.reverse()
        order[0] = k
    return total


def test_what_a_helper_keeps_for_its_adjoint() -> None:
    x = X[:3]
    steps = 1e-6 * np.eye(3)
    f = given_to_a_helper_and_changed
    truth = [(f(x + e) - f(x - e)) / 2e-6 for e in steps]
    np.testing.assert_allclose(grad(f)(x), truth, rtol=1e-6)
    np.testing.assert_allclose(vjp(f, x)[1](1.0)[0], truth, rtol=1e-6)
    h, net = changed_after_a_helper_kept_it, Net()
    truth = [(h(x + e, Net()) - h(x - e, Net())) / 2e-6 for e in steps]
    for _ in range(2):
        np.testing.assert_allclose(grad(h)(x, net), truth, rtol=1e-6)
        np.testing.assert_allclose(vjp(h, x, net)[1](1.0)[0], truth, rtol=1e-6)
