"""A nested function as one that captures nothing: what it reads around it are parameters after its own.

lambda t: np.exp(-k * t)      ->      def integrand(t, k):
                                          return np.exp(-k * t)
"""

from __future__ import annotations

import types
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import gast

from tangentish.language.nested import nested_of
from tangentish.language.source import read_source
from tangentish.text.load import load
from tangentish.text.printer import to_text


class NotAlone(Exception):
    """Why a function can't be written so."""


@dataclass(frozen=True)
class Alone:
    """Such a function; values: what its parameters take that the caller does not give."""

    function: types.FunctionType
    values: tuple[str, ...]


Inner = tuple[tuple[str, types.FunctionType], ...]
"""The nested functions that one calls, by their names."""

_MADE: WeakKeyDictionary[types.FunctionType, dict[Hashable, Alone]] = WeakKeyDictionary()


def alone(
    function: types.FunctionType, count: int, read: tuple[str, ...], inner: Inner, title: str, home: types.FunctionType
) -> Alone:  # fmt: skip
    """The function with its first parameter, `count` more that are given, and one for all else that it reads.

    read: the names of what it captures; title: what a lambda is called; home: the function around it.
    """
    made = _MADE.setdefault(function, {})
    key = (count, read, tuple(map(id, dict(inner).values())))
    if key not in made:
        made[key] = _written(function, count, read, inner, title, home)
    return made[key]


def _written(
    function: types.FunctionType, count: int, read: tuple[str, ...], inner: Inner, title: str, home: types.FunctionType
) -> Alone:  # fmt: skip
    tree, nested = read_source(function).tree, nested_of(function)
    assert nested is not None
    own = [a.id for a in _plain(tree.args).args]
    if len(own) <= count:
        raise NotAlone("its function takes fewer arguments than it is given")
    defaults = [nested.defaults.get(name) for name in own[count + 1 :]]
    if not all(isinstance(d, str) and d in read for d in defaults):
        raise NotAlone("its function has defaults that are numbers: let it read a variable instead")
    mine = [n for n in read if n not in nested.default_names]
    clash = set(mine) & {*own, *dict(inner)}
    if clash or not all(name.isidentifier() for name in mine):
        raise NotAlone("its function captures what it also binds")
    name = title if function.__name__ == "<lambda>" else function.__name__
    parameters = [gast.Name(n, gast.Param(), None, None) for n in (*own, *mine)]
    body = [*(_definition(f, n) for n, f in inner), *tree.body]
    text = to_text(gast.FunctionDef(name, _arguments(parameters), body, [], None, None, []))
    return Alone(load(text, name, home, {}), (*defaults, *mine))  # type: ignore[arg-type]


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
