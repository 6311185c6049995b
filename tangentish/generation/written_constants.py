"""Constants that Python has a text for: keys of dicts that are members of an Enum, classes or functions have none."""

from __future__ import annotations

import ast
from typing import Any

import gast

from tangentish import ir
from tangentish.analysis.reached import Analysis
from tangentish.errors import Refusal, refuse

_WRITTEN = (str, bytes, bool, int, float, complex, type(None), type(Ellipsis))


def check_constants(analysis: Analysis, body: ir.Block) -> None:
    """Refuse what no generated text can say."""
    source = analysis.source
    for node in ir.nodes_within(body, gast.Constant):
        if node.value.__class__ not in _WRITTEN and not _is_written(node.value):
            message = f"a dict has the key {node.value!r}, which no text can say: use strings or numbers as keys"
            raise refuse([Refusal(message, source.tree)], source.filename, source.lines)


def _is_written(value: Any) -> bool:
    """Whether what stands in the text for it is Python's: that of a class begins with <."""
    if isinstance(value, _WRITTEN):
        return True
    try:
        ast.parse(repr(value), mode="eval")
    except SyntaxError:
        return False
    return True
