"""Operands of which nothing is known, and that meet what varies: they are taken for numbers or plain arrays, and asked.

x * o.k  ->  x * plain(o.k)

A matrix, an object with operators of its own, a complex number: what these make of an operator is not what the rule
says. They raise where they meet. A `try` around that catches TypeErrors might take that for an exception of the
program: there such an operand is refused beforehand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast

from tangentish.errors import Refusal
from tangentish.infer.asked_integers import IN_TRY
from tangentish.infer.raised_with_values import RaisedWithValues
from tangentish.kinds import NO_BUFFERS, UNKNOWN, Kind, Num, buffers_of, is_unknown
from tangentish.rules.rule import Rule


class AskedOperands(RaisedWithValues):
    """The part of the walk that has operands be numbers or plain arrays."""

    def ask_operands(self, rule: Rule, bound: Mapping[str, Any]) -> None:
        """Operands through which gradients go are asked, those of which nothing is known; parts of displays, too."""
        if self.cached:
            return
        kinds, asked = self.facts.kinds, self.facts.operands
        for name in rule.operands:
            for part in _parts(bound.get(name)):
                if asked:
                    asked.pop(part, None)  # of an earlier trip
                kind = kinds.get(part, UNKNOWN)
                told = kind.__class__ is Num and (kind.active or kind.dtype is not None)
                if not told and _is_open(kind) and not self.is_asked(part):
                    self.ask_operand(part, part is not bound[name])

    def is_asked(self, part: Any) -> bool:
        """Whether an operand was asked before, on this line or where its name is bound."""
        values = self.bindings().get(part.id, []) if isinstance(part, gast.Name) else [part]
        return bool(values) and all(map(_asks, values))

    def ask_operand(self, part: Any, is_element: bool) -> None:
        if self.is_attempted():
            self.facts.late.append(Refusal(IN_TRY, part))
            return
        made = self.call_that_asks(part, "plain")
        made.is_element = is_element
        self.facts.operands[part] = made

    def kind_of_asked(self, node: Any) -> Kind:
        """The kind of `plain(k)`: an element of a display is a number or an array now, which may lie in any memory."""
        if not getattr(node, "is_element", False):
            return self.kind(node.args[0])
        memory = map(buffers_of, self.env.kinds.values())
        return Num(None, None, None, buffers=NO_BUFFERS.union(*memory))


def _is_open(kind: Kind) -> bool:
    """Whether nothing is known, or not which numbers these are: they may be complex."""
    if kind.__class__ is Num:
        return kind.dtype is None and not kind.active
    return is_unknown(kind)


def _asks(value: Any) -> bool:
    return isinstance(value, gast.Call) and getattr(value.func, "id", None) == "$plain"


def _parts(argument: Any) -> tuple[Any, ...]:
    """What an operand is made of: the elements of a display that is written there."""
    match argument:
        case None:
            return ()
        case tuple():
            return tuple(part for each in argument for part in _parts(each))
        case gast.Tuple(elts=elements) | gast.List(elts=elements):
            return tuple(part for each in elements for part in _parts(each))
    return (argument,)
