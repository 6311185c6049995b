"""Lists and dicts outside of a function that it only reads: these can be written out, as numbers are.

What it does with one may change it, or hand it to something that does, unless each use is one of these:

    for g in GRID, GRID[0], len(GRID), x in GRID, OPTIONS["rate"], OPTIONS.items(), x[PLACES]
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tangentish.export.literals import literal

READERS = frozenset({
    "enumerate", "last_stored", "len", "list", "max", "min", "reversed", "set", "sorted", "sum", "tuple", "zip",
})  # fmt: skip
METHODS = frozenset({"count", "get", "index", "items", "keys", "values"})


def display(value: object) -> str | None:
    """The text of a list or dict of what can't change itself; None for anything else."""
    if type(value) in (list, dict) and not value:
        return "list[float]()" if type(value) is list else "dict[str, float]()"
    if type(value) is list:
        items = list(map(_unchanging, value))
        return None if None in items else f"[{', '.join(map(str, items))}]"
    if type(value) is dict:
        pairs = [(_unchanging(k), _unchanging(v)) for k, v in value.items()]
        whole = all(k is not None and v is not None for k, v in pairs)
        return f"{{{', '.join(f'{k}: {v}' for k, v in pairs)}}}" if whole else None
    return None


def _unchanging(value: object) -> str | None:
    text = literal(value)
    return None if text is None or "np.array(" in text else text


def is_only_read(name: str, text: str) -> bool:
    """Whether a function only reads from the list or dict that it finds under a name."""
    tree = ast.parse(text)
    uses = sum(isinstance(node, ast.Name) and node.id == name for node in ast.walk(tree))
    read = sum(_is(part, name) for node in ast.walk(tree) for part in _read(node))
    return uses == read


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _read(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node from which it only reads."""
    match node:
        case ast.For(iter=items) | ast.comprehension(iter=items):
            yield items
        case ast.Subscript(value=value, slice=index, ctx=context):
            if isinstance(context, ast.Load):
                yield value
            yield from index.elts if isinstance(index, ast.Tuple) else [index]
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="add"), attr="at"), args=args):
            yield from args[1:2]
        case ast.Call(func=ast.Name(id=reader), args=args) if reader in READERS:
            yield from args
        case ast.Call(func=ast.Attribute(value=value, attr=method)) if method in METHODS:
            yield value
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[value]):
            yield value
