"""Which statements leave the block that they stand in: by return, break or continue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import gast

EXITS = (gast.Return, gast.Break, gast.Continue)
LOOPS = (gast.For, gast.While)


def returns_in(statements: Sequence[Any]) -> Iterator[Any]:
    """The return statements of a function in their order, not those of functions inside it."""
    stack = list(reversed(statements))
    while stack:
        node = stack.pop()
        if isinstance(node, gast.Return):
            yield node
        if not isinstance(node, (gast.FunctionDef, gast.ClassDef)):
            stack.extend(reversed(list(_inner_statements(node))))


def has_return(node: Any) -> bool:
    return next(returns_in([node]), None) is not None


def has_exit(node: Any) -> bool:
    """Whether an exit inside leaves the block that the statement stands in."""
    return has_return(node) or has_break(gast.While(None, [node], []), (gast.Break, gast.Continue))


def has_break(loop: Any, kinds: tuple[type, ...] = (gast.Break,)) -> bool:
    """Whether the body of a loop leaves the loop itself, not one inside it."""
    stack = list(loop.body)
    while stack:
        node = stack.pop()
        if isinstance(node, kinds):
            return True
        if isinstance(node, LOOPS):
            stack.extend(node.orelse)
        else:
            stack.extend(_inner_statements(node))
    return False


def always_exits(statements: Sequence[Any]) -> bool:
    """Whether what follows these statements is never reached."""
    for node in reversed(statements):
        if isinstance(node, (*EXITS, gast.Raise)):
            return True
        if isinstance(node, gast.If) and always_exits(node.body) and always_exits(node.orelse):
            return True
        if isinstance(node, gast.With) and always_exits(node.body):
            return True
        if isinstance(node, gast.Try) and _always_exits_try(node):
            return True
        if isinstance(node, LOOPS) and not has_break(node):
            if always_exits(node.orelse):
                return True
            if isinstance(node, gast.While) and _is_true(node.test):
                return True
    return False


def _always_exits_try(node: Any) -> bool:
    through = always_exits(node.body) or always_exits(node.orelse)
    handled = all(always_exits(handler.body) for handler in node.handlers)
    return (through and handled) or always_exits(node.finalbody)


def only_handlers_exit(node: Any) -> bool:
    """Whether what follows a try runs just where its body ended: `else` says the same."""
    return (
        isinstance(node, gast.Try)
        and bool(node.handlers)
        and not node.finalbody
        and not any(map(has_exit, node.body))
        and all(always_exits(handler.body) for handler in node.handlers)
    )


def _is_true(test: Any) -> bool:
    return isinstance(test, gast.Constant) and bool(test.value)


def _inner_statements(node: Any) -> Iterator[Any]:
    for part in ("body", "orelse", "finalbody"):
        yield from getattr(node, part, ())
    for part in ("handlers", "cases"):
        for inner in getattr(node, part, ()):
            yield from inner.body
