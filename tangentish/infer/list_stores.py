"""Stores to lists, to elements and to slices of them, and what `del` takes out."""

from __future__ import annotations

from typing import Any

import gast

from tangentish import ir
from tangentish.errors import Refusal
from tangentish.infer.containers_given import is_given
from tangentish.infer.exchanges import lines_that_exchange
from tangentish.infer.facts import Callee
from tangentish.infer.known_functions import ListMethod
from tangentish.infer.list_lines import delete_item, delete_part, is_plain_part, store_part
from tangentish.infer.lists import Lists
from tangentish.infer.starting_again import InFull
from tangentish.kinds import Kind, Num, Seq, Tup, buffers_of
from tangentish.language.ways import way_of

_NAME_FIRST = "give the list a name first"
_GROWS = "a number that varies may give way to an array here: write xs[k] = xs[k] + v"


class ListStores(Lists):
    """The part of the walk that follows stores to lists."""

    def takes_out(self, target: Any, kind: Kind, statement: ir.Statement) -> bool:
        """Del xs[k] of a list of this function's own, which is xs.pop(k); del xs[a:b]."""
        part = isinstance(target.slice, gast.Slice)
        if part and kind.active and not is_plain_part(target.slice):
            return False
        if isinstance(kind, Tup) and kind.is_list and kind.sites and not is_given(kind):
            self.demand(kind, target)
        if not isinstance(kind, Seq) or kind.is_tuple:
            return False
        if kind.active:
            delete = delete_part if part else delete_item
            self.facts.callees[statement] = Callee(self.way_anew(target.value, kind), (target,), {})
            self.facts.lowered[statement] = delete
        elif not part:
            method = ListMethod("pop")
            self.facts.callees[statement] = Callee(method, (target.value, target.slice), {})
        self.change_list(target.value, kind, None)
        return True

    def extend(self, target: Any, value: Any, statement: ir.Update) -> None:
        """Xs += ys"""
        kind = self.kind(target)
        if isinstance(kind, Tup) and kind.is_list:
            self.demand(kind, target)
        elif isinstance(kind, Seq) and not kind.is_tuple:
            self.check_added(value, kind)
            method = ListMethod("extend")
            self.facts.callees[statement] = Callee(method, (target, value), {})
            added = self.items_added(value, self.kind(value))
            self.put_beside(added, [kind.item])
            self.change_list(target, kind, added)
        else:
            total = self.total_of(statement, "tuple")  # another tuple: nobody else sees it
            named = isinstance(getattr(target, "value", target), gast.Name)
            if not self.cached and named and not isinstance(target, gast.Subscript):
                raise InFull(statement, ir.Assign(target, total, statement.origin))
            self.refuse("a tuple is joined to another by `x = x + y`", target)

    def repeat(self, target: Any, kind: Tup | Seq) -> None:
        """Xs *= n"""
        if kind.active:
            self.refuse("a list is repeated in place: write `xs = xs * n`", target)
        elif isinstance(kind, Tup):
            self.demand(kind, target)
        else:
            self.put_beside(kind.item, [kind.item])
            self.change_list(target, kind, None)

    # -- stores

    def is_list_place(self, target: Any) -> bool:
        """Whether a store is to an element of a list."""
        kind = self.expression(target.value)
        return isinstance(kind, Seq) or (isinstance(kind, Tup) and kind.is_counted)

    def store_item(self, target: Any, value: Kind) -> None:
        """xs[i] = v"""
        kind = self.kind(target.value)
        self.index(target.slice)
        if isinstance(kind, Tup):
            self.demand(kind, target)
            return
        assert isinstance(kind, Seq)
        if isinstance(target.slice, gast.Slice) and (kind.active or value.active):
            self.store_part_of_list(target, kind, value)
            return
        self.note_replaced(kind)
        if (kind.active or value.active) and not isinstance(target.slice, gast.Slice):
            self.have_known(target.slice, target)
        self.facts.kinds[target] = value
        item: Kind | None = value
        if isinstance(target.slice, gast.Slice):
            item = self.items_added(target, value)
        if kind.keyed or self.statement not in set(lines_that_exchange(self.function.body)):
            self.put_beside(item, [kind.item])
        self.change_list(target.value, kind, item)

    def store_part_of_list(self, target: Any, kind: Seq, value: Kind) -> None:
        """xs[a:b] = ys"""
        line = self.statement
        if not (isinstance(line, ir.Assign) and line.target is target):
            self.refuse("a store to a slice of a list stands on a line of its own", target)
        elif not is_plain_part(target.slice):
            self.refuse("a store to a slice of a list has one end, or known ones: 1:3", target)
        else:
            self.facts.callees[line] = Callee(
                self.way_anew(target.value, kind), (target, line.value), {}
            )
            self.facts.lowered[line] = store_part
            item = self.item_of_sequence(value, line.value)
            self.put_beside(item, [kind.item])
            self.change_list(target.value, kind, item)

    def updates_item(self, target: Any, old: Kind, right: Kind, result: Kind) -> bool:
        """xs[i] += v: an array among the elements is changed in place, another element is replaced."""
        if not self.is_list_place(target):
            return False
        changed = self.kind(target.value)
        if isinstance(changed, Seq) and changed.item is None:
            return True  # nothing has been put in so far
        if isinstance(old, Num) and old.or_varying and _may_have_axes(right):
            self.refuse(_GROWS, target)
        if isinstance(old, Num) and old.array is not False:
            root = ir.root_of(target)
            if ir.is_own_name(root):
                active = (old.active or result.active) and old.is_float
                self.wrote(root.id, buffers_of(old), active)
                return True
            if way_of(target.value) is not None:
                self.facts.late.append(Refusal(_NAME_FIRST, target))
                return True  # it has one once what holds it is taken apart
            self.refuse(_NAME_FIRST, target)
        self.store_item(target, result)
        return True


def _may_have_axes(kind: Kind) -> bool:
    return isinstance(kind, Num) and kind.array is not False and kind.shape != ()
