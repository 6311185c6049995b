"""Gradients in arrays of the caller's: what `f.grad.into(buffers)` and `f.grad.add_to(buffers)` give."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Mapping
from typing import Any, Generic, ParamSpec, Protocol

import numpy as np

from tangentish.asking.asked import Asked
from tangentish.asking.sharing import arrays_in, share_memory
from tangentish.asking.wrt import carries_derivative
from tangentish.kinds.exact_keys import exact_key
from tangentish.kinds.kinds_of_values import parts_of

_MOST_KEYS = 256

P = ParamSpec("P")


class _Derivative(Protocol):
    """What fills the arrays."""

    __qualname__: str

    asked: Asked

    @property
    def names(self) -> tuple[str, ...]: ...

    def values(self, *args: Any, **kwargs: Any) -> tuple[object, ...]: ...
    def source(self, *args: Any, **kwargs: Any) -> str: ...
    def along(
        self, args: tuple[Any, ...], tangents: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> Any: ...


class Filler(Generic[P]):
    """A gradient that fills, or is added to, the arrays it was given: called like the function, it returns these."""

    __slots__ = ("_arrays", "_buffers", "_derivative", "_fitting", "_given")

    def __init__(self, derivative: _Derivative, buffers: Any) -> None:
        self._derivative = derivative
        self._buffers = buffers
        count = len(derivative.asked.wrt)
        if not derivative.asked.single and not (
            isinstance(buffers, tuple) and len(buffers) == count
        ):
            raise TypeError(f"{self.title} takes a tuple of {count} buffers")
        self._given = (buffers,) if derivative.asked.single else buffers
        self._arrays = list(arrays_in(self._given))
        self._fitting: set[Hashable] = set()  # keys of arguments that the buffers are known to fit

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Any:
        """The buffers, filled; TypeError or ValueError where one does not fit its argument."""
        derivative = self._derivative
        key = None if kwargs else exact_key(args)
        if key is None or key not in self._fitting:
            values = derivative.values(*args, **kwargs)
            for position, buffer in zip(derivative.asked.wrt, self._given, strict=True):
                _check_fit(derivative.names[position], values[position], buffer)
            _check_apart(derivative.names, values, self._arrays)
            if key is not None and len(self._fitting) < _MOST_KEYS:
                self._fitting.add(key)
        else:
            _check_apart(derivative.names, args, self._arrays)
        derivative.along(args, self._given, kwargs)
        return self._buffers

    def source(self, *args: Any, **kwargs: Any) -> str:
        """The generated source for these arguments."""
        return self._derivative.source(*args, **kwargs)

    @property
    def title(self) -> str:
        """What it is called in messages."""
        return self._derivative.__qualname__

    def __repr__(self) -> str:
        return f"<{self.title} of given arrays>"


def _check_fit(name: str, value: Any, buffer: Any) -> None:
    """Every float and array of an argument needs an array of its shape and dtype."""
    if not carries_derivative(value):
        for place, part, given in _parts(name, value, buffer):
            _check_fit(place, part, given)
        return
    if type(buffer) is not np.ndarray:
        found = type(buffer).__name__
        raise TypeError(f"the buffer for {name} must be a numpy.ndarray, not {found}")
    shape, dtype = np.shape(value), np.asarray(value).dtype
    if buffer.shape != shape:
        raise ValueError(
            f"the buffer for {name} has shape {buffer.shape}, and the gradient {shape}"
        )
    if buffer.dtype != dtype:
        raise TypeError(f"the buffer for {name} has dtype {buffer.dtype}, and the gradient {dtype}")
    if not buffer.flags.writeable:
        raise ValueError(f"the buffer for {name} is read-only")
    if _overlaps_itself(buffer):
        raise ValueError(f"the buffer for {name} has elements that share memory with each other")


def _overlaps_itself(buffer: np.ndarray) -> bool:
    """Whether two places of an array may be one in memory: a step is no longer than what lies inside it."""
    inside = buffer.itemsize
    axes = sorted((abs(s), n) for s, n in zip(buffer.strides, buffer.shape, strict=True) if n > 1)
    for stride, length in axes:
        if stride < inside:
            return buffer.size > 0
        inside += stride * (length - 1)
    return False


def _parts(name: str, value: object, buffer: object) -> Iterator[tuple[str, object, object]]:
    """The parts of a structure that carry a derivative, each with what the buffers have for it."""
    parts = parts_of(value)
    given = parts_of(buffer)
    if parts is None:
        return
    keys, items = parts
    if given is None or type(buffer) is not type(value) or given[0] != keys:
        raise TypeError(
            f"the buffers for {name} must have its structure: a {type(value).__name__} with {_described(keys)}"
        )
    labels = range(len(items)) if keys is None else keys
    for label, part, buffer_part in zip(labels, items, given[1], strict=True):
        yield f"{name}[{label!r}]", part, buffer_part


def _check_apart(names: tuple[str, ...], values: Any, buffers: list[np.ndarray]) -> None:
    """Buffers share memory with no argument, nor with each other."""
    for name, value in zip(names, values):
        for array in (value,) if type(value) is np.ndarray else arrays_in(value):
            if any(share_memory(buffer, array) for buffer in buffers):
                raise ValueError(
                    f"a buffer shares memory with the argument {name}: give an array of its own"
                )
    if len(buffers) > 1:
        for one, other in itertools.combinations(buffers, 2):
            if share_memory(one, other):
                raise ValueError("two buffers share memory: give arrays of their own")


def _described(keys: tuple[Hashable, ...] | None) -> str:
    return "its elements" if keys is None else f"the keys {', '.join(map(repr, keys))}"
