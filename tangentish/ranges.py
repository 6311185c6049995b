"""Ranges backwards: range(n) is range(n - 1, -1, -1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from tangentish.expressions import shifted
from tangentish.infer import literal_of
from tangentish.quote import constant, helper, quote

__all__ = ["first_trips_reversed", "reversed_range"]


def reversed_range(bounds: Sequence[Any]) -> Any:
    """The numbers of `range(*bounds)` from the last to the first."""
    step = literal_of(bounds[2]) if len(bounds) == 3 else 1
    start = bounds[0] if len(bounds) > 1 else constant(0)
    stop = bounds[1] if len(bounds) > 1 else bounds[0]
    if step == 1:
        return _range(shifted(stop, -1), shifted(start, -1), constant(-1))
    if step == -1:
        up = [shifted(stop, 1), shifted(start, 1)]
        return _range(*(up[1:] if literal_of(up[0]) == 0 else up))
    return quote("reversed({r})", r=_range(*bounds))


def first_trips_reversed(bounds: Sequence[Any], trips: Any) -> Any:
    """The same for a loop that was left after some trips."""
    if len(bounds) == 1:
        return quote("range({n} - 1, -1, -1)", n=trips)
    return quote("reversed({r}[:{n}])", r=_range(*bounds), n=trips)


def _range(*bounds: Any) -> Any:
    return gast.Call(helper("range"), list(bounds), [])
