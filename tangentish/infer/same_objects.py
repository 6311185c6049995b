"""New lists and tuples of the same dicts, objects or lists that change, whose elements are known one by one.

list(layers)         ->    [layers[0], layers[1]]
layers[1:] + more    ->    [layers[1], more[0], more[1]]
"""

from __future__ import annotations

from typing import Any

import gast

from tangentish.infer.forms import holds_keys
from tangentish.infer.in_loops import seek_name
from tangentish.infer.lists_kept import holds_changed
from tangentish.infer.literals import literal_of
from tangentish.infer.walk import Walk
from tangentish.kinds import Kind, Tup


class SameObjects(Walk):
    """The part of the walk that makes such lists of others."""

    def of_same_objects(self, node: Any, *parts: tuple[Any, slice], is_list: bool) -> Kind | None:
        """The kind of a list of elements of others; None where these are no dicts or objects that vary."""
        kinds = [self.kind(whole) for whole, _ in parts]
        varies = any(kind.active for kind in kinds)
        if self.cached or not (varies or any(map(holds_changed, kinds))):
            return None
        elements: list[Any] = []
        for (whole, part), kind in zip(parts, kinds, strict=True):
            if not (isinstance(kind, Tup) and kind.is_counted):
                return None
            places = range(len(kind.items))[part]
            made = self.facts.answers.get(whole, whole)  # it is of other lists itself
            elements += [(made, k, kind.items[k]) for k in places]
        keyed = any(isinstance(k, Tup) and any(map(holds_keys, k.items)) for k in kinds)
        if varies and not keyed:
            return None
        for whole, _ in parts:
            if isinstance(whole, gast.Call):
                seek_name(self, whole)
        display = gast.List if is_list else gast.Tuple
        return self.answered_by(
            node, lambda: display([self.element(*place) for place in elements], gast.Load())
        )

    def joined_objects(self, node: Any) -> Kind | None:
        """`layers + more`, of an operator of any name"""
        if not isinstance(node.op, gast.Add):
            return None
        kind = self.kind(node.left)
        parts = [(side, slice(None)) for side in (node.left, node.right)]
        return self.of_same_objects(node, *parts, is_list=isinstance(kind, Tup) and kind.is_list)

    def slice_of_objects(self, node: Any, base: Tup) -> Kind | None:
        """layers[1:], layers[::-1]"""
        part = node.slice
        if not isinstance(part, gast.Slice) or not base.is_counted:
            return None
        bounds = [b and literal_of(b) for b in (part.lower, part.upper, part.step)]
        if not all(b is None or type(b) is int for b in bounds) or bounds[2] == 0:
            return None
        whole = (node.value, slice(*bounds))
        return self.of_same_objects(node, whole, is_list=base.is_list)
