"""Branches that only choose what one name gets are conditional expressions; a test from a tape needs no name.

if test:                         ->      t = u[k] if k > 0 else 0.0
    # total += s - strike                # total += s - strike
    ds = dtotal                          ds = dtotal if test_tape.pop() else 0.0
else:
    ds = 0.0
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.algebra.expressions import size
from tangentish.language.webs import map_blocks, map_each

LARGEST = 16  # nodes of a conditional expression


def choose(block: ir.Block) -> ir.Block:
    """The block with conditional expressions for what generated names get."""
    out: list[ir.Statement] = []
    for statement in block:
        if statement.__class__ in ir.LINES:
            out.append(statement)
        elif isinstance(statement, ir.If):
            out += _chosen(statement)
        else:
            out.append(map_blocks(statement, choose))
    return tuple(out)


def _chosen(statement: ir.If) -> list[ir.Statement]:
    body, orelse = choose(statement.body), _otherwise(statement.orelse)
    test = _without_truth(statement.test)
    match _alone(body), _alone(orelse):
        case ir.Assign(gast.Name(id=name) as target, a), ir.Assign(gast.Name(id=other), b) if (
            name == other and _is_generated(name)
        ):
            value = gast.IfExp(test, a, b)
            said = [s for s in (*body, *orelse) if isinstance(s, ir.Comment)]
            if size(value) <= LARGEST and len({s.text for s in said}) <= 1:
                return [*said[:1], ir.Assign(target, value, statement.origin)]
    return [ir.If(test, body, orelse, statement.origin)]


def _without_truth(test: Any) -> Any:
    """What a branch asks, without the `bool()` by which its truth would have been kept: nobody reads that."""
    match test:
        case gast.Call(func=gast.Name(id="$bool"), args=[value]):
            return value
    return test


def _otherwise(block: ir.Block) -> ir.Block:
    """What stands under `else`: of an `elif` no conditional expression is made."""
    match block:
        case [ir.If(test, body, orelse, origin)]:
            return (ir.If(_without_truth(test), choose(body), _otherwise(orelse), origin),)
    return choose(block)


def _alone(block: ir.Block) -> ir.Statement | None:
    """The only line of a block."""
    lines = [s for s in block if not isinstance(s, ir.Comment)]
    return lines[0] if len(lines) == 1 else None


def _is_generated(name: str) -> bool:
    return "~" in name or "+" in name


def test_directly(block: ir.Block) -> ir.Block:
    """The adjoint with `if test_tape.pop()` where nothing else asks what was taken from the tape."""
    return _tested(block, {name for name, count in ir.mentions(block).items() if count == 2})


def _tested(block: ir.Block, once: set[str]) -> ir.Block:
    out: list[ir.Statement] = []
    for statement in map_each(block, lambda b: _tested(b, once)):
        match out[-1:], statement:
            case [ir.Assign(gast.Name(id=name), value)], ir.If(test, body, orelse, origin) if (
                name in once and ir.is_name(test, name) and _is_pop(value)
            ):
                out[-1] = ir.If(value, body, orelse, origin)
            case _:
                out.append(statement)
    return tuple(out)


def _is_pop(value: Any) -> bool:
    match value:
        case gast.Call(func=gast.Attribute(value=gast.Name(), attr="pop"), args=[]):
            return True
    return False
