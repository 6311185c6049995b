"""`global` and `nonlocal`: the names outside that a function binds."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.language.source import Source

_DECLARATIONS = (gast.Global, gast.Nonlocal)
_OWN_NAMES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda)


def declarations(statements: Sequence[Any], refuse: Callable[[str, Any], None]) -> list[Any]:
    """The `global` and `nonlocal` lines of a function; other ways of binding their names than by = are refused."""
    if not ir.nodes_of(statements, *_DECLARATIONS):
        return []
    own = [node for statement in statements for node in _own_nodes(statement)]
    found = [node for node in own if isinstance(node, _DECLARATIONS)]
    if not found:
        return []
    names = declared_in(found)
    plainly = {n.targets[0] for n in own if isinstance(n, gast.Assign) and len(n.targets) == 1}
    plainly |= {n.target for n in own if isinstance(n, gast.AugAssign)}
    for node in own:
        bound = isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load)
        if bound and node.id in names and node not in plainly:
            refuse(
                f"'{node.id}' stands outside of the function: bind it with = on a line of its own",
                node,
            )
    return found


def declared_in(declared: Sequence[Any]) -> frozenset[str]:
    return frozenset(name for node in declared for name in map(identifier, node.names))


def identifier(name: Any) -> str:
    return name if isinstance(name, str) else str(name.id)


def _own_nodes(node: Any) -> Iterator[Any]:
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, _OWN_NAMES):
            stack += ir.children(node)[::-1]


def place_of(source: Source, name: str) -> Hashable:
    """What holds the value of a free name."""
    function = source.function
    if source.where(name) == "closure":
        assert function.__closure__ is not None
        return id(function.__closure__[function.__code__.co_freevars.index(name)])
    return id(function.__globals__), name


def is_place(found: Hashable) -> bool:
    """Whether this is the place of a name, and not of something that a name holds."""
    first = found[0] if isinstance(found, tuple) else found
    return isinstance(first, int)
