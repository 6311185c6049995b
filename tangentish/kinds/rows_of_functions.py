"""Tables of functions outside: each column of their rows holds one of a few functions, numbers or texts.

LINKS = {"log": (np.exp, derivative_of_exp, "link"), "identity": (same, one, "link")}
"""

from __future__ import annotations

import functools
from collections.abc import Collection

from tangentish.kinds import UNKNOWN, Kind, Known, OneOf, Opaque, Tup
from tangentish.kinds.joins import has_identity, join, one_of


def row_of_functions(rows: Collection[Kind]) -> Kind | None:
    """What any of several tuples is, where these are of one length and hold functions; None of anything else."""
    tuples = [row for row in rows if isinstance(row, Tup) and not row.is_list and row.keys is None]
    if not tuples or len(tuples) < len(rows) or len({len(row.items) for row in tuples}) != 1:
        return None
    columns = tuple(map(_column, zip(*(row.items for row in tuples), strict=True)))
    return Tup(columns) if any(isinstance(column, OneOf) for column in columns) else None


def _column(kinds: tuple[Kind, ...]) -> Kind:
    values = [kind.value for kind in kinds if isinstance(kind, Known)]
    if len(values) < len(kinds):
        return functools.reduce(join, kinds)
    if all(isinstance(value, str) for value in values):
        return Opaque(str)
    return (one_of(values, sure=False) if all(map(has_identity, values)) else None) or UNKNOWN
