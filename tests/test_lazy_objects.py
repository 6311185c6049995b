"""Objects that an attribute of a given object keeps once they are asked for: `m.dofs().e`, made at the first call."""

from __future__ import annotations

import numpy as np
import pytest
from numeric import assert_close

from tangentish import NotDifferentiable, grad

X = np.array([0.7, 1.3, 0.4])


class Dofs:
    def __init__(self, n):
        self.e = n * 2.0


class Mesh:
    def __init__(self, x):
        self.x = x

    def dofs(self):
        if not hasattr(self, "_dofs"):
            self._dofs = Dofs(self.x)
        return self._dofs


class MeshOrNone:
    def __init__(self, x):
        self.x = x
        self._dofs = None

    def dofs(self):
        if self._dofs is None:
            self._dofs = Dofs(self.x)
        return self._dofs


def in_one_line(m, x):
    return np.sum(m.dofs().e * x**2)


def under_a_name(m, x):
    dofs = m.dofs()
    return np.sum(dofs.e * x**2)


@pytest.mark.parametrize("cls", [Mesh, MeshOrNone])
def test_what_was_asked_for_before_is_read(cls):
    m = cls(np.arange(3.0))
    m.dofs()
    assert_close(grad(in_one_line, wrt="x")(m, X), 4.0 * np.arange(3.0) * X, "by x")
    gradient = grad(in_one_line, wrt="m")(m, X)
    assert_close(gradient._dofs.e, X**2, "by what is kept")
    assert_close(gradient.x, np.zeros(3), "by what it was made of")


@pytest.mark.parametrize("cls", [Mesh, MeshOrNone])
def test_what_is_made_at_this_call_has_a_name(cls):
    m = cls(np.arange(3.0))
    assert_close(grad(under_a_name, wrt="x")(m, X), 4.0 * np.arange(3.0) * X, "by x")
    with pytest.raises(NotDifferentiable, match="give what the call gives a name first"):
        grad(in_one_line, wrt="x")(cls(np.arange(3.0)), X)


def test_what_is_made_of_what_varies():
    gradient = grad(in_one_line, wrt="m")(Mesh(np.arange(3.0)), X)
    assert_close(gradient.x, 2.0 * X**2, "by m")
