"""Arrays of functions, dicts and objects: what is called, or read, of one later is not known to hold what varies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tangentish.infer.made_like import MADE_LIKE
from tangentish.infer.result_kinds import OF_SOME
from tangentish.infer.walk import HIDING, Walk
from tangentish.kinds import Kind, Tup


class HiddenObjects(Walk):
    """The part of the walk that sees to functions and objects that arrays are made of."""

    def hide_objects(self, function: Any, given: Sequence[Any]) -> None:
        """np.array([lambda v: v * x]), np.array([{"k": x}])"""
        for whole in given if function in MADE_LIKE else ():
            self.escape_from(self.kind(whole), whole)
        for whole in given if function in MADE_LIKE or function in OF_SOME else ():
            if _holds_entries(self.kind(whole)):
                self.refuse(HIDING["O"], whole)


def _holds_entries(kind: Kind) -> bool:
    """Whether a list or tuple holds a dict or an object of what varies."""
    if not (isinstance(kind, Tup) and kind.active and kind.is_counted):
        return False
    return any(isinstance(item, Tup) and item.active and not item.is_counted for item in kind.items)
