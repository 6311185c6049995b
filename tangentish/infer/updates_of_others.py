"""Updates of what came out of an object outside, and of which nothing is known.

k = config["k"]           ->      k = config["k"]
k *= x[0]                         k = number(k) * x[0]

A number is bound anew. An array would be changed in place where the object holds it, too, and its derivative would be
lost there: it raises a TypeError. What the function made itself (`u = config["u"].copy()`) is updated as it is.
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.infer.known_functions import is_in_tables, is_view_maker, may_not_copy
from tangentish.infer.walk import Walk
from tangentish.ir.quote import quote
from tangentish.kinds import Buffer, Kind, buffers_of, is_unknown
from tangentish.kinds.sites import OTHERS

_MAKING = {"copy", "astype", "sum", "mean", "tolist", "item", "dot"}
"""Methods that give new values, whatever they are methods of."""


class UpdatesOfOthers(Walk):
    """The part of the walk that has numbers be bound anew, and nothing else."""

    def updates_number_of_others(self, statement: ir.Update, old: Kind, right: Kind) -> bool:
        """Whether an update of a name that others gave is one of a number now."""
        target = statement.target
        if not (right.active and _may_be_of_others(old) and self.holds_anything(target)):
            return False
        if self.cached or (isinstance(target, gast.Name) and self.is_made_here(target.id)):
            return False

        def make() -> Any:
            read = quote(
                "number({s})", s=ir.with_fields(ir.duplicate(target), {"ctx": gast.Load()})
            )
            return gast.BinOp(read, statement.op, statement.value)

        total = self.made_once((target, "number"), make, target)
        self.facts.answers[statement] = total
        self.assign(target, self.expression(total), total)
        return True

    def is_made_here(self, name: str) -> bool:
        """Whether all that binds a name makes a new value."""
        values = [
            line.value
            if isinstance(line, ir.Assign) and isinstance(line.target, gast.Name)
            else None
            for line in ir.walk_statements(self.function.body)
            if name in ir.defined_names(line) and not isinstance(line, ir.Update)
        ]
        return bool(values) and all(v is not None and self.makes_new(v) for v in values)

    def makes_new(self, value: Any) -> bool:
        match value:
            case gast.BinOp() | gast.UnaryOp() | gast.Compare() | gast.Constant():
                return True
            case gast.Call() if may_not_copy(value):
                return False
            case gast.Call(func=gast.Attribute(attr=attr)) if attr in _MAKING:
                return True
            case gast.Call():
                callee = self.facts.callees.get(value)
                return callee is not None and _makes_new(callee.function)
        return False


def _may_be_of_others(kind: Kind) -> bool:
    """Whether nothing is known of a value on one of the ways to it, as on the first trip of a loop."""
    return is_unknown(kind) or Buffer(OTHERS) in buffers_of(kind)


def _makes_new(function: Any) -> bool:
    return function is sum or (is_in_tables(function) and not is_view_maker(function))
