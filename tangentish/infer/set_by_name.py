"""Attributes that are set by a name which is known: `setattr(o, "x", v)` is `o.x = v`, as on each trip of

for name, value in options.items():
    setattr(self, name, value)
"""

from __future__ import annotations

from keyword import iskeyword
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.starting_again import InFull
from tangentish.infer.walk import Walk
from tangentish.kinds import Known, Tup

__all__ = ["SetByName"]


class SetByName(Walk):
    """The part of the walk that writes such calls as stores."""

    def seek_store(self, call: Any, statement: ir.Do) -> None:
        """Have the line be a store, if the object is one that is taken apart."""
        match call:
            case gast.Call(
                func=gast.Name(id="setattr"), args=[gast.Name() as owner, name, value], keywords=[]
            ) if not self.cached and self.source.where("setattr") == "builtin":
                key, kind = self.expression(name), self.expression(owner)
            case _:
                return
        if not (isinstance(kind, Tup) and kind.is_object):
            return
        if not isinstance(key, Known):
            self.write_out_for(name)
            return
        text = key.value
        if not isinstance(text, str) or not text.isidentifier() or iskeyword(text):
            return
        if not text.startswith("__"):  # Python has another name for these inside of a class
            target = gast.copy_location(gast.Attribute(owner, text, gast.Store()), call)
            raise InFull(statement, ir.Assign(target, value, statement.origin))
