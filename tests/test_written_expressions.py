"""Arrays without a derivative that are written to by expressions, and under names of which nothing is known."""

from __future__ import annotations

import contextlib
import operator
from typing import Any

import numpy as np
import pytest
from every_mode import Function, check_along, kept_in, named

from tangentish import NotDifferentiable, grad

G = np.array([1.0, 3.0, 2.0, 4.0])
X = np.array([0.7, 0.4, 0.9, 0.55])
V = np.array([0.3, -0.2, 0.5, 0.1])

PROGRAMS: list[Function] = []
program = kept_in(PROGRAMS)


def ident(q):
    return q


@program
def stored_to_an_element_of_a_display(x):
    w = np.array([1.0, 3.0, 2.0, 4.0])
    s = np.sum(x * w) ** 2
    for k in range(2):
        [w, 1][0][k] = 7.0
        s = s + np.sum(x * w) ** 2
    return s * np.sum(x * w)


@program
def updated_as_its_base(x):
    w = np.array([1.0, 3.0, 2.0, 4.0])
    s = np.sum(x * w) ** 2
    if x[0] > 0:
        q = w[:].base
        q += 1
    return s * np.sum(x * w)


@program
def filled_by_the_greatest(x):
    w = np.array([1.0, 3.0, 2.0, 4.0])
    s = np.sum(x * w) ** 2
    max([w], key=len).fill(5.0)
    return s * np.sum(x * w)


@program
def given_by_a_manager(x):
    y = np.array([1.0, 3.0, 2.0, 4.0])
    s = np.sum(x * y) ** 2
    with contextlib.nullcontext(y) as w:
        w[0] = 4.0
        w += 1.0
    return s * np.sum(x * y)


@program
def read_by_an_iterator(x):
    y, s = np.array([1.0, 3.0, 2.0, 4.0]), 0.0
    with np.nditer(y) as each:
        for v in each:
            s += float(v) * x[1]
    return s * np.sum(x * y)


@program
def filled_by_all_pairs(x):
    y = np.array([1.0, 3.0, 2.0, 4.0])
    s = np.sum(x * y) ** 2
    np.add.outer([1.0, 2.0], [1.0, 2.0], out=y.reshape(2, 2))
    return s * np.sum(x * y)


@pytest.mark.parametrize("function", PROGRAMS, ids=named)
def test_in_every_mode(function):
    check_along(function, X, V)


def fill_argument(w):
    ident(w).fill(5.0)


def entry_of_a_comprehension(w):
    q = {k: v for k, v in [(1, w)]}[1]
    q += 1


def base(w):
    q = w[:].base
    q[0] = 7.0


def first_of_those_made(w):
    [m for m in [w]][0][0] = 9.0


def held_by_a_dict(w):
    d = dict(zip("a", [w], strict=True))
    d["a"][0] = 9.0


def copied_to(w):
    np.copyto(ident(w), 4.0)


ARGUMENTS = [
    fill_argument,
    entry_of_a_comprehension,
    base,
    first_of_those_made,
    held_by_a_dict,
    copied_to,
]


@pytest.mark.parametrize("change", ARGUMENTS, ids=named)
def test_arguments_are_put_back(change: Any):
    w = np.array([1.0, 3.0, 2.0, 4.0])

    def f(x, w):
        s = np.sum(x * w)
        change(w)
        return s

    np.testing.assert_allclose(grad(f)(X, w), [1.0, 3.0, 2.0, 4.0])
    np.testing.assert_array_equal(w, [1.0, 3.0, 2.0, 4.0])


def filled_by_an_iterator(x):
    y = np.array([1.0, 3.0, 2.0, 4.0])
    s = np.sum(x * y) ** 2
    with np.nditer(y, op_flags=["readwrite"]) as each:
        for v in each:
            v[...] = 3.0
    return s * np.sum(x * y)


def test_an_iterator_that_writes_is_refused():
    with pytest.raises(NotDifferentiable, match="this changes an array or a list"):
        grad(filled_by_an_iterator)(X)


def global_reshaped(x):
    s = np.sum(x * G)
    G.reshape(-1)[0] = 7.0
    return s


def global_viewed(x):
    s = np.sum(x * G)
    G.view()[0] = 7.0
    return s


def global_given_by_a_call(x):
    s = np.sum(x * G)
    ident(G).fill(5.0)
    return s


def global_under_a_name(x):
    s = np.sum(x * G)
    q = operator.getitem(G, slice(None))
    q += 1
    return s


@pytest.mark.parametrize(
    "f", [global_reshaped, global_viewed, global_given_by_a_call, global_under_a_name], ids=named
)
def test_globals_are_refused(f):
    with pytest.raises(NotDifferentiable, match="a global array is written to"):
        grad(f)(X)
