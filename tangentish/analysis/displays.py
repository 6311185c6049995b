"""Containers that are taken apart, written down as one expression again, of the names of their elements."""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.kinds import Cell, KeyedRecords, Records, Tup
from tangentish.language.lifted import Instance, element_name
from tangentish.language.rebound import CellDisplay
from tangentish.language.records import RecordsDisplay


def display_of(name: str, kind: Tup, at: Any, itself: Any) -> Any:
    """A container that is taken apart, as one expression."""
    values = []
    for k, item in enumerate(kind.items):
        element = element_name(name, k, kind)
        inner = gast.copy_location(ir.name(element), at)
        if isinstance(item, Tup) and item.active:
            inner = display_of(element, item, at, ir.name(element))
        values.append(inner)
    if kind.keys is None:
        display = gast.List if kind.is_list else gast.Tuple
        return gast.copy_location(display(values, gast.Load()), at)
    keys = [gast.copy_location(gast.Constant(key, None), at) for key in kind.keys]
    if kind.is_mapping or kind.is_records:
        return gast.copy_location(mapping_of(kind, keys, values), at)
    return gast.copy_location(Instance(keys, values, itself, kind.type), at)


def mapping_of(kind: Tup, keys: list[Any], values: list[Any]) -> Any:
    """The display of a dict, or of what is one to all passes."""
    if kind.type is not None and issubclass(kind.type, KeyedRecords):
        return RecordsDisplay(keys, values, kind.type)
    if kind.type is not None and issubclass(kind.type, Records):
        return RecordsDisplay(keys, values, kind.type.of)
    return (CellDisplay if kind.type is Cell else gast.Dict)(keys, values)
