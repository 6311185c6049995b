"""A gradient of a list whose elements are equal, and are only taken out again, is the number that they are.

dterms = [dy / len(terms)] * len(terms)  ->      dterms = dy / len(terms)
for p in reversed(points):                       for p in reversed(points):
    g = dterms.pop()                                 g = dterms

So is the array that they are copies of, where nothing writes to it, nor to what is taken.

dys = [np.copy(dy) for k in range(len(ys))]
for k in range(2, -1, -1):               ->      for k in range(2, -1, -1):
    g = dys.pop()                                    g = dy
    dx += g * xs[k]                                  dx += g * xs[k]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.effects import has_no_effects
from tangentish.algebra.fresh import is_new
from tangentish.language.webs import map_blocks


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
    mentions = ir.mentions(block, results)
    alike = {n for n in begun if mentions[n] == begun[n] + taken[n]}
    alike = {n for n in alike if _are_only_read(block, n)}
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


def _are_only_read(block: ir.Block, name: str) -> bool:
    """Whether nothing writes to the array that the elements of a list are copies of, or to what is taken of it."""
    arrays, read = list[str | None](), set[str]()
    for line in ir.walk_statements(block):
        match line:
            case ir.Assign(gast.Name(id=bound), value) if bound == name:
                arrays.append(_copied(value))
            case ir.Assign(gast.Name(id=bound)) if _emptied(line) == name:
                read.add(bound)
    if arrays == [None] * len(arrays):
        return True
    array = arrays[0]
    if len(arrays) > 1 or array is None or not _is_made_once(block, array):
        return False
    return all(
        _only_reads(line, each)
        for line in ir.walk_statements(block)
        if _emptied(line) != name and name not in ir.defined_names(line)
        for each in (array, *read)
    )


def _is_made_once(block: ir.Block, array: str) -> bool:
    """Whether an array that is no other's is bound by one line."""
    lines = [s for s in ir.walk_statements(block) if array in ir.defined_names(s)]
    match lines:
        case [ir.Assign(gast.Name(), value)]:
            return is_new(value, _no_copy)
    return False


def _no_copy(_: Any) -> bool:
    """What a subscript gives counts as a view."""
    return False


def _only_reads(line: ir.Statement, array: str) -> bool:
    """Whether a line leaves an array as it is, and gives it no other name."""
    match line:
        case ir.Assign(gast.Name(id=bound)) if bound == array:
            return True
        case ir.Assign(target, value) | ir.Update(target, _, value):
            if array in ir.names_in(target):
                return False
            stored = not (isinstance(target, gast.Name) and isinstance(line, ir.Assign))
            made = stored or is_new(value, _no_copy)
            return array not in ir.names_in(value) or (made and has_no_effects(value))
    return array not in {n for e in ir.expressions_of(line) for n in ir.names_in(e)}


def _copied(value: Any) -> str | None:
    """`e` of `[np.copy(e) for k in range(len(xs))]`."""
    match value:
        case gast.ListComp(
            elt=gast.Call(
                func=gast.Attribute(value=gast.Name(id="$np"), attr="copy"),
                args=[gast.Name(id=array)],
                keywords=[],
            ),
            generators=[gast.comprehension(iter=gast.Call(args=[gast.Call(func=length)]), ifs=[])],
        ) if isinstance(length, gast.Name) and length.id == "$len":
            return str(array)
    return None


def _element(value: Any) -> Any | None:
    """`e` of `[e] * len(xs)`, or of copies of e."""
    copied = _copied(value)
    if copied is not None:
        return ir.name(copied)
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
