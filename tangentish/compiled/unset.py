"""Variables that may have no value: Python raises where one is read, Numba reads zero.

They get a None that is none of the values, and every such read is checked:

    t = None
    for i in range(n):
        t = x[i]
    assigned(t, "t")
    return t * t

A gradient that begins in its shape is `full(0.0, t)`: Numba has no zeros like None. What a function captured is asked
in a branch, which Numba drops, or all that comes after it, where it knows the argument.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.reached import Analysis
from tangentish.ir.quote import constant, quote
from tangentish.language.webs import map_expressions, map_statement
from tangentish.recording.unset import checked, set_to_nothing
from tangentish.runtime.names import UNBOUND


def sure(block: ir.Block, analysis: Analysis) -> ir.Block:
    """The block with the user's variables set and checked wherever they may have no value."""
    block = _in_branches(_checked(block, analysis))
    nothing = {
        s.target.id
        for s in block
        if isinstance(s, ir.Assign) and isinstance(s.target, gast.Name) and ir.is_none(s.value)
    }
    nothing |= analysis.facts.entry_unset
    if not nothing:
        return block

    def zeros(node: Any) -> Any:
        match node:
            case gast.Call(
                func=gast.Attribute(value=gast.Name(id="$np"), attr="zeros_like"),
                args=[gast.Name(id=name)],
                keywords=[],
            ) if name in nothing:
                return gast.Call(ir.name("$full"), [constant(0.0), ir.name(name)], [])
        return None

    return map_expressions(block, lambda e: ir.copy_expression(e, zeros))


def _checked(block: ir.Block, analysis: Analysis) -> ir.Block:
    facts = analysis.facts
    expressions = (e for s in ir.walk_statements(block) for e in ir.expressions_of(s))
    nodes = [node for e in expressions for node in ir.walk(e)]
    unsure = {node.id for node in nodes if type(node) is gast.Name and node in facts.unsure}
    unsure -= {node.args[0].id for node in nodes if _is_check(node)}
    unsure -= facts.entry_unset
    if not unsure:
        return block
    nothing = tuple(set_to_nothing(name, facts) for name in sorted(unsure))
    return (*nothing, *checked(block, facts, unsure))


def _in_branches(block: ir.Block) -> ir.Block:
    return tuple(map(_in_branch, block))


def _in_branch(statement: ir.Statement) -> ir.Statement:
    match statement:
        case ir.Do(
            gast.Expr(value=gast.Call(func=gast.Name(id="$captured"), args=[value, name, *_])),
            origin,
        ):
            message = constant(UNBOUND.format(name.value))
            error = gast.Raise(quote("NameError({message})", message=message), None)
            return ir.If(quote("{x} is None", x=value), (ir.Do(error, origin),), (), origin)
    return map_statement(statement, lambda e: e, _in_branches)


def _is_check(node: Any) -> bool:
    match node:
        case gast.Call(func=gast.Name(id="$assigned")):
            return True
    return False
