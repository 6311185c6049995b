"""Lists and dicts, whose items are all that they hold, and what is taken for one of them."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

LISTS_AND_DICTS: dict[type, type[Any]] = {list: list, dict: dict, OrderedDict: dict}
"""Their types, and what each is taken for: an ordered dict is a dict to all that a dict answers."""

DICTS = frozenset(t for t, taken_for in LISTS_AND_DICTS.items() if taken_for is dict)
