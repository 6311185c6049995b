"""What flows back from several results of one function of elements."""

from __future__ import annotations

from collections.abc import Sequence

from tangentish.runtime.shapes import unbroadcast
from tangentish.runtime.types import Array


def from_each(gs: Sequence[Array | None], slopes: Sequence[Array], x: Array) -> Array:
    """The gradients of the results times their slopes, in the shape of `x`; None where no gradient comes in."""
    pairs = zip(gs, slopes, strict=True)
    return unbroadcast(sum(g * slope for g, slope in pairs if g is not None), x)
