"""What `d.get(key, default)` gives of a dict at rest: a number, where all its entries and the default are numbers.

Of a dict of the module that holds functions it is one of these, or the default, where that is a function, too.
"""

from __future__ import annotations

import functools
from typing import Any

import gast

from tangentish.infer.dict_methods import DictMethods
from tangentish.kinds import (
    Functions,
    Kind,
    Known,
    OneOf,
    Opaque,
    Tup,
    is_number,
    is_unknown,
    replace,
)
from tangentish.kinds.joins import join


class EntriesByDefault(DictMethods):
    """The part of the walk that knows what stands for entries that are not there."""

    def told_by_entries(self, kind: Kind, args: list[Any], node: Any) -> Kind:
        """The kind of what a call gives of which nothing is known, by the entries of the dict that is asked."""
        match node:
            case gast.Call(func=gast.Attribute(value=asked, attr="get"), args=[_, _], keywords=[]):
                default, held_there = self.kind(args[-1]), self.kind(asked)
                if isinstance(held_there, Functions) and isinstance(default, (Known, OneOf)):
                    one = join(held_there.item, default)
                    return one if isinstance(one, OneOf) else kind
                held = self.any_entry_at_rest(asked) if _is_number(default) else None
                if is_unknown(kind) and held is not None and _is_number(held):
                    return replace(join(held, default), value=None)
        return kind

    def any_entry_at_rest(self, asked: Any) -> Kind | None:
        """The kind of any entry of a dict."""
        match self.kind(asked):
            case Tup(items=items) as d if d.is_dict and items and not d.optional:
                return functools.reduce(join, items)
            case Opaque(type=cls) if cls in (dict, None):
                return self.any_number_outside(asked)
        return None


def _is_number(kind: Kind) -> bool:
    return is_number(kind) and not kind.active
