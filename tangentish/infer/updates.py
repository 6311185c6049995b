"""`x += v` of a name, an element, a container or an object."""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.infer.dict_methods import DictMethod
from tangentish.infer.facts import Callee
from tangentish.infer.keyed_dicts import is_keyed_dict
from tangentish.infer.operator_methods import BINARY
from tangentish.infer.questions import is_path
from tangentish.infer.targets import Targets
from tangentish.kinds import REFUSED, Kind, Num, Opaque, Seq, Tup

__all__ = ["Updates"]


class Updates(Targets):
    """The part of the walk that follows updates."""

    def update(self, statement: ir.Update) -> None:
        if isinstance(statement.op, gast.BitOr):
            self.as_dict(statement.target)
            self.as_dict(statement.value)
        target, value = self.stored_place(statement.target), statement.value
        if target is not statement.target:
            statement = ir.Update(target, statement.op, value, statement.origin)
        total = self.update_by_default(statement)
        if total is not None:
            self.facts.answers[statement] = total
            self.assign(target, self.expression(total), total)
            return
        old = self.expression(target)
        if target in self.facts.raising:
            return
        right = self.expression(value)
        if REFUSED in (old, right):
            if isinstance(target, gast.Name) and not getattr(old, "array", False):
                self.bind(target.id, REFUSED, target, None)
            return
        if self.updates_object(statement):
            return
        if not self.updates_container(statement, old, right):
            self.updates_value(statement, old, right)

    def updates_object(self, statement: ir.Update) -> bool:
        """`a += b` of an object: by __iadd__, which most often gives the object itself, or by __add__"""
        target, kind = statement.target, self.kind(statement.target)
        if not (isinstance(kind, Tup) and kind.is_object and is_path(target)):
            return False
        op = ir.operator_name(statement.op)
        read = self.made_once(
            (target, "read"), lambda: ir.with_fields(target, {"ctx": gast.Load()}), target
        )
        self.expression(read)
        own = f"__i{BINARY.get(op)}__"
        if self.method_of(kind, own) is None:
            found = self.operator_method(op, (read, statement.value), statement)
        elif isinstance(target, gast.Name) and not kind.active:
            self.demand_apart(kind, target)
            return True
        elif isinstance(target, gast.Name):
            found = self.stands_for(read, own, [statement.value], statement)
        else:
            self.refuse("this operator changes the object itself: write a method for that", target)
            return True
        if found is None:
            return False
        self.assign(target, found, self.facts.answers[statement])
        return True

    def updates_container(self, statement: ir.Update, old: Kind, right: Kind) -> bool:
        """Xs += ys, d |= e"""
        if isinstance(old, (Tup, Seq)) and isinstance(statement.op, gast.Add):
            self.extend(statement.target, statement.value, statement)
            return True
        if isinstance(old, (Tup, Seq)) and old.active and isinstance(statement.op, gast.Mult):
            self.refuse("a list is repeated in place: write `xs = xs * n`", statement.target)
            return True
        return self.is_merged(statement, old, right)

    def updates_value(self, statement: ir.Update, old: Kind, right: Kind) -> None:
        target, value = statement.target, statement.value
        result = self.operation(
            ir.operator_name(statement.op), (old, right), (target, value), statement
        )
        result = self.on_device(result, target)
        self.facts.answers.pop(statement, None)  # of an earlier trip
        if _grows_to_array(old, result) and self.holds_anything(target):
            self.binds_array(statement)
            return
        self.check_changed_inside(target, old, result)
        if isinstance(target, (gast.Subscript, gast.Attribute)) and self.is_entry(target):
            self.update_entry(target, old, result)
            return
        if isinstance(target, gast.Attribute):
            self.store_attribute(target, result)
            return
        if isinstance(target, gast.Subscript) and self.updates_item(target, old, result):
            return
        if not isinstance(target, gast.Name):
            self.store(target, result)
            return
        if isinstance(old, Num) and old.array is not False and isinstance(result, Num):
            self.env.is_bound(target.id)
            self.update_array(target, old, result)
            return
        self.note_change(target, [target])
        self.bind(target.id, result, target, None)
        self.facts.kinds[target] = old if isinstance(old, Num) else result

    def holds_anything(self, target: Any) -> bool:
        """Whether the place is a variable or an element of a list, which may hold an array where a number was."""
        if isinstance(target, gast.Subscript) and isinstance(self.kind(target.value), (Tup, Seq)):
            if any(isinstance(e, gast.Call) for e in ir.walk(target)):
                self.refuse("this index is asked for twice: give it a name first", target)
            return True
        return isinstance(target, gast.Name)

    def binds_array(self, statement: ir.Update) -> None:
        """`s += x` of a number that varies, where x may be an array: s = s + x, which is another value."""

        def make() -> Any:
            read = ir.with_fields(ir.duplicate(statement.target), {"ctx": gast.Load()})
            return gast.BinOp(read, statement.op, statement.value)

        total = self.made_once((statement.target, "array"), make, statement.target)
        self.facts.answers[statement] = total
        self.assign(statement.target, self.expression(total), total)

    def check_changed_inside(self, target: Any, old: Kind, new: Kind) -> None:
        """`xs[0] += 1`, `d["a"] += 1`: an array in a container is changed in place."""
        if isinstance(target, gast.Name) or not isinstance(old, Num) or old.array is False:
            return
        self.facts.written |= old.buffers
        container = self.kind(target.value)
        if isinstance(target, gast.Subscript) and isinstance(container, (Tup, Seq, Opaque)):
            self.changes_out_of_sight(old, container.active or new.active, target)

    def is_merged(self, statement: ir.Update, old: Kind, right: Kind) -> bool:
        """D |= e: entries are set, as by d.update(e)."""
        if is_keyed_dict(old) and isinstance(statement.op, gast.BitOr):
            self.updated_by(statement.target, [statement.value], {}, statement)
            return True
        mapping = isinstance(old, Tup) and old.is_mapping and (old.active or right.active)
        if not (mapping and isinstance(statement.op, gast.BitOr)):
            return False
        target, value = statement.target, statement.value
        method = DictMethod("update")
        self.facts.callees[statement] = Callee(method, (target, value), {})
        entries = self.entries_of([value], {})
        if entries is None:
            self.start_keyed([old])
            self.not_followed(method, target)
            return True
        read = self.made_once(
            (target, "read"), lambda: ir.with_fields(target, {"ctx": gast.Load()}), target
        )
        self.expression(read)
        self.store_entries(read, entries, statement, target)
        return True


def _grows_to_array(old: Kind, new: Kind) -> bool:
    """Whether a number with a gradient of its own, which is one number, gives way to what may be an array."""
    was_number = isinstance(old, Num) and old.active and old.array is False
    return was_number and isinstance(new, Num) and new.array is not False
