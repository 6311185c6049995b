"""Calls that were moved, on the way to plainer lines, past others: it is assumed that nothing shows when they are made.

Whether that is so is known once it is known what they call: analysis/early.py looks, and refuses those that show.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from tangentish import ir
from tangentish.language.placed import at


class _AssumedQuiet(gast.Call):  # type: ignore[misc]
    """A call that was moved."""


class _LeavesLists(gast.Call):  # type: ignore[misc]
    """A call between which a list is run over that was copied, as Python does not."""


_AssumedQuiet.__name__ = _LeavesLists.__name__ = "Call"  # what they are to the printer


def is_assumed_quiet(node: Any) -> bool:
    return isinstance(node, _AssumedQuiet)


def leaves_lists(node: Any) -> bool:
    return isinstance(node, _LeavesLists)


def assumed_quiet(expression: Any, is_moved: Callable[[Any], bool]) -> Any:
    """The expression, with the calls in it marked that were moved."""

    def change(node: Any) -> Any | None:
        if type(node) is not gast.Call or not is_moved(node):
            return None
        parts = [ir.copy_expression(part, change) for part in (node.func, *node.args)]
        keywords = [
            at(gast.keyword(k.arg, ir.copy_expression(k.value, change)), k) for k in node.keywords
        ]
        return at(_AssumedQuiet(parts[0], parts[1:], keywords), node)

    return ir.copy_expression(expression, change)


def assumed_to_leave_lists(call: Any) -> Any:
    return at(_LeavesLists(call.func, call.args, call.keywords), call)
