"""A gradient of a list whose elements are equal, and are only taken out again, is the number that they are.

dterms = [dy / len(terms)] * len(terms)  ->      dterms = dy / len(terms)
for p in reversed(points):                       for p in reversed(points):
    g = dterms.pop()                                 g = dterms
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import gast

from tangentish import ir
from tangentish.language.webs import map_blocks

__all__ = ["as_one_number"]


def as_one_number(block: ir.Block, results: Iterable[Any]) -> ir.Block:
    """The adjoint with numbers in the place of lists that hold the same one everywhere."""
    begun, taken = Counter[str](), Counter[str]()
    for line in ir.walk_statements(block):
        match line:
            case ir.Assign(gast.Name(id=name), value) if _element(value) is not None:
                begun[name] += 1
            case _ if (emptied := _emptied(line)) is not None:
                taken[emptied] += 1
    if not begun:
        return block
    mentions = ir.mentions(block)
    mentions.update(n for e in results for n in ir.names_in(e))
    alike = {n for n in begun if mentions[n] == begun[n] + taken[n]}
    return _with_numbers(block, alike) if alike else block


def _with_numbers(block: ir.Block, alike: set[str]) -> ir.Block:
    kept: list[ir.Statement] = []
    for line in block:
        name = _emptied(line)
        match line:
            case ir.Assign(gast.Name(id=begun) as target, value, origin) if begun in alike:
                kept.append(ir.Assign(target, _element(value), origin))
            case ir.Assign(target, _, origin) if name in alike:
                kept.append(ir.Assign(target, ir.name(name), origin))
            case ir.Do() if name in alike:
                pass
            case _:
                kept.append(map_blocks(line, lambda b: _with_numbers(b, alike)))
    return tuple(kept)


def _element(value: Any) -> Any | None:
    """`e` of `[e] * len(xs)`."""
    match value:
        case gast.BinOp(
            left=gast.List(elts=[e]),
            op=gast.Mult(),
            right=gast.Call(func=gast.Name(id="$len")),
        ) if not isinstance(e, gast.Starred):
            return e
    return None


def _emptied(line: ir.Statement) -> str | None:
    """The name of the list that a line takes the last element from, to give it a name or not."""
    match line:
        case ir.Assign(gast.Name(), call) | ir.Do(gast.Expr(value=call)):
            match call:
                case gast.Call(
                    func=gast.Attribute(value=gast.Name(id=name), attr="pop"), args=[], keywords=[]
                ):
                    return str(name)
    return None
