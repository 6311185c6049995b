"""The two functions that stand for one of the user's functions in generated code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any

from tangentish.infer import UserCall
from tangentish.kinds import Kind

RESULT = -1  # among the positions of arguments


@dataclass(frozen=True, eq=False)
class Pair:
    """The forward and adjoint functions of a callee, by the names under which generated code calls them."""

    forward: str
    adjoint: str
    active: tuple[int, ...]  # parameters whose gradients the adjoint returns, in order
    written: tuple[
        int, ...
    ]  # of these, the ones that are written to: the gradient goes in and comes out
    added: tuple[
        int, ...
    ]  # and the ones to whose gradient the adjoint adds: it goes in and comes out, too
    heads: tuple[bool, ...]  # for each result, whether the adjoint takes a gradient of it
    dropped: frozenset[int] = frozenset()  # parameters that generated code does not need
    saves: bool = (
        True  # whether the forward function gives what it saved, and the adjoint takes that
    )
    keeps_containers: bool = True  # what it saves may be, or hold, a list, a dict or an object
    keeps_lists: bool = True  # what it saves may be, or hold, a list that carries a derivative
    # whose memory the adjoint may find in what it saves, and read: arguments, and the RESULT; None: any
    reads_memory_of: frozenset[int] | None = None

    @property
    def in_and_out(self) -> tuple[int, ...]:
        """The parameters whose gradients the adjoint is given, and changes in place."""
        return tuple(sorted((*self.written, *self.added)))

    @property
    def keeps_memory(self) -> bool:
        """Whether what it saves may lie in memory of others whose contents count."""
        return self.reads_memory_of != frozenset()

    def kept_of(self, user: UserCall) -> Iterator[Kind]:
        """The arguments and results of a call in whose memory what it saves may lie, where that is read."""
        reads = self.reads_memory_of
        for k, kind in (*enumerate(user.kinds), (RESULT, user.result)):
            if reads is None or k in reads:
                yield kind

    @property
    def only_adds(self) -> bool:
        """Whether the adjoint adds in place to gradients it is given, and gives these very arrays and lists back."""
        return bool(self.added) and not self.written


def saved_inside(
    calls: Mapping[Any, str], pairs: Mapping[Any, Pair]
) -> dict[str, tuple[bool, bool]]:
    """By the names of what callees save: whether it lies in memory that others have, and whether it holds lists."""
    known = ((name, pairs[call]) for call, name in calls.items() if call in pairs)
    return {n: (p.keeps_memory or p.keeps_containers, p.keeps_lists) for n, p in known}


PairOf = Callable[[UserCall, Set[int], bool], Pair]


def paired(
    pairs: dict[Any, Pair], pair_of: PairOf, caught: bool, user: UserCall, node: Any, places: Set[int] = frozenset()
) -> Pair:  # fmt: skip
    """The pair of a call, made once; no method, or all that is known would be a cycle that only its collector frees."""
    if node not in pairs:
        pairs[node] = pair_of(user, places, caught)
    return pairs[node]
