"""Arrays, slices and lists of places that dicts and objects outside hold: `x[LAYOUT["obs"]]`, `cfg.mask`.

What kind each is of is looked up again at every call (analysis/guards.py), as for arrays that have names of their own.
Where the program changes containers or arrays outside nothing is said of them.
"""

from __future__ import annotations

import functools
from typing import Any

from tangentish.infer.changes import CHANGED_OUTSIDE
from tangentish.infer.numbers_outside import NumbersOutside
from tangentish.kinds import Kind, Num
from tangentish.kinds.arrays_outside import are_arrays_changed, index_kind, measured
from tangentish.kinds.joins import join
from tangentish.language.source import Source
from tangentish.language.ways_outside import ANY, Path, found_at


class ArraysOutside(NumbersOutside):
    """The part of the walk that looks into dicts and objects outside for what indexes, and for arrays."""

    def value_outside(self, node: Any) -> Kind | None:
        """The kind of what is read of a dict or an object outside, where that is known; nothing may change it."""
        path = None if CHANGED_OUTSIDE in self.rebound else self.path_outside(node)
        return None if path is None else self.number_at(path) or self.array_at(path)

    def array_at(self, path: Path) -> Kind | None:
        if len(path) < 2 or are_arrays_changed(self.rebound):
            return None
        if path not in self.arrays_there:
            self.arrays_there[path] = kind_found(self.source, path)
        kind = None if self.is_way_changed(path) else self.arrays_there[path]
        return kind if kind is None or ANY in path else measured(kind, path)


def kind_found(source: Source, path: Path) -> Kind | None:
    """The kind of the arrays that may stand at a place; None where there may be something else."""
    found = [index_kind(value) for value in found_at(source, path) or ()]
    kinds = [kind for kind in found if kind is not None]
    if not kinds or len(kinds) < len(found):
        return None
    alike = kinds.count(kinds[0]) == len(kinds) or all(isinstance(kind, Num) for kind in kinds)
    return functools.reduce(join, kinds) if alike else None
