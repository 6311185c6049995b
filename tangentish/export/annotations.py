"""Type hints for the functions inside an exported module: everything is `Any`, as the values are of many types."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator

from tangentish.export.edits import replaced, signature, span
from tangentish.text.names import unlike


def annotated(text: str) -> tuple[str, str]:
    """A definition whose parameters, results and ambiguous variables have hints; and the name of these hints."""
    tree = ast.parse(text)
    any_hint = unlike("Any", set(re.findall(r"\w+", text)))
    edits = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            edits.append(_signature_edit(text, node, any_hint))
            edits += _variable_edits(text, node, any_hint)
            edits += list(_declarations(text, node, any_hint))
    edits += _scatter_edits(text, tree)
    return replaced(text, edits), any_hint


def _signature_edit(text: str, node: ast.FunctionDef, any_hint: str) -> tuple[int, int, str]:
    start = span(text, node)[0]
    defaults = {
        argument.arg: ast.get_source_segment(text, default)
        for argument, default in _with_defaults(node.args)
    }
    column = start - (text.rfind("\n", 0, start) + 1)
    new = signature(node.name, node.args, lambda _: any_hint, any_hint, defaults.get, 100 - column)
    return start, _end_of_head(text, start), new.replace("\n", "\n" + " " * column)


def _with_defaults(arguments: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr]]:
    positional = (*arguments.posonlyargs, *arguments.args)
    yield from zip(reversed(positional), reversed(arguments.defaults), strict=False)
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is not None:
            yield argument, default


def _end_of_head(text: str, start: int) -> int:
    """Where the colon of a `def` is behind."""
    depth = 0
    lines = text[start:].splitlines(keepends=True)
    for token in tokenize.generate_tokens(io.StringIO(text[start:]).readline):
        depth += (token.string in "([{") - (token.string in ")]}") if token.string else 0
        if token.string == ":" and depth == 0:
            line, column = token.end
            return start + sum(map(len, lines[: line - 1])) + column
    raise AssertionError("a definition has a colon")


def _variable_edits(
    text: str, function: ast.FunctionDef, any_hint: str
) -> list[tuple[int, int, str]]:
    """`dx: Any = 0.0` where dx is bound to something else as well."""
    parameters = {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)}
    nodes = sorted(_own_nodes(function), key=lambda n: (n.lineno, n.col_offset))
    stores = [n for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    counts = Counter(n.id for n in stores)
    first: dict[str, ast.Name] = {}
    for node in stores:
        first.setdefault(node.id, node)
    alone = {
        id(s.targets[0]): s.value
        for s in nodes
        if isinstance(s, ast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], ast.Name)
    }
    edits = []
    for name, node in first.items():
        value = alone.get(id(node))
        local = isinstance(value, ast.Name) and (value.id in counts or value.id in parameters)
        if name in parameters or value is None or local or not _is_narrow(value):
            continue
        if counts[name] > 1 or isinstance(value, (ast.List, ast.Dict, ast.Lambda)):
            end = span(text, node)[1]
            edits.append((end, end, f": {any_hint}"))
    return edits


def _declarations(
    text: str, function: ast.FunctionDef, any_hint: str
) -> Iterator[tuple[int, int, str]]:
    """`xs: Any` above `xs, n = [], 0`, which can't have hints."""
    nodes = sorted(_own_nodes(function), key=lambda n: (n.lineno, n.col_offset))
    stores = [n for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    first: dict[str, ast.AST] = {
        a.arg: a for a in ast.walk(function.args) if isinstance(a, ast.arg)
    }
    for store in stores:
        first.setdefault(store.id, store)
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                start = span(text, node)[0]
                indent = text[text.rfind("\n", 0, start) + 1 : start]
                for target, value in zip(targets, values, strict=False):
                    empty = isinstance(value, (ast.List, ast.Dict))
                    if empty and isinstance(target, ast.Name) and first[target.id] is target:
                        yield start, start, f"{target.id}: {any_hint}\n{indent}"


def _scatter_edits(text: str, tree: ast.Module) -> list[tuple[int, int, str]]:
    """NumPy's own hints forget that ufunc.at takes a tuple of indices."""
    edits = set()
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="at"), args=[_, ast.Tuple() as index, *_]):
                end = text.index("\n", span(text, index)[0])
                edits.add((end, end, "  # type: ignore[arg-type, unused-ignore]"))
    return sorted(edits)


def _own_nodes(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.expr, ast.stmt)):
            yield child
        if not isinstance(child, (ast.FunctionDef, ast.Lambda, ast.ListComp, ast.GeneratorExp)):
            yield from _own_nodes(child)


def _is_narrow(value: ast.expr) -> bool:
    """Whether a type checker takes an expression for the only type that a variable has."""
    if isinstance(value, ast.BinOp):
        return isinstance(value.left, ast.List) or isinstance(value.right, ast.List)  # [dy] * n
    return not isinstance(value, ast.Subscript)
