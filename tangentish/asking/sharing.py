"""Arguments that share memory: found where a function writes to one of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence, Set
from types import FunctionType
from typing import Any

import numpy as np

from tangentish.kinds.devices import is_device_array
from tangentish.kinds.kinds_of_values import DEEPEST, parts_of
from tangentish.language.binding import binder, parameter_names

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


def arrays_in(value: object, depth: int = DEEPEST) -> Iterator[np.ndarray]:
    """The arrays in a value: itself, or in tuples, lists, dicts and objects, which may hold each other."""
    if isinstance(value, np.ndarray) or is_device_array(value):
        yield value
    elif hasattr(type(value), "tocsr"):  # a sparse matrix of SciPy
        yield from (part for part in vars(value).values() if isinstance(part, np.ndarray))
    elif depth:
        parts = parts_of(value)
        items = value if isinstance(value, (tuple, list)) else () if parts is None else parts[1]
        for item in items:
            yield from arrays_in(item, depth - 1)


def refusing_shared(
    call: Caller, function: FunctionType, values: Sequence[object], writes: tuple[int, ...],
    only_bound: Set[int] = frozenset(),
) -> Caller:  # fmt: skip
    """The call, after a look whether an argument that is written to shares memory with another.

    It is made for arguments of the kinds of `values`, and raises ValueError naming both.
    only_bound: those of which entries are bound anew, and no array written to; arrays may be in them twice.
    """
    bind = binder(function)
    pairs = _pairs_of_arrays(values, writes)
    # The pairs say it all for arguments given by position, unless there are arrays inside others.
    least = max((max(pair) for pair in pairs), default=-1) + 1
    quick = all(map(_is_quick, values))

    def checked(*args: Any, **kwargs: Any) -> Any:
        if not quick or kwargs or len(args) < least:
            _refuse_sharing(function, bind(*args, **kwargs), writes, only_bound)
            return call(*args, **kwargs)
        for first, second in pairs:
            a, b = args[first], args[second]
            if a is b or not (a.flags.owndata and b.flags.owndata):
                _refuse_sharing(function, bind(*args), writes, only_bound)
                break
        return call(*args)

    return checked


def _pairs_of_arrays(
    values: Sequence[object], writes: tuple[int, ...]
) -> tuple[tuple[int, int], ...]:
    arrays = [k for k, value in enumerate(values) if isinstance(value, np.ndarray)]
    pairs = {(min(w, k), max(w, k)) for w in writes for k in arrays if w in arrays and k != w}
    return tuple(sorted(pairs))


def may_share(values: Sequence[object]) -> bool:
    """Whether there are two places in the arguments that could be one."""
    places = (place for value in values for place in (*arrays_in(value), *containers_in(value)))
    return next(itertools.islice(places, 1, None), None) is not None


def containers_in(value: object, found: dict[int, object] | None = None) -> Iterator[object]:
    """The lists, dicts and objects in a value, itself among them: what can be stored to.

    found: those that were looked into before; what stands in several places, or holds itself, is there again.
    """
    found = {} if found is None else found
    if isinstance(value, np.ndarray):
        return
    parts = parts_of(value)
    if parts is None:
        return
    if not isinstance(value, tuple):
        yield value
        if id(value) in found:
            return
        found[id(value)] = value
    for item in parts[1]:
        yield from containers_in(item, found)


def _is_quick(value: object) -> bool:
    """Whether a look at the value itself tells whether it is another's."""
    return isinstance(value, np.ndarray) or not any(
        True for _ in itertools.chain(arrays_in(value), containers_in(value))
    )


def _refuse_sharing(
    function: FunctionType, values: Sequence[object], writes: tuple[int, ...], only_bound: Set[int]
) -> None:
    for written in writes:
        arrays = written not in only_bound
        if _overlaps_itself(values[written], arrays):
            name = function.__qualname__
            raise ValueError(
                f"two arrays or containers in the argument {parameter_names(function)[written]!r} of {name}() share "
                f"memory, or one holds itself, and {name}() writes to one: pass copies"
            )
        for other in range(len(values)):
            if other != written and _overlap(values[written], values[other], arrays):
                _refuse(function, (min(written, other), max(written, other)), written)


def _overlaps_itself(value: object, count_arrays: bool) -> bool:
    """Whether arrays inside a container share memory, or one container stands in it twice."""
    arrays = list(arrays_in(value)) if count_arrays else []
    containers = list(map(id, containers_in(value)))
    if len(set(containers)) < len(containers):
        return True
    return any(share_memory(a, b) for k, a in enumerate(arrays) for b in arrays[:k])


def _overlap(a: object, b: object, count_arrays: bool) -> bool:
    if not set(map(id, containers_in(a))).isdisjoint(map(id, containers_in(b))):
        return True
    return count_arrays and any(share_memory(x, y) for x in arrays_in(a) for y in arrays_in(b))


def _refuse(function: FunctionType, pair: tuple[int, int], written: int) -> None:
    names = parameter_names(function)
    first, second = pair
    raise ValueError(
        f"arguments {names[first]!r} and {names[second]!r} of {function.__qualname__}() share "
        "memory, and "
        f"{function.__qualname__}() writes to {names[written]!r}: pass copies, for example "
        f"{names[second]}.copy()"
    )
