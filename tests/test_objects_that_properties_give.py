"""Objects that properties give, which another object holds: read on the line, or refused under a name of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tangentish import NotDifferentiable, grad


class Beam:
    def __init__(self, length):
        self.length = length
        self.end: Any = None


class Analysis:
    def __init__(self, length):
        self._beam = Beam(length)
        self._beam.end = Beam(length)

    @property
    def beam(self):
        return self._beam


def at_once(m):
    return m.beam.length**2


def held(m):
    b = m._beam
    return b.length**2


def named(m):
    b = m.beam
    return b.length**2


def behind_it(m):
    b = m.beam.end
    return b.length**2


@pytest.mark.parametrize("function", [at_once, held])
def test_right(function) -> None:
    np.testing.assert_allclose(grad(function)(Analysis(2.0))._beam.length, 4.0)


@pytest.mark.parametrize("function", [named, behind_it])
def test_refused(function) -> None:
    with pytest.raises(NotDifferentiable, match="it is not known which object this is"):
        grad(function)(Analysis(2.0))
