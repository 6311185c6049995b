"""Numbers and arrays that may be None are not where that was asked: `if i is not None: y = x[i]`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.walk import Walk
from tangentish.kinds import Num, replace


class NotNone(Walk):
    """The part of the walk that knows what tests say about None."""

    def learn(self, test: Any, holds: bool) -> list[str]:
        """From here on a test is known to hold, or not to: which names may have been None before."""
        names = [name for name in _not_none(test, holds) if self.may_be_none(name)]
        self.set_optional(names, False)
        return names

    def may_be_none(self, name: str) -> bool:
        kind = self.env.kinds.get(name)
        return isinstance(kind, Num) and kind.optional

    def set_optional(self, names: Sequence[str], optional: bool) -> None:
        for name in names:
            kind = self.env.kinds.get(name)
            if isinstance(kind, Num):
                self.env.kinds[name] = replace(kind, optional=optional)

    @contextmanager
    def where(self, *tests: Any, hold: bool) -> Iterator[None]:
        """What is evaluated here is only where tests hold, or do not."""
        names = [name for test in tests for name in self.learn(test, hold)]
        with self.maybe():
            yield
        self.set_optional(names, True)


def _not_none(test: Any, holds: bool) -> Iterator[str]:
    """The names that are not None where a test holds, or does not."""
    match test:
        case gast.Name(id=name) if holds:
            yield name
        case gast.UnaryOp(op=gast.Not(), operand=operand):
            yield from _not_none(operand, not holds)
        case gast.BoolOp(op=op, values=values) if isinstance(op, gast.And) == holds:
            for value in values:
                yield from _not_none(value, holds)
        case gast.Compare(
            left=gast.Name(id=name), ops=[gast.Is() | gast.IsNot() as op], comparators=[other]
        ):
            if ir.is_none(other) and isinstance(op, gast.IsNot) == holds:
                yield name
