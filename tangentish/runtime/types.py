"""What the helpers take and give."""

from __future__ import annotations

from typing import Any

Array = Any  # an array of numpy or cupy, or a scalar
Shape = tuple[int, ...]

SCALARS = (int, float, complex)


def is_sequence(x: Any) -> bool:
    """Whether `case [a, b]` may match: Python marks the types of sequences, which arrays and texts are not."""
    return bool(type(x).__flags__ & 1 << 5)


def is_mapping(x: Any) -> bool:
    """Whether `case {"a": a}` may match."""
    return bool(type(x).__flags__ & 1 << 6)
