"""Names that are None on some ways, and handed on before anybody asks whether they are.

    s = None                                     s_0, s_1 = None, None
    if x[0] > 0:                                 if x[0] > 0:
        s = x**2, np.sin(x)                          s_0, s_1 = x**2, np.sin(x)
    pair = (s, x)                        ->      pair_0_0, pair_0_1, pair_1 = s_0, s_1, x

A name that is None before a loop, and is given what it holds on each trip, is left: where it is read it is not None.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from tangentish import ir

_ASKING = (gast.Attribute, gast.Subscript, gast.Compare)


def handed_on(body: ir.Block) -> frozenset[str]:
    """The names that are made None in a block and read there as a whole: not in a branch that asks whether they are.

    What asks for an element, or whether a name is None, is no reading of the whole.
    """
    found: set[str] = set()
    inner = (block for line in ir.walk_statements(body) for block in ir.blocks_of(line))
    for block in (body, *inner):
        nothing: set[str] = set()
        for line in block:
            found |= nothing & set(_read_whole(line))
            nothing |= set(_made_none(line))
    return frozenset(found)


def _read_whole(line: ir.Statement) -> Iterator[str]:
    nodes = [*ir.nodes_in(line)]
    asked = {part for node in nodes if isinstance(node, _ASKING) for part in ir.children(node)}
    yield from (n.id for n in nodes if isinstance(n, gast.Name) and n not in asked)


def given_on_later_trips(body: ir.Block) -> frozenset[str]:
    """The names that a loop binds without ever making them None."""
    found: set[str] = set()
    for loop in ir.walk_statements(body):
        if isinstance(loop, (ir.For, ir.While)):
            lines = list(ir.walk_statements(loop.body))
            nothing = {name for line in lines for name in _made_none(line)}
            found |= {name for line in lines for name in ir.defined_names(line)} - nothing
    return frozenset(found)


def _made_none(line: ir.Statement) -> Iterator[str]:
    match line:
        case ir.Assign(gast.Name(id=name), value) if ir.is_none(value):
            yield name
        case ir.Assign(gast.Tuple(elts=targets), gast.Tuple(elts=values)):
            pairs: Iterator[tuple[Any, Any]] = zip(targets, values, strict=False)
            yield from (t.id for t, v in pairs if isinstance(t, gast.Name) and ir.is_none(v))
