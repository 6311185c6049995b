"""Objects that helpers give back beside others, and that those who called them hand on in tuples and dicts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_refused, each_right, kept_in, refused_in

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
X = np.array([0.7, 0.4, 0.9, 0.55])


class Leaf:
    def __init__(self, v, w=1.0):
        self.v, self.w = v, w

    def area(self):
        return self.v * self.w


class Square(Leaf):
    def area(self):
        return self.v + self.w**2


class Node:
    def __init__(self, left, right):
        self.left, self.right = left, right


def _both(node):
    return node.left, node.right


def _both_and_more(node):
    both = _both(node)
    return both, node.left.v


def _scaled(leaf, k):
    return leaf.v * k, (leaf, k)


def _scaled_left(node, k):
    y, saved = _scaled(node.left, k)
    return y + node.right.v, (node, saved)


def _made(x):
    return _both(Node(Leaf(x[0], x[1]), Square(x[2], x[3])))


def _made_and_more(x):
    both = _made(x)
    return both, x[0]


def _of_two(a, b):
    p, q = _both(a), _both(b)
    return p, q


def _chosen(node, other, c):
    pair = _both(node) if c > 0.5 else _both(other)
    return pair, c


def _exchanged(p, q):
    return q, p


def _one_of(a, b, first):
    return a if first else b


@kept_in(FUNCTIONS)
def what_is_saved_of_a_tree(x):
    node = Node(Leaf(x[0]), Leaf(x[1]))
    y, saved = _scaled_left(node, x[2])
    return y * saved[1][0].v * saved[0].right.v * saved[1][1]


@kept_in(FUNCTIONS)
def methods_of_what_is_handed_on(x):
    node = Node(Leaf(x[0], x[1]), Square(x[2], x[3]))
    (left, right), v = _both_and_more(node)
    return left.area() * right.area() * v


@kept_in(FUNCTIONS)
def in_a_tuple_of_the_caller(x):
    both = _both(Node(Leaf(x[0], x[1]), Square(x[2], x[3])))
    kept = (both, x[0])
    return kept[0][0].area() ** 2 * kept[0][1].area() * kept[1]


@kept_in(FUNCTIONS)
def made_by_a_helper_and_changed(x):
    both, y = _made_and_more(x)
    both[0].v = both[0].v * x[2]
    return both[0].area() * both[1].area() * y


@kept_in(FUNCTIONS)
def of_two_calls(x):
    node, other = Node(Leaf(x[0]), Leaf(x[1])), Node(Leaf(x[2]), Leaf(x[3]))
    (a, b), (c, d) = _of_two(node, other)
    return a.v * b.v**2 * c.v**3 * d.v


@kept_in(FUNCTIONS)
def of_one_call_or_another(x):
    node, other = Node(Leaf(x[0]), Leaf(x[1])), Node(Leaf(x[2]), Leaf(x[3]))
    (a, b), c = _chosen(node, other, x[0])
    return a.v * b.v**2 * c


@kept_in(FUNCTIONS)
def made_anew_on_each_trip(x):
    total = 0.0
    node = Node(Leaf(x[0], x[1]), Leaf(x[2], x[3]))
    for _ in range(3):
        (left, right), v = _both_and_more(node)
        node = Node(Leaf(left.v * 0.9, right.v), Leaf(right.w, left.w))
        total += left.area() * v
    return total * node.left.area()


@kept_in(FUNCTIONS)
def exchanged_on_each_trip(x):
    p, q = Leaf(x[0], x[1]), Leaf(x[2], x[3])
    for _ in range(3):
        p, q = _exchanged(p, q)
    kept = (p, q), 1.0
    return kept[0][0].area() ** 2 * kept[0][1].v


@kept_in(FUNCTIONS)
def attributes_under_names_in_a_dict(x):
    node = Node(Leaf(x[0], x[1]), Leaf(x[2], x[3]))
    left, right = node.left, node.right
    first, last = left, right
    kept = ({"first": first, "last": last}, x[0])
    return kept[0]["first"].area() * kept[0]["last"].area() ** 2


@kept_in(FUNCTIONS)
def two_made_on_one_line(x):
    leaf, square = Leaf(x[0], x[1]), Square(x[2], x[3])
    leaf.v = leaf.v * x[3]
    several = [_one_of(Leaf(x[1]), Leaf(x[2]), True), leaf]
    kept = (leaf, 1.0)
    return sum([one.area() for one in several]) * square.area() * kept[0].area()


@kept_in(FUNCTIONS)
def one_and_then_another(x):
    before, now = Leaf(x[0], x[1]), Leaf(x[1], x[2])
    for _ in range(4):
        new = Leaf(now.v + 0.1 * before.v, now.w * before.w)
        before, now = now, new
    return now.area() + before.v


@kept_in(FUNCTIONS)
def one_of_two(x):
    a, b = Leaf(x[0], x[1]), Leaf(x[2], x[3])
    total = 0.0
    for k in range(3):
        one = a if k % 2 else b
        total += one.area() * (k + 1) + _one_of(a, b, k == 1).area()
    return total


@kept_in(FUNCTIONS)
def one_of_two_trips_before(x):
    a, b = Leaf(x[0], x[1]), Leaf(x[2], x[3])
    now = before = a
    for k in range(3):
        before = now
        now = b if k == 1 else a
    return before.area() * now.v**2


test_right = each_right(FUNCTIONS, X, np.array([0.3, -0.2, 0.5, 0.1]))


REFUSED: list[tuple[Callable[..., Any], str]] = []


@refused_in(REFUSED)("has another name")
def one_of_two_is_changed(x):
    a, b = Leaf(x[0]), Leaf(x[1])
    for k in range(3):
        one = a if k % 2 else b
        one.v += x[0]
    return a.v * b.v


@refused_in(REFUSED)("has another name")
def changed_after_it_got_another_name(x):
    a, b = Leaf(x[0], x[1]), Leaf(x[2], x[3])
    one = a
    if x[0] > 0.5:
        one = b
    a.v = x[3] * 2
    return one.area() * a.v


test_refused = each_refused(REFUSED, X)


class Tree:
    def __init__(self, value=None, left=None, right=None, feature=None):
        self.value, self.left, self.right, self.feature = value, left, right, feature


def _soft(tree, x):
    if tree.value is not None:
        return tree.value
    p = x[tree.feature]
    return p * _soft(tree.left, x) + (1 - p) * _soft(tree.right, x)


_slope = grad(_soft, wrt="x")


def sum_of_slopes(x, tree):
    return np.sum(_slope(tree, x))


def test_second_order_over_a_tree() -> None:
    inner = Tree(left=Tree(1.0), right=Tree(2.0), feature=1)
    tree = Tree(left=inner, right=Tree(-1.0), feature=0)
    p, q = x = np.array([0.3, 1.5])
    gradient = grad(sum_of_slopes, wrt="tree")(x, tree)  # q a + (1 - q) b - c + p (a - b)
    assert np.isclose(gradient.left.left.value, q + p)
    assert np.isclose(gradient.left.right.value, 1 - q - p)
    assert np.isclose(gradient.right.value, -1.0)
