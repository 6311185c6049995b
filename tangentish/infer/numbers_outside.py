"""Numbers that dicts and objects outside of the function hold: `P["k"]`, `cfg.dt`, `cfg.solver["tol"]`.

What sort of number each is, is looked up again at every call (analysis/guards.py), so that the text reads it like any
number, and on the way back once more, unless something changes containers outside.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.infer.changes import CHANGED_OUTSIDE
from tangentish.infer.entries_outside import EntriesOutside, kind_of_any
from tangentish.infer.found_outside import OWNERS
from tangentish.infer.set_outside import is_attribute_set
from tangentish.kinds import Kind, Num, Opaque, is_number
from tangentish.kinds.lengths import Dim, Length
from tangentish.language.source import Source
from tangentish.language.ways_outside import ANY, Path, found_at

_NUMBERS = {int, float, complex, bool}


class NumbersOutside(EntriesOutside):
    """The part of the walk that looks into dicts and objects outside for numbers."""

    def any_number_outside(self, node: Any) -> Kind | None:
        """The kind of any entry of a dict outside, if these are numbers."""
        path = None if CHANGED_OUTSIDE in self.rebound else self.path_outside(node)
        return None if path is None else self.number_at((*path, ANY))

    def number_at(self, path: Path) -> Kind | None:
        if len(path) < 2:
            return None
        if path not in self.numbers_there:
            self.numbers_there[path] = types_found(self.source, path)
        if not self.numbers_there[path] or self.is_way_changed(path):
            return None
        kind = kind_of_any(found_at(self.source, path) or ())
        return kind if isinstance(kind, Num) else None

    def is_number_outside(self, node: Any) -> bool:
        """Whether this is a number of a dict or an object outside, or a list that such holds, which nothing changes."""
        root = ir.owner_of(node)
        named = ir.is_own_name(root)
        # what runs out of sight may capture a variable, and change the object that this holds
        if CHANGED_OUTSIDE in self.rebound or (named and self.facts.calls_unknown):
            return False
        if self.is_held_by_given(node):
            return True
        path = self.path_outside(node) if self.numbers_there else None
        return (
            path is not None
            and bool(self.numbers_there.get(path))
            and not self.is_way_changed(path)
        )

    def is_held_by_given(self, node: Any) -> bool:
        """Whether an object outside, which a method is given, holds this number or list: `self.dt`, `self.layers`."""
        if not isinstance(node, gast.Attribute):
            return False
        base = self.facts.kinds.get(node.value)
        held = self.part_outside(base, node.attr) if isinstance(base, Opaque) else None
        if isinstance(held, Opaque):
            return held.type is list
        return is_number(held)

    def length_outside(self, node: Any) -> Length:
        """The symbol of a number outside, which is the same wherever the function reads it."""
        if not self.is_number_outside(node):
            return None
        path = self.path_given(node) or self.path_outside(node)
        return None if path is None or ANY in path else Dim(("outside", path))

    def path_given(self, node: Any) -> Path | None:
        """The way from a parameter that is bound nowhere else: `self.dt`, `self.solver.order`."""
        match node:
            case gast.Name(id=name) if name in self.function.parameters:
                return None if any(self.bound_by(name)) else (name,)
            case gast.Attribute(value=value, attr=attribute):
                owner = self.path_given(value)
                return None if owner is None else (*owner, attribute)
        return None

    def is_way_changed(self, path: Path) -> bool:
        """Whether something sets an attribute of a module or of a class that a name on the way may be one of."""
        if not self.rebound:
            return False
        steps = [(k, getattr(step, "name", step)) for k, step in enumerate(path) if k]
        names = ((k, name) for k, name in steps if isinstance(name, str))
        return any(
            is_attribute_set(held if isinstance(held, OWNERS) else type(held), name, self.rebound)
            for k, name in names
            for held in found_at(self.source, path[:k]) or ()
        )


def types_found(source: Source, path: Path) -> frozenset[type] | None:
    """The types of the numbers that may stand at a place; None where there may be something else."""
    found = found_at(source, path)
    return frozenset(map(type, found)) if found and all_numbers(found) else None


def all_numbers(values: Iterable[object]) -> bool:
    return all(type(v) in _NUMBERS or _is_numpys(v) for v in values)


def _is_numpys(value: object) -> bool:
    return isinstance(value, np.generic) and value.dtype.kind in "biufc"
