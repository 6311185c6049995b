"""What is read later, by a walk backwards: names, and places of memory.

One state is made from another at the cost of what changes, and two are joined at the cost of what differs, so that a
walk over any number of branches and loops is linear (ir/versions.py).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from tangentish.analysis.regions import Loops, Region, apart
from tangentish.ir.versions import Versions

NONE: frozenset[Region] = frozenset()


class Reads(NamedTuple):
    """What a part of a statement reads."""

    names: frozenset[str] = frozenset()
    rows: frozenset[Region] = frozenset()


def _same(row: Region) -> Region:
    return row


@dataclass(eq=False)
class Live:
    """Names, and places by the site that they lie at; it does not change."""

    names: Versions[str, bool] = field(default_factory=Versions)
    rows: Versions[Hashable, frozenset[Region]] = field(default_factory=Versions)

    def copy(self) -> Live:
        return Live(self.names.copy(), self.rows.copy())

    def reading(self, *reads: Reads) -> Live:
        """What is read later where this is read, too."""
        mine = self.names.content()
        names = [name for read in reads for name in read.names if name not in mine]
        rows = self.rows.content()
        more = [row for read in reads for row in read.rows if row not in rows.get(row.site, NONE)]
        if not (names or more):
            return self
        new = self.copy()
        for name in names:
            new.names[name] = True
        for row in more:
            new.rows[row.site] = new.rows.get(row.site, NONE) | {row}
        return new

    def without(self, names: Collection[str]) -> Live:
        """What is read before these names are bound, and the memory that is known by them."""
        if not names:
            return self
        new = self.copy()
        for name in names:
            new.names.discard(name)
            new.rows.discard(name)
        return new

    def without_memory(self, sites: Iterable[Hashable]) -> Live:
        """What is read before all that lies at these sites is set."""
        new = self.copy()
        for site in sites:
            new.rows.discard(site)
        return new

    def reads(self, written: Region, loops: Loops) -> bool:
        """Whether some of these places may be read later."""
        return not all(apart(written, row, loops) for row in self.rows.get(written.site, ()))

    def joined(self, other: Live, change: Callable[[Region], Region] = _same) -> Live:
        """What is read on either way, itself where the other adds nothing.

        change: how places that only the other way reads are known here.
        """
        new = self.copy()
        for name, (_, read) in self.names.differences(other.names).items():
            if read:
                new.names[name] = True
        for site, (here, there) in self.rows.differences(other.rows).items():
            here, there = here or NONE, there or NONE
            more = here.union(map(change, there - here))
            if len(more) > len(here):
                new.rows[site] = more
        same = new.names.version is self.names.version and new.rows.version is self.rows.version
        return self if same else new
