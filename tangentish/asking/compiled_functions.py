"""Functions that Numba compiles, as `@njit` makes them, stand for the functions in Python that they are made of."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from tangentish.rules.own import has_own_rule


def written_in_python(f: Any) -> Any:
    """The function of which Numba makes a compiled one, unless that has a rule of its own; else `f`."""
    if isinstance(f, FunctionType) or not type(f).__module__.startswith("numba."):
        return f
    inner = getattr(f, "py_func", None)
    return inner if isinstance(inner, FunctionType) and not has_own_rule(f) else f
