"""Lists that a block appends to: where one of them turns out to change, the others are known to change, too.

for v in x:
xs.append(v)        xs changes, so that the walk starts again;
ys.append(v * v)    ys is appended to whenever xs is: no walk is needed to find that out
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import TypeGuard

import gast

from tangentish import ir
from tangentish.kinds import UNKNOWN, Kind, Tup

__all__ = ["grown_in"]


def grown_in(block: ir.Block, kinds: Mapping[str, Kind]) -> Iterator[Hashable]:
    """The places of the lists, made empty before in this function, that lines of a block append to."""
    bound = {name for s in ir.walk_statements(block) for name in ir.defined_names(s)}
    for statement in block:
        match statement:
            case ir.Do(
                gast.Expr(
                    value=gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="append"))
                )
            ) if name not in bound:
                kind = kinds.get(name, UNKNOWN)
                if _is_made_here(kind):
                    yield from kind.sites


def _is_made_here(kind: Kind) -> TypeGuard[Tup]:
    """Whether this is an empty list of the function's own."""
    return (
        isinstance(kind, Tup)
        and kind.is_list
        and not kind.items
        and all(isinstance(site, int) for site in kind.sites)
    )
