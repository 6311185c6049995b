"""Powers of Python's numbers: a negative one's fractional power is complex, which its types do not tell.

y = 8.0 ** 0.5         a float
y = (-8) ** (1 / 3)    complex
y = k ** 0.5           not known: where it meets what varies, the text asks, if the function takes parts of numbers

A complex number that nobody takes a part of is seen: what the function gives is complex, too.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping, Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.known_functions import OPERATORS
from tangentish.infer.literals import literal_of
from tangentish.kinds import Kind, Num, replace
from tangentish.rules.rule import ABSENT

POWERS: set[Any] = {pow, operator.pow}

_Bindings = Mapping[str, Sequence[Any]]
_NUMBERS = (int, float, complex)


def kind_of_power(
    kind: Num, operands: Sequence[Kind], nodes: Sequence[Any], bindings: _Bindings, asks: bool
) -> Num:
    """The kind of a power of numbers that carry no derivative, which is that of floats by its types.

    asks: whether it counts as unknown where the sign is.
    """
    base, exponent = operands
    if not (kind.weak and kind.dtype == np.dtype(float)) or _is_never_complex(base, exponent):
        return kind
    if _is_length(nodes[0], base):
        return kind
    written = _written(nodes[0], bindings)
    if isinstance(written, (int, float)) and written >= 0:
        return kind
    result = _power(written, _written(nodes[1], bindings))
    if isinstance(result, _NUMBERS):
        return replace(kind, dtype=np.dtype(type(result)))
    return replace(kind, dtype=None, weak=False) if asks else kind


@functools.lru_cache(maxsize=64)
def takes_parts(function: ir.Function) -> bool:
    """Whether a function takes the size, the real or the imaginary part of something, which may be complex."""
    nodes = ir.nodes_in(*ir.walk_statements(function.body))
    return any(
        (isinstance(node, gast.Attribute) and node.attr in _PARTS)
        or (type(node) is gast.Name and node.id in _PARTS)
        for node in nodes
    )


_PARTS = {"abs", "absolute", "fabs", "real", "imag", "angle", "conj", "conjugate", "vdot", "norm"}


def _is_never_complex(base: Kind, exponent: Kind) -> bool:
    """Whole powers are real, and so are those of lengths."""
    whole = (
        isinstance(exponent, Num) and exponent.dtype is not None and exponent.dtype.kind in "biu"
    )
    return whole or (isinstance(base, Num) and isinstance(base.value, int) and base.value >= 0)


def _is_length(node: Any, kind: Kind) -> bool:
    """`len(x)`, which is not negative."""
    match node:
        case gast.Call(func=gast.Name(id="len"), args=[_]):
            return isinstance(kind, Num) and kind.dtype == np.dtype(int)
    return False


def _written(node: Any, bindings: _Bindings, depth: int = 4) -> object:
    """The number that an expression of numbers gives as the program writes it, also by names that are bound once."""
    match node:
        case gast.BinOp(left=left, op=op, right=right):
            return _computed(
                type(op).__name__, [_written(n, bindings, depth) for n in (left, right)]
            )
        case gast.UnaryOp(op=op, operand=operand):
            return _computed(type(op).__name__, [_written(operand, bindings, depth)])
        case gast.Name(id=name):
            values = bindings.get(name, ())
            return (
                _written(values[0], bindings, depth - 1) if len(values) == 1 and depth else ABSENT
            )
    return literal_of(node)


def _power(base: object, exponent: object) -> object:
    return _computed("Pow", [base, exponent])


def _computed(op: str, numbers: Sequence[object]) -> object:
    if not all(type(n) in _NUMBERS for n in numbers) or op not in OPERATORS:
        return ABSENT
    try:
        return OPERATORS[op](*numbers)
    except ArithmeticError:
        return ABSENT
