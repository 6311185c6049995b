"""What is divided by the same in two lines is divided once.

    dt = g / b[i]                    ->      dt = g / b[i]
    ...                                      ...
    db[i] -= g * x[i] / b[i]                 db[i] -= dt * x[i]

As long as nothing writes to what stands in the quotient; names and elements are told by their texts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Set
from typing import Any

import gast

from tangentish import ir
from tangentish.language.webs import map_blocks, map_statement

__all__ = ["divided_once"]


Sites = Callable[[str], Set[Hashable]]
Known = dict[tuple[str, str], Any]  # name and divisor -> the quotient's name and the quotient


def divided_once(block: ir.Block, sites: Sites) -> ir.Block:
    """The adjoint with the quotients that have names read under these; `sites`: the memory that a value may lie in."""
    known: Known = {}
    out: list[ir.Statement] = []
    for statement in block:
        if ir.blocks_of(statement):
            known = {}
            out.append(map_blocks(statement, lambda inner: divided_once(inner, sites)))
            continue
        new = _shortened(statement, known)
        out.append(new)
        known = {key: q for key, q in known.items() if not _may_change(new, q, sites)}
        match new:
            case ir.Assign(
                gast.Name(id=name),
                gast.BinOp(left=gast.Name(id=above), op=gast.Div(), right=below) as value,
            ) if "~" in name and name != above and _is_place(below):
                known[above, gast.dump(below)] = gast.Tuple([ir.name(name), value], gast.Load())
    return tuple(out)


def _may_change(statement: ir.Statement, quotient: Any, sites: Sites) -> bool:
    """Whether a line may change what a quotient is computed from, or the name that it has."""
    names = set(ir.names_in(quotient))
    match statement:
        case ir.Comment():
            return False
        case ir.Assign() | ir.Update():
            written = {*ir.defined_names(statement), *ir.stored_names(statement)}
        case ir.Restore(slot) if slot.undo is None and slot.sites is None:
            written = {slot.name}
        case _:
            return True
    memory = {site for n in written for site in sites(n)}
    return bool(written & names) or any(memory & sites(n) for n in names)


def _shortened(statement: ir.Statement, known: Known) -> ir.Statement:
    return (
        map_statement(statement, lambda e: _shorter(e, known), lambda b: b) if known else statement
    )


def _is_place(e: Any) -> bool:
    """A name, or an element that names say."""
    parts = (gast.Name, gast.Constant, gast.Tuple, gast.BinOp, gast.operator, gast.Load)
    inside = e.slice if isinstance(e, gast.Subscript) and isinstance(e.value, gast.Name) else e
    return all(isinstance(part, parts) for part in gast.walk(inside))


def _shorter(e: Any, known: Known) -> Any:
    """An expression with `dt * x` for `g * x / b`."""

    def change(node: Any) -> Any:
        match node:
            case gast.BinOp(left=gast.BinOp(op=gast.Mult()) as product, op=gast.Div(), right=below):
                first, others = _factors(product)
                quotient = known.get((getattr(first, "id", ""), gast.dump(below)))
                if quotient is not None:
                    whole = ir.name(quotient.elts[0].id)
                    for factor in others:
                        whole = gast.BinOp(whole, gast.Mult(), factor)
                    return whole
        return None

    return ir.copy_expression(e, change)


def _factors(e: Any) -> tuple[Any, list[Any]]:
    """The first factor of a product, and the others."""
    match e:
        case gast.BinOp(left=left, op=gast.Mult(), right=right):
            first, others = _factors(left)
            return first, [*others, right]
    return e, []
