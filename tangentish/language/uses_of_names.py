"""Where a variable is read, and what each read is part of: what is done with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import gast


def uses_of(name: str, nodes: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    """Each read of a variable right below one of the nodes, and that node."""
    for node in nodes:
        for child in gast.iter_child_nodes(node):
            if (
                isinstance(child, gast.Name)
                and child.id == name
                and isinstance(child.ctx, gast.Load)
            ):
                yield child, node
