"""Functions that give a number of one type, whatever they are given: those of `math`, and what makes numbers."""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Iterable
from typing import Any

from tangentish.kinds import Kind, Num, scalar
from tangentish.runtime import integer, number

NUMBERS_GIVEN: dict[Any, type] = {int: int, bool: bool, float: float, integer: int, number: float}

_BY_TYPE: dict[type, str] = {
    int: "comb factorial gcd isqrt lcm perm",
    bool: "isclose isfinite isinf isnan",
    float: """
        acos acosh asin asinh atan atan2 atanh cbrt copysign cos cosh degrees dist erf erfc exp exp2 expm1 fabs fmod
        gamma hypot ldexp lgamma log log10 log1p log2 nextafter pow radians remainder sin sinh sqrt tan tanh ulp
    """,
}
_OF_MATH = {
    getattr(math, name): kind
    for kind, names in _BY_TYPE.items()
    for name in names.split()
    if hasattr(math, name)  # cbrt and exp2 are new in Python 3.11
}
# Of objects they give what a method of these says.
_ROUNDING: set[Callable[..., Any]] = {math.ceil, math.floor, math.trunc}


def kind_of_number_given(function: Any, kinds: Iterable[Kind]) -> Kind | None:
    """The kind of the number that a function of `math` gives; None for all other functions."""
    if not isinstance(function, types.BuiltinFunctionType):
        return None
    if function in _ROUNDING and all(isinstance(kind, Num) for kind in kinds):
        return scalar(int)
    given = _OF_MATH.get(function)
    return None if given is None else scalar(given)
