"""Assignments of several values of which none is evaluated, so that each may have a line of its own.

a, b = {}, {}                      a dict each
self.bodies, self.G = bodies, G    names, which no store to an attribute binds anew
A[0, 1] = A[1, 0] = k              a name for all, which no target binds
"""

from __future__ import annotations

import types
from typing import Any

import gast

from tangentish import ir


def line_each(node: Any) -> list[tuple[Any, Any]]:
    """The targets of such an assignment and their values; none of any other."""
    match node:
        case gast.Assign(targets=[gast.Tuple(elts=targets)], value=gast.Tuple(elts=values)):
            apart = _are_empty_dicts(targets, values) or _are_attributes(targets, values)
            if apart and len(targets) == len(values):
                return list(zip(targets, values, strict=True))
    return []


def is_same_each_time(node: Any, code: types.CodeType) -> bool:
    """Whether each target of a chain may get the value as it is written: a literal, or a variable of this code."""
    if not isinstance(node.value, gast.Name):
        return isinstance(node.value, gast.Constant)
    name = node.value.id
    own = name in code.co_varnames and name not in code.co_cellvars
    return own and not any(name in ir.target_names(target) for target in node.targets)


def _are_empty_dicts(targets: list[Any], values: list[Any]) -> bool:
    names = all(isinstance(target, gast.Name) for target in targets)
    return names and all(isinstance(value, gast.Dict) and not value.keys for value in values)


def _are_attributes(targets: list[Any], values: list[Any]) -> bool:
    owners = [target.value for target in targets if isinstance(target, gast.Attribute)]
    known = all(isinstance(e, (gast.Name, gast.Constant)) for e in (*owners, *values))
    return known and len(owners) == len(targets)
