"""Whether what a function returns depends on one of its parameters, as far as its source tells.

    def rule(dy, y, x):
        n = len(dy)
        return n * 2 * x      # dy does not reach it: only how long it is does

In doubt it does. A value is followed from name to name, and back to what a name may be a view of
where something is written into that name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import gast

from tangentish.language.leaving import returns_in

SIZES = frozenset(("shape", "dtype", "ndim", "size", "itemsize", "nbytes"))
OF_SIZES = frozenset(
    ("len", "shape", "ndim", "size", "zeros_like", "ones_like", "empty_like", "full_like", "isinstance", "type")
)  # fmt: skip
MODULES = frozenset(("np", "numpy", "math", "scipy"))
TESTS = (gast.If, gast.While, gast.IfExp, gast.Match)
OUTSIDE = (gast.Global, gast.Nonlocal)


def reads_values(tree: Any, name: str) -> bool:
    """Whether more of a parameter is read than its shape and type."""
    return any(n.id == name for n in _value_names(tree))


def reaches_result(tree: Any, name: str) -> bool:
    """Whether the values of a parameter may reach what the function returns."""
    if not isinstance(tree, gast.FunctionDef) or _has(tree, OUTSIDE):
        return reads_values(tree, name)
    written, links = _written_into(tree), list(_links(tree))
    reached, before = {name}, 0
    while len(reached) != before:
        before = len(reached)
        for targets, sources in links:
            if sources & reached:
                reached |= targets
            if targets & reached & written:
                reached |= sources
    returns = list(returns_in(tree.body))
    if not returns:
        return True
    read = [node.test if hasattr(node, "test") else node.subject for node in _all(tree, TESTS)]
    read += [node.value for node in returns if node.value is not None]
    return any(n.id in reached for e in read for n in _value_names(e))


def _links(tree: Any) -> Iterator[tuple[set[str], set[str]]]:
    """What a line binds or may change, and the names whose values it reads."""
    for node in gast.walk(tree):
        match node:
            case gast.Assign(targets=targets, value=value):
                yield _names(targets), _read(value, *targets)
            case gast.AnnAssign(target=target, value=gast.AST() as value):
                yield _names([target]), _read(value, target)
            case (
                gast.AugAssign(target=target, value=value)
                | gast.NamedExpr(target=target, value=value)
            ):
                yield _names([target]), _read(value, target)
            case (
                gast.For(target=target, iter=iterated)
                | gast.comprehension(target=target, iter=iterated)
            ):
                yield _names([target]), _read(iterated)
            case gast.withitem(context_expr=value, optional_vars=gast.AST() as target):
                yield _names([target]), _read(value)
            case gast.FunctionDef(name=name) if node is not tree:
                yield {name}, _read(*node.body)
            case gast.Call() if not _is_of_sizes(node):
                found = _read(node)
                yield found, found


def _written_into(tree: Any) -> set[str]:
    """Names of what is changed in place, as far as the source tells; it may be a view of something else."""
    found: set[str] = set()
    for node in gast.walk(tree):
        match node:
            case gast.AugAssign(target=target):
                found |= _names([target])
            case (
                gast.Subscript(value=value, ctx=gast.Store())
                | gast.Attribute(value=value, ctx=gast.Store())
            ):
                found |= _names([value])
            case gast.Call():
                found |= _read(node)
    return found


def _names(nodes: Sequence[Any]) -> set[str]:
    return {n.id for node in nodes for n in gast.walk(node) if isinstance(n, gast.Name)} - MODULES


def _read(*nodes: Any) -> set[str]:
    return {n.id for node in nodes for n in _value_names(node)} - MODULES


def _value_names(tree: Any) -> Iterator[Any]:
    """The names that are read for more than how large they are."""
    stack = [tree]
    while stack:
        node = stack.pop()
        match node:
            case gast.Name(ctx=gast.Load()):
                yield node
            case gast.Attribute(value=gast.Name(), attr=attr) if attr in SIZES:
                pass
            case gast.Compare(ops=[gast.Is() | gast.IsNot()]):
                pass
            case gast.Call(args=[gast.Name(), *rest], keywords=keywords) if _is_of_sizes(node):
                stack += [*rest, *keywords]
            case gast.Call(func=gast.Name(), args=args, keywords=keywords):
                stack += [node.func, *args, *keywords]
            case _:
                stack += gast.iter_child_nodes(node)


def _is_of_sizes(call: Any) -> bool:
    return getattr(call.func, "id", getattr(call.func, "attr", None)) in OF_SIZES


def _all(tree: Any, kinds: tuple[type, ...]) -> list[Any]:
    return [node for node in gast.walk(tree) if isinstance(node, kinds)]


def _has(tree: Any, kinds: tuple[type, ...]) -> bool:
    return bool(_all(tree, kinds))
