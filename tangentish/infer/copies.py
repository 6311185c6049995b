"""copy.copy and copy.deepcopy, written out for what they copy.

copy.copy(x)           ->  np.copy(x), of an array
copy.copy(xs)          ->  list(xs)
copy.deepcopy(d)       ->  {"a": np.copy(d["a"]), "b": d["b"]}, of a dict with a number under "b"
copy.copy(body)        ->  an object of the same class with the same attributes
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.errors import Refusal
from tangentish.infer.flat_arrays import FlatArrays
from tangentish.infer.in_loops import seek_name
from tangentish.ir.quote import constant, quote
from tangentish.kinds import REFUSED, Kind, Known, Num, Seq, Tup, is_number
from tangentish.language.lifted import Instance, element_path

COPYING = (copy.copy, copy.deepcopy)

_PATHS = (gast.Name, gast.Attribute, gast.Subscript)
_OWN_WAYS = (
    "__copy__",
    "__deepcopy__",
    "__getstate__",
    "__setstate__",
    "__reduce__",
    "__reduce_ex__",
    "__slots__",
)
_REFUSED = (
    "it is not known how to copy this: lists, dicts, arrays and plain objects are copied, each part of which"
    " stands in them once"
)


class Copies(FlatArrays):
    """The part of the walk that copies."""

    def copied_by(self, function: Any, value: Any, node: Any) -> Kind:
        """The kind of copy.copy(value) or copy.deepcopy(value), which carries a derivative."""
        kind = self.kind(value)
        if not isinstance(value, _PATHS):
            seek_name(self, value)
        whole = isinstance(value, _PATHS) or (isinstance(kind, Num) and not kind.optional)
        deep = function is copy.deepcopy
        if (deep and _stands_twice(kind)) or _is_of_records(kind):
            self.refuse(_REFUSED, node)
            if self.statement is not None:
                self.facts.not_followed.add(self.statement)
            return REFUSED
        made = _copy(value, kind, deep) if whole else None
        if made is None:
            self.facts.late.append(
                Refusal(_REFUSED, node)
            )  # more may be known of it in the next pass
            return kind
        return self.answered_by(node, lambda: made)

    def copied_dict(self, function: Any, value: Any, node: Any) -> Kind | None:
        """The same of a dict in which nothing varies so far; None for anything else."""
        if _is_of_records(self.kind(value)):
            return None
        made = self.with_entries_of([(None, value)], node)
        deep = function is copy.deepcopy
        return (
            None if deep and not (isinstance(made, Tup) and all(map(_stays, made.items))) else made
        )


def _copy(value: Any, kind: Kind, deep: bool) -> Any | None:
    """An expression that copies a value; None where it is not known how."""
    match kind:
        case Num(array=False):
            return ir.duplicate(value)
        case Num(array=array, active=active) if array or active:
            made = "np.copy({x})" if array else "+{x}"  # a new array, or the number
            if not kind.optional:
                return quote(made, x=value)
            none = f"None if {{again}} is None else {made}"
            return quote(none, x=value, again=ir.duplicate(value))
        case Seq(is_tuple=False, keyed=False, item=item):
            numbers = item is None or is_number(item)
            return quote("list({xs})", xs=value) if numbers or not deep else None
        case Tup(optional=False, is_function=False):
            return _copy_of_parts(value, kind, deep)
    return ir.duplicate(value) if not kind.active and not deep else None


def shallow_copy(value: Any, kind: Tup) -> Any | None:
    """A dict or an object that holds the same; None where it is not known how to make one."""
    return _copy_of_parts(value, kind, deep=False)


def _copy_of_parts(value: Any, kind: Tup, deep: bool) -> Any | None:
    if kind.is_counted and not deep:
        return quote("list({xs})", xs=value) if kind.is_list else ir.duplicate(value)
    if kind.is_object and any(_has_own(kind.type, name) for name in _OWN_WAYS):
        return None
    parts = [element_path(ir.duplicate(value), k, kind) for k in range(len(kind.items))]
    if deep:
        parts = [_deep(part, item) for part, item in zip(parts, kind.items, strict=True)]
    if any(part is None for part in parts):
        return None
    if kind.is_counted:
        made = gast.List if kind.is_list else gast.Tuple
        return made(parts, gast.Load())
    keys = [constant(key) for key in kind.keys or ()]
    if kind.is_mapping:
        return gast.Dict(keys, parts)
    assert kind.type is not None
    return Instance(keys, parts, ir.duplicate(value), kind.type)


def _deep(part: Any, kind: Kind) -> Any | None:
    """A deep copy of a part; None where it is not known how, or what it holds."""
    if kind.active or isinstance(kind, (Num, Seq, Tup)):
        return _copy(part, kind, True)
    return part if _stays(kind) else None


def _stays(kind: Kind) -> bool:
    """Whether a copy of such a value is that value."""
    return is_number(kind) or isinstance(kind, Known)


def _has_own(cls: Any, name: str) -> bool:
    return any(name in vars(base) for base in cls.__mro__[:-1])


def _is_of_records(kind: Kind) -> bool:
    """Whether it is a list of dicts or objects, by the lists of their entries: no dict, as one of which it is made."""
    return isinstance(kind, Tup) and kind.is_records


def _stands_twice(kind: Kind) -> bool:
    """Whether two parts of a value may be one, which their copies would be, too."""
    places = [place for part in _parts(kind) for place in part]
    return len(places) > len(set(places))


def _parts(kind: Kind) -> Iterator[frozenset[Any]]:
    match kind:
        case Num(buffers=buffers) | Seq(buffers=buffers):
            yield frozenset(buffers)
        case Tup(items=items, sites=sites):
            yield sites
            for item in items:
                yield from _parts(item)
