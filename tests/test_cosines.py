"""Cosine and sine transforms: along axes that are not written, and where only scipy.fft is imported."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import scipy.fft
import scipy.fftpack
from every_mode import check_along

from tangentish import grad
from tangentish.rules import on_demand

X, DIRECTION = np.array([1.0, 0.53, 2.21, -0.71]), np.array([0.3, -1.0, 0.4, 2.0])
ROWS = np.sin(np.arange(12.0)).reshape(3, 4)
NAMES = ("dct", "idct", "dst", "idst")


def transposed(transform: Any, shape: tuple[int, ...], g: Any) -> Any:
    """What the transposed matrix of a transform makes of g."""
    columns = [transform(e.reshape(shape)).ravel() for e in np.eye(int(np.prod(shape)))]
    return (np.array(columns) @ g.ravel()).reshape(shape)


LENGTHS = [(None, None), (None, 1), (None, (0, -1)), ((3,), None), ((2, 5), None), ((4, 2), (1, 0)), (5, 0)]  # fmt: skip


@pytest.mark.parametrize(("s", "axes"), LENGTHS)
@pytest.mark.parametrize("name", NAMES)
def test_lengths_that_are_not_written(name: str, s: Any, axes: Any) -> None:
    """They come as arguments, of which the text knows nothing: None stands for the axes that there are, or are given."""
    ours, older = getattr(scipy.fft, f"{name}n"), getattr(scipy.fftpack, f"{name}n")

    def f(x, s, axes):
        return np.sum(ours(x, s=s, axes=axes) ** 3)

    def g(x, s, axes):
        return np.sum(older(x, 3, shape=s, axes=axes) ** 3)

    # the older ones ask for axes, too, where there are lengths for some
    both = ((f, 2, ours), (g, 3, older))
    for function, kind, primal in both[: 1 if s == (3,) and axes is None else 2]:

        def plain(x, primal=primal, kind=kind):
            return primal(x, kind, s, axes)

        expected = transposed(plain, ROWS.shape, 3 * plain(ROWS) ** 2)
        np.testing.assert_allclose(grad(function)(ROWS, s, axes), expected, rtol=1e-9, atol=1e-12)


def denoised(x):
    c = scipy.fft.dct(x, norm="ortho")
    return np.sum(scipy.fft.idct(c**2 * np.exp(-np.arange(len(x))), norm="ortho") ** 2)


def of_images(x):
    c = scipy.fft.dctn(np.outer(x, np.sin(x)), 3, (3, 5))
    turned = scipy.fft.dst(c, 1, 2, 0, "forward")
    return np.sum(scipy.fft.idstn(c**2, axes=0)) * np.sum(turned**2)


@pytest.mark.parametrize("f", [denoised, of_images])
def test_in_every_mode(f: Any) -> None:
    check_along(f, X, DIRECTION)


ROWS_BY_TABLE = """
import importlib
from tangentish import rules
from tangentish.rules import on_demand
before = set()
for module, table in on_demand._TABLES.items():
    importlib.import_module(module)
    importlib.import_module(f"tangentish.rules.{table}")
    names = {rule.primal.partition("(")[0] for rows in rules.RULES.values() for rule in rows}
    of_scipy = [name for name in names - before if name.startswith("scipy.")]
    before |= names
    print([name for name in of_scipy if not name.startswith(module + ".")], module)
"""


def test_each_table_is_of_its_module() -> None:
    """A table is read when its module is met: rows of another module would wait for it in vain."""
    command = [sys.executable, "-c", ROWS_BY_TABLE]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert found.splitlines() == [f"[] {module}" for module in on_demand._TABLES]
