"""Trips of loops, and calls of a function by itself, are followed until what they bind stays of one kind."""

from __future__ import annotations

import numpy as np
import pytest
from every_mode import Function, each_right, kept_in

from tangentish import NotDifferentiable, grad

FUNCTIONS: list[Function] = []
followed = kept_in(FUNCTIONS)
X, X_DOT = np.array([0.7, 1.3, 0.4]), np.array([1.0, -0.6, 0.5])


@followed
def delayed(x):
    """What varies comes to the last of these names on the fourteenth trip."""
    a = b = c = d = e = f = g = h = i = j = k = m = n = 0.0
    s = 0.0
    for t in range(15):
        s += n**2
        n = m
        m = k
        k = j
        j = i
        i = h
        h = g
        g = f
        f = e
        e = d
        d = c
        c = b
        b = a
        a = x[t % 3]
    return s


@followed
def delayed_in_one_line(x):
    a = b = c = d = e = f = g = h = i = j = k = m = n = 0.0
    s, t = 0.0, 0
    while t < 15:
        s += n**2
        a, b, c, d, e, f, g, h, i, j, k, m, n = x[t % 3], a, b, c, d, e, f, g, h, i, j, k, m
        t += 1
    return s


def latest(count, x):
    if count == 0:
        return (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, _ = latest(count - 1, x)
    return (x[count % 3], a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v)


@followed
def delayed_by_calls(x):
    """What varies comes to the last of what these calls give after twenty-two of them."""
    last = latest(25, x)
    return last[21] ** 2


test_right = each_right(FUNCTIONS, X, X_DOT)


class Node:
    def __init__(self, value, next=None):
        self.value, self.next = value, next


class Stack:
    def __init__(self):
        self.head = None

    def push(self, value):
        self.head = Node(value, self.head)

    def total(self):
        s, node = 0.0, self.head
        while node is not None:
            s += node.value
            node = node.next
        return s


def nodes(x):
    head = None
    for v in x:
        head = Node(v, head)
    s = 0.0
    while head is not None:
        s += head.value**2
        head = head.next
    return s


def pairs(x):
    head = None
    for v in x:
        head = (v, head)
    s = 0.0
    while head is not None:
        v, head = head
        s += v * v
    return s


def dicts(x):
    head = None
    for v in x:
        head = {"v": v, "next": head}
    s = 0.0
    while head is not None:
        s += head["v"] ** 2
        head = head["next"]
    return s


def nodes_in_an_object(x):
    stack = Stack()
    for v in x:
        stack.push(v)
    return stack.total()


@pytest.mark.parametrize("function", [nodes, pairs, dicts, nodes_in_an_object])
def test_what_holds_the_one_before_is_refused_at_its_line(function):
    with pytest.raises(NotDifferentiable) as error:
        grad(function)(X)
    assert error.value.lineno == function.__code__.co_firstlineno + 3
