"""How dicts whose keys are computed come to be: by comprehensions, by displays, and by functions that make them.

{k: f(v) for k, v in pairs}     is filled in a loop (language/comprehensions.py), and so is
{name: x, other: y}             whose keys are not known; as comprehensions are written
dict(zip(names, x)), dict.fromkeys(names, 0.0), dict(d), d.copy()
defaultdict(float), Counter()   start as {}, and are asked by d.setdefault(key, 0.0), or d.get(key, 0)

Those that hold nothing that varies are what they are, until something that varies is stored to them.
"""

from __future__ import annotations

import ast
import collections
import functools
import types
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import gast

from tangentish import ir
from tangentish.infer.counts import Counts
from tangentish.infer.facts import Callee, KeyedNeeded
from tangentish.infer.keyed_dicts import dict_mark, is_fromkeys, is_keyed_dict
from tangentish.infer.keyed_lists import lists_mark
from tangentish.infer.starting_again import NameFirst
from tangentish.ir.quote import quote
from tangentish.kinds import (
    UNKNOWN,
    Fun,
    Kind,
    Known,
    Num,
    Opaque,
    Seq,
    Tup,
    buffers_of,
    is_number,
    replace,
)
from tangentish.kinds.joins import SEVERAL_DEFAULTS, join
from tangentish.language.comprehensions import Filled
from tangentish.language.lifted import Instance, part_of_any
from tangentish.language.placed import all_at
from tangentish.language.ways import Way, binds, way_of

_SEVERAL_DEFAULTS = "a dict has one default on one path and another on another: make it in one way"

_DICTS = (None, dict, collections.defaultdict, collections.Counter)

Default = float | list[Any]
"""What a dict holds under keys that it does not have: a number, or an empty list."""


class _Inside(NamedTuple):
    """What stands for a dict that a call makes for an attribute of an object."""

    call: int
    key: Hashable


class KeyedMade(Counts):
    """The part of the walk that knows where such dicts are made."""

    def filled(self, node: Any, values: Sequence[Kind]) -> Seq:
        """A dict that is filled in lines of its own: a comprehension, or a display whose keys are not known."""
        self.made_plain(node, values)
        for value in values:
            self.check_value(value, node)
        for k, value in enumerate(values):
            self.put_beside(value, values[:k])
        if isinstance(node, gast.DictComp):  # what was there before is the same on every trip
            inside = buffers_of(values[0])
            self.facts.repeated |= {b for b in inside if self.env.on(frozenset({b}))}
        self.kept.append(node)
        self.facts.filled.add(node)
        item = functools.reduce(join, values) if values else None
        item = replace(item, value=None) if isinstance(item, Num) else item
        return Seq(item, self.fresh(node), keyed=True, default=self.default_held(node))

    def is_demanded(self, node: Any) -> bool:
        return dict_mark(id(node)) in self.dynamic

    def demand_made(self, d: Any, lists: bool = False) -> None:
        """Something that varies is stored to a dict: start again, if it is known how this function makes it."""
        way = way_of(d)
        if way is None or not ir.is_value(way.root) or self.cached:
            return
        lines = [s for s in ir.walk_statements(self.function.body) if binds(s, way)]
        if not (lines or lists):
            self.ask_for_dict(d)
        self.seek_keyed_inside(way, lines)
        for line in lines:
            self.seek_lines_of_their_own(line)
        found = [self.stands_at(way, s) for s in lines if isinstance(s, ir.Assign)]
        values = [value for value in found if value is not None and self.gives_dict(value)]
        makers = list(filter(self.makes_dict, values))
        marks = {dict_mark(id(maker)) for maker in makers}
        marks |= {lists_mark(id(maker)) for maker in makers if lists}
        if marks and len(values) == len(lines) and not marks <= self.dynamic:
            self.kept += makers
            self.start_again(marks)

    def ask_for_dict(self, d: Any) -> None:
        """Have the caller give a dict of numbers that holds nothing which varies as one whose keys are computed."""
        kind = self.place_in_container(d)
        if self.outermost or not (isinstance(kind, Opaque) and kind.type in _DICTS):
            return
        if not self.is_part_of_containers(d):
            return
        value = self.names_along(d)[-1]
        if part_of_any(value, self.facts.entry):
            raise KeyedNeeded(value)

    def is_part_of_containers(self, node: Any) -> bool:
        """Whether names and keys lead to a value, not a class, nor a list of which any element may be meant."""
        if isinstance(node, gast.Name):
            return True
        owner = self.kind(node.value)
        known = isinstance(owner, Tup) and owner.position(self.key_of(node)) is not None
        return known and self.is_part_of_containers(node.value)

    def seek_keyed_inside(self, way: Way, lines: Sequence[ir.Statement]) -> None:
        """The same of a dict that the __init__ of an object makes, which the only line makes and gives a name."""
        match lines, way.steps:
            case [ir.Assign(gast.Name(), gast.Call() as call)], [("attr", key)]:
                handed = (entry.key for entry in self.facts.handed.get(call, ()))
                if self.facts.made.get(call) is call and key in handed:
                    marks = {_Inside(id(call), key)}
                    self.kept.append(call)
                    if not marks <= self.dynamic:
                        self.start_again(marks)

    def keyed_in(self, node: Any) -> tuple[Hashable, ...]:
        """The attributes in which a call makes dicts whose keys are computed here."""
        marks = (mark for mark in self.dynamic if isinstance(mark, _Inside))
        return tuple(mark.key for mark in marks if mark.call == id(node))

    def stands_at(self, way: Way, line: ir.Assign) -> Any | None:
        """What a line puts where a way leads: its value, or what an object or a dict is made with."""
        bound, value = way_of(line.target), line.value
        if bound is None or way.steps[: len(bound.steps)] != bound.steps:
            return None
        for _, key in way.steps[len(bound.steps) :]:
            made = self.facts.made.get(value, value)
            if not isinstance(made, (Instance, gast.Dict)):
                return None
            parts = zip(made.keys, made.values, strict=True)
            value = next((v for k, v in parts if getattr(k, "value", None) == key), None)
        return value

    def makes_dict(self, value: Any) -> bool:
        if isinstance(value, (gast.DictComp, gast.Dict)):
            return True
        callee = self.facts.callees.get(value)
        return callee is not None and self.written_as(callee) is not None

    def made_keyed(self, callee: Callee, node: Any) -> Kind | None:
        """The kind of a dict that a function makes, as it is written here."""
        if not self.is_demanded(node) and not self.facts.varies(*callee.args):
            return None
        written = self.written_as(callee)
        if written is None:
            return None
        made = self.made_once((node, "dict"), lambda: all_at(written, node), node)
        self.dynamic.add(dict_mark(id(made)))
        self.facts.answers[node] = made
        return self.expression(made)

    def written_as(self, callee: Callee) -> Any | None:
        """The display or comprehension that a call stands for; None where that is not known."""
        function, args = callee.function, list(callee.args)
        if callee.keywords:
            return None
        if function is dict and not args:
            return Filled([], [])
        if function is dict and len(args) == 1:
            return self.of_pairs(args[0])
        if function is collections.Counter and not args:
            return self.with_default(0, "get")
        if function is collections.defaultdict and len(args) == 1:
            default = _constant(self.kind(args[0]))
            return None if default is None else self.with_default(default, "setdefault")
        if is_fromkeys(function) and len(args) == 2 and isinstance(self.kind(args[1]), Num):
            return self.of_keys(args[0], args[1])
        return None

    def of_pairs(self, pairs: Any) -> Any:
        """dict(pairs), dict(d)"""
        k, v = ir.name(self.unused("k")), ir.name(self.unused("v"))
        named = isinstance(pairs, gast.Name) and self.env.kinds.get(pairs.id)
        d = named or (self.kind(pairs) if way_of(pairs) is not None else UNKNOWN)
        if is_keyed_dict(d):
            pairs = quote("{d}.items()", d=ir.duplicate(pairs))
        target = gast.Tuple([k, v], gast.Store())
        return gast.DictComp(k, v, [gast.comprehension(target, pairs, [], 0)])

    def of_keys(self, keys: Any, value: Any) -> Any | None:
        """dict.fromkeys(keys, 0.0)"""
        kind = self.kind(value)
        if not is_number(kind):
            return None
        k = ir.name(self.unused("k"))
        return gast.DictComp(k, value, [gast.comprehension(k, keys, [], 0)])

    def with_default(self, value: Default, method: str) -> Any:
        made = Filled([], [])
        made.default = (value, method)
        return made

    # -- entries that are made when they are asked for

    def held_by_default(self, d: Kind) -> tuple[Default, str] | None:
        """What a dict holds under keys that it does not have, and the method that gives it."""
        if not (isinstance(d, Seq) and d.keyed) or d.default is None:
            return None
        text, method = d.default
        return ast.literal_eval(text), method

    def has_one_default(self, d: Seq) -> bool:
        """Whether it holds the same under keys that it does not have, wherever it was made."""
        return d.default != SEVERAL_DEFAULTS

    def have_one_default(self, d: Seq, node: Any) -> None:
        if not self.has_one_default(d):
            self.refuse(_SEVERAL_DEFAULTS, node)

    def entry_by_default(self, node: Any, default: tuple[Default, str]) -> Kind:
        """d[key], which is there whatever the key is"""
        value, method = default

        def make() -> Any:
            asked = gast.Attribute(ir.duplicate(node.value), method, gast.Load())
            return gast.Call(asked, [node.slice, _made_by_default(value)], [])

        made = self.made_once((node, "default"), lambda: all_at(make(), node), node)
        self.facts.answers[node] = made
        return self.expression(made)

    def update_by_default(self, statement: ir.Update) -> Any | None:
        """`d[key] + v` of `d[key] += v`, where the entry may not be there."""
        target = statement.target
        if not (isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name)):
            return None
        d = self.env.kinds.get(target.value.id, Known(None))
        default = self.held_by_default(d)
        if default is None or not isinstance(d, Seq):
            return None
        self.have_one_default(d, target)
        if isinstance(default[0], list):
            self.refuse("a list that may not be there is added to: write d[key].extend(xs)", target)
            return None
        asks = any(isinstance(n, (gast.Call, gast.IfExp)) for n in ir.walk(target.slice))
        if asks and not self.cached:
            raise NameFirst(statement, target.slice)

        def make() -> Any:
            asked = gast.Attribute(ir.duplicate(target.value), "get", gast.Load())
            key, value = ir.duplicate(target.slice), gast.Constant(default[0], None)
            return gast.BinOp(gast.Call(asked, [key, value], []), statement.op, statement.value)

        return self.made_once((target, "default"), lambda: all_at(make(), target), target)


def _made_by_default(value: Default) -> Any:
    return gast.List([], gast.Load()) if isinstance(value, list) else gast.Constant(value, None)


def _constant(kind: Kind) -> Default | None:
    """What a function without arguments gives, if that is a number whenever it is called."""
    function = kind.value if isinstance(kind, Known) else getattr(kind, "function", None)
    if function in (float, int, list):
        made: Default = function()
        return made
    if not isinstance(function, types.FunctionType) or (isinstance(kind, Fun) and kind.cells):
        return None
    code = function.__code__
    if code.co_names or code.co_freevars or code.co_argcount or code.co_kwonlyargcount:
        return None
    value = function()
    return value if type(value) in (int, float) or value == [] else None
