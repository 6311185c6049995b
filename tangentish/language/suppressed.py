"""`with suppress(E): ...`  ->  try: ... except E: pass"""

from __future__ import annotations

import contextlib
from typing import Any

import gast

from tangentish.language.named_members import Find
from tangentish.language.placed import at


def suppresses(node: Any, find: Find) -> bool:
    """Whether one of the managers of a `with` is such a one."""
    return any(_is_suppress(item, find) for item in node.items)


def suppressed(node: Any, find: Find) -> Any:
    """The `with` as a `try`, or with a `try` inside, if it is not the first."""
    first, *others = node.items
    body = [at(gast.With(others, node.body, None), node)] if others else node.body
    if not _is_suppress(first, find):
        return at(gast.With([first], body, None), node)
    types = first.context_expr.args
    caught = types[0] if len(types) == 1 else at(gast.Tuple(types, gast.Load()), node)
    handler = gast.ExceptHandler(caught, None, [at(gast.Pass(), node)])
    return at(gast.Try(body, [at(handler, node)], [], []), node)


def _is_suppress(item: Any, find: Find) -> bool:
    match item.context_expr:
        case gast.Call(func=gast.Name(id=name), keywords=[]):
            return find(name) is contextlib.suppress
        case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="suppress"), keywords=[]):
            return find(name) is contextlib
    return False
