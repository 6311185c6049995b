"""`np.arange(n, like=x)`: what `like` is says where an array that is made lies, and nothing of what is in it."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["without_like"]

MADE_LIKE: frozenset[Any] = frozenset({
    np.zeros, np.ones, np.empty, np.full, np.eye, np.identity, np.tri, np.arange, np.array, np.asarray,
})  # fmt: skip
"""What makes an array, and takes one by the name `like`."""


def without_like(function: Any, keywords: dict[str, Any]) -> dict[str, Any]:
    """What is given by name to a function, but for `like` where that is of no account."""
    if function not in MADE_LIKE or "like" not in keywords:
        return keywords
    return {name: given for name, given in keywords.items() if name != "like"}
