"""A place in a place of a gradient has one index: `dx[i][0] += g` is `dx[i, 0] += g`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast

from tangentish import ir
from tangentish.language.webs import map_expressions

IsInteger = Callable[[Any], bool]


def with_one_index(
    block: ir.Block, is_array: Callable[[str], bool], is_integer: IsInteger
) -> ir.Block:
    """The adjoint with places told at once.

    is_array: whether a gradient is that of an array for sure, and no list. is_integer: whether an index is an integer
    for sure.
    """
    places = ir.nodes_within(block, gast.Subscript)
    if not any(isinstance(place.value, gast.Subscript) for place in places):
        return block
    return map_expressions(block, _Joined(is_array, is_integer).expression)


@dataclass(frozen=True)
class _Joined:
    """Methods, and no function that knows itself: such a cycle would keep all that is known of the function."""

    is_array: Callable[[str], bool]
    is_integer: IsInteger

    def expression(self, e: Any) -> Any:
        return ir.copy_expression(e, self.place)

    def place(self, node: Any) -> Any | None:
        match node:
            case gast.Subscript(value=gast.Subscript() as value, slice=index, ctx=ctx):
                root = ir.root_of(value)
                if isinstance(root, gast.Name) and "~" in root.id and self.is_array(root.id):
                    outer, inner = self.expression(value), self.expression(index)
                    return element(outer, inner, self.is_integer, ctx)
        return None


def element(place: Any, index: Any, is_integer: IsInteger, ctx: Any) -> Any:
    """`d[k][0]` as `d[k, 0]`, where that is the same."""
    outer, inner = ir.parts_of(place.slice), ir.parts_of(index)
    plain = all(isinstance(p, gast.Slice) or is_integer(p) for p in inner)
    if plain and all(map(is_integer, outer)):
        return gast.Subscript(place.value, gast.Tuple([*outer, *inner], gast.Load()), ctx)
    return gast.Subscript(place, index, ctx)
