"""What `super().name` is: a method, a property or a static method of a class further up, and the object it gets."""

from __future__ import annotations

import types
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.known_functions import is_user_code
from tangentish.infer.walk import Walk
from tangentish.kinds import UNKNOWN, Known


class Inherited(Walk):
    """The part of the walk that follows `super()`."""

    def inherited_call(self, func: Any) -> tuple[Any, Any] | None:
        """The function that a call of `super().name` calls, and the object where it gets one."""
        found = self.inherited(func)
        match found:
            case (staticmethod(__func__=types.FunctionType() as function), _):
                return (function, None) if is_user_code(function) else None
            case (types.FunctionType() as function, _):
                return found if is_user_code(function) else None
            case (member, _) if member is object.__init__:
                return found
        return None

    def inherited_property(self, node: Any) -> tuple[types.FunctionType, Any] | None:
        """The function that gives `super().name` its value, and the object that it gets."""
        match self.inherited(node):
            case (property(fget=types.FunctionType() as getter), itself) if is_user_code(getter):
                return getter, itself
        return None

    def inherited(self, node: Any) -> tuple[Any, Any] | None:
        """What the first class after that of this method has under the name, and the object itself."""
        match node:
            case gast.Attribute(value=gast.Call(func=gast.Name(id="super"), args=args), attr=attr):
                pass
            case _:
                return None
        names = self.source.function.__code__.co_varnames
        first = f"{names[0]}.0" if names else ""
        match args:
            case []:
                cls = self.source.lookup("__class__") if self.source.where("__class__") else None
            case [given, gast.Name(id=itself)] if itself == first:
                kind = self.expression(given)
                cls = kind.value if isinstance(kind, Known) else None
            case _:
                return None
        own = getattr(self.env.kinds.get(first, UNKNOWN), "type", None)
        if not (isinstance(own, type) and isinstance(cls, type) and cls in own.__mro__):
            return None
        after = own.__mro__[own.__mro__.index(cls) + 1 :]
        owner = next((c for c in after if attr in vars(c)), None)
        if owner is not None and owner is not object:
            self.note_member(owner, attr)
        member = None if owner is None else vars(owner)[attr]
        return member, self.made_once((node, "self"), lambda: ir.name(first), node)
