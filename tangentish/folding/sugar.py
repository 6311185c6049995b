"""Loops over indices that the user wrote over elements are shown as the user wrote them.

    for i in range(len(x)): v = x[i]; ...    ->    for v in x: ...
    for k in d: v = d[k]; ...                ->    for k, v in d.items(): ...

Only where the elements are still read at the head of the trip, and first.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.ir.quote import quote
from tangentish.language.webs import map_blocks


def over_elements(block: ir.Block) -> ir.Block:
    """The block with its loops over indices that were made (analysis/indexed_loops.py) taken back."""
    return _block(block, functools.cache(lambda: _left_behind(block)))


def _left_behind(block: ir.Block) -> set[str]:
    """The counters that are read outside of their loops: y = x[i] is a view that lasts."""
    left = ir.mentions(block)
    for statement in ir.walk_statements(block):
        match statement:
            case ir.For(gast.Name(id=counter)):
                left[counter] -= ir.mentions((statement,))[counter]
    return {name for name, times in left.items() if times > 0}


def _block(block: ir.Block, left_behind: Callable[[], set[str]]) -> ir.Block:
    return tuple([s if s.__class__ in ir.LINES else _statement(s, left_behind) for s in block])


def _statement(statement: ir.Statement, left_behind: Callable[[], set[str]]) -> ir.Statement:
    new = map_blocks(statement, lambda block: _block(block, left_behind))
    match new:
        case ir.For(gast.Name(id=counter), gast.Call(func=gast.Name(id="$range"), args=bounds)):
            return _taken_back(new, counter, bounds, left_behind) or new
        case ir.For(gast.Name(id=key), gast.Name(id=d)):
            return _over_entries(new, key, d) or new
    return new


def _over_entries(loop: ir.For, key: str, d: str) -> ir.For | None:
    heads = _heads(loop, key)
    if len(heads) != 1 or heads[0].value.value.id != d or any(ir.store_targets(heads[0].target)):
        return None
    rest, value = loop.body[1:], heads[0].target
    target: Any = gast.Tuple([loop.target, value], gast.Store())
    asked = ".+" not in key or ir.mentions(rest)[key]
    view = quote("{d}.items()" if asked else "{d}.values()", d=loop.iter)
    return ir.For(target if asked else value, view, rest, loop.stop, loop.origin)


def _taken_back(
    loop: ir.For, counter: str, bounds: Sequence[Any], left_behind: Callable[[], set[str]]
) -> ir.For | None:
    heads = _heads(loop, counter)
    sequences = [head.value.value for head in heads]
    measured = {n for bound in bounds for n in ir.names_in(bound) if ir.is_value(n)}
    if not heads or not measured <= {s.id for s in sequences} or _measures_part(bounds):
        return None
    target, iterator = _zipped([h.target for h in heads], sequences)
    rest = loop.body[len(heads) :]
    counted = (
        ".+" not in counter  # one of the user's own may be read afterwards
        or counter in ir.mentions(rest)
        or counter in left_behind()
    )
    if len(bounds) == 3:
        if counted or len(heads) > 1:
            return None
        iterator = gast.Call(ir.name("$reversed"), [iterator], [])
    elif counted:
        target = gast.Tuple([ir.name(counter), target], gast.Store())
        iterator = gast.Call(ir.name("$enumerate"), [iterator], [])
    return ir.For(target, iterator, rest, loop.stop, loop.origin)


def _measures_part(bounds: Sequence[Any]) -> bool:
    """Whether the loop is as long as a part or a view of a name, `len(x[:2])`, whose elements stand elsewhere."""
    parts = (gast.Subscript, gast.Attribute)
    return any(isinstance(node, parts) for bound in bounds for node in ir.walk(bound))


def _heads(loop: ir.For, counter: str) -> list[ir.Assign]:
    """The lines at the head of the body that read the elements of the trip."""
    heads: list[ir.Assign] = []
    for statement in loop.body:
        match statement:
            case ir.Assign(_, gast.Subscript(value=gast.Name(id=name), slice=gast.Name(id=index))):
                if index != counter or statement.origin is not loop.origin or not ir.is_value(name):
                    break
                heads.append(statement)
            case _:
                break
    return heads


def _zipped(targets: list[Any], sequences: list[Any]) -> tuple[Any, Any]:
    if len(targets) == 1:
        return targets[0], sequences[0]
    zipped = gast.Call(ir.name("$zip"), sequences, [])
    return gast.Tuple(targets, gast.Store()), zipped
