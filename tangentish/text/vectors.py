"""A function whose values are vectors, of one that gives a list or a number.

def ellipse(v, r): return [v[0] - r, v[1]]    ->    def ellipse_vector(v, r): return np.array(ellipse(v, r))
"""

from __future__ import annotations

import types
from collections.abc import Collection

import numpy as np

from tangentish.kinds import Kind, Num, Seq, Tup, is_number
from tangentish.language.binding import parameter_names
from tangentish.text.load import load


def as_vector(function: types.FunctionType, given: Kind, count: int) -> types.FunctionType | None:
    """The function of its first parameters with what it gives as a vector; None where that is not known to be one."""
    maker = _maker(given)
    return None if maker is None else without_defaults(function, count, maker)


def without_defaults(
    function: types.FunctionType, count: int, maker: str = ""
) -> types.FunctionType:
    """The function of its first parameters alone: a tangent, or a head gradient, can stand after them."""
    if not maker and not function.__defaults__:
        return function
    inner, taken = function.__name__, ", ".join(parameter_names(function)[:count])
    call = f"{inner}({taken})"
    name = f"{inner}_vector" if maker else f"{inner}_alone"
    text = f"def {name}({taken}):\n    return {f'{maker}({call})' if maker else call}\n"
    return load(text, name, function, {inner: types.CellType(function), "np": types.CellType(np)})


def moved_together(
    rates: types.FunctionType,
    tangent: types.FunctionType,
    state: int,
    count: int,
    moving: int | None,
) -> types.FunctionType:
    """The rates of a state and of its tangent, one after the other, of what gives the rates, and their tangent.

    state: where it takes the state, of `count` parameters; moving: the other parameter that has a tangent.
    """
    taken = parameter_names(rates)[:count]
    y, y_dot = taken[state], _free(f"{taken[state]}_dot", taken)
    both = _free("both", taken)
    more = [] if moving is None else [_free(f"{taken[moving]}_dot", (*taken, y_dot))]
    outer = [name if k != state else both for k, name in enumerate(taken)]
    dots = ", ".join((*taken, y_dot, *more))
    name = f"{rates.__name__}_moved"
    text = (
        f"def {name}({', '.join((*outer, *more))}):\n"
        f"    {y}, {y_dot} = {both}[:len({both}) // 2], {both}[len({both}) // 2:]\n"
        f"    return np.concatenate(({rates.__name__}({', '.join(taken)}), {tangent.__name__}({dots})))\n"
    )
    names = {rates.__name__: rates, tangent.__name__: tangent, "np": np}
    return load(text, name, rates, {n: types.CellType(value) for n, value in names.items()})


def _free(name: str, taken: Collection[str]) -> str:
    return name if name not in taken else _free(f"{name}_dot", taken)


def _maker(given: Kind) -> str | None:
    """What makes a vector of it: nothing where it is one; None where it can't be told."""
    match given:
        case Num(rank=1, is_complex=False, is_float=True):
            return ""
        case Num(array=False, is_complex=False, is_float=True):
            return "np.atleast_1d"
        case Tup(keys=None, items=items) if all(map(_is_number, items)):
            return "np.array"
        case Seq(keyed=False, item=item) if item is not None and _is_number(item):
            return "np.array"
    return None


def _is_number(kind: Kind) -> bool:
    return is_number(kind) and not kind.is_complex
