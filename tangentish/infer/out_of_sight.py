"""What is read of arrays and lists that a call changes where no line of the function at hand shows it.

Such a change is not taken back on the way back, where what was read is read again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import gast

from tangentish import ir
from tangentish.infer.facts import Facts
from tangentish.kinds import UNKNOWN, Kind, Num, Seq, buffers_of, is_unknown


def changed_out_of_sight(facts: Facts, let_go: Mapping[str, Kind]) -> Iterator[Any]:
    """The calls that make such changes to what differentiated values are computed with.

    let_go: what was known of containers before something unknown happened to them.
    """
    changed = facts.out_of_sight
    if not changed:
        return
    for node, kind in list(facts.kinds.items()):
        if not (isinstance(node, gast.AST) and kind.active and isinstance(kind, Num)):
            continue
        for part in ir.children(node):
            for buffer in _read(part, facts, let_go):
                if buffer in changed:
                    yield changed[buffer]


def _read(node: Any, facts: Facts, let_go: Mapping[str, Kind]) -> frozenset[Any]:
    """The memory of an operand that carries no derivative."""
    kind = facts.kinds.get(node)
    if kind is None or kind.active:
        return frozenset()
    own = buffers_of(kind)
    root = ir.owner_of(node)
    if isinstance(root, gast.Name) and root is not node:
        own |= _of_holder(node, root, facts)
        if is_unknown(kind) and root.id in let_go:
            own |= buffers_of(let_go[root.id])
    return own


def _of_holder(node: Any, root: Any, facts: Facts) -> frozenset[Any]:
    """The memory of what holds it: of a list that is known, else of all that the name at the root holds."""
    while node is not root and isinstance(node, (gast.Attribute, gast.Subscript)):
        node = node.value
        kind = facts.kinds.get(node, UNKNOWN)
        if isinstance(kind, Seq):
            return buffers_of(kind)
    return buffers_of(facts.kinds.get(root, UNKNOWN))
