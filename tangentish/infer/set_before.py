"""Attributes that an object gets on one way only, or on the trips of a loop: it has them before, from where it is made.

m = Model(w)                      m = Model(w)
for k in range(3):        ->      m.residual = None
    m.fit(x, y)                   for k in range(3): m.fit(x, y)

One that its class holds is read of that: `o.total = o.total`. No one may ask whether there is such an attribute, by its
name in a text, or by the exception that is raised where there is none.
"""

from __future__ import annotations

import dis
import functools
import inspect
import itertools
import types
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.objects import has_own_setattr, is_shared
from tangentish.infer.records_made import is_one_by_one, parts_in
from tangentish.infer.set_outside import is_attribute_set
from tangentish.infer.starting_again import OneByOne, SetBefore
from tangentish.infer.walk import Walk
from tangentish.ir.origins import origin_of
from tangentish.kinds import Kind, Seq, Tup
from tangentish.kinds.classes import has_plain_attributes
from tangentish.kinds.sites import display_at
from tangentish.language.codes import codes_of_space, codes_within, instructions_of
from tangentish.language.placed import all_at
from tangentish.language.ways import Way


@dataclass
class AttributesSetBefore(Walk):
    """The part of the walk that sets them.

    set_early: their names, in any function.
    """

    set_early: set[str] = field(default_factory=set)

    def seek_set_before(self, a: Kind, b: Kind) -> None:
        """Start again with all attributes that one of two kinds of the same object lacks."""
        if self.cached or not (isinstance(a, Tup) and isinstance(b, Tup)):
            return
        if not (a.is_object and a.type is b.type and a.sites and a.sites == b.sites):
            return
        names = [n for n in dict.fromkeys((*(a.keys or ()), *(b.keys or ()))) if _lacks(a, b, n)]
        if any(isinstance(_of_either(a, b, n), (Tup, Seq)) for n in names):
            return  # whether it is None would have to be told by what it holds
        owner, line = self.made_at(a.sites)
        if owner is None or not names or not all(self.is_unasked(a.type, n) for n in names):
            return
        new = tuple(self.set_before(owner, n, a, line) for n in names)
        there = [s for s in ir.walk_statements(self.function.body) if isinstance(s, ir.Assign)]
        if not any(_says(one, other) for one in new for other in there):
            self.set_early.update(map(str, names))
            raise SetBefore(line, new)

    def made_at(self, sites: frozenset[Hashable]) -> tuple[Any, ir.Assign | None]:
        """The name or path that gets the object where it is made, and that line; None where it is given."""
        lines = [s for s in ir.walk_statements(self.function.body) if isinstance(s, ir.Assign)]
        for line in lines:
            if _is_way(line.target) and self.is_made_by(line.value, sites):
                return line.target, line
            values = line.value.elts if isinstance(line.value, gast.Tuple) else ()
            made = any(self.is_made_by(value, sites) for value in values)
            if made and is_one_by_one(self.function, line.target, values):
                raise OneByOne(line, values)
        return self.held_at(sites, lines)

    def held_at(
        self, sites: frozenset[Hashable], lines: Sequence[ir.Assign]
    ) -> tuple[Any, ir.Assign | None]:
        """The same of an object that another holds from where that is made, or given."""
        for name, kind in self.env.kinds.items():
            for way, part in parts_in(Way(name), kind):
                if not (isinstance(part, Tup) and part.sites == sites and _is_of_attributes(way)):
                    continue
                binding = [s for s in lines if name in ir.target_names(s.target)]
                given = name in self.function.parameters or _is_display(name, sites)
                if given and not binding:
                    return _path(way, origin_of(self.function.body[0]).node), None
                if len(binding) == 1 and isinstance(binding[0].target, gast.Name):
                    return _path(way, binding[0].target), binding[0]
        return None, None

    def is_made_by(self, value: Any, sites: frozenset[Hashable]) -> bool:
        return sites == {id(self.facts.made.get(value, value))}

    def set_before(self, owner: Any, name: Any, kind: Tup, line: ir.Assign | None) -> ir.Assign:
        """The line `owner.name = None`, or of what the class holds under that name."""
        read = ir.with_fields(owner, {"ctx": gast.Load()})
        shared = is_shared(Tup((), keys=(), type=kind.type), name)
        value: Any = (
            gast.Attribute(read, name, gast.Load()) if shared else gast.Constant(None, None)
        )
        target = gast.Attribute(ir.duplicate(read), name, gast.Store())
        origin = origin_of(line or self.function.body[0])
        return ir.Assign(all_at(target, owner), all_at(value, owner), origin)

    def is_unasked(self, cls: type | None, name: Hashable) -> bool:
        """Whether nothing in the modules of a function and a class asks whether an object has such an attribute."""
        if cls is None or not has_plain_attributes(cls) or has_own_setattr(cls):
            return False
        member = inspect.getattr_static(cls, str(name), None)
        plain = isinstance(member, types.MemberDescriptorType)  # a slot
        if not plain and (hasattr(type(member), "__get__") or hasattr(type(member), "__set__")):
            return False
        if is_attribute_set(cls, str(name), self.rebound):
            return False
        spaces = (self.source.function.__globals__, *map(vars, cls.__mro__[:-1]))
        codes = [self.source.function.__code__, *(c for s in spaces for c in codes_of_space(s))]
        if any(not _WHOLE.isdisjoint(c.co_names) for c in codes):
            return False
        used = {name, *(n for c in cls.__mro__[:-1] for n, v in vars(c).items() if _is_run(v))}
        return not any(name in _texts_in(c) or _catches(c, used) for c in codes)


_WHOLE = {"__dict__", "dir", "vars"}
"""By these all attributes that there are may be asked for."""


def asks_for_any(function: types.FunctionType, names: set[str]) -> bool:
    """Whether a function asks for attributes of these names, or catches that there is none."""
    codes = list(codes_within(function.__code__))
    named = any(not names.isdisjoint(c.co_names) for c in codes)
    return (named and any(map(_handles_any, codes))) or any(
        not names.isdisjoint(_texts_in(c)) for c in codes
    )


def _handles_any(code: types.CodeType) -> bool:
    """Whether a function has a handler that may be for an AttributeError: of a name that says so, or of none."""
    steps = [i.opname for i in instructions_of(code) if i.opname != "NOP"]
    bare = ("PUSH_EXC_INFO", "POP_TOP") in itertools.pairwise(steps)
    return bare or not _HANDLED.isdisjoint(code.co_names)


_HANDLED = {"AttributeError", "Exception", "BaseException", "suppress"}


def _is_of_attributes(way: Way) -> bool:
    return all(form == "attr" for form, _ in way.steps)


def _path(way: Way, at: Any) -> Any:
    node = ir.name(way.root)
    for _, key in way.steps:
        node = gast.Attribute(node, key, gast.Load())
    return all_at(node, at)


def _is_way(node: Any) -> bool:
    """`m`, `self.m`"""
    return isinstance(node, gast.Name) or (isinstance(node, gast.Attribute) and _is_way(node.value))


def _of_either(a: Tup, b: Tup, name: Hashable) -> Kind:
    position = a.position(name)
    return b.items[b.position(name) or 0] if position is None else a.items[position]


def _says(one: ir.Assign, other: ir.Assign) -> bool:
    """Whether two lines store the same in the same place."""
    return _dumped(one.target) == _dumped(other.target) and _dumped(one.value) == _dumped(
        other.value
    )


def _dumped(node: Any) -> str:
    return str(gast.dump(node))


def _lacks(a: Tup, b: Tup, name: Hashable) -> bool:
    return (a.position(name) is None) != (b.position(name) is None)


def _is_run(member: object) -> bool:
    """Whether this is a method, or a property."""
    return callable(member) or isinstance(member, (property, staticmethod, classmethod))


def _catches(code: types.CodeType, used: set[Hashable]) -> bool:
    """Whether a function may be told by an exception that an attribute is not there."""
    return "AttributeError" in code.co_names and not used.isdisjoint(code.co_names)


@functools.lru_cache(maxsize=10_000)
def _texts_in(code: types.CodeType) -> frozenset[object]:
    """The constants that a function reads, and what is in them; the names of keywords are none."""
    lines = instructions_of(code)
    afterwards = [i.opname for i in lines[1:]] + [""]
    read = (
        i.argval
        for i, after in zip(lines, afterwards, strict=True)
        if i.opcode in dis.hasconst and i.opname != "KW_NAMES" and after != "CALL_KW"
    )
    return frozenset(text for part in read for text in _parts(part))


def _parts(part: object) -> Iterator[object]:
    if isinstance(part, (tuple, frozenset)):
        for one in part:
            yield from _parts(one)
    elif isinstance(part, str):
        yield part


def _is_display(name: str, sites: frozenset[Hashable]) -> bool:
    """Whether a value stands for an object that was given, and is taken apart."""
    return {display_at(site) for site in sites} == {name}
