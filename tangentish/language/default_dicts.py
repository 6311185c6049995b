"""Dicts that make arrays, dicts or objects for the keys that they do not have, as plain dicts that get these before.

g = defaultdict(lambda: np.zeros(3))    ->    g = {}
g[k] += v                               ->    if k not in g: g[k] = np.zeros(3)
                                              g[k] += v

Only where the function makes the dict, and it has one name. A line asks for its entries in the order in which it is
evaluated; what a call before them may change is not read there.
"""

from __future__ import annotations

import collections
import types
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.language.named_members import Find, named_member
from tangentish.language.nested import Closure, nested_of
from tangentish.language.new_records import makes_record
from tangentish.language.placed import at, rebuilt
from tangentish.language.rewriting import Rewriting
from tangentish.language.scopes import COMPREHENSIONS
from tangentish.language.source import Source, read_source
from tangentish.language.stored_last import may_change_something
from tangentish.language.written_out import written_out

_MAKING = ("array", "empty", "eye", "full", "ones", "ones_like", "zeros", "zeros_like")
_READING = {"clear", "get", "items", "keys", "pop", "update", "values"}
_ASKING = {"enumerate", "len", "list", "sorted", "tuple"}
_SOMETIMES = (
    *COMPREHENSIONS, gast.Lambda, gast.IfExp, gast.BoolOp, gast.Assert, gast.FunctionDef, gast.Try,
)  # fmt: skip


def without_default_dicts(statements: Sequence[Any], source: Source, find: Find) -> list[Any]:
    """The statements with plain dicts for the default dicts that may be ones."""
    made: dict[str, tuple[Any, set[str]]] = {}
    for node in ir.nodes_of(statements, gast.Assign):
        match node:
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                default = _default(value, find)
                uses = None if default is None else _Uses(name, statements, default, source, find)
                if uses is not None and uses.are_plain:
                    made[name] = default, uses.keys
    return _Plain(made).block(statements) if made else list(statements)


def _default(value: Any, find: Find) -> Any | None:
    """What such a dict holds under keys that it does not have: an array that NumPy makes, or a dict or an object."""
    match value:
        case gast.Call(func=func, args=[Closure(function=maker)], keywords=[]):
            pass
        case gast.Call(func=func, args=[gast.Name() as cls], keywords=[]):
            made = at(gast.Call(cls, [], []), value)
            is_default = named_member(func, collections, find) is collections.defaultdict
            return made if is_default and makes_record(made, find) else None
        case _:
            return None
    if named_member(func, collections, find) is not collections.defaultdict:
        return None
    nested = nested_of(maker)
    if nested is not None and nested.shared:  # its variables are in cells, which only it knows
        return None
    match read_source(maker).tree:
        case gast.FunctionDef(
            args=gast.arguments(args=[], defaults=[]), body=[gast.Return(value=made)]
        ):
            return made if _is_quiet(made, find) or makes_record(made, find) else None
    return None


def _is_quiet(made: Any, find: Find) -> bool:
    """Whether a call makes an array and does nothing else, whenever it is made."""
    if not isinstance(made, gast.Call):
        return False
    inside = [n for part in ir.children(made) for n in gast.walk(part)]
    plain = not any(isinstance(n, (gast.Call, gast.NamedExpr, *_SOMETIMES)) for n in inside)
    return plain and named_member(made.func, np, find) in [getattr(np, name) for name in _MAKING]


class _Uses:
    """All that is done with a name in a function."""

    def __init__(
        self, name: str, statements: Sequence[Any], made: Any, source: Source, find: Find
    ) -> None:
        code = source.function.__code__
        self.name = name
        self.made = made
        self.find = find
        self.own = {*code.co_varnames} - {*code.co_cellvars}  # no other function binds these
        self.nodes = [node for statement in statements for node in gast.walk(statement)]
        self.sometimes = {
            id(n) for node in self.nodes if _may_be_skipped(node) for n in gast.walk(node)
        }
        self.keys = self.keys_run_over()

    @property
    def are_plain(self) -> bool:
        """Whether the name is bound once, and its entries are asked for where a line before can make them."""
        pairs = [(n, child) for n in self.nodes for child in gast.iter_child_nodes(n)]
        uses = [
            (n, child)
            for n, child in pairs
            if isinstance(child, gast.Name) and child.id == self.name
        ]
        read = [(n, child) for n, child in uses if isinstance(child.ctx, gast.Load)]
        binds = any(isinstance(n, gast.NamedExpr) for n in self.nodes)
        known = all(self.is_plain(*use) for use in read)
        return not binds and len(uses) == len(read) + 1 and known and self.are_apart

    @property
    def are_apart(self) -> bool:
        """Whether what a line asks for does not show in what else it does with the dict."""
        lines = (n for n in self.nodes if isinstance(n, gast.stmt))
        asking = [line for line in lines if any(_entries(line, self.name, self.keys))]
        return not any(
            _other_uses(line, self.name) or self.is_out_of_order(line) for line in asking
        )

    def is_out_of_order(self, line: Any) -> bool:
        """Whether making the entries of a line before it may show: after a call, or a store that comes first."""
        entries = list(_entries(line, self.name, self.keys))
        targets = [n for t in _targets(line) for n in ir.evaluated(t)]
        if isinstance(line, (gast.For, gast.With)):
            return any(entry in targets for entry in entries)  # asked on each trip, or not at all
        stored, called = False, False
        for node in _in_order(line):
            if node in entries and (stored or (called and not self.is_fixed(node.slice))):
                return True
            called = called or (
                isinstance(node, gast.Call) and may_change_something(node, self.find)
            )
            stored = stored or (node in targets and _is_stored(node, self.name))
        return False

    def is_fixed(self, key: Any) -> bool:
        """Whether calls can change neither a key nor what is made for it."""
        parts = ir.walk(key)
        names = {part.id for part in parts if isinstance(part, gast.Name)}
        plain = not any(isinstance(part, (gast.Attribute, gast.Subscript)) for part in parts)
        return plain and names <= self.own and not self.reads_values

    @property
    def reads_values(self) -> bool:
        """Whether what is made is made of the values of variables, not of their shapes."""
        if makes_record(self.made, self.find):
            return False
        given = [n for part in ir.children(self.made)[1:] for n in ir.walk(part)]
        names = (n.id for n in given if isinstance(n, gast.Name))
        filled = named_member(self.made.func, np, self.find) in (np.array, np.full)
        return filled and not all(isinstance(self.find(n), types.ModuleType) for n in names)

    def is_plain(self, node: Any, use: Any) -> bool:
        match node:
            case gast.Subscript(slice=key):
                there = isinstance(key, gast.Name) and key.id in self.keys
                return there or (id(node) not in self.sometimes and _is_settled(key))
            case gast.Attribute(attr=attr):
                return attr in _READING
            case gast.Call(func=gast.Name(id=function)):
                return function in _ASKING
            case gast.For() | gast.comprehension():
                return node.iter is use
            case gast.Compare(ops=[gast.In() | gast.NotIn()], comparators=[held]):
                return held is use
        return False

    def keys_run_over(self) -> set[str]:
        """The variables that stand for keys of the dict wherever they stand."""
        loops = [n for n in self.nodes if isinstance(n, (gast.For, gast.comprehension))]
        keys = [_key_of(loop.target) for loop in loops if self.is_over(loop.iter)]
        bound = [
            n.id for n in self.nodes if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)
        ]
        return {key for key in keys if key is not None and bound.count(key) == keys.count(key)}

    def is_over(self, iterated: Any) -> bool:
        """Whether a loop runs over the keys of the dict, or over its items."""
        match iterated:
            case gast.Name(id=found):
                return bool(found == self.name)
            case gast.Call(
                func=gast.Attribute(value=gast.Name(id=found), attr="items" | "keys"), args=[]
            ):
                return bool(found == self.name)
            case gast.Call(func=gast.Name(id="sorted" | "list"), args=[inner]):
                return self.is_over(inner)
        return False


def _may_be_skipped(node: Any) -> bool:
    """Whether parts of what stands here may not be evaluated, or more than once."""
    chain = isinstance(node, gast.Compare) and len(node.ops) > 1
    return chain or isinstance(node, _SOMETIMES)


def _is_settled(key: Any) -> bool:
    """Whether a key is the same when it is asked for again."""
    match key:
        case gast.Tuple(elts=parts):
            return all(map(_is_settled, parts))
        case gast.Subscript(value=value, slice=part):
            return _is_settled(value) and _is_settled(part)
        case gast.Attribute(value=value):
            return _is_settled(value)
        case gast.BinOp(left=a, right=b):
            return _is_settled(a) and _is_settled(b)
        case gast.UnaryOp(operand=a):
            return _is_settled(a)
    return isinstance(key, (gast.Name, gast.Constant))


def _key_of(target: Any) -> str | None:
    match target:
        case gast.Name(id=key) | gast.Tuple(elts=[gast.Name(id=key), _]):
            return str(key)
    return None


class _Plain(Rewriting):
    """Makes entries before they are asked for; of the keys that a loop finds in the dict they are there."""

    def __init__(self, made: Mapping[str, tuple[Any, set[str]]]) -> None:
        self.made = made

    def statement(self, node: Any) -> Iterator[Any]:
        match node:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if name in self.made:
                yield at(gast.Assign(node.targets, at(gast.Dict([], []), value), None), node)
                return
        yield from self.made_before(node)
        yield rebuilt(node, self.part)

    def made_before(self, node: Any) -> Iterator[Any]:
        """`if k not in g: g[k] = np.zeros(3)` for each entry that a statement asks for."""
        for name, (made, keys) in self.made.items():
            asked = {gast.dump(entry.slice): entry for entry in _entries(node, name, keys)}
            for entry in asked.values():
                d, key = entry.value, entry.slice
                missing = gast.Compare(written_out(key), [gast.NotIn()], [written_out(d)])
                place = at(gast.Subscript(written_out(d), written_out(key), gast.Store()), entry)
                line = at(gast.Assign([place], written_out(made), None), entry)
                yield at(gast.If(at(missing, entry), [line], []), node)


def _entries(line: Any, name: str, keys: set[str]) -> Iterator[Any]:
    """The entries that a line asks a dict for, which may not be there."""
    for entry in _subscripts(line, name):
        there = isinstance(entry.slice, gast.Name) and entry.slice.id in keys
        updated = isinstance(line, gast.AugAssign) and line.target is entry
        if not there and (updated or isinstance(entry.ctx, gast.Load)):
            yield entry


def _is_stored(node: Any, name: str) -> bool:
    match node:
        case gast.Subscript(value=gast.Name(id=found), ctx=gast.Store()):
            return bool(found == name)
    return False


def _subscripts(line: Any, name: str) -> Iterator[Any]:
    for node in _in_order(line):
        match node:
            case gast.Subscript(value=gast.Name(id=found)) if found == name:
                yield node


def _other_uses(line: Any, name: str) -> int:
    """How often a line reads a dict otherwise than by a key."""
    named = [n for part in _evaluated(line) for n in gast.walk(part) if isinstance(n, gast.Name)]
    return len([n for n in named if n.id == name]) - len(list(_subscripts(line, name)))


def _in_order(line: Any) -> list[Any]:
    """All that a statement evaluates itself, in the order in which it does."""
    return [node for part in _evaluated(line) for node in ir.evaluated(part)]


def _targets(line: Any) -> list[Any]:
    """What a statement stores to."""
    match line:
        case gast.Assign(targets=targets):
            return list(targets)
        case gast.AnnAssign(target=target) | gast.For(target=target):
            return [target]
        case gast.With(items=items):
            return [item.optional_vars for item in items if item.optional_vars is not None]
    return []


def _evaluated(node: Any) -> list[Any]:
    """What a statement evaluates itself, not the blocks in it: a value before what it is stored to."""
    parts = [getattr(node, field, None) for field in node._fields]
    own = [n for part in parts for n in (part if isinstance(part, list) else [part]) if _is_own(n)]
    targets = _targets(node)
    return [part for part in own if part not in targets] + [t for t in targets if t in own]


def _is_own(part: Any) -> bool:
    return isinstance(part, (gast.expr, gast.withitem))
