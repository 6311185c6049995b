"""Twin of runtime/own.py: what a rule of the user's own gives is looked at by its types, and its shape."""

from __future__ import annotations

from typing import Any

from numba.core import types

from tangentish import runtime
from tangentish.compiled.twins.registry import twin
from tangentish.compiled.twins.types import is_array, is_none, is_number
from tangentish.compiled.twins.written import written


@twin(runtime.checked)
def _checked(gradients: Any, *args: Any) -> Any:
    if len(args) == 1 and isinstance(args[0], types.BaseTuple):
        args = tuple(args[0].types)  # that is how Numba hands them on
    several = isinstance(gradients, types.BaseTuple)
    given = list(gradients.types) if several else [gradients]
    if len(given) != len(args) or not all(map(_fits, given, args)):
        return None
    names = [f"gradients[{k}]" if several else "gradients" for k in range(len(args))]
    parts = [f"fitted({name}, args[{k}])" for k, name in enumerate(names)]
    result = parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
    return written("gradients, *args", [f"return {result}"], fitted=fitted)


def _fits(g: Any, x: Any) -> bool:
    if is_none(x) or (is_number(x) and is_number(g)):
        return True
    return is_array(x) and is_array(g) and x.ndim == g.ndim


def fitted(g: Any, x: Any) -> Any:
    """The gradient `g` as a value like `x`, of its shape."""
    raise NotImplementedError


@twin(fitted)
def _fitted(g: Any, x: Any) -> Any:
    if is_none(x):
        return lambda g, x: None
    if is_number(x):
        return lambda g, x: runtime.cast(g, x) * 1.0

    def shaped(g: Any, x: Any) -> Any:
        if g.shape != x.shape:
            raise ValueError("a gradient that a rule gives has not the shape of its argument")
        return runtime.cast(g, x)

    return shaped
