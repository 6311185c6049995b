"""Indices that are spread, as the tuples that they are: how many axes they say shows when the program runs.

y[*i]           ->    y[tuple(i)]
y[0, *i, 1:]    ->    y[tuple((0, *i, slice(1, None)))]
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.language.index_expressions import as_value
from tangentish.language.named_members import Find, named_member
from tangentish.language.placed import at, name_at

_JOINING = (np.r_, np.c_, np.mgrid, np.ogrid)


def starred_index(node: gast.Subscript, find: Find) -> Any | None:
    """What is indexed, by a tuple; None where nothing is spread, or where the parts are no index."""
    index = node.slice
    if not isinstance(index, gast.Tuple):
        return None
    if not ir.has_star(index.elts):
        return None
    member = named_member(node.value, np, find)
    if any(member is joining for joining in _JOINING):
        return None
    match index.elts:
        case [gast.Starred(value=whole)]:
            pass
        case parts:
            whole = at(gast.Tuple(list(map(as_value, parts)), gast.Load()), index)
    made = at(gast.Call(name_at("$tuple", index), [whole], []), index)
    return at(gast.Subscript(node.value, made, node.ctx), node)
