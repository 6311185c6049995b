"""Which forms may meet: dicts, objects, functions and tuples that carry a derivative, where two ways join."""

from __future__ import annotations

from collections.abc import Sequence

import gast

from tangentish import ir
from tangentish.ir.origins import NOWHERE, origin_of
from tangentish.kinds import REFUSED, Kind, Known, Num, Opaque, Seq, Tup, is_unknown, same_form
from tangentish.kinds.enums import is_number_enum
from tangentish.kinds.factors import are_factors_of_stacks

_SEVERAL = "a tuple or list on one path and a single value on another: give each a name of its own"
_SEVERAL_RETURNED = "some returns give a tuple or list and others a single value"
_SEVERAL_GIVEN = (
    "the elements of this list have a tuple or list in one and a single value in another, under one key or name: "
    "give them one form"
)
FIELDS = "a named tuple on one path and another tuple or list on another: make it in one way"


def holds_keys(kind: Kind) -> bool:
    """Whether a value that carries a derivative is, or holds, a dict or an object."""
    match kind:
        case Tup(items=items) if kind.active:
            return not kind.is_counted or any(map(holds_keys, items))
        case Seq(item=item) if item is not None:
            return holds_keys(item)
    return False


def texts_among_numbers(kinds: Sequence[Kind]) -> bool:
    """Whether a text stands among values that carry a derivative, or at the same place of tuples."""
    if any(map(_is_text, kinds)):
        return any(kind.active for kind in kinds)
    rows = [kind.items for kind in kinds if isinstance(kind, Tup) and kind.is_counted]
    same = len(rows) == len(kinds) and len(set(map(len, rows))) == 1
    return same and any(map(texts_among_numbers, zip(*rows, strict=True)))


def _is_text(kind: Kind) -> bool:
    return (isinstance(kind, Opaque) and kind.type is str) or (
        isinstance(kind, Known) and isinstance(kind.value, str)
    )


def meets_function(a: Kind, b: Kind) -> bool:
    """Whether a function that is known by what it holds meets anything else."""
    if not (isinstance(a, Tup) and a.is_function) or b is REFUSED:
        return False
    return not (isinstance(b, Tup) and b.type is a.type and b.keys == a.keys)


def meets_single(a: Kind, b: Kind) -> bool:
    """Whether a tuple or list that carries a derivative meets what is none for sure, or a tuple what is not known."""
    single = isinstance(b, Num) or (isinstance(b, Known) and b.value is not None)
    single = single or (isinstance(a, Tup) and isinstance(b, Opaque))  # it has no elements to store
    return isinstance(a, (Tup, Seq)) and a.active and single


def differ_in_form(a: Kind, b: Kind) -> bool:
    """Whether a dict or an object that carries a derivative meets anything of another form."""
    if isinstance(a, Seq) and isinstance(b, Seq):
        return a.keyed != b.keyed and (a.active or b.active)
    for one, other in ((a, b), (b, a)):
        if isinstance(one, Tup) and not one.is_counted and (a.active or b.active):
            same = isinstance(other, Tup) and same_form(one, other)
            same = same or (isinstance(other, Seq) and other.keyed and one.is_mapping)
            return not same and not (isinstance(other, Known) and other.value is None)
    return False


def differ_in_fields(a: Kind, b: Kind) -> bool:
    """Whether a named tuple that carries a derivative meets what has elements, but no such names for them."""
    if not (isinstance(a, (Tup, Seq)) and isinstance(b, (Tup, Seq)) and (a.active or b.active)):
        return False
    return _fields(a) != _fields(b)


def differ_in_names(a: Kind, b: Kind) -> bool:
    """Whether names of fields differ that can't be left out: those of a tuple's own are, where it has a name."""
    if isinstance(a, Tup) and isinstance(b, Tup) and len(a.items) == len(b.items):
        return any(map(differ_in_fields, a.items, b.items))
    return differ_in_fields(a, b)


def _fields(kind: Tup | Seq) -> object:
    return kind.keys if isinstance(kind, Tup) and kind.is_counted else None


def is_made_of_unknown(kind: Kind) -> bool:
    """Whether nothing is known of a value, or it is computed of one of which nothing is known."""
    if isinstance(kind, Num):
        return kind.dtype is None and kind.shape is None and kind.array is None
    return is_unknown(kind)


def is_plain_number(kind: Kind) -> bool:
    """Whether it is one of the numbers and arrays of numbers that most values are."""
    if kind.__class__ is not Num or kind.or_list:
        return False
    return kind.dtype is None or kind.dtype.kind in "biufc"


def odd_type(kind: Kind) -> str | None:
    """The type of what gives operators and functions a meaning of its own, also inside of a tuple or list."""
    match kind:
        case Num(or_list=True):
            return "number or list"
        case Num(dtype=dtype):
            return None if dtype is None or dtype.kind in "biufc" else str(dtype)
        case Opaque(type=type() as cls) if cls not in (str, range):
            return None if is_number_enum(kind) else cls.__name__
        case Tup(type=type() as cls) if kind.is_object and not kind.active:
            return cls.__name__
        case Tup(items=items) if kind.is_counted:
            return next(filter(None, map(odd_type, items)), None)
    return None


def several_forms(statement: ir.Statement | None) -> str:
    """Why they may not, by the statement where they meet; one that makes what was given anew has no line."""
    if _returns(statement):
        return _SEVERAL_RETURNED
    first = statement is not None and origin_of(statement) is NOWHERE
    return _SEVERAL_GIVEN if first else _SEVERAL


def _returns(statement: ir.Statement | None) -> bool:
    """Whether a statement is a `return` among several."""
    target = getattr(statement, "target", None)
    return isinstance(target, gast.Name) and target.id.startswith(".y.")


def is_sequence(kind: Kind) -> bool:
    """Whether a rule may take a value for a sequence, or a pair: factors of a stack of matrices, with how, are none."""
    return isinstance(kind, (Tup, Seq)) and not are_factors_of_stacks(kind)
