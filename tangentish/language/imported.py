"""Imports inside a function.

Modules that generated code names itself need no line; of another, the import stays where it is, and its names are
values like any other:

    from numpy import exp; y = exp(x)    ->    y = np.exp(x)
    from time import time                ->    time = <time.time>
    from .line import Line               ->    Line = <package.line.Line>
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import itertools
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import gast

from tangentish import ir
from tangentish.language.placed import assign_at, at
from tangentish.language.rewriting import Rewriting
from tangentish.language.source import Source
from tangentish.rules.names import MODULES

MISSING = object()


class Imported(gast.expr):  # type: ignore[misc]
    """An expression: what an import finds. `module` is None for `import a.b` that binds a."""

    _fields = ("module", "level", "name")


def object_of(node: Any) -> object:
    """The object that an import would find, MISSING where the module was not imported yet and may do anything."""
    if node.level:
        return MISSING
    if node.module is None:
        return _module(node.name)
    found = getattr(_module(node.module), node.name, MISSING)
    return _module(f"{node.module}.{node.name}") if found is MISSING else found


def _module(name: str) -> object:
    """A module that is there; those that import nothing but themselves are imported, as the function will do."""
    if name not in sys.modules and name.partition(".")[0] in _HARMLESS:
        try:
            return importlib.import_module(name)
        except ImportError:
            return MISSING
    return sys.modules.get(name, MISSING)


_HARMLESS = ("numpy", "scipy")


def import_statement(name: str, node: Any) -> Any:
    """The line that gives `name` what an import finds."""
    original = node.name
    head = original.partition(".")[0]
    alias = gast.alias(original, None if name in (original, head) else name)
    if node.module is None and not node.level:
        return gast.Import([alias])
    return gast.ImportFrom(node.module, [alias], node.level)


def without_imports(statements: Sequence[Any], source: Source) -> list[Any]:
    """The statements with their imports as assignments, or gone where names can stand for themselves."""
    if not ir.nodes_of(statements, *_IMPORTS):
        return list(statements)
    package = source.function.__globals__.get("__package__")
    if package:
        statements = _Absolute(package).block(statements)
    _import_own(statements, source)
    imports = [n for s in statements for n in _own_nodes(s) if isinstance(n, _IMPORTS)]
    bound = [name for node in imports for name, _ in _bindings(node)]
    others = {
        n.id
        for s in statements
        for n in gast.walk(s)
        if isinstance(n, gast.Name) and isinstance(n.ctx, (gast.Store, gast.Del))
    }
    shared = {*source.function.__code__.co_cellvars, *others}
    known = {
        name: path
        for node in imports
        for name, value in _bindings(node)
        if (path := _path(value)) is not None and bound.count(name) == 1 and name not in shared
    }
    return [new for s in statements for new in _replaced(s, known)]


_IMPORTS = (gast.Import, gast.ImportFrom)


class _Absolute(Rewriting):
    """Rewriting: imports that start from the package of the function, `from .a import b`, by full names."""

    def __init__(self, package: str) -> None:
        self.package = package

    def statement(self, node: Any) -> Iterator[Any]:
        level = node.level if isinstance(node, gast.ImportFrom) else 0
        if not 0 < level <= self.package.count(".") + 1:
            yield from super().statement(node)
            return
        module = importlib.util.resolve_name("." * level + (node.module or ""), self.package)
        yield at(gast.ImportFrom(module, node.names, 0), node)


def _import_own(statements: Sequence[Any], source: Source) -> None:
    """Modules of its own package that a function imports before all else are imported, as it will do."""
    home = (source.function.__module__ or "").partition(".")[0]
    for statement in itertools.takewhile(lambda s: isinstance(s, _IMPORTS), statements):
        for name, part in map(partial(_module_and_part, statement), statement.names):
            if name.partition(".")[0] == home:
                with contextlib.suppress(Exception):  # the function will raise it, too
                    module = importlib.import_module(name)
                    if part is not None and not hasattr(module, part):
                        importlib.import_module(f"{name}.{part}")


def _module_and_part(statement: Any, alias: Any) -> tuple[str, str | None]:
    """The module that a line imports, and what it takes out of it: nothing where it starts from a package unknown."""
    if isinstance(statement, gast.Import):
        return alias.name, None
    return ("" if statement.level else statement.module), alias.name


def _own_nodes(node: Any) -> Iterator[Any]:
    """The statements in a statement, those of nested functions aside."""
    yield node
    if not isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
        for child in gast.iter_child_nodes(node):
            if not isinstance(child, gast.expr):
                yield from _own_nodes(child)


def _bindings(node: Any) -> Iterator[tuple[str, Imported]]:
    """The names that an import binds, and what they get."""
    for alias in node.names:
        if isinstance(node, gast.ImportFrom):
            found = Imported(node.module, node.level, alias.name)
            yield alias.asname or alias.name, gast.copy_location(found, node)
            continue
        head = alias.name.partition(".")[0]
        whole = alias.asname is not None
        found = Imported(None, 0, alias.name if whole else head)
        yield alias.asname or head, gast.copy_location(found, node)


def _path(value: Imported) -> Any | None:
    """The path from a module that generated code names itself: `np.linalg.solve`."""
    parts = (
        value.name.split(".") if value.module is None else [*value.module.split("."), value.name]
    )
    helper = next((helper for helper, module in MODULES.items() if module == parts[0]), None)
    if helper is None or value.level or object_of(value) is MISSING:
        return None
    path = ir.name(f"${helper}")
    for part in parts[1:]:
        path = gast.Attribute(path, part, gast.Load())
    return path


def _replaced(statement: Any, known: dict[str, Any]) -> Iterator[Any]:
    """A statement without imports, its imported names replaced where they are known."""
    if not isinstance(statement, _IMPORTS):
        yield _rebuilt(statement, known)
        return
    for name, value in _bindings(statement):
        if name not in known:
            yield assign_at(name, value, statement)


def _rebuilt(node: Any, known: dict[str, Any]) -> Any:
    new = type(node)(*(_part(getattr(node, field, None), known) for field in node._fields))
    return gast.copy_location(new, node) if hasattr(node, "lineno") else new


def _part(value: Any, known: dict[str, Any]) -> Any:
    match value:
        case [gast.stmt(), *_]:
            block = [new for statement in value for new in _replaced(statement, known)]
            return block or [gast.copy_location(gast.Pass(), value[0])]
        case [*items]:
            return [_part(item, known) for item in items]
        case gast.expr():
            return ir.copy_expression(value, lambda node: _known(node, known))
        case gast.excepthandler() | gast.withitem() | gast.match_case() | gast.pattern():
            return _rebuilt(value, known)
    return value


def _known(node: Any, known: dict[str, Any]) -> Any | None:
    if type(node) is gast.Name and node.id in known and isinstance(node.ctx, gast.Load):
        return gast.copy_location(_copy(known[node.id]), node)
    return None


def _copy(path: Any) -> Any:
    """A path stands in many places: each has nodes of its own."""
    if isinstance(path, gast.Attribute):
        return gast.Attribute(_copy(path.value), path.attr, gast.Load())
    return ir.name(path.id)
