"""Arrays that are written to must not be arrays that a global or a closure holds, too."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from tangentish.analysis.guards import Guard
from tangentish.analysis.reached import Analysis, Program
from tangentish.asking.sharing import arrays_in
from tangentish.kinds import Num
from tangentish.language.binding import parameter_names

__all__ = ["apart_from_buffers", "apart_from_globals"]


def apart_from_globals(
    call: Any, program: Program, analysis: Analysis, positions: Sequence[int]
) -> Any:
    """An argument that is written to must not be a global array that the function reads as well."""
    names = parameter_names(analysis.source.function)
    written = [names[k] for k in positions]
    reason = "the argument '{name}' shares memory with '{outer}', and the function writes to it: pass a copy"
    return _apart_from_outer(call, program, names, written, reason)


def apart_from_buffers(call: Any, program: Program, given: Sequence[str]) -> Any:
    """An array that a gradient goes into must not be a global array that the function reads."""
    reason = "the array for {name} shares memory with '{outer}', which the function reads: give one of its own"
    return _apart_from_outer(call, program, (), given, reason)


def _apart_from_outer(
    call: Any, program: Program, names: Sequence[str], written: Sequence[str], reason: str
) -> Any:
    outer = [
        guard
        for guard in program.guards.values()
        if isinstance(guard, Guard) and isinstance(guard.kind, Num) and guard.kind.array
    ]
    if not outer:
        return call

    def checked(*args: Any, **keywords: Any) -> Any:
        given = {**dict(zip(names, args, strict=False)), **keywords}
        for name in (name for name in written if name in given):
            for array, guard in itertools.product(arrays_in(given[name]), outer):
                if np.may_share_memory(array, guard.source.lookup(guard.name)):
                    raise ValueError(reason.format(name=name, outer=guard.name))
        return call(*args, **keywords)

    return checked
