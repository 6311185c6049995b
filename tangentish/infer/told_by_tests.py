"""What tests say of numbers and arrays where they hold: which may be None are not, and how many axes they have.

if i is not None: y = x[i]
if A.ndim == 2: y = solve(A, b)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.literals import literal_of
from tangentish.infer.walk import Walk
from tangentish.kinds import Num, replace


class ToldByTests(Walk):
    """The part of the walk that knows what tests say about None and about axes."""

    def learn(self, test: Any, holds: bool) -> None:
        """From here on a test is known to hold, or not to."""
        for name in _not_none(test, holds):
            kind = self.env.kinds.get(name)
            if isinstance(kind, Num) and kind.optional:
                self.env.know(name, replace(kind, optional=False))
        for name, rank in self.ranks_told(test, holds):
            kind = self.env.kinds.get(name)
            if isinstance(kind, Num) and _may_have_any_axes(kind):
                shape = (None,) * rank
                self.env.know(name, replace(kind, shape=shape, array=True, axes=False))

    def ranks_told(self, test: Any, holds: bool) -> Iterator[tuple[str, int]]:
        """The names whose number of axes is known where a test holds, or does not."""
        match test:
            case gast.UnaryOp(op=gast.Not(), operand=operand):
                yield from self.ranks_told(operand, not holds)
            case gast.BoolOp(op=op, values=values) if isinstance(op, gast.And) == holds:
                for value in values:
                    yield from self.ranks_told(value, holds)
            case gast.Compare(left=asked, ops=[gast.Eq() | gast.NotEq() as op], comparators=[rank]):
                name, count = self.asked_for_axes(asked), literal_of(rank)
                if name and type(count) is int and count and isinstance(op, gast.Eq) == holds:
                    yield name, count

    def asked_for_axes(self, node: Any) -> str | None:
        """The name of `x.ndim`, `len(x.shape)` and `np.ndim(x)`; None of all else."""
        match node:
            case gast.Attribute(value=gast.Name(id=name), attr="ndim"):
                return str(name)
            case gast.Call(
                func=asked, args=[gast.Attribute(value=gast.Name(id=name), attr="shape")]
            ) if self.called(asked)[0] is len:
                return str(name)
            case gast.Call(func=asked, args=[gast.Name(id=name)]) if (
                self.called(asked)[0] is np.ndim
            ):
                return str(name)
        return None

    @contextmanager
    def where(self, *tests: Any, hold: bool) -> Iterator[None]:
        """What is evaluated here is only where tests hold, or do not."""
        before = self.env.kinds.copy()
        for test in tests:
            self.learn(test, hold)
        told = self.env.kinds.differences(before)
        with self.maybe():
            yield
        for name, (now, old) in told.items():
            if old is not None and self.env.kinds.get(name) == now:
                self.env.know(name, old)


def _may_have_any_axes(kind: Num) -> bool:
    return kind.shape is None and not (kind.or_list or kind.or_varying)


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
