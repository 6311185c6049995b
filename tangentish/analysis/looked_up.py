"""The guards of what a function reads of dicts and objects outside: keys, numbers, arrays, literals."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from tangentish.analysis.guards import (
    AnyGuard,
    ArrayGuard,
    EntriesGuard,
    LiteralsGuard,
    NumberGuard,
)
from tangentish.infer import Inference


def looked_up(walk: Inference) -> Iterator[tuple[Hashable, AnyGuard]]:
    """What was looked up there, and its guards."""
    source = walk.source
    for path, kinds in walk.entries.items():
        yield (source.function, "entries", *path), EntriesGuard(source, path, kinds)
    for path, types in walk.numbers_there.items():
        if types:
            yield (source.function, "number", *path), NumberGuard(source, path, types)
    for path, kind in walk.arrays_there.items():
        if kind is not None:
            yield (source.function, "array", *path), ArrayGuard(source, path, kind)
    for path, text in walk.literals_there.items():
        if text is not None:
            yield (source.function, "literals", *path), LiteralsGuard(source, path, text)
