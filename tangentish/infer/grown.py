"""Lists that lines append to: where one of them turns out to change, others are known to change, too.

    for v in x:
        xs.append(v)        xs changes, so that the walk starts again;
        ys.append(v * v)    ys is appended to whenever xs is,
    for v in x:
        zs.append(v)        and so is zs:

no walk is needed to find that out.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import TypeGuard

import gast

from tangentish import ir
from tangentish.kinds import UNKNOWN, Kind, Tup


def grown_in(block: ir.Block, kinds: Mapping[str, Kind]) -> Iterator[Hashable]:
    """The places of the lists, made empty before in this function, that lines of a block append to."""
    bound = ir.bound_within(block)
    for name in _appended_to(block):
        kind = kinds.get(name, UNKNOWN)
        if name not in bound and _is_made_here(kind):
            yield from kind.sites


def grown_later(block: ir.Block) -> Iterator[Hashable]:
    """The places of the lists that a block makes empty and that loops of the same block append to."""
    made: dict[str, Hashable] = {}
    for statement in block:
        match statement:
            case ir.Assign(gast.Name(id=name), gast.List(elts=[]) as display):
                made[name] = id(display)
            case ir.For(body=body) | ir.While(body=body):
                yield from (made[name] for name in _appended_to(body) if name in made)


def _appended_to(block: ir.Block) -> Iterator[str]:
    """The names that lines of a block append to, in any case."""
    for statement in block:
        match statement:
            case ir.Do(
                gast.Expr(
                    value=gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="append"))
                )
            ):
                yield name


def _is_made_here(kind: Kind) -> TypeGuard[Tup]:
    """Whether this is an empty list of the function's own."""
    return (
        isinstance(kind, Tup)
        and kind.is_list
        and not kind.items
        and all(isinstance(site, int) for site in kind.sites)
    )
