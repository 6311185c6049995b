"""Arguments of a call in the order in which they are written, which is that of their evaluation.

d = D(b=o.step(x), a=o.n)      ->      d_b, d_a = o.step(x), o.n
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import gast

from tangentish import ir


def as_written(parts: Sequence[Any], call: Any) -> list[Any]:
    """Parts of what stands for a call: those that the call gives in the order in which it gives them.

    f(b=o.step(), a=o.n) calls step first, whichever parameter of f comes first. What a container is given by, its
    elements, comes where the container does.
    """
    if not isinstance(call, gast.Call):
        return list(parts)
    given = arguments_of(call)
    places = [given_as(part, given) for part in parts]
    in_turn = sorted((place, k) for k, place in enumerate(places) if place is not None)
    ordered = iter([parts[k] for _, k in in_turn])
    return [
        part if place is None else next(ordered) for part, place in zip(parts, places, strict=True)
    ]


def arguments_of(node: Any) -> list[Any]:
    """What a call gives, in the order in which it is evaluated: what a method is of comes first; or operands."""
    if not isinstance(node, gast.Call):
        return list(map(value_of, ir.children(node)))
    first = node.func.value if isinstance(node.func, gast.Attribute) else node.func
    return [first, *map(value_of, (*node.args, *node.keywords))]


def given_as(part: Any, given: Sequence[Any]) -> int | None:
    """The place of the argument that a part is, or stands in, or is an element of; None of what a call finds itself."""
    for each in _around(part):
        for k, argument in enumerate(given):
            if each in ir.walk(argument):
                return k
    return None


def _around(part: Any) -> Iterator[Any]:
    """An element, and the containers that it is in: o.pair[0], o.pair, o"""
    yield part
    while isinstance(part, (gast.Subscript, gast.Attribute)):
        part = part.value
        yield part


def value_of(part: Any) -> Any:
    """What is evaluated of an argument."""
    return part.value if isinstance(part, (gast.keyword, gast.Starred)) else part
