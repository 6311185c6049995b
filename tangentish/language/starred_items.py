"""Loops whose items are taken apart with a star: each has a name, and is taken apart on a line of its own.

for name, *values in rows: ...    ->    for item in rows: name, *values = item; ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangentish import ir
from tangentish.language.placed import at, name_at, target_at


def has_star(target: Any) -> bool:
    """Whether a target, or a part of one, has a star."""
    return any(isinstance(part, gast.Starred) for part in ir.walk(target))


def with_starred_named(loop: Any, fresh: Callable[[str], str]) -> Any:
    """The loop with a name for each item, or part of one, that is taken apart with a star."""
    lines: list[Any] = []

    def named(target: Any) -> Any:
        if not isinstance(target, gast.Tuple):
            return target
        if not ir.has_star(target.elts):
            return at(gast.Tuple(list(map(named, target.elts)), gast.Store()), target)
        name = fresh("item")
        lines.append(at(gast.Assign([target], name_at(name, target), None), target))
        return target_at(name, target)

    target = named(loop.target)
    return ir.with_fields(loop, {"target": target, "body": [*lines, *loop.body]})
