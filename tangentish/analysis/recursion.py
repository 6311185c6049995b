"""Functions that call themselves, also by way of others: what is assumed of them until nothing more is found.

What one of them gives is found from below. Each round looks at the function once more, with what the round before
found assumed of the calls inside, until that is what it gives. Functions that call each other do so inside of each
other's rounds. Two things keep the work from doubling with each of them: one starts where it ended the last time, and
what was found under the very assumptions that hold now is not looked for again.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

from tangentish.kinds import Kind

T = TypeVar("T")

MOST_ROUNDS = 200
ROUNDS_TO_NEST = 3  # in which what a recursion gives may become deeper


class Assumed(NamedTuple):
    """What a function that is being looked at is taken to do.

    gives: the kind of its result; None for nothing yet.
    written: the arguments it writes to.
    dicts: what it leaves in arguments that are dicts whose keys are computed.
    """

    gives: Kind | None
    written: tuple[int, ...]
    dicts: Mapping[int, Kind]


NOTHING = Assumed(None, (), {})


@dataclass
class Recursion(Generic[T]):
    """The functions that are being looked at, each inside of the one before.

    assumed: what is assumed of each.
    reached: those whose assumptions were asked for since the innermost was begun.
    ended: what was found of a function the last time, under whatever was assumed of those around it.
    found: that in full, and the assumptions that it rests on.
    """

    assumed: dict[Hashable, Assumed] = field(default_factory=dict)
    reached: set[Hashable] = field(default_factory=set)
    ended: dict[Hashable, Assumed] = field(default_factory=dict)
    found: dict[Hashable, tuple[T, dict[Hashable, Assumed]]] = field(default_factory=dict)

    def asked(self, key: Hashable) -> Assumed | None:
        """What is assumed of a function, if it is being looked at."""
        if key in self.assumed:
            self.reached.add(key)
        return self.assumed.get(key)

    def known(self, key: Hashable) -> T | None:
        """What was found under the assumptions that hold now."""
        if key not in self.found:
            return None
        found, rests_on = self.found[key]
        if any(self.assumed.get(other) is not before for other, before in rests_on.items()):
            return None
        self.reached |= rests_on.keys()
        return found

    @contextmanager
    def looking_at(self, key: Hashable) -> Iterator[None]:
        """While a function is looked at."""
        reached, self.reached = self.reached, set()
        self.assumed[key] = self.ended.get(key, NOTHING)
        try:
            yield
            self.ended[key] = self.assumed[key]
        finally:
            del self.assumed[key]
            self.reached |= reached

    def rests_on(self) -> dict[Hashable, Assumed]:
        """The assumptions about functions around the innermost that were asked for."""
        *around, _ = self.assumed.items()
        return {key: assumed for key, assumed in around if key in self.reached}
