"""What keeps numbers in a form that no derivative follows: texts, slices, classes made by `type`.

    float(f"{x[0]}")    slice(x[0], 2).start    type("C", (), {"k": x[0]}).k

A text of what varies may be shown, and be in messages; a number that is read of it would be one that varies.
"""

from __future__ import annotations

import ast
import decimal
import fractions
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tangentish import ir
from tangentish.infer.walk import Walk
from tangentish.kinds import TEXT_THAT_VARIES, UNKNOWN, Kind, Known, Seq, Tup, functions_in

__all__ = ["Texts", "is_filled_with_what_varies", "is_text_that_varies"]


_WRITERS = (str, repr, format)
_READERS: tuple[Any, ...] = (
    float, complex, eval, np.float64, np.float32, np.longdouble, np.complex128, np.array, np.asarray,
    np.asanyarray, np.fromstring, np.loadtxt, np.genfromtxt, ast.literal_eval, json.loads, decimal.Decimal,
    fractions.Fraction, map, sum,
)  # fmt: skip

_READ = (
    "this reads numbers of a text that is made of differentiated values: use the values themselves"
)
_SLICED = "a slice keeps what varies: write x[int(a):int(b)]"
_CLASS = "a class that type() makes of what varies is not followed: write the class, and set the attributes"


def is_text_that_varies(kind: Kind | None) -> bool:
    """Whether this is a text that is made of what varies, or holds some."""
    match kind:
        case Tup(items=items):
            return any(map(is_text_that_varies, items))
        case Seq(item=item):
            return is_text_that_varies(item)
    return kind == TEXT_THAT_VARIES


class Texts(Walk):
    """The part of the walk that knows where values leave the numbers."""

    def kept_otherwise(
        self, function: Any, args: Sequence[Any], keywords: Mapping[str, Any], node: Any
    ) -> Kind | None:
        """The kind of a call that keeps values in another form, or reads them; None of any other."""
        kinds = [self.kind(a) for a in (*args, *keywords.values())]
        why = _reason_against(function, kinds)
        if why is not None:
            self.refuse(why, node)
            return UNKNOWN
        if function is type:
            for kind in kinds[1:]:
                self.escape_from(kind, node)
        if function in _WRITERS and any(k.active or is_text_that_varies(k) for k in kinds):
            return TEXT_THAT_VARIES
        return None

    def shows_what_varies(self, node: Any) -> bool:
        """Whether a text is made of a name that varies, or of such a text."""
        kinds = (self.env.kinds.get(name, UNKNOWN) for name in ir.names_in(node))
        return any(kind.active or is_text_that_varies(kind) for kind in kinds)


def is_filled_with_what_varies(operands: Sequence[Kind]) -> bool:
    """Whether `"%g" % x`, or a sum with such a text, is a text that varies."""
    text = any(isinstance(k, Known) and isinstance(k.value, str) for k in operands[:1])
    return any(map(is_text_that_varies, operands)) or (text and any(k.active for k in operands))


def _reason_against(function: Any, kinds: Sequence[Kind]) -> str | None:
    varies = any(k.active or any(f.active for f in functions_in(k)) for k in kinds)
    if function is type and len(kinds) > 1 and varies:
        return _CLASS
    if function is slice and varies:
        return _SLICED
    if function in _READERS and any(map(is_text_that_varies, kinds)):
        return _READ
    return None
