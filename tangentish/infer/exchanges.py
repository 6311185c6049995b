"""Lines by which two elements change places: xs[i], xs[j] = xs[j], xs[i].

t0, t1 = xs[j], xs[i]
xs[i] = t0
xs[j] = t1
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.ir.origins import origin_of


def lines_that_exchange(block: ir.Block) -> Iterator[ir.Statement]:
    """The stores of such lines, wherever they stand in a block."""
    for number in range(len(block) - 2):
        lines = block[number : number + 3]
        if exchanged_elements(lines) is not None:
            yield from lines[1:]
    for statement in block:
        for inner in ir.blocks_of(statement):
            yield from lines_that_exchange(inner)


def exchanged_elements(lines: Sequence[ir.Statement]) -> tuple[Any, Any, Any] | None:
    """The list and the two places, if this is what three lines do."""
    match lines:
        case [
            ir.Assign(gast.Tuple(elts=[gast.Name(id=a), gast.Name(id=b)]), gast.Tuple(), origin),
            ir.Assign(gast.Subscript(value=xs, slice=i), gast.Name(id=c)),
            ir.Assign(gast.Subscript(value=ys, slice=j), gast.Name(id=d)),
        ] if (a, b) == (c, d) and all(origin_of(line) is origin for line in lines):
            pass
        case _:
            return None
    if gast.dump(xs) != gast.dump(ys) or not _is_exchange(origin):
        return None
    return xs, i, j


def _is_exchange(origin: ir.Origin) -> bool:
    """Whether what stood at two places, or at one, stands there after the user's line as well, each once."""
    match origin.node:
        case gast.Assign(
            targets=[gast.Tuple(elts=[gast.Subscript() as one, gast.Subscript() as other])],
            value=gast.Tuple(elts=[first, second]),
        ):
            crossed = _is_alike(one, second) and _is_alike(other, first)
            return crossed and _is_steady(one) and _is_steady(other)
    return False


def _is_alike(one: Any, other: Any) -> bool:
    return str(gast.dump(one)).replace("Store()", "Load()") == str(gast.dump(other))


def _is_steady(place: Any) -> bool:
    """Whether what is stored at the other place can't make this another one: no index is read from memory."""
    match place:
        case gast.Name() | gast.Constant():
            return True
        case gast.Attribute(value=inner):
            return _is_steady(inner)
        case gast.Subscript(value=inner, slice=index):
            return _is_steady(inner) and _is_number(index)
    return False


def _is_number(index: Any) -> bool:
    match index:
        case gast.BinOp(left=left, right=right):
            return _is_number(left) and _is_number(right)
        case gast.UnaryOp(operand=operand):
            return _is_number(operand)
    return isinstance(index, (gast.Name, gast.Constant))
