"""f(x, **{"vol": getattr(self, "vol")}): what stands under a key may be an attribute by its name."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from tangentish import NotDifferentiable, grad


def formula(x, vol, r=1.0):
    return x * vol - r * vol


@dataclasses.dataclass
class Model:
    vol: float
    r: float = 1.0

    def by_names(self, x):
        return formula(x, **{name: getattr(self, name) for name in ("vol", "r")})

    def written_down(self, x):
        return formula(x, **dict(vol=getattr(self, "vol"), r=getattr(self, "r")))

    def by_fields(self, x):
        return formula(x, **{k.name: getattr(self, k.name) for k in dataclasses.fields(self)})


@pytest.mark.parametrize("method", [Model.by_names, Model.written_down])
def test_right(method) -> None:
    found = grad(method)(Model(2.0, 0.5), 3.0)
    np.testing.assert_allclose((found.vol, found.r), (2.5, -2.0))


def test_fields_are_refused() -> None:
    with pytest.raises(NotDifferentiable, match="no derivative rule for dataclasses.fields"):
        grad(Model.by_fields)(Model(2.0, 0.5), 3.0)
