"""What a loop was taken to run over when it was written out.

Inside of other loops that is known of their first trip, when the loop is written out, and of all trips only later.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import gast

from tangentish import ir
from tangentish.language.webs import map_blocks


class TakenFor(gast.expr):  # type: ignore[misc]
    """Stands alone on a line before the trips that are written out, until the whole function has been walked over.

    over: what the loop ran over; items: for each trip the texts and numbers that it gets, None for what is no literal.
    """

    _fields = ("over", "items")

    over: Any
    items: tuple[tuple[Hashable, ...], ...]


def without_what_is_taken(function: ir.Function) -> ir.Function:
    """The function without the lines that only say this."""
    return replace(function, body=_without(function.body))


def _without(block: ir.Block) -> ir.Block:
    return tuple(
        map_blocks(statement, _without)
        for statement in block
        if not (isinstance(statement, ir.Do) and isinstance(statement.node, TakenFor))
    )
