"""What a loop over a slice of a list runs over: the slice of another list of the same length, or some of its indices.

for p in ps[1:]: p.x += dt    ->    for i in range(1, len(ps_x)): ps_x[i] += dt
for p in ps[:k]: p.x += dt    ->    for i in range(len(ps_x))[:k]: ps_x[i] += dt
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.ir.quote import quote
from tangentish.language.placed import all_at
from tangentish.language.written_out import written_out

_SIMPLE = (gast.Slice, gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp)


def is_plain_slice(part: Any) -> bool:
    """Whether this is a slice whose bounds are numbers and names, and sums of them."""
    return isinstance(part, gast.Slice) and all(isinstance(n, _SIMPLE) for n in ir.walk(part))


def sliced(whole: Any, part: Any) -> Any:
    """A list, or `range(n)` of all its indices, without what a slice leaves out."""
    match whole:
        case gast.Call(func=gast.Name(), args=[count]) if _leaves_out_ends(part):
            first, last = left_out(part.lower), left_out(part.upper, from_end=True)
            stop = quote("{n} - {k}", n=count, k=gast.Constant(last, None)) if last else count
            bounds = [gast.Constant(first, None), stop] if first else [stop]
            return all_at(gast.Call(whole.func, bounds, []), whole)
    return all_at(gast.Subscript(whole, written_out(part), gast.Load()), whole)


def _leaves_out_ends(part: Any) -> bool:
    """`[k:]`, `[:-n]` and `[k:-n]`: what is left out at the ends does not depend on the length."""
    ends = left_out(part.lower), left_out(part.upper, from_end=True)
    return part.step is None and None not in ends


def left_out(bound: Any, from_end: bool = False) -> int | None:
    """How many elements are left out at an end; None where that shows when the program runs."""
    match bound:
        case None:
            return 0
        case gast.Constant(value=int(k)) if type(k) is int and not from_end:
            return k
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int(k))) if (
            type(k) is int and k > 0 and from_end
        ):
            return k
    return None
