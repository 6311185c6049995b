"""Calls that say in their own way what an expression says.

typing.cast(T, x)     ->  x
x.item(1, 2)          ->  float(x[1, 2])
issparse(x)           ->  False, of an array
checked(t, w, None)   ->  (checked(t[0], w), None)
"""

from __future__ import annotations

import typing
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.flat_arrays import FlatArrays
from tangentish.infer.starting_again import NameFirst
from tangentish.ir.quote import constant, quote
from tangentish.kinds import REFUSED, Kind, Num, Seq, Tup
from tangentish.runtime.own import checked

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
        if function is checked and len(args) > 1:
            return self.looked_at(args, node)
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

    # -- gradients that rules of the user's give

    def looked_at(self, args: list[Any], node: Any) -> Kind | None:
        """The gradients that a rule gives, `checked(t, w, x, None)`, one by one: `checked(t[0], w), ...`."""
        gradients, *wanted = args
        kind = self.kind(gradients)
        if not isinstance(kind, (Tup, Seq)):
            return None
        if isinstance(kind, Tup) and len(kind.items) != len(wanted):
            self.refuse(f"a rule gives {len(wanted)} gradients, one for each argument", node)
            return REFUSED
        counted = None if isinstance(kind, Tup) else len(wanted)  # else it must be as many
        if counted or not isinstance(gradients, (gast.Name, gast.Tuple, gast.List)):
            if not isinstance(self.statement, ir.Assign) or self.cached:
                return None
            raise NameFirst(self.statement, gradients, counted)

        def make() -> Any:
            parts = [
                constant(None) if self.is_nothing(x) else quote("checked({g}, {x})", g=part, x=x)
                for part, x in zip(self.parts_of_gradients(gradients, len(wanted)), wanted)
            ]
            return parts[0] if len(parts) == 1 else gast.Tuple(parts, gast.Load())

        return self.answered_by(node, make)

    def is_nothing(self, node: Any) -> bool:
        return isinstance(node, gast.Constant) and node.value is None

    def parts_of_gradients(self, gradients: Any, count: int) -> list[Any]:
        if not isinstance(gradients, gast.Name):
            return list(gradients.elts)
        return [gast.Subscript(gradients, constant(k), gast.Load()) for k in range(count)]
