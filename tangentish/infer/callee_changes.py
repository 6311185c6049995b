"""What a call of a function that is followed does to what it is given: arrays, lists, dicts and objects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.errors import Refusal
from tangentish.infer.changes_outside import ChangesOutside
from tangentish.infer.constants_apart import seek_apart
from tangentish.infer.facts import Summary, UserCall
from tangentish.infer.writes import can_change
from tangentish.kinds import (
    NO_BUFFERS,
    Buffer,
    Kind,
    Num,
    Seq,
    Tup,
    buffers_of,
    held_by,
    is_array,
    is_of_argument,
    memory_at,
    own_memory,
    sites_of_buffers,
)
from tangentish.kinds.sites import is_in_argument

RUN_OVER = "a list is changed while the loop runs over it"

_SHARED = "two arguments share memory and the function writes to one: pass a copy"


class CalleeChanges(ChangesOutside):
    """The part of the walk that notes what callees write to."""

    def memory_of_call(
        self, found: Summary, kinds: Sequence[Kind], result: Kind, node: Any
    ) -> None:
        """What of the memory at hand may stand in a list more than once from here on, and what is written to."""
        self.facts.repeated |= memory_given(found.repeated, kinds)
        self.facts.stored |= memory_given(found.stored, kinds)
        grown = memory_given(found.grown, kinds)
        self.facts.grown |= grown
        self.check_growth(grown, node)
        if any(self.lists_run_over(loop) & grown for loop in self.around):
            self.refuse(RUN_OVER, node)
        replaced = memory_given(found.replaced, kinds)
        self.facts.replaced |= replaced
        self.check_replaced(replaced, node)
        if not all(map(is_given, found.repeated)):
            self.facts.repeated |= buffers_of(result)
        self.facts.outside |= memory_given(found.outside, kinds)
        if not all(map(is_given, found.outside)):
            self.facts.outside |= buffers_of(result)

    def lists_run_over(self, loop: ir.For) -> frozenset[Buffer]:
        """The lists in what a loop runs over, but for those of which it makes others first: list(xs), xs[:]."""
        nodes = self.iterated(loop.iter)
        parts = (
            n for node in nodes for n in ([node] if self.is_list_made(node) else ir.walk(node))
        )
        kinds = map(self.kind, parts)
        return NO_BUFFERS.union(*(own_memory(kind) for kind in kinds if isinstance(kind, Seq)))

    def is_list_made(self, node: Any) -> bool:
        match node:
            case gast.Subscript(slice=gast.Slice()):
                return True
            case gast.Call(func=gast.Attribute(attr="copy"), args=[]):
                return True
        return self.iterator_name(node) in ("list", "tuple", "sorted")

    def containers_changed(
        self, found: Summary, arguments: tuple[Any, ...], kinds: tuple[Kind, ...], node: Any
    ) -> None:
        """What a call does to the lists, dicts and objects that it is given."""
        for k in found.written:
            if isinstance(kinds[k], Seq):
                self.changed_by_callee(arguments[k], kinds, k, found, node)
        varies = any(kind.active for kind in kinds)
        lists = {k for k in found.written if isinstance(kinds[k], Seq)}
        followed = {k for k in lists if varies or self.is_list_of_numbers(arguments[k], kinds[k])}
        unseen = (kinds[k] for k in found.written if k not in followed)
        if found.changes or not all(kind.active or is_array(kind) for kind in unseen):
            others = [a for k, a in enumerate(arguments) if a is not None and k not in followed]
            self.note_change(node, others)
            if varies and any(_is_whole(kind) for kind in kinds):
                seek_apart(
                    self
                )  # what is read of it later may be another part: self.p beside self.rng
        if found.changes_outside:
            self.note_change_outside(node)
        self.facts.let_out |= sites_of_buffers(memory_given(found.let_out, kinds))
        # Only now: what a list that is followed holds from here on must not be forgotten.
        given = any(can_change(kind) and not is_followed(kind) for kind in kinds)
        if given and _may_change_given(found):
            self.forget_lists()

    def is_list_of_numbers(self, argument: Any, kind: Kind) -> bool:
        """Whether this is a list with a name of its own that holds numbers: what it held is put back."""
        if argument is None or not isinstance(kind, Seq):
            return False
        numbers = kind.item is None or (isinstance(kind.item, Num) and kind.item.array is False)
        return numbers and ir.is_own_name(self.root_of_list(argument))

    def changed_by_callee(
        self, argument: Any, kinds: Sequence[Kind], k: int, found: Summary, node: Any
    ) -> None:
        """A list was changed by the function that it was given to."""
        kind, final = kinds[k], found.finals.get(k)
        if not (isinstance(final, Seq) and isinstance(kind, Seq)) or argument is None:
            self.refuse("a list is changed by a recursion: return it instead", node)
            return
        item = None if final.item is None else self.callee_part(final.item, kinds, node, {})
        if item is not None:
            self.facts.left_in_lists[node] = (*self.facts.left_in_lists.get(node, ()), item)
        added = {b for b in held_by(final) if not is_of_argument(b, k)}
        self.facts.repeated |= held_by(kind) & memory_given(added, kinds)
        self.change_list(argument, kind, item)
        written = memory_given((b for b in found.memory if is_of_argument(b, k)), kinds)
        root = ir.root_of(argument)
        if written & held_by(kind) and ir.is_own_name(root):
            self.wrote(root.id, written & held_by(kind), any(kind.active for kind in kinds))

    def callee_writes(self, user: UserCall, names: Sequence[str], node: Any) -> None:
        for k in user.written:
            if user.arguments[k] is None:
                name = ir.base_name(names[k])
                self.refuse(f"{user.function.__name__} writes to the default of '{name}'", node)
            self.callee_wrote(
                user.arguments[k], user.kinds[k], any(kind.active for kind in user.kinds), node
            )

    def callee_wrote(self, argument: Any, kind: Kind, active: bool, node: Any) -> None:
        if argument is None:
            return
        if isinstance(kind, Tup):
            self.changes_out_of_sight(kind, active, node)
            if kind.active or active:
                self.demand(kind, node)
            return
        if isinstance(kind, Seq):
            if not self.is_list_of_numbers(argument, kind):
                self.changes_out_of_sight(kind, active, node)
            return  # `finals` says what happens to a list
        root = self.written_root(argument, node)
        named = ir.is_own_name(root)
        if not active and root is not argument and self.is_left_whole(root):
            self.changes_out_of_sight(kind, active, node)
        elif named and not self.passes_copy(argument):
            buffers = buffers_of(kind)
            if buffers:
                self.wrote(root.id, buffers, active and isinstance(kind, Num) and kind.is_float)
        elif kind.active or active:
            message = "this function writes to its argument: give the array a name first"
            self.facts.late.append(Refusal(message, node))
            self.facts.unnamed.add(argument)
        else:
            self.callee_wrote_inside(argument, kind, named, node)

    def callee_wrote_inside(self, argument: Any, kind: Kind, named: bool, node: Any) -> None:
        """A call writes to a part of what has a name, or to what an expression gives: up(Pair(w, 1).a)"""
        if not named:
            self.writes_into(argument, node)
        elif not self.is_taken_apart(argument):
            self.changes_out_of_sight(kind, False, node)

    def written_root(self, argument: Any, node: Any) -> Any:
        """What holds the memory of an argument that a call writes to."""
        root = ir.root_of(argument)
        if isinstance(node, gast.Call) and argument in node.args:
            return self.holder_of(root) or root
        return root

    def is_left_whole(self, root: Any) -> bool:
        """Whether this is a list, a dict or an object that carries no derivative, and is not taken apart."""
        kind = self.kind(root)
        return isinstance(kind, Tup) and not kind.active and not kind.apart

    def is_taken_apart(self, argument: Any) -> bool:
        """Whether an argument is an element of a container made here, which becomes a value of its own."""
        container = self.kind(getattr(argument, "value", None))
        if not (isinstance(container, Tup) and container.apart):
            return False
        return not any(isinstance(site, tuple) for site in container.sites)  # those were given

    def check_shared(self, kinds: Sequence[Kind], found: Summary, node: Any) -> None:
        for k in found.written:
            written = buffers_of(kinds[k])
            if isinstance(kinds[k], Seq):  # maybe the list only, not what it holds
                written = memory_given((b for b in found.memory if is_of_argument(b, k)), kinds)
            for other, kind in enumerate(kinds):
                if other != k and buffers_of(kind) & written and any(x.active for x in kinds):
                    self.facts.lent_together.append(node)
                    self.facts.late.append(Refusal(_SHARED, node))

    def check_copied(self, user: Any, kinds: Sequence[Kind], found: Summary, node: Any) -> None:
        """Copies of what shares memory share it, too; a function sees its arguments as if none shared any."""
        for copied in found.copied:
            one, other = (memory_given(memory, kinds) for memory in copied)
            self.facts.copied_by_callees.append((one, other))
            if one & other and any(kind.active for kind in kinds):
                self.facts.kept_together[node] = user.__name__


def _may_change_given(found: Summary) -> bool:
    """Whether a function may change what it is given, or finds outside: one that prints, or fills a dict, does not."""
    if found.pure or found.assumed:
        return found.assumed
    changed = found.changes or found.changes_outside or found.written or found.bound
    moved = found.replaced or found.kept
    return bool(changed or moved) or any(map(is_given, (*found.memory, *found.grown)))


def is_followed(kind: Kind) -> bool:
    """Whether it is known what a call does to a container: to one that carries a derivative, to lists of numbers."""
    if kind.active or not isinstance(kind, Seq):
        return kind.active
    return isinstance(kind.item, (Num, type(None))) or is_followed(kind.item)


def is_given(buffer: Buffer) -> bool:
    """Whether memory is that of an argument."""
    return is_in_argument(buffer.site)


def memory_given(buffers: Iterable[Buffer], kinds: Sequence[Kind]) -> frozenset[Buffer]:
    """The caller's memory that a callee has from its arguments, of these kinds."""
    given: list[Any] = [b.site for b in buffers if is_given(b)]
    return NO_BUFFERS.union(*(memory_at(kinds[k], path) for _, k, *path in given))


def _is_whole(kind: Kind) -> bool:
    """Whether this is an object of constants, whose attributes are not values of their own."""
    return isinstance(kind, Tup) and kind.is_object and not (kind.active or kind.apart)
