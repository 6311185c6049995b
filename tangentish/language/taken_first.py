"""Functions of itertools that take all items before they give the first tuple: what changes later, they do not see.

for a, b in combinations(x, 2): x[0] = a    ->    for a, b in combinations(list(x), 2): x[0] = a
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import gast

from tangentish import ir
from tangentish.language.named_members import Find, named_member
from tangentish.language.placed import at

_TAKING = {
    itertools.combinations, itertools.permutations, itertools.combinations_with_replacement, itertools.product,
}  # fmt: skip

_ALONG = ("enumerate", "zip", "reversed")


def taken_first(call: Any, found: Find) -> bool:
    """Whether a call is one of these functions."""
    function = named_member(call.func, itertools, found)
    return any(function is one for one in _TAKING)


def with_copies(call: Any, is_disturbed: Callable[[Any], bool]) -> Any | None:
    """The call with copies of what changes while its result is run over; None where nothing does."""
    args = [_copied(arg, is_disturbed) for arg in call.args]
    if all(new is old for new, old in zip(args, call.args, strict=True)):
        return None
    return at(gast.Call(call.func, args, call.keywords), call)


def copied_first(arg: Any) -> Any | None:
    """What such a copy is one of; None of anything else."""
    match arg:
        case gast.Call(func=gast.Name(id="$list"), args=[source]):
            return source
    return None


def _copied(arg: Any, is_disturbed: Callable[[Any], bool]) -> Any:
    if isinstance(arg, (gast.Name, gast.Attribute, gast.Subscript)) and is_disturbed(arg):
        return at(gast.Call(ir.name("$list"), [arg], []), arg)
    along = isinstance(arg, gast.Call) and isinstance(arg.func, gast.Name)
    new = with_copies(arg, is_disturbed) if along and arg.func.id in _ALONG else None
    return arg if new is None else new
