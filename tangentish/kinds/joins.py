"""Joins: what a value is that may be one of two kinds, where two ways meet."""

from __future__ import annotations

import functools
import types
from collections.abc import Sequence
from typing import Any

import numpy as np

from tangentish.kinds import (
    NOTHING_YET,
    REFUSED,
    TEXT_THAT_VARIES,
    UNKNOWN,
    Buffer,
    Fun,
    Kind,
    Known,
    Num,
    OneOf,
    Opaque,
    Seq,
    Tup,
    functions_in,
    is_unknown,
    may_be_none,
    replace,
    same_form,
    unknown_in,
)
from tangentish.kinds.lengths import Shape
from tangentish.kinds.several_classes import objects_it_may_be, of_several_classes
from tangentish.kinds.sites import OTHERS
from tangentish.kinds.unlike_records import unknown_of


def as_sequence(kind: Tup) -> Seq:
    """The same list or tuple, its elements told apart no longer."""
    item = functools.reduce(join, kind.items) if kind.items else None
    buffers = frozenset(Buffer(site) for site in kind.sites)
    if kind.is_mapping:
        return Seq(item, buffers, None, False, may_be_none(kind), keyed=True)
    return Seq(item, buffers, len(kind.items), not kind.is_list, may_be_none(kind))


def join(a: Kind, b: Kind) -> Kind:
    """The kind of a value that comes from two ways through the program."""
    if a == b:
        return a
    if isinstance(a, Num) and isinstance(b, Num):
        return _join_numbers(a, b)
    stand_in = _join_stand_ins(a, b)
    if stand_in is not None:
        return stand_in
    if isinstance(a, (Tup, Seq)) and isinstance(b, (Tup, Seq)):
        return _join_containers(a, b)
    functions = [*functions_in(a), *functions_in(b)]
    if functions:
        return _join_functions(a, b, functions)
    for number, other in ((a, b), (b, a)):
        if isinstance(number, Num) and isinstance(other, Known) and other.value is None:
            return replace(number, value=None, literal=None, optional=True)
    if a.active or b.active:
        return _join_active(a, b) if a.active else _join_active(b, a)
    return _join_existing(a, b)


def _join_stand_ins(a: Kind, b: Kind) -> Kind | None:
    """The same where one of them is no value: it was refused, or nothing is known of it so far, or it is a text."""
    if REFUSED in (a, b):
        return REFUSED
    if NOTHING_YET in (a, b):
        return b if a == NOTHING_YET else a
    text = TEXT_THAT_VARIES in (a, b) and not (a.active or b.active)
    return TEXT_THAT_VARIES if text else None


def _join_objects(a: Kind, b: Kind) -> Kind:
    """An object outside, or another, holding what those of its class do; and lists and dicts of such."""
    if not (isinstance(a, Opaque) and isinstance(b, Opaque)):
        return unknown_of(a, b)
    classes = _classes_of_either(a, b)
    if classes is not None or a.type is not b.type:
        return classes or unknown_in(a, b)
    if isinstance(a.item, Opaque) and isinstance(b.item, Opaque):
        item = join(a.item, b.item)
        return unknown_in(a, b) if item == UNKNOWN else replace(a, item=item)
    if replace(a, parts=()) != replace(b, parts=()):
        return unknown_of(a, b)
    found = ((name, join(kind, b.part(name) or UNKNOWN)) for name, kind in a.parts)
    return replace(a, parts=tuple((name, kind) for name, kind in found if kind != UNKNOWN))


def _classes_of_either(a: Opaque, b: Opaque) -> Kind | None:
    """An object of one of several classes; None where these are not known, or it is one."""
    one, other = objects_it_may_be(a), objects_it_may_be(b)
    if len({kind.type for kind in (*one, *other)}) < 2:
        return None
    found: dict[type | None, Opaque] = {}
    for kind in (*one, *other) if one and other else ():
        met = join(found.get(kind.type, kind), kind)
        found[kind.type] = met if isinstance(met, Opaque) else UNKNOWN
    settled = all(kind.type is cls for cls, kind in found.items())
    return of_several_classes(found.values()) if settled else None


def _join_active(active: Kind, other: Kind) -> Kind:
    """What carries a derivative on one way only; a list that it may be instead keeps its memory in sight."""
    if isinstance(active, (Tup, Seq)):
        if isinstance(other, Num):
            return _join_active(replace(other, active=True), active)
        return replace(active, optional=True)
    if isinstance(active, Num):
        dtype = active.dtype if active.is_complex else None
        buffers = active.buffers | unknown_in(other).buffers
        if is_unknown(other):
            buffers |= {Buffer(OTHERS)}
        return replace(
            active, dtype=dtype, shape=None, array=None, value=None, weak=False, buffers=buffers,
            or_list=active.or_list or isinstance(other, (Tup, Seq)), computed=False,
        )  # fmt: skip
    return active


def _join_existing(a: Kind, b: Kind) -> Kind:
    one, other = _existing(a), _existing(b)
    if one is None or other is None:
        return _join_objects(a, b)
    return one_of((*one.functions, *other.functions), one.sure and other.sure) or UNKNOWN


def one_of(functions: Sequence[Any], sure: bool) -> OneOf | None:
    different = tuple(dict.fromkeys(functions))
    return OneOf(different, sure) if 0 < len(different) <= MOST_FUNCTIONS else None


MOST_FUNCTIONS = 16  # that a call tells apart


def _existing(kind: Kind) -> OneOf | None:
    """The functions that a value may be."""
    if isinstance(kind, OneOf):
        return kind
    match kind:
        case Known(value=value) if has_identity(value):
            return OneOf((value,))
    return None


def has_identity(value: object) -> bool:
    """Whether this is a function that `is` tells from others."""
    if isinstance(value, (types.FunctionType, types.BuiltinFunctionType)):
        return True
    made_anew = isinstance(value, (type, types.MethodType))
    return callable(value) and not made_anew and type(value).__eq__ is object.__eq__


def _join_functions(a: Kind, b: Kind, functions: Sequence[Fun]) -> Kind:
    """One of several functions: what any of them captures it may capture."""
    active = a.active or b.active
    if any(isinstance(kind, Num) and kind.active for kind in (a, b)):
        return Num(None, None, None, active=True)
    first, *others = (replace(function, active=active) for function in functions)
    if isinstance(a, Fun) and isinstance(b, Fun) and others == [first]:
        return first
    cells = dict.fromkeys(cell for function in functions for cell in function.cells)
    return Fun(None, tuple(cells), active, None, _options(a, b))


def _options(a: Kind, b: Kind) -> tuple[Kind, ...]:
    """The functions that either of two values may be; none where they can't be told apart."""
    one, other = _alternatives(a), _alternatives(b)
    different = tuple(dict.fromkeys((*one, *other)))
    return different if one and other and len(different) <= MOST_FUNCTIONS else ()


def _alternatives(kind: Kind) -> tuple[Kind, ...]:
    match kind:
        case Fun(home=str()):
            return (replace(kind, active=False),)
        case Fun(options=options):
            return options
    known = _existing(kind)
    return tuple(map(Known, known.functions)) if known is not None and known.sure else ()


def _join_containers(a: Tup | Seq, b: Tup | Seq) -> Kind:
    if isinstance(a, Tup) and isinstance(b, Tup):
        if len(a.items) == len(b.items) and (same_form(a, b) or _are_tuples(a, b)):
            items, sites = tuple(map(join, a.items, b.items)), a.sites | b.sites
            form = a if same_form(a, b) else Tup(())  # of tuples that differ in names: one without
            told_by = _told_by(a, b)
            untold = told_by is None and (may_be_none(a) or may_be_none(b))
            return replace(
                form,
                items=items,
                sites=sites,
                apart=a.apart or b.apart,
                virtual=a.virtual or b.virtual,
                optional=a.optional or b.optional or untold,
                told_by=told_by,
            )
        functions = [*functions_in(a), *functions_in(b)]
        if functions:
            return _join_functions(a, b, functions)
        counted = a.is_counted and b.is_counted
        if not counted:
            return unknown_of(a, b)
    if is_keyed(a) != is_keyed(b):
        return unknown_in(a, b)
    return _join_sequences(*(as_sequence(k) if isinstance(k, Tup) else k for k in (a, b)))


def _told_by(a: Tup, b: Tup) -> tuple[int, ...] | None:
    """The way to the element that tells of either of two containers whether it is None."""
    ways = {kind.told_by for kind in (a, b)} - {None}
    if len(ways) != 1:
        return None
    (way,) = ways
    assert way is not None
    tell = (kind.told_by == way or is_never_none(kind, way) for kind in (a, b))
    return way if all(tell) else None


def is_never_none(kind: Kind, way: Sequence[int]) -> bool:
    """Whether the element of a container that a way leads to is a number or an array for sure."""
    for k in way:
        if not (isinstance(kind, Tup) and k < len(kind.items)):
            return False
        kind = kind.items[k]
    return isinstance(kind, Num) and not kind.optional


SEVERAL_DEFAULTS = ("0.0", "get")
"""What stands for the default of a dict that has one on one path and another on another."""


def is_keyed(kind: Tup | Seq) -> bool:
    """Whether a container is a dict."""
    return kind.keyed if isinstance(kind, Seq) else kind.is_mapping


def _are_tuples(a: Tup, b: Tup) -> bool:
    return all(k.is_counted and not k.is_list and not k.is_function for k in (a, b))


def _join_sequences(a: Seq, b: Seq) -> Seq:
    items = [k.item for k in (a, b) if k.item is not None]
    item = functools.reduce(join, items) if items else None
    length = a.length if a.length == b.length else None
    optional = a.optional or b.optional
    is_tuple = a.is_tuple and b.is_tuple
    default = a.default if a.default == b.default else SEVERAL_DEFAULTS
    return Seq(item, a.buffers | b.buffers, length, is_tuple, optional, a.keyed, default)


def _join_numbers(a: Num, b: Num) -> Num:
    if a.array and a.shape is not None and a._replace(buffers=b.buffers) == b:
        # as what loops hand on mostly is: made elsewhere
        return replace(a, buffers=a.buffers | b.buffers, axes=False, computed=False)
    shape, array = _join_shapes(a, b)
    return Num(
        dtype=a.dtype if a.has_dtype_of(b) else _join_dtype(a, b),
        shape=shape,
        array=array,
        weak=a.weak and b.weak,
        value=a.value if a.value == b.value else None,
        active=a.active or b.active,
        buffers=a.buffers | b.buffers,
        optional=a.optional or b.optional,
        contiguous=(a.contiguous or a.is_scalar) and (b.contiguous or b.is_scalar),
        distinct=a.distinct and b.distinct,
        part=a.part if a.part == b.part else None,
        literal=a.literal if a.literal == b.literal else None,
        or_list=a.or_list or b.or_list,
        axes=shape is None and a.has_axes and b.has_axes,
        or_int=a.or_int or b.or_int or may_be_int(a, b) or may_be_int(b, a),
        or_weak=a.or_weak or b.or_weak or a.weak != b.weak,
        computed=shape is None and a.is_number_or_array and b.is_number_or_array,
        or_varying=a.or_varying or b.or_varying or _one_varies(a, b) or _one_varies(b, a),
    )


def _one_varies(a: Num, b: Num) -> bool:
    """Whether a is a number that varies, and b may be an array."""
    return a.is_scalar and a.active and not b.is_scalar


def may_be_int(a: Num, b: Num) -> bool:
    """Whether a is of integers, and what meets it of floats: a number that varies is one of floats in the end."""
    whole = a.dtype is not None and a.dtype.kind in "biu" and not a.active
    floats = b.dtype is None or b.dtype.kind == "f"
    return whole and floats and bool(a.array or not b.active)


def _join_dtype(a: Num, b: Num) -> np.dtype[Any] | None:
    """A number that starts as an integer constant (`y = 0`) and becomes a float counts as a float.

    One that is real on one way and complex on the other counts as complex.
    """
    if a.is_complex or b.is_complex:
        return np.result_type(*(np.dtype(float) if k.dtype is None else k.dtype for k in (a, b)))
    if a.dtype is None or b.dtype is None:
        return None
    if a.weak != b.weak:
        weak, strong = (a, b) if a.weak else (b, a)
        assert weak.dtype is not None
        assert strong.dtype is not None
        exact = strong.is_double and weak.dtype.kind in "bif"
        return strong.dtype if exact else None
    if a.weak and a.dtype.kind in "if" and b.dtype.kind in "if":
        return np.dtype(float)
    return None


def _join_shapes(a: Num, b: Num) -> tuple[Shape | None, bool | None]:
    if a.shape is None or b.shape is None:
        return None, a.array if a.array == b.array else None
    if len(a.shape) == len(b.shape):
        shape = tuple(x if x == y else None for x, y in zip(a.shape, b.shape, strict=True))
        return shape, a.array if a.array == b.array else None
    if not a.shape or not b.shape:
        return a.shape or b.shape, None
    return None, True if a.array and b.array else None
