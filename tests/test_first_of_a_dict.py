"""The first entry of a dict whose keys come out of a list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from every_mode import each_right, kept_in

FUNCTIONS: list[Callable[..., Any]] = []
form = kept_in(FUNCTIONS)


@form
def first_item(x):
    keys = ["p", "q"]
    entries = {key: x[k] for k, key in enumerate(keys)}
    key, value = next(iter(entries.items()))
    return value**2 * len(key)


@form
def first_list(x):
    keys = ["p", "q"]
    entries = {key: [x[k], x[k] ** 2] for k, key in enumerate(keys)}
    pair = next(iter(entries.values()))
    return pair[1] ** 2 * pair[0]


test_every_mode = each_right(FUNCTIONS, np.array([0.7, 0.4, 0.9]), np.array([0.3, -1.0, 0.4]))
