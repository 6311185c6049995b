"""Arrays of functions, dicts and objects: what is called, or read, of one later is not known to hold what varies."""

from __future__ import annotations

from typing import Any

from tangentish.infer.made_like import MADE_LIKE
from tangentish.infer.result_kinds import OF_SOME
from tangentish.infer.walk import HIDING, Walk
from tangentish.kinds import Kind, Tup


class HiddenObjects(Walk):
    """The part of the walk that sees to functions and objects that arrays are made of."""

    def array_of_objects(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """What holds functions, dicts or objects as they are: np.array([lambda v: v * x]), np.array([{"k": 1.0}])"""
        if function not in MADE_LIKE and function not in OF_SOME:
            return None
        for whole in args if function in MADE_LIKE else ():
            self.escape_from(self.kind(whole), whole)
        hiding = [whole for whole in args if _holds_entries(self.kind(whole))]
        varying = [whole for whole in hiding if self.kind(whole).active]
        for whole in varying:
            self.refuse(HIDING["O"], whole)
        given = (*args, *keywords.values())
        return self.unknown_call(function, given, node) if hiding and not varying else None


def _holds_entries(kind: Kind) -> bool:
    """Whether a list or tuple, or one in it, holds a dict or an object; of those that vary one that varies."""
    if not (isinstance(kind, Tup) and kind.is_counted):
        return False
    inside = [item for item in kind.items if isinstance(item, Tup) and item.active == kind.active]
    return any(not (item.is_counted or item.is_function) or _holds_entries(item) for item in inside)
