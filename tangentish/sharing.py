"""Arguments that share memory: found where a function writes to one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import FunctionType

import numpy as np

from tangentish.binding import parameter_names

__all__ = ["arrays_in", "refuse_sharing", "share_memory"]

# How much work an exact answer may cost; where it costs more, overlapping bounds count as shared.
_EFFORT = 1000


def share_memory(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays have an element in common; True where that is too hard to tell."""
    return bool(np.may_share_memory(a, b) and np.may_share_memory(a, b, max_work=_EFFORT))  # type: ignore[arg-type]


def arrays_in(value: object) -> Iterator[np.ndarray]:
    """The arrays in a value: itself, or in tuples, lists and dicts."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from arrays_in(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from arrays_in(item)


def refuse_sharing(
    function: FunctionType, values: Sequence[object], writes: tuple[int, ...]
) -> None:
    """Raise ValueError where an argument that `function` writes to shares memory with another one."""
    for written in writes:
        for other in range(len(values)):
            if other != written and _overlap(values[written], values[other]):
                _refuse(function, (min(written, other), max(written, other)), written)


def _overlap(a: object, b: object) -> bool:
    return any(share_memory(x, y) for x in arrays_in(a) for y in arrays_in(b))


def _refuse(function: FunctionType, pair: tuple[int, int], written: int) -> None:
    names = parameter_names(function)
    first, second = pair
    raise ValueError(
        f"arguments {names[first]!r} and {names[second]!r} of {function.__qualname__}() share "
        "memory, and "
        f"{function.__qualname__}() writes to {names[written]!r}: pass copies, for example "
        f"{names[second]}.copy()"
    )
