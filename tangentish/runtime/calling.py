"""Functions of NumPy that call a function of the user's, or give lists, as the loops that they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Array = Any


def apply_along_axis(
    func1d: Callable[..., Any], axis: int, arr: Array, *args: Any, **kwargs: Any
) -> Array:
    """`np.apply_along_axis`, of functions that give numbers or vectors."""
    rows = np.moveaxis(np.asarray(arr), axis, -1)
    vectors = rows.reshape(-1, rows.shape[-1])
    results = [func1d(v, *args, **kwargs) for v in vectors]
    if isinstance(results[0], int):  # NumPy makes integers of all others
        raise TypeError("np.apply_along_axis rounds all results where the first is an int")
    values = np.array(results)
    result = values.reshape(rows.shape[:-1] + values.shape[1:])
    if result.ndim < rows.ndim:
        return result
    return np.moveaxis(result, -1, axis)


def vectorized(pyfunc: Callable[..., Any], to_float: bool | None, x: Array) -> Array:
    """`np.vectorize(pyfunc)(x)`, of functions that give numbers; with None for `to_float` of those that give tuples."""
    values = [pyfunc(v) for v in np.asarray(x).ravel().tolist()]
    if to_float is None:
        return _columns(values, np.shape(x))
    return _of_elements(values, to_float).reshape(np.shape(x))


def vectorized_2(pyfunc: Callable[..., Any], to_float: bool | None, x: Array, z: Array) -> Array:
    """`np.vectorize(pyfunc)(x, z)`."""
    shape = np.broadcast_shapes(np.shape(x), np.shape(z))
    a, b = np.broadcast_to(x, shape).reshape(-1), np.broadcast_to(z, shape).reshape(-1)
    values = [pyfunc(v, w) for v, w in zip(a.tolist(), b.tolist(), strict=False)]
    if to_float is None:
        return _columns(values, shape)
    return _of_elements(values, to_float).reshape(shape)


def vectorized_of_many(pyfunc: Callable[..., Any], to_float: bool | None, *xs: Array) -> Array:
    """`np.vectorize(pyfunc)(*xs)`."""
    shape = np.broadcast_shapes(*[np.shape(x) for x in xs])
    columns = [np.broadcast_to(x, shape).reshape(-1).tolist() for x in xs]
    values = [pyfunc(*row) for row in zip(*columns)]
    if to_float is None:
        return _columns(values, shape)
    return _of_elements(values, to_float).reshape(shape)


def asked_and_vectorized(pyfunc: Callable[..., Any], to_float: bool | None, x: Array) -> Array:
    """The same of a function that has effects: NumPy calls it once more, for the type of what it gives."""
    if not to_float:
        pyfunc(np.asarray(x).ravel()[0])
    return vectorized(pyfunc, to_float, x)


def asked_and_vectorized_2(
    pyfunc: Callable[..., Any], to_float: bool | None, x: Array, z: Array
) -> Array:
    """The same of two arguments."""
    if not to_float:
        pyfunc(np.asarray(x).ravel()[0], np.asarray(z).ravel()[0])
    return vectorized_2(pyfunc, to_float, x, z)


def asked_and_vectorized_of_many(
    pyfunc: Callable[..., Any], to_float: bool | None, *xs: Array
) -> Array:
    """The same of any number of arguments."""
    if not to_float:
        pyfunc(*[np.asarray(x).reshape(-1).tolist()[0] for x in xs])
    return vectorized_of_many(pyfunc, to_float, *xs)


def asked_and_turned(pyfunc: Callable[..., Any], to_float: bool | None, x: Array) -> Array:
    """The same of an array in Fortran order, which the result is in, too."""
    return _turned(asked_and_vectorized(pyfunc, to_float, x), to_float)


def asked_and_turned_2(
    pyfunc: Callable[..., Any], to_float: bool | None, x: Array, z: Array
) -> Array:
    """The same of two arguments."""
    return _turned(asked_and_vectorized_2(pyfunc, to_float, x, z), to_float)


def asked_and_turned_of_many(
    pyfunc: Callable[..., Any], to_float: bool | None, *xs: Array
) -> Array:
    """The same of any number of arguments."""
    return _turned(asked_and_vectorized_of_many(pyfunc, to_float, *xs), to_float)


def _of_elements(values: list[Any], to_float: bool) -> Array:
    if to_float:
        return np.array([float(v) for v in values])
    if isinstance(values[0], int):  # NumPy makes integers of all others
        raise TypeError("np.vectorize rounds all results where the first is an int")
    return np.array(values)


def _columns(values: list[Any], shape: tuple[int, ...]) -> tuple[Array, ...]:
    for v in values[0]:
        if isinstance(v, int):
            raise TypeError("np.vectorize rounds all results where the first is an int")
    places = range(len(values[0]))
    return tuple([np.array([row[k] for row in values]).reshape(shape) for k in places])


def _turned(y: Any, to_float: bool | None) -> Any:
    return tuple([one.T.copy().T for one in y]) if to_float is None else y.T.copy().T


def apply_over_axes(func: Callable[..., Any], a: Array, axes: Any) -> Array:
    """`np.apply_over_axes`."""
    result = np.asarray(a)
    for axis in axes:
        reduced = func(result, axis)
        result = reduced if reduced.ndim == result.ndim else np.expand_dims(reduced, axis)
    return result


def elements(x: Array) -> list[float]:
    """`x.tolist()` of a vector."""
    return [float(v) for v in x]


def rows(x: Array) -> list[list[float]]:
    """`x.tolist()` of a matrix."""
    return [[float(v) for v in row] for row in x]


def numbers_of(xs: Any) -> list[Any]:
    """`copied(xs)`, a list of the numbers in a vector or in a list."""
    return [v for v in xs]  # noqa: C416 - list(xs) is not followed element by element


def copies_of(xs: Any) -> list[Array]:
    """`copied(xs)`, a list of copies of the arrays in a list, or of the rows of an array."""
    return [row.copy() for row in xs]


def joined(lists: list[list[Any]], start: list[Any]) -> list[Any]:
    """`sum(lists, start)`: the elements of all lists."""
    return [*start, *[element for part in lists for element in part]]


def in_order(values: Any, reverse: bool = False) -> list[Any]:
    """`sorted(values)`."""
    order = sorted(range(len(values)), key=lambda k: values[k], reverse=reverse)
    return [values[k] for k in order]


def in_order_of(values: Any, key: Callable[..., Any], reverse: bool = False) -> list[Any]:
    """`sorted(values, key=key)`."""
    order = sorted(range(len(values)), key=lambda k: key(values[k]), reverse=reverse)
    return [values[k] for k in order]


def largest(values: Any) -> Any:
    """`max(values)`, of tuples."""
    return values[max(range(len(values)), key=lambda k: values[k])]


def smallest(values: Any) -> Any:
    """`min(values)`, of tuples."""
    return values[min(range(len(values)), key=lambda k: values[k])]


def largest_or(values: Any, default: Any) -> Any:
    """`max(values, default=default)`."""
    return max(values) if len(values) else default


def smallest_or(values: Any, default: Any) -> Any:
    """`min(values, default=default)`."""
    return min(values) if len(values) else default


def largest_by(values: Any, key: Callable[..., Any]) -> Any:
    """`max(values, key=key)`."""
    return values[max(range(len(values)), key=lambda k: key(values[k]))]


def smallest_by(values: Any, key: Callable[..., Any]) -> Any:
    """`min(values, key=key)`."""
    return values[min(range(len(values)), key=lambda k: key(values[k]))]


def columns(rows: Any) -> list[Any]:
    """`list(zip(*rows))`."""
    count = min([len(row) for row in rows]) if len(rows) else 0
    return [tuple([row[k] for row in rows]) for k in range(count)]


def accumulated(items: Any) -> list[Any]:
    """`list(itertools.accumulate(items))`."""
    values = list(items)
    totals = values[:1]
    for value in values[1:]:
        totals.append(totals[-1] + value)
    return totals


def accumulated_by(items: Any, function: Callable[..., Any]) -> list[Any]:
    """`list(itertools.accumulate(items, function))`."""
    values = list(items)
    totals = values[:1]
    for value in values[1:]:
        totals.append(function(totals[-1], value))
    return totals


def accumulated_from(items: Any, initial: Any) -> list[Any]:
    """`list(itertools.accumulate(items, initial=initial))`."""
    total = initial
    totals = [total]
    for value in items:
        total = total + value
        totals.append(total)
    return totals


def accumulated_by_from(items: Any, function: Callable[..., Any], initial: Any) -> list[Any]:
    """`list(itertools.accumulate(items, function, initial=initial))`."""
    total = initial
    totals = [total]
    for value in items:
        total = function(total, value)
        totals.append(total)
    return totals


def taken_while(predicate: Callable[..., Any], items: Any) -> list[Any]:
    """`list(itertools.takewhile(predicate, items))`."""
    taken = []
    for item in items:
        if not predicate(item):
            break
        taken.append(item)
    return taken


def dropped_while(predicate: Callable[..., Any], items: Any) -> list[Any]:
    """`list(itertools.dropwhile(predicate, items))`."""
    values = list(items)
    k = 0
    while k < len(values) and predicate(values[k]):
        k += 1
    return values[k:]


def zipped_longest(x: Any, y: Any, fill: Any) -> list[Any]:
    """`list(itertools.zip_longest(x, y, fillvalue=fill))`."""
    pairs = []
    for k in range(max(len(x), len(y))):
        a, b = fill, fill
        if k < len(x):
            a = x[k]
        if k < len(y):
            b = y[k]
        pairs.append((a, b))
    return pairs
