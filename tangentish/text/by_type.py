"""What is found for each type of nodes once: by a look into a dict, which every node of a text costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class ByType(dict[type, Any]):
    def __init__(self, find: Callable[[type], Any]) -> None:
        super().__init__()
        self.find = find

    def __missing__(self, node_type: type) -> Any:
        self[node_type] = self.find(node_type)
        return self[node_type]
