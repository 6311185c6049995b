"""Dicts and objects that are put into a dict whose keys are computed: it is a dict for each of their entries.

players[name] = Rating(mu, s)    ->    players_mu[name] = mu; players_s[name] = s
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.records_made import is_record
from tangentish.infer.walk import Walk
from tangentish.kinds import Buffer, Kind, Seq, Tup


def seek_records_stored(walk: Walk, value: Tup, node: Any) -> None:
    """Start again for what is stored under a computed key, or stands in a display of such a dict."""
    line = walk.statement
    match node, line:
        case gast.Subscript(value=d), _ if isinstance(walk.kind(d), Seq):
            walk.seek_records_by_key(walk.kind(d), value, line)
        case ((gast.Dict() | gast.DictComp()), ir.Assign(gast.Name(), made)) if made is node:
            made_here = Seq(None, frozenset({Buffer(id(node))}), keyed=True)
            walk.seek_records_by_key(made_here, value, line)


def are_of_one_form(items: Sequence[Kind]) -> bool:
    """Whether these are dicts or objects of one class, with the same entries."""
    forms = {(item.type, item.keys) for item in items if isinstance(item, Tup) and is_record(item)}
    return len(forms) == 1 and all(isinstance(item, Tup) and is_record(item) for item in items)
