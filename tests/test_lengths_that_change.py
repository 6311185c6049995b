"""Texts that grow, arrays of texts that are stored to, and arrays that get another shape where they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import check_refused, each_right, kept_in

FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)


@form
def text_that_grows(x):
    text = "ab"
    z = np.sum(x) * len(text)
    text += "c"
    return z**2 * len(text) * np.sum(x)


@form
def text_that_grows_in_a_loop(x):
    text, z = "", 1.0
    entries = {"a": x[0], "ab": x[1], "abb": x[2]}
    for letter in "abb":
        text += letter
        z = z * entries[text] * len(text)
    return z * len(text)


@form
def text_and_tuple_that_grow(x):
    text, places, z = "ab", (), np.sum(x)
    for k in range(2):
        text *= 2
        places += (k,)
        z = z * len(text) * len(places) * x[k]
    return z**2 * len(text)


@form
def array_of_texts(x):
    names = np.array(["ab", "c"])
    others = names
    z = np.sum(x) * len(names[0])
    others[0] = "q"
    return z**2 * len(names[0]) * np.sum(x)


@form
def texts_of_a_matrix(x):
    names = np.zeros((2, 1), dtype="U3")
    names[0] = "abc"
    z = np.sum(x) * len(names[0, 0])
    names[:] = "q"
    return z**2 * len(names[0, 0]) * np.sum(x)


test_every_mode = each_right(FUNCTIONS, np.array([0.7, 0.4, 0.9]), np.array([0.3, -1.0, 0.4]))


def resized_in_place(x):
    y = np.array([1.0, 2.0])
    z = np.sum(x) * y.size
    y.resize(3, refcheck=False)
    return z**2 * y.size * np.sum(x)


def test_another_shape_in_place_is_refused() -> None:
    check_refused(resized_in_place, "gives the array another shape where it is", np.ones(3))
