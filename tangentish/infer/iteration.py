"""What a `for` loop runs over: the kind of what each trip gets."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.expressions import Expressions
from tangentish.infer.facts import Callee, Facts
from tangentish.infer.forms import holds_keys
from tangentish.infer.in_loops import seek_name
from tangentish.infer.items_made_late import TUPLES
from tangentish.infer.known_functions import DictView
from tangentish.infer.literals import kind_of_literal, literal_of
from tangentish.infer.names_for_items import seek_names
from tangentish.infer.run_over_once import ONE_EACH, is_of_numbers, numbers_in
from tangentish.infer.spreading import has_stars
from tangentish.kinds import (
    REFUSED,
    TEXT_THAT_VARIES,
    UNKNOWN,
    Functions,
    Kind,
    Num,
    Opaque,
    Seq,
    Tup,
    is_integer,
    is_number,
    is_unknown,
    replace,
    scalar,
    unknown_in,
)
from tangentish.kinds.joins import join
from tangentish.kinds.kinds_of_values import kind_of

ITERATORS: set[Any] = {range, zip, enumerate, reversed}

_NOT_COUNTED = (
    "which of these dicts or objects a trip gets is not known: beside them, zip takes arrays, and lists that have a "
    "name, as ws = list(ws) on a line before"
)
_UNKNOWN_ITEMS = "it is not known how this is run over: loop over its indices"
_NUMBER = (
    "this may be a number, which can't be run over: of what is a number or a list ask isinstance(v, list) first, "
    "not isinstance(v, float)"
)
_INDEX = scalar(int)


class Iteration(Expressions):
    """The part of the walk that knows what can be run over."""

    def item_of(self, node: Any) -> Kind:
        """The kind of what a loop over `node` gets on each trip."""
        self.use_flat(node)
        self.as_dict(node)
        function = self.called(node.func)[0] if isinstance(node, gast.Call) else None
        if isinstance(function, DictView) and not (node.args or node.keywords):
            kind = self.item_of_view(function.name, self.kind(node.func.value), node)
        elif function in ITERATORS and not has_stars(node):
            kind = self.item_of_iterator(function, node)
        elif function in TUPLES and (function is np.ndindex or not has_stars(node)):
            kind = self.item_of_tuples(function, node)
        elif self.is_part_of_range(node):
            kind = self.item_of(node.value)
            for bound in ir.bounds_of(node.slice):
                self.expression(bound)
            self.facts.kinds[node] = UNKNOWN
        else:
            over = self.expression(node)
            kind = over if over == TEXT_THAT_VARIES else self.item_of_sequence(over, node)
            if is_unknown(kind) and function is sorted:
                kind = self.item_in_order(node.args) or kind
        self.facts.items[node] = kind
        return kind

    def item_in_order(self, given: list[Any]) -> Kind | None:
        """The kind of what a loop over `sorted(ws)` gets, of numbers that carry no derivative."""
        if len(given) != 1 or has_stars(given[0]):
            return None
        kind = self.kind(given[0])
        if is_unknown(kind) and isinstance(given[0], gast.Call):
            item = self.item_of(given[0])
            return item if is_of_numbers(item) else None
        return numbers_in(kind)

    def check_bound(self, kind: Kind, node: Any) -> None:
        """The walk back counts down from the last place: an object with __index__ does not subtract."""
        cls = getattr(kind, "type", None)
        if (
            isinstance(cls, type)
            and not issubclass(cls, (int, np.integer))
            and hasattr(cls, "__index__")
        ):
            self.refuse("range() of an object: write range(operator.index(n))", node)

    def item_of_iterator_call(self, node: Any) -> Kind | None:
        """The kind of what range(n), zip(i, j) or combinations(i, 2) gives, which carries no derivative."""
        if self.kind(node) == Opaque(range):
            return _INDEX
        if isinstance(node, gast.Call) and not has_stars(node):
            function = self.called(node.func)[0]
            if function in ITERATORS or function in TUPLES:
                item = self.item_of(node)
                return None if item.active or is_unknown(item) else item
        return None

    def is_part_of_range(self, node: Any) -> bool:
        """`range(n)[::-1]`"""
        match node:
            case gast.Subscript(value=gast.Call(func=func), slice=gast.Slice()):
                return self.called(func)[0] is range
        return False

    def item_of_view(self, name: str, container: Kind, node: Any) -> Kind:
        """The kind of what a loop over d.items(), d.values() or d.keys() gets."""
        if isinstance(container, Seq) and container.keyed:
            return self.item_of_keyed_view(name, container, node)
        if container.active:
            return self.item_of_sequence(self.expression(node), node)
        self.facts.kinds[node] = UNKNOWN
        key: Kind = UNKNOWN
        value: Kind = UNKNOWN
        match container:
            case Functions(item=held) | Opaque(item=held) if held is not None:
                value = held
            case Tup(items=items, keys=keys) if items and keys:
                key = functools.reduce(join, map(kind_of, keys))
                value = functools.reduce(join, items)
        if name == "items":
            return Tup((key, value))
        return key if name == "keys" else value

    def item_of_keyed_view(self, name: str, d: Seq, node: Any) -> Kind:
        """The same of a dict whose keys are computed."""
        self.check_keys(d, node)
        self.facts.callees[node] = Callee(DictView(name), (node.func.value,), {})
        self.facts.kinds[node] = UNKNOWN
        value = self.any_entry(d, node)
        return {"keys": UNKNOWN, "values": value, "items": Tup((UNKNOWN, value))}[name]

    def item_of_iterator(self, function: Any, node: Any) -> Kind:
        keywords = {k.arg: k.value for k in node.keywords}
        self.facts.callees[node] = Callee(function, tuple(node.args), keywords)
        self.facts.kinds[node] = UNKNOWN
        for value in keywords.values():
            self.expression(value)
        if function is range:
            for bound in node.args:
                self.check_bound(self.expression(bound), bound)
            return _INDEX
        if function is zip:
            return Tup(tuple(map(self.item_beside, node.args)))
        if function is enumerate:
            for start in node.args[1:]:
                self.expression(start)
            return Tup((_INDEX, self.item_of(node.args[0])))
        return self.item_beside(node.args[0])

    def item_beside(self, node: Any) -> Kind:
        """The kind of an item of what is run over along with others, or backwards: by one index."""
        kind = self.item_of(node)
        if kind.active and self.facts.function_of(node) in TUPLES:
            self.refuse(_UNKNOWN_ITEMS, node)
            return REFUSED
        return kind

    def item_of_tuples(self, function: Any, node: Any) -> Kind:
        """The kind of the tuples that np.ndindex, or a function of itertools, runs over."""
        keywords = {k.arg: k.value for k in node.keywords}
        self.facts.callees[node] = Callee(function, tuple(node.args), keywords)
        self.facts.kinds[node] = UNKNOWN
        if function is np.ndindex:
            return self.item_of_indices(node.args)
        run_over = node.args if function is itertools.product else node.args[:1]
        items = tuple(map(self.item_of, run_over))
        times = self.times(function, node.args[len(run_over) :], keywords)
        if times is not None and UNKNOWN not in items:
            return Tup(items * times)
        if any(item.active for item in items):
            self.refuse(_UNKNOWN_ITEMS, node)
            return REFUSED
        return Seq(functools.reduce(join, items), is_tuple=True) if items else UNKNOWN

    def item_of_indices(self, given: list[Any]) -> Kind:
        """The kind of what np.ndindex(*axes), or np.ndindex(axes), gives."""
        axes: list[Kind] = []
        for e in given:
            kind = self.expression(e.value if isinstance(e, gast.Starred) else e)
            whole = isinstance(kind, Tup) and (len(given) == 1 or isinstance(e, gast.Starred))
            axes += kind.items if whole and isinstance(kind, Tup) else (kind,)
        return Tup((_INDEX,) * len(axes)) if all(map(is_integer, axes)) else UNKNOWN

    def times(self, function: Any, rest: list[Any], keywords: dict[str, Any]) -> int | None:
        """How often a tuple takes an item of each of what is run over; None where it is not known."""
        for value in (*rest, *keywords.values()):
            self.expression(value)
        if function is itertools.pairwise:
            return 2
        if function is itertools.product and not keywords:
            return 1
        times = literal_of(next(iter((*rest, *keywords.values())), None))
        return times if isinstance(times, int) else None

    def item_of_sequence(self, kind: Kind, node: Any) -> Kind:
        self.run_over_by_method(node)
        match kind:
            case Num() if may_have_rows(kind):
                return element_of(kind)
            case Seq(keyed=True):
                self.check_keys(kind, node)
                return UNKNOWN
            case Seq(item=item):
                return self.taken(item, node)
            case Opaque(type=cls) if cls is range:
                return _INDEX
            case Functions(item=held) | Opaque(item=held) if (
                kind.type in ONE_EACH and held is not None
            ):
                return held
            case Tup(keys=keys) if kind.is_mapping:
                kinds = list(map(kind_of_literal, keys or ()))
                return functools.reduce(join, kinds) if kinds else UNKNOWN
            case Tup() if kind.active:
                self.demand_elements(kind, node)
            case Tup(items=items) if items:
                return functools.reduce(join, items)
        if kind.active:
            self.refuse(_NUMBER if is_number(kind) else _UNKNOWN_ITEMS, node)
        unknown = unknown_in(kind) if is_unknown(kind) else UNKNOWN
        return REFUSED if self.is_refused(node) else unknown

    def demand_elements(self, kind: Tup, node: Any) -> None:
        """What is run over has elements that can't be told apart, unless a line before gives it a name."""
        seek_names(self, kind, node)
        if isinstance(node, gast.Call) and any(map(holds_keys, kind.items)):
            seek_name(self, node)
        self.demand(kind, node, _NOT_COUNTED)


def is_range(node: Any, facts: Facts) -> bool:
    return facts.function_of(node) is range


def may_have_rows(kind: Num) -> bool:
    """Whether an array can be run over: of what varies it need not be known how many axes it has."""
    if kind.shape is None:
        return kind.active and not kind.is_scalar
    return kind.array is True and bool(kind.shape)


def element_of(kind: Num) -> Num:
    """The kind of `x[i]`."""
    if kind.shape is None:
        rest, array = None, None
    else:
        rest, array = kind.shape[1:], len(kind.shape) > 1 or kind.holds_records
    return replace(
        kind, shape=rest, array=array, weak=False, value=None, contiguous=kind.contiguous and bool(rest),
        buffers=frozenset() if array is False else kind.buffers, axes=False,
    )  # fmt: skip
