"""Arguments that a row need not have: whatever they say, the function gives the same numbers.

np.polyfit(x, v, 1, full=False)            what the function does unless told otherwise
np.full((2, 2), v, order="F")              how the result lies in memory
scipy.linalg.inv(x, check_finite=False)    how it is computed
np.sum(x, 0, None, None, True)             what is given for the place of the next one
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from tangentish.rules.rule import ABSENT

T = TypeVar("T")

_ANYWHERE: Mapping[str, tuple[object, ...]] = {
    "like": (None,),
    "out": (None,),
    "subok": (True, False),
    "check_finite": (True, False),
    "lapack_driver": ("gesdd", "gesvd", "gelsd", "gelsy", "gelss"),
    "driver": (None, "ev", "evr", "evd", "evx", "gv", "gvd", "gvx"),
}
_WHATEVER = {"workers", "device"}
"""Says how fast a function is, or where its result lies."""
_CASTING = ("no", "equiv", "safe", "same_kind")
_OF_REAL_NUMBERS = {"casting": ("unsafe",)}
"""Of a complex number such a cast may leave the real part; what becomes an integer carries no derivative anyway."""
_LAYOUTS = (None, "K", "A", "C", "F")
_OF_UFUNCS = {"casting": _CASTING, "order": _LAYOUTS}
_JOINING = (np.concatenate, np.stack, np.hstack, np.vstack)
_FILLING = (np.full, np.full_like, np.array, np.asarray, np.asanyarray, np.copy)
_OF: Mapping[Any, Mapping[str, tuple[object, ...]]] = {
    **{function: {"casting": _CASTING} for function in _JOINING},
    **{function: {"order": _LAYOUTS} for function in _FILLING},
    np.sort: {"stable": (None, True, False)},
    np.pad: {"reflect_type": ("even",), "stat_length": (None,)},
    np.partition: {"kind": ("introselect",)},
}


def without_harmless(
    function: object,
    arguments: Sequence[T],
    keywords: Mapping[str, T],
    literal: Callable[[T], object],
    are_real: bool = True,
) -> tuple[Sequence[T], Mapping[str, T]]:
    """The arguments of a call that decide what it gives; are_real: whether no complex number takes part."""
    by_place, defaults = _defaults(function)

    def is_harmless(name: str, value: T) -> bool:
        return _is_harmless(function, name, literal(value), defaults, are_real)

    kept, rest = _up_to_harmless(
        list(zip(by_place, arguments, strict=False)), arguments, is_harmless
    )
    named = {n: value for n, value in {**rest, **keywords}.items() if not is_harmless(n, value)}
    return kept, named


def arguments_by_name(
    function: object, arguments: Sequence[T], keywords: Mapping[str, T]
) -> Mapping[str, T]:
    """The arguments of a call by the names that the function has for them, as far as they are known."""
    return {**dict(zip(_defaults(function)[0], arguments, strict=False)), **keywords}


def _up_to_harmless(
    pairs: Sequence[tuple[str, T]], arguments: Sequence[T], is_harmless: Callable[[str, T], bool]
) -> tuple[Sequence[T], Mapping[str, T]]:
    """What stands before the first argument that is harmless, and what follows it by name."""
    if len(pairs) == len(arguments):
        for k, (name, value) in enumerate(pairs):
            if k > 0 and is_harmless(name, value):
                return arguments[:k], dict(pairs[k:])
    return arguments, {}


def _is_harmless(
    function: object, name: str, value: object, defaults: Mapping[str, object], are_real: bool
) -> bool:
    if name in _WHATEVER:
        return True
    own = (_OF_UFUNCS if isinstance(function, np.ufunc) else _OF.get(function, {})).get(name, ())
    choices = (
        defaults.get(name, ABSENT),
        *_ANYWHERE.get(name, ()),
        *own,
        *(_OF_REAL_NUMBERS.get(name, ()) if own and are_real else ()),
    )
    return any(_same(value, choice) for choice in choices)


def _same(value: object, choice: object) -> bool:
    return value is not ABSENT and type(value) is type(choice) and value == choice


@functools.cache
def _defaults(function: object) -> tuple[tuple[str, ...], Mapping[str, object]]:
    """The names of the parameters that may be given by place, and the defaults of all; ABSENT where there is none."""
    try:
        parameters = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return (), {}
    found = {p.name: ABSENT if p.default is p.empty else p.default for p in parameters}
    by_place = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return tuple(p.name for p in by_place), found
