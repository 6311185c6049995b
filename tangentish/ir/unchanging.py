"""Dataclasses that nobody changes, as the type checker sees to.

With `frozen` each field of each one made is set by a call, which takes four times as long; statements, and what is
known of calls, are made by the thousand.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
def unchanging(cls: type[T]) -> type[T]:
    return dataclass(eq=False, slots=True)(cls)
