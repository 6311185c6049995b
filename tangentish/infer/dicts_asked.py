"""Where dicts whose keys are computed may stand in an expression: as a name, or where a way leads to one.

A dict that an object holds has a name of its own once the object is taken apart: `self.totals[k]` is `self_totals[k]`.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

import gast

from tangentish.infer.known_functions import KEYED_METHODS
from tangentish.language.lifted import Instance
from tangentish.language.ways import way_of


def dicts_in(node: Any) -> Iterator[Any]:
    """What may be such a dict: a name, a way, or what an object is given by."""
    if way_of(node) is not None:
        yield node
    elif isinstance(node, Instance):
        for part in node.values:
            yield from dicts_in(part)


def dicts_of_receiver(function: Any) -> Iterator[Any]:
    """The same of the dict or the object whose method is called."""
    is_method = isinstance(function, gast.Attribute)
    owner, name = (function.value, function.attr) if is_method else (function, "__call__")
    if isinstance(owner, Instance):
        followed = isinstance(getattr(owner.of, name, None), types.FunctionType)
        yield from dicts_in(owner) if followed else ()
    elif is_method and name in KEYED_METHODS:
        yield from dicts_in(owner)
