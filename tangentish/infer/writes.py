"""Writes to memory: what they make stale, and active."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.errors import Refusal
from tangentish.infer.changes import CHANGED_OUTSIDE, OUTSIDE, may_be, sites_in, sites_of
from tangentish.infer.facts import ApartNeeded
from tangentish.infer.known_functions import STORED_THROUGH
from tangentish.infer.lists_kept import array_sites, in_comprehension, lists_kept
from tangentish.infer.made_to_vary import made_to_vary, with_other_elements
from tangentish.infer.perhaps_integers import PERHAPS_INTEGERS, may_be_of_integers
from tangentish.infer.walk import Walk
from tangentish.kinds import (
    UNKNOWN,
    Buffer,
    Kind,
    Num,
    Opaque,
    Seq,
    Sites,
    Tup,
    buffers_of,
    has_complex,
    held_by,
    is_only_asked,
    is_unknown,
    replace,
    sites_of_buffers,
)
from tangentish.kinds.held_functions import objects_held
from tangentish.kinds.joins import join
from tangentish.kinds.sites import is_global
from tangentish.language.scopes import COMPREHENSIONS

_PERHAPS_NO_ARRAY = "it is not known whether this is an array: the store can't be differentiated"
_HELD_BY_UNKNOWN = (
    "what varies is stored to a part of '{}', of which it is not known any more what it holds: "
    "store to that itself"
)
_UNSURE_UPDATE = (
    "it is not known whether this is an array, which others would see change: write x = x + v, or int(i) for the "
    "index that gave it"
)
_IN_TUPLE = "a write to an array inside a tuple: give the array a name first"

_OBJECT = np.dtype(object)
_HELD_BY_ARRAY = "an array of objects holds what is written to here: write a list"
_HELD_ELSEWHERE = (
    "an array that a global holds, too, is written to, or a list, or what an object may hold of which nothing is "
    "known: store, or write to, a copy"
)
_STORES = "stores of differentiated values into lists, dicts and objects are not supported yet"
_IF_ARRAY = "; if it is an array, of which nothing is known here, write K = np.array(K) before"


class Writes(Walk):
    """The part of the walk that follows writes."""

    def store(self, target: Any, value: Kind) -> None:
        """`target[...] = value`"""
        self.expression(target)
        container = self.facts.kinds.get(target.value, UNKNOWN)
        self.check_held_by_array(target.value)
        if self.passes_copy(target.value):
            if value.active or container.active:
                self.demand_holder(target.value)
                self.refuse(
                    "indexing by arrays or masks gives a copy, so that this store is lost: "
                    "put both into one index",
                    target,
                )
                return
            if self.passes_copy(target.value, surely=True):
                return
        root = self.written_name(target, value.active or container.active)
        self.note_put_elsewhere(container, value)
        if not (value.active or container.active) and (root is None or is_unknown(container)):
            self.writes_into(target.value, target)
        if root is None:
            return
        base = self.facts.kinds.get(ir.root_of(target), UNKNOWN)
        self.check_container(target, container)
        if isinstance(base, (Tup, Seq, Opaque)) and not isinstance(container, Num):
            self.store_into_container(target, container, value.active or base.active)
        if isinstance(base, Tup) and isinstance(container, Num) and (value.active or base.active):
            self.facts.late.append(Refusal(_IN_TUPLE, target))
        if not ir.is_value(root.id) and (value.active or base.active):
            self.refuse(f"the global '{root.id}' is written to: pass it as an argument", target)
        if isinstance(container, Num):
            self.store_into_array(target, root.id, container, value)

    def note_put_elsewhere(self, container: Kind, value: Kind) -> None:
        """What is not followed holds what is stored to it: a change of that may be one of this array."""
        if not isinstance(container, (Num, Seq, Tup)):
            self.facts.outside |= buffers_of(value)
            self.facts.let_out |= sites_of_buffers(buffers_of(value))

    def check_held_by_array(self, node: Any) -> None:
        """What an array of objects holds is not followed: it must not be written to."""
        kind = self.kind(node)
        if isinstance(kind, Num) and not kind.array and kind.dtype == _OBJECT:
            self.refuse(_HELD_BY_ARRAY, node)

    def store_into_container(self, target: Any, container: Kind, active: bool) -> None:
        if active:
            self.take_up_again([target.value])
            self.demand_made(target.value)
            self.refuse(_STORES + _IF_ARRAY if is_unknown(container) else _STORES, target)
        self.note_change(target, [target.value, ir.root_of(target)])
        if isinstance(container, Opaque) and container.type is np.flatiter:
            self.changes_out_of_sight(container, active, target)
        self.forget_lists(container)

    def written_name(self, target: Any, active: bool) -> Any | None:
        """The name through which the target of a store is written to, None where there is none."""
        root = ir.root_of(target)
        if isinstance(root, gast.Name) and not (
            self.may_be_copy(target) and ir.has_view_call(target)
        ):
            return root
        holder = self.holder_of(root)
        if holder is not None:
            return holder
        if isinstance(root, gast.Attribute) and root.attr in STORED_THROUGH:
            self.refuse(
                f"stores through .{root.attr} are not followed: {STORED_THROUGH[root.attr]}",
                target,
            )
            return None
        if active:
            self.refuse("this store's target is no name: give the array a name first", target)
            return None
        owner = ir.owner_of(target)
        array = isinstance(owner, gast.Name) and not isinstance(self.kind(owner), (Tup, Seq))
        return owner if array else None  # what a container holds has no name

    def holder_of(self, root: Any) -> Any | None:
        """The name of the object that holds an array that is written to."""
        holder = ir.owner_of(root)
        if not isinstance(root, gast.Attribute) or not isinstance(holder, gast.Name):
            return None
        kind = self.facts.kinds.get(root.value, UNKNOWN)
        if not isinstance(kind, Tup) or not (kind.is_object or kind.is_counted):
            return None
        if not ir.is_value(holder.id):
            return None
        if kind.is_counted:
            self.facts.late.append(Refusal(_IN_TUPLE, root))
        if not kind.active:
            self.demand_apart(kind, root)
        return holder

    def may_be_copy(self, target: Any) -> bool:
        base = self.facts.kinds.get(ir.root_of(target), UNKNOWN)
        container = self.facts.kinds.get(target.value, UNKNOWN)
        return (
            isinstance(container, Num)
            and isinstance(base, Num)
            and container.buffers != base.buffers
        )

    def check_container(self, target: Any, container: Kind) -> None:
        if isinstance(container, Num) and container.array is not True and container.active:
            self.refuse(_PERHAPS_NO_ARRAY, target)

    def store_into_array(self, target: Any, name: str, container: Num, value: Kind) -> None:
        active = value.active and container.is_float
        if value.active:
            self.check_holds_numbers(container, target)
        if value.active and may_be_of_integers(container):
            self.refuse(PERHAPS_INTEGERS, target)
        if active and has_complex(value) and not container.is_complex:
            self.refuse(
                "a complex value in a real array loses its imaginary part: write .real", target
            )
        self.facts.stored |= buffers_of(container)
        self.wrote(name, buffers_of(container), active)

    def wrote(self, name: str, buffers: frozenset[Buffer], active: bool) -> None:
        """The memory of `name` is written to: others on it become stale, and active with it."""
        self.note_write(name, buffers)
        self.check_may_be_written(name, buffers, active)
        if active:
            self.varies_from_here(buffers)
        for other in self.env.touched_by(buffers) | {name}:
            kind = self.env.kinds.get(other)
            if kind is None:
                continue
            changed = made_to_vary(kind, buffers, by_another=other != name)
            if changed is kind and other in self.env.seen.ended:
                self.env.let_go(other, buffers)
                continue
            new = changed if active else with_other_elements(kind)
            if isinstance(kind, Tup):
                new = self.written_inside(kind, new, buffers)
            if new is not kind:
                self.env.bind(other, new)
                self.facts.web_kinds[other] = join(self.facts.web_kinds[other], new)
            if other != name:
                self.env.stale[other] = self.env.stale.get(other, frozenset()) | {name}

    def written_inside(self, kind: Tup, new: Kind, buffers: frozenset[Buffer]) -> Kind:
        """What holds an array that is written to; of an object the attributes are values of their own from here on.

        The object that was given keeps its array: the function writes to a copy.
        """
        if not kind.active and (new.active or kind.is_object):
            self.demand_given_apart(kind, buffers)
        is_apart = isinstance(new, Tup) and new.apart and new.is_object
        return replace(new, virtual=True) if is_apart else new

    def check_may_be_written(self, name: str, buffers: frozenset[Buffer], active: bool) -> None:
        """Arrays of globals are not written to, and fields of records not with what varies."""
        assert self.statement is not None
        self.check_no_global(buffers, self.statement)
        if buffers & self.facts.outside and (active or self.env.kinds.get(name, UNKNOWN).active):
            node = _origin(self.statement).node
            self.refuse(_HELD_ELSEWHERE, node)
        for other in self.env.touched_by(buffers) if active else ():
            self.check_holds_numbers(self.env.kinds.get(other, UNKNOWN), self.statement)

    def check_no_global(self, buffers: frozenset[Buffer], node: Any) -> bool:
        """Arrays of globals are not written to; nothing is said of the others outside then (arrays_outside.py)."""
        if memory := set(filter(is_global, sites_of_buffers(buffers))):
            self.rebound |= memory
            self.refuse("a global array is written to: pass it as an argument", node)
        return not memory

    def demand_given_apart(self, kind: Tup, buffers: frozenset[Buffer]) -> None:
        """What comes to hold differentiated values is a part of an argument: it is told apart from the beginning."""
        if kind.apart or self.cached:
            return
        for buffer in sorted(buffers & buffers_of(kind), key=str):
            match buffer.site:
                case ("argument", int(position), *path, int()):
                    raise ApartNeeded(self.value_at(position, path))

    def note_write(self, name: str, buffers: frozenset[Buffer]) -> None:
        """The statement at hand writes to the memory of `name`."""
        assert self.statement is not None
        self.facts.written |= buffers
        self.facts.effects.add(self.statement)
        names = (*self.facts.writes.get(self.statement, ()), name)
        self.facts.writes[self.statement] = tuple(dict.fromkeys(names))
        if inside := buffers & held_by(self.env.kinds.get(name, UNKNOWN)):
            key = _origin(self.statement).node, name
            self.facts.written_inside[key] = self.facts.written_inside.get(key, inside) | inside

    def changes_out_of_sight(self, kind: Kind, active: bool, node: Any) -> None:
        """A call without a derivative writes to memory that it finds in a container."""
        if not (active or kind.active):
            buffers = buffers_of(kind)
            self.facts.written |= buffers
            self.rebound |= set(filter(is_global, sites_of_buffers(buffers)))
            self.facts.out_of_sight |= dict.fromkeys(buffers, node)

    def update_array(self, target: Any, old: Num, result: Num) -> None:
        """`x += e` where x is, or may be, an array: in place."""
        active = (old.active or result.active) and old.is_float
        if not ir.is_value(target.id):
            if active:
                self.refuse(
                    f"the global '{target.id}' is written to: pass it as an argument", target
                )
            return
        if old.array is None and not active and self.env.on(old.buffers) - {target.id}:
            self.refuse(_UNSURE_UPDATE, target)
        # what may be an array of no axes stays one: `s += 0.5` of a number gives another number
        shape, array = (old.shape, True) if old.array else (result.shape, result.array or None)
        memory = buffers_of(
            self.env.kinds.get(target.id, old)
        )  # what the result is made in aged it
        kind = Num(
            old.dtype if old.array else result.dtype, shape, array,
            active=active, buffers=memory | (frozenset() if old.array else self.fresh(target)),
            axes=shape is None and (old if old.array else result).has_axes,
        )  # fmt: skip
        self.facts.stored |= memory
        self.wrote(target.id, memory, active)
        self.env.bind(target.id, kind)
        before = self.facts.web_kinds.get(target.id, kind)  # none of an element not taken apart yet
        self.facts.web_kinds[target.id] = join(before, kind)

    def take_up_again(self, nodes: Iterable[Any]) -> None:
        """Start again where one of these is an object that carries no derivative so far, or changed out of sight."""
        given = [] if self.cached else [*nodes]
        for node in given:
            self.take_up(self.kind(node), node)
        for name in (n for node in given for n in ir.names_in(node)):
            kind = self.env.kinds.get(name)
            if name in self.let_go and is_unknown(kind):
                self.demand_apart(self.let_go[name], ir.name(name))
            if is_forgotten(kind) and name in self.forgotten:
                self.follow_lists_in(self.forgotten[name], name)
            self.take_up(kind, ir.name(name))

    def take_up(self, kind: Kind | None, node: Any) -> None:
        """Start again where this is an object that carries no derivative so far."""
        if isinstance(kind, Tup) and kind.is_object and kind.sites and not kind.active:
            self.demand_apart(kind, node)

    def follow_lists_in(self, kind: Kind, name: str) -> None:
        """Start again with a list that was forgotten, or the lists in it: what it holds is followed from the start."""
        held = kind.item if isinstance(kind, Seq) else kind
        if isinstance(held, Tup) and held.is_list and held.is_counted and held.sites - self.dynamic:
            self.demand(held, ir.name(name))

    def varies_from_here(self, memory: frozenset[Buffer]) -> None:
        """What varies comes into memory: what holds it, of which nothing is known any more, is followed or refused."""
        sites = sites_of_buffers(memory)
        for name, kind in self.forgotten.items():
            if not (is_forgotten(self.env.kinds.get(name)) and sites & _sites_held(kind)):
                continue
            if isinstance(kind, Tup):
                self.demand_apart(kind, ir.name(name))
            else:
                self.refuse_hidden(name)
        for name, held in self.may_keep.items():
            if sites & held and holds_unknown(self.env.kinds.get(name)):
                self.refuse_hidden(name)
        for name, holder in self.env.holding(memory).items():
            for part in objects_held(holder):
                if part.is_closed and memory & buffers_of(part):
                    self.demand_apart(part, ir.name(name))
            if _hides(holder, memory):
                self.refuse_hidden(name)

    def note_kept(self, name: str, kind: Kind) -> None:
        """A name gets what nothing is known of: it may be, or hold, the arrays that a call got."""
        match self.statement if holds_unknown(kind) else None:
            case ir.Assign(value=given) | ir.For(iter=given):
                self.keeps(name, self.kept_by(given))

    def keeps(self, name: str, held: frozenset[Hashable]) -> None:
        """A name may be, or hold, what is made in these places."""
        if held:
            self.may_keep[name] = held | self.may_keep.get(name, frozenset())

    def kept_by(self, given: Any) -> frozenset[Hashable]:
        """Where the arrays are made that a value may be, or hold, of which nothing else is known."""
        held: frozenset[Hashable] = frozenset()
        for node in ir.walk(given):
            held |= self.keeping.get(node) or self.lists_kept_by(node)
            user = self.facts.user_of(node)
            if user is not None and holds_unknown(user.result):
                held = held.union(*(array_sites(self.kind(part)) for part in user.arguments))
            if isinstance(node, gast.Name):
                kind = self.env.kinds.get(node.id, UNKNOWN)
                closed = isinstance(kind, Tup) and kind.is_closed
                held |= array_sites(kind) if closed else frozenset()
                held |= self.may_keep.get(node.id, held) if holds_unknown(kind) else held
        return held

    def lists_kept_by(self, node: Any) -> frozenset[Hashable]:
        """The lists one of which a call gives, min([w, v]), or that may stand in what a comprehension gives."""
        if isinstance(node, COMPREHENSIONS):
            return in_comprehension(node, lambda name: self.env.kinds.get(name, UNKNOWN))
        function = self.facts.function_of(node)
        if function is not min and function is not max:
            return frozenset()
        return lists_kept(function, map(self.kind, node.args), node)

    def refuse_hidden(self, name: str) -> None:
        """What varies comes into a part of a value, and nothing is known of what that is."""
        assert self.statement is not None
        node = _origin(self.statement).node
        self.refuse(_HELD_BY_UNKNOWN.format(ir.base_name(name)), node)

    def note_change(self, node: Any, nodes: Iterable[Any], anything: bool = False) -> None:
        """What these expressions give may be changed, if it carries no derivative: nothing takes that back."""
        sites: Sites = self.facts.changes.get(node, frozenset())
        for e in nodes:
            more = sites_of(e, self.kind(e), self.function.parameters)
            sites = None if sites is None or more is None else sites | more
        if anything or sites != frozenset():
            self.facts.changes[node] = None if anything else sites
            if anything or may_be(sites, OUTSIDE):
                self.rebound.add(CHANGED_OUTSIDE)

    def forget_lists(self, changed: Kind = UNKNOWN) -> None:
        """A list, a dict or an object was changed, and it is not known which names hold it.

        changed: its kind; what is known to be another is left as it is known.
        """
        assert self.statement is not None
        self.facts.effects.add(self.statement)
        for other, kind in self.env.kinds.items():
            if not can_change(kind) or kind.active or _is_another(kind, changed):
                continue
            if isinstance(kind, (Seq, Tup)) and not is_forgotten(kind):
                self.forgotten[other] = kind
            if isinstance(kind, Seq):
                unknown = replace(kind, item=UNKNOWN, length=None)
                self.env.know(other, unknown)
                self.facts.web_kinds[other] = join(self.facts.web_kinds[other], unknown)
                continue
            if isinstance(kind, Tup) and not kind.is_counted:
                self.let_go.setdefault(other, kind)
            self.env.know(other, Opaque(None))
            self.facts.web_kinds[other] = UNKNOWN


def holds_unknown(kind: Kind | None) -> bool:
    """Whether a value, or a part of it, is one of which nothing is known."""
    match kind:
        case Seq(item=item):
            return holds_unknown(item)
        case Tup(items=items):
            return any(map(holds_unknown, items))
        case Opaque(type=of, item=None) if of in (list, tuple):
            return True  # of anything
    return is_unknown(kind)


def is_forgotten(kind: Kind | None) -> bool:
    """Whether it is not known any more what a container holds."""
    return is_unknown(kind) or (isinstance(kind, Seq) and is_unknown(kind.item))


def _sites_held(kind: Tup | Seq) -> frozenset[Hashable]:
    """The memory in a container that nothing tells of once it is forgotten; a list stays known itself."""
    if isinstance(kind, Seq):
        return sites_of_buffers(held_by(kind)) | (sites_in(kind.item or UNKNOWN) or frozenset())
    return sites_of_buffers(buffers_of(kind)) | (sites_in(kind) or frozenset())


def _hides(kind: Kind, memory: frozenset[Buffer]) -> bool:
    """Whether memory is in a part of a value of which nothing else is known."""
    match kind:
        case Opaque():
            return is_unknown(kind) and bool(memory & kind.buffers)
        case Seq(item=item):
            return item is not None and _hides(item, memory)
        case Tup(items=items):
            return any(_hides(item, memory) for item in items)
    return False


def gives_what_changes(kind: Kind) -> bool:
    """Whether asking a value may give a list, a dict or an object that it holds, or runs what nobody knows."""
    match kind:
        case Tup(items=items):
            return kind.is_object or any(map(can_change, items))
        case Seq(item=item):
            return item is None or not isinstance(item, Num)
    return can_change(kind)


def _is_another(kind: Kind, changed: Kind) -> bool:
    """Whether a value neither is nor holds a list or dict that is made in this function."""
    if not isinstance(changed, Tup) or changed.is_object or not changed.sites:
        return is_only_asked(kind)
    made_here = all(isinstance(site, int) for site in changed.sites)
    return is_only_asked(kind) or (made_here and _is_apart_from(kind, changed.sites))


def _is_apart_from(kind: Kind, sites: frozenset[Hashable]) -> bool:
    match kind:
        case Tup(items=items):
            own = not kind.is_object and bool(kind.sites) and kind.sites.isdisjoint(sites)
            return own and all(_is_apart_from(item, sites) for item in items)
        case Seq(item=item, buffers=buffers):
            own = bool(buffers) and sites.isdisjoint(b.site for b in buffers)
            return own and (item is None or _is_apart_from(item, sites))
    return isinstance(kind, Num)


def can_change(kind: Kind) -> bool:
    """Whether a value is a list, a dict or an object, or holds one."""
    match kind:
        case Tup(items=items):
            plain = kind.is_counted and not kind.is_list
            return not plain or any(map(can_change, items))
        case Seq(is_tuple=is_tuple, item=item):
            return not is_tuple or (item is not None and can_change(item))
    return False


def _origin(statement: ir.Statement) -> ir.Origin:
    """Where a statement of the program comes from; only statements made later have no origin."""
    assert not isinstance(statement, (ir.Comment, ir.Save, ir.Unset, ir.Restore))
    return statement.origin
