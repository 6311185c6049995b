"""Functions of Python whose calls are refused wherever they stand: they reach what no line shows."""

from __future__ import annotations

from typing import Any

from tangentish.infer.classes_made import runs_hooks
from tangentish.infer.known_functions import REFLECTIVE, function_name
from tangentish.language.source import Source

__all__ = ["why_not_followed"]

_HOOKS = (
    "the class that is made here runs hooks (__init_subclass__, __set_name__, a metaclass), which may change what the "
    "function reads: make it outside of the function"
)


def why_not_followed(function: Any, node: Any, source: Source) -> str | None:
    """The reason to refuse this call; None for most."""
    if function in REFLECTIVE:
        return f"{function_name(function)} may read any variable: what it gives is not known"
    return _HOOKS if runs_hooks(function, node, source) else None
