"""What a walk finds out that makes the one before it another: the function is rewritten, and walked over again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tangentish import ir

__all__ = ["NameFirst", "StartAgain", "Unroll"]


class StartAgain(Exception):
    """A list has turned out to be one that changes, or a value to cancel."""


class Unroll(StartAgain):
    """A loop has to be written out, with these expressions for its items."""

    def __init__(self, loop: ir.For, items: Sequence[Any], stable: frozenset[Any]) -> None:
        super().__init__("a loop is written out")
        self.loop = loop
        self.items = items
        self.stable = stable


class NameFirst(StartAgain):
    """What a loop runs over, or an assignment takes apart, has to have a name."""

    def __init__(self, statement: ir.For | ir.Assign, node: Any) -> None:
        super().__init__("what a loop runs over, or what is unpacked, gets a name")
        self.statement = statement
        self.node = node
