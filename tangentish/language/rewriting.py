"""A walk over the statements of a function in which some are written anew; what stays is shared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.language.placed import rebuilt

_LINES = {gast.Assign, gast.AugAssign, gast.AnnAssign, gast.Expr, gast.Return}
"""The statements without blocks: nearly all."""


class Rewriting:
    """Subclasses say what a statement becomes, and what a call in an expression does."""

    def block(self, statements: Sequence[Any]) -> list[Any]:
        return [new for statement in statements for new in self.statement(statement)]

    def statement(self, node: Any) -> Iterator[Any]:
        stays = node.__class__ in _LINES and self.changes_statements_only
        yield node if stays else rebuilt(node, self.part)

    @property
    def changes_statements_only(self) -> bool:
        """Whether expressions stay as they are."""
        own = type(self)
        return own.call is Rewriting.call and own.expression is Rewriting.expression

    def expression(self, node: Any) -> Any:
        return node if self.changes_statements_only else ir.copy_expression(node, self.call)

    def call(self, node: Any) -> Any | None:  # noqa: ARG002 - for subclasses
        """What stands for a part of an expression; None: the part itself."""
        return None

    def part(self, value: Any) -> Any:
        """A field of a statement."""
        if isinstance(value, list):
            if value and isinstance(value[0], gast.stmt):
                return self.block(value)
            return [self.part(item) for item in value]
        if isinstance(value, gast.expr):
            return self.expression(value)
        if isinstance(value, (gast.excepthandler, gast.match_case, gast.withitem)):
            return rebuilt(value, self.part)
        return value
