"""Functions of the module `operator` in tables: each is the operator that it stands for."""

from __future__ import annotations

import operator
import operator as op
from collections.abc import Callable
from dataclasses import dataclass
from operator import mul
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

from tangentish import grad

FUNCTIONS: list[Callable[..., Any]] = []
followed = kept_in(FUNCTIONS)

BINARY = {
    "+": operator.add,
    "-": operator.sub,
    "*": mul,
    "/": operator.truediv,
    "^": op.pow,
    "@": operator.matmul,
}
UNARY = {"neg": operator.neg, "abs": operator.abs, "sin": np.sin}
LESS = {"<": operator.lt, ">": operator.gt}


@dataclass
class Node:
    op: str
    a: float
    b: float


@followed
def in_postfix_notation(x):
    stack = []
    for token in "x 3 * x + x neg sin /".split():
        if token in BINARY:
            b = stack.pop()
            a = stack.pop()
            stack.append(BINARY[token](a, b))
        elif token in UNARY:
            stack.append(UNARY[token](stack.pop()))
        else:
            stack.append(x[0] if token == "x" else float(token))
    return stack[0]


@followed
def of_arrays(x):
    y = x
    for sign in "+*-/":
        y = BINARY[sign](y, x + 2.0)
    return UNARY["neg"](BINARY["@"](y, x))


@followed
def listed_here(x):
    y = x
    for combined in (operator.add, operator.mul, operator.sub):
        y = combined(y, x * x)
    return np.sum(y)


@followed
def asked(x):
    total = 0.0
    for sign in LESS:
        total += x[0] ** 2 if LESS[sign](x[1], 0.5) else x[0] ** 3 * x[1]
    return total


test_right = each_right(FUNCTIONS, np.array([0.7, -0.4, 0.9]), np.array([1.0, -2.0, 0.5]))


def of_a_tree(x, node):
    return BINARY[node.op](node.a * x, node.b) ** 2


def test_of_a_tree() -> None:
    gradient = grad(of_a_tree)
    assert gradient(2.0, Node("+", 3.0, 4.0)) == 60.0
    assert gradient(2.0, Node("*", 3.0, 4.0)) == 2 * 24.0 * 12.0
    assert "operator.add" in gradient.source(2.0, Node("+", 3.0, 4.0))
