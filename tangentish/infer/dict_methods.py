"""Methods of dicts that carry a derivative: each is the stores to entries that it stands for.

d.update(e, b=v)           ->    d["a"] = e["a"]; d["b"] = v
y = d.setdefault("k", v)   ->    d["k"] = v, where there is no such key; y = d["k"]
d.copy(), d | e            ->    {**d}, {**d, **e}
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.dicts import Dicts
from tangentish.infer.entry_lines import change_entry
from tangentish.infer.facts import Callee, Handed
from tangentish.infer.in_place_calls import InPlaceCall
from tangentish.infer.keyed_lists import entry_of
from tangentish.infer.keyed_methods import TAKING_OUT
from tangentish.infer.known_functions import ListMethod
from tangentish.kinds import REFUSED, UNKNOWN, Kind, Known, Tup
from tangentish.rules.rule import ABSENT

DICT_METHODS = {"copy", "setdefault", "update"} | TAKING_OUT

_STAYS = "entries are taken out of dicts that this function makes, and that hold numbers or arrays of one shape"

Entries = Sequence[tuple[Any, Any]]
"""Keys, and nodes of values."""


@dataclass(frozen=True)
class DictMethod:
    """A method of a dict that changes it, or copies it."""

    name: str


class DictMethods(Dicts):
    """The part of the walk that knows methods of dicts."""

    def list_method(
        self, method: ListMethod, receiver: Any, args: list[Any], node: Any, keywords: dict[str, Any]
    ) -> Kind:  # fmt: skip
        entry = self.entry_set_first(receiver, node)
        if entry is None:
            return super().list_method(method, receiver, args, node, keywords)
        found = self.list_method(method, entry, args, node, keywords)
        self.facts.lowered[node] = _into_entry
        if any(part in self.facts.lowered for argument in args for part in ir.walk(argument)):
            self.refuse(
                "what is put into this list changes something itself: give it a name first", node
            )
        return found

    def entry_set_first(self, receiver: Any, node: Any) -> Any | None:
        """The entry of `d.setdefault("k", []).append(v)` on a line of its own, where it is known which key this is."""
        asked = self.facts.callees.get(receiver)
        known = asked is not None and asked.function == DictMethod("setdefault")
        if asked is None or not known or self.cached or not self.is_line(node):
            return None
        return self.made_once((receiver, "entry"), lambda: entry_of(asked), receiver)

    def dict_method(
        self,
        method: DictMethod,
        receiver: Any,
        args: list[Any],
        keywords: dict[str, Any],
        node: Any,
    ) -> Kind | None:
        """The kind of a call; None where nothing in it carries a derivative."""
        kinds = [self.expression(a) for a in (receiver, *args, *keywords.values())]
        copies = method.name == "copy" and not args
        if copies and not kinds[0].active:
            return self.with_entries_of([(None, receiver)], node)
        if not any(kind.active for kind in kinds):
            return None
        self.facts.callees[node] = Callee(method, (receiver, *args), keywords)
        if copies:
            copied = self.merged([(None, receiver)], node)
            return self.not_followed(method, node) if copied is None else copied
        if method.name == "setdefault" and len(args) in (1, 2) and not keywords:
            default = args[1] if len(args) == 2 else self.nothing(node)
            return self.set_default(receiver, args[0], default, node)
        entries = self.entries_of(args, keywords) if method.name == "update" else None
        if entries is None:
            return self.not_followed(method, node)
        self.store_entries(receiver, entries, node, node)
        return Known(None)

    def not_followed(self, method: DictMethod, node: Any) -> Kind:
        if method.name == "update":
            self.start_keyed([self.kind(node.func.value)])
        self.refuse(
            _STAYS
            if method.name in TAKING_OUT
            else f"the method .{method.name} of a dict takes dicts and keys that are known: "
            "write d[key] = v",
            node,
        )
        return REFUSED

    def nothing(self, node: Any) -> Any:
        made = self.made_once((node, "None"), lambda: gast.Constant(None, None), node)
        self.expression(made)
        return made

    def entries_of(self, args: Sequence[Any], keywords: dict[str, Any]) -> Entries | None:
        """The keys and values that a dict gets; None where they are not known."""
        found: list[tuple[Any, Any]] = []
        for value in args:
            entries = self.entries_in(value) if len(args) == 1 else None
            if entries is None:
                return None
            found += entries.items()
        return [*found, *keywords.items()]

    def store_entries(self, receiver: Any, entries: Entries, node: Any, at: Any) -> None:
        """`node`, a call or an update, sets entries of the dict that `receiver` is."""
        pairs = [(self.entry_at(receiver, key, at), value) for key, value in entries]
        for target, value in pairs:
            self.store_entry(target, self.kind(value))
        self.facts.lowered[node] = _stores(pairs, receiver, None)
        owner = self.owner_of_entries(receiver)
        if owner is not None and self.kind(owner).active:
            self.facts.handed[node] = tuple(
                Handed("", self.names_along_to(owner, key), self.kind(value), key)
                for key, value in entries
                if self.has_entry(owner, key)
            )

    def has_entry(self, owner: Any, key: Any) -> bool:
        kind = self.kind(owner)
        return isinstance(kind, Tup) and kind.position(key) is not None

    def entry_at(self, receiver: Any, key: Any, at: Any) -> Any:
        """d["k"], as a target"""

        def make() -> Any:
            index = gast.copy_location(gast.Constant(key, None), at)
            return gast.Subscript(receiver, index, gast.Store())

        return self.made_once((at, "entry", key), make, at)

    def set_default(self, receiver: Any, key: Any, default: Any, node: Any) -> Kind:
        """d.setdefault(key, default)"""
        name, kind = self.known_key(key), self.kind(receiver)
        if name is ABSENT:
            self.write_out_for(key)
            self.refuse(
                "it is not known which key this is: use a literal, or a dict of numbers or arrays",
                node,
            )
            return REFUSED
        known = isinstance(kind, Tup) and kind.position(name) is not None
        self.store_entries(receiver, [] if known else [(name, default)], node, node)
        place = self.made_once(
            (node, "place", name),
            lambda: gast.Subscript(
                receiver, gast.copy_location(gast.Constant(name, None), node), gast.Load()
            ),
            node,
        )
        pairs = [] if known else [(self.entry_at(receiver, name, node), default)]
        self.facts.lowered[node] = _stores(pairs, receiver, place)
        if not isinstance(self.kind(receiver), Tup):
            return UNKNOWN
        return self.expression(place)


def _into_entry(call: InPlaceCall) -> None:
    """d.setdefault("k", []).append(v)    ->    d["k"] = [], where there is no such key; d["k"].append(v)"""
    receiver = call.node.func.value
    setting = replace(call, node=receiver, lines=call.lines)
    change_entry(call, call.facts.lowered[receiver](setting))


def _stores(
    pairs: Sequence[tuple[Any, Any]], receiver: Any, value: Any
) -> Callable[[InPlaceCall], Any]:
    """What puts lines in the place of a call that sets entries; values that look at the dict come first."""

    def handler(call: InPlaceCall) -> Any:
        root = getattr(ir.owner_of(receiver), "id", None)
        first = len(pairs) > 1 and any(_may_see(v, root) for _, v in pairs)
        values = [v for _, v in pairs]
        if first:
            values = [gast.copy_location(ir.name(call.fresh("t")), v) for v in values]
            named = zip(values, (v for _, v in pairs), strict=True)
            call.lines += [ir.Assign(name, v, call.origin) for name, v in named]
        targets = (target for target, _ in pairs)
        call.lines += [ir.Assign(t, v, call.origin) for t, v in zip(targets, values, strict=True)]
        return value

    return handler


def _may_see(value: Any, root: str | None) -> bool:
    """Whether what gives a value looks at the dict itself."""
    return root in ir.names_in(value) or any(isinstance(n, gast.Call) for n in ir.walk(value))
