"""The names of methods and functions that change what they are given, where nothing but their names is known."""

from __future__ import annotations

__all__ = ["FUNCTIONS", "GROWING", "OF_ARRAYS", "OF_CONTAINERS"]

GROWING = frozenset({"add", "append", "appendleft", "extend", "insert", "setdefault"})
"""Methods that put one thing, or several, into a list, a dict, a set or a deque."""

OF_CONTAINERS = GROWING | {
    "clear", "discard", "extendleft", "pop", "popitem", "popleft", "remove", "reverse", "rotate", "update",
}  # fmt: skip
"""Methods that lists, dicts, sets and deques have, and arrays have not."""

OF_ARRAYS = frozenset(
    {"byteswap", "fill", "partition", "put", "resize", "setfield", "setflags", "sort"}
)
"""Methods of arrays."""

FUNCTIONS = frozenset({"copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask"})
"""Functions of NumPy that write into their first argument."""
