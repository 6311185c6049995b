"""Zeros like a value, as text: 0.0, an array, a list of zeros."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.ir.quote import constant, quote, template
from tangentish.kinds import Kind, Num, Seq, is_number


def zero_of(x: Any, kind: Kind | None) -> Any:
    """The gradient of `x`, to which nothing has been added yet."""
    match kind:
        case Num(array=False):
            return constant(0.0)
        case Num(array=True, dtype=None):  # it may be an array of integers, its gradient not
            return quote("full(0.0, {x})", x=x)
        case Num(array=True) if kind.is_complex:
            return quote(_complex_zeros(kind), x=x)
        case Num(array=True):
            return quote("np.zeros_like({x})", x=x)
        case Seq():
            return zeros_of_list(x, kind)
    return quote("zeros({x})", x=x)


def zeros_of_list(x: Any, kind: Kind) -> Any:
    if getattr(kind, "optional", False):  # zeros(None) is None
        return quote("zeros({x})", x=x)
    item = kind.item if isinstance(kind, Seq) else None
    if isinstance(kind, Seq) and kind.keyed:
        return _zeros_of_dict(x, item)
    match item:
        case Num(array=False):
            return quote("[0.0] * len({x})", x=x)
        case Num(array=True, dtype=None):  # there may be arrays of integers among them
            return quote("[full(0.0, v) for v in {x}]", x=x)
        case Num(array=True) if item.is_complex:
            return template(
                "[zeros for v in x]", {"zeros": quote(_complex_zeros(item), x=ir.name("v")), "x": x}
            )
        case Num(array=True):
            return quote("[np.zeros_like(v) for v in {x}]", x=x)
    return quote("zeros({x})", x=x)


def _zeros_of_dict(x: Any, item: Kind | None) -> Any:
    if item is None:
        return gast.Dict([], [])
    if is_number(item):
        return quote("dict.fromkeys({x}, 0.0)", x=x)
    if isinstance(item, Seq) and is_number(item.item):
        return template("{k: [0.0] * len(v) for k, v in x.items()}", {"x": x})
    if isinstance(item, Seq):
        return quote("zeros({x})", x=x)
    return template("{k: np.zeros_like(v) for k, v in x.items()}", {"x": x})


def still(x: Any, kind: Kind) -> Any:
    """The tangent of a list that does not vary; that of a tuple is a tuple."""
    zeros = zeros_of_list(x, kind)
    is_tuple = isinstance(kind, Seq) and kind.is_tuple
    return quote("tuple({zeros})", zeros=zeros) if is_tuple else zeros


def _complex_zeros(kind: Num) -> str:
    """Zeros like an array among complex ones; it may be real itself."""
    name = {np.complex64: "np.complex64", np.clongdouble: "np.clongdouble"}
    text = "complex" if kind.dtype is None else name.get(kind.dtype.type, "complex")
    return f"np.zeros_like({{x}}, {text})"
