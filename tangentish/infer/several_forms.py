"""What a refusal says where a tuple or list stands on one path, or in one element, and a single value on another."""

from __future__ import annotations

import gast

from tangentish import ir
from tangentish.ir.origins import NOWHERE, origin_of

__all__ = ["several_forms"]

_SEVERAL = "a tuple or list on one path and a single value on another: give each a name of its own"
_SEVERAL_RETURNED = "some returns give a tuple or list and others a single value"
_SEVERAL_GIVEN = (
    "the elements of this list have a tuple or list in one and a single value in another, under one key or name: "
    "give them one form"
)


def several_forms(statement: ir.Statement | None) -> str:
    """The reason, by the statement at which they meet; one that makes what was given anew has no line of the user's."""
    if _returns(statement):
        return _SEVERAL_RETURNED
    first = statement is not None and origin_of(statement) is NOWHERE
    return _SEVERAL_GIVEN if first else _SEVERAL


def _returns(statement: ir.Statement | None) -> bool:
    """Whether a statement is a `return` among several."""
    target = getattr(statement, "target", None)
    return isinstance(target, gast.Name) and target.id.startswith(".y.")
