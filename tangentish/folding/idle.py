"""Lines of an adjoint that do nothing where some gradients are zeros: they add zeros, and hand zeros on."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir

# Functions of numpy that give zeros for a first argument of zeros.
_LINEAR = {"sum", "dot", "outer", "reshape", "real", "conj", "copy", "zeros_like"}
_NUMPY = ("$np", "np", "numpy")


@dataclass
class Idle:
    """Whether lines of an adjoint do nothing where some gradients are zeros.

    names: what they set all the same. restores: whether what is restored may be left out with all else.
    filled: arrays that are zeros as far as no line sets a place of them.
    """

    restores: bool = False
    filled: Set[str] = frozenset()
    zeros: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)

    def block(self, block: ir.Block) -> bool:
        return all(map(self.statement, block))

    def statement(self, statement: ir.Statement) -> bool:
        match statement:
            case ir.Comment():
                return True
            case ir.Assign(gast.Name(id=name), value):
                self.names.add(name)
                (self.zeros.add if self.is_zero(value) else self.zeros.discard)(name)
                return not _may_do_more(value)
            case ir.Assign(gast.Subscript(value=gast.Name(id=name)), value) if name in self.filled:
                return self.is_zero(value)
            case ir.Update(gast.Name() | gast.Subscript(), gast.Add() | gast.Sub(), value):
                return self.is_zero(value)
            case ir.Restore(slot) if self.restores and not slot.content and slot.undo is None:
                self.names.add(slot.name)
                self.zeros.discard(slot.name)
                return True
            case ir.For(target, _, body, None) if self.restores:
                self.names.update(ir.target_names(target))
                return self.loop(body)
            case ir.If(_, body, orelse):
                before = set(self.zeros)
                first, after = self.block(body), self.zeros
                self.zeros = before
                second = self.block(orelse)
                self.zeros &= after
                return first and second
        return False

    def loop(self, body: ir.Block) -> bool:
        """A loop does nothing where its trips don't, all that is zero before it being zero after each of them."""
        while True:
            before = set(self.zeros)
            idle = self.block(body)
            self.zeros &= before
            if self.zeros == before or not idle:
                return idle

    def is_zero(self, e: Any) -> bool:
        match e:
            case gast.Constant(value=value):
                return isinstance(value, (int, float)) and value == 0
            case gast.Name(id=name):
                return name in self.zeros
            case gast.UnaryOp(op=gast.USub(), operand=operand):
                return self.is_zero(operand)
            case gast.BinOp(left=left, op=gast.Mult() | gast.MatMult(), right=right):
                return self.is_zero(left) or self.is_zero(right)
            case gast.BinOp(left=left, op=gast.Div()):
                return self.is_zero(left)
            case gast.BinOp(left=left, op=gast.Add() | gast.Sub(), right=right):
                return self.is_zero(left) and self.is_zero(right)
            case gast.Call(
                func=gast.Attribute(value=gast.Name(id=module), attr=attr), args=[g, *_]
            ):
                linear = module in _NUMPY and attr in _LINEAR
                return linear and (attr == "zeros_like" or self.is_zero(g))
        return False


def _may_do_more(value: Any) -> bool:
    """Whether an expression may do more than give a value: what is no function of NumPy's may."""
    calls = (node.func for node in ir.walk(value) if isinstance(node, gast.Call))
    return not all(
        isinstance(f, gast.Attribute) and isinstance(f.value, gast.Name) and f.value.id in _NUMPY
        for f in calls
    )
