"""`x += v` of a name, an element, a container or an object."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.dict_methods import DictMethod
from tangentish.infer.facts import Callee
from tangentish.infer.forgotten import check_place_in_forgotten, check_write_to_forgotten
from tangentish.infer.in_loops import seek_name, seek_name_of_place
from tangentish.infer.keyed_dicts import is_keyed_dict
from tangentish.infer.objects import is_shared, setter_of
from tangentish.infer.operator_methods import METHODS_OF_TWO, gives_itself, method_in_place
from tangentish.infer.own_operators import has_own
from tangentish.infer.starting_again import InFull, NameFirst
from tangentish.infer.targets import Targets, is_active_object
from tangentish.infer.types_of_values import is_path
from tangentish.infer.updates_of_others import UpdatesOfOthers
from tangentish.ir.origins import place_of_node
from tangentish.kinds import (
    REFUSED,
    Buffer,
    Kind,
    Known,
    Num,
    Opaque,
    Seq,
    Tup,
    is_number,
    is_unknown,
)
from tangentish.language.placed import all_at
from tangentish.language.records import captured_in

_ASKED_TWICE = "this index is asked for twice: give it a name first"
_WHOLE = "the class of this says what the sum is: write it in full, as `v = v + w`"
_INDEX_LATE = "the index is evaluated after this, which may change it: give this a name first"
_STAYING = (
    gast.Constant, gast.Tuple, gast.Slice, gast.BinOp, gast.UnaryOp, gast.operator, gast.unaryop, gast.expr_context,
)  # fmt: skip


_NEVER_CHANGED = (bool, int, float, complex, str, np.generic)


class Updates(Targets, UpdatesOfOthers):
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
        self.seek_in_full(statement)
        old = self.expression(target)
        seek_name_of_place(self, target)
        check_place_in_forgotten(self, target)
        if target in self.facts.raising:
            return
        right = self.value_of_line(value)
        self.refuse_sparse_change(target)
        if REFUSED in (old, right):
            if isinstance(target, gast.Name) and not getattr(old, "array", False):
                self.bind(target.id, REFUSED, target, None)
            return
        if self.updates_object(statement, right):
            return
        if self.updates_number_of_others(statement, old, right):
            return
        if not self.updates_container(statement, old, right):
            self.updates_value(statement, old, right)

    def store(self, target: Any, value: Kind) -> None:
        check_place_in_forgotten(self, target)
        super().store(target, value)

    def note_write(self, name: str, buffers: frozenset[Buffer]) -> None:
        super().note_write(name, buffers)
        check_write_to_forgotten(self, buffers)

    def sets_by_method(self, target: Any, value: Any, statement: ir.Statement) -> bool:
        """`o.x = v` and `o[k] = v`, where the class of an object that is taken apart has a function for that."""
        setter = self.setter_at(target)
        if setter is None:
            return False
        owner = self.kind(target.value)
        self.note_member(getattr(owner, "type", None), setter.__name__)
        if not owner.active:
            self.demand_apart(owner, target)  # type: ignore[arg-type]
            return True

        late = isinstance(target, gast.Subscript) and not self.stays_the_same(target.slice)
        if late and not isinstance(value, (gast.Name, gast.Constant)):
            seek_name(self, value)  # it is evaluated before the index
            self.refuse(_INDEX_LATE, value)

        def make() -> Any:
            if isinstance(target, gast.Attribute):
                return gast.Call(target, [value], [])
            method = gast.Attribute(target.value, setter.__name__, gast.Load())
            return gast.Call(gast.copy_location(method, target), [target.slice, value], [])

        call = self.made_once((target, value), make, target)
        given = [value] if isinstance(target, gast.Attribute) else [target.slice, value]
        self.user_call(setter, [target.value, *given], {}, call)
        self.facts.answers[statement] = call
        return True

    def setter_at(self, target: Any) -> types.FunctionType | None:
        """The function of a class that stores to a place, if it has one."""
        if not isinstance(target, (gast.Attribute, gast.Subscript)):
            return None
        of_attribute = isinstance(target, gast.Attribute)
        owner = self.expression(target.value) if of_attribute else self.kind_along(target.value)
        if not (isinstance(owner, Tup) and owner.is_object) or owner.is_counted:
            return None
        self.expression(target.value)
        if of_attribute:
            return setter_of(owner, target.attr)
        if any(isinstance(part, (gast.Slice, gast.Call)) for part in ir.walk(target.slice)):
            return None
        self.expression(target.slice)
        method = self.method_of(owner, "__setitem__")
        return method[0] if method is not None and method[1] else None

    def kind_along(self, path: Any) -> Kind | None:
        """The kind of a name, or of an attribute of an object that has one: nothing is asked of what that holds."""
        if isinstance(path, gast.Name):
            known: Kind | None = self.env.kinds.get(path.id)
            return known
        owner = self.kind_along(path.value) if isinstance(path, gast.Attribute) else None
        position = owner.position(path.attr) if isinstance(owner, Tup) else None
        if not isinstance(owner, Tup) or position is None:
            return None
        return owner.items[position]

    def stays_the_same(self, index: Any) -> bool:
        """Whether nothing that is evaluated meanwhile changes an index: it is of constants and names."""
        captured = captured_in(self.function)
        return all(
            part.id not in captured if isinstance(part, gast.Name) else isinstance(part, _STAYING)
            for part in ir.walk(index)
        )

    def seek_in_full(self, statement: ir.Update) -> None:
        """`o.x += v` and `o[k] += v` of a number, which functions of the class get and set: o.x = o.x + v

        So is a text, which nothing changes in place, and what an object has of its class.
        """
        target = statement.target
        if isinstance(target, gast.Name) and not self.cached and _is_text(self.expression(target)):
            total = self.total_of(statement, "text")
            raise InFull(statement, ir.Assign(target, total, statement.origin))
        if self.is_of_the_class(target):
            total = self.total_of(statement, "class")
            raise InFull(statement, ir.Assign(target, total, statement.origin))
        if self.is_part_of_list(target) and isinstance(self.expression(statement.value), Num):
            total = self.total_of(statement, "part")
            raise InFull(statement, ir.Assign(target, total, statement.origin))
        if self.setter_at(target) is None:
            return
        if isinstance(target, gast.Subscript) and not self.stays_the_same(target.slice):
            raise NameFirst(statement, target.slice)
        total = self.total_of(statement, "number")
        old = self.expression(total.left)
        if is_number(old):
            raise InFull(statement, ir.Assign(target, total, statement.origin))
        if isinstance(target, gast.Attribute) and isinstance(old, Num) and old.array:
            raise InFull(statement, *self.changed_and_set(statement, total.left))

    def is_part_of_list(self, target: Any) -> bool:
        """Whether this is `xs[1:]`, a new list: an update stores what is made of that."""
        match target:
            case gast.Subscript(value=gast.Name() as whole, slice=gast.Slice()):
                kind = self.expression(whole)
                listed = isinstance(kind, Seq) or (isinstance(kind, Tup) and kind.is_list)
                varies = kind.active and listed and not self.cached
                return varies and self.stays_the_same(target.slice)
        return False

    def changed_and_set(self, statement: ir.Update, read: Any) -> Iterator[ir.Statement]:
        """`o.x += v` of an array: t = o.x; t += v; o.x = t"""
        target, origin = statement.target, statement.origin
        line, column = place_of_node(target)
        name = ir.name(f"{target.attr}.p{line}_{column}")
        yield ir.Assign(all_at(name, target), read, origin)
        yield ir.Update(all_at(ir.duplicate(name), target), statement.op, statement.value, origin)
        yield ir.Assign(target, all_at(ir.duplicate(name), target), origin)

    def is_of_the_class(self, target: Any) -> bool:
        """Whether a number or a text is updated that an object has of its class, so that it gets one of its own."""
        if self.cached or not isinstance(target, gast.Attribute):
            return False
        kind = self.expression(target.value)
        if not (isinstance(kind, Tup) and kind.is_object and is_shared(kind, target.attr)):
            return False
        return isinstance(getattr(kind.type, target.attr), _NEVER_CHANGED)

    def updates_object(self, statement: ir.Update, right: Kind) -> bool:
        """`a += b` of an object: by __iadd__, which most often gives the object itself, or by __add__"""
        target, kind = statement.target, self.kind(statement.target)
        if self.updates_named(statement, right):
            return True
        if not (isinstance(kind, Tup) and kind.is_object and is_path(target)):
            return False
        if right.active and self.may_be_apart(kind):
            self.demand_apart(kind, target)
            return True
        op = ir.operator_name(statement.op)
        read = self.made_once(
            (target, "read"), lambda: ir.with_fields(target, {"ctx": gast.Load()}), target
        )
        self.expression(read)
        own = method_in_place(op)
        if self.method_of(kind, own) is None:
            found = self.operator_method(op, (read, statement.value), statement)
        elif isinstance(target, gast.Name) and not kind.active:
            self.demand_apart(kind, target)
            return True
        elif isinstance(target, gast.Name):
            if not isinstance(statement.value, gast.Name) and is_active_object(right):
                seek_name(self, statement.value)
            found = self.stands_for(read, own, [statement.value], statement)
        else:
            self.seek_method(statement, own, read)
            self.refuse("this operator changes the object itself: write a method for that", target)
            return True
        if found is None:
            return False
        self.assign(target, found, self.facts.answers[statement])
        return True

    def updates_named(self, statement: ir.Update, right: Kind) -> bool:
        """`a += b`, where one of both is a named tuple whose class says what `a + b` is."""
        target, op = statement.target, ir.operator_name(statement.op)
        name, reflected = METHODS_OF_TWO[op]
        in_place = f"__i{name[2:]}"
        if has_own(self.kind(target), in_place):
            self.refuse_own(target, in_place, statement)
            return True
        if not (has_own(self.kind(target), name) or has_own(right, reflected)):
            return False
        if not is_path(target):
            self.refuse(_WHOLE, target)
            return True
        total = self.total_of(statement, "own")
        self.expression(total)
        raise InFull(statement, ir.Assign(target, total, statement.origin))

    def seek_method(self, statement: ir.Update, name: str, owner: Any) -> None:
        """`o.x += v` where the object in that place stays there: o.x.__iadd__(v)"""
        method = self.method_of(self.kind(owner), name)
        if self.cached or method is None or not method[1] or not gives_itself(method[0]):
            return

        def make() -> Any:
            func = gast.Attribute(owner, name, gast.Load())
            return all_at(gast.Expr(gast.Call(func, [statement.value], [])), statement.target)

        line = self.made_once((statement.target, name), make, statement.target)
        raise InFull(statement, ir.Do(line, statement.origin))

    def updates_container(self, statement: ir.Update, old: Kind, right: Kind) -> bool:
        """Xs += ys, d |= e"""
        if isinstance(right, (Tup, Seq)):  # a list outside keeps what is added to it
            self.note_put_elsewhere(old, right)
        if isinstance(old, (Tup, Seq)) and isinstance(statement.op, gast.Add):
            self.extend(statement.target, statement.value, statement)
            return True
        match old:
            case Tup(is_list=True) | Seq(is_tuple=False) if isinstance(statement.op, gast.Mult):
                self.repeat(statement.target, old)
                return True
        return self.is_merged(statement, old, right)

    def updates_value(self, statement: ir.Update, old: Kind, right: Kind) -> None:
        target, value = statement.target, statement.value
        self.check_held_by_array(target)
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
        if isinstance(target, gast.Subscript) and self.updates_item(target, old, right, result):
            return
        if not isinstance(target, gast.Name):
            self.store(target, result)
            return
        if isinstance(old, Num) and old.array is not False and isinstance(result, Num):
            self.env.is_bound(target.id)
            self.update_array(target, old, result)
            return
        self.note_change(target, [target])
        if is_unknown(old) and not result.active:
            self.writes_into(target, target)
            result = old  # an array is the one that it was, which others may hold
        self.bind(target.id, result, target, None)
        self.facts.kinds[target] = old if isinstance(old, Num) else result

    def holds_anything(self, target: Any) -> bool:
        """Whether the place is a variable or an element of a list, which may hold an array where a number was."""
        if isinstance(target, gast.Subscript) and isinstance(self.kind(target.value), (Tup, Seq)):
            if any(isinstance(e, gast.Call) for e in ir.walk(target)):
                self.refuse(_ASKED_TWICE, target)
            return True
        return isinstance(target, gast.Name)

    def total_of(self, statement: ir.Update, why: str) -> Any:
        """`s + x` of `s += x`"""

        def make() -> Any:
            read = ir.with_fields(ir.duplicate(statement.target), {"ctx": gast.Load()})
            return gast.BinOp(read, statement.op, statement.value)

        return self.made_once((statement.target, why), make, statement.target)

    def binds_array(self, statement: ir.Update) -> None:
        """`s += x` of a number that varies, where x may be an array: s = s + x, which is another value."""
        total = self.total_of(statement, "array")
        self.facts.answers[statement] = total
        self.assign(statement.target, self.expression(total), total)

    def check_changed_inside(self, target: Any, old: Kind, new: Kind) -> None:
        """`xs[0] += 1`, `d["a"] += 1`: an array in a container is changed in place."""
        if isinstance(target, gast.Name) or not isinstance(old, Num) or old.array is False:
            return
        self.facts.written |= old.buffers
        container = self.kind(target.value)
        if self.is_list_place(target) and ir.is_own_name(ir.root_of(target)):
            return  # it is written to by the name of the list
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


def _is_text(kind: Kind) -> bool:
    known = isinstance(kind, Known) and isinstance(kind.value, (str, bytes))
    return known or (isinstance(kind, Opaque) and kind.type in (str, bytes))
