"""What the adjoints of several operands of one call compute alike, and how they read once that has a name.

g * ratio(z, x ** 2 + z ** 2)      ->      common_0 = x ** 2 + z ** 2
-g * ratio(x, x ** 2 + z ** 2)             g * ratio(z, common_0)
                                           -g * ratio(x, common_0)
"""

from __future__ import annotations

import ast
import functools
import math
from collections import Counter
from collections.abc import Iterator

COMMON = "common_"
# Of shapes and places, or views: asked again, they cost nothing.
CHEAP = {
    "np.shape", "np.ndim", "np.size", "np.expand_dims", "np.reshape", "np.ravel", "np.moveaxis", "np.broadcast_to",
    "np.matrix_transpose", "np.atleast_1d", "np.log", "count", "len", "range", "max", "min", "positions", "cast",
    "np.ones", "swapped", "window_edges", "edges_for",
}  # fmt: skip


@functools.cache
def parts_in_common(texts: tuple[str, ...]) -> tuple[tuple[str, ...], dict[str, str]]:
    """The templates with names for what costs something in several of them, and what the names stand for.

    What most of them have comes first, and of that the longest.
    """
    parts: dict[str, str] = {}
    while True:
        trees = [ast.parse(text, mode="eval").body for text in texts]
        found = Counter(
            part for tree in trees for part in dict.fromkeys(map(ast.unparse, _costly(tree)))
        )
        part = max(found, key=lambda part: (found[part], len(part)), default="")
        if found[part] < 2:
            return texts, parts
        name = f"{COMMON}{len(parts)}"
        parts[name] = part
        texts = tuple(ast.unparse(_Named(part, name).visit(tree)) for tree in trees)


def _costly(tree: ast.expr) -> Iterator[ast.expr]:
    """The parts of an expression that compute a whole array, in more than one step."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.BinOp, ast.Call)) and sum(map(_steps, ast.walk(node))) > 1:
            yield node


def _steps(node: ast.AST) -> float:
    match node:
        case ast.BinOp():
            return 1
        case ast.Name(id=name) if name.startswith(
            "g_"
        ):  # has a name where it is read more than once
            return -math.inf
        case ast.Call(func=function):
            return 0 if ast.unparse(function) in CHEAP else 2
    return 0


class _Named(ast.NodeTransformer):
    def __init__(self, part: str, name: str) -> None:
        self.part, self.name = part, name

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, (ast.BinOp, ast.Call)) and ast.unparse(node) == self.part:
            return ast.Name(self.name, ast.Load())
        return self.generic_visit(node)
