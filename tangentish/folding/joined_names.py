"""A gradient that goes on as another of the same name, once nobody needs what it was, keeps that name.

dq = dy * q ** 3                 ->      dq = dy * q ** 3
dq_1 = dq                                for _ in range(n):
for _ in range(n):                           dq -= dp * 3 * q ** 2
    dq_1 -= dp * 3 * q ** 2              return dq
return dq_1
g = dX                           ->      dR = X.T @ dX
dR = X.T @ g                             dX = dX + dX @ R.T
dX = g + g @ R.T

Two names become one where neither is set while what the other holds is still needed. Both may stand for one array all
the while: what is done to it under one name is seen under the other, before and after.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.folding.renamed import only_passes, with_names
from tangentish.ir.needed import Define, Needed
from tangentish.ir.origins import NOWHERE


def join_names(
    block: ir.Block, results: Sequence[Any], given: Sequence[str]
) -> tuple[ir.Block, list[Any]]:
    """The adjoint, and its results, with fewer names; given: the head gradients."""
    pairs = list(_copies(block))
    if not pairs:
        return block, list(results)
    names = _joined(pairs, _Conflicts.of(block, results, given), given)
    return with_names(block, results, names)


def _copies(block: ir.Block) -> Iterator[tuple[str, str]]:
    """The pairs of names of which one goes on as the other."""
    for line in ir.walk_statements(block):
        copied = _copy(line)
        if copied is not None and _are_alike(*copied):
            yield copied


def _copy(line: ir.Statement) -> tuple[str, str] | None:
    match line:
        case ir.Assign(gast.Name(id=second), gast.Name(id=first)) if "~" in first and "~" in second:
            return str(second), str(first)
    return None


def _are_alike(one: str, other: str) -> bool:
    return ir.base_name(one) == ir.base_name(other) or only_passes(one) or only_passes(other)


def _joined(
    pairs: Iterable[tuple[str, str]], conflicts: _Conflicts, given: Collection[str]
) -> dict[str, str]:
    """The names that give way, and those that stay in their place."""
    groups: dict[str, set[str]] = {}
    for second, first in pairs:
        one, other = groups.get(second, {second}), groups.get(first, {first})
        if one is not other and not conflicts.between(one, other):
            both = one | other
            groups.update((name, both) for name in both)
    found: dict[str, str] = {}
    for group in groups.values():
        stays = min(group, key=lambda name: (name not in given, only_passes(name), name))
        found.update((name, stays) for name in group if name != stays)
    return found


@dataclass
class _Conflicts(Needed):
    """The names that are needed where others are set: but for a copy, of which both hold the same then."""

    needed: dict[str, int] = field(default_factory=dict)
    outside: frozenset[str] = frozenset()  # what is set elsewhere

    @classmethod
    def of(cls, block: ir.Block, results: Sequence[Any], given: Sequence[str]) -> _Conflicts:
        new = cls()
        end = ir.Return(tuple(results), True, NOWHERE)
        start = new.block((*block, end), 0, new.set_where)
        new.set_where(given, start | new.all_of(given))
        new.outside = frozenset(n for n, bit in new.bits.items() if start & bit and n not in given)
        return new

    def set_where(self, names: Iterable[str], needed: int) -> None:
        for name in names:
            self.needed[name] = self.needed.get(name, 0) | needed

    def statement(self, statement: ir.Statement, needed: int, define: Define | None) -> int:
        copied = _copy(statement)
        if copied is None or define is None:
            return super().statement(statement, needed, define)
        same = self.bit(copied[1])
        return super().statement(
            statement, needed, lambda names, after: self.set_where(names, after & ~same)
        )

    def between(self, one: Collection[str], other: Collection[str]) -> bool:
        if not self.outside.isdisjoint((*one, *other)):
            return True
        return self.are_set(one, other) or self.are_set(other, one)

    def are_set(self, names: Collection[str], others: Collection[str]) -> bool:
        """Whether one of these names is set where one of the others is needed."""
        held = self.all_of(others)
        return any(self.needed.get(name, 0) & held for name in names)
