"""Calls of `is_training()` become the literals that they are in the derivative at hand.

y = x * mask if is_training() else x    ->    y = x * mask
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.errors import Refusal
from tangentish.language.modes import is_training
from tangentish.language.source import Source
from tangentish.language.webs import map_statement


def resolved_modes(
    form: ir.Function, source: Source, training: bool
) -> tuple[ir.Function, dict[str, object], list[Refusal]]:
    """The function with its questions answered; the outer names that stand for them, refusals."""
    if not _may_ask(source):
        return form, {}, []
    pass_ = _Resolve(source, training)
    body = pass_.block(form.body)
    return replace(form, body=body), pass_.names, pass_.refusals


def _may_ask(source: Source) -> bool:
    """Whether some name in the function's code may lead to `is_training`."""
    names = {n.id for n in ir.nodes_of(source.tree.body, gast.Name)}
    attributes = {n.attr for n in ir.nodes_of(source.tree.body, gast.Attribute)}
    return "is_training" in attributes or any(_value(source, n) is is_training for n in names)


def _value(source: Source, name: str) -> object:
    try:
        return source.lookup(name)
    except NameError:
        return None


@dataclass
class _Resolve:
    source: Source
    training: bool
    names: dict[str, object] = field(default_factory=dict)
    refusals: list[Refusal] = field(default_factory=list)

    def block(self, block: ir.Block) -> ir.Block:
        return tuple(map_statement(s, self.expression, self.block) for s in block)

    def expression(self, node: Any) -> Any:
        return ir.copy_expression(node, self.change)

    def change(self, node: Any) -> Any | None:
        match node:
            case gast.Call(func=func) if self.asks(func):
                return self.answer(node)
            case gast.IfExp(test=test, body=body, orelse=orelse):
                answer = self.literal(test)
                return None if answer is None else self.expression(body if answer else orelse)
            case gast.UnaryOp(op=gast.Not(), operand=operand):
                answer = self.literal(operand)
                return None if answer is None else _constant(not answer, node)
            case gast.BoolOp(op=op, values=values):
                return self.both(node, isinstance(op, gast.And), values)
        return None

    def answer(self, call: Any) -> Any:
        if call.args or call.keywords:
            message = (
                "the mode of a derivative is an option of it: grad(f, training=False), "
                "@differentiate(training=False)"
            )
            self.refusals.append(Refusal(message, call))
            return ir.placeholder(call)
        return _constant(self.training, call)

    def asks(self, func: Any) -> bool:
        """Whether an expression is `is_training`, by whatever name."""
        match func:
            case gast.Name(id=name) if not ir.is_value(name):
                found = _value(self.source, name)
            case gast.Attribute(value=gast.Name(id=name), attr=attr) if not ir.is_value(name):
                found = getattr(_value(self.source, name), attr, None)
            case _:
                return False
        if found is is_training:
            self.names[name] = _value(self.source, name)
        return found is is_training

    def literal(self, node: Any) -> bool | None:
        """What a condition is known to be from the mode alone."""
        new = self.expression(node)
        known = new is not node and isinstance(new, gast.Constant) and type(new.value) is bool
        return new.value if known else None

    def both(self, node: Any, all_of: bool, values: list[Any]) -> Any | None:
        """`is_training() and rate > 0`  ->  `rate > 0`, or False"""
        answers = [self.literal(v) for v in values]
        if all(a is None for a in answers):
            return None
        left: list[Any] = []
        for value, answer in zip(values, answers, strict=True):
            if answer is None:
                left.append(self.expression(value))
            elif answer is not all_of:  # what follows is not evaluated
                left.append(_constant(answer, value))
                break
        if not left:
            return _constant(all_of, node)
        return left[0] if len(left) == 1 else gast.copy_location(gast.BoolOp(node.op, left), node)


def _constant(value: bool, at: Any) -> Any:
    return gast.copy_location(gast.Constant(value, None), at)
