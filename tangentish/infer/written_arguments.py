"""Arguments that functions of NumPy and SciPy write to: `out=` given by its place, `output=`, `overwrite_b=True`.

np.cumsum(x, 0, None, y)                   ->   np.cumsum(x, 0, None, out=y)
scipy.linalg.solve(A, y, overwrite_b=True)      may write to y
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from tangentish.infer.known_functions import UnknownMethod
from tangentish.infer.literals import literal_of

# Where signatures lack: the places of what NumPy's functions in C take, and the ways of ufuncs.
_OF_NUMPY: dict[Any, tuple[str, ...]] = {
    np.concatenate: ("arrays", "axis", "out", "dtype", "casting"),
    np.dot: ("a", "b", "out"),
}  # fmt: skip
_OF_UFUNCS = {
    "reduce": ("array", "axis", "dtype", "out", "keepdims", "initial", "where"),
    "accumulate": ("array", "axis", "dtype", "out"),
    "reduceat": ("array", "indices", "axis", "dtype", "out"),
}  # fmt: skip
# The functions that methods of arrays are, with the array first.
_OF_METHODS: dict[str, Callable[..., Any]] = {
    "choose": np.choose,
    "compress": np.compress,
    "trace": np.trace,
}

_WRITING = "overwrite_"
_BY_OTHER_NAMES = {"overwrite_input": "a"}


def with_out_by_name(
    function: Any, args: list[Any], keywords: dict[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """The arguments of a call, those from `out` on by their names."""
    if isinstance(function, np.ufunc) or len(args) < 2:
        return args, keywords
    names = _places_of(function)
    place = names.index("out") if "out" in names else len(args)
    if not place < len(args) <= len(names) or literal_of(args[place]) is None:
        return args, keywords
    return args[:place], {**dict(zip(names[place:], args[place:], strict=False)), **keywords}


def overwritten(function: Any, args: list[Any], keywords: dict[str, Any]) -> list[Any]:
    """What ufuncs are told to write to, and functions of NumPy and SciPy that they may."""
    if isinstance(function, np.ufunc):
        return [*args[function.nin :], *(keywords[name] for name in ("out",) if name in keywords)]
    names = _places_of(function)
    if not (names or _is_of_arrays(function)):
        return []
    given = {**dict(zip(names, args, strict=False)), **keywords}
    found = [given[name] for name in ("out", "output") if name in given]
    for name, value in given.items():
        if name.startswith(_WRITING) and literal_of(value) not in (False, None):
            told = _BY_OTHER_NAMES.get(name, name.removeprefix(_WRITING))
            found += [given[told]] if told in given else args
    return [value for value in found if literal_of(value) is not None]


def is_way_of_ufunc(function: Any) -> bool:
    """Whether this is np.add.reduce, or another way to go through an array with a ufunc."""
    owner = getattr(function, "__self__", None)
    return isinstance(owner, np.ufunc) and function.__name__ in _OF_UFUNCS


def _is_of_arrays(function: Any) -> bool:
    if isinstance(getattr(function, "__self__", None), np.ufunc):
        return True
    home = getattr(function, "__module__", None)
    return isinstance(home, str) and home.partition(".")[0] in ("numpy", "scipy")


def _places_of(function: Any) -> tuple[str, ...]:
    """The names of what may be given by place."""
    if isinstance(function, UnknownMethod):
        function = _OF_METHODS.get(function.name)
    if is_way_of_ufunc(function):
        return _OF_UFUNCS[function.__name__]
    if not isinstance(function, Hashable) or not _is_of_arrays(function):
        return ()
    return _OF_NUMPY[function] if function in _OF_NUMPY else _signature(function)


@functools.cache
def _signature(function: Callable[..., Any]) -> tuple[str, ...]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ()
    by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return tuple(p.name for p in parameters if p.kind in by_place)
