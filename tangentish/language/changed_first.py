"""Parts of a line that change what its other parts read, where Python's order is not kept.

y[0] += y.fill(4.0) or 1.0         what is updated is read before the value
y[l.pop()] += x[l.pop()]           and so is the place, which gets a name before
{l.pop(): x[l.pop()]}              a key comes before its value
h(**{"c": l.pop(), "b": l.pop()})  in the order of the display
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.language.changing_names import (
    DRAWING,
    FUNCTIONS,
    OF_ARRAYS,
    OF_CONTAINERS,
    READING_ON,
)
from tangentish.language.named_members import Find
from tangentish.language.stored_last import calls_in_places, index_parts, may_change_something

_METHODS = OF_CONTAINERS | OF_ARRAYS | {"itemset"}
_FUNCTIONS = FUNCTIONS | {"at"}
_SETTLED = (gast.Name, gast.Constant, gast.UnaryOp)


def changes_its_target(update: Any, find: Find) -> bool:
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


def found_first(target: Any, value: Any, find: Find) -> list[Any]:
    """The parts of a place that are found on lines before its update.

    Calls that change something are lines of their own, to be taken back; and the value may change what a part reads.
    """
    if not changed_in(value):
        return calls_in_places(target, find)
    return [part for part in index_parts(target) if not isinstance(part, _SETTLED)]


def is_out_of_turn(node: Any) -> bool:
    """Whether an element of a display, or a value that is added at a place, changes what the one before it reads."""
    match node:
        case gast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return any(key is not None and _come_in_order(key, value) for key, value in pairs)
        case gast.DictComp(key=key, value=value):
            return _come_in_order(key, value)
        case gast.Call(func=gast.Attribute(attr="at"), args=[_, index, value]):
            return _take_turns(index, value)
        case gast.keyword(arg=None, value=gast.Dict(values=parts)):
            return _change_one_thing(parts)
        case gast.keyword(arg=None, value=gast.Call(keywords=keywords)):
            return _change_one_thing([keyword.value for keyword in keywords])
    return False


def _take_turns(first: Any, second: Any) -> bool:
    """Whether one of two expressions changes what the other reads, or both change something, which may be the same."""
    one, other = changed_in(first), changed_in(second)
    both = bool(one and other)
    return both or bool(one & set(ir.names_in(second)) or other & set(ir.names_in(first)))


def _come_in_order(first: Any, second: Any) -> bool:
    return _take_turns(first, second) or _change_one_thing((first, second))


def _change_one_thing(parts: Sequence[Any]) -> bool:
    """Whether two of these change something, or go on with it, which may be the same by another name."""
    return sum(bool(changed_in(part) or any(map(_goes_on, ir.walk(part)))) for part in parts) > 1


def _goes_on(part: Any) -> bool:
    """Whether each call gives another: rng.integers(4), next(rows), file.readline()"""
    match part:
        case gast.Call(func=gast.Attribute(attr=name)):
            return bool(name in DRAWING or name in READING_ON)
        case gast.Call(func=gast.Name(id=name)):
            return bool(name == "next")
    return False


def changed_in(e: Any) -> set[str]:
    """The names of what an expression changes, as far as the names of methods tell."""
    calls = (part for part in ir.walk(e) if isinstance(part, gast.Call))
    changed = (_root(place) for call in calls for place in _changed(call))
    return {name for name in changed if name is not None}


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
