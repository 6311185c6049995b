"""An iterator over an array or a list that has a name, and gives its first items one by one, as what it runs over.

it = iter(x)                   it = x
first = next(it)        ->     first = it[0]
for v in it: ...               for v in it[1:]: ...
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.ir.quote import quote
from tangentish.language.placed import all_at
from tangentish.language.webs import map_blocks, map_nodes

LATE = (
    gast.IfExp,
    gast.BoolOp,
    gast.Lambda,
    gast.ListComp,
    gast.GeneratorExp,
    gast.DictComp,
    gast.SetComp,
)
TAKING = {"sum", "list", "tuple", "max", "min"}


def with_items_taken(
    body: ir.Block, line: ir.Assign, is_undisturbed: Callable[[Sequence[ir.Statement]], bool]
) -> ir.Block | None:
    """The lines without the iterator that a line makes; None where it is not taken from line by line."""
    name = line.target.id
    guarded = any(isinstance(s, (ir.Try, ir.With)) for s in ir.walk_statements(body))
    if guarded or ir.statements.definitions(body)[name] != 1:
        return None
    around = next((b for b in (body, *ir.statements.blocks_within(body)) if line in b), ())
    place = around.index(line)
    later = around[place + 1 :]
    if ir.statements.mentions(body)[name] != 1 + ir.statements.mentions(later)[name]:
        return None
    new = _taken(name, later)
    last = max((k for k, s in enumerate(later) if name in ir.statements.mentions((s,))), default=-1)
    if new is None or not is_undisturbed(later[: last + 1]):
        return None
    first = ir.Assign(line.target, line.value.args[0], line.origin)
    changed = (*around[:place], first, *new)

    def block(lines: ir.Block) -> ir.Block:
        if lines is around:
            return changed
        return tuple(map_blocks(s, block) for s in lines)

    return block(body)


def _taken(name: str, lines: ir.Block) -> ir.Block | None:
    """Lines that take items of an iterator, by their places."""
    new: list[ir.Statement] = []
    taken, over = 0, False
    for line in lines:
        if not ir.statements.mentions((line,))[name]:
            new.append(line)
            continue
        found = None if over else _first_item(name, line, taken)
        if found is None:
            found, over = None if over else _others(name, line, taken), True
        else:
            taken += 1
        if found is None:
            return None
        new.append(found)
    return tuple(new)


def _first_item(name: str, line: ir.Statement, taken: int) -> ir.Statement | None:
    """`a = next(it)` as `a = it[0]`, on a line that takes one item, whatever comes."""
    if not isinstance(line, (ir.Assign, ir.Update, ir.Do, ir.Return)):
        return None
    nodes = ir.nodes_in(line)
    calls = [n for n in nodes if _is_next(n, name)]
    late = [part for n in nodes if isinstance(n, LATE) for part in ir.walk(n)]
    if len(calls) != 1 or calls[0] in late or ir.mentioned(line).count(name) != 1:
        return None
    made = all_at(quote("{it}[{k}]", it=ir.name(name), k=gast.Constant(taken, None)), calls[0])
    return map_nodes(line, {calls[0]: made}.get)


def _others(name: str, line: ir.Statement, taken: int) -> ir.Statement | None:
    """A line that takes all that is left."""
    if ir.statements.mentions((line,))[name] != 1:
        return None
    run_over = {line.iter} if isinstance(line, ir.For) else set()
    if isinstance(line, (ir.Assign, ir.Update, ir.Return)):
        for node in ir.nodes_in(line):
            match node:
                case gast.comprehension(iter=xs):
                    run_over.add(xs)
                case gast.Call(func=gast.Name(id=func), args=[xs, *_]) if func in TAKING:
                    run_over.add(xs)
    left = [node for node in run_over if ir.is_name(node, name)]
    if not left:
        return None
    k = gast.Constant(taken, None)
    rest = ir.name(name) if not taken else quote("{it}[{k}:]", it=ir.name(name), k=k)
    return map_nodes(line, {left[0]: all_at(rest, left[0])}.get)


def _is_next(node: Any, name: str) -> bool:
    match node:
        case gast.Call(func=gast.Name(id="next"), args=[gast.Name(id=it)], keywords=[]):
            return bool(it == name)
    return False
