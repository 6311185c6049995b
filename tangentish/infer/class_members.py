"""What objects find in their class, as it stands there, and nothing of its metaclass, which only classes find."""

from __future__ import annotations

from typing import Any

__all__ = ["member_of"]


def member_of(cls: type, name: str, default: Any = None) -> Any:
    """What a class, or one that it inherits from, has under a name, without asking descriptors."""
    return next((vars(c)[name] for c in cls.__mro__ if name in vars(c)), default)
