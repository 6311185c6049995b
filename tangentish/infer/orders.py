"""`sorted`, `max` and `min` of what is compared: the order is decided by the values, gradients follow them.

sorted(x, key=abs)                          is written in Python (runtime/calling.py)
max((abs(v), v) for v in x)                 likewise
sorted(range(n), key=lambda i: x[i])        carries no derivative, whatever its key computes
max(xs, default=v)                          max(xs) if len(xs) else v
"""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.by_keys import ByKeys
from tangentish.infer.lists_of_anything import list_of_anything
from tangentish.infer.only_reading import only_reads
from tangentish.infer.own_operators import ITSELF, classes_in
from tangentish.infer.records_made import is_record
from tangentish.infer.run_over_once import numbers_in
from tangentish.infer.starting_again import Instead
from tangentish.ir.quote import quote
from tangentish.kinds import REFUSED, UNKNOWN, Fun, Kind, Known, Num, Opaque, Seq, Tup
from tangentish.kinds.numbers import is_number
from tangentish.language.mapped import listed
from tangentish.language.placed import all_at, at
from tangentish.runtime import calling

_WRITTEN_OUT: dict[Any, tuple[Any, Any]] = {  # without and with a key
    sorted: (calling.in_order, calling.in_order_of),
    max: (calling.largest, calling.largest_by),
    min: (calling.smallest, calling.smallest_by),
}

_OR_DEFAULT = {max: calling.largest_or, min: calling.smallest_or}
_GIVE_KEY = "give a key of numbers"
_BUILTINS = {"zip": zip, "enumerate": enumerate, "list": list}


def _is_item_of(key: Any) -> bool:
    return isinstance(key, gast.Attribute) and key.attr == "__getitem__"


def _is_plain_tuple(kind: Kind | None) -> bool:
    """Whether this is a tuple of numbers and texts, which nothing changes."""
    return (
        isinstance(kind, Tup)
        and kind.is_counted
        and not kind.is_list
        and all(map(_is_plain, kind.items))
    )


def _is_plain(kind: Kind) -> bool:
    return (
        is_number(kind)
        or kind == Opaque(str)
        or (isinstance(kind, Known) and isinstance(kind.value, str))
    )


class Orders(ByKeys):
    """The part of the walk that knows what is put in order."""

    def put_in_order(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """The kind of what is put in order or chosen; None where a rule says it, and for all other calls."""
        if "default" in keywords and function is not sorted:
            return self.or_default(function, args, keywords, node)
        if not keywords.keys() <= {"key", "reverse"}:
            return None
        key = keywords.get("key")
        if key is not None and _is_item_of(key):
            if self.refuses_own_order(function, key.value, node):
                return REFUSED
            by_items = self.by_items_of(function, args, keywords, node)
            if by_items is not None:
                return by_items
        if key is not None and self.expression(key) == Known(None):
            key = None
        values = self.taken_first(function, self.compared(args, key, node), node)
        if key is not None and values is not None:
            self.seek_keys_listed(values, keywords, node)
        if values is None or (key is not None and not self.is_reader(self.kind(key))):
            return None
        return self.values_in_order(function, values, key, keywords, node)

    def refuses_own_order(self, function: Any, values: Any, node: Any) -> bool:
        """Whether named tuples are put in order whose class says itself which comes first."""
        asked = "__gt__" if function is max else "__lt__"
        cls = next(classes_in(self.expression(values), asked), None)
        if cls is not None:
            self.refuse(ITSELF.format(cls=cls.__name__, name=asked, instead=_GIVE_KEY), node)
        return cls is not None

    def values_in_order(
        self, function: Any, values: Any, key: Any, keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        if key is None and self.refuses_own_order(function, values, node):
            return REFUSED
        if key is not None and self.reads_named_tuples(values, key):
            return self.by_keys(values, keywords, node)
        if not self.expression(values).active:
            return self.at_rest_in_order(function, values, key, keywords, node)
        if key is None and not (function is sorted or self.are_tuples(values)):
            return None
        written = _WRITTEN_OUT[function][key is not None]
        rest = [] if key is None else [key]
        reverse = {"reverse": keywords["reverse"]} if "reverse" in keywords else {}
        for value in reverse.values():
            self.expression(value)
        return self.apply(written, [values, *rest], reverse, node)

    def at_rest_in_order(
        self, function: Any, values: Any, key: Any, keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """What is put in order and carries no derivative: a list of numbers has the same numbers."""
        if key is not None:
            return self.of_items(function, values, node)
        kind = self.kind(values)
        item = numbers_in(kind) if isinstance(kind, (Tup, Seq)) else None
        if function is not sorted:
            return None
        for value in keywords.values():
            self.expression(value)
        if isinstance(kind, Seq) and _is_plain_tuple(kind.item):
            return Seq(kind.item, self.fresh(node))
        if not isinstance(item, Num):
            return list_of_anything(kind)
        return Opaque(list, item) if item.dtype == np.dtype(int) else Seq(item, self.fresh(node))

    def or_default(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """max(xs, default=v) is max(xs) if len(xs) else v."""
        if len(args) != 1:
            return None
        xs, default = args[0], keywords["default"]
        if isinstance(xs, gast.GeneratorExp):
            xs = self.standing_in(node, gast.ListComp(xs.elt, xs.generators))
        active = self.expression(xs).active or self.expression(default).active
        known = self.kind(xs)
        if active and isinstance(known, Tup) and known.is_counted:
            return self.of_known(xs, bool(known.items), default, node)
        if not (active and isinstance(known, (Num, Seq))):
            return None
        if not (isinstance(xs, gast.Name) and isinstance(default, (gast.Name, gast.Constant))):
            alone = keywords.keys() == {"default"}
            return self.apply(_OR_DEFAULT[function], [xs, default], {}, node) if alone else None

        def make() -> Any:
            others = [k for k in node.keywords if k.arg != "default"]
            call = gast.Call(node.func, [ir.duplicate(xs)], others)
            test = quote("len({xs})", xs=ir.duplicate(xs))
            return all_at(gast.IfExp(test, call, ir.duplicate(default)), node)

        return self.answered_by(node, make)

    def of_known(self, xs: Any, there_are: bool, default: Any, node: Any) -> Kind | None:
        """max([a, b], default=v) is max([a, b]), and max([], default=v) is v."""
        if not there_are:
            return self.answered_by(node, lambda: ir.duplicate(default))
        if not isinstance(default, (gast.Name, gast.Constant)):
            return None
        others = [k for k in node.keywords if k.arg != "default"]
        return self.answered_by(node, lambda: all_at(gast.Call(node.func, [xs], others), node))

    def by_items_of(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """sorted(places, key=x.__getitem__), of an array or a list: the places carry no derivative"""
        key = keywords["key"]
        whole = self.expression(key.value)
        plain = isinstance(whole, (Seq, Tup)) and not (
            whole.is_mapping if isinstance(whole, Tup) else whole.keyed
        )
        if len(args) != 1 or not (plain or isinstance(whole, Num)):
            return None
        for value in (*args, *(v for n, v in keywords.items() if n != "key")):
            if self.expression(value).active:
                return None
        return self.of_items(function, args[0], node)

    def is_reader(self, key: Kind, seen: tuple[Any, ...] = ()) -> bool:
        """Whether it makes no difference how often a key is asked for."""
        if self.source.function.__module__ == calling.__name__:
            return True  # where it was written in Python this was looked at
        function = key.value if isinstance(key, Known) else getattr(key, "function", None)
        if function in seen:
            return True
        cells = key.cells if isinstance(key, Fun) else ()
        held = {name: self.env.kinds.get(value, UNKNOWN) for name, value in cells}
        functions = {name: kind for name, kind in held.items() if isinstance(kind, Fun)}
        return only_reads(function, functions.__contains__) and all(
            self.is_reader(kind, (*seen, function)) for kind in functions.values()
        )

    def of_items(self, function: Any, values: Any, node: Any) -> Kind:
        """What carries no derivative, by a key that may."""
        item = self.item_of(values)
        return Seq(item, self.fresh(node)) if function is sorted else item

    def compared(self, args: list[Any], key: Any, node: Any) -> Any | None:
        """The list of what is compared; None where it is numbers that have no key."""
        if len(args) > 1:  # max(a, b) is max([a, b])
            plain = key is None and all(isinstance(self.expression(a), (Num, Opaque)) for a in args)
            return None if plain else self.standing_in(node, gast.List(args, gast.Load()))
        (values,) = args
        match values:
            case gast.GeneratorExp(elt=element, generators=generators):
                item = self.item_of(values) if self.expression(values).active else UNKNOWN
                if is_record(item) and not self.cached:
                    raise Instead(values, at(gast.ListComp(element, generators), values))
                if isinstance(item, (Tup, Seq)) or (key is not None and item.active):
                    return self.standing_in(node, gast.ListComp(element, generators))
            case gast.Call(func=func, args=given) if self.called(func)[0] in (zip, enumerate):
                made = listed(values, values, _BUILTINS.get, self.unused)
                if made is not None and any(self.expression(a).active for a in given):
                    return self.standing_in(node, made)
        return values

    def taken_first(self, function: Any, values: Any, node: Any) -> Any:
        """sorted(v for v in xs) takes all before it compares any, as from a list."""
        generates = isinstance(values, gast.GeneratorExp)
        if function is not sorted or not generates or not self.expression(values).active:
            return values
        return self.standing_in(node, gast.ListComp(values.elt, values.generators))

    def are_tuples(self, values: Any) -> bool:
        """Whether what is compared are tuples or lists, not numbers."""
        match self.kind(values):
            case Seq(item=item):
                return isinstance(item, (Tup, Seq))
            case Tup(items=items):
                return any(isinstance(item, (Tup, Seq)) for item in items)
        return False
