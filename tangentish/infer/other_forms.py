"""Calls that say in their own way what an expression says.

typing.cast(T, x)     ->  x
x.item(1, 2)          ->  float(x[1, 2])
issparse(x)           ->  False, of an array
"""

from __future__ import annotations

import typing
from typing import Any

import gast
import numpy as np

from tangentish.infer.flat_arrays import FlatArrays
from tangentish.ir.quote import constant, quote
from tangentish.kinds import Kind, Num

__all__ = ["OtherForms"]

_ASKS_FOR_SPARSE = ("issparse", "isspmatrix")


class OtherForms(FlatArrays):
    """The part of the walk that writes such calls in the other way."""

    def in_another_form(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """The kind of what takes the place of a call; None for all other calls."""
        kinds = list(map(self.kind, args))
        if keywords or not any(kind.active for kind in kinds):
            return None
        if function is typing.cast and len(args) == 2:
            return self.answered_by(node, lambda: args[1])
        if function is np.ndarray.item and len(args) > 1:
            return self.item_at(args[0], kinds[0], args[1:], node)
        if getattr(function, "__name__", "") in _ASKS_FOR_SPARSE and isinstance(kinds[0], Num):
            return self.answered_by(node, lambda: constant(False))
        return None

    def item_at(self, x: Any, kind: Kind, indices: list[Any], node: Any) -> Kind | None:
        """`x.item(i)` counts in C order, `x.item(i, j)` names a place."""
        if not isinstance(kind, Num) or not kind.array or kind.is_complex:
            return None
        rank = kind.rank

        def make() -> Any:
            flat = len(indices) == 1 and rank != 1
            of = quote("{x}.reshape(-1)", x=x) if flat else x
            index = indices[0] if len(indices) == 1 else gast.Tuple(indices, gast.Load())
            return quote("float({item})", item=gast.Subscript(of, index, gast.Load()))

        return self.answered_by(node, make)
