"""Classes of the user's of which only constants are read, as the module has them.

class Spring:
    rest = 1.5

Their methods have become functions, and their objects the values of attributes: where a class still stands for an
object of it, nothing but such constants is read of it.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping
from typing import Any

from tangentish.export.literals import literal


def attributes_read(text: str) -> set[str]:
    """The names of all attributes that are read in a definition."""
    return {node.attr for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Attribute)}


def class_text(name: str, owner: type, read: set[str]) -> str | None:
    """The class with the attributes that are read; None where one of them can't be written out."""
    lines = []
    for attribute, value in _attributes(owner).items():
        if attribute in read:
            text = literal(value)
            if text is None:
                return None
            lines.append(f"    {attribute} = {text}\n")
    return f"class {name}:\n" + ("".join(lines) or "    pass\n")


def _attributes(owner: type) -> Mapping[str, Any]:
    """What the class and those it inherits from hold, but for functions and what Python puts there."""
    held = {k: v for base in reversed(owner.__mro__[:-1]) for k, v in vars(base).items()}
    return {k: v for k, v in held.items() if not (k[:2] == "__" or hasattr(v, "__get__"))}


def is_only_looked_at(name: str, text: str) -> bool:
    """Whether nothing is made of the class in a definition, nor asked about it."""
    tree = ast.parse(text)
    return not any(
        isinstance(node, ast.Name) and node.id == name for part in _uses(tree) for node in part
    )


def _uses(tree: ast.AST) -> Iterator[list[ast.expr]]:
    """The expressions of which a class must be what it was: called, compared, caught, asked by builtins."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=function), args=args) if hasattr(builtins, function):
                yield [*args, *(e for a in args if isinstance(a, ast.Tuple) for e in a.elts)]
            case ast.Call(func=function):
                yield [function]
            case ast.Compare(left=left, comparators=others):
                yield [left, *others]
            case ast.ExceptHandler(type=ast.expr() as caught):
                yield [caught, *(caught.elts if isinstance(caught, ast.Tuple) else ())]
            case ast.Raise(exc=ast.expr() as raised):
                yield [raised]
