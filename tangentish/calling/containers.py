"""Containers of the caller's by their elements: run over, and built again with others in them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from tangentish.asking.wrt import carries_derivative
from tangentish.kinds.kinds_of_values import DEEPEST, parts_of
from tangentish.kinds.plain_containers import DICTS
from tangentish.runtime import with_fields
from tangentish.runtime.lists import is_whole


def labelled(value: Any) -> list[tuple[Hashable, Any]] | None:
    """The elements of a container by key, name or position; None for anything else."""
    parts = parts_of(value)
    if parts is None:
        return None
    keys, items = parts
    return list(zip(range(len(items)) if keys is None else keys, items, strict=True))


def rebuilt(like: Any, labels: Sequence[Hashable], items: Sequence[Any]) -> Any:
    """A container like another one, with other elements."""
    if isinstance(like, tuple):
        return type(like)(*items) if hasattr(like, "_fields") else type(like)(items)
    if type(like) is list:
        return list(items)
    if type(like) in DICTS:
        return type(like)(zip(labels, items, strict=True))
    return with_fields(like, **dict(zip(map(str, labels), items, strict=True)))


def mapped(value: Any, change: Callable[[Any], Any], depth: int = DEEPEST) -> Any:
    """The structure of a value with what `change` gives for each of its leaves."""
    elements = labelled(value) if depth else None
    if elements is None:
        return change(value)
    labels = [label for label, _ in elements]
    return rebuilt(value, labels, [mapped(item, change, depth - 1) for _, item in elements])


def floats(like: Any, value: Any = ..., depth: int = DEEPEST) -> list[Any]:
    """The floats of a structure, or what another one holds in their places."""
    value = like if value is ... else value
    elements = labelled(like) if depth else None
    if elements is None:
        return [value] if carries_derivative(like) else []
    others = labelled(value) or []
    pairs = zip(elements, others, strict=True)
    return [leaf for (_, a), (_, b) in pairs for leaf in floats(a, b, depth - 1)]


def with_floats(like: Any, items: Iterable[Any]) -> Any:
    """The structure with these in the places of its floats, None for what is no float."""
    given = iter(items)
    return mapped(like, lambda leaf: next(given) if carries_derivative(leaf) else None)


def no_motion(value: Any) -> Any:
    """The tangent of what does not move: zeros in its structure, None for what is no float."""
    zeros = (np.zeros_like(x) if isinstance(x, np.ndarray) else type(x)(0.0) for x in floats(value))
    return integers_still(value, with_floats(value, zeros))


def integers_still(value: Any, tangent: Any, listed: bool = False) -> Any:
    """The tangent, in which integers in lists have zeros, not None: beside floats they are taken for floats.

    listed: this stands in a list or tuple.
    """
    if listed and tangent is None and is_whole(value):
        return np.zeros(value.shape) if isinstance(value, np.ndarray) else 0.0
    elements, moves = labelled(value), labelled(tangent)
    if elements is None or moves is None:
        return tangent
    labels, listed = [label for label, _ in elements], listed or type(value) in (list, tuple)
    pairs = zip(elements, moves, strict=True)
    return rebuilt(value, labels, [integers_still(v, t, listed) for (_, v), (_, t) in pairs])
