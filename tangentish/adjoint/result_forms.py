"""Functions that return containers: inside, their elements are returned one by one; outside, in the containers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.known_functions import is_of_library
from tangentish.ir.quote import constant
from tangentish.kinds import Kind, Tup


def form_of_result(function: ir.Function) -> Tup | None:
    """The containers that a function returns, where they are more than one plain tuple."""
    last = ir.last_return(function.body)
    return None if last is None else last.form


def holds_objects(form: Kind | None) -> bool:
    """Whether an object of the user's classes, or a named tuple of theirs, is among the containers."""
    if not isinstance(form, Tup):
        return False
    own = form.type is not None and not form.is_mapping and not is_of_library(form.type)
    return own or any(map(holds_objects, form.items))


def display(form: Kind, values: Sequence[Any]) -> Any:
    """The expression of what a function returns, of those of its elements."""
    return _display(form, iter(values))


def _display(form: Kind, values: Iterator[Any]) -> Any:
    if not isinstance(form, Tup):
        return next(values)
    items = [_display(item, values) for item in form.items]
    if form.is_mapping:
        return gast.Dict(list(map(constant, form.keys or ())), items)
    return (gast.List if form.is_list else gast.Tuple)(items, gast.Load())


def built(form: Kind, values: Iterator[Any]) -> Any:
    """A container of values."""
    if not isinstance(form, Tup):
        return next(values)
    items = [built(item, values) for item in form.items]
    if form.is_mapping:
        return dict(zip(form.keys or (), items, strict=True))
    return items if form.is_list else tuple(items)


def elements(form: Kind, value: Any) -> Iterator[Any]:
    """What stands in a container of this form, one by one."""
    if not isinstance(form, Tup):
        yield value
        return
    items = (
        [value[key] for key in form.keys] if form.is_mapping and form.keys is not None else value
    )
    for part, item in zip(form.items, items, strict=True):
        yield from elements(part, item)
