"""Lists that are told apart where they are made, and then turn out to change.

A loop over `[[1.0, 2.0], [3.0]]` gets one of two lists on each trip, which is a list of numbers, of some length. Where
these are made they are known element by element, until one of them is changed by its name in the loop.
"""

from __future__ import annotations

from collections.abc import Hashable, Set
from typing import NoReturn

from tangentish.infer.facts import ListNeeded
from tangentish.infer.walk import Walk
from tangentish.kinds import Seq, sites_of_buffers
from tangentish.kinds.sites import display_at

__all__ = ["ToldApart"]


class ToldApart(Walk):
    """The part of the walk that starts again where lists that were told apart may change."""

    def start_listed(self, places: Set[Hashable]) -> NoReturn:
        """Start again, with lists that may change at these places."""
        displays = [value for value in map(display_at, places) if value is not None]
        if displays:
            raise ListNeeded(displays[0])
        self.start_again(places)

    def changes_where_made(self, kind: Seq) -> None:
        """A list is changed: where it may have been made it is one that changes, too."""
        told_apart = sites_of_buffers(kind.buffers) - self.allocated - self.dynamic
        if told_apart:
            self.start_listed(told_apart)
