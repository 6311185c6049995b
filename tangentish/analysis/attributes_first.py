"""Functions that are refused as their objects get attributes late: looked at once more, with these from the start."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tangentish.errors import NotDifferentiable
from tangentish.infer.set_before import asks_for_any

T = TypeVar("T", bound=tuple[Any, ...])


@dataclass
class Late:
    """Attributes that are made later than by __init__.

    first: whether objects have them from the start.
    made: the classes of the objects that are met, each with the name of such an attribute.
    early: the names of those that single objects have before, as they get them on one way only.
    """

    first: bool = False
    made: dict[tuple[type, str], None] = field(default_factory=dict)
    early: set[str] = field(default_factory=set)


def with_attributes_first(analyse: Callable[[Late], T]) -> T:
    """What is known of a function; of its objects with all attributes from the start where it is refused without.

    None of the functions that are reached may ask whether these are there: of that the modules of some are known only.
    """
    late = Late()
    try:
        return _unasked(analyse(late), late.early)
    except NotDifferentiable:
        if late.made:
            with suppress(NotDifferentiable):
                again = Late(True, late.made)
                found = analyse(again)
                return _unasked(found, again.early | {name for _, name in again.made})
        raise


def _unasked(found: T, names: set[str]) -> T:
    """What is known of a function, if no function that is reached asks for attributes of these names."""
    if names and any(asks_for_any(function, names) for function in found[0].followed):
        raise NotDifferentiable(_ASKED.format(names=", ".join(sorted(names))))
    return found


_ASKED = (
    "attributes that objects get on one way only, or on the trips of a loop, are asked for by hasattr or an "
    "exception: give them to the objects in __init__ ({names})"
)
