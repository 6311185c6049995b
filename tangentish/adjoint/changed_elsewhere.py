"""Calls that may write to arrays that were put outside: into lists, dicts and variables of the module, or of others.

    HISTORY.append(w)    ->      another name of w, which `scale_all` may write to
    s = x * w
    scale_all()

Functions that only put things into lists and dicts, or take some out, write to none of these.
"""

from __future__ import annotations

import builtins
import types
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import gast

from tangentish.errors import NotDifferentiable
from tangentish.infer import Facts
from tangentish.infer.changes import OUTSIDE, READING, changes_what_it_gets, may_be
from tangentish.language.changing_names import OF_CONTAINERS
from tangentish.language.source import Source, read_source


def changes_elsewhere(facts: Facts, inside: Sequence[Any], source: Source) -> list[Any]:
    """The calls, but for these, that may write to what stands outside."""
    return [
        node
        for node, sites in facts.changes.items()
        if isinstance(node, gast.Call) and may_be(sites, OUTSIDE)
        if not (node in inside or _only_fills(node, facts, source))
    ]


def _only_fills(call: Any, facts: Facts, source: Source) -> bool:
    """Whether a call puts things into lists, dicts and sets, or takes some out, and does nothing else."""
    if isinstance(call.func, gast.Attribute) and call.func.attr in OF_CONTAINERS:
        return True
    function = facts.function_of(call)
    if function is None and isinstance(call.func, gast.Name):
        with suppress(NameError):
            function = source.lookup(call.func.id)
    if not isinstance(function, types.FunctionType):
        return False
    try:
        return not any(map(_may_write, gast.walk(read_source(function).tree)))
    except NotDifferentiable:
        return False


def _may_write(node: Any) -> bool:
    """Whether a part of a text may write to an array that stands somewhere."""
    match node:
        case gast.Subscript(ctx=ctx) | gast.Attribute(ctx=ctx):
            return not isinstance(ctx, gast.Load)
        case gast.AugAssign():
            return True
        case gast.Call(func=gast.Attribute(attr=method)):
            return method not in OF_CONTAINERS | READING
        case gast.Call(func=gast.Name(id=name)):
            function = getattr(builtins, name, None)
            return function is None or changes_what_it_gets(function, None)
    return isinstance(node, gast.Call)
