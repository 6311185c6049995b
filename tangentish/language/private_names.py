"""Private names as the compiler writes them: `__x` in a class C is `_C__x`."""

from __future__ import annotations

from typing import Any

import gast


def mangle(tree: Any, inside: str) -> None:
    """Write private names as the compiler does, for the tree is going to leave its class."""
    stem = inside.lstrip("_")
    if not stem:
        return
    pending = list(gast.iter_child_nodes(tree))
    while pending:
        node = pending.pop()
        if not isinstance(node, gast.ClassDef):
            pending.extend(gast.iter_child_nodes(node))
        for field in PRIVATE_FIELDS.get(type(node).__name__, ()):
            setattr(node, field, _mangled(getattr(node, field), stem))


# Keyword arguments of a call are absent: Python does not mangle them.
PRIVATE_FIELDS = {
    "Name": ("id",),
    "Attribute": ("attr",),
    "FunctionDef": ("name",),
    "AsyncFunctionDef": ("name",),
    "ClassDef": ("name",),
    "Global": ("names",),
    "Nonlocal": ("names",),
    "alias": ("asname",),
    "MatchAs": ("name",),
    "MatchStar": ("name",),
    "MatchMapping": ("rest",),
}


def _mangled(name: Any, stem: str) -> Any:
    if isinstance(name, list):
        return [_mangled(each, stem) for each in name]
    if not name or not name.startswith("__") or name.endswith("__") or "." in name:
        return name
    return f"_{stem}{name}"
