"""Twins of what puts in order: as in Python, what is equal stays as it stands, and nothing has no largest."""

from __future__ import annotations

from typing import Any

from numba.core import types

from tangentish.compiled import functions
from tangentish.compiled.twins.registry import twin
from tangentish.compiled.twins.types import is_none


@twin(functions.order_of)
def _order_of(values: Any, reverse: Any = False) -> Any:
    def merged(values: Any, reverse: Any = False) -> Any:
        """Runs of 1, 2, 4, ... places, two of them merged into one."""
        n = len(values)
        order, other = list(range(n)), list(range(n))
        width = 1
        while width < n:
            for start in range(0, n, 2 * width):
                middle, end = min(start + width, n), min(start + 2 * width, n)
                i, j = start, middle
                for k in range(start, end):
                    second = i == middle
                    if i < middle and j < end:
                        one, two = values[order[i]], values[order[j]]
                        second = one < two if reverse else two < one
                    if second:
                        other[k] = order[j]
                        j += 1
                    else:
                        other[k] = order[i]
                        i += 1
            order, other = other, order
            width *= 2
        return order

    return merged


@twin(functions.ordered)
def _ordered(values: Any, key: Any = None, reverse: Any = False) -> Any:
    if is_none(key):
        return lambda values, key=None, reverse=False: sorted(values, reverse=reverse)

    def by_key(values: Any, key: Any = None, reverse: Any = False) -> Any:
        items = list(values)
        order = functions.order_of([key(item) for item in items], reverse)
        return [items[k] for k in order]

    return by_key


_COUNTED = (types.Array, types.List, types.RangeType)


@twin(functions.largest)
def _largest(items: Any) -> Any:
    if not isinstance(items, _COUNTED):
        return lambda items: max(items)

    def asked(items: Any) -> Any:
        if len(items) == 0:
            raise ValueError("max() iterable argument is empty")
        return max(items)

    return asked


@twin(functions.smallest)
def _smallest(items: Any) -> Any:
    if not isinstance(items, _COUNTED):
        return lambda items: min(items)

    def asked(items: Any) -> Any:
        if len(items) == 0:
            raise ValueError("min() iterable argument is empty")
        return min(items)

    return asked
