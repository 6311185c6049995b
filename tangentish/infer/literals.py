"""Literals: their values and kinds."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangentish.kinds import REFUSED, Kind, Known, Num, Opaque, Refused
from tangentish.kinds.kinds_of_values import kind_of
from tangentish.rules.rule import ABSENT


class Unset:
    """What a variable is that no line has bound; None in the text, which does not read it."""

    def __repr__(self) -> str:
        return "None"


UNSET = Unset()
NEVER_SET = Opaque(Unset)


def literal_of(node: Any) -> object:
    """The value of a literal, ABSENT for anything else."""
    match node:
        case gast.Constant(value=value):
            return value
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=value)) if isinstance(
            value, (int, float)
        ):
            return -value
        case gast.Tuple(elts=elements):
            values = tuple(map(literal_of, elements))
            return ABSENT if any(v is ABSENT for v in values) else values
    return ABSENT


def known_key(index: Any, kind: Kind) -> object:
    """The key that an index of this kind is known to be, ABSENT if it is not."""
    key = literal_of(index)
    if key is not ABSENT:
        return key
    match kind:
        case Known(value=str() as text):
            return text
        case Num(literal=int() as number):
            return number
    return ABSENT


def text_of_kind(kind: Kind) -> str | None:
    """What str() gives for a string, or for an integer that the program says."""
    match kind:
        case Known(value=str() as text):
            return text
        case Num(literal=int() as number):
            return str(number)
    return None


def kind_of_literal(value: object) -> Kind:
    if value is Refused:
        return REFUSED
    if value is UNSET:
        return NEVER_SET
    if type(value) is int:
        length = value if value >= 0 else None
        return Num(np.dtype(int), (), False, weak=True, value=length, literal=value)
    if type(value) is bool:
        return Known(value)
    if isinstance(value, (str, bytes)) or value is None or value is Ellipsis:
        return Known(value)
    return kind_of(value)
