"""Memory that each trip of a loop makes for itself, and that no other trip knows.

    for k in range(n):
        lap = np.zeros(m)
        lap[1:-1] = ...
        u += dt * lap

The walk back over a trip need not bring back what this array held at first: earlier trips had arrays of their own.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Set
from typing import Any

from tangentish import ir

__all__ = ["made_on_each_trip"]


def made_on_each_trip(
    loop: ir.For | ir.While, holders: Mapping[Any, Set[str]], carried: Set[str]
) -> frozenset[Hashable]:
    """The sites at which each trip makes an array that is gone when the next one begins.

    holders: the values that may lie in the memory of a site.
    carried: the values that a trip may find as another has left them.
    """
    inside = {id(node) for node in _nodes(loop.body)}
    return frozenset(
        site
        for site, names in holders.items()
        if _node_of(site) in inside and carried.isdisjoint(names)
    )


def _nodes(block: ir.Block) -> Iterator[Any]:
    for statement in ir.walk_statements(block):
        for expression in ir.expressions_of(statement):
            yield from ir.walk(expression)


def _node_of(site: Hashable) -> Hashable:
    """Of memory that is made at a node, the id of that (infer/walk.py)."""
    return site[1] if isinstance(site, tuple) and site[:1] == ("result",) else site
