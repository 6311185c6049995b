"""What makes its items, or takes them from what it is given, while a loop runs over it: the loop may change those."""

from __future__ import annotations

import itertools
from typing import Any

import gast
import numpy as np

from tangentish.infer.facts import Callee, Facts

SELECTIONS: set[Any] = {
    itertools.combinations,
    itertools.permutations,
    itertools.combinations_with_replacement,
}
TUPLES: set[Any] = {*SELECTIONS, itertools.product, itertools.pairwise, np.ndindex}
"""What runs over tuples: of items of what they are given, or of indices."""


def comes_late(node: Any, facts: Facts) -> bool:
    """Whether the items of an expression are made, or taken from what it is given, while a loop runs."""
    if isinstance(node, gast.GeneratorExp) or node in facts.iterators:
        return True
    callee = facts.callees.get(node)
    if callee is None:
        return False
    return takes_items(callee) or (callee.user is not None and callee.user.gives_items)


def takes_items(callee: Callee) -> bool:
    """Whether this gives tuples of the items of what it is given, which are looked up on each trip."""
    return any(callee.function is one for one in TUPLES)
