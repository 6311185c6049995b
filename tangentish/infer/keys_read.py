"""Keys of dicts whose keys are computed, which carry no derivative: all of them, or chosen by what stands under them.

list(d), sorted(d), set(d), next(iter(d))
max(d, key=d.get), sorted(names, key=d.get)
max(d, key=f)        ->    max(list(d), key=f)
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish.infer.facts import Callee
from tangentish.infer.keyed_dicts import KeyedDicts, is_fromkeys, is_keyed_dict
from tangentish.ir.quote import quote
from tangentish.kinds import UNKNOWN, Kind, Seq
from tangentish.language.placed import all_at
from tangentish.language.ways import way_of

_BY_VALUES: tuple[Any, ...] = (max, min, sorted)
_OF_KEYS: tuple[Any, ...] = (list, sorted, tuple, set, frozenset)


class KeysRead(KeyedDicts):
    """The part of the walk that knows what functions make of the keys of a dict."""

    def listed_keys(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """list(d), sorted(d), next(iter(d)): keys, which carry no derivative."""
        if function is dict or is_fromkeys(function):
            self.as_dict(next(iter(args), None))
        if function is next and self.is_iterator(args):
            self.facts.callees[node] = Callee(next, tuple(args), {})
            return UNKNOWN
        if function in _BY_VALUES and len(args) == 1:
            return self.keys_by_value(function, args[0], keywords, node)
        if function not in _OF_KEYS or keywords or len(args) != 1:
            return None
        (d,) = args
        if not self.is_keyed_at(d):
            return None
        self.as_dict(d)
        self.check_keys(self.expression(d), node)
        self.facts.callees[node] = Callee(function, (d,), {})
        return Seq(UNKNOWN, self.fresh(node)) if function in (list, sorted) else UNKNOWN

    def is_keyed_at(self, d: Any) -> bool:
        """Whether a dict whose keys are computed stands under a name, or where a way leads."""
        if isinstance(d, gast.Name):
            return is_keyed_dict(self.env.kinds.get(d.id, UNKNOWN))
        return way_of(d) is not None and is_keyed_dict(self.place_in_container(d))

    def keys_by_value(
        self, function: Any, d: Any, keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """max(d, key=d.get), sorted(names, key=d.get): keys, which carry no derivative, whatever they are chosen by"""
        match keywords.get("key"):
            case gast.Attribute(value=asked, attr="get" | "__getitem__"):
                pass
            case _ if function is sorted and not keywords:
                return self.listed_keys(list, [d], {}, node)
            case None:
                return None
            case _:
                return self.of_keys_listed(d, node)
        if not self.is_keyed_at(asked) or not keywords.keys() <= {"key", "reverse"}:
            return None
        if way_of(d) == way_of(asked):
            self.as_dict(d)
        elif self.expression(d).active:
            return None  # what is chosen is no key
        self.as_dict(asked)
        self.expression(asked)
        for reverse in (v for k, v in keywords.items() if k == "reverse"):
            self.expression(reverse)
        self.check_keys(self.expression(d), node)
        self.facts.callees[node] = Callee(function, (d,), keywords)
        return Seq(UNKNOWN, self.fresh(node)) if function is sorted else UNKNOWN

    def of_keys_listed(self, d: Any, node: Any) -> Kind | None:
        """max(d, key=f) is max(list(d), key=f)"""
        if not self.is_keyed_at(d):
            return None

        def made() -> Any:
            keys = all_at(quote("list({d})", d=d), node)
            return gast.Call(node.func, [keys], node.keywords)

        return self.answered_by(node, made)

    def is_iterator(self, args: list[Any]) -> bool:
        """Whether this is iter(d) or reversed(d), used up on the spot."""
        match args:
            case [gast.Call(func=func, args=[d], keywords=[]) as call] if self.is_keyed_at(d):
                return self.called(func)[0] in (iter, reversed) and self.is_of_keys(call)
        return False

    def is_of_keys(self, call: Any) -> bool:
        self.as_dict(call.args[0])
        self.check_keys(self.expression(call.args[0]), call)
        self.facts.kinds[call] = UNKNOWN
        self.facts.callees[call] = Callee(iter, tuple(call.args), {})
        return True
