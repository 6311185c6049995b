"""What calls may change, found once for all that call each other.

def f(n): g(n); A[0] = n      while f is looked at, g is found to change B only: of f, which it calls, it is not
def g(n): f(n); B[0] = n      known yet. Once f is known, g changes all that f does.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from tangentish.infer.reach import Reach

_NONE_OPEN = 1_000_000


@dataclass
class ReachesFound:
    """The reach of each thing that was looked at.

    known: those for good; open: those that are being looked at, each inside of the one before, with what counts
    meanwhile; resting: those that lack what an open one changes, and how far out that is; alone: those known that met
    none of these.
    """

    known: dict[Hashable, Reach] = field(default_factory=dict)
    open: dict[Hashable, tuple[int, Reach]] = field(default_factory=dict)
    resting: dict[Hashable, tuple[int, Reach]] = field(default_factory=dict)
    alone: set[Hashable] = field(default_factory=set)
    outermost: int = _NONE_OPEN  # of the open ones that were met since the innermost was begun
    met: int = 0  # how often what is not known yet was met

    def of(self, key: Hashable, meanwhile: Reach, find: Callable[[], Reach]) -> Reach:
        """What was found of something, or is now."""
        if key in self.known:
            return self.known[key]
        if key in self.open or key in self.resting:
            depth, reach = self.open[key] if key in self.open else self.resting[key]
            self.outermost = min(self.outermost, depth)
            self.met += 1
            return reach
        return self.looked_at(key, meanwhile, find)

    def looked_at(self, key: Hashable, meanwhile: Reach, find: Callable[[], Reach]) -> Reach:
        before, own, met = self.outermost, len(self.open), self.met
        self.open[key], self.outermost = (own, meanwhile), own
        try:
            found = find()
        except BaseException:
            self.resting.clear()  # what these rest on will not be known
            self.outermost = before
            raise
        finally:
            del self.open[key]
        if self.met == met:
            self.alone.add(key)
        self.settle(key, own, found)
        self.outermost = min(before, self.outermost if self.outermost < own else before)
        return found

    def settle(self, key: Hashable, own: int, found: Reach) -> None:
        """It is known, and all that rested on it; or it rests, as they do, on one further out."""
        inside = {k: reach for k, (depth, reach) in self.resting.items() if depth >= own}
        if self.outermost < own:
            rests = self.outermost
            self.resting |= {k: (rests, reach) for k, reach in (inside | {key: found}).items()}
            return
        self.known[key] = found
        for k, reach in inside.items():
            del self.resting[k]
            self.known[k] = reach | found.outside
