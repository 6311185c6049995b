"""Methods that are called by a name which is known: `getattr(o, "energy")(x)` is `o.energy(x)`, as on each trip of

for name in ("linear", "quadratic"):
    total += getattr(self, name)(x)
"""

from __future__ import annotations

from keyword import iskeyword
from typing import Any

import gast

from tangentish.infer.walk import Walk
from tangentish.kinds import Tup

__all__ = ["CalledByName"]


class CalledByName(Walk):
    """The part of the walk that writes what such calls are of."""

    def by_its_name(self, func: Any) -> Any:
        """`o.energy` for `getattr(o, name)`, where the name is known; what is called itself for all else."""
        match func:
            case gast.Call(func=gast.Name(id="getattr"), args=[owner, name], keywords=[]) if (
                self.source.where("getattr") == "builtin"
            ):
                kind, _ = self.expression(owner), self.expression(name)
            case _:
                return func
        if not (isinstance(kind, Tup) and kind.is_object and kind.active):
            return func
        key = self.known_key(name)
        if not isinstance(key, str):
            self.write_out_for(name, is_called=True)
            return func
        if not key.isidentifier() or iskeyword(key):
            return func
        made = self.made_once((func, key), lambda: gast.Attribute(owner, key, gast.Load()), func)
        self.facts.answers[func] = made
        return made
