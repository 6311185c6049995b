"""Paths: expressions that give exactly the view of a named array that another name stands for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.environment import Environment, Path
from tangentish.infer.facts import Facts
from tangentish.infer.indices import is_fancy
from tangentish.infer.known_functions import MAY_VIEW
from tangentish.kinds import Kind, Known, Num, Opaque, Seq, Tup, buffers_of, is_array
from tangentish.rules.names import named

# Functions that give the same again for the same numbers.
_STEADY = {len, min, max, abs, int, round, np.ndim, np.shape, np.size}


def path_of(value: Any, facts: Facts, env: Environment) -> Path | None:
    """An expression that gives exactly a view of a named array, and the values it depends on."""
    called = called_view(value, facts) if isinstance(value, gast.Call) else None
    if called is not None:
        return called
    node = value
    while node is not None and _is_in_memory(node, facts):
        if ir.is_own_name(node):
            inner: Path | None = env.paths.get(node.id) if node is value else None
            return inner or (value, ir.values_in(value))
        node = _viewed(node, facts)
    return None


def called_view(node: Any, facts: Facts, k: int = 0) -> Path | None:
    """The path of the k-th result of a call of a function of the user's."""
    user = facts.user_of(node)
    if user is None or len(user.views) <= k:
        return None
    path = user.views[k]
    return None if path is None else (path, ir.values_in(path))


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


def lasts(path: Any, facts: Facts) -> bool:
    """Whether a path leads to the same place until a name in it is bound anew, whatever is written to."""
    links = (link for link in ir.links_of(path) if not _is_entry(link, facts))
    arguments = (part for link in links for part in _indices(link))
    return all(_is_steady(part, facts) for part in arguments)


def _is_entry(link: Any, facts: Facts) -> bool:
    """`d[key]` of a dict whose keys are computed, and which stay what they are."""
    match link:
        case gast.Subscript(value=d, slice=gast.Name(id=key)):
            kind = facts.kind(d)
            return isinstance(kind, Seq) and kind.keyed and ir.is_value(key)
    return False


def is_short(path: Any) -> bool:
    """Whether the indices of a path are no calls: what is computed gets a name."""
    indices = (part for link in ir.links_of(path) for part in _indices(link))
    return not any(isinstance(node, gast.Call) for part in indices for node in ir.walk(part))


def _indices(link: Any) -> Sequence[Any]:
    """What a link of a chain is computed from, besides what it is a view of."""
    match link:
        case gast.Subscript(slice=index):
            return (index,)
        case gast.Call(func=gast.Attribute(value=inner), args=args, keywords=keywords):
            method = ir.is_value(getattr(inner, "id", ".")) or not isinstance(inner, gast.Name)
            return (*(args if method else args[1:]), *(k.value for k in keywords))
    return ()


def _is_steady(node: Any, facts: Facts) -> bool:
    match node:
        case gast.Constant():
            return True
        case gast.Name(id=name):
            return ir.is_value(name) and _is_immutable(facts.kind(node))
        case gast.Attribute(value=x, attr="shape" | "ndim" | "size"):
            root = ir.root_of(x)
            return (
                isinstance(root, gast.Name)
                and isinstance(facts.kind(root), Num)
                and lasts(x, facts)
            )
        case gast.Call(func=gast.Name(), args=args, keywords=[]):
            return _is_measure(node, facts) or (
                _function(node, facts) in _STEADY and all(_is_steady(a, facts) for a in args)
            )
        case gast.Slice() | gast.Tuple() | gast.UnaryOp() | gast.BinOp() | gast.Compare():
            return all(_is_steady(part, facts) for part in ir.children(node))
        case gast.Subscript(value=gast.Attribute() | gast.Name()):
            return _is_steady(node.value, facts) and _is_steady(node.slice, facts)
    return False


def _is_immutable(kind: Kind) -> bool:
    match kind:
        case Num(array=array):
            return array is False
        case Tup(items=items, is_list=False, keys=None):
            return all(map(_is_immutable, items))
        case Known(value=value):
            return value is None or isinstance(value, (bool, str))
    return kind == Opaque(slice)


def _is_measure(call: Any, facts: Facts) -> bool:
    """len(x), np.shape(x) of an array"""
    if len(call.args) != 1:
        return False
    [x], root = call.args, ir.root_of(call.args[0])
    kind = facts.kind(root)
    array = is_array(kind) and isinstance(root, gast.Name)
    return array and _function(call, facts) in (len, np.ndim, np.shape, np.size) and lasts(x, facts)


def _function(call: Any, facts: Facts) -> Any:
    name = getattr(call.func, "id", "")
    if name.startswith("$"):
        return named(name[1:])
    kind = facts.kind(call.func)
    return kind.value if isinstance(kind, Known) and callable(kind.value) else None


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
