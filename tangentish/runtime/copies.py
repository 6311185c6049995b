"""Copies of what a function writes to."""

from __future__ import annotations

from collections import deque
from copy import copy as shallow
from typing import Any

import numpy as np

from tangentish.runtime.shapes import is_array

NUMBERS = frozenset({float, int, complex, bool, str, type(None), np.float64, np.float32})
"""Types of what is no array and holds none."""


def is_of_numbers(value: Any) -> bool:
    """Whether a list or tuple holds numbers, or tuples of numbers, only: most tapes do."""
    types = set(map(type, value))
    if types == {tuple}:
        types = {type(item) for row in value for item in row}
    return NUMBERS.issuperset(types)


def copy_shared(*values: Any) -> tuple[Any, ...]:
    """Copies of the arrays in the values and their containers, and of sparse matrices; shared memory stays shared."""
    arrays = {id(a): a for value in values for a in _arrays(value)}
    copies: dict[int, Any] = {}
    for group in _overlapping(list(arrays.values())):
        copies.update(_copy_group(group))
    return tuple(_rebuilt(value, copies) for value in values)


def _arrays(value: Any) -> list[Any]:
    if is_array(value):
        return [value]
    if holds_arrays(value):
        value = _fields(value).values()
    elif isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, (tuple, list)) or is_of_numbers(value):
        return []
    return [a for item in value for a in _arrays(item)]


def holds_arrays(value: Any) -> bool:
    """Whether it is an interpolant or a sparse matrix, which may hold the arrays that it was made of."""
    of = type(value)
    if hasattr(of, "tocsr"):
        data = getattr(value, "data", None)
        return isinstance(data, np.ndarray) and not data.dtype.hasobject
    homes = ("scipy.interpolate", "numpy.polynomial")
    ours = of.__name__ == "poly1d" or of.__module__.startswith(homes)
    return ours and callable(value)


def _fields(value: Any) -> dict[str, Any]:
    slots = [n for of in type(value).__mro__ for n in getattr(of, "__slots__", ())]
    return {n: getattr(value, n) for n in slots if hasattr(value, n)} | getattr(
        value, "__dict__", {}
    )


def _address(a: Any) -> int:
    if not isinstance(a, np.ndarray):
        return int(a.data.ptr)
    return int(a.__array_interface__["data"][0])


def _bounds(a: Any) -> tuple[int, int]:
    """The first byte of an array and the one after its last."""
    if not a.size:
        return _address(a), _address(a)
    ends = [(n - 1) * s for n, s in zip(a.shape, a.strides, strict=True)]
    start = _address(a)
    return start + sum(e for e in ends if e < 0), start + sum(e for e in ends if e > 0) + a.itemsize


def _overlapping(arrays: list[Any]) -> list[list[Any]]:
    """Groups of arrays whose extents in memory overlap."""
    groups: list[list[Any]] = []
    end = -1
    for low, high, a in sorted(((*_bounds(a), a) for a in arrays), key=lambda entry: entry[:2]):
        if groups and low < end:
            groups[-1].append(a)
            end = max(end, high)
        else:
            groups.append([a])
            end = high
    return groups


def _copy_group(group: list[Any]) -> dict[int, Any]:
    """Array's id -> its copy; the copies lie in one new buffer as the arrays do in theirs."""
    copy: Any
    first = group[0]
    if not isinstance(first, np.ndarray):
        return _copy_on_device(group)
    if len(group) == 1 and (first.flags.forc or first.dtype.hasobject):
        copy = first.copy(order="K")
        copy.flags.writeable = _is_writeable(first)
        return {id(first): copy}
    low = min(_bounds(a)[0] for a in group)
    high = max(_bounds(a)[1] for a in group)
    lead = low % 16  # keeps the alignment
    buffer = np.zeros(lead + high - low, np.uint8)
    copies = {}
    for a in group:
        copy = np.ndarray(a.shape, a.dtype, buffer, lead + _address(a) - low, a.strides)
        copy[...] = a
        copy.flags.writeable = _is_writeable(a)
        copies[id(a)] = copy
    return copies


WRITEABLE = 0x400  # in the flags of an array


def _is_writeable(a: Any) -> bool:
    """Asked without the warning that NumPy gives where it made the array by broadcasting."""
    return bool(a.flags.num & WRITEABLE)


def _copy_on_device(group: list[Any]) -> dict[int, Any]:
    """The same for arrays of cupy, which says where its memory is by a pointer that can be moved."""
    first = group[0]
    if len(group) == 1 and (first.flags.c_contiguous or first.flags.f_contiguous):
        return {id(first): first.copy(order="K")}
    low = min(_bounds(a)[0] for a in group)
    high = max(_bounds(a)[1] for a in group)
    lead = low % 16
    buffer = np.zeros_like(first, dtype=np.uint8, shape=(lead + high - low,))
    pointer: Any = buffer.data
    copies = {}
    for a in group:
        place = pointer + (lead + _address(a) - low)  # += would move the pointer of all of them
        copies[id(a)] = type(first)(a.shape, a.dtype, place, a.strides)
        copies[id(a)][...] = a
    return copies


def _holder_rebuilt(value: Any, copies: dict[int, Any]) -> Any:
    new = copies[id(value)] = shallow(value)
    for name, item in _fields(value).items():
        if name in getattr(new, "__dict__", ()):
            new.__dict__[name] = _rebuilt(item, copies)
        else:
            object.__setattr__(new, name, _rebuilt(item, copies))
    return new


def _rebuilt(value: Any, copies: dict[int, Any]) -> Any:
    """The value with its arrays replaced; a container that occurs twice stays one."""
    if id(value) in copies:
        return copies[id(value)]
    if isinstance(value, (set, deque)):
        return copies.setdefault(id(value), value.copy())
    if holds_arrays(value):
        return _holder_rebuilt(value, copies)
    if hasattr(type(value), "tocsr"):  # a sparse matrix of lists, or on a device
        copies[id(value)] = value.copy()
        return copies[id(value)]
    if not isinstance(value, (tuple, list, dict)):
        return value
    if isinstance(value, dict):
        new: Any = shallow(value)  # a default stays one
        copies[id(value)] = new
        new.update((key, _rebuilt(item, copies)) for key, item in value.items())
        return new
    if isinstance(value, list):
        new = type(value)()
        copies[id(value)] = new
        new.extend(value if is_of_numbers(value) else (_rebuilt(v, copies) for v in value))
        return new
    if is_of_numbers(value):
        return value
    items = [_rebuilt(item, copies) for item in value]
    if all(new is old for new, old in zip(items, value, strict=True)):
        return value
    return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)


def kept(x: Any) -> Any:
    """What something gave that may use its memory again: arrays, also in tuples and lists, as they are now."""
    if is_array(x):
        return x.copy()
    if isinstance(x, (tuple, list)):
        items = [kept(item) for item in x]
        return type(x)(*items) if hasattr(x, "_fields") else type(x)(items)
    return x
