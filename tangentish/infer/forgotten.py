"""Arrays of arguments in which a list or a dict was changed: they are the caller's, though nothing tells of them.

m.log.append(1.0)     # it is not known any more what m holds
m.w *= 2.0            # m is told apart from the start, so that this array is copied, or the line is refused
"""

from __future__ import annotations

import dis
import inspect
import types
from collections.abc import Hashable, Iterator, Set
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.writes import Writes, array_sites, is_forgotten
from tangentish.kinds import Buffer, Kind, Tup, sites_of_buffers
from tangentish.kinds.sites import is_in_argument
from tangentish.language.codes import codes_within

__all__ = ["check_method_of_forgotten", "check_place_in_forgotten", "check_write_to_forgotten"]


def check_place_in_forgotten(walk: Writes, target: Any) -> None:
    """`m.w[k] = v`"""
    owner = ir.owner_of(target)
    kind = _forgotten(walk, owner) if owner is not target else None
    if kind is None:
        return
    attribute = isinstance(target, gast.Attribute) and target.value is owner
    position = kind.position(target.attr) if attribute else None
    written = kind if position is None else kind.items[position]
    if _arrays_of_arguments(written):
        walk.demand_apart(kind, owner)


def check_write_to_forgotten(walk: Writes, buffers: Set[Buffer]) -> None:
    """`w *= 2`, where w had been taken from there before."""
    written = set(filter(is_in_argument, sites_of_buffers(frozenset(buffers))))
    for name in list(walk.forgotten) if written else ():
        kind = _forgotten(walk, ir.name(name))
        if kind is not None and written & _arrays_of_arguments(kind):
            walk.demand_apart(kind, ir.name(name))


def check_method_of_forgotten(walk: Writes, func: Any) -> None:
    """`m.step()`, which may write to any array that m holds, unless all that it does is to note something."""
    if not isinstance(func, gast.Attribute):
        return
    kind = _forgotten(walk, func.value)
    if kind is None or not _arrays_of_arguments(kind):
        return
    method = inspect.getattr_static(kind.type, func.attr, None) if kind.is_object else None
    if kind.is_object and not (isinstance(method, types.FunctionType) and _only_notes(method)):
        walk.demand_apart(kind, func.value)


def _forgotten(walk: Writes, owner: Any) -> Tup | None:
    """What was known of a container of which nothing is known now."""
    if not isinstance(owner, gast.Name) or not is_forgotten(walk.env.kinds.get(owner.id)):
        return None
    kind = walk.forgotten.get(owner.id)
    return kind if isinstance(kind, Tup) else None


def _arrays_of_arguments(kind: Kind) -> set[Hashable]:
    return set(filter(is_in_argument, array_sites(kind)))


def _only_notes(function: types.FunctionType) -> bool:
    """Whether a method changes nothing but lists and dicts, by methods of these that no array has."""
    return all(_is_quiet(step) for code in codes_within(function.__code__) for step in _steps(code))


def _steps(code: types.CodeType) -> Iterator[dis.Instruction]:
    return (step for step in dis.get_instructions(code) if step.opname != "CACHE")


def _is_quiet(step: dis.Instruction) -> bool:
    if step.opname in ("STORE_SUBSCR", "STORE_SLICE", "DELETE_SUBSCR"):
        return False
    if step.opname == "BINARY_OP":
        return not step.argrepr.endswith("=")
    if step.opname.startswith("LOAD") and step.opname.endswith(("GLOBAL", "NAME", "DEREF")):
        return step.argval in _ASKING
    return step.opname != "LOAD_METHOD" or step.argval in _NOTING


_NOTING = {"append", "add", "extend", "insert", "setdefault", "update", "get", "keys", "values"}
_ASKING = {"len", "float", "int", "str", "print", "isinstance", "min", "max", "sum", "list"}
