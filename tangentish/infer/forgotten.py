"""Arrays of arguments in which a list or a dict was changed: they are the caller's, though nothing tells of them.

m.log.append(1.0)     # it is not known any more what m holds
m.w *= 2.0            # m is told apart from the start, so that this array is copied, or the line is refused
"""

from __future__ import annotations

import dis
import inspect
import types
from collections.abc import Hashable, Set
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.lists_kept import array_sites
from tangentish.infer.writes import Writes, is_forgotten
from tangentish.kinds import Buffer, Kind, Tup, sites_of_buffers
from tangentish.kinds.sites import is_in_argument
from tangentish.language.codes import codes_within, instructions_of


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
    notes = isinstance(method, types.FunctionType) and _only_notes(method, kind.type)
    if kind.is_object and not notes:
        walk.demand_apart(kind, func.value)


def _forgotten(walk: Writes, owner: Any) -> Tup | None:
    """What was known of a container of which nothing is known now."""
    if not isinstance(owner, gast.Name) or not is_forgotten(walk.env.kinds.get(owner.id)):
        return None
    kind = walk.forgotten.get(owner.id)
    return kind if isinstance(kind, Tup) else None


def _arrays_of_arguments(kind: Kind) -> set[Hashable]:
    return set(filter(is_in_argument, array_sites(kind)))


def _only_notes(function: types.FunctionType, cls: type | None) -> bool:
    """Whether a method changes nothing but lists and dicts, by methods of these that no array has."""
    codes = codes_within(function.__code__)
    return all(_is_quiet(step, cls) for code in codes for step in instructions_of(code))


def _is_quiet(step: dis.Instruction, cls: type | None) -> bool:
    name = step.opname
    if name == "BINARY_OP":
        return not step.argrepr.endswith("=")
    if name in ("LOAD_GLOBAL", "LOAD_NAME"):
        return step.argval in _ASKING
    if name in ("LOAD_ATTR", "LOAD_METHOD"):
        called = name == "LOAD_METHOD" or "NULL" in step.argrepr
        held = not (called or hasattr(cls, step.argval) or hasattr(np.ndarray, step.argval))
        return held or step.argval in _NOTING
    return name.startswith(_QUIET)


_NOTING = {"append", "add", "extend", "insert", "setdefault", "update", "get", "keys", "values"}
_ASKING = {"len", "float", "int", "str", "print", "isinstance", "min", "max", "sum", "list"}
_QUIET = (
    "RESUME", "LOAD_FAST", "LOAD_CONST", "LOAD_SMALL_INT", "STORE_FAST", "STORE_ATTR", "COMPARE_OP", "PRECALL", "CALL",
    "KW_NAMES", "POP_", "RETURN_", "BUILD_", "JUMP_", "GET_ITER", "FOR_ITER", "END_FOR", "NOP", "NOT_TAKEN", "COPY",
    "SWAP", "IS_OP", "CONTAINS_OP", "UNARY_", "TO_BOOL", "BINARY_SUBSCR", "BINARY_SLICE", "FORMAT_", "CONVERT_",
)  # fmt: skip
"""What neither stores to an item nor calls what a variable holds, in each version of Python."""
