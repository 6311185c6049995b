"""With respect to what: `wrt` as the user writes it -> positions of parameters, and what may stand
there.
"""

from __future__ import annotations

from dataclasses import is_dataclass
from types import FunctionType
from typing import Any

import numpy as np

from tangentish.kinds import Num
from tangentish.kinds.devices import is_array
from tangentish.kinds.kinds_of_values import DEEPEST, parts_of
from tangentish.language.binding import parameter_names

Wrt = int | str | tuple[int | str, ...]


def resolve(
    function: FunctionType, wrt: Wrt, skipped: int = 0, local: bool = False
) -> tuple[tuple[int, ...], bool]:
    """The positions that `wrt` names, and whether it names one parameter rather than a tuple of
    them.

    skipped: how many leading parameters (self, cls) an index does not count. local: the names of
    local variables count, too, their positions after those of all parameters.
    """
    items = wrt if isinstance(wrt, tuple) else (wrt,)
    if not items:
        raise ValueError(f"wrt=() names no parameter of {_call(function)}: {_choices(function)}")
    positions = tuple(_position(function, item, skipped, local) for item in items)
    for k, position in enumerate(positions):
        if position in positions[:k]:
            name = (*parameter_names(function), *local_names(function))[position]
            raise ValueError(f"wrt={wrt!r} names parameter {name!r} of {_call(function)} twice")
    return positions, not isinstance(wrt, tuple)


def local_names(function: FunctionType) -> tuple[str, ...]:
    """The names of local variables, in no order that means anything."""
    code, parameters = function.__code__, parameter_names(function)
    names = dict.fromkeys((*code.co_varnames, *code.co_cellvars))
    return tuple(name for name in names if name not in parameters)


def _position(function: FunctionType, item: object, skipped: int, local: bool) -> int:
    names = parameter_names(function)
    if isinstance(item, str):
        inside = local_names(function)
        if item in inside and local:
            return len(names) + inside.index(item)
        if item in inside:
            raise ValueError(
                f"wrt={item!r} is a local variable of {_call(function)}: only grad and "
                "value_and_grad take gradients with respect to those; make what follows it a function "
                f"of its own, with {item!r} as a parameter"
            )
        if item not in names:
            raise ValueError(
                f"wrt={item!r}: {_call(function)} has no parameter {item!r}; {_choices(function)}"
            )
        position = names.index(item)
    elif isinstance(item, int) and not isinstance(item, bool):
        position = item + skipped
        if not skipped <= position < len(names):
            raise ValueError(
                f"wrt={item} is out of range: {_call(function)} has "
                f"{len(names) - skipped} parameters to count; {_choices(function, skipped)}"
            )
    else:
        raise TypeError(
            f"wrt takes an index, a name or a tuple of them, not {item!r} "
            f"({type(item).__name__}); {_choices(function)}"
        )
    return position


def _call(function: FunctionType) -> str:
    return f"{function.__qualname__}()"


def _choices(function: FunctionType, skipped: int = 0) -> str:
    names = parameter_names(function)[skipped:]
    return f"its parameters are {', '.join(names)}" if names else "it has no parameters"


# ------------------------------------------------------------------------------ active arguments


def carries_derivative(value: object) -> bool:
    """Whether a value is a real number or array of them that a gradient can be taken with respect
    to.
    """
    if is_array(value):
        return bool(value.dtype.kind == "f")
    if type(value) is Num:  # stands for an array of that kind
        return value.is_float
    return type(value) is float or isinstance(value, np.floating)


def holds_floats(value: object, depth: int = DEEPEST) -> bool:
    """Whether a tuple, list, dict or object has floats, or arrays of them, in it."""
    parts = parts_of(value) if depth else None
    return parts is not None and any(
        carries_derivative(item) or holds_floats(item, depth - 1) for item in parts[1]
    )


def is_float_data(value: object) -> bool:
    """Whether a value is floats or data of floats; an object that has some among other things is not."""
    data = isinstance(value, (tuple, list, dict)) or is_dataclass(value)
    return carries_derivative(value) or (data and holds_floats(value))


def float_positions(function: FunctionType, values: tuple[object, ...]) -> tuple[int, ...]:
    """The positions of all arguments that carry a derivative; floats in a refused form raise
    TypeError.
    """
    names = parameter_names(function)
    for name, value in zip(names, values, strict=True):
        if _is_complex(value) or _is_float_subclass(value):
            check_active(function, name, value)
    positions = tuple(k for k, value in enumerate(values) if is_float_data(value))
    if not positions:
        raise TypeError(
            f"no argument of {_call(function)} carries a derivative: pass a float or an array of "
            "floats"
        )
    return positions


def check_active(function: FunctionType, name: str, value: object) -> None:
    """Raise TypeError, saying what to pass instead, unless `value` carries a derivative."""
    if not (carries_derivative(value) or holds_floats(value)):
        what, way_out = _diagnosis(name, value)
        raise TypeError(f"argument {name!r} of {_call(function)} is {what}; {way_out}")


def _diagnosis(name: str, value: object) -> tuple[str, str]:
    """What a value that carries no derivative is, and what to pass instead."""
    if isinstance(value, np.ndarray) and type(value) is not np.ndarray:
        return (
            f"a {_type_name(value)}, which changes what operators mean",
            "pass a plain numpy.ndarray",
        )
    if isinstance(value, np.ndarray):
        return f"an array of dtype {value.dtype}", _for_dtype(name, value.dtype)
    if isinstance(value, np.generic):
        return f"a number of dtype {value.dtype}", _for_dtype(name, value.dtype)
    if isinstance(value, complex):
        return "a complex number", _COMPLEX
    if isinstance(value, int):
        return f"the {type(value).__name__} {value!r}", f"pass a float: float({name})"
    if isinstance(value, (list, tuple, dict)):
        plain = _plain(value)
        if plain is not None:
            what = f"a {_type_name(value)}, whose class may hold more than its elements"
            return what, f"pass {plain.__name__}({name})"
        return f"a {type(value).__name__} without floats", "a gradient needs floats in it"
    article = "" if value is None else "a "
    return article + ("None" if value is None else _type_name(value)), _ANY_FLOAT


def _plain(value: Any) -> type | None:
    """The class that a container with floats is derived from, where it would be taken as one of that."""
    base = next(cls for cls in (list, tuple, dict) if isinstance(value, cls))
    known = type(value) is base or parts_of(value) is not None
    return None if known or not holds_floats(base(value)) else base


_COMPLEX = (
    "derivatives by complex numbers are not supported: pass real and imaginary parts as floats"
)
_ANY_FLOAT = "pass a float or an array of floats"


def _for_dtype(name: str, dtype: np.dtype[np.generic]) -> str:
    if dtype.kind == "c":
        return _COMPLEX
    if dtype.kind in "biu":
        return f"a gradient needs floats: pass {name}.astype(float)"
    if dtype.kind == "O":
        return f"a gradient needs an array of one float dtype: pass {name}.astype(float)"
    return _ANY_FLOAT


def _is_complex(value: object) -> bool:
    return (
        isinstance(value, complex)
        or (isinstance(value, np.ndarray) and value.dtype.kind == "c")
        or (isinstance(value, np.complexfloating))
    )


def _is_float_subclass(value: object) -> bool:
    return (
        isinstance(value, np.ndarray) and type(value) is not np.ndarray and value.dtype.kind == "f"
    )


def _type_name(value: object) -> str:
    kind = type(value)
    return (
        kind.__qualname__
        if kind.__module__ == "builtins"
        else f"{kind.__module__}.{kind.__qualname__}"
    )
