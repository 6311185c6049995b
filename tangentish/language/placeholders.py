"""Lists of placeholders that hold nothing: each is replaced before what stands there is used.

A = [[None]] * n           ->      A = [None] * n
A[k] = np.outer(x, x)              A[k] = np.outer(x, x)
np.dot(A[k], v)                    np.dot(A[k], v)

Only where the list is asked for items, which go into products and sums: neither `[None]` nor None can be used there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import gast
import numpy as np

from tangentish import ir
from tangentish.language.named_members import Find, named_member
from tangentish.language.placed import at
from tangentish.language.rewriting import Rewriting
from tangentish.language.uses_of_names import uses_of

_USING = {np.dot, np.matmul, np.inner, np.outer, np.array, np.asarray}


def with_plain_placeholders(statements: Sequence[Any], find: Find) -> list[Any]:
    """The statements with None in the place of lists of nothing else."""
    lines = [line for line in ir.nodes_of(statements, gast.Assign) if _is_filled(line)]
    nodes = [node for line in statements for node in gast.walk(line)] if lines else []
    plain = {line for line in lines if _is_only_used(line.targets[0].id, nodes, find)}
    return _Plain(plain).block(statements) if plain else list(statements)


def _is_filled(line: Any) -> bool:
    """`A = [[None]] * n`"""
    match line:
        case gast.Assign(
            targets=[gast.Name()],
            value=gast.BinOp(
                left=gast.List(elts=[gast.List(elts=[gast.Constant(value=None)])]), op=gast.Mult()
            ),
        ):
            return True
    return False


def _is_only_used(name: str, nodes: Sequence[Any], find: Find) -> bool:
    """Whether all that is done to a list is to store items, and to use them in products and sums."""
    uses = list(uses_of(name, nodes))
    asked = [node for use, node in uses if isinstance(node, gast.Subscript) and node.value is use]
    bound = [n for n in nodes if isinstance(n, gast.Name) and n.id == name]
    if len(asked) < len(uses) or len(bound) > len(uses) + 1:
        return False
    read = {node for node in asked if isinstance(node.ctx, gast.Load)}
    used = [part for node in nodes for part in _operands(node, find) if part in read]
    return len(used) == len(read)


def _operands(node: Any, find: Find) -> Sequence[Any]:
    match node:
        case gast.Call(func=func, args=args):
            used = any(named_member(func, np, find) is one for one in _USING)
            return args if used else ()
        case gast.BinOp(left=left, op=op, right=right) if not isinstance(op, gast.Mult):
            return left, right
    return ()


class _Plain(Rewriting):
    """The lines that make such lists."""

    def __init__(self, lines: set[Any]) -> None:
        self.lines = lines

    def statement(self, node: Any) -> Iterator[Any]:
        if node not in self.lines:
            yield from super().statement(node)
            return
        whole = node.value
        left = at(gast.List(whole.left.elts[0].elts, gast.Load()), whole.left)
        yield ir.with_fields(node, {"value": ir.with_fields(whole, {"left": left})})
