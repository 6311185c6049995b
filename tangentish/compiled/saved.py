"""What a compiled forward pass saves for its pullback: an object that Python only hands on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types
from numba.experimental import structref

from tangentish.compiled.twins.registry import twin
from tangentish.compiled.twins.written import written

__all__ = ["Saved", "adjoint_of", "forward_of", "kept"]


@structref.register
class SavedType(types.StructRef):
    """The type of what is saved, tapes and all."""

    def preprocess_fields(self, fields: Any) -> Any:
        """Types of values, not of constants."""
        return tuple((name, types.unliteral(one)) for name, one in fields)


class Saved(structref.StructRefProxy):
    """What Python holds of it."""


structref.define_proxy(Saved, SavedType, ["values"])


def kept(value: Any) -> Any:
    """A copy that nobody else writes to."""
    if isinstance(value, tuple):
        return tuple(map(kept, value))
    if isinstance(value, list):
        return [kept(item) for item in value]
    return value.copy() if isinstance(value, np.ndarray) else value


@twin(kept)
def _kept(value: Any) -> Any:
    if isinstance(value, types.BaseTuple):
        parts = "".join(f"kept(value[{k}]), " for k in range(len(value)))
        return written("value", [f"return ({parts})"], kept=kept)
    if isinstance(value, types.List):
        return lambda value: [kept(item) for item in value]
    if isinstance(value, types.Array):
        return lambda value: value.copy()
    return lambda value: value


def forward_of(forward: Any, count: int) -> Any:
    """The forward pass with what it saves out of reach: a copy, since the arrays may be the user's."""
    names = ", ".join(f"a{k}" for k in range(count))
    lines = [f"value, values = forward({names})", "return value, Saved(kept(values))"]
    return njit(written(names, lines, forward=forward, Saved=Saved, kept=kept))


def adjoint_of(adjoint: Any, count: int) -> Any:
    """The adjoint, given a copy of what was saved: it may be called again."""
    heads = "".join(f", d{k}" for k in range(count))
    lines = [f"return adjoint(kept(saved.values){heads})"]
    return njit(written(f"saved{heads}", lines, adjoint=adjoint, kept=kept))
