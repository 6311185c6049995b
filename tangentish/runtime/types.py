"""What the helpers take and give."""

from __future__ import annotations

from typing import Any

Array = Any  # an array of numpy or cupy, or a scalar
Shape = tuple[int, ...]

SCALARS = (int, float, complex)
