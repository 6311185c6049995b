"""Attributes that methods make: where a function is refused otherwise, its objects have them from the start.

class Layer:
    def __init__(self, w):              def __init__(self, w):
        self.w = w              ->          self.x = None; self.w = w
    def forward(self, x):
        self.x = x

Those that are given get them on the first lines: `layers[0].x = None`. So do those that anyone stores to objects of
a class: `for b in bodies: b.force = ...`. Dicts and objects in one list have the same
entries so, whichever of them has been asked for which method.
"""

from __future__ import annotations

import dis
import functools
import inspect
import itertools
import types
from collections.abc import Iterator
from dataclasses import dataclass, field

import gast

from tangentish import ir
from tangentish.infer.set_before import AttributesSetBefore
from tangentish.infer.starting_again import SetBefore
from tangentish.ir.origins import origin_of
from tangentish.ir.quote import constant
from tangentish.kinds import Kind, Tup
from tangentish.language.codes import instructions_of
from tangentish.language.lifted import Lifted
from tangentish.language.placed import all_at
from tangentish.language.ways import Way


@dataclass
class AttributesFirst(AttributesSetBefore):
    """The part of the walk that gives objects the attributes that their methods make.

    attributes_first: whether it does, as the function is refused otherwise.
    made_later: classes of objects that are met, each with the name of an attribute that these would get.
    set_first: the values whose objects have got them on lines that are there.
    """

    attributes_first: bool = False
    made_later: dict[tuple[type, str], None] = field(default_factory=dict)
    set_first: set[str] = field(default_factory=set)

    def attributes_of(self, cls: type) -> tuple[str, ...]:
        """The attributes that objects of a class have from the start, besides those that __init__ gives them."""
        self.note_made_by_methods(cls)
        return tuple(n for c, n in self.made_later if c is cls) if self.attributes_first else ()

    def note_made_by_methods(self, cls: type) -> None:
        for name in _made_by_methods(cls):
            self.note_made_later(cls, name)

    def note_made_later(self, cls: type | None, name: str) -> None:
        """An object gets an attribute, or would if a method was called."""
        if cls is None or self.cached or _has(cls, name):
            return
        if self.is_unasked(cls, name):
            self.made_later[cls, name] = None

    def set_attributes_first(self, lifted: Lifted) -> None:
        """Start again with lines that set them, of the object that is made here or of those that are given."""
        made_here = lifted.function.__name__ == "__init__"
        if self.cached or not self.function.body or not (self.outermost or made_here):
            return
        held = {part for _, parts, _ in lifted.displays for part in parts}
        given = [v for v, _, _ in lifted.displays if v not in held | self.set_first]
        self.set_first.update(given)
        lines = tuple(
            self.set_none(way, name)
            for value in given
            for way, kind in _objects_in(Way(value), self.env.kinds.get(value))
            if kind.type is not None and (self.outermost or not kind.keys)
            for name in self.attributes_of(kind.type)
            if kind.position(name) is None
        )
        if lines:
            raise SetBefore(None, lines)

    def set_none(self, way: Way, name: str) -> ir.Assign:
        first = origin_of(self.function.body[0])
        target = gast.Attribute(way.node(first.node), name, gast.Store())
        return ir.Assign(all_at(target, first.node), all_at(constant(None), first.node), first)


def _objects_in(way: Way, kind: Kind | None) -> Iterator[tuple[Way, Tup]]:
    """A value and what stands in it, where these are objects of the user's."""
    if not isinstance(kind, Tup) or kind.is_function:
        return
    if kind.is_object:
        yield way, kind
    keys = range(len(kind.items)) if kind.is_counted else kind.keys or ()
    form = "attr" if kind.is_object else "key"
    for key, item in zip(keys, kind.items, strict=True):
        yield from _objects_in(way.to(form, key, keys), item)


def _made_by_methods(cls: type) -> tuple[str, ...]:
    """The attributes that methods of a class store to their object, none of which its __init__ does."""
    stored: dict[str, None] = {}
    first: set[str] = set()
    for member in (m for c in cls.__mro__[:-1] for m in vars(c).values()):
        function = member.fset if isinstance(member, property) else member
        if not isinstance(function, types.FunctionType):
            continue
        names = _stored_to_itself(function.__code__)
        if function.__name__ in ("__init__", "__post_init__"):
            first |= {*names}
        else:
            stored |= dict.fromkeys(names)
    fields = getattr(cls, "__dataclass_fields__", {})
    return tuple(n for n in stored if n not in first and n not in fields)


@functools.lru_cache(maxsize=1000)
def _stored_to_itself(code: types.CodeType) -> tuple[str, ...]:
    """`self.x = ...`"""
    if not code.co_argcount:
        return ()
    itself = code.co_varnames[0]
    pairs = itertools.pairwise(instructions_of(code))
    return tuple(
        store.argval
        for load, store in pairs
        if store.opname == "STORE_ATTR" and load.opname.startswith("LOAD") and _last(load) == itself
    )


def _last(load: dis.Instruction) -> object:
    """What an instruction loads, which may be two variables at once."""
    return load.argval[-1] if isinstance(load.argval, tuple) else load.argval


def _has(cls: type, name: str) -> bool:
    """Whether a class has something itself under a name: more than the place that a slot is."""
    found = inspect.getattr_static(cls, name, None)
    return found is not None and not isinstance(found, types.MemberDescriptorType)
