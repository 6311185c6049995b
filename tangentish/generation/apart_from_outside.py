"""Arguments must not be arrays that stand outside as well, where the function writes to one and reads the other."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from tangentish.analysis.guards import AnyGuard, AttributeGuard, Guard
from tangentish.analysis.reached import Analysis, Program
from tangentish.asking.sharing import arrays_in, share_memory
from tangentish.infer.changes import CHANGED_OUTSIDE
from tangentish.infer.found_outside import all_held
from tangentish.kinds import Known, Num
from tangentish.kinds.sites import array_outside, is_global
from tangentish.language.binding import parameter_names

WRITTEN = (
    "the argument '{name}' shares memory with '{outer}', and the function writes to it: pass a copy"
)
CHANGED = (
    "the argument '{name}' shares memory with '{outer}', which the function changes: pass a copy"
)
FILLED = "the array for {name} shares memory with '{outer}', which the function reads: give one of its own"


def apart_from_outside(
    call: Any, program: Program, analysis: Analysis, positions: Sequence[int]
) -> Any:
    """Arrays outside must not be arguments that are written to; no argument may be one of those that are changed."""
    function = analysis.source.function
    names = parameter_names(function)
    given = _by_name(function, names)
    written = [names[k] for k in positions]
    call = _apart(call, _outer_arrays(program) if written else [], written, given, WRITTEN)
    return _apart(call, _changed(program), names, given, CHANGED)


def apart_from_buffers(call: Any, program: Program, given: Sequence[str]) -> Any:
    """An array that a gradient goes into must not be one outside that the function reads."""
    return _apart(call, _outer_arrays(program), given, _keywords, FILLED)


def _keywords(_args: Sequence[object], keywords: Mapping[str, object]) -> Mapping[str, object]:
    return keywords


Given = Callable[[Sequence[object], Mapping[str, object]], Mapping[str, object]]


def _apart(
    call: Any,
    outer: Sequence[Guard | AttributeGuard],
    names: Sequence[str],
    given: Given,
    reason: str,
) -> Any:
    if not outer:
        return call

    def checked(*args: Any, **keywords: Any) -> Any:
        values = given(args, keywords)
        inside = [(name, a) for name in names if name in values for a in arrays_in(values[name])]
        for guard in outer if inside else ():
            for held in _arrays_of(guard):
                for name, array in inside:
                    if share_memory(array, held):
                        raise ValueError(reason.format(name=name, outer=guard.name))
        return call(*args, **keywords)

    return checked


def _by_name(function: FunctionType, names: Sequence[str]) -> Given:
    """Arguments by the name of their parameter; those of `*args` and `**kwargs` are the elements of one."""
    count, flags = function.__code__.co_argcount, function.__code__.co_flags
    star = names[count] if flags & inspect.CO_VARARGS else ""

    def given(args: Sequence[object], keywords: Mapping[str, object]) -> Mapping[str, object]:
        values = {**dict(zip(names[:count], args, strict=False)), **keywords}
        others = tuple(value for name, value in keywords.items() if name not in names)
        if flags & inspect.CO_VARKEYWORDS:
            values[names[-1]] = others
        return {**values, star: tuple(args[count:])} if star else values

    return given


# -- what stands outside


def _outer_arrays(program: Program) -> list[Guard | AttributeGuard]:
    """The names outside that have arrays, or containers and objects that may hold some."""
    return [guard for guard in program.guards.values() if _may_hold_arrays(guard)]  # type: ignore[misc]


def _may_hold_arrays(guard: AnyGuard) -> bool:
    match guard:
        case Guard(kind=Num(array=array)) | AttributeGuard(kind=Num(array=array)):
            return array is not False
        case Guard(kind=kind) | AttributeGuard(kind=kind):
            return not isinstance(kind, Known)
    return False


def _changed(program: Program) -> list[Guard | AttributeGuard]:
    """Of these the ones whose arrays may be changed.

    The memory that is changed was looked up when the derivative was generated. A container that was empty may hold
    any by now.
    """
    memory = set(filter(is_global, program.rebound))
    if not memory and CHANGED_OUTSIDE not in program.rebound:
        return []

    def is_changed(guard: Guard | AttributeGuard) -> bool:
        held = set(map(array_outside, _arrays_of(guard)))
        return bool(held & memory) or (not held and CHANGED_OUTSIDE in program.rebound)

    return list(filter(is_changed, _outer_arrays(program)))


def _arrays_of(guard: Guard | AttributeGuard) -> Iterator[np.ndarray]:
    """The arrays that are there now."""
    if isinstance(guard, AttributeGuard):
        value = getattr(guard.owner, guard.name, None)
    else:
        value = guard.source.lookup(guard.name)
    inside = (value,) if isinstance(value, np.ndarray) else all_held((value,))
    return (array for array in inside if isinstance(array, np.ndarray))
