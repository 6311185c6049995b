"""`np.arange(n, like=x, device=d)`: these say where an array that is made lies, and nothing of what is in it."""

from __future__ import annotations

from typing import Any

import numpy as np

MADE_LIKE: frozenset[Any] = frozenset({
    np.zeros, np.ones, np.empty, np.full, np.eye, np.identity, np.tri, np.arange, np.array, np.asarray,
    np.zeros_like, np.ones_like, np.empty_like, np.full_like, np.linspace, np.asanyarray, np.astype,
})  # fmt: skip
"""What makes an array, and takes one of these by its name."""
_WHERE = ("like", "device")


def without_like(function: Any, keywords: dict[str, Any]) -> dict[str, Any]:
    """What is given by name to a function, but for what is of no account there."""
    if function not in MADE_LIKE:
        return keywords
    return {name: given for name, given in keywords.items() if name not in _WHERE}
