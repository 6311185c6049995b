"""What the functions that are made of a function of the user's are called after."""

from __future__ import annotations


def stem_of(name: str) -> str:
    """What stands before `_grad`, `_forward` and their like: `lambda` for `<lambda>`, `call` for `__call__`."""
    name = name.strip("<>")
    dunder = len(name) > 4 and name.startswith("__") and name.endswith("__")
    return name[2:-2] if dunder else name
