"""Names that become views of what they were, on some trips or some ways: what is written to then is the first array, too."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from every_mode import check_along

from tangentish import NotDifferentiable

TEMPLATE = """
import numpy as np

def f(x):
    a = np.sin(x)
    c = a * 1.0
    {first}
{become}
    {write}
    return np.sum(a * a) + np.sum(c * c) + np.sum(c)
"""
FIRST = ("c = a * np.sum(a)", "c = np.exp(a)", "pass")
BECOME = (
    "    for k in range(1):\n        a = a[1:]",
    "    for k in range(2):\n        c = c + a[:1] * np.sum(a)\n        a = a[1:]",
    "    for k in range(2):\n        c = c * a[0] + np.sum(a * a)\n        a = a[::-1]",
    "    if x[0] > 0:\n        a = a[1:]",
    "    if x[0] > 0:\n        c = c * a\n        a = a.reshape(-1)",
    "    while len(a) > 3:\n        c = c + np.sum(a * a)\n        a = a[:-1]",
    "    a = a[1:]",
)
WRITE = ("a[...] = a ** 3", "a *= 2 * a", "a[0] = a[1] * a[0]", "a[:] = np.cos(a)", "a.sort()", "np.sin(a, out=a)", "a.fill(3.0)")  # fmt: skip


def made(first: str, become: str, write: str) -> Callable[[Any], Any]:
    source = TEMPLATE.format(first=first, become=become, write=write)
    name = f"<views of themselves {abs(hash(source))}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    space: dict[str, Any] = {}
    exec(compile(source, name, "exec"), space)
    function: Callable[[Any], Any] = space["f"]
    return function


@pytest.mark.parametrize("become", BECOME)
@pytest.mark.parametrize("write", WRITE)
def test_every_mode(become: str, write: str) -> None:
    for first in FIRST:
        f = made(first, become, write)
        x = np.array([0.5, 1.3, -0.8, 2.1, 0.2])
        try:
            check_along(f, x, np.array([0.3, -1.0, 0.4, 2.0, 0.7]))
        except NotDifferentiable:
            continue
