"""Stores to entries of dicts and to attributes of objects.

A container that is stored to is taken apart: `self.x = v` binds the value `self_x`. So the object itself is left as it
was, and a function that stores to what it was given hands the new values back (`bound_entries`).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.containers_given import Made
from tangentish.infer.facts import ApartNeeded, BoundEntry, Handed, Summary
from tangentish.infer.forms import FIELDS, differ_in_fields
from tangentish.infer.in_loops import seek_loop, seek_name_of_call
from tangentish.infer.keyed_made import KeyedMade
from tangentish.infer.known_functions import SET_ON_ARRAYS
from tangentish.infer.objects import is_shared, stores_itself
from tangentish.infer.run_over_once import has_first_item
from tangentish.infer.second_names import SecondNames, places_in
from tangentish.ir.origins import position_of
from tangentish.kinds import Cell, Kind, Known, Num, Opaque, Seq, Tup, buffers_of, replace
from tangentish.kinds.held_functions import holds_records, objects_held
from tangentish.kinds.sites import display_at
from tangentish.language.lifted import Instance, element_name, item_name
from tangentish.language.rebound import held_in
from tangentish.language.records import Lent
from tangentish.language.ways import Way, way_of
from tangentish.rules.rule import ABSENT

NONE_FIRST = (
    "what this call stores to an object is None on the first trip of the loop, and a tuple or a dict later: "
    "store one before the loop"
)


class Entries(SecondNames, KeyedMade):
    """The part of the walk that follows what is stored under keys and names."""

    def key_of(self, node: Any) -> Any:
        """The key of an entry, or the name of an attribute; ABSENT where it is not known."""
        return node.attr if isinstance(node, gast.Attribute) else self.known_key(node.slice)

    def is_entry(self, target: Any) -> bool:
        """Whether a store is to an entry of a dict, or to an attribute of an object."""
        kind = self.expression(target.value)
        if isinstance(target, gast.Attribute):
            return isinstance(kind, Tup) and kind.is_object
        return isinstance(kind, Tup) and kind.is_mapping

    def store_entry(self, target: Any, value: Kind) -> None:
        """d["a"] = v, o.a = v"""
        if not isinstance(target, gast.Attribute):
            self.expression(target.slice)
        kind, key = self.kind(target.value), self.key_of(target)
        assert isinstance(kind, Tup)
        owner = self.owner_of_entries(target.value)
        if not (kind.active or value.active) and kind.is_mapping:
            self.store_inactive(target, kind, owner, key, value)
            return
        if key is ABSENT:
            self.write_out_for(target.slice)
            self.demand_keyed(kind, target.value, target.slice)
        if kind.is_object and kind.position(key) is None:
            self.note_made_later(kind.type, key)
        message = self.reason_against(target, kind, owner, key)
        if message is not None and self.may_be_apart(kind):
            self.demand_apart(kind, target)  # which ways lead to it shows then
        if message is not None:
            self.refuse(message, target)
            return
        if not kind.active:
            self.demand_apart(kind, target)
            return
        self.bind_entry(owner, key, value)
        self.facts.kinds[target] = value

    def reason_against(self, target: Any, kind: Tup, owner: Any, key: Any) -> str | None:
        """Why a store to an entry can't be followed, if it can't."""
        if key is ABSENT:
            return "a dict of differentiated values has keys that are known: use a literal"
        if owner is None:
            return "give the dict or the object a name of its own first"
        if isinstance(target, gast.Attribute) and stores_itself(kind, target.attr):
            return "the class of this object has its own way to store attributes: not supported yet"
        if self.is_seen_elsewhere(owner, kind):
            self.seek_one_name(kind)
            what = "dict" if kind.is_mapping else "object"
            return (
                f"this {what} has another name, or stands in another container: use one name for it"
            )
        return None

    def store_attribute(self, target: Any, value: Kind) -> None:
        """o.a = v, where it is not known what o holds"""
        base = self.expression(target.value)
        binds = isinstance(base, Opaque) and (
            base.type is None or not stores_itself(base, target.attr)
        )
        if binds and not value.active:
            self.escape_from(value, target)
            self.note_put_elsewhere(base, value)
            self.facts.effects.add(self.at_hand)
            self.note_change(target, [target.value])
            self.forget_lists()
            return
        if isinstance(base, Num) and self.has_no_place(target, base):
            return
        self.take_up_again([target.value])
        self.demand_holder(target.value)
        if isinstance(base, Num) and target.attr in SET_ON_ARRAYS:
            instead = SET_ON_ARRAYS[target.attr]
            self.refuse(
                f".{target.attr} of an array is set here, which is not followed: {instead}", target
            )
            return
        what = base.type if isinstance(base, (Opaque, Tup)) else None
        name = "this" if what is None else f"an object of {what.__name__}"
        self.refuse(f"stores to attributes of {name} are not supported: {_OUTSIDE}", target)

    def has_no_place(self, target: Any, base: Num) -> bool:
        """x.name = v, where Series of pandas are taken, too: arrays and numbers have no such attributes, and raise."""
        if base.array is None or hasattr(np.ndarray if base.array else np.float64, target.attr):
            return False
        cls = "numpy.ndarray" if base.array else "float"
        text = f"'{cls}' object has no attribute '{target.attr}'"
        return self.raises_here(target, "AttributeError", text) is not None

    def store_inactive(self, target: Any, kind: Tup, owner: Any, key: Any, value: Kind) -> None:
        """An entry of a dict that carries no derivative, so far."""
        own = isinstance(owner, gast.Name) and owner is target.value
        if key is ABSENT:
            self.write_out_for_keywords(owner, target.slice)
        if key is ABSENT or not own or self.is_known_to_others(kind, owner):
            if key is ABSENT and self.kind(target.slice).active:
                self.demand_keyed(kind, target.value, target.slice)
            self.escape_from(value, target)
            self.store(target, value)
            return
        if kind.position(key) is None:
            self.note_change(target, [target.value])
        if owner.id in self.function.parameters:  # who gave the dict does not know what is in it
            self.escape_from(value, target)
        self.facts.taken_back |= kind.sites
        self.bind_entry(owner, key, value)
        self.facts.effects.add(self.at_hand)

    @property
    def at_hand(self) -> ir.Statement:
        assert self.statement is not None
        return self.statement

    def update_entry(self, target: Any, old: Kind, result: Kind) -> None:
        """d["a"] += v, o.a += v: an array is changed in place, anything else replaced."""
        kind = self.kind(target.value)
        assert isinstance(kind, Tup)
        shared = kind.is_object and is_shared(kind, target.attr)
        if shared and kind.is_closed and result.active and self.may_be_apart(kind):
            self.demand_apart(kind, target)
        if shared and (kind.active or result.active):
            name = f"o.{target.attr}"
            self.refuse(f"what the class holds is updated here: write {name} = {name} + v", target)
            return
        if not (isinstance(old, Num) and old.array is not False):
            self.store_entry(target, result)
            return
        if not (old.active or result.active or kind.active or kind.is_object):
            self.store_entry(target, result)
            return
        owner = self.owner_of_entries(target.value)
        if owner is None or old.array is None or self.key_of(target) is ABSENT:
            name = target.slice.value if kind.type is Cell else "d[k]"
            self.refuse(f"write {name} = {name} + v for what may be an array", target)
        elif not kind.active:
            self.demand_apart(kind, target)
        else:
            active = (old.active or result.active) and old.is_float
            self.wrote(ir.owner_of(owner).id, buffers_of(old), active)

    # -- which container it is

    def owner_of_entries(self, node: Any) -> Any | None:
        """The expression of a container, if known names and keys lead to it from a value of this function."""
        node = self.facts.given_back.get(node, node)
        inner = node
        while isinstance(inner, (gast.Attribute, gast.Subscript)):
            base = self.kind(inner.value)
            if not isinstance(base, Tup) or base.position(self.key_of(inner)) is None:
                return None
            inner = inner.value
        return node if ir.is_own_name(inner) else None

    def is_known_to_others(self, kind: Tup, owner: Any) -> bool:
        """Whether a dict is the caller's, or is held by anything but its name."""
        return self.is_given(kind) or self.is_seen_elsewhere(owner, kind)

    def is_given(self, kind: Tup) -> bool:
        """Whether the caller of this function may have the container, too."""
        given = any(display_at(site) is not None for site in kind.sites)
        return given and not self.own_signature

    def is_seen_elsewhere(self, owner: Any, kind: Tup) -> bool:
        """Whether there is another way to a container, or it may be one of several that were given."""
        if owner is None or (self.is_given(kind) and len(kind.sites) > 1):
            return True
        way = self.names_along(owner)
        others = (
            name
            for name, held in self.env.kinds.items()
            if name not in way and any(places_in(held, kind.sites))
        )
        if not all(map(self.is_over, others)):
            return True
        return sum(1 for _ in places_in(self.env.kinds[way[0]], kind.sites)) > 1

    def is_over(self, name: str) -> bool:
        """Whether nothing reads a value again, nor an element of it that has a name already."""
        if name not in self.env.seen.ended:
            return False
        stem, _, version = name.rpartition(".")
        elements = (n.rpartition(".") for n in self.element_names)
        return not any(
            s.startswith(f"{stem}_") and v.startswith(f"{version}@") for s, _, v in elements
        )

    def names_along(self, owner: Any) -> list[str]:
        """The values that a container is and stands in: those of `o.inner.d` are o, o_inner and o_inner_d."""
        if isinstance(owner, gast.Name):
            return [owner.id]
        kind = self.kind(owner.value)
        assert isinstance(kind, Tup)
        position = kind.position(self.key_of(owner))
        assert position is not None
        names = self.names_along(owner.value)
        return [*names, element_name(names[-1], position, kind)]

    def bind_entry(self, owner: Any, key: Hashable, value: Kind) -> None:
        """The values along the way to the owner, in which the entry is another from here on."""
        kind = self.kind(owner)
        assert isinstance(kind, Tup)
        self.check_run_over(kind, key)
        self.check_ways(kind, key)
        self.records_known = self.records_known or holds_records(value)
        position = kind.position(key)
        old = None if position is None else kind.items[position]
        if isinstance(old, Seq) and old.keyed:
            self.start_keyed([value])
        if old is not None and differ_in_fields(old, value):
            self.refuse(FIELDS, self.at_hand)
        self.note_bound(kind, key, value)
        if old is not None and isinstance(value, Tup):
            self.bind_leaf(self.names_along_to(owner, key), value)
        new: Kind = value
        for name in reversed(self.names_along(owner)):
            outer = self.kind(owner)
            assert isinstance(outer, Tup)
            new = with_entry(outer, key, new)
            if isinstance(owner, gast.Name) or name in self.env.kinds:
                self.env.bind(name, new)
                self.facts.web_kinds[name] = new
                self.facts.note_apart(name, new)
            self.facts.kinds[owner] = new
            if not isinstance(owner, gast.Name):
                owner, key = owner.value, self.key_of(owner)

    def bind_leaf(self, name: str, value: Tup) -> None:
        """A part of what is given that is one value, None or others, has these elements now."""
        if name in self.env.kinds:
            self.env.bind(name, value)
            self.facts.note_apart(name, value)

    def check_run_over(self, kind: Tup, key: Hashable) -> None:
        """A dict that is run over must get no new keys; loops and views have to see its new entries."""
        line: Any = self.at_hand
        if kind.position(key) is None and kind.sites & self.frozen.get(line.origin, frozenset()):
            self.refuse(
                "a dict gets a new key while a loop runs over it: run over list(d)", self.at_hand
            )
            return
        if kind.sites & self.viewed:
            self.refuse(
                "a dict changes of which keys(), values() or items() has a name: make that a list",
                self.at_hand,
            )
            return
        for loop in self.around:
            if kind.sites & self.places_run_over(loop):
                self.write_out(loop)
                self.refuse("an entry is stored while a loop runs over the dict", self.at_hand)

    def note_bound(self, kind: Tup, key: Hashable, value: Kind) -> None:
        """The caller has to learn what was stored to the containers that it gave."""
        new = with_entry(kind, key, value)
        position = new.position(key)
        assert position is not None
        for site in kind.sites:
            name = display_at(site)
            if name is not None:
                self.facts.bound_entries[name, key] = element_name(name, position, new)

    def hand_back(
        self, found: Summary, containers: Mapping[str, Any], kinds: Sequence[Kind], node: Any
    ) -> None:
        """A function has stored to containers that it was given."""
        if found.bound:
            seek_loop(self)
            self.seek_loop_for_written()
        handed = []
        for entry in found.bound:
            argument = containers.get(entry.container)
            if argument is None:
                self.refuse(_shared(held_in(entry.container)), node)
                return
            if isinstance(argument, Lent):
                self.changed_by_call(argument, found, containers, node)
                return
            if isinstance(argument, Instance):
                if argument.cls is not getattr(node, "func", None):
                    self.refuse(_INACTIVE, node)
                    return
                handed.append(self.entry_made(entry, kinds, node, containers))
                self.note_held(self.way_made(node), "attr", entry, containers)
                continue
            owner, message = self.changed_owner(entry, containers)
            if message is not None:
                self.refuse(message, node)
                return
            value = self.callee_part(entry.kind, kinds, node, containers)
            self.check_named(owner, entry.key, value, node)
            self.check_bound_anew(owner, entry.key, value, node)
            self.check_none_first(owner, entry.key, value, node)
            form = "attr" if self.kind(owner).is_object else "key"  # type: ignore[union-attr]
            self.bind_entry(owner, entry.key, value)
            self.note_held(way_of(owner), form, entry, containers)
            here = self.names_along_to(owner, entry.key)
            handed.append(Handed(entry.element, here, value, entry.key))
        self.facts.handed[node] = tuple(handed)
        if found.silent:
            self.facts.silent.add(node)

    def check_none_first(self, owner: Any, key: Hashable, value: Kind, node: Any) -> None:
        """In a loop an entry that a call binds has no elements on the first trip where it is None before."""
        kind = self.kind(owner)
        position = kind.position(key) if isinstance(kind, Tup) else None
        none = (
            isinstance(kind, Tup) and position is not None and kind.items[position] == Known(None)
        )
        if none and self.loops_around and isinstance(value, Tup) and value.active:
            apart = (loop for loop in self.around if has_first_item(loop, self.kind))
            self.facts.none_first |= set(map(position_of, apart))
            self.refuse(NONE_FIRST, node)

    def way_made(self, node: Any) -> Way | None:
        """The way to what a call of a class makes."""
        match self.statement:
            case ir.Assign(target, value) if value is node:
                return way_of(target)
        return None

    def changed_owner(
        self, entry: BoundEntry, containers: Mapping[str, Any]
    ) -> tuple[Any, str | None]:
        """The expression of a container that a call has changed, or why it can't be followed."""
        argument = containers[entry.container]
        owner, kind = self.owner_of_entries(argument), self.kind(argument)
        assert isinstance(kind, Tup)
        variable = str(entry.key) if kind.type is Cell else None
        if owner is None:
            seek_name_of_call(self, argument)
            if variable is None:
                return owner, _NAMELESS
            return (
                owner,
                f"this function binds '{variable}': give it a name, and call that in a loop",
            )
        others = (self.kind(n) for v, n in containers.items() if v != entry.container)
        twice = any(isinstance(other, Tup) and other.sites & kind.sites for other in others)
        if not twice and self.is_seen_elsewhere(owner, kind):
            self.seek_one_name(kind)
        if twice or self.is_seen_elsewhere(owner, kind):
            return owner, _shared(variable)
        return owner, None

    def names_along_to(self, owner: Any, key: Hashable) -> str:
        """The value that an entry of a container is."""
        kind = self.kind(owner)
        assert isinstance(kind, Tup)
        position = kind.position(key)
        assert position is not None
        return element_name(self.names_along(owner)[-1], position, kind)

    # -- containers whose elements must be values of their own

    def demand_apart(self, kind: Tup, node: Any) -> None:
        """The elements of a container are stored to: start again, with values of their own for them."""
        if not kind.sites or kind.apart:
            self.refuse("it is not known which object this is: make it in this function", node)
            return
        for site in kind.sites:
            match site:
                case ("display", str(value)):
                    raise ApartNeeded(value)
                case ("argument", int(position), *path):
                    raise ApartNeeded(self.value_at(position, path))
        if kind.sites <= self.dynamic:
            self.refuse("it is not known which object this is: make it in this function", node)
            return
        self.start_again(kind.sites)

    def take_apart_if_given(self, kind: Kind) -> None:
        """An object that is given is read whose array was written to: what counts are its attributes, one by one."""
        if not (isinstance(kind, Tup) and kind.is_object) or kind.apart or self.cached:
            return
        if any(display_at(site) is not None for site in kind.sites):
            self.demand_apart(kind, None)

    def may_be_apart(self, kind: Tup) -> bool:
        """Whether the elements of a container, which carry no derivative so far, can be values of their own."""
        return not kind.active and not self.cached and not kind.sites <= self.dynamic

    def set_apart(self, kind: Kind) -> None:
        """The dicts and objects made here that a result holds are stored to by who asked for it."""
        own = {s for part in objects_held(kind) for s in part.sites if isinstance(s, (int, Made))}
        if not own <= self.dynamic:
            self.start_again(own)

    def set_stored_apart(self) -> None:
        """The same for what stands in the containers that were given once the function is through."""
        for container, key in self.facts.bound_entries:
            kind = self.env.kinds.get(container)
            position = kind.position(key) if isinstance(kind, Tup) else None
            if isinstance(kind, Tup) and position is not None:
                self.set_apart(kind.items[position])
        for name in self.function.parameters:
            kind = self.env.kinds.get(name)
            if isinstance(kind, Seq) and kind.item is not None:
                self.set_apart(kind.item)

    def set_stored_keyed(self, keys: Sequence[Hashable]) -> None:
        """Dicts of numbers that are stored to an object have keys that the caller computes."""
        for container, key in self.facts.bound_entries:
            if key in keys:
                way = Way(container, (("attr", key),))
                self.demand_made(way.node(ir.name(container)))

    def value_at(self, position: int, path: list[Any]) -> str:
        """The value that a part of an argument would be."""
        value = self.function.parameters[position]
        kind = self.facts.entry[value]
        for k in path:
            if isinstance(kind, Seq) and kind.item is not None:
                value, kind = item_name(value), kind.item
                continue
            assert isinstance(kind, Tup)
            value, kind = element_name(value, k, kind), kind.items[k]
        return value


def _shared(variable: str | None) -> str:
    """Why what a call changes can't be told: there is another way to it. `variable`: what a function binds."""
    if variable is None:
        return "this changes a dict or an object that has another name, or stands in another: use one name for it"
    return f"this function binds '{variable}', and so may another, or it has two names: use one function and one name"


_NAMELESS = "this changes a dict or an object that has no name here: give it one first"
_OUTSIDE = "make it an argument, where it is an object of the module, or a local name"
_INACTIVE = "this changes an object that carries no derivative: return the new value"


def with_entry(kind: Tup, key: Hashable, value: Kind) -> Tup:
    """A container with one entry set; it is apart from here on, also where nothing active is left."""
    apart = kind.active or value.active
    position = kind.position(key)
    keys = kind.keys
    if position is None:
        items, keys = (*kind.items, value), (*(keys or ()), key)
    else:
        items = tuple(value if k == position else old for k, old in enumerate(kind.items))
    return replace(
        kind, items=items, keys=keys, apart=apart, virtual=kind.virtual or kind.is_object
    )
