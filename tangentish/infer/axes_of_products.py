"""Products whose operands have their rows and columns along axes of their own.

np.matmul(x, w, axes=[(0, 1), (1, 0), (0, 1)])    ->  np.moveaxis(np.matmul(np.moveaxis(x, (0, 1), (-2, -1)), ...), ...)
np.vecdot(x, w, axes=[0, 0, ()])                  ->  np.vecdot(np.moveaxis(x, 0, -1), np.moveaxis(w, 0, -1))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.literals import literal_of
from tangentish.ir.quote import constant, quote

Axes = tuple[int, ...]

AXES_OF_PRODUCTS: Mapping[Any, tuple[int, int, int]] = {
    np.matmul: (2, 2, 2),
    np.vecdot: (1, 1, 0),
    **{
        getattr(np, name): n
        for name, n in (("matvec", (2, 1, 1)), ("vecmat", (1, 2, 1)))
        if hasattr(np, name)
    },
}
"""How many axes of the operands, and of the result, a product is about."""
_LAST: Mapping[int, Axes] = {2: (-2, -1), 1: (-1,), 0: ()}


def along_axes_of_their_own(
    function: Any, args: Sequence[Any], axes: Any, node: Any, rank: Callable[[Any], int | None]
) -> Any | None:
    """The product along last axes that such a call says; None where the axes are not written out."""
    if len(args) != 2 or not isinstance(axes, (gast.List, gast.Tuple)):
        return None
    found = [_axes(literal_of(one)) for one in axes.elts]
    about: Sequence[int] = AXES_OF_PRODUCTS[function]
    if function is np.matmul:  # a vector has one axis, and gives none to the result
        ranks = [rank(x) for x in args]
        if None in ranks:
            return None
        given = [1 if r == 1 else 2 for r in ranks]
        about = [*given, sum(given) - 2]
    if len(found) == 2 and about[2] == 0:
        found.append(())
    if [None if one is None else len(one) for one in found] != list(about):
        return None
    moved = [_moved(x, own, _LAST[len(own)]) for x, own in zip(args, found, strict=False) if own]
    product = gast.Call(ir.duplicate(node.func), moved, [])
    own = found[2] or ()
    return _moved(product, _LAST[len(own)], own)


def _axes(literal: object) -> Axes | None:
    """0, (0,) or (0, 1), as a tuple."""
    match literal:
        case int():
            return (literal,)
        case tuple() if all(isinstance(axis, int) for axis in literal):
            return literal
    return None


def _moved(x: Any, source: Axes, destination: Axes) -> Any:
    if source == destination:
        return x
    one = len(source) == 1
    return quote(
        "np.moveaxis({x}, {source}, {destination})",
        x=x,
        source=constant(source[0]) if one else _tuple(source),
        destination=constant(destination[0]) if one else _tuple(destination),
    )


def _tuple(axes: Axes) -> Any:
    return gast.Tuple([constant(axis) for axis in axes], gast.Load())
