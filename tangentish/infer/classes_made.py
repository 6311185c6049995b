"""What runs where a class is made in a function: hooks of the classes that it is made of, and of objects in its body.

class Made(Base): ...        type("Made", (Base,), {})        types.new_class("Made", (Base,))
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Sequence
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.found_outside import class_of, makers_of, methods_named
from tangentish.infer.known_functions import is_of_library
from tangentish.language.source import Source

_HOOKS = ("__init_subclass__", "__set_name__", "__prepare__")


_MAKERS = (type, types.new_class, type.__new__)


def hooks_of_classes_made(source: Source) -> Iterator[Any]:
    """The functions of the user's that run where the classes of a text are made."""
    nodes = [*filter(_may_make, ir.nodes_of(source.tree.body, gast.Call, gast.ClassDef))]
    yield from _hooks_of(nodes, source)


def runs_hooks(function: object, node: Any, source: Source) -> bool:
    """Whether one call of a function makes a class, and runs some of these."""
    makes = any(function is maker for maker in _MAKERS) and len(getattr(node, "args", ())) > 1
    return makes and any(True for _ in _hooks_of([node], source))


def _may_make(node: Any) -> bool:
    match node:
        case gast.Call(func=gast.Name(id="type"), args=[_, _, *_]):
            return True
        case gast.Call(func=gast.Name(id=name) | gast.Attribute(attr=name)):
            return name in ("new_class", "__new__")
    return isinstance(node, gast.ClassDef)


def _hooks_of(nodes: Sequence[Any], source: Source) -> Iterator[Any]:
    names = {name for s in nodes for n in ir.walk(s) for name in _read(n)}
    for name in sorted(names):
        try:
            value = source.lookup(name)
        except NameError:
            continue
        cls = class_of(value)
        for one in (cls, type(cls)):
            if not is_of_library(one):
                yield from (f for hook in _HOOKS for f in methods_named([one], hook))
                yield from makers_of(one) if issubclass(one, type) else ()


def _read(node: Any) -> Iterator[str]:
    if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
        yield node.id
