"""Methods of dicts whose keys are computed: those that ask for an entry, and those that change the dict."""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.infer.entry_lines import (
    drop_entry,
    into_entry,
    read_entry,
    set_entries,
    set_entry,
    take_entry,
)
from tangentish.infer.facts import Callee
from tangentish.infer.keyed_dicts import is_keyed_dict, reordered
from tangentish.infer.keys_read import KeysRead
from tangentish.infer.known_functions import EntryOr, ListMethod
from tangentish.kinds import REFUSED, Kind, Known, Num, Seq, Tup, is_number, replace, scalar
from tangentish.language.ways import way_of

_METHODS = (
    "of a dict of differentiated values whose keys are computed are known d[key], .get(key, v), "
    ".setdefault(key, v), .pop(key), .update(), .clear(), .items(), .keys() and .values()"
)
_DEFAULT = (
    "what stands for an entry that is not there is a number, an array or None, and nothing is known of this: "
    "write float(v) for a number"
)
TAKING_OUT = {"clear", "pop"}


class KeyedMethods(KeysRead):
    """The part of the walk that knows methods of dicts whose keys are computed."""

    def list_method(
        self,
        method: ListMethod,
        receiver: Any,
        args: list[Any],
        node: Any,
        keywords: dict[str, Any],
    ) -> Kind:
        kind = self.expression(receiver)
        if is_keyed_dict(kind) and not isinstance(receiver, gast.Name) and way_of(receiver):
            return self.method_at_way(method, receiver, args, node, keywords)
        if not (isinstance(kind, Seq) and kind.keyed):
            entry = self.entry_changed(receiver, node)
            if entry is not None:
                found = self.list_method(method, entry, args, node, keywords)
                self.facts.lowered[node] = into_entry
                return found
            return super().list_method(method, receiver, args, node, keywords)
        return self.method_of_keyed(method, receiver, args, node, keywords)

    def method_of_keyed(
        self,
        method: ListMethod,
        receiver: Any,
        args: list[Any],
        node: Any,
        keywords: dict[str, Any],
    ) -> Kind:
        """What a method of such a dict gives."""
        if method.name == "update" and len(args) <= 1:
            return self.updated_by(receiver, args, keywords, node)
        kinds = [self.expression(argument) for argument in args]
        if keywords or way_of(receiver) is None:
            self.refuse(_METHODS, node)
            return REFUSED
        kind = self.expression(receiver)
        assert isinstance(kind, Seq)
        match method.name, args:
            case "clear", []:
                self.take_out(kind, receiver, method, args, node)
                return Known(None)
            case "pop", [_]:
                self.take_out(kind, receiver, method, args, node)
                return self.any_entry(kind, node)
            case "get" | "setdefault" | "pop", [_] | [_, _]:
                default = kinds[1] if len(args) == 2 else Known(None)
                return self.entry_or(method, kind, receiver, args, default, node)
        self.refuse(_METHODS, node)
        return REFUSED

    def method_at_way(
        self,
        method: ListMethod,
        receiver: Any,
        args: list[Any],
        node: Any,
        keywords: dict[str, Any],
    ) -> Kind:
        """What a method gives of a dict that has no name yet: its lines are written once it has one."""
        found = self.method_of_keyed(method, receiver, args, node, keywords)
        self.facts.lowered.pop(node, None)
        return found

    def entry_or(
        self,
        method: ListMethod,
        kind: Seq,
        receiver: Any,
        args: list[Any],
        default: Kind,
        node: Any,
    ) -> Kind:
        """d.get(key, default), d.setdefault(key, default), d.pop(key, default)"""
        self.check_key(args[0])
        held = self.any_entry(kind, node)
        if method.name == "setdefault":
            return self.set_entry_by_default(kind, receiver, args, default, node)
        if method.name == "get" and is_number(default) and not default.active and is_number(held):
            self.facts.callees[node] = Callee(EntryOr(), (receiver, *args), {})
            if kind.item is None and not kind.active:  # what is counted from 0 stays a whole number
                return replace(default, value=None)
            return self.met(held, replace(default, value=None))
        if not isinstance(default, Num) and default != Known(None):
            self.refuse(_DEFAULT, node)
            return REFUSED
        self.facts.callees[node] = Callee(method, (receiver, *args), {})
        self.facts.lowered[node] = read_entry
        if method.name == "pop":
            self.facts.lowered[node] = drop_entry if self.is_line(node) else take_entry
            self.note_taken_out(kind, receiver)
        return self.met(held, default)

    def is_line(self, node: Any) -> bool:
        """Whether nobody asks for what a call gives."""
        match self.statement:
            case ir.Do(gast.Expr(value=value)):
                return value is node
        return False

    def set_entry_by_default(
        self, kind: Seq, receiver: Any, args: list[Any], default: Kind, node: Any
    ) -> Kind:
        """d.setdefault(key, default)"""
        if not kind.active and not default.active:
            self.let_be_plain(kind, default)
        self.check_value(default, node)
        self.note_lists(kind, default, node)
        self.note_key(self.kind(args[0]), kind.buffers, node)
        self.facts.callees[node] = Callee(ListMethod("setdefault"), (receiver, *args), {})
        self.facts.lowered[node] = set_entry
        self.put_beside(default, [kind.item])
        self.change_list(receiver, kind, default)
        return self.met(kind.item or default, default)

    # -- what goes

    def take_out(
        self, kind: Seq, receiver: Any, method: ListMethod, args: list[Any], node: Any
    ) -> None:
        """d.pop(key), d.clear()"""
        for key in args:
            self.check_key(key)
        self.facts.callees[node] = Callee(method, (receiver, *args), {})
        self.note_taken_out(kind, receiver)

    def note_taken_out(self, kind: Seq, receiver: Any) -> None:
        """What is put back on the way back stands at the end: nobody may rely on the order then."""
        self.note_order(kind)
        self.change_list(receiver, kind, None)

    def note_order(self, kind: Seq) -> None:
        """Start again, if something was taken to know in which order the keys were."""
        sites = {buffer.site for buffer in kind.buffers}
        self.facts.reordered |= sites
        marks = set(map(reordered, sites))
        if kind.active and not marks <= self.dynamic:
            self.start_again(marks)

    def takes_out(self, target: Any, kind: Kind, statement: ir.Statement) -> bool:
        if isinstance(kind, Tup) and kind.is_mapping and kind.active:
            self.start_keyed([kind])
        if isinstance(kind, Seq) and kind.keyed:
            self.check_key(target.slice)
            self.note_order(kind)
        return super().takes_out(target, kind, statement)

    # -- what other dicts bring

    def updated_by(
        self, receiver: Any, args: list[Any], keywords: dict[str, Any], node: Any
    ) -> Kind:
        """d.update(e, b=v), d |= e"""
        values = [v for e in args for v in self.values_given(e, node)]
        values += [self.expression(v) for v in keywords.values()]
        kind = self.expression(receiver)
        assert isinstance(kind, Seq)
        self.facts.callees[node] = Callee(ListMethod("update"), (receiver, *args), keywords)
        self.facts.lowered[node] = set_entries
        brought = node.value if isinstance(node, ir.Update) else node
        for value in values:
            self.check_value(value, brought)
            self.note_lists(kind, value, brought)
            self.put_beside(value, [kind.item])
            self.change_list(receiver, kind, value)
        return Known(None)

    def values_given(self, e: Any, node: Any) -> list[Kind]:
        """The kinds of what a dict, or pairs of keys and values, bring under keys."""
        if isinstance(e, gast.Dict) and None not in e.keys:
            return [self.expression(part) for part in (*e.keys, *e.values)][len(e.keys) :]
        self.as_dict(e)
        kind = self.kind_run_over(e)
        if is_keyed_dict(kind):
            assert isinstance(kind, Seq)
            self.check_keys(kind, node)
            return [self.any_entry(kind, node)]
        if isinstance(kind, Tup) and kind.is_mapping:
            return list(kind.items)
        item = self.item_of(e)
        if isinstance(item, Tup) and len(item.items) == 2 and item.is_counted:
            return [item.items[1]]
        self.refuse("it is not known which values this brings: write d[key] = v in a loop", e)
        return []

    def kind_run_over(self, e: Any) -> Kind:
        """The kind of a dict; what is only run over is looked at there."""
        return self.expression(e) if isinstance(e, (gast.Name, gast.DictComp)) else scalar()
