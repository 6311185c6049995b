"""Objects that are called: a spline moves with t by `spline(t, 1)`, a polynomial by `p.deriv()(t)`."""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from tangentish.infer.known_functions import has_rule
from tangentish.kinds import Kind, Known, Num, Opaque, Tup

__all__ = ["interpolant_made", "is_of_interpolants", "method_of_interpolant"]


_HOMES = ("scipy.interpolate", "numpy.polynomial", "numpy.lib")
_DERIVED = ("derivative", "antiderivative", "deriv", "integ")


def method_of_interpolant(kind: Kind) -> types.FunctionType | None:
    """What a call of such an object calls, where it gives a number for each of those that it is given."""
    match kind:
        case Known(value=value) if _call_of(type(value)) is not None and _gives_numbers(value):
            return _call_of(type(value))
        case Opaque(type=type() as cls):
            return _call_of(cls)
    return None


def interpolant_made(function: Any, kinds: list[Kind]) -> type | None:
    """The class of the object that a call makes of nodes and of a number at each, or of coefficients."""
    match kinds:
        case [Num(rank=1) | Tup(is_list=True)] if hasattr(function, "deriv") and _call_of(function):
            return function  # type: ignore[no-any-return]
        case [Num(), Num(rank=1, is_float=True), *_] if _call_of(function) is not None:
            return function  # type: ignore[no-any-return]
    return None


def interpolant_derived(kind: Kind, method: str) -> type | None:
    """The class of what `spline.derivative()` gives, or `polynomial.integ()`: called like its own."""
    if method not in _DERIVED or method_of_interpolant(kind) is None:
        return None
    cls = type(kind.value) if isinstance(kind, Known) else getattr(kind, "type", None)
    return cls if hasattr(cls, method) else None


def is_of_interpolants(function: Any) -> bool:
    """Whether this is the method by which such objects are called: it gets the object first, then the places."""
    return (
        isinstance(function, types.FunctionType)
        and function.__name__ == "__call__"
        and function.__module__.startswith(_HOMES)
    )


def _call_of(cls: Any) -> types.FunctionType | None:
    """The method by which objects of a class are called, where there is a rule for it."""
    ours = isinstance(cls, type) and (cls is np.poly1d or cls.__module__.startswith(_HOMES))
    call = getattr(cls, "__call__", None) if ours else None  # noqa: B004
    return call if isinstance(call, types.FunctionType) and has_rule(call) else None


def _gives_numbers(value: Any) -> bool:
    """Whether it holds one real number for each node, or for each coefficient."""
    if hasattr(value, "deriv"):  # a polynomial
        return bool(np.asarray(value.coef).dtype.kind in "iuf")
    held = getattr(value, "y", None)
    if held is not None:
        held, rank = np.asarray(held), 1
    else:
        held = np.asarray(getattr(value, "c", 0.0))
        rank = 2 if hasattr(value, "x") else held.ndim and 1
    return held.ndim == rank and held.dtype.kind == "f"
