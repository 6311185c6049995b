"""What keeps numbers in a form that no derivative follows: texts, slices, classes made by `type`.

    float(f"{x[0]}")    slice(x[0], 2).start    type("C", (), {"k": x[0]}).k

A text of what varies may be shown, and be in messages; a number that is read of it would be one that varies.
"""

from __future__ import annotations

import ast
import decimal
import fractions
import io
import json
import types
from collections.abc import Mapping, Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.known_functions import is_user_code
from tangentish.infer.walk import Walk
from tangentish.kinds import (
    TEXT_THAT_VARIES,
    UNKNOWN,
    Kind,
    Known,
    Seq,
    Tup,
    functions_in,
    is_unknown,
)

_WRITERS = (str, repr, format)
_READERS: tuple[Any, ...] = (
    float, complex, eval, np.float64, np.float32, np.longdouble, np.complex128, np.array, np.asarray,
    np.asanyarray, np.fromstring, np.loadtxt, np.genfromtxt, ast.literal_eval, json.loads, decimal.Decimal,
    fractions.Fraction, map, sum, int, np.int64, np.int32,
)  # fmt: skip
_HOLDERS: tuple[Any, ...] = (
    bytes, bytearray, memoryview, io.StringIO, io.BytesIO, list, tuple, set, frozenset, reversed, sorted, iter, next,
    enumerate, zip, filter, max, min,
)  # fmt: skip
"""What gives a text, or holds it, where it is given one."""
_ASKING = (len, isinstance, hash, bool, callable, id, type, print, any, all)
_OF_TYPE = (np.array, np.asarray, np.asanyarray, np.astype if hasattr(np, "astype") else None)
_WRITING = ("write", "writelines", "feed", "put", "send")

READ_OF_TEXT = (
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
        if self.becomes_text(function, args, keywords):
            return TEXT_THAT_VARIES
        if _is_in(function, _HOLDERS) and any(map(is_text_that_varies, kinds)):
            return TEXT_THAT_VARIES
        if function is type:
            for kind in kinds[1:]:
                self.escape_from(kind, node)
        if function in _WRITERS and any(k.active or is_text_that_varies(k) for k in kinds):
            return TEXT_THAT_VARIES
        return None

    def becomes_text(self, function: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> bool:
        """x.astype(str), np.array(x, dtype="U8")"""
        if not args or not self.kind(args[0]).active:
            return False
        is_cast = _is_in(function, _OF_TYPE) or getattr(function, "name", None) == "astype"
        wanted = keywords.get("dtype", args[1] if len(args) > 1 else None)
        kind = None if wanted is None else self.kind(wanted)
        return is_cast and isinstance(kind, Known) and _is_type_of_texts(kind.value)

    def told_by_texts(self, function: Any, kind: Kind, given: Sequence[Any], node: Any) -> Kind:
        """The kind of what a function of which nothing is known gives of texts that vary."""
        if not any(is_text_that_varies(self.kind(a)) for a in given):
            return kind
        func = getattr(node, "func", None)
        if isinstance(func, gast.Attribute) and func.attr in _WRITING:
            self.holds_text(func.value)
        known = isinstance(function, types.FunctionType) and is_user_code(function)
        if known or _is_in(function, _ASKING) or not is_unknown(kind):
            return kind
        return TEXT_THAT_VARIES

    def holds_text(self, receiver: Any) -> None:
        """buffer.write(text)"""
        if isinstance(receiver, gast.Name) and receiver.id in self.env.kinds:
            self.env.know(receiver.id, TEXT_THAT_VARIES)

    def shows_what_varies(self, node: Any) -> bool:
        """Whether a text is made of a name that varies, or of such a text."""
        kinds = (self.env.kinds.get(name, UNKNOWN) for name in ir.names_in(node))
        return any(kind.active or is_text_that_varies(kind) for kind in kinds)


def is_filled_with_what_varies(operands: Sequence[Kind]) -> bool:
    """Whether `"%g" % x`, or a sum with such a text, is a text that varies."""
    text = any(isinstance(k, Known) and isinstance(k.value, str) for k in operands[:1])
    return any(map(is_text_that_varies, operands)) or (text and any(k.active for k in operands))


def _is_in(function: Any, functions: Sequence[Any]) -> bool:
    return id(function) in map(id, functions)


def _is_type_of_texts(wanted: Any) -> bool:
    try:
        return np.dtype(wanted).kind in "US"
    except TypeError:
        return False


def _reason_against(function: Any, kinds: Sequence[Kind]) -> str | None:
    varies = any(k.active or any(f.active for f in functions_in(k)) for k in kinds)
    if function is type and len(kinds) > 1 and varies:
        return _CLASS
    if function is slice and varies:
        return _SLICED
    if _is_in(function, _READERS) and any(map(is_text_that_varies, kinds)):
        return READ_OF_TEXT
    return None
