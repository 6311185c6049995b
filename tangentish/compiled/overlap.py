"""Updates of an array by a view of itself.

NumPy reads all of the right side before it writes; Numba goes element by element:

    x[1:] += x[:-1]        ->        x[1:] += x[:-1].copy()
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.infer import Facts
from tangentish.ir.quote import quote
from tangentish.kinds import buffers_of, is_number
from tangentish.language.webs import map_blocks


class Relatives:
    """Which names may be of one array: the user's by their memory, others by how they were assigned."""

    def __init__(self, block: ir.Block, facts: Facts) -> None:
        self.facts = facts
        self.parents: dict[str, str] = {}
        self.views: set[str] = set()  # names that may be a part of an array, or another order of it
        for statement in ir.walk_statements(block):
            match statement:
                case ir.Assign(target, value) if not _is_fresh(value):
                    self.join(target, value)
                case ir.For(target, iterator):
                    self.join(target, iterator)

    def join(self, target: Any, value: Any) -> None:
        names = [*ir.target_names(target), *filter(ir.is_value, ir.names_in(value))]
        if not isinstance(value, gast.Name):
            self.views |= set(ir.target_names(target))
        for name in names[1:]:
            self.parents[self.root(name)] = self.root(names[0])

    def root(self, name: str) -> str:
        while name in self.parents and self.parents[name] != name:
            name = self.parents[name]
        return name

    def may_overlap(self, target: Any, value: Any) -> bool:
        """Whether an update of `target` may write to what `value` has yet to read."""
        left, right = ir.owner_of(target), ir.owner_of(value)
        if not (isinstance(left, gast.Name) and isinstance(right, gast.Name)):
            return True
        whole = left is target and right is value
        if whole and not {left.id, right.id} & self.views:
            return False  # element by element they are the same, or apart
        return self.root(left.id) == self.root(right.id) or self.share(left.id, right.id)

    def share(self, left: str, right: str) -> bool:
        kinds = [self.facts.web_kinds.get(name) for name in (left, right)]
        memory = [buffers_of(kind) for kind in kinds if kind is not None]
        return len(memory) == 2 and bool(memory[0] & memory[1])


def apart(block: ir.Block, facts: Facts) -> ir.Block:
    """The block with a copy of the right side wherever an update may overlap it."""
    return _apart(block, Relatives(block, facts))


def _apart(block: ir.Block, relatives: Relatives) -> ir.Block:
    return tuple(_statement(s, relatives) for s in block)


def _statement(statement: ir.Statement, relatives: Relatives) -> ir.Statement:
    match statement:
        case ir.Update(target, op, value, origin):
            arrays = all(_may_be_array(e, relatives.facts) for e in (target, value))
            if arrays and not _is_fresh(value) and relatives.may_overlap(target, value):
                return ir.Update(target, op, quote("{v}.copy()", v=value), origin)
            return statement
    return map_blocks(statement, lambda inner: _apart(inner, relatives))


def _may_be_array(value: Any, facts: Facts) -> bool:
    kind = facts.kinds.get(value)
    if kind is None and isinstance(value, gast.Name):
        kind = facts.web_kinds.get(value.id)
    return not is_number(kind)


FRESH = (gast.BinOp, gast.UnaryOp, gast.Compare, gast.Constant, gast.ListComp, gast.BoolOp)


def _is_fresh(value: Any) -> bool:
    """Whether an expression makes an array of its own, or none."""
    match value:
        case gast.Call(func=gast.Attribute(value=gast.Name(id="$np"), attr=attr)):
            return attr not in ir.VIEWS and attr not in ("broadcast_to", "diag", "diagonal", "real")
        case gast.Call(func=gast.Attribute(attr="copy" | "pop" | "sum" | "mean" | "dot")):
            return True
    return isinstance(value, FRESH)
