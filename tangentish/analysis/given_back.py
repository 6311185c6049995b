"""What a function stored to the containers it was given, among what it returns."""

from __future__ import annotations

from collections.abc import Sequence

import gast

from tangentish import ir
from tangentish.kinds import UNKNOWN, Tup
from tangentish.language.source import Source


def with_given_back(body: ir.Block, values: Sequence[str], source: Source) -> ir.Block:
    """The body of a function that returns what it stored to the containers it was given as well."""
    if not values:
        return body
    names = tuple(gast.copy_location(ir.name(v), source.tree) for v in values)
    last = ir.last_return(body)
    if last is None:
        return (*body, ir.Return(names, True, ir.Origin(source.tree, "")))
    own = Tup((UNKNOWN,) * len(last.values)) if last.is_tuple else UNKNOWN
    form = Tup((own, *(UNKNOWN for _ in values)))
    return (*body[:-1], ir.Return((*last.values, *names), True, last.origin, form))
