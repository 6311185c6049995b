"""What a compiled forward pass saves for its pullback: an object that Python only hands on."""

from __future__ import annotations

from typing import Any

from numba import njit, types
from numba.experimental import structref

from tangentish.compiled.twins.written import written
from tangentish.runtime import kept


@structref.register
class SavedType(types.StructRef):
    """The type of what is saved, tapes and all."""

    def preprocess_fields(self, fields: Any) -> Any:
        """Types of values, not of constants."""
        return tuple((name, types.unliteral(one)) for name, one in fields)


class Saved(structref.StructRefProxy):
    """What Python holds of it."""


structref.define_proxy(Saved, SavedType, ["values"])


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
