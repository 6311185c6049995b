"""The values of a loop that have to do with what is outside of it, though no trip reads what was there before.

    for k in range(n):
        g = x.sum()
        x[k] = x[k] * g
    g = 0.5
    h = lambda p: g * p

A function inside captures the name and not a value, so that both stand for one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set

from tangentish import ir


class Elsewhere:
    """How often a function reads or binds each value."""

    def __init__(self, function: ir.Function) -> None:
        self.mentions = Counter([*function.parameters, *_mentioned_in(function.body)])

    def of(self, loop: ir.Statement, inside: Set[str]) -> frozenset[str]:
        """Those of the values bound inside a loop that stand outside of it, too."""
        here = Counter(name for name in _mentioned_in((loop,)) if name in inside)
        return frozenset(name for name in inside if self.mentions[name] > here[name])


def _mentioned_in(block: ir.Block) -> Iterator[str]:
    for statement in ir.walk_statements(block):
        yield from ir.mentioned(statement)
        yield from ir.defined_names(statement)
