"""Arrays of many axes: what stands in for them while kinds are found is small, whatever their lengths."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numeric import assert_close, numeric_gradient

from tangentish import grad
from tangentish.kinds import Num, Tup
from tangentish.kinds.lengths import Dim
from tangentish.kinds.probe import probe_kind
from tangentish.kinds.trials import Literal

DOUBLE = np.dtype(float)


def windows(x, k):
    n, c, h, w = x.shape
    cols = np.empty((n, c, k, k, h - k + 1, w - k + 1))
    for i in range(k):
        for j in range(k):
            cols[:, :, i, j] = x[:, :, i : i + h - k + 1, j : j + w - k + 1]
    return cols.transpose(0, 4, 5, 1, 2, 3).reshape(n * (h - k + 1) * (w - k + 1), -1)


def a_layer(w, x):
    n, c, height, width = x.shape
    out = (windows(x, 3) @ w.reshape(w.shape[0], -1).T).reshape(n, height - 2, width - 2, -1)
    pooled = out.transpose(0, 3, 1, 2).reshape(n, 4, 2, 2, 2, 2).max(axis=(3, 5))
    return np.sum(pooled**2)


def pooled(x):
    n, c, h, w = x.shape
    return np.sum(x.reshape(n, c, h // 2, 2, w // 2, 2).max(axis=(3, 5)) ** 2)


def a_corner(x):
    return np.sum(np.broadcast_to(x, (100_000, 100_000))[:2, :3] ** 2)


RNG = np.random.default_rng(0)
KERNELS, IMAGES = RNG.normal(size=(4, 2, 3, 3)), RNG.normal(size=(2, 2, 6, 6))


def generated(f: Callable[..., Any], *args: Any) -> int:
    """How many bytes there are at most at one time while the gradient is generated."""
    tracemalloc.start()
    try:
        grad(f).source(*args)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("f", "args"), [(a_layer, (KERNELS, IMAGES)), (pooled, (IMAGES,))])
def test_images_in_windows(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    assert generated(f, *args) < 100_000_000
    assert_close(grad(f)(*args), numeric_gradient(f, args, 0, 1.0), f.__name__)


def test_lengths_that_are_written_out() -> None:
    assert generated(a_corner, np.ones(100_000)) < 100_000_000


def dims(names: str) -> tuple[Dim, ...]:
    return tuple(map(Dim, names))


def array(names: str) -> Num:
    return Num(DOUBLE, dims(names), True)


def shape(function: Any, *args: Any, **keywords: Any) -> Any:
    found = probe_kind(function, args, keywords)
    assert isinstance(found, Num)
    return found.shape


def test_lengths_are_told_in_small_arrays_too() -> None:
    """The first four of them: what is longer, or a sum, is none of these."""
    assert shape(np.transpose, array("abcdef")) == (None, None, *dims("dcba"))
    assert shape(np.add, array("abcdef"), array("f"))[:4] == dims("abcd")
    assert shape(np.diff, array("abcded"), axis=Literal(1))[:3] == (
        Dim("a"),
        Dim("b", -1),
        Dim("c"),
    )
    joined = shape(np.concatenate, Tup((array("abcdef"), array("bbcdef"))))
    assert joined[:4] == (None, *dims("bcd"))
    assert shape(np.maximum, array("abcdef"), array("bbcdef")) == (None,) * 6
    assert shape(np.outer, array("abc"), array("def")) == (None, None)
    assert shape(np.stack, Tup((array("abcdef"),) * 2)) == (2, *dims("abcd"), None, None)
