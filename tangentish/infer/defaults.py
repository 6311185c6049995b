"""The kinds of defaults: of empty dicts, too, `def solve(f, x, kwargs={})`, where no call changes them.

That they are still empty is looked up at every call (analysis/guards.py).
"""

from __future__ import annotations

import types
from collections.abc import Container, Hashable, Iterable, Iterator
from typing import Any

from tangentish.infer.callee_arguments import defaults_of
from tangentish.infer.changes import CHANGED_OUTSIDE
from tangentish.infer.literals import kind_of_literal
from tangentish.infer.only_unpacked import is_only_unpacked
from tangentish.kinds import Kind, Tup


def kinds_of_defaults(
    function: types.FunctionType, values: Iterable[str], rebound: Container[Hashable]
) -> Iterator[Kind]:
    """The kinds of these values, which are parameters that have their defaults, in a program that binds `rebound`."""
    defaults = defaults_of(function)
    for name in (value.removesuffix(".0") for value in values):
        default = defaults[name]
        stays = _is_empty_dict(default) and CHANGED_OUTSIDE not in rebound
        stays = stays and is_only_unpacked(function, name)
        yield _empty(default) if stays else kind_of_literal(default)


def empty_dicts(function: types.FunctionType) -> tuple[dict[Any, Any], ...]:
    """The empty dicts among the defaults of a function."""
    values = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    return tuple(filter(_is_empty_dict, values))


def _is_empty_dict(value: object) -> bool:
    return type(value) is dict and not value


def _empty(default: object) -> Kind:
    site: Hashable = ("outside", id(default))
    return Tup((), False, frozenset({site}), (), dict)
