"""Changes that may write to an array of which nothing is known, since a list, a dict or an object holds it.

    t = d[k]             ->      t = np.copy(d[k])
    s += x * t                   s += x * t
    d[k] *= 2                    d[k] *= 2

What the adjoint computes with is copied where the forward pass names it. So is a variable that is only computed with,
and only before the next change; what another variable holds is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.infer import Facts
from tangentish.infer.known_functions import is_view_maker
from tangentish.ir.quote import quote
from tangentish.kinds import (
    UNKNOWN,
    Known,
    Num,
    Opaque,
    Seq,
    Tup,
    buffers_of,
    is_number,
    is_unknown,
)
from tangentish.language.changing_names import OF_CONTAINERS
from tangentish.language.webs import map_blocks

_OF_THEIR_OWN = (next, setattr, delattr)  # change an iterator, or an object
_DISPLAYS = (gast.Dict, gast.DictComp, gast.List, gast.ListComp, gast.Set, gast.SetComp)


def changes_inside(function: ir.Function, facts: Facts) -> Sequence[Any]:
    """The changes that may be of an array, and not only of what holds it."""
    if not facts.changes:
        return ()
    statements = list(ir.walk_statements(function.body))
    updated = {id(s.target) for s in statements if isinstance(s, ir.Update)}
    return [node for node in facts.changes if _may_be_of_array(node, updated, statements, facts)]


def written_after_it_was_lent(function: ir.Function, facts: Facts) -> list[Any]:
    """The stores to arrays without a derivative that a function of which nothing is known was given."""
    if not facts.let_out:
        return []
    return [
        s.target
        for s in ir.walk_statements(function.body)
        if isinstance(s, (ir.Assign, ir.Update))
        and any(
            facts.sites(n) & facts.let_out
            for n in facts.writes.get(s, ())
            if n in ir.names_in(s.target)
        )
    ]


def is_lost(name: str, facts: Facts) -> bool:
    """Whether a value may lie in memory of which nothing is known."""
    kind = facts.web_kinds.get(name, UNKNOWN)
    number = isinstance(kind, Num) and kind.array is not False and not kind.active
    return is_unknown(kind) or (number and not buffers_of(kind))


def may_lie_anywhere(name: str, value: Any, facts: Facts) -> bool:
    """Whether what is computed here may lie in memory that was lent, or that something else holds."""
    around = [n for n in ir.names_in(value) if ir.is_value(n)]
    callee = facts.callees.get(value)
    if callee is not None and is_view_maker(callee.function):
        return any(is_lost(n, facts) for n in around)
    lent = any(facts.sites(n) & facts.let_out for n in around)
    holding = any(not isinstance(facts.web_kinds.get(n, UNKNOWN), Num) for n in around)
    return is_lost(name, facts) and (lent or holding)


def _may_be_of_array(
    node: Any, updated: set[int], statements: Sequence[ir.Statement], facts: Facts
) -> bool:
    if facts.function_of(node) in _OF_THEIR_OWN:
        return False
    match node:
        case gast.Subscript() | gast.Attribute() if id(node) in updated:
            kind = facts.kind(node)
            return not is_number(kind)
        case gast.Subscript(value=base):
            return not _is_container(base, statements, facts)
        case gast.Attribute():
            return False
        case gast.Name():
            return not isinstance(facts.kind(node), (Seq, Tup))
        case gast.Call(func=gast.Attribute(value=receiver, attr=method)):
            owner = ir.owner_of(receiver)
            own = not isinstance(owner, gast.Name) or ir.is_value(owner.id)  # not np.add
            return not (own and method in OF_CONTAINERS) and (own or _gets_arrays(node, facts))
        case gast.Call(func=gast.Name(id=function)) if not ir.is_value(function):
            return _gets_arrays(node, facts)
    return True


def _gets_arrays(call: Any, facts: Facts) -> bool:
    """Whether a function outside is given anything but numbers."""
    given = ir.given_to(call)
    kinds = map(facts.kind, given)
    return not all(isinstance(k, Known) or is_number(k) for k in kinds)


def _is_container(node: Any, statements: Sequence[ir.Statement], facts: Facts) -> bool:
    """Whether this is a list, a dict or an object for sure, so that a store puts something else there."""
    kind = facts.kind(node)
    if isinstance(kind, (Seq, Tup)) or (isinstance(kind, Opaque) and kind.type is not None):
        return True
    if not isinstance(node, gast.Name):
        return False
    binding = [s for s in statements if node.id in ir.defined_names(s)]
    made = [s for s in binding if isinstance(s, ir.Assign) and isinstance(s.value, _DISPLAYS)]
    return bool(made) and len(made) == len(binding)


def may_be_copy(name: str, changes: Sequence[Any], function: ir.Function) -> bool:
    """Whether a copy may take the place of a variable: it is only computed with, and before the next change."""
    if not _is_only_computed_with(name, function):
        return False
    block, place = _bound_at(name, function.body)
    reads = [k for k, s in enumerate(block) if _mentioned(name, (s,))]
    if reads[0] < place or _mentioned(name, block) < _mentioned(name, function.body):
        return False
    later = block[place + 1 : reads[-1] + 1]
    between = {id(n) for s in later for e in _all(s) for n in ir.walk(e)}
    return not any(id(change) in between for change in changes)


def _bound_at(name: str, block: ir.Block) -> tuple[ir.Block, int]:
    """The block in which a variable is bound, and where."""
    for place, statement in enumerate(block):
        for inner in ir.blocks_of(statement):
            if any(name in ir.defined_names(s) for s in ir.walk_statements(inner)):
                return _bound_at(name, inner)
        if name in ir.defined_names(statement):
            return block, place
    raise ValueError(f"{name} is not bound")


def _mentioned(name: str, block: ir.Block) -> int:
    return sum(name in ir.names_in(e) for s in block for e in _all(s))


def _is_only_computed_with(name: str, function: ir.Function) -> bool:
    """Whether a variable is bound on one line, and all its reads are operands."""
    statements = list(ir.walk_statements(function.body))
    lines = [s for s in statements if name in ir.defined_names(s)]
    if len(lines) != 1 or not isinstance(lines[0], ir.Assign):
        return False
    if not isinstance(lines[0].target, gast.Name):
        return False
    reads = [e for s in statements for e in ir.expressions_of(s) if e is not lines[0].target]
    updating = {id(s.value) for s in statements if isinstance(s, ir.Update)}
    parts = [n for e in reads for n in ir.walk(e)]
    operands = {id(o) for n in parts for o in operands_of(n)} | updating
    return all(id(n) in operands for n in parts if isinstance(n, gast.Name) and n.id == name)


def operands_of(node: Any) -> tuple[Any, ...]:
    match node:
        case gast.BinOp(left=left, right=right):
            return left, right
        case gast.UnaryOp(op=gast.USub(), operand=operand):
            return (operand,)
    return ()


def _all(statement: ir.Statement) -> list[Any]:
    return [e for s in ir.walk_statements((statement,)) for e in ir.expressions_of(s)]


def with_own_copies(block: ir.Block, names: frozenset[str]) -> ir.Block:
    """The forward pass with copies of what it keeps under these names."""
    if not names:
        return block

    def change(statement: ir.Statement) -> ir.Statement:
        match statement:
            case ir.Assign(gast.Name(id=name), value, origin) if name in names:
                return ir.Assign(statement.target, quote("np.copy({x})", x=value), origin)
        return map_blocks(statement, lambda b: with_own_copies(b, names))

    return tuple(map(change, block))
