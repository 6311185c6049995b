"""Comprehensions in which an assignment expression binds a name of the function: as the loops that they are.

y = [f(u) for v in x if (u := g(v)) > 0]
    ->  y = []
        for v in x:
            if (u := g(v)) > 0:
                y.append(f(u))

So is a generator that a function takes all items of: sum(u for v in x if (u := g(v)) > 0).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangentish.language.generated_loops import looped
from tangentish.language.named_members import Find
from tangentish.language.placed import all_at, assign_at, at, name_at, target_at

_TAKING_ALL = (sum, max, min, list, tuple, sorted, set, frozenset)


def loop_that_binds(
    node: Any, result: str, item: str, fresh: Callable[[str], str]
) -> tuple[list[Any], Any]:
    """The lines that make a list, and the name that it has."""
    append = gast.Attribute(name_at(result, node), "append", gast.Load())
    line = all_at(gast.Expr(gast.Call(append, [name_at(item, node)], [])), node)
    generator = at(gast.GeneratorExp(node.elt, node.generators), node)
    loop = at(gast.For(target_at(item, node), generator, [line], [], None), node)
    made = assign_at(result, at(gast.List([], gast.Load()), node), node)
    return [made, looped(loop, generator, fresh)], name_at(result, node)


def with_items_listed(call: Any, find: Find) -> Any | None:
    """sum(f(v) for v in x) is sum([f(v) for v in x]); nothing for other calls

    What else it is given is evaluated before the items are, or between them: it must not read what they bind.
    """
    match call:
        case gast.Call(func=gast.Name(id=name), args=[gast.GeneratorExp() as given, *others]) if (
            find(name) in _TAKING_ALL
            and all(map(_is_constant, (*others, *(k.value for k in call.keywords))))
        ):
            listed = at(gast.ListComp(given.elt, given.generators), given)
            return at(gast.Call(call.func, [listed, *others], call.keywords), call)
    return None


def _is_constant(node: Any) -> bool:
    return isinstance(node, gast.Constant)
