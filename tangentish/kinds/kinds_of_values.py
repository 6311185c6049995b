"""The kinds of values that are there: arguments, globals, what a name stands for."""

from __future__ import annotations

import builtins
import functools
import types
from collections.abc import Hashable, Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np

from tangentish.kinds import (
    UNKNOWN,
    Buffer,
    Fun,
    Functions,
    Kind,
    Known,
    Num,
    OneOf,
    Opaque,
    Seq,
    Sparse,
    Taken,
    Tup,
    replace,
    with_parts,
)
from tangentish.kinds.arrays_outside import array_kind
from tangentish.kinds.classes import (
    attributes_held,
    has_plain_attributes,
    hides_a_method,
    holds_attributes,
    is_as_a_module,
)
from tangentish.kinds.devices import is_array, is_device_array
from tangentish.kinds.joins import MOST_FUNCTIONS, has_identity, join, one_of
from tangentish.kinds.lengths import TWO, Dim, Length
from tangentish.kinds.objects_outside import (
    is_called_by_a_method,
    object_of_known_class,
)
from tangentish.kinds.objects_remembered import object_remembered
from tangentish.kinds.own_answers import own_way_to_items
from tangentish.kinds.plain_containers import DICTS, LISTS_AND_DICTS
from tangentish.kinds.remembered import Remembered
from tangentish.kinds.rows_of_functions import row_of_functions
from tangentish.kinds.several_classes import ObjectOf, objects_it_may_be
from tangentish.rules.own import is_ruled

MOST_LOOKED_AT = 1000  # of the items of a list or dict outside, at every call


def _of_container(value: Sequence[object] | dict[object, object]) -> Kind:
    """The kind of a list or dict outside: that of functions and of plain numbers and texts says what it holds."""
    cls = LISTS_AND_DICTS[type(value)]
    if len(value) > MOST_LOOKED_AT:
        return Opaque(cls)
    items = _items_of(value)
    seen = _seen.of(value, items)
    if seen is None:
        seen = _of_items(cls, items)
        _seen.keep(value, items, seen)
    return seen


def _items_of(value: Sequence[object] | dict[object, object]) -> list[object]:
    return list(value.values() if isinstance(value, dict) else value)


def _of_items(cls: type, items: Sequence[object]) -> Kind:
    alike = object_of_known_class(items)
    known = one_of(items, sure=False) if alike is None and all(map(has_identity, items)) else None
    item = alike or _item(items)
    return Opaque(cls, item) if known is None else Functions(cls, known)


_seen: Remembered[Kind] = Remembered()


def _item(items: Sequence[object]) -> Kind | None:
    """What each of these is; None where they are of several sorts."""
    different: set[Kind] = set()
    if not set(map(type, items)) <= _SAID:
        return None
    full = [item for item in items if not (type(item) is list and not item)]
    if len(full) < len(items) and any(type(item) is not list for item in full):
        return None
    for item in _one_of_each_form(full):  # what an empty list holds is of any kind
        different.add(_of_item(item))
    if len(set(map(_form, different))) == 1:
        alike: Kind | None = functools.reduce(join, different)
    else:
        alike = row_of_functions(different) if len(different) <= MOST_FUNCTIONS else None
    return alike if alike is not None and is_settled(alike) else None


def _of_item(item: Any) -> Kind:
    """The kind of what a list or dict holds; lists and dicts are remembered with the one that they lie in."""
    if type(item) is str:
        return Opaque(str)
    if type(item) in LISTS_AND_DICTS and len(item) <= MOST_LOOKED_AT:
        return _of_items(LISTS_AND_DICTS[type(item)], _items_of(item))
    return kind_of(item)


def _form(kind: Kind) -> Kind:
    """The kind without what its objects hold, and which of the user's classes they are of."""
    if objects_it_may_be(kind):
        return Opaque(object)
    match kind:
        case Opaque(item=item):
            return replace(kind, parts=(), item=None if item is None else _form(item))
    return with_parts(kind, _form)


def _one_of_each_form(items: Sequence[Any]) -> Iterable[Any]:
    """Items among which is one of each kind: tuples of numbers, by the thousand, differ in the types of these alone."""
    if set(map(type, items)) != {tuple}:
        return items
    forms = {tuple(map(type, item)): item for item in items}
    return forms.values() if _NUMBERS.issuperset(chain.from_iterable(forms)) else items


_NUMBERS = {int, float, bool, complex}
_SAID = {int, float, str, tuple, *LISTS_AND_DICTS}


def is_settled(kind: Kind) -> bool:
    """Whether it is known what a container holds, down to its numbers, texts and objects."""
    match kind:
        case Tup(items=items):
            return all(map(is_settled, items))
        case Opaque(type=kind_type, item=item) if kind_type in (list, dict):
            return item is not None
        case Num(array=False) | Opaque(type=builtins.str) | OneOf() | ObjectOf():
            return True
        case Opaque(type=type() as cls):
            return has_plain_attributes(cls)
    return False


def may_differ_inside(kind: Kind) -> bool:
    """Whether the same list or dict may be of another kind at the next call."""
    match kind:
        case Tup(items=items):
            return any(map(may_differ_inside, items))
        case ObjectOf(options=options):
            return any(map(may_differ_inside, options))
        case Opaque(item=item, parts=parts):
            return item is not None or bool(parts)
    return False


def whatever_it_holds(kind: Kind) -> Kind:
    """The kind of a list, dict or object that may hold something else by now."""
    if not may_differ_inside(kind):
        return kind
    return Opaque(kind.type) if isinstance(kind, Opaque) and kind.item is None else UNKNOWN


def may_hide_methods(kind: Kind) -> bool:
    """Whether the same object may be of another kind at the next call: one that hides a method of its class."""
    match kind:
        case Tup(items=items):
            return any(map(may_hide_methods, items))
        case Opaque(type=type() as cls):
            return holds_attributes(cls) and has_plain_attributes(cls)
    return False


def kinds_of(values: Sequence[object], *, two: bool = True) -> tuple[Kind, ...]:
    """The kinds of the arguments of one call: equal lengths get equal symbols.

    A `Num` among them stands for an array of that kind. two: whether the length 2 is told from others.
    """
    symbols: dict[int, Dim] = {}

    def length(n: int) -> Length:
        if n == 2 and two:
            return TWO
        return n if n < 2 else symbols.setdefault(n, Dim(len(symbols)))

    def kind(value: object, place: tuple[Hashable, ...]) -> Kind:
        plain = _PLAIN.get(type(value))
        if plain is not None:
            return plain
        if is_array(value):
            return Num(
                value.dtype,
                tuple(map(length, value.shape)),
                True,
                buffers=frozenset({Buffer(place)}),
                contiguous=value.flags.c_contiguous,
            )
        if type(value) is int:
            return Num(np.dtype(int), (), False, weak=True, value=Dim(place))
        if type(value) is Num:
            return replace(value, buffers=frozenset({Buffer(place)}))
        parts = parts_of(value) if len(place) < DEEPEST else None
        if parts is None:
            return kind_of(value)
        keys, elements = parts
        alike = _PLAIN.get(type(elements[0])) if elements else None
        if alike is not None and len(set(map(type, elements))) == 1:
            items = (alike,) * len(elements)
        else:
            items = tuple(kind(item, (*place, k)) for k, item in enumerate(elements))
        named = None if type(value) in (tuple, list) else type(value)
        return Tup(items, type(value) is list, frozenset({place}), keys, named)

    return tuple(kind(value, ("argument", k)) for k, value in enumerate(values))


def flags_of(values: Sequence[object]) -> tuple[tuple[int, bool | str], ...]:
    """The arguments that are True, False or a string, by position."""
    return tuple((k, value) for k, value in enumerate(values) if type(value) in (bool, str))  # type: ignore[misc]


DEEPEST = 8  # levels of containers in containers that are looked into


def parts_of(value: Any) -> tuple[tuple[Hashable, ...] | None, Sequence[object]] | None:
    """The keys (None where they are positions) and elements of a container; None for anything else."""
    if type(value) in (tuple, list):
        return None, value
    if type(value) in DICTS:
        return tuple(value), tuple(value.values())
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        known = own_way_to_items(type(value)) is None
        return (tuple(value._fields), tuple(value)) if known else None
    if holds_attributes(type(value)) and has_plain_attributes(type(value)):
        held = attributes_held(value)
        return tuple(held), tuple(held.values())
    return None


def attribute_of(value: Any, name: str, otherwise: Any = None) -> Any:
    """An attribute, where it is there: the user's `__getattr__` is not asked for it."""
    asking = ("__getattr__", "__getattribute__")
    classes = type(value).__mro__
    if any(isinstance(vars(c).get(n), types.FunctionType) for c in classes for n in asking):
        try:
            return object.__getattribute__(value, name)
        except AttributeError:
            return otherwise
    return getattr(value, name, otherwise)


def kind_of(value: object) -> Kind:
    """The kind of one value that is no array of the arguments."""
    if type(value) in (float, int, bool, complex):
        return Num(np.dtype(type(value)), (), False, weak=True)
    if isinstance(value, np.generic):
        return Num(value.dtype, (), False) if value.dtype.kind in "biufc" else Opaque(type(value))
    if type(value) is np.ndarray:
        return array_kind(value)
    if type(value) is tuple:
        return Tup(tuple(map(kind_of, value)))
    if (
        value is None
        or isinstance(value, (str, type, types.ModuleType, np.dtype))
        or (callable(value) and (not is_called_by_a_method(value) or is_ruled(value)))
        or _is_distribution(value)
        or is_as_a_module(value)
    ):
        return Known(value)
    if type(value) in LISTS_AND_DICTS:
        return _of_container(value)  # type: ignore[arg-type]
    if _is_sparse(value):
        return _sparse_kind(value)
    return UNKNOWN if hides_a_method(value) else object_remembered(value)


# the kinds of what lists hold by the thousand, whichever it is; a derivative serves any text
_PLAIN: dict[type, Kind] = {kind: kind_of(kind()) for kind in (float, bool, complex)} | {
    str: Opaque(str)
}


def _is_sparse(value: object) -> bool:
    """Whether this is a sparse matrix of SciPy, of real numbers."""
    home = type(value).__module__
    if not home.startswith("scipy.sparse.") or not hasattr(value, "tocsr"):
        return False
    return value.ndim == 2 and value.dtype.kind in "biuf"  # type: ignore[attr-defined]


def _sparse_kind(value: Any) -> Sparse:
    rows, columns = value.shape
    return Sparse(type(value), dtype=value.dtype, square=rows == columns)


def _is_distribution(value: object) -> bool:
    """Whether this is a distribution of SciPy with its parameters, which stay as they are."""
    return type(value).__module__.startswith("scipy.stats.") and hasattr(value, "rvs")


def undecorated(value: Any) -> Any:
    """The function that `@differentiable` was given; anything else as it is, without asking an object of the user's."""
    decorated = any("__tangentish__" in vars(cls) for cls in type(value).__mro__)
    return value.__tangentish__ if decorated else value


def signature_of(values: Sequence[object], *, two: bool = False) -> Hashable:
    """What of the arguments of a call a derivative depends on: equal signatures may share one.

    two: also which lengths are 2, on which few depend.
    """
    return (any(map(_is_on_device, values)), *map(_part, kinds_of(values, two=two)))


def _is_on_device(value: object, depth: int = DEEPEST) -> bool:
    if type(value) in _PLAIN or type(value) is int:
        return False
    parts = parts_of(value) if depth else None
    inner = () if parts is None else parts[1]
    if is_device_array(value):
        return True
    return not set(map(type, inner)) <= _PLAIN.keys() and any(
        _is_on_device(item, depth - 1) for item in inner
    )


def _part(kind: Kind) -> Hashable:
    match kind:
        case Num():
            return (kind.dtype, kind.shape, kind.array, kind.weak, kind.contiguous)
        case Tup(items=items):
            alike = len(items) > 1 and items.count(items[0]) == len(items)
            parts = (len(items), _part(items[0])) if alike else tuple(map(_part, items))
            return (kind.is_list, parts, kind.keys, kind.type)
        case Seq():
            return (kind.is_tuple, kind.keyed, kind.item and _part(kind.item))
        case Sparse():
            return (kind.type, kind.dtype, kind.square)
        case Known(value=str() as text):
            return str if type(text) is str else (type(text), text)  # no flag tells of a subclass
        case Known() | Fun() | Taken() | OneOf() | Functions():
            return kind
        case _:
            return kind.type, kind.item, kind.parts
