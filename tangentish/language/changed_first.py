"""Updates whose value changes what they update, which Python reads before: `y[0] += y.fill(4.0) or 1.0`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangentish import ir
from tangentish.language.changing_names import FUNCTIONS, OF_ARRAYS, OF_CONTAINERS
from tangentish.language.stored_last import may_change_something

__all__ = ["changes_its_target"]

_METHODS = OF_CONTAINERS | OF_ARRAYS | {"itemset"}
_FUNCTIONS = FUNCTIONS | {"at"}


def changes_its_target(update: Any, find: Callable[[str], object]) -> bool:
    """Whether a method, or a function of NumPy, changes on the right what stands on the left, or where that lies."""
    target, value = update.target, update.value
    if isinstance(target, gast.Name):
        return False
    root = _root(target)
    if _asks(target, root) and may_change_something(value, find):
        return True
    calls = (part for part in ir.walk(value) if isinstance(part, gast.Call))
    if _is_counted_from_first(target):
        calls = (call for call in calls if not _takes_last(call))
    return root is not None and any(
        _root(changed) == root for c in calls for changed in _changed(c)
    )


def _asks(target: Any, name: str | None) -> bool:
    """Whether the place is asked of what is updated: `xs[len(xs) - 1]`."""
    calls = (part for part in ir.walk(target) if isinstance(part, gast.Call))
    return any(name in ir.names_in(call) for call in calls)


def _is_counted_from_first(target: Any) -> bool:
    """`xs[2]`, which stands where it stood when something behind it is taken away."""
    match target:
        case gast.Subscript(slice=gast.Constant(value=int() as place)):
            return place >= 0
    return False


def _takes_last(call: Any) -> bool:
    match call:
        case gast.Call(func=gast.Attribute(attr="pop"), args=[], keywords=[]):
            return True
    return False


def _changed(call: Any) -> list[Any]:
    """What a call writes to, as far as its name tells."""
    written = [keyword.value for keyword in call.keywords if keyword.arg == "out"]
    match call:
        case gast.Call(func=gast.Attribute(value=owner, attr=attr), args=args):
            written += [owner] if attr in _METHODS else []
            written += args[:1] if attr in _FUNCTIONS else []
    return written


def _root(place: Any) -> str | None:
    owner = ir.owner_of(place)
    return owner.id if isinstance(owner, gast.Name) else None
