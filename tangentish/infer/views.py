"""Paths: expressions that give exactly the view of a named array that another name stands for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.environment import Environment, Path
from tangentish.infer.facts import Facts
from tangentish.infer.indices import is_fancy
from tangentish.infer.known_functions import MAY_VIEW
from tangentish.kinds import Num, Seq, buffers_of

__all__ = ["called_view", "path_into_arguments", "path_of"]


def path_of(value: Any, facts: Facts, env: Environment) -> Path | None:
    """An expression that gives exactly a view of a named array, and the values it depends on."""
    called = called_view(value, facts) if isinstance(value, gast.Call) else None
    if called is not None:
        return called
    node = value
    while node is not None and _is_in_memory(node, facts):
        if isinstance(node, gast.Name) and ir.is_value(node.id):
            inner: Path | None = env.paths.get(node.id) if node is value else None
            return inner or (value, _values_in(value))
        node = _viewed(node, facts)
    return None


def called_view(node: Any, facts: Facts, k: int = 0) -> Path | None:
    """The path of the k-th result of a call of a function of the user's."""
    callee = facts.callees.get(node)
    if callee is None or callee.user is None or len(callee.user.views) <= k:
        return None
    path = callee.user.views[k]
    return None if path is None else (path, _values_in(path))


def path_into_arguments(path: Any, names: Sequence[str], arguments: Sequence[Any]) -> Any | None:
    """A callee's path into its parameters as one into the arguments of this call."""
    given = dict(zip(names, arguments, strict=True))
    used = [given[n] for n in ir.names_in(path) if n in given]
    simple = (gast.Name, gast.Subscript, gast.Constant, gast.Attribute)
    if not all(isinstance(argument, simple) for argument in used):
        return None
    if not isinstance(ir.root_of(given[ir.root_of(path).id]), gast.Name):
        return None
    return ir.copy_expression(path, lambda n: given.get(n.id) if type(n) is gast.Name else None)


def _values_in(path: Any) -> frozenset[str]:
    return frozenset(n for n in ir.names_in(path) if ir.is_value(n))


def _is_in_memory(node: Any, facts: Facts) -> bool:
    kind = facts.kind(node)
    if isinstance(kind, Seq):
        return True
    return isinstance(kind, Num) and bool(kind.array) and bool(kind.buffers)


def _viewed(node: Any, facts: Facts) -> Any | None:
    """What an expression gives an exact view of."""
    match node:
        case gast.Subscript(value=inner) if isinstance(facts.kind(inner), Seq):
            return None if isinstance(node.slice, gast.Slice) else inner
        case gast.Subscript(value=inner) if not is_fancy(node.slice, facts):
            return inner
        case gast.Attribute(value=inner, attr="T" | "mT"):
            return inner
        case gast.Call():
            return _viewed_by_call(node, facts)
    return None


def _viewed_by_call(node: Any, facts: Facts) -> Any | None:
    callee, kind = facts.callees.get(node), facts.kind(node)
    if callee is None or callee.user is not None or not callee.args or not isinstance(kind, Num):
        return None
    argument = callee.args[0]
    exact = callee.function in MAY_VIEW and kind.buffers == buffers_of(facts.kind(argument))
    return argument if exact else None
