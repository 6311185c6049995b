"""Loops that store the items they get: all items of a trip are there before the first is stored.

for y[i], i in zip(x, y): ...    ->    for item, item_ in zip(x, y): y[i] = item; i = item_; ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.language.placed import at, name_at, target_at


def is_stored(target: Any) -> bool:
    """Whether a target, or a part of one, is no name."""
    return any(not isinstance(leaf, gast.Name) for leaf in _leaves(target))


def with_items_named(loop: Any, fresh: Callable[[str], str]) -> Any:
    """The loop with a name for each item, from which it is stored."""
    lines: list[Any] = []

    def named(target: Any) -> Any:
        match target:
            case gast.Tuple(elts=parts) | gast.List(elts=parts):
                return at(gast.Tuple(list(map(named, parts)), gast.Store()), target)
            case gast.Starred(value=inner):
                return at(gast.Starred(named(inner), gast.Store()), target)
        name = fresh("item")
        lines.append(at(gast.Assign([target], name_at(name, target), None), target))
        return target_at(name, target)

    target = named(loop.target)
    return ir.with_fields(loop, {"target": target, "body": [*lines, *loop.body]})


def _leaves(target: Any) -> Iterator[Any]:
    match target:
        case gast.Tuple(elts=parts) | gast.List(elts=parts):
            for part in parts:
                yield from _leaves(part)
        case gast.Starred(value=inner):
            yield from _leaves(inner)
        case _:
            yield target
