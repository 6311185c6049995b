"""Implementations that are written for a rank, or a number of elements: text, loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

INDENT = "    "


def written(parameters: str, lines: Iterable[str], **names: Any) -> Callable[..., Any]:
    """The function of these parameters and lines; the names are what it finds outside."""
    body = "\n".join(INDENT + line for line in lines)
    space: dict[str, Any] = {"np": np, **names}
    exec(f"def twin({parameters}):\n{body}\n", space)
    return space["twin"]  # type: ignore[no-any-return]


def loops(lengths: Sequence[str], inner: str) -> list[str]:
    """Loops over all indices i0, i1, ... of axes of these lengths."""
    heads = [f"{INDENT * k}for i{k} in range({length}):" for k, length in enumerate(lengths)]
    return [*heads, INDENT * len(lengths) + inner]
