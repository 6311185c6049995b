"""What the walk knows of functions that are not differentiated by a rule: facts, in tables."""

from __future__ import annotations

import copy
import inspect
import logging
import math
import operator
import sys
import types
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import gast
import numpy as np

from tangentish import ir
from tangentish.kinds.homes import is_of_python
from tangentish.rules import CONSTANT, CONSTRUCTORS, RULES, load_tables
from tangentish.rules.names import is_helper
from tangentish.runtime import plain

Entry = TypeVar("Entry")

OPERATORS: dict[str, Callable[..., Any]] = {
    "Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "Div": operator.truediv,
    "FloorDiv": operator.floordiv, "Mod": operator.mod, "Pow": operator.pow, "MatMult": operator.matmul,
    "USub": operator.neg, "UAdd": operator.pos, "Invert": operator.invert, "BitAnd": operator.and_,
    "BitOr": operator.or_, "BitXor": operator.xor, "LShift": operator.lshift, "RShift": operator.rshift,
    "Lt": operator.lt, "LtE": operator.le, "Gt": operator.gt, "GtE": operator.ge, "Eq": operator.eq,
    "NotEq": operator.ne,
}  # fmt: skip

CONSTANT_OPERATORS = {"FloorDiv", "Invert", "BitAnd", "BitOr", "BitXor", "LShift", "RShift"}

# Always a view of the first argument.
EXACT_VIEWS = {
    np.transpose, np.swapaxes, np.moveaxis, np.expand_dims, np.squeeze, np.diagonal, np.broadcast_to,
    np.flip, np.fliplr, np.flipud, np.matrix_transpose, np.permute_dims, np.linalg.diagonal,
}  # fmt: skip

# A view of the first argument where that is contiguous.
CONTIGUOUS_VIEWS = {np.reshape, np.ravel, np.atleast_1d, np.atleast_2d, np.ascontiguousarray}

# A view or a copy, which trying it out may fail to tell.
_MAY_VIEW = """
    asarray asanyarray asfortranarray asarray_chkfinite require astype array real imag conj real_if_close
    nan_to_num rollaxis rot90 atleast_3d diag split array_split hsplit vsplit dsplit unstack trim_zeros einsum
    broadcast_arrays ix_
"""
MAY_VIEW: set[Any] = EXACT_VIEWS | CONTIGUOUS_VIEWS
MAY_VIEW |= {getattr(np, name) for name in _MAY_VIEW.split() if hasattr(np, name)}
MAY_VIEW |= {
    np.linalg.diagonal,
    np.linalg.matrix_transpose,
    np.lib.stride_tricks.sliding_window_view,
    np.lib.stride_tricks.as_strided,
    plain,
}

# Methods and attributes of arrays without a rule, and what to write instead.
INSTEAD = {
    "flat": ": write x.reshape(-1)", "tolist": ": use the array itself, or a loop over its elements",
    "view": ": write x[...]", "itemset": ": write x[i] = v",
    "resize": ": write x.reshape(...)",
}  # fmt: skip

_BY_PARTS = "write z = a + 1j * b, or z[i] = a + 1j * b"
STORED_THROUGH = {"flat": "index the array itself", "real": _BY_PARTS, "imag": _BY_PARTS}
"""The attributes of arrays that are views, and what to write where one is stored through."""
SET_ON_ARRAYS = {
    "real": _BY_PARTS, "imag": _BY_PARTS, "shape": "write x = x.reshape(shape)", "dtype": "write x = x.astype(dtype)",
}  # fmt: skip

# What may read any variable, or an exception that holds what varies.
REFLECTIVE: set[Any] = {
    eval, exec, locals, vars, globals, dir, super, sys.exc_info, sys.exception, sys._getframe, inspect.currentframe,
    inspect.stack, inspect.trace,
}  # fmt: skip

# Neither writes to its arguments nor keeps them.
HARMLESS: set[Any] = {print, repr, str, format, ValueError, TypeError, RuntimeError}

# What only reports what it is given: values may carry a derivative, which ends there.
LOG_METHODS = {"debug", "info", "warning", "error", "critical", "exception", "log"}
REPORTING: set[Any] = {warnings.warn, *(getattr(logging, name) for name in LOG_METHODS)}

# What gives a number, a text or a copy of all that it is given.
KEEPING_NOTHING: set[Any] = {
    int, float, complex, bool, bytes, len, hash, id, any, all, callable, hasattr, copy.deepcopy,
}  # fmt: skip

# The types of what functions of the standard library give.
GIVES: dict[Any, type] = {logging.getLogger: logging.Logger}

# What reads an array of floats from a text, unless these words ask for another thing.
READING = (np.loadtxt, np.genfromtxt)
OF_ANOTHER_TYPE = {"dtype", "names", "converters"}

TAKING_ALL = (all, any, dict, frozenset, list, math.fsum, max, min, set, sorted, sum, tuple)
"""What runs over its first argument until it ends or decides, and holds nothing of it."""
_LIBRARIES = {"tangentish", "numpy", "scipy", "cupy", "numba"}


@dataclass(frozen=True)
class UnknownMethod:
    """A method of an array for which there is no rule."""

    name: str


DICT_VIEWS = {"items", "keys", "values"}
KEYED_METHODS = {"clear", "get", "pop", "setdefault", "update"} | DICT_VIEWS
"""Methods of dicts whose keys are computed."""
KEEPING_METHODS = {"add", "append", "appendleft", "insert", "setdefault"}
"""Methods of containers that keep what they are given."""


@dataclass(frozen=True)
class DictView:
    """A method of a dict that gives its keys, its values or both."""

    name: str


@dataclass(frozen=True)
class EntryOr:
    """`d.get(key, default)` of a dict whose keys are computed, where the default carries no derivative."""


@dataclass(frozen=True)
class ListMethod:
    """A method of a list."""

    name: str


def has_rule(function: Any) -> bool:
    """Whether a table of rules knows the function."""
    try:
        while not (function in RULES or function in CONSTANT or function in CONSTRUCTORS):
            if not load_tables():
                return False
    except TypeError:
        return False
    return True


def is_in_tables(function: Any) -> bool:
    """Whether a table that is there knows the function: by a rule, or as one that needs none."""
    try:
        return function in RULES or function in CONSTANT or function in CONSTRUCTORS
    except TypeError:  # what can't be hashed is in no table
        return False


def may_not_copy(call: Any) -> bool:
    """Whether a call asks for no copy, or for none where it can be helped: np.array(x, copy=None)"""
    given = (k.value for k in getattr(call, "keywords", ()) if k.arg == "copy")
    return any(getattr(value, "value", None) is not True for value in given)


def is_view_maker(function: Any) -> bool:
    """Whether a function may give a view of its argument."""
    try:
        return function in MAY_VIEW
    except TypeError:
        return True


def is_of_library(owner: object) -> bool:
    """Whether this is a module, or a class of one, that is nobody's to change."""
    if isinstance(owner, types.ModuleType):
        name = owner.__name__
    elif isinstance(owner, type):
        name = owner.__module__
    else:
        return False
    return is_library(name)


def is_library(home: str) -> bool:
    """Whether a module of this name is not the user's."""
    return home.partition(".")[0] in _LIBRARIES or is_of_python(home)


def is_user_code(function: types.FunctionType) -> bool:
    """Whether a function is the user's, or a helper, which is written like one.

    What a library is made to look like, with the name of its module, is written elsewhere all the same.
    """
    space = getattr(function, "__globals__", {})
    homes = (function.__module__ or "", str(space.get("__name__", function.__module__ or "")))
    return is_helper(function) or not all(map(is_library, homes))


def is_operator(function: Any) -> bool:
    """Whether a function takes derivatives, or is one that was taken."""
    if isinstance(function, (UnknownMethod, ListMethod)):
        return False
    homes = (getattr(function, "__module__", None), type(function).__module__)
    ours = any((home or "").partition(".")[0] == "tangentish" for home in homes)
    return ours and not is_helper(function)


DERIVATIVES = {"grad", "value_and_grad", "vjp", "jvp", "jacobian", "hessian", "hvp"}
"""The attributes of a decorated function."""


def of_scipy(table: Mapping[str, Entry], function: Any) -> Entry | None:
    """What a table of SciPy's functions by their names has for one."""
    home = getattr(function, "__module__", None) or ""
    return table.get(function_name(function)) if home.startswith("scipy.") else None


def is_of_numpy(function: Any) -> bool:
    return isinstance(function, np.ufunc) or getattr(function, "__module__", None) == "numpy"


def function_name(function: Any) -> str:
    if isinstance(function, str):
        return function
    if isinstance(function, UnknownMethod):
        return f"the method .{function.name}"
    name = getattr(function, "__name__", repr(function))
    module = _public_module(function, name).replace("numpy", "np", 1)
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.ufunc):
        module = function_name(owner)
    return f"{module}.{name}" if module and module != "builtins" else str(name)


def _public_module(function: Any, name: str) -> str:
    """`scipy.signal` of what is written in `scipy.signal._signaltools`."""
    if isinstance(function, np.ufunc):
        found = (m for m in ("numpy", "scipy.special") if _has(m, name, function))
        return next(found, "")
    module = getattr(function, "__module__", None) or ""
    public = module.partition("._")[0]
    return public if _has(public, name, function) else module


def held_as(owner: Any) -> str | None:
    """`scipy.stats.nct`, an object of a class that is written in `scipy.stats._continuous_distns`."""
    public, private, _ = type(owner).__module__.partition("._")
    held = vars(sys.modules[public]) if private and public in sys.modules else {}
    return next((f"{public}.{name}" for name, value in held.items() if value is owner), None)


def _has(module: str, name: str, function: Any) -> bool:
    return getattr(sys.modules.get(module), name, None) is function


def dotted_name(node: Any) -> str:
    parts = []
    while isinstance(node, gast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(ir.base_name(node.id) if isinstance(node, gast.Name) else "...")
    return ".".join(reversed(parts))
