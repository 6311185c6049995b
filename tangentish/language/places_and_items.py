"""Loops over np.ndenumerate as loops over indices.

for (i, j), v in np.ndenumerate(x): ...    ->    x_items = np.asarray(x)
                                                 for i, j in np.ndindex(x_items.shape): v = x_items[i, j]; ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.language.named_members import Find
from tangentish.language.placed import assign_at, at, name_at


def is_over_places(loop: Any, found: Find) -> bool:
    """Whether this is such a loop, with a target for the place and one for the item."""
    match loop:
        case gast.For(
            target=gast.Tuple(elts=[place, _]),
            iter=gast.Call(
                func=gast.Attribute(value=gast.Name(id=module), attr="ndenumerate"),
                args=[_],
                keywords=[],
            ),
        ):
            parts = ir.parts_of(place)
            names = bool(parts) and all(isinstance(part, gast.Name) for part in parts)
            return names and found(module) is np
    return False


def with_places(loop: Any, fresh: Callable[[str], str]) -> Iterator[Any]:
    """The lines that say the same."""
    source = loop.iter
    array = source.args[0]
    name = fresh(f"{array.id}_items" if isinstance(array, gast.Name) else "items")
    place, item = loop.target.elts

    def of_module(attr: str, arg: Any) -> Any:
        module = name_at(source.func.value.id, source)
        return at(
            gast.Call(at(gast.Attribute(module, attr, gast.Load()), source), [arg], []), source
        )

    yield assign_at(name, of_module("asarray", array), source)
    shape = at(gast.Attribute(name_at(name, source), "shape", gast.Load()), source)
    element = at(gast.Subscript(name_at(name, source), _read(place), gast.Load()), source)
    body = [at(gast.Assign([item], element, None), loop), *loop.body]
    yield at(gast.For(place, of_module("ndindex", shape), body, loop.orelse, None), loop)


def _read(target: Any) -> Any:
    """The index that a target took."""
    if isinstance(target, gast.Tuple):
        names = [name_at(part.id, part) for part in target.elts]
        return at(gast.Tuple(names, gast.Load()), target)
    return name_at(target.id, target)
