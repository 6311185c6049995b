"""Dicts whose keys are computed: a gradient beside them, under the same keys.

A dict starts as one whose entries are values of their own. The first key that is not known makes it a `Seq` that is
keyed, as the first index that is not known makes a list one that changes. Where such a dict may stand is listed here;
all else is refused.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.entry_lines import read_entry, set_entry
from tangentish.infer.facts import Callee
from tangentish.infer.known_functions import KEYED_METHODS, EntryOr, ListMethod
from tangentish.infer.list_stores import ListStores
from tangentish.infer.starting_again import StartAgain
from tangentish.kinds import REFUSED, UNKNOWN, Kind, Known, Num, Opaque, Seq, Tup, replace, scalar
from tangentish.kinds.joins import as_sequence

__all__ = ["KeyedDicts", "is_keyed_dict"]

_WHOLE = (
    "a dict of differentiated values whose keys are computed is used here as a whole: "
    "read its entries, d[key], and run over list(d)"
)
_METHODS = (
    "of a dict of differentiated values whose keys are computed are known d[key], .get(key, v) and "
    ".setdefault(key, v)"
)
_VALUES = "a dict whose keys are computed holds differentiated numbers, or arrays of one shape, and nothing else"


def is_keyed_dict(kind: Kind) -> bool:
    return isinstance(kind, Seq) and kind.keyed


class KeyedDicts(ListStores):
    """The part of the walk that follows dicts whose keys are computed."""

    # -- which dicts these are

    def demand_keyed(self, kind: Tup, owner: Any, key: Any) -> None:
        """A key of this dict is not known: start again, with a dict whose keys are computed.

        A flag or a string that is an argument is looked at first: what is refused is generated for that very value.
        """
        if isinstance(key, gast.Name) and self.is_flag(key):
            return
        if isinstance(owner, gast.Name):
            self.start_keyed([kind])

    def start_keyed(self, kinds: Sequence[Kind]) -> None:
        """Start again with dicts whose keys are computed, if that is what all of these may be."""
        marks: set[Hashable] = set()
        for kind in kinds:
            if isinstance(kind, Seq) and kind.keyed:
                continue
            made_here = isinstance(kind, Tup) and kind.type is dict and bool(kind.sites)
            if not made_here or not isinstance(kind, Tup):
                return
            if not all(isinstance(site, int) for site in kind.sites) or kind.optional:
                return
            if not all(isinstance(item, Num) for item in kind.items):
                return
            marks |= {_mark(site) for site in kind.sites}
        if not marks <= self.dynamic:
            self.dynamic |= marks
            raise StartAgain

    def refuse_forms(self, a: Kind, b: Kind) -> None:
        """Dicts with other keys on one path than on another have keys that are computed."""
        self.start_keyed([a, b])
        super().refuse_forms(a, b)

    def is_flag(self, key: Any) -> bool:
        """Whether a name is an argument that is True, False or a string."""
        kind = self.kind(key)
        of_flag = kind == Opaque(str) or (isinstance(kind, Num) and kind.dtype == np.dtype(bool))
        return of_flag and key.id in self.function.parameters

    def keyed_display(self, node: Any, kinds: tuple[Kind, ...]) -> Seq | None:
        """{} or {"a": x}, of a dict that gets keys that are not known."""
        if _mark(id(node)) not in self.dynamic:
            return None
        kind = as_sequence(Tup(kinds, False, frozenset({id(node)}), type=dict))
        for k, item in enumerate(kinds):
            self.check_value(item, node)
            self.put_beside(item, kinds[:k])
        self.kept.append(node)
        return replace(kind, buffers=self.fresh(node))

    # -- where they stand

    def check_whole(self, node: Any) -> Kind | None:
        """A dict whose keys are computed stands where nobody knows what is done to it."""
        match node, self.statement:
            case gast.Name(), _ if node in self.facts.as_dicts:
                return None
            case gast.Dict(), ir.Assign(gast.Name(), value) if value is node:
                return None
        self.refuse(_WHOLE, node)
        return REFUSED if not self.cached else None

    # -- entries

    def check_value(self, value: Kind, node: Any) -> None:
        number = isinstance(value, Num) and value.known and not value.optional
        if not number or not isinstance(value, Num) or None in (value.shape or ()):
            self.refuse(_VALUES, node)

    def check_key(self, node: Any) -> None:
        if isinstance(node, gast.Slice):
            self.refuse("a slice is no key", node)

    def store_item(self, target: Any, value: Kind) -> None:
        kind = self.kind(target.value)
        if not (isinstance(kind, Seq) and kind.keyed):
            super().store_item(target, value)
            return
        self.index(target.slice)
        self.check_key(target.slice)
        self.check_value(value, target)
        if kind.item is not None and isinstance(value, Num) and isinstance(kind.item, Num):
            self.check_value(self.met(kind.item, value), target)
        self.facts.kinds[target] = value
        self.put_beside(value, [kind.item])
        self.change_list(target.value, kind, value)

    def item_of_list(self, node: Any, base: Seq, index: Kind) -> Kind:
        if not base.keyed:
            return super().item_of_list(node, base, index)
        self.check_key(node.slice)
        item = base.item
        if item is None:  # nothing so far: what the first trip of a loop takes it for
            return scalar()
        return replace(item, value=None) if isinstance(item, Num) else self.taken(item, node)

    def listed_keys(
        self, function: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind | None:
        """list(d) or sorted(d): a new list of the keys, which carry no derivative."""
        if function not in (list, sorted) or keywords or len(args) != 1:
            return None
        (d,) = args
        named = isinstance(d, gast.Name) and self.env.kinds.get(d.id)
        if not (isinstance(named, Seq) and named.keyed):
            return None
        self.as_dict(d)
        self.expression(d)
        self.facts.callees[node] = Callee(function, (d,), {})
        return Seq(UNKNOWN, self.fresh(node))

    # -- methods

    def list_method(
        self,
        method: ListMethod,
        receiver: Any,
        args: list[Any],
        node: Any,
        keywords: dict[str, Any],
    ) -> Kind:
        kind = self.expression(receiver)
        if not (isinstance(kind, Seq) and kind.keyed):
            return super().list_method(method, receiver, args, node, keywords)
        kinds = [self.expression(argument) for argument in args]
        if method.name not in KEYED_METHODS or keywords or not 1 <= len(args) <= 2:
            self.refuse(_METHODS, node)
            return REFUSED
        self.check_key(args[0])
        default = kinds[1] if len(args) == 2 else Known(None)
        held = scalar() if kind.item is None else kind.item
        if method.name == "setdefault":
            return self.set_entry_by_default(kind, receiver, args, default, node)
        if _is_number(default) and not default.active and _is_number(held):
            self.facts.callees[node] = Callee(EntryOr(), (receiver, *args), {})
            return self.met(replace(held, value=None), replace(default, value=None))
        if not isinstance(default, Num) and default != Known(None):
            self.refuse(_METHODS, node)
            return REFUSED
        self.facts.callees[node] = Callee(method, (receiver, *args), {})
        self.facts.lowered[node] = read_entry
        return self.met(held, default)

    def set_entry_by_default(
        self, kind: Seq, receiver: Any, args: list[Any], default: Kind, node: Any
    ) -> Kind:
        """d.setdefault(key, default)"""
        self.check_value(default, node)
        self.facts.callees[node] = Callee(ListMethod("setdefault"), (receiver, *args), {})
        self.facts.lowered[node] = set_entry
        self.put_beside(default, [kind.item])
        self.change_list(receiver, kind, default)
        return self.met(kind.item or default, default)


def _is_number(kind: Kind) -> bool:
    return isinstance(kind, Num) and kind.is_scalar


def _mark(site: Any) -> Any:
    """What stands for a dict that is made somewhere, among the containers that change."""
    return ("keyed", site)
