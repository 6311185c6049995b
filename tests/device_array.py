"""An array that behaves as cupy.ndarray does at its edges, on the CPU.

It can't become a numpy array by itself, nor meet one. What would be a scalar is an array of no axes, and an element
that is read is a view. Only functions and parameters that cupy has are there (cupy_names.txt).
"""

from __future__ import annotations

import operator
import types
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["FUNCTIONS", "METHODS", "UFUNCS", "ndarray", "to_device", "to_host"]


def _table() -> tuple[dict[str, tuple[str, ...] | None], set[str], set[str]]:
    """Functions and their parameters (None where cupy does not tell), ufuncs, attributes of arrays."""
    functions: dict[str, tuple[str, ...] | None] = {}
    ufuncs, methods = set(), set()
    for line in (Path(__file__).parent / "cupy_names.txt").read_text().splitlines():
        name, _, rest = line.partition(" ") if "(" not in line else line.partition("(")
        if line.startswith("#") or not line:
            continue
        if name.startswith("ndarray."):
            methods.add(name.removeprefix("ndarray."))
        elif rest.startswith("ufunc"):
            ufuncs.add(name)
        elif "(" in line:
            functions[name] = None if rest == "?)" else tuple(rest[:-1].split(", "))
    return functions, ufuncs, methods


FUNCTIONS, UFUNCS, METHODS = _table()
MOVING = ("np.array", "np.asarray")
"""What takes arrays of numpy to the device, where it is asked for by `like`."""
UFUNC_METHODS = {"at": ("add", "subtract"), "reduce": ("add", "multiply"), "__call__": None}


def to_device(value: Any) -> Any:
    """The value with its numpy arrays on the device."""
    if isinstance(value, np.ndarray):
        return ndarray(value.copy())
    if isinstance(value, (tuple, list)):
        return type(value)(map(to_device, value))
    if isinstance(value, dict):
        return {key: to_device(item) for key, item in value.items()}
    return value


def to_host(value: Any) -> Any:
    """The value with its arrays in numpy's hands."""
    if isinstance(value, ndarray):
        return value.held.copy()
    if isinstance(value, (tuple, list)):
        return type(value)(map(to_host, value))
    if isinstance(value, dict):
        return {key: to_host(item) for key, item in value.items()}
    return value


def _plain(value: Any) -> Any:
    """What an operation of numpy gets; a numpy array among the operands is refused."""
    if isinstance(value, np.ndarray):
        raise TypeError("Unsupported type <class 'numpy.ndarray'>")
    if isinstance(value, ndarray):
        return value.held
    if isinstance(value, (tuple, list)):
        return type(value)(map(_plain, value))
    return value


def _wrapped(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return ndarray(np.asarray(value))
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(_wrapped, value))
    return type(value)(map(_wrapped, value)) if type(value) in (tuple, list) else value


@dataclass
class _Pointer:
    """Where an array has its memory; as cupy's, it moves itself where it is added to in place."""

    memory: np.ndarray
    offset: int = 0

    @property
    def ptr(self) -> int:
        return int(self.memory.__array_interface__["data"][0]) + self.offset

    def __add__(self, offset: int) -> _Pointer:
        return _Pointer(self.memory, self.offset + offset)

    def __iadd__(self, offset: int) -> _Pointer:
        self.offset += offset
        return self


class ndarray:  # noqa: N801
    """A numpy array that must not be seen; it has no other attributes than its own."""

    __slots__ = ("_held", "data")

    def __init__(
        self, shape: Any, dtype: Any = float, memptr: Any = None, strides: Any = None
    ) -> None:
        """As cupy makes one, which lies where the pointer says when it is used; from a numpy array, it is that."""
        if isinstance(shape, np.ndarray):
            self.data = _Pointer(shape)
            self._held = lambda: shape
        else:
            self.data = memptr
            self._held = lambda: np.ndarray(shape, dtype, memptr.memory, memptr.offset, strides)

    @property
    def held(self) -> np.ndarray:
        return self._held()

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("Implicit conversion to a NumPy array is not allowed")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        allowed = UFUNC_METHODS.get(method, ())
        if f"np.{ufunc.__name__}" not in UFUNCS or (
            allowed is not None and ufunc.__name__ not in allowed
        ):
            return NotImplemented
        if method == "at" and isinstance(inputs[1], (list, tuple)):
            return NotImplemented
        if set(kwargs) - {"out", "dtype", "casting", "axis", "keepdims"}:
            raise TypeError(f"{ufunc.__name__}: unsupported {sorted(kwargs)}")
        out = kwargs.pop("out", None)
        if out is not None:
            kwargs["out"] = _plain(out)
        found = getattr(ufunc, method)(*map(_plain, inputs), **kwargs)
        return out[0] if out is not None and len(out) == 1 else _wrapped(found)

    def __array_function__(self, function: Any, kinds: Any, args: Any, kwargs: Any) -> Any:
        name = _name_of(function)
        if name not in FUNCTIONS:
            return NotImplemented
        parameters = FUNCTIONS[name]
        if parameters is not None:
            _check_call(name, parameters, args, kwargs)
        if name in MOVING and isinstance(args[0], np.ndarray):
            return _wrapped(function(*args, **kwargs))
        given = {key: _plain(value) for key, value in kwargs.items()}
        return _wrapped(function(*map(_plain, args), **given))

    # -- what an array is

    shape = property(lambda self: self.held.shape)
    dtype = property(lambda self: self.held.dtype)
    ndim = property(lambda self: self.held.ndim)
    size = property(lambda self: self.held.size)
    itemsize = property(lambda self: self.held.itemsize)
    nbytes = property(lambda self: self.held.nbytes)
    strides = property(lambda self: self.held.strides)
    T = property(lambda self: ndarray(self.held.T))
    real = property(lambda self: ndarray(self.held.real))
    imag = property(lambda self: ndarray(self.held.imag))

    @property
    def flags(self) -> Any:
        own = self.held.flags
        return types.SimpleNamespace(
            c_contiguous=own.c_contiguous, f_contiguous=own.f_contiguous, owndata=own.owndata
        )

    # -- elements

    def __getitem__(self, index: Any) -> ndarray:
        parts = index if isinstance(index, tuple) else (index,)
        parts = tuple(map(_index, parts))
        if any(isinstance(part, (np.ndarray, list)) or part is Ellipsis for part in parts):
            return ndarray(np.asarray(self.held[parts]))
        return ndarray(self.held[(*parts, ...)])

    def __setitem__(self, index: Any, value: Any) -> None:
        parts = index if isinstance(index, tuple) else (index,)
        self.held[tuple(map(_index, parts))] = _plain(value)

    def __len__(self) -> int:
        return len(self.held)

    def __iter__(self) -> Any:
        return (self[k] for k in range(len(self.held)))

    def __bool__(self) -> bool:
        return bool(self.held)

    def __index__(self) -> int:
        return operator.index(self.held[()])

    def __float__(self) -> float:
        raise TypeError("float() of an array on a device waits for it")

    __int__ = __complex__ = __float__

    def item(self, *args: Any) -> Any:
        return self.held.item(*args)

    def __repr__(self) -> str:
        return repr(self.held)

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> ndarray:
        return _wrapped(self.held.copy())

    def __deepcopy__(self, memo: Any) -> ndarray:
        return _wrapped(self.held.copy())


ndarray.__module__ = "cupy"


def _index(part: Any) -> Any:
    if isinstance(part, np.ndarray):
        raise IndexError("Unsupported type <class 'numpy.ndarray'>")
    if isinstance(part, slice):
        return slice(*(_bound(b) for b in (part.start, part.stop, part.step)))
    if isinstance(part, ndarray):
        return part.held if part.ndim or part.dtype == bool else operator.index(part)
    return part


def _bound(value: Any) -> Any:
    return operator.index(value) if isinstance(value, ndarray) else value


def _name_of(function: Any) -> str:
    module = function.__module__
    return f"{'np' if module == 'numpy' else module.replace('numpy', 'np')}.{function.__name__}"


def _check_call(name: str, parameters: tuple[str, ...], args: Any, kwargs: Any) -> None:
    stars = {parameter.count("*") for parameter in parameters}
    if 2 not in stars and not set(kwargs) <= set(parameters):
        raise TypeError(f"{name}: unexpected {sorted(set(kwargs) - set(parameters))}")
    if 1 not in stars and len(args) > len(parameters):
        raise TypeError(f"{name}: too many arguments")


def _method(name: str) -> Callable[..., Any]:
    of_function = FUNCTIONS.get(f"np.{name}")  # whose first parameter is the array

    def call(self: ndarray, *args: Any, **kwargs: Any) -> Any:
        if of_function is not None:
            _check_call(f"ndarray.{name}", of_function[1:], args, kwargs)
        given = {key: _plain(value) for key, value in kwargs.items()}
        found = getattr(self.held, name)(*map(_plain, args), **given)
        return found if name in ("tolist", "tobytes") else _wrapped(found)

    return call


def _operation(name: str) -> Callable[..., Any]:
    function = getattr(operator, name.strip("_"), None) or getattr(operator, f"{name.strip('_')}_")

    def call(self: ndarray, *others: Any) -> Any:
        return _wrapped(function(self.held, *map(_plain, others)))

    def back(self: ndarray, other: Any) -> Any:
        return _wrapped(function(_plain(other), self.held))

    def in_place(self: ndarray, other: Any) -> Any:
        self.held[...] = function(self.held, _plain(other))
        return self

    back.__name__, in_place.__name__ = f"r{name}", f"i{name}"
    setattr(ndarray, f"__r{name.strip('_')}__", back)
    setattr(ndarray, f"__i{name.strip('_')}__", in_place)
    return call


for _name in METHODS - set(vars(ndarray)):
    if callable(getattr(np.ndarray, _name)):
        setattr(ndarray, _name, _method(_name))
for _name in (
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "pow",
    "matmul",
    "and",
    "or",
    "xor",
):
    setattr(ndarray, f"__{_name}__", _operation(f"__{_name}__"))
for _name in ("lt", "le", "gt", "ge", "eq", "ne", "neg", "pos", "abs", "invert"):
    _call = _operation(f"__{_name}__")
    setattr(ndarray, f"__{_name}__", _call)
    for _extra in (f"__r{_name}__", f"__i{_name}__"):
        delattr(ndarray, _extra)
