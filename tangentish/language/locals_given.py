"""`check(locals(), "x", (3,))`: a dict of the variables that are there, where a line hands it to a function.

check(locals(), "x", (3,))    ->    check({"x": x, "n": n}, "x", (3,))

Which variables are there is known as long as no branch or loop before binds another; of what functions inside share
with this one it is not asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import gast

from tangentish.language.placed import at, name_at
from tangentish.language.source import Source

_LINES = (gast.Assign, gast.AugAssign, gast.Expr, gast.Return)
_BINDING = (
    gast.NamedExpr, gast.Import, gast.ImportFrom, gast.FunctionDef, gast.ClassDef, gast.Lambda, gast.Match,
    gast.Try, gast.With, gast.AsyncFunctionDef, gast.AsyncFor, gast.AsyncWith,
)  # fmt: skip


def with_locals_written(statements: Sequence[Any], source: Source) -> list[Any]:
    """The statements with such dicts."""
    code = source.function.__code__
    if "locals" not in code.co_names or source.where("locals") != "builtin":
        return list(statements)
    if code.co_cellvars or code.co_freevars:
        return list(statements)
    there: set[str] = set(_parameters(source))
    written: list[Any] = []
    for k, statement in enumerate(statements):
        if isinstance(statement, _LINES):
            names = [name for name in code.co_varnames if name in there]
            statement = _written(statement, names)
        bound = _bound_in(statement)
        if bound is None or not (bound <= there or isinstance(statement, gast.Assign)):
            return [*written, statement, *statements[k + 1 :]]
        there |= bound
        written.append(statement)
    return written


def _parameters(source: Source) -> tuple[str, ...]:
    code = source.function.__code__
    stars = bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + stars]


def _bound_in(statement: Any) -> set[str] | None:
    """The names that a statement, or what is in it, binds; None where it does so in other ways, or deletes one."""
    parts = list(gast.walk(statement))
    if any(isinstance(part, _BINDING) for part in parts):
        return None
    names = [part for part in parts if isinstance(part, gast.Name)]
    if any(isinstance(name.ctx, gast.Del) for name in names):
        return None
    inner = {
        n for part in parts if isinstance(part, gast.comprehension) for n in gast.walk(part.target)
    }
    return {n.id for n in names if isinstance(n.ctx, gast.Store) and n not in inner}


def _written(statement: Any, names: Sequence[str]) -> Any:
    given = {
        argument
        for call in gast.walk(statement)
        if isinstance(call, gast.Call)
        for argument in call.args
        if _asks(argument)
    }
    if not given:
        return statement

    class Change(gast.NodeTransformer):  # type: ignore[misc]
        def visit_Call(self, node: Any) -> Any:
            if not _asks(node):
                return self.generic_visit(node)
            keys = [at(gast.Constant(name, None), node) for name in names]
            return at(gast.Dict(keys, [name_at(name, node) for name in names]), node)

    return Change().visit(deepcopy(statement))


def _asks(node: Any) -> bool:
    match node:
        case gast.Call(func=gast.Name(id="locals"), args=[], keywords=[]):
            return True
    return False
