"""What is kept alive though nobody holds it, for `grad(f)(x)` in a loop: the last few of each of the last families."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Families(Generic[T]):
    """The last members of the families that were asked for last.

    A family is what one `def` or `lambda` makes: a loop that makes a function anew each time has one, so that what its
    functions capture is not kept for long.
    """

    def __init__(self, families: int, members: int) -> None:
        self.most, self.most_members = families, members
        self.found: OrderedDict[Hashable, deque[T]] = OrderedDict()
        self.newest: T | None = None

    def note(self, family: Hashable, member: T) -> None:
        """The member was asked for just now."""
        if member is self.newest:
            return
        self.newest = member
        members = self.found.setdefault(family, deque(maxlen=self.most_members))
        self.found.move_to_end(family)
        if len(self.found) > self.most:
            self.found.popitem(last=False)
        if member in members:
            members.remove(member)
        members.append(member)

    def of(self, family: Hashable) -> list[T]:
        """The members, the last first."""
        return [*self.found.get(family, ())][::-1]
