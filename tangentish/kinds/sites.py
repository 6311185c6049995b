"""The places that memory and containers come from.

A site is the id of a node, where something is made in the function at hand, or a tuple that says whose it is:
("argument", position, ...) and ("display", value) of what was given, ("outside", ...) of what globals hold.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, TypeGuard


def is_in_argument(site: Hashable) -> TypeGuard[tuple[Any, ...]]:
    return isinstance(site, tuple) and site[0] == "argument"


def is_global(site: Hashable) -> bool:
    return isinstance(site, tuple) and site[0] == "outside"


def array_outside(array: object) -> Hashable:
    """The place of an array that a global holds."""
    return "outside", id(array)


OTHERS: Hashable = ("outside", "others")
"""The place of an array that others may hold, where nothing is known of a value on one of the ways to it."""


def attributes_of(owner: object) -> Hashable:
    """What stands for all that a module or a class has."""
    return "attributes", id(owner)


def is_from_outside(site: Hashable) -> bool:
    """Whether something is not made in the function at hand, nor by what it calls."""
    return isinstance(site, tuple) and site[0] in ("argument", "display", "outside")


def display_at(site: Hashable) -> str | None:
    """The value that stands for a container that was given, and is taken apart."""
    match site:
        case ("display", str(value)):
            return value
    return None
