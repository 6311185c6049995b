"""Changes of a text at the places of its syntax tree; all else, comments too, stays as it is."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Callable, Iterable, Iterator
from typing import Any

Edit = tuple[int, int, str]


def replaced(text: str, edits: Iterable[Edit]) -> str:
    """The text with the characters from start to end replaced, for each edit."""
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def span(text: str, node: Any) -> tuple[int, int]:
    """Where in the text a node starts and ends."""
    lines = text.splitlines(keepends=True)

    def offset(line: int, column: int) -> int:
        within = len(lines[line - 1].encode()[:column].decode())
        return sum(map(len, lines[: line - 1])) + within

    return (
        offset(node.lineno, node.col_offset),
        offset(node.end_lineno, node.end_col_offset),
    )


# ---------------------------------------------------------------------------------------- names


def free_names(text: str) -> set[str]:
    """The names that a definition or an assignment takes from around it."""
    top = symtable.symtable(text, "<export>", "exec")
    own = {symbol.get_name() for symbol in top.get_symbols() if symbol.is_referenced()}
    inside = (symbol for table in _inside(top) for symbol in table.get_symbols())
    return own | {symbol.get_name() for symbol in inside if symbol.is_global()}


def bound_names(text: str) -> set[str]:
    """The names that the functions of a text bind."""
    top = symtable.symtable(text, "<export>", "exec")
    symbols = (symbol for table in _inside(top) for symbol in table.get_symbols())
    return {symbol.get_name() for symbol in symbols if not symbol.is_global()}


def _inside(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    for child in table.get_children():
        yield child
        yield from _inside(child)


# ----------------------------------------------------------------------------------- signatures


def signature(
    name: str,
    arguments: ast.arguments,
    hint: Callable[[str], str],
    result: str,
    default: Callable[[str], str | None],
    width: int = 100,
) -> str:
    """`def name(a: hint, *, b: hint = default) -> result:`, on several lines where it is long."""
    parameters = list(_parameters(arguments, hint, default))
    line = f"def {name}({', '.join(parameters)}) -> {result}:"
    if len(line) <= width:
        return line
    return "\n".join([f"def {name}(", *(f"    {p}," for p in parameters), f") -> {result}:"])


def _parameters(
    arguments: ast.arguments, hint: Callable[[str], str], default: Callable[[str], str | None]
) -> Iterator[str]:
    def one(arg: ast.arg) -> str:
        value = default(arg.arg)
        return f"{arg.arg}: {hint(arg.arg)}" + ("" if value is None else f" = {value}")

    yield from map(one, arguments.posonlyargs)
    if arguments.posonlyargs:
        yield "/"
    yield from map(one, arguments.args)
    if arguments.vararg:
        yield f"*{arguments.vararg.arg}: {hint(arguments.vararg.arg)}"
    elif arguments.kwonlyargs:
        yield "*"
    yield from map(one, arguments.kwonlyargs)
    if arguments.kwarg:
        yield f"**{arguments.kwarg.arg}: {hint(arguments.kwarg.arg)}"


def renamed(text: str, names: dict[str, str], own: str) -> str:
    """A definition under the name `own`, the names that it takes from around it replaced."""
    tree = ast.parse(text)
    edits = [
        (*span(text, node), names[node.id])
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and names.get(node.id, node.id) != node.id
    ]
    match tree.body[0]:
        case ast.FunctionDef(name=name) as node:
            start = span(text, node)[0] + len("def ")
            edits.append((start, start + len(name), own))
        case ast.ClassDef(name=name) as node:
            start = len("class ")
            edits.append((start, start + len(name), own))
        case (
            ast.Assign(targets=[ast.Name() as target]) | ast.AnnAssign(target=ast.Name() as target)
        ):
            edits = [e for e in edits if e[0] != 0]
            edits.append((*span(text, target), own))
    return replaced(text, edits)
