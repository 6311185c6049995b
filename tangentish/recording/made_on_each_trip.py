"""Memory that each trip of a loop makes for itself, and that no other trip knows.

    for k in range(n):
        lap = np.zeros(m)
        lap[1:-1] = ...
        u += dt * lap

The walk back over a trip need not bring back what this array held at first: earlier trips had arrays of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Set
from typing import Any

from tangentish import ir

__all__ = ["SitesByNode", "by_node", "made_on_each_trip"]

SitesByNode = Mapping[Hashable, Mapping[Hashable, Set[str]]]
"""The memory that is made at a node, by its id, and the values that may lie there."""


def made_on_each_trip(
    loop: ir.For | ir.While, made_at: SitesByNode, carried: Set[str]
) -> frozenset[Hashable]:
    """The sites at which each trip makes an array that is gone when the next one begins.

    carried: the values that a trip may find as another has left them.
    """
    made = (made_at.get(id(node), {}) for node in _nodes(loop.body))
    return frozenset(
        site for sites in made for site, names in sites.items() if carried.isdisjoint(names)
    )


def by_node(holders: Mapping[Any, Set[str]]) -> SitesByNode:
    """holders: the values that may lie in the memory of a site."""
    found: dict[Hashable, dict[Hashable, Set[str]]] = defaultdict(dict)
    for site, names in holders.items():
        found[_node_of(site)][site] = names
    return found


def _nodes(block: ir.Block) -> Iterator[Any]:
    for statement in ir.walk_statements(block):
        for expression in ir.expressions_of(statement):
            yield from ir.walk(expression)


def _node_of(site: Hashable) -> Hashable:
    """Of memory that is made at a node, the id of that (infer/walk.py)."""
    return site[1] if isinstance(site, tuple) and site[:1] == ("result",) else site
