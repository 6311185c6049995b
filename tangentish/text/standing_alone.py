"""A nested function as one that captures nothing: what it reads around it are parameters after its own.

lambda t: np.exp(-k * t)      ->      def integrand(t, k):
                                          return np.exp(-k * t)
lambda t: o.a * t             ->      def integrand(t, o_a):
                                          return o_a * t
"""

from __future__ import annotations

import types
from collections.abc import Hashable, Set
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import gast

from tangentish import ir
from tangentish.language.nested import nested_of
from tangentish.language.source import read_source
from tangentish.language.ways import Way, way_of
from tangentish.text.load import load
from tangentish.text.printer import to_text


class NotAlone(Exception):
    """Why a function can't be written so."""


Inner = tuple[tuple[str, types.FunctionType], ...]
"""The nested functions that one calls, by their names."""

READS_CONTAINER = (
    "its function reads a list, dict or object: give what it reads of it a name first (a = d['a'])"
)


@dataclass(frozen=True)
class Alone:
    """Such a function; values: what its parameters take that the caller does not give."""

    function: types.FunctionType
    values: tuple[Way, ...]


@dataclass(frozen=True)
class Read:
    """What it reads: the names of what it captures, those of lists, dicts and objects, and the functions it calls."""

    names: tuple[str, ...]
    held: frozenset[str]
    inner: Inner


_MADE: WeakKeyDictionary[types.FunctionType, dict[Hashable, Alone]] = WeakKeyDictionary()


def alone(
    function: types.FunctionType, count: int, read: Read, title: str, home: types.FunctionType
) -> Alone:
    """The function with its first parameter, `count` more that are given, and one for all else that it reads.

    title: what a lambda is called; home: the function around it.
    """
    made = _MADE.setdefault(function, {})
    key = (count, read.names, read.held, tuple(map(id, dict(read.inner).values())))
    if key not in made:
        made[key] = _written(function, count, read, title, home)
    return made[key]


def _written(
    function: types.FunctionType, count: int, read: Read, title: str, home: types.FunctionType
) -> Alone:
    tree, nested = read_source(function).tree, nested_of(function)
    assert nested is not None
    own = [a.id for a in _plain(tree.args).args]
    if len(own) <= count:
        raise NotAlone("its function takes fewer arguments than it is given")
    defaults = [nested.defaults.get(name) for name in own[count + 1 :]]
    if not all(isinstance(d, str) and d in read.names for d in defaults):
        raise NotAlone("its function has defaults that are numbers: let it read a variable instead")
    mine = [n for n in read.names if n not in nested.default_names]
    body = [*(_definition(f, n) for n, f in read.inner), *tree.body]
    body, parts = _with_parts(body, read.held & set(mine))
    mine = [n for n in mine if n not in read.held]
    clash = {*mine, *parts.values()} & {*own, *dict(read.inner)}
    if clash or not all(name.isidentifier() for name in (*mine, *parts.values())):
        raise NotAlone("its function captures what it also binds")
    name = title if function.__name__ == "<lambda>" else function.__name__
    parameters = [gast.Name(n, gast.Param(), None, None) for n in (*own, *mine, *parts.values())]
    text = to_text(gast.FunctionDef(name, _arguments(parameters), body, [], None, None, []))
    values = (*(Way(str(d)) for d in defaults), *map(Way, mine), *parts)
    return Alone(load(text, name, home, {}), values)


def _with_parts(body: list[Any], held: Set[str]) -> tuple[list[Any], dict[Way, str]]:
    """Lines with names for the parts of containers that they read, and these."""
    parts: dict[Way, str] = {}

    def change(node: Any) -> Any | None:
        match node:
            case gast.Call(func=gast.Attribute(value=owner, attr=method)) if _leads(owner, held):
                func = gast.Attribute(ir.copy_expression(owner, change), method, gast.Load())
                given = [ir.copy_expression(a, change) for a in (*node.args, *node.keywords)]
                count = len(node.args)
                return gast.Call(func, given[:count], given[count:])
            case gast.Attribute(ctx=gast.Load()) | gast.Subscript(ctx=gast.Load()):
                way = way_of(node)
                if way is not None and way.root in held:
                    steps = (str(key) for _, key in way.steps)
                    return ir.name(parts.setdefault(way, "_".join((way.root, *steps))))
        return None

    lines = [ir.copy_expression(line, change) for line in body]
    taken = {n for line in body for n in ir.names_in(line)}
    if any(not held.isdisjoint(ir.names_in(line)) for line in lines):
        raise NotAlone(READS_CONTAINER)
    if not taken.isdisjoint(parts.values()) or len(set(parts.values())) < len(parts):
        raise NotAlone("its function captures what it also binds")
    return lines, parts


def _leads(node: Any, held: Set[str]) -> bool:
    way = way_of(node)
    return way is not None and way.root in held


def _definition(function: types.FunctionType, name: str) -> gast.FunctionDef:
    """A function that it calls, as it stands inside."""
    nested, tree = nested_of(function), read_source(function).tree
    if nested is not None and nested.defaults:
        raise NotAlone("its function calls a nested function with defaults: define that outside")
    parameters = [gast.Name(a.id, gast.Param(), None, None) for a in _plain(tree.args).args]
    return gast.FunctionDef(name, _arguments(parameters), tree.body, [], None, None, [])


def _plain(arguments: Any) -> Any:
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs:
        raise NotAlone("its function takes more than plain arguments")
    return arguments


def _arguments(parameters: list[Any]) -> gast.arguments:
    return gast.arguments(parameters, [], None, [], [], None, [])
