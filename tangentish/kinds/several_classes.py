"""Objects outside of which it is known which classes they may be of: which one it is shows when the program runs.

TERMS = [Quadratic(1.0), Quartic(2.0)]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tangentish.kinds.classes import has_plain_attributes
from tangentish.kinds.kind import Kind, Opaque

MOST_CLASSES = 16  # that a call tells apart


@dataclass(frozen=True, slots=True)
class ObjectOf(Opaque):
    """An object of one of several classes of the user's, which are known.

    options: what it is, for each of the classes.
    """

    options: tuple[Opaque, ...] = ()


def objects_it_may_be(kind: Kind) -> tuple[Opaque, ...]:
    """What an object is, for each class that it may be of; nothing of all else."""
    match kind:
        case ObjectOf(options=options):
            return options
        case Opaque(type=type() as cls, item=None) if has_plain_attributes(cls):
            return (kind,)
    return ()


def of_several_classes(options: Iterable[Opaque]) -> ObjectOf | None:
    """An object that is one of these, in an order that does not depend on where they were found."""
    ordered = tuple(sorted(options, key=lambda kind: _name(kind.type)))
    if not 1 < len(ordered) <= MOST_CLASSES:
        return None
    return ObjectOf(options=ordered, buffers=frozenset().union(*(k.buffers for k in ordered)))


def _name(cls: type | None) -> tuple[str, str]:
    return (getattr(cls, "__module__", ""), getattr(cls, "__qualname__", ""))
