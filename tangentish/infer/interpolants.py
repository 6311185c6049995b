"""Objects that are called: a spline moves with t by `spline(t, 1)`, a polynomial by `p.deriv()(t)`."""

from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any

import numpy as np

from tangentish.infer.known_functions import has_rule, of_scipy
from tangentish.kinds import Kind, Known, Num, Opaque, Seq, Tup
from tangentish.rules.names import lookup

_HOMES = ("scipy.interpolate", "numpy.polynomial", "numpy.lib")
_FITTING = ("make_interp_spline", "make_lsq_spline", "make_smoothing_spline")
"""Functions of SciPy that give a spline."""
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
    if of_scipy({f"scipy.interpolate.{name}": True for name in _FITTING}, function):
        function = lookup("scipy.interpolate.BSpline")
    match kinds:
        case [_, Num(is_float=True), *_] if is_table(function):
            return function  # type: ignore[no-any-return]
        case [Num(rank=1) | Tup(is_list=True)] if hasattr(function, "deriv") and _call_of(function):
            return function  # type: ignore[no-any-return]
        case [Num(), Num(rank=1, is_float=True), *_] if _call_of(function) is not None:
            return function  # type: ignore[no-any-return]
    return None


def interpolant_derived(kind: Kind, method: str) -> type | None:
    """The class of what `spline.derivative()` gives, or `polynomial.integ()`: called like its own."""
    if method not in _DERIVED or method_of_interpolant(kind) is None:
        return None
    cls = _class_of(kind)
    return cls if hasattr(cls, method) else None


def is_of_interpolants(function: Any) -> bool:
    """Whether this is the method by which such objects are called: it gets the object first, then the places."""
    return (
        isinstance(function, types.FunctionType)
        and function.__name__ == "__call__"
        and function.__module__.startswith(_HOMES)
    )


def is_table(cls: Any) -> bool:
    """Whether this is the class of tables on a grid, which are looked up at places of several coordinates."""
    return of_scipy({"scipy.interpolate.RegularGridInterpolator": True}, cls) is not None


def is_of_coordinates(function: Any, kinds: Sequence[Kind]) -> bool:
    """Whether a call looks up a table at a tuple of coordinates."""
    if len(kinds) < 2 or not (is_of_interpolants(function) and is_table(_class_of(kinds[0]))):
        return False
    place = kinds[1]
    return (isinstance(place, Seq) and place.is_tuple) or (
        isinstance(place, Tup) and not place.is_list
    )


def _class_of(of: Kind) -> Any:
    return type(of.value) if isinstance(of, Known) else getattr(of, "type", None)


def kind_looked_up(kinds: Sequence[Kind]) -> Kind:
    """What an interpolant gives: a number for each that it is given, or for each place with as many coordinates."""
    of, places = kinds[:2]
    assert isinstance(places, Num)
    if not is_table(_class_of(of)):
        return Num(np.dtype(float), places.shape, True)
    table: Any = of.value if isinstance(of, Known) else None
    if not places.shape or table is None or table.values.ndim > len(table.grid):
        return Num(np.dtype(float), None, True)
    return Num(np.dtype(float), places.shape[:-1] or (None,), True)  # of one place it is one number


def _call_of(cls: Any) -> types.FunctionType | None:
    """The method by which objects of a class are called, where there is a rule for it."""
    ours = isinstance(cls, type) and (cls is np.poly1d or cls.__module__.startswith(_HOMES))
    if of_scipy({"scipy.interpolate.KroghInterpolator": True}, cls):  # called as `interp1d` is
        return None
    call = getattr(cls, "__call__", None) if ours else None  # noqa: B004
    return call if isinstance(call, types.FunctionType) and has_rule(call) else None


def makes_interpolant(function: Any) -> bool:
    """Whether this is a class of such objects, which reads the arrays that it is given and writes to none."""
    return isinstance(function, type) and _call_of(function) is not None


def _gives_numbers(value: Any) -> bool:
    """Whether it holds one real number for each node, or for each coefficient."""
    if is_table(type(value)):
        by_weights = value.method in ("linear", "nearest")
        return by_weights and np.asarray(value.values).dtype.kind == "f"
    if hasattr(value, "deriv"):  # a polynomial
        return bool(np.asarray(value.coef).dtype.kind in "iuf")
    held = getattr(value, "y", None)
    if held is not None:
        held, rank = np.asarray(held), 1
    else:
        held = np.asarray(getattr(value, "c", 0.0))
        rank = 2 if hasattr(value, "x") else held.ndim and 1
    return held.ndim == rank and held.dtype.kind == "f"
