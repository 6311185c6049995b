"""What a call gives to `a, *rest = f(x)` has a name each, and the list is one of those names.

a, *rest = f(x)    ->    a, rest_0, rest_1 = f(x)                              where the list is told apart
                         a, rest_1, rest_2 = f(x); rest = [rest_1, rest_2]     elsewhere
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.kinds import Tup
from tangentish.language.placed import all_at, at


def is_spread_from_call(target: Any, value: Any, given: Any) -> bool:
    """Whether a line takes the results of a call apart, some of them in a list, and binds no name twice."""
    results = isinstance(given, Tup) and given.active and isinstance(value, gast.Call)
    if not results or not isinstance(target, gast.Tuple):
        return False
    inner = [t.value if isinstance(t, gast.Starred) else t for t in target.elts]
    names = [t.id for t in inner if isinstance(t, gast.Name)]
    return starred_in(target) is not None and len(set(names)) == len(inner)


def starred_in(target: Any) -> Any:
    """The name that gets a list of several results."""
    return next((t.value for t in target.elts if isinstance(t, gast.Starred)), None)


def names_for(target: Any, given: Any, fresh: Callable[[str], str]) -> list[Any]:
    """New names for what is in the list."""
    stem = ir.base_name(starred_in(target).id).strip("_") or "t"
    return [ir.name(fresh(stem)) for _ in range(len(given.items) - len(target.elts) + 1)]


def with_each_named(target: Any, names: Sequence[Any]) -> Any:
    """The targets, with these names for what is in the list."""
    elements = [
        new
        for part in target.elts
        for new in (map(_stored, names) if isinstance(part, gast.Starred) else [part])
    ]
    return at(gast.Tuple(elements, gast.Store()), target)


def display_of_names(target: Any, names: Sequence[Any]) -> Any:
    return all_at(gast.List(list(names), gast.Load()), target)


def _stored(name: Any) -> Any:
    return gast.Name(name.id, gast.Store(), None, None)
