"""Arguments that share memory: found where a function writes to one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from tangentish.binding import binder, parameter_names
from tangentish.devices import is_device_array
from tangentish.kinds import parts_of

__all__ = ["arrays_in", "refusing_shared", "share_memory"]

Caller = Callable[..., Any]

# How much work an exact answer may cost; where it costs more, overlapping bounds count as shared.
_EFFORT = 1000


def share_memory(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays have an element in common; True where that is too hard to tell."""
    if certainly_apart(a, b) or not np.may_share_memory(a, b):
        return False
    return bool(np.may_share_memory(a, b, max_work=_EFFORT))  # type: ignore[arg-type]


def certainly_apart(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays are two that each own their memory: quick to ask, and the common case."""
    return a is not b and a.flags.owndata and b.flags.owndata


def arrays_in(value: object) -> Iterator[np.ndarray]:
    """The arrays in a value: itself, or in tuples, lists, dicts and objects."""
    if isinstance(value, np.ndarray) or is_device_array(value):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from arrays_in(item)
    else:
        parts = parts_of(value)
        for item in () if parts is None else parts[1]:
            yield from arrays_in(item)


def refusing_shared(
    call: Caller, function: FunctionType, values: Sequence[object], writes: tuple[int, ...]
) -> Caller:
    """The call, after a look whether an argument that is written to shares memory with another.

    It is made for arguments of the kinds of `values`, and raises ValueError naming both.
    """
    bind = binder(function)
    pairs = _pairs_of_arrays(values, writes)
    # The pairs say it all for arguments given by position, unless there are arrays inside others.
    least = max((max(pair) for pair in pairs), default=-1) + 1
    quick = not any(_holds_arrays(value) for value in values)

    def checked(*args: Any, **kwargs: Any) -> Any:
        if not quick or kwargs or len(args) < least:
            _refuse_sharing(function, bind(*args, **kwargs), writes)
            return call(*args, **kwargs)
        for first, second in pairs:
            a, b = args[first], args[second]
            if a is b or not (a.flags.owndata and b.flags.owndata):
                _refuse_sharing(function, bind(*args), writes)
                break
        return call(*args)

    return checked


def _pairs_of_arrays(
    values: Sequence[object], writes: tuple[int, ...]
) -> tuple[tuple[int, int], ...]:
    arrays = [k for k, value in enumerate(values) if isinstance(value, np.ndarray)]
    pairs = {(min(w, k), max(w, k)) for w in writes for k in arrays if w in arrays and k != w}
    return tuple(sorted(pairs))


def _holds_arrays(value: object) -> bool:
    return not isinstance(value, np.ndarray) and any(True for _ in arrays_in(value))


def _refuse_sharing(
    function: FunctionType, values: Sequence[object], writes: tuple[int, ...]
) -> None:
    for written in writes:
        if _overlaps_itself(values[written]):
            raise ValueError(
                f"two arrays in the argument {parameter_names(function)[written]!r} of "
                f"{function.__qualname__}() share memory, and {function.__qualname__}() writes to one: "
                "pass copies"
            )
        for other in range(len(values)):
            if other != written and _overlap(values[written], values[other]):
                _refuse(function, (min(written, other), max(written, other)), written)


def _overlaps_itself(value: object) -> bool:
    """Whether arrays inside a container share memory."""
    arrays = list(arrays_in(value))
    return any(share_memory(a, b) for k, a in enumerate(arrays) for b in arrays[:k])


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
