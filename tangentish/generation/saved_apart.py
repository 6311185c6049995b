"""What callees save has memory of its own, in derivatives that are differentiated in turn.

z, square_saved = square_forward(y)     ->      z, t = square_forward(y)
y[0] *= 2                                       square_saved, = copy_shared(t)
                                                y[0] *= 2

What a callee saved may lie in an array that is written to later, and has its values again once the way back has put
these back. A function that is given both sees two arrays: its derivative would take them for such.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

import gast

from tangentish import ir
from tangentish.analysis.reached import Analysis
from tangentish.errors import Refusal, refuse
from tangentish.ir.origins import NOWHERE
from tangentish.ir.quote import quote
from tangentish.language.webs import map_each

_TOGETHER = (
    "what {name} goes back through was written to after a function had got it, which derivatives "
    "of this order don't follow: take one of them in forward mode, as jvp and hvp do"
)


def saved_apart(
    forward: ir.Block, written: Collection[str], fresh: Callable[[str], str]
) -> ir.Block:
    """The forward pass, in which copies are made of what callees save: of `written`, in memory that is written to."""

    def block(lines: ir.Block) -> ir.Block:
        return tuple(new for line in map_each(lines, block) for new in each(line))

    def each(line: ir.Statement) -> Iterator[ir.Statement]:
        match line:
            case ir.Assign(
                gast.Tuple(elts=[*results, gast.Name(id=name) as kept]), value, origin
            ) if name in written:
                given = ir.name(fresh(ir.base_name(name)))
                yield ir.Assign(gast.Tuple([*results, given], gast.Store()), value, origin)
                copies = gast.Tuple([kept], gast.Store())
                yield ir.Assign(copies, quote("copy_shared({x})", x=given), NOWHERE)
            case _:
                yield line

    return block(forward)


def check_apart(analysis: Analysis) -> None:
    """Refuse to go back through calls that copy what shares memory, write to one copy and read the other."""
    refusals = [
        Refusal(_TOGETHER.format(name=name), node)
        for node, name in analysis.facts.kept_together.items()
    ]
    if refusals:
        raise refuse(refusals, analysis.source.filename, analysis.source.lines)
