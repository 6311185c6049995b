"""Types that stand for containers: a variable is a dict of one entry, a list or dict of objects one of its parts."""

from __future__ import annotations

import functools
from typing import Any

from tangentish.kinds.plain_containers import DICTS


class Cell(dict[str, Any]):
    """A variable that several functions bind, as a dict of one entry that only stands for its value."""


class Records(dict[Any, Any]):
    """A list of dicts or objects, as a dict of lists; each class of elements, `of`, has a class of its own."""

    of: type


class KeyedRecords:
    """A dict of dicts or objects under computed keys, as an object of dicts, one for each entry of its values."""

    of: type


@functools.cache
def records_of(element: type) -> type[Records | KeyedRecords]:
    """What stands for the class of lists of elements of one class; one of dicts of them is that already."""
    if issubclass(element, KeyedRecords):
        return element
    element = dict if element in DICTS else element
    return type(f"list of {element.__name__}", (Records,), {"of": element})


@functools.cache
def keyed_records_of(element: type) -> type[KeyedRecords]:
    return type(f"dict of {element.__name__}", (KeyedRecords,), {"of": element})
