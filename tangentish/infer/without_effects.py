"""Whether a function of one element only computes: then it does not matter how often it is called."""

from __future__ import annotations

import builtins
import dis
import math
import types

import numpy as np

_MODULES = (math, np)
_BUILTINS = (abs, bool, complex, divmod, float, int, len, max, min, pow, range, round, sum)


def only_computes(function: object) -> bool:
    """Whether a function stores to local names only, and calls nothing but functions of numbers."""
    if not isinstance(function, types.FunctionType):
        return False
    names = vars(builtins) | function.__globals__
    before: object = None
    for step in dis.get_instructions(function.__code__):
        if _stores_outside(step) or (function.__closure__ and _changes_in_place(step)):
            return False
        if step.opname == "LOAD_GLOBAL":
            before = names.get(step.argval)
            if not _is_plain(before):
                return False
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            before = getattr(before, step.argval, None) if before in _MODULES else None
            if not isinstance(before, (np.ufunc, types.BuiltinFunctionType, float)):
                return False
        elif step.opname not in ("CACHE", "RESUME", "PUSH_NULL"):
            before = None
    return True


def _stores_outside(step: dis.Instruction) -> bool:
    if step.opname.startswith(("DELETE_", "IMPORT_", "MAKE_")):
        return True
    return step.opname.startswith("STORE_") and not step.opname.startswith("STORE_FAST")


def _changes_in_place(step: dis.Instruction) -> bool:
    """Whether this is `a += v`, maybe of an array outside that has another name here."""
    return step.opname == "BINARY_OP" and step.argrepr.endswith("=")


def _is_plain(value: object) -> bool:
    if isinstance(value, (int, float, complex, str, np.ufunc)):
        return True
    return any(value is known for known in (*_MODULES, *_BUILTINS))
