"""What a class statement in a function runs: hooks of the classes that it is made of, and of objects in its body."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.found_outside import makers_of, methods_named
from tangentish.infer.known_functions import is_of_library
from tangentish.language.source import Source

__all__ = ["hooks_of_classes_made"]

_HOOKS = ("__init_subclass__", "__set_name__", "__prepare__")


def hooks_of_classes_made(source: Source) -> Iterator[Any]:
    """The functions of the user's that run where the classes of a text are made."""
    statements = (n for s in source.tree.body for n in ir.walk(s) if isinstance(n, gast.ClassDef))
    names = {name for s in statements for n in ir.walk(s) for name in _read(n)}
    for name in sorted(names):
        try:
            value = source.lookup(name)
        except NameError:
            continue
        cls = value if isinstance(value, type) else type(value)
        for one in (cls, type(cls)):
            if not is_of_library(one):
                yield from (f for hook in _HOOKS for f in methods_named([one], hook))
                yield from makers_of(one) if issubclass(one, type) else ()


def _read(node: Any) -> Iterator[str]:
    if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
        yield node.id
