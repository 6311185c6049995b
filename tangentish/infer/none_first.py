"""Loops on whose first trip something is None, or empty, that is a list, a dict or an object on the others.

    velocity = None
    for t in range(n):
        if velocity is None:
            velocity = [np.zeros_like(p) for p in ps]

So are those on whose first trip an object gets an attribute: `if not hasattr(self, "kept"): self.kept = ...`.

They are noted: a function that is refused is looked at once more with such first trips apart (analysis/first_trips.py).
"""

from __future__ import annotations

from collections.abc import Iterable

from tangentish.kinds import Kind, Known, Seq, Tup

Pair = tuple[Kind | None, Kind | None]
"""What a name holds after a trip, and what it held before it."""


def gets_a_form(pairs: Iterable[Pair]) -> bool:
    """Whether a value, or what stands in one, is None or empty before a trip, and a container after it."""
    return any(_gets_a_form(before, after) for after, before in pairs)


def gets_keys(pairs: Iterable[Pair]) -> bool:
    """The same of dicts that are empty before a trip, and whose keys are known after it."""
    return any(_gets_keys(before, after) for after, before in pairs)


def _gets_keys(before: Kind | None, after: Kind | None) -> bool:
    if not (isinstance(before, Tup) and isinstance(after, Tup)):
        return False
    if before.is_dict and not before.items:
        return after.is_dict and bool(after.items)
    return len(before.items) == len(after.items) and any(map(_gets_keys, before.items, after.items))


def _gets_a_form(before: Kind | None, after: Kind | None) -> bool:
    if before == Known(None):
        return isinstance(after, (Seq, Tup))
    if _is_empty(before):
        return isinstance(after, (Seq, Tup)) and not _is_empty(after)
    if not (isinstance(before, Tup) and isinstance(after, Tup)):
        return False
    if before.is_object and len(before.items) < len(after.items):
        return before.type is after.type  # it gets an attribute
    return len(before.items) == len(after.items) and any(
        map(_gets_a_form, before.items, after.items)
    )


def _is_empty(kind: Kind | None) -> bool:
    match kind:
        case Seq(item=None) | Tup(items=()):
            return True
    return False
